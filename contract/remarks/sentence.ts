// A sentence about a file, declared once: what it says in English, and the values in it. The service writes it, by `write`; what it wrote is read
// back as a code and values, by `read`. So the panel says it in its reader's language, also of runs that were kept before it had a code.
// docs/decisions/252-sentences-about-files-have-codes.md says why.

/**
 * What a value is, and how it stands in the sentence. count: a whole number; id: one by which something is called; decimal: a number as the service writes it; text: as it is; name: a
 * name or value of the file, quoted as JSON; source: a name, or where a mapping has more than a name there, that as JSON; names: several of them,
 * with what is between them; words: several as they are.
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
   * `{name}` is a value. Between several is `, `, or what is behind a bar: `{names| or }`. With a circumflex it is before each of them, also the first:
   * `{names|^ and }`.
   */
  readonly text: string
  /** The text where there is one of a value. */
  readonly one?: { readonly of: string; readonly text: string }
}

export const sentence = <const K extends Record<string, Kind>>(
  values: K,
  text: string,
  one?: { readonly of: keyof K & string; readonly text: string },
): Sentence<K> => ({ values, text, ...(one === undefined ? {} : { one }) })

type Value = number | string | readonly string[]

const PLACE = /\{([a-z]\w*)(?:\|(\^?)([^}]*))?\}/gi
const quoted = (text: string) => JSON.stringify(text)

/** The sentence with its values. */
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
 * What stands for a value in the pattern of a sentence. Where a value ends is seen at its own characters, never by trying what follows at each
 * of several beginnings: the time to read a sentence grows with its length, whatever is in it.
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

/** One text of a sentence: what it begins with before its first value, and what reads the sentences that were written by it. */
export interface Form {
  head: string
  read: (said: string) => Record<string, Value> | null
}

/** What reads back what `write` wrote of a sentence, for each of its texts; null for any other sentence. */
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
  // groups are in the order of the text; a value that the text for one leaves out has none
  const names = Object.keys(kinds).map((name) => [name, kinds[name] as Kind, [...known].indexOf(name) + 1] as const)
  return {
    head: head ?? text,
    read(said) {
      // most sentences are another one, which their last words show
      const found = said.endsWith(tail) ? whole.exec(said) : null
      if (found === null) return null
      const values: Record<string, Value> = {}
      for (const [name, kind, group] of names) values[name] = valueOf(kind, group === 0 ? undefined : found[group])
      return values
    },
  }
}

/** A value by what stands in the sentence; what the text for one leaves out is 1. */
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
    // a text that was cut within an escape
    return json.slice(1, -1)
  }
}
