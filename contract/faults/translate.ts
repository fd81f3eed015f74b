// Translates the service's English reasons for refusing a value, a row or a file, or for a failed run. A reason is recognized by its form, which yields
// its values; reasons without a form stay as they are. Pure: the panel and the texts of notices use it.

/** Writes values as a language does. */
export interface FaultFormats {
  /** A decimal text with the digits that it has. */
  decimal: (value: string) => string
  bytes: (value: number) => string
  /** Whole seconds. */
  took: (seconds: number) => string
  /** A text in quotation marks. */
  quote: (text: string) => string
}

/** A form of the service's sentences with its translation. */
export interface KnownFault {
  pattern: RegExp
  /** The sentence that replaces it. */
  words: () => string
  kinds: ReadonlyMap<string, string>
}

/** The patterns of values in a sentence, by kind. Without a kind it is a number. */
const KINDS: Readonly<Record<string, string>> = {
  '': String.raw`-?\d[\d.]*`,
  word: String.raw`\S+?`,
  words: '.+?',
  /** The part that a sentence is about, which some languages translate. */
  part: '.+?',
  /** A JSON value. */
  value: String.raw`"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false`,
  quoted: String.raw`"(?:[^"\\]|\\.)*"`,
  sentence: '.+?',
  /** Faults after the paths of their members: `fields.sku is required; skip.0 must have a condition`. */
  faults: '.+',
  /** The size of a file, such as `1.5 MB`. */
  size: String.raw`\d[\d.]* (?:bytes|kB|MB|GB)`,
  /** A duration, such as `60 s` or `5 minutes`. */
  time: String.raw`\d+ (?:s|minutes)`,
  /** A part of a whole, such as `half` or `12.5 %`. */
  share: String.raw`half|\d[\d.]* %`,
}
const BYTES: Readonly<Record<string, number>> = { bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9 }
const PLACE = /\{(\w+)(?::(\w+))?\}/g
const escaped = (text: string) => text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)

export function knownFault(form: string, words: () => string): KnownFault {
  const kinds = new Map<string, string>()
  const source = form.split(PLACE)
  let pattern = ''
  for (let i = 0; i < source.length; i += 3) {
    pattern += escaped(source[i] ?? '')
    const name = source[i + 1]
    if (name === undefined) continue
    const kind = source[i + 2] ?? ''
    kinds.set(name, kind)
    pattern += `(?<${name}>${KINDS[kind]})`
  }
  return { pattern: new RegExp(`^${pattern}$`, 's'), words, kinds }
}

/** The forms with their translations into a language. */
export function knownFaults<K extends string>(
  forms: Readonly<Record<K, string>>,
  sentences: Readonly<Record<K, string>>,
): readonly KnownFault[] {
  return (Object.keys(forms) as K[]).map((key) => knownFault(forms[key], () => sentences[key]))
}

/** Translates reasons into a language; one without a translation is returned unchanged. The patterns, some 500, are compiled at the first reason. */
export function faultReader<K extends string>(
  forms: Readonly<Record<K, string>>,
  sentences: Readonly<Record<K, string>>,
  formats: FaultFormats,
): (reason: string) => string {
  let faults: readonly KnownFault[] | undefined
  return (reason) => translated(reason, (faults ??= knownFaults(forms, sentences)), formats) ?? reason
}

/** The most levels of sentences within sentences. Each excess of a held file is one, and the first bad row has more. */
const DEPTH_MAX = 9

/**
 * Translates a reason. The time grows with its length: callers bound it.
 * @param asItIs inner sentences without a translation stay unchanged, as in English; otherwise one makes the whole reason unknown
 * @returns undefined if there is no translation
 */
export function translated(
  reason: string,
  faults: readonly KnownFault[],
  formats: FaultFormats,
  asItIs = false,
  depth = 0,
): string | undefined {
  if (depth > DEPTH_MAX) return undefined
  for (const { pattern, words, kinds } of faults) {
    const match = pattern.exec(reason)
    if (match === null) continue
    const shown = new Map<string, string>()
    let isWhole = true
    for (const [name, kind] of kinds) {
      const value = match.groups?.[name] ?? ''
      if (kind === 'sentence' || kind === 'part') {
        const inner = translated(value, faults, formats, asItIs, depth + 1)
        if (kind === 'sentence' && inner === undefined && !asItIs) isWhole = false
        shown.set(name, inner ?? value)
      } else if (kind === 'faults') {
        shown.set(
          name,
          faultsWords(value, (text) => translated(text, faults, formats, asItIs, depth + 1)),
        )
      } else shown.set(name, valueWords(value, kind, formats))
    }
    if (isWhole) return filled(words(), shown)
  }
  return undefined
}

/** Between two faults of a list. Reasons may have semicolons, too, but not before a path and what is wrong there. */
const NEXT_FAULT = /; (?=[^;]+? (?:is|has|must|ends|repeats) )/
/** The most words of a path, which has spaces where it has the name of a column. */
const PATH_WORDS_MAX = 8

/** Translates the reason of each fault in a list; one without a translation stays as it is. */
const faultsWords = (list: string, inner: (text: string) => string | undefined) =>
  list
    .split(NEXT_FAULT)
    .map((fault) => faultWords(fault, inner) ?? fault)
    .join('; ')

function faultWords(fault: string, inner: (text: string) => string | undefined): string | undefined {
  let end = fault.indexOf(' ')
  for (let words = 1; end > 0 && words <= PATH_WORDS_MAX; words++) {
    const reason = inner(fault.slice(end + 1))
    const path = fault.slice(0, end)
    // the mapping itself has no path
    if (reason !== undefined) return `${inner(path) ?? path} ${reason}`
    end = fault.indexOf(' ', end + 1)
  }
  return undefined
}

function valueWords(value: string, kind: string, formats: FaultFormats): string {
  if (kind === 'quoted') return inQuotes(value, formats)
  if (kind === '') return Number.isFinite(Number(value)) ? formats.decimal(value) : value
  if (kind === 'share') return `${formats.decimal(value === 'half' ? '50' : value.slice(0, -' %'.length))} %`
  const [amount = '', unit = ''] = value.split(' ')
  if (kind === 'size') return formats.bytes(Number(amount) * (BYTES[unit] ?? 1))
  if (kind === 'time') return formats.took(Number(amount) * (unit === 's' ? 1 : 60))
  // quotes a refused value, or each of a list, as the reader's language does
  return kind === 'words' || kind === 'value'
    ? value.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => inQuotes(text, formats))
    : value
}

/** Replaces the JSON quotes of a text by those of the language. */
function inQuotes(json: string, { quote }: FaultFormats): string {
  try {
    return quote(String(JSON.parse(json)))
  } catch {
    return json
  }
}

/** Fills in the values. A placeholder with a capital letter capitalizes its value. */
const filled = (text: string, values: ReadonlyMap<string, string>) =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values.get(name) ?? values.get(name.toLowerCase())
    if (value === undefined) return place
    return values.has(name) ? value : value.charAt(0).toUpperCase() + value.slice(1)
  })
