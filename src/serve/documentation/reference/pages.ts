import { escapeHtml } from '../../../platform/text/escape-html.ts'
import { PROBLEMS, type ProblemCode } from '../../../../contract/problems.ts'
import type { Access } from '../../../../contract/route.ts'
import { frame, header } from '../frame.ts'
import { renderLine } from '../markdown.ts'
import { boundsOf, fieldLine, fieldsOf, typeOf } from './fields.ts'
import type { Content, Operation, Parameter, Reference } from './operations.ts'
import { bodyOf, samplesOf } from './samples.ts'

// The reference: a page with all operations, and a page for each. All can be read without scripts; the script only adds a form that
// sends a request. docs/decisions/204-the-reference-is-pages-of-the-service.md says why.

const ACCESS: Record<Access, string> = {
  none: 'No token',
  connector: 'Any token',
  full: 'Full token',
  operator: 'Operator’s token',
}

const anchorOf = (tag: string) => tag.replaceAll(' ', '-')
const method = (name: string) => `<b class="method ${name.toLowerCase()}">${name}</b>`

/** /docs */
export function referencePage(reference: Reference): string {
  const root = 'docs/'
  const { url, groups } = reference
  const lists = groups.map(
    ({
      tag,
      title,
      description,
      operations,
    }) => `<section class="group"><h2 id="${anchorOf(tag)}">${escapeHtml(title)}</h2>
<p>${escapeHtml(description)}</p>
<ul class="operations">${operations
      .map(
        ({ id, method: name, path, summary }) =>
          `<li><a href="${root}api/${id}">${escapeHtml(summary)}</a><span>${method(name)}<code>${escapeHtml(path)}</code></span></li>`,
      )
      .join('')}</ul></section>`,
  )
  const main = `<h1>API reference</h1>
<p>Every operation with its parameters, answers and an example in curl, JavaScript, Python and PHP; each can be tried on its page. <a href="openapi.json">openapi.json</a> is the same for programs.</p>
<dl class="facts">
<dt>Address</dt><dd><code>${escapeHtml(url)}/v1</code></dd>
<dt>Token</dt><dd><code>Authorization: Bearer …</code>, made in the <a href="panel">panel</a> under Tokens. Connector tokens read; below <code>/v1/account</code> a full token is needed.</dd>
<dt>Errors</dt><dd><code>application/problem+json</code>, with a <code>code</code> that never changes: <a href="${root}problems">all problems</a>.</dd>
<dt>Lists</dt><dd>By page or after an ID, as the <a href="${root}guides/read-api">read API</a> says. Whoever keeps a copy follows the <a href="${root}guides/feed">change feed</a>.</dd>
<dt>Compatibility</dt><dd>Within <code>/v1</code> there are only additions: ignore members, headers and codes that you do not know.</dd>
<dt>Webhooks</dt><dd>Signed notifications instead of asking: the <a href="${root}guides/webhooks">guide</a> has verifiers.</dd>
</dl>
${lists.join('\n')}`
  const body = `${header(root, 'reference')}
<div class="columns">
${sideOf(reference, root, null)}
<main>
${main}
</main>
</div>`
  return frame({ title: 'API reference – Shelfwire', root, body })
}

function sideOf({ groups }: Reference, root: string, current: Operation | null): string {
  const items = groups.map(({ tag, title, operations }) => {
    const isOpen = current?.tag === tag
    const links = operations.map(
      ({ id, summary }) =>
        `<li><a href="${root}api/${id}"${id === current?.id ? ' aria-current="page"' : ''}>${escapeHtml(summary)}</a></li>`,
    )
    // operations of other groups are not listed: they are one click away, on the first page
    return isOpen
      ? `<li><a class="open" href="${root}../docs#${anchorOf(tag)}">${escapeHtml(title)}</a><ul>${links.join('')}</ul></li>`
      : `<li><a href="${root}../docs#${anchorOf(tag)}">${escapeHtml(title)}</a></li>`
  })
  return `<nav class="side" aria-label="Operations"><ul>${items.join('')}</ul></nav>`
}

