import { CIF_START } from './cif/parse.ts'
import type { Format } from './mapping/mapping.ts'

/** What a text is, by its beginning: a format, or a page that a server sent instead of the file. */
export type TextKind = Format | 'html'

/** The format of a text by its first characters. A table is `csv`, whatever its delimiter. */
export function formatOfText(head: string): TextKind {
  const text = head.replace(/^\ufeff/, '').trimStart()
  if (text.startsWith('<')) return formatOfMarkup(text)
  if (text.startsWith('[') && /^\[\s*(?:[[{"\d\]]|$)/.test(text)) return 'json'
  if (text.startsWith('{') && /^\{\s*(?:"|\}|$)/.test(text)) return isLines(text) ? 'ndjson' : 'json'
  if (CIF_START.test(text)) return 'cif'
  return 'csv'
}

function formatOfMarkup(text: string): TextKind {
  const root = /^<([\w:.-]+)/.exec(afterProlog(text))
  const name = (root?.[1] ?? '').toLowerCase()
  if (/^<!doctype\s+html/i.test(text) || ['html', 'head', 'body', 'table', 'div', 'p'].includes(name)) return 'html'
  if (name === 'bmecat' || name.endsWith(':bmecat')) return 'bmecat'
  // some feeds use the prefix without declaring it
  if (/base\.google\.com\/ns|<g:id[\s>]/i.test(text) && /^(?:rss|feed|rdf|channel)$/.test(name.replace(/^.*:/, '')))
    return 'google'
  return 'xml'
}

/**
 * The text from the root element on. Each part of the prolog is cut off separately: a single regular expression could take exponential
 * time.
 */
function afterProlog(text: string): string {
  let rest = text
  for (;;) {
    rest = rest.trimStart()
    const end = rest.startsWith('<?')
      ? endOf(rest, '?>')
      : rest.startsWith('<!--')
        ? endOf(rest, '-->')
        : /^<!doctype/i.test(rest)
          ? endOfDoctype(rest)
          : 0
    if (end <= 0) return rest
    rest = rest.slice(end)
  }
}

/** @returns the index after `end`; -1: the text does not contain it */
function endOf(text: string, end: string): number {
  const at = text.indexOf(end)
  return at === -1 ? -1 : at + end.length
}

function endOfDoctype(text: string): number {
  const close = text.indexOf('>')
  const open = text.indexOf('[')
  if (open === -1 || (close !== -1 && close < open)) return close + 1 || -1
  const inner = text.indexOf(']', open)
  return inner === -1 ? -1 : text.indexOf('>', inner) + 1 || -1
}

/** Whether the text has one object per line. A single line is a JSON document instead if one of its members is a list of objects. */
function isLines(text: string): boolean {
  const end = text.indexOf('\n')
  const [first, rest] = end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 1).trimStart()]
  try {
    const value: unknown = JSON.parse(first)
    if (rest !== '') return rest.startsWith('{')
    return Object.values(value as object).every((member) => !isListOfObjects(member))
  } catch {
    return rest.startsWith('{') && /\}\s*\r?$/.test(first)
  }
}

const isListOfObjects = (value: unknown): boolean =>
  Array.isArray(value) && value.some((member) => typeof member === 'object' && member !== null)

/** Why a text of this kind cannot be in the format that the mapping states, as the text of an error; undefined: it may be. */
export function contradiction(format: Format, kind: TextKind): string | undefined {
  if (kind === 'html')
    return 'the file is an HTML page, most likely an error page or a sign-in page of the supplier’s server: check where it comes from'
  const isMarkup = kind === 'xml' || kind === 'bmecat' || (kind === 'google' && format !== 'google')
  const isTable = format === 'csv' || format === 'tsv' || format === 'xlsx'
  if (isTable && isMarkup)
    return `the file is XML, and not ${format}: give "format": ${JSON.stringify(kind)} in the mapping`
  if (isTable && (kind === 'json' || kind === 'ndjson'))
    return `the file is JSON, and not ${format}: give "format": ${JSON.stringify(kind)} in the mapping`
  if ((format === 'json' || format === 'ndjson') && isMarkup)
    return `the file is XML, and not ${format}: give "format": ${JSON.stringify(kind)} in the mapping`
  if ((format === 'xml' || format === 'bmecat') && !isMarkup && kind !== 'google')
    return `the file is not XML: it does not start with "<"`
  return undefined
}
