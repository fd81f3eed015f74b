// A sentence about a file, declared once: what it says in English, and the values in it. The service writes it, by `write`; what it wrote is read
// back as a code and values, by `read`. So the panel says it in its reader's language, also of runs that were kept before it had a code.
// docs/decisions/252-sentences-about-files-have-codes.md says why.

/**
 * What a value is, and how it stands in the sentence. count: a whole number; decimal: a number as the service writes it; text: as it is; name: a
 * name or value of the file, quoted as JSON; source: a name, or where a mapping has more than a name there, that as JSON; names: several of them,
 * with what is between them; words: several as they are.
 */
export type Kind = 'count' | 'decimal' | 'text' | 'name' | 'source' | 'names' | 'words'

export type Values<K extends Record<string, Kind>> = {
  readonly [N in keyof K]: K[N] extends 'count' ? number : K[N] extends 'names' | 'words' ? readonly string[] : string
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

const NAME = String.raw`"(?:[^"\\]|\\.)*"`
const ESCAPED = /[.*+?^$()|[\]\\{}]/g
const escaped = (text: string) => text.replaceAll(ESCAPED, String.raw`\$&`)

/** What stands for a value in the pattern of a sentence. */
function patternOf(kind: Kind | undefined, first: string | undefined, between: string): string {
  if (kind === 'count') return String.raw`\d+`
  if (kind === 'decimal') return String.raw`-?[\d.]*\d`
  if (kind === 'name') return NAME
  if (kind === 'source') return String.raw`(?:${NAME}|\{[^]*?\}|\[[^]*?\])`
  const item = kind === 'names' ? NAME : String.raw`[^\s,]+`
  const next = escaped(between)
  if (kind !== 'names' && kind !== 'words') return '[^]+?'
  return first === '^' ? `(?:${next}${item})*` : `${item}(?:${next}${item})*`
}

/** The pattern of a text, in which the values are groups of their names. */
function compiled(text: string, kinds: Readonly<Record<string, Kind>>): RegExp {
  const known = new Set<string>()
  let pattern = ''
  let end = 0
  for (const match of text.matchAll(PLACE)) {
    const [whole, name = '', first, between = ', '] = match
    pattern += escaped(text.slice(end, match.index))
    const inner = patternOf(kinds[name], first, between)
    pattern += known.has(name) ? `(?:${inner})` : `(?<${name}>${inner})`
    known.add(name)
    end = match.index + whole.length
  }
  return new RegExp(`^${pattern}${escaped(text.slice(end))}$`)
}

/** Reads what `write` wrote; null for any other sentence. */
export function reader({ values: kinds, text, one }: Sentence): (said: string) => Record<string, Value> | null {
  let patterns: readonly RegExp[] | undefined
  return (said) => {
    patterns ??= [text, ...(one === undefined ? [] : [one.text])].map((form) => compiled(form, kinds))
    const groups = patterns.map((pattern) => pattern.exec(said)?.groups).find((found) => found !== undefined)
    if (groups === undefined && !patterns.some((pattern) => pattern.test(said))) return null
    const values = Object.entries(kinds).map(([name, kind]) => [name, valueOf(kind, groups?.[name])] as const)
    return Object.fromEntries(values)
  }
}

/** A value by what stands in the sentence; what the text for one leaves out is 1. */
function valueOf(kind: Kind, found: string | undefined): Value {
  if (kind === 'count') return Number(found ?? 1)
  if (kind === 'name') return unquoted(found ?? '""')
  if (kind === 'names') return (found?.match(new RegExp(NAME, 'g')) ?? []).map(unquoted)
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