/** /docs/api/{operation} */
export function operationPage(reference: Reference, operation: Operation): string {
  const root = '../'
  const { schemas, url, groups } = reference
  const { tag, summary, description, path, access, parameters, body, answers } = operation
  const title = groups.find((group) => group.tag === tag)?.title ?? tag
  const places = [
    ['path', 'In the path'],
    ['query', 'In the query'],
    ['header', 'Headers'],
  ] as const
  const parts = [
    ...places.map(([place, heading]) =>
      parametersOf(
        parameters.filter((each) => each.in === place),
        heading,
        schemas,
      ),
    ),
    body === null ? '' : `<h2 id="body">Body</h2>${contentOf(body, schemas)}`,
    `<h2 id="answers">Answers</h2>${answers
      .map(
        (answer) =>
          `<section class="answer"><h3><span class="status">${answer.status}</span> ${renderLine(answer.description)}</h3>${contentOf(answer.content, schemas)}</section>`,
      )
      .join('')}`,
    problemsOf(operation, root),
  ]
  const main = `<div class="words"><p class="above"><a href="${root}../docs#${anchorOf(tag)}">${escapeHtml(title)}</a></p>
<h1>${escapeHtml(summary)}</h1>
<p class="line">${method(operation.method)}<code>${escapeHtml(path)}</code><span class="access">${ACCESS[access]}</span></p>
${description === '' ? '' : `<p>${renderLine(description)}</p>`}
${parts.join('\n')}</div>
<div class="code">${samples(operation, url)}${exampleOf(operation)}${tryOf(operation, url)}</div>`
  const all = `${header(root, 'reference')}
<div class="columns reference">
${sideOf(reference, root, operation)}
<main>
${main}
</main>
</div>`
  return frame({ title: `${summary} – Shelfwire API`, root, body: all, hasScript: true })
}

function parametersOf(parameters: readonly Parameter[], heading: string, schemas: Reference['schemas']): string {
  if (parameters.length === 0) return ''
  const lines = parameters.map(
    ({ name, schema, required, description }) =>
      `<li>${fieldLine(name, typeOf(schema, schemas), required, { ...schema, description }, schemas)}</li>`,
  )
  return `<h2>${heading}</h2><ul class="fields">${lines.join('')}</ul>`
}

/** The body's members per media type; types with equal members share one list. */
function contentOf(content: Content, schemas: Reference['schemas']): string {
  const byFields = Map.groupBy(Object.entries(content), ([, { schema }]) => {
    const fields = fieldsOf(schema, schemas)
    if (fields !== '') return fields
    const { description } = schema
    const bounds = boundsOf(schema, schemas)
    return typeof description === 'string'
      ? `<p>${renderLine(description)}</p>`
      : bounds === ''
        ? ''
        : `<p>${bounds}</p>`
  })
  return [...byFields]
    .map(
      ([html, types]) =>
        `<p class="media">${types.map(([type]) => `<code>${escapeHtml(type)}</code>`).join(' ')}</p>${html}`,
    )
    .join('')
}

function problemsOf({ problems }: Operation, root: string): string {
  if (problems.length === 0) return ''
  const sorted = [...new Set(problems)]
    .map((code) => [code, PROBLEMS[code as ProblemCode]] as const)
    .sort(([, a], [, b]) => a.status - b.status)
  return `<h2 id="problems">Problems</h2>
<ul class="problems">${sorted
    .map(
      ([code, { status, title }]) =>
        `<li><span class="status">${status}</span><a href="${root}problems#${code}"><code>${code}</code></a><span>${escapeHtml(title)}</span></li>`,
    )
    .join('')}</ul>`
}

