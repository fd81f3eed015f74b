import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { FAULT_FORMS } from '../../panel/words/faults/forms.ts'
import { EXPLAINED_FORMS } from '../../panel/words/faults.ts'

// Every sentence by which the code refuses a value, a row, a file or a mapping, or says why a file could not be fetched, has a form in the panel, so that it is read in the reader's language:
// a new one that has none is found here by its text.

const ROOT = new URL('../../', import.meta.url)
/** What has no sentences about files: proposals ask by codes (contract/remarks/), and mappings of shops are data. */
const WITHOUT = ['proposal', 'presets', 'exports']
/** Words that are looked for in files, and what is written about schemas. */
const WORD_LISTS = new Set([
  'availability.ts',
  'no-value.ts',
  'footers.ts',
  'remarks.ts',
  'mapping-json-schema.ts',
  'fixtures.ts',
])
/** Parts of which the sentences are known in whole, and words that are looked for. */
const NOT_SAID = new Set([
  'the mapping',
  'no object',
  'too many',
  'no catalog',
  'no files',
  'the zip archive has {}, but {}',
  'Units of Measure',
  'in inch inches zoll " ″',
  'entity. A bare "&" is written "&amp;".',
  // for logs, and for other parts of the code
  'the file of a source could not be fetched',
  'private keys are not opened any more',
  'a private key could not be tried: {}',
  'a private key was not tried',
  'a process for SSH ended by itself',
  'nothing more is wanted of it',
  'the name did not resolve in time',
  'no connection in time',
  // of a try that worked, which the panel says in its own words
  '{}, {}: a zip archive or workbook; what is in it is known only when it is read in whole',
  '; the ready mapping {} fits',
  'in a format that the mapping reads',
])

function filesBelow(directory: string): string[] {
  if (directory.endsWith('.ts')) return [directory]
  return readdirSync(new URL(directory, ROOT), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return WITHOUT.includes(entry.name) ? [] : filesBelow(`${directory}${entry.name}/`)
    const isCode = entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') && !WORD_LISTS.has(entry.name)
    return isCode ? [`${directory}${entry.name}`] : []
  })
}

/** The texts of a file, with {} in place of each value. */
function textsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(new URL(file, ROOT), 'utf8'), ts.ScriptTarget.Latest, true)
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text)
    else if (ts.isTemplateExpression(node))
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => `{}${literal.text}`)].join(''))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts
}

/** Two words beside each other, of which lists of units have many. */
const isSentence = (text: string) =>
  /[a-z]{2,} [a-z"<]|^[a-z]+ \{\}/.test(text) &&
  /\b(?:is|are|has|have|must|of|in|by|to|with|for|no|not|a|an|the|from|after|before|further|ends|divides|goes)\b/.test(
    text,
  )

/** How the panel knows a sentence: without what stands around or behind any. */
const bare = (text: string) =>
  text
    .replaceAll(/"\{\}"/g, '{}')
    .replace(/^(?:line \{\}|after element \{\}|\{\}|line 1): /, '')
    .replace(/^line 1: /, '')
    .replace(/; fetch it again$/, '')
    .replace(/, not \{\}$/, '')
    .replace(/^\{\}(?=[;:,( ])/, '')
    .replace(/\{\}$/, '')
    .trim()

const PLACE = /\{\w*(?::\w+)?\}/
const forms = [...Object.values(FAULT_FORMS), ...Object.values(EXPLAINED_FORMS)].map((form) =>
  form.replaceAll(/"?\{\w+(?::\w+)?\}"?/g, '{}'),
)
/** A text in which anything may stand in place of a value. */
const anyOf = (text: string) =>
  new RegExp(
    `^${text
      .split(PLACE)
      .map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`))
      .join('.+')}$`,
    's',
  )
const patterns = forms.filter((form) => form.replaceAll('{}', '').length > 20).map(anyOf)

/** Parts of sentences are put together in the code: each begins or ends one. */
function hasForm(text: string): boolean {
  const wanted = bare(text)
  if (wanted === '' || forms.some((form) => form.startsWith(wanted) || form.endsWith(wanted) || bare(form) === wanted))
    return true
  // a part may have its value already, or several words for one place
  const own = anyOf(wanted)
  return patterns.some((pattern) => pattern.test(wanted)) || forms.some((form) => own.test(form))
}

test.for([
  ['src/input/', 10],
  ['src/supplier-files/', 10],
  ['src/imports/fetch/', 10],
  ['src/imports/ssh/', 3],
  ['src/imports/sources/address.ts', 0],
  ['src/outbound/failures.ts', 0],
] as const)('every sentence of %s has a form', { timeout: 60_000 }, ([directory, least]) => {
  const files = filesBelow(directory)
  expect(files.length).toBeGreaterThan(least)
  const forgotten = files.flatMap((file) =>
    textsOf(file)
      .filter((text) => isSentence(text) && !NOT_SAID.has(text) && !hasForm(text))
      .map((text) => `${file}: ${text}`),
  )
  expect(forgotten).toEqual([])
})
