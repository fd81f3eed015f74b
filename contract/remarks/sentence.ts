// A sentence about a file, declared once: its English text and its values. `write` makes the sentence, which is what the service stores;
// `formsOf` parses it back into its values, so that the panel can show it in the reader's language, including sentences of older runs that were
// stored without a code. docs/decisions/252-sentences-about-files-have-codes.md says why.

/**
 * The kinds of values, and how each is written.
 * - count: a whole number
 * - id: the whole number that identifies something
 * - decimal: a number as the service writes it
 * - text: as it is
 * - name: a name or value of the file, quoted as JSON
 * - source: a name, or the JSON of a mapping's source that is more than a name
 * - names: several names, quoted, with a separator between them
 * - words: several texts as they are, with a separator between them
 */
export type Kind = 'count' | 'id' | 'decimal' | 'text' | 'name' | 'source' | 'names' | 'words'

export type Values<K extends Record<string, Kind>> = {
  readonly [N in keyof K]: K[N] extends 'count' | 'id'
    ? number
    : K[N] extends 'names' | 'words'
      ? readonly string[]
      : string
}

export interface Sentence<K extends Record<string, Kind> = Record<string, Kind>> {
  readonly values: K
  /**
   * `{name}` is replaced by the value. Several are separated by `, ` or by the text after a bar: `{names| or }`. With a circumflex this text precedes
   * each of them, including the first: `{names|^ and }`.
   */
  readonly text: string
  /** Another text for when the value `of` is 1, or a list of one. */
  readonly one?: { readonly of: string; readonly text: string }
}

/** Declares a sentence; the types of its values follow from `values`. */
export const sentence = <const K extends Record<string, Kind>>(
  values: K,
  text: string,
  one?: { readonly of: keyof K & string; readonly text: string },
): Sentence<K> => ({ values, text, ...(one === undefined ? {} : { one }) })

type Value = number | string | readonly string[]

const PLACE = /\{([a-z]\w*)(?:\|(\^?)([^}]*))?\}/gi
const quoted = (text: string) => JSON.stringify(text)

/** Writes the sentence with its values. */
export function write({ values: kinds, text, one }: Sentence, values: Readonly<Record<string, Value>>): string {
  const counted = one === undefined ? undefined : values[one.of]
  const count = typeof counted === 'object' ? counted.length : counted
  const said = one !== undefined && count === 1 ? one.text : text
  return said.replaceAll(PLACE, (_, name: string, first: string | undefined, between = ', ') => {
    const value = values[name]
    if (typeof value === 'object') {
      const items = kinds[name] === 'names' ? value.map(quoted) : value
      return first === '^' ? items.map((item) => between + item).join('') : items.join(between)
    }
    return kinds[name] === 'name' ? quoted(String(value)) : String(value)
  })
}

const NAME = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`
const NAMES = new RegExp(NAME, 'g')
const ESCAPED = /[.*+?^$()|[\]\\{}]/g
const escaped = (text: string) => text.replaceAll(ESCAPED, String.raw`\$&`)

/**
 * The pattern of a value. Each is written so that its end is recognized by its own characters, without backtracking: the time to parse a
 * sentence is linear in its length, whatever it contains.
 */
function patternOf(kind: Kind | undefined, first: string | undefined, between: string): string {
  if (kind === 'count' || kind === 'id') return String.raw`\d+`
  if (kind === 'decimal') return String.raw`-?[\d.]*\d`
  if (kind === 'name') return NAME
  if (kind === 'source') return String.raw`(?:${NAME}|\{(?:[^"]|${NAME})*\}|\[(?:[^"]|${NAME})*\])`
  const item = kind === 'names' ? NAME : String.raw`[^\s,]+`
  const next = escaped(between)
  if (kind !== 'names' && kind !== 'words') return '[^,]+'
  return first === '^' ? `(?:${next}${item})*` : `${item}(?:${next}${item})*`
}

/**
 * One text of a sentence: `head` is its text before the first value, and `read` parses a sentence of this form; null if it has
 * another form.
 */
export interface Form {
  head: string
  read: (said: string) => Record<string, Value> | null
}

/** The parsers of a sentence, one for each of its texts. */
export const formsOf = ({ values, text, one }: Sentence): Form[] =>
  [text, ...(one === undefined ? [] : [one.text])].map((form) => formOf(form, values))

function formOf(text: string, kinds: Readonly<Record<string, Kind>>): Form {
  const known = new Set<string>()
  let head: string | undefined
  let pattern = ''
  let end = 0
  for (const match of text.matchAll(PLACE)) {
    const [whole, name = '', first, between = ', '] = match
    const words = text.slice(end, match.index)
    head ??= words
    const inner = patternOf(kinds[name], first, between)
    pattern += escaped(words) + (known.has(name) ? `(?:${inner})` : `(${inner})`)
    known.add(name)
    end = match.index + whole.length
  }
  const tail = text.slice(end)
  const whole = new RegExp(`^${pattern}${escaped(tail)}$`)
  // capturing groups are in the order of the text; 0: the singular text omits this value
  const names = Object.keys(kinds).map((name) => [name, kinds[name] as Kind, [...known].indexOf(name) + 1] as const)
  return {
    head: head ?? text,
    read(said) {
      // a cheap test first: most sentences have another form, and differ in their last words
      const found = said.endsWith(tail) ? whole.exec(said) : null
      if (found === null) return null
      const values: Record<string, Value> = {}
      for (const [name, kind, group] of names) values[name] = valueOf(kind, group === 0 ? undefined : found[group])
      return values
    },
  }
}

/** Parses one value. A count that the singular text omits is 1. */
function valueOf(kind: Kind, found: string | undefined): Value {
  if (kind === 'count' || kind === 'id') return Number(found ?? 1)
  if (kind === 'name') return unquoted(found ?? '""')
  if (kind === 'names') return (found?.match(NAMES) ?? []).map(unquoted)
  if (kind === 'words') return found?.split(', ') ?? []
  return found ?? ''
}

function unquoted(json: string): string {
  try {
    return JSON.parse(json) as string
  } catch {
    // the text was cut in the middle of an escape
    return json.slice(1, -1)
  }
}