function samples(operation: Operation, url: string): string {
  const tabs = samplesOf(operation, url)
  const inputs = tabs.map(
    ({ language }, i) =>
      `<label><input type="radio" name="language" value="${language}"${i === 0 ? ' checked' : ''}>${language}</label>`,
  )
  return `<section class="samples" aria-label="Request"><fieldset><legend>Request</legend>${inputs.join('')}</fieldset>
${tabs.map(({ language, code }) => `<pre data-language="${language}" tabindex="0" aria-label="Request in ${language}"><code>${escapeHtml(code)}</code></pre>`).join('\n')}</section>`
}

/** Longer examples are cut: the rest of a list looks like its beginning. */
const EXAMPLE_CHARACTERS_MAX = 6_000

function exampleOf({ example }: Operation): string {
  const [status, answer] = Object.entries(example?.answers ?? {})[0] ?? []
  if (answer === undefined || answer.body === undefined || answer.body === null) return ''
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body, null, 2)
  const shown =
    text.length > EXAMPLE_CHARACTERS_MAX ? `${text.slice(0, text.lastIndexOf('\n', EXAMPLE_CHARACTERS_MAX))}\n…` : text
  return `<section class="example" aria-label="Answer"><p class="head"><span class="status">${status}</span> ${escapeHtml(answer.type)}</p>
<pre tabindex="0" aria-label="Answer"><code>${coloured(shown)}</code></pre></section>`
}

/** JSON as HTML that marks names, texts and other values. */
function coloured(text: string): string {
  return escapeHtml(text).replaceAll(
    /(&quot;(?:\\.|(?!&quot;).)*&quot;)(\s*:)?|\b(true|false|null|-?\d+(?:\.\d+)?)\b/g,
    (whole, quoted: string | undefined, colon: string | undefined, value: string | undefined) =>
      value === undefined
        ? colon === undefined
          ? `<i class="t">${quoted}</i>`
          : `<i class="k">${quoted}</i>${colon}`
        : `<i class="v">${whole}</i>`,
  )
}

/** An empty form for a request. The script fills it in, so a reader without scripts does not see one. */
function tryOf(operation: Operation, url: string): string {
  const { parameters, body, example, method: name, path, access, id } = operation
  const type = Object.keys(body ?? {})[0]
  const isFile = type !== undefined && !type.endsWith('json')
  const fields = parameters
    .filter((each) => each.in !== 'header')
    .map(({ name: parameter, in: place, required }) => {
      const given = place === 'path' ? example?.params?.[parameter] : example?.query?.[parameter]
      return `<label>${escapeHtml(parameter)}${required ? ' <span class="required">required</span>' : ''}<input name="${place}:${escapeHtml(parameter)}" value="${escapeHtml(String(given ?? ''))}"${required ? ' required' : ''} autocomplete="off" spellcheck="false"></label>`
    })
  const bodyField =
    type === undefined
      ? ''
      : isFile
        ? '<label>File<input type="file" name="file"></label>'
        : `<label>Body<textarea name="body" rows="8" spellcheck="false">${escapeHtml(JSON.stringify(bodyOf(operation), null, 2))}</textarea></label>`
  const token =
    access === 'none'
      ? ''
      : `<label class="who" hidden>Account<select name="account"></select></label>
<label class="token">Token<input name="token" type="password" autocomplete="off" placeholder="sw_…" spellcheck="false"><small>Kept in this tab until it is closed.</small></label>`
  return `<details class="try" hidden><summary>Try it</summary>
<form id="try" data-id="${id}" data-method="${name}" data-path="${escapeHtml(path)}" data-type="${isFile ? '' : (type ?? '')}" data-url="${escapeHtml(url)}" data-access="${access}" data-root="../../">
${token}
${fields.join('\n')}
${bodyField}
${name === 'GET' ? '' : '<p class="warning">This changes the account: it is no rehearsal.</p>'}
<button>Send ${name}</button>
</form>
<output form="try" aria-live="polite"></output></details>`
}
