// The service says in English why it refuses a value, a row or a file. Its sentences are known by their forms, so that they are read in the reader's
// language, with their values; others stay as they are. Pure; the panel runs it, too.

/** How values are written in a language. */
export interface FaultFormats {
  /** A decimal text with the digits that it has. */
  decimal: (value: string) => string
  bytes: (value: number) => string
  /** Whole seconds. */
  took: (seconds: number) => string
  /** A text in quotation marks. */
  quote: (text: string) => string
}

/** A form of the service's, and its words. */
export interface KnownFault {
  pattern: RegExp
  /** What is said in its place. */
  words: () => string
  kinds: ReadonlyMap<string, string>
}

/** What stands in a sentence in place of a value: a number, or by its kind. */
const KINDS: Readonly<Record<string, string>> = {
  '': String.raw`-?\d[\d.]*`,
  word: String.raw`\S+?`,
  words: '.+?',
  /** What a sentence is about, which has a name in some languages. */
  part: '.+?',
  /** As JSON. */
  value: String.raw`"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false`,
  quoted: String.raw`"(?:[^"\\]|\\.)*"`,
  sentence: '.+?',
  /** Of a file, as `1.5 MB`. */
  size: String.raw`\d[\d.]* (?:bytes|kB|MB|GB)`,
  /** As `60 s` or `5 minutes`. */
  time: String.raw`\d+ (?:s|minutes)`,
  /** A part of a whole, as `half` or `12.5 %`. */
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

/** Forms with their words in a language. */
export function knownFaults<K extends string>(
  forms: Readonly<Record<K, string>>,
  sentences: Readonly<Record<K, string>>,
): readonly KnownFault[] {
  return (Object.keys(forms) as K[]).map((key) => knownFault(forms[key], () => sentences[key]))
}

/** What the service says in another language; a sentence that is not known as it is. The patterns, some 500, are made for the first one. */
export function faultReader<K extends string>(
  forms: Readonly<Record<K, string>>,
  sentences: Readonly<Record<K, string>>,
  formats: FaultFormats,
): (reason: string) => string {
  let faults: readonly KnownFault[] | undefined
  return (reason) => translated(reason, (faults ??= knownFaults(forms, sentences)), formats) ?? reason
}

/** Sentences stand in each other a few times at most. */
const DEPTH_MAX = 5

/**
 * A sentence of the service in another language.
 * @param asItIs sentences within this one may stay as they are, as in English; otherwise one that is not known makes all of it unknown
 * @returns undefined where it is not known
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
      } else shown.set(name, valueWords(value, kind, formats))
    }
    if (isWhole) return filled(words(), shown)
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
  // a refused value, or a list of them, is quoted as the service does it
  return kind === 'words' || kind === 'value'
    ? value.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => inQuotes(text, formats))
    : value
}

/** A text that the service has quoted as JSON, in the quotation marks of the language. */
function inQuotes(json: string, { quote }: FaultFormats): string {
  try {
    return quote(String(JSON.parse(json)))
  } catch {
    return json
  }
}

/** A text with its values; of one whose name begins with a capital the first letter is one, too. */
const filled = (text: string, values: ReadonlyMap<string, string>) =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values.get(name) ?? values.get(name.toLowerCase())
    if (value === undefined) return place
    return values.has(name) ? value : value.charAt(0).toUpperCase() + value.slice(1)
  })
