import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { FAULT_FORMS } from '../../contract/faults/forms.ts'
import { RUN_FORMS } from '../../contract/faults/runs.ts'
import { SETTINGS_FORMS } from '../../contract/faults/settings.ts'
import { EXPLAINED_FORMS } from '../../panel/words/faults.ts'

// Every sentence with which the code refuses a value, a row, a file or a mapping, or says why a file could not be fetched, has a
// form in the panel, which translates it. A new sentence without a form is found here by its text.

const ROOT = new URL('../../', import.meta.url)
/** Folders without sentences about files: proposals use codes (contract/remarks/), and mappings of shops are data. */
const WITHOUT = ['proposal', 'presets', 'exports']
/** Files with words to find in suppliers' files, and with descriptions of schemas. */
const WORD_LISTS = new Set([
  'availability.ts',
  'no-value.ts',
  'footers.ts',
  'remarks.ts',
  'mapping-json-schema.ts',
  'fixtures.ts',
])
/** Parts from which the code composes sentences. */
const PARTS = new Set([
  'a list: say which member with "take"',
  'an object: name one of its members',
  'set "decimal" in the mapping',
  'a quote that opens in this record is never closed',
  'the record that starts here has no end within {} bytes: ',
  'close its quotes, or give "quote": "" if quotes are plain text',
  'the file is cut off: ',
  'its last row ends after {} of {} columns and without a line end',
  'the file does not start with a list: ',
  'name the list inside it with "items" in the mapping, or is the "format" "ndjson"?',
  'is it JSON?',
  'after element {}',
  ': take the number out of it with "capture", or remove words with "replace"',
  ': "{}" is not the decimal sign until the mapping says so with "decimal"',
  ': "{}" is not the mapping\'s decimal sign',
  ' ({} {} of this column so far, such as {}, show "{}")',
  ' (no value of this column so far shows which)',
  ' (article {} of the record)',
  '; it has one column: is the delimiter {} right?',
  'use a public address; other networks must be listed in the setting OUTBOUND_ALLOW',
  'check the host in the URL',
  'check host and port in the URL, or ask the supplier whether the server runs',
  'the certificate of the server must be valid and complete',
  'the file is not complete, and no part of it was imported',
  'the file is not complete, or this is no HTTP server; nothing was imported',
  'the server says that it is asked too often (429)',
  'the server is busy or in maintenance (503)',
])
/** Parts whose complete sentences have forms, and words to find in files. */
const NOT_SAID = new Set([
  '{}; it is tried again later',
  'the URL cannot be used: {}',
  'the mapping',
  'the mapping {}',
  'is {}',
  'no {}',
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
  'a private key is tried before the transaction, by prepareSource',
  'a process for SSH ended by itself',
  'a process for SSH ended before it had started',
  'nothing more is wanted of it',
  'the name did not resolve in time',
  'no connection in time',
  // the panel offers no other kinds
  'must be {} in a source of the kind {}',
  // about a successful connection test, which the panel describes in its own words
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

/** Whether a text has words side by side, and is not a list of units. */
const isSentence = (text: string) =>
  /[a-z]{2,} [a-z"<]|^[a-z]+ \{\}/.test(text) &&
  /\b(?:is|are|has|have|must|of|in|by|to|with|for|no|not|a|an|the|from|after|before|further|ends|divides|goes)\b/.test(
    text,
  )

/** Literal texts that may take the place of a value of each kind. Other kinds accept any words. */
const WRITTEN: Readonly<Record<string, string>> = {
  '': String.raw`-?\d[\d.]*`,
  word: String.raw`\S+`,
  value: '"[^"]*"',
  quoted: '"[^"]*"',
}
/** Kinds of placeholders for other sentences or parts, which have forms of their own. */
const INNER = new Set(['sentence', 'part'])
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const FORMS = [...Object.values(FAULT_FORMS), ...Object.values(EXPLAINED_FORMS)]
const patternOf = (form: string): RegExp => {
  // texts and kinds of placeholders alternate
  const source = form.split(/"?\{\w+(?::(\w+))?\}"?/).map((part: string | undefined, i) => {
    if (i % 2 === 0) return escaped(part ?? '')
    return INNER.has(part ?? '') ? '(.+)' : String.raw`(?:"?\{\}"?|${WRITTEN[part ?? ''] ?? '.+'})`
  })
  return new RegExp(`^${source.join('')}$`, 's')
}
const patterns = FORMS.map(patternOf)

/** Whether forms cover the whole text, also with a value before or after it that has a form of its own. */
const hasForm = (text: string): boolean =>
  [text, text.replace(/^\{\}: /, ''), text.replace(/\{\}$/, '')].some(
    (said) =>
      said === '{}' ||
      PARTS.has(said) ||
      patterns.some((pattern) => {
        const match = pattern.exec(said)
        return match !== null && match.slice(1).every(hasForm)
      }),
  )

test('parts of sentences are parts of forms', () => {
  const forms = FORMS.map((form) => form.replaceAll(/\{\w+(?::\w+)?\}/g, '{}'))
  expect([...PARTS].filter((part) => !forms.some((form) => form.includes(part)))).toEqual([])
})

test.for([
  ['src/input/', 10],
  ['src/supplier-files/', 10],
  ['src/imports/fetch/', 10],
  ['src/imports/ssh/', 3],
  ['src/imports/sources/address.ts', 0],
  ['src/imports/sources/schedule.ts', 0],
  ['src/imports/sources/edit-sources.ts', 0],
  ['src/imports/sources/credentials.ts', 0],
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

test('what is said of values that are typed on a page is what the code says', { timeout: 60_000 }, () => {
  const files = [
    'src/people/',
    'src/catalog/',
    'src/imports/sources/',
    'src/operations/',
    'src/accounts/',
    'src/outbound/',
    'src/channels/',
    'src/notices/',
  ].flatMap(filesBelow)
  const texts = files.flatMap(textsOf).map((text) => text.replace(/, not \{\}$/, ''))
  // without the form that appends the customer group of a tax rate to its country
  const { taxRateOf: _, ...whole } = SETTINGS_FORMS
  const unknown = Object.entries(whole).filter(([, form]) => {
    const pattern = patternOf(form)
    return !texts.some((text) => pattern.test(text))
  })
  expect(unknown).toEqual([])
})

test('what is said of runs that fail is what the code says', () => {
  const texts = ['src/imports/runs/', 'src/file-readers/'].flatMap(filesBelow).flatMap(textsOf)
  const { internal, storeSilent, fileGone, partWritten, supplierGone, readerEnded, readerMemory, readerTime } =
    RUN_FORMS
  const forms = [internal, storeSilent, fileGone, partWritten, supplierGone, readerEnded, readerMemory, readerTime]
  const unknown = forms.filter((form) => !texts.some((text) => patternOf(form).test(text)))
  expect(unknown).toEqual([])
  // those that are put together of parts: the test of notices has them whole
  const parts = ['it failed', 'it failed {} times, the last time', '{} because of: {}', 'set aside: {}; {}']
  for (const part of parts) expect(texts).toContain(part)
})
