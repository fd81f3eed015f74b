import { escapeHtml } from '../../platform/text/escape-html.ts'
import { PROBLEM_KINDS, type ProblemKind } from '../../../contract/problems.ts'
import { frame, header } from './frame.ts'
import { GUIDE_GROUPS, type Guide } from './guides.ts'
import { renderDocument, renderLine } from './markdown.ts'

// The pages under /docs besides the reference: HTML without scripts, readable on a phone.

interface Page {
  title: string
  /** Relative path from this page to /docs/. */
  root: string
  /** The guide to mark in the navigation; `problems` is the page of problems. */
  current: string | null
  main: string
}

/** @param text Markdown of the guide. */
export function guidePage(guide: Guide, text: string): string {
  const root = '../'
  const { html, headings } = renderDocument(text, guide.file, root)
  const contents =
    headings.length < 3
      ? ''
      : `<nav class="contents" aria-label="On this page"><ul>${headings
          .map(({ id, text: words }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(words)}</a></li>`)
          .join('')}</ul></nav>`
  return page({ title: guide.title, root, current: guide.name, main: html.replace('</h1>', `</h1>\n${contents}`) })
}

/** @param url base URL of the service, for the first request that the page shows. */
export function homePage(url: string): string {
  const root = 'docs/'
  const main = `<h1>Shelfwire</h1>
<p>Shelfwire turns the files of suppliers into finished products, with a price and a stock for every store, and tells shops at once what has changed.</p>
<dl>
<dt><a href="panel">Panel</a></dt><dd>For merchants: suppliers, products, prices and stores, in a browser.</dd>
<dt><a href="${root}guides">Guides</a></dt><dd>For developers and operators, from the first account to running it on several machines.</dd>
<dt><a href="docs">API reference</a></dt><dd>Every operation with its parameters and answers; <a href="openapi.json">openapi.json</a> is the same for programs.</dd>
</dl>
<h2>A first request</h2>
<p>A token is made in the panel, under Tokens. This reads three finished products:</p>
<pre><code>TOKEN=…
curl -H "Authorization: Bearer $TOKEN" \\
  "${escapeHtml(url)}/v1/products?per_page=3"</code></pre>
<p>The <a href="${root}guides/tutorial">tutorial</a> goes on from there.</p>`
  return frame({ title: 'Shelfwire', root, body: `${header(root, null)}\n<main class="home">\n${main}\n</main>` })
}

export function guidesPage(): string {
  const root = ''
  const groups = GUIDE_GROUPS.map(
    ([heading, guides]) =>
      `<h2>${escapeHtml(heading)}</h2>\n<dl>${guides
        .map(
          ({ name, title, summary }) =>
            `<dt><a href="${root}guides/${name}">${escapeHtml(title)}</a></dt><dd>${escapeHtml(summary)}</dd>`,
        )
        .join('\n')}</dl>`,
  )
  const reference = `<p>The <a href="${root}../docs">API reference</a> lists every operation with its parameters, answers and an example; <a href="${root}../openapi.json">openapi.json</a> is the same for programs. <a href="${root}problems">Problems</a> explains every error code.</p>`
  return page({ title: 'Guides', root, current: null, main: `<h1>Guides</h1>\n${reference}\n${groups.join('\n')}` })
}

/** The page that the `type` of every problem leads to: what each code means. */
export function problemsPage(): string {
  const root = ''
  const entry = ([code, { status, title, meaning, advice }]: readonly [string, ProblemKind]) =>
    `<section id="${code}"><h3><code>${code}</code></h3>
<p><strong>${status} ${escapeHtml(title)}.</strong> ${renderLine(meaning)}</p>
<p>${renderLine(advice)}</p></section>`
  const ofApi = PROBLEM_KINDS.filter(([, kind]) => kind.isCommandOnly !== true)
  const ofCommands = PROBLEM_KINDS.filter(([, kind]) => kind.isCommandOnly === true)
  const main = `<h1>Problems</h1>
<p>An error is answered as <code>application/problem+json</code> (RFC 9457). Programs decide by <code>code</code>, which never changes; <code>type</code> leads to the explanation here, <code>detail</code> says what is wrong with this request, and <code>errors</code> names each parameter or member at fault. Later releases add codes: treat one that you do not know like its status.</p>
<h2>Of the API</h2>
${ofApi.map(entry).join('\n')}
<h2>Of commands only</h2>
<p>The API does not answer these; <code>shelfwire</code> on the command line does.</p>
${ofCommands.map(entry).join('\n')}`
  return page({ title: 'Problems', root, current: 'problems', main })
}

function page({ title, root, current, main }: Page): string {
  const link = (href: string, text: string, isCurrent = false) =>
    `<li><a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a></li>`
  const groups = GUIDE_GROUPS.map(
    ([heading, guides]) =>
      `<p>${escapeHtml(heading)}</p><ul>${guides
        .map((entry) => link(`${root}guides/${entry.name}`, entry.title, entry.name === current))
        .join('')}</ul>`,
  )
  const reference = `<p>Reference</p><ul>${link(`${root}../docs`, 'API reference')}${link(
    `${root}problems`,
    'Problems',
    current === 'problems',
  )}</ul>`
  const navigation = `${groups.join('\n')}\n${reference}`
  // the navigation is in the page twice, because a stylesheet cannot open a closed <details> on wide screens
  const contents = `<details><summary>Contents</summary><nav aria-label="All pages">${navigation}</nav></details>`
  const body = `${header(root, 'guides', '', contents)}
<div class="columns">
<nav class="side" aria-label="All pages">${navigation}</nav>
<main>
${main}
</main>
</div>`
  return frame({ title: `${title} – Shelfwire`, root, body })
}
