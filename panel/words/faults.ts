import i18next from 'i18next'
import type { FaultSentences } from './faults/forms.ts'
import { formatsOf } from './format.ts'
import { inQuotes } from './quotes.ts'

// Translates the service's English reasons for refusing a value, a row or a file. A reason is recognized by its form (faults/), which yields its
// values; reasons without a form are shown as they are. Forms and translations are loaded with the language. In English almost all reasons are
// shown unchanged.

/** Reasons that address operators or authors of JSON mappings. The panel replaces them, in English too, by words about what its reader can do. */
export const EXPLAINED_FORMS = {
  outbound: 'must lead to a public address; other networks must be listed in the setting OUTBOUND_ALLOW',
  relative: '{sentence:sentence}: set "imageBaseUrl" in the mapping',
} as const

type Forms = Readonly<Record<string, string>>

interface Known {
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
  /** The size of a file, such as `1.5 MB`. */
  size: String.raw`\d[\d.]* (?:bytes|kB|MB|GB)`,
  /** A duration, such as `60 s` or `5 minutes`. */
  time: String.raw`\d+ (?:s|minutes)`,
}
const BYTES: Readonly<Record<string, number>> = { bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9 }
const PLACE = /\{(\w+)(?::(\w+))?\}/g
const escaped = (text: string) => text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)

function known(form: string, words: () => string): Known {
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

const EXPLAINED = Object.entries(EXPLAINED_FORMS).map(([key, form]) =>
  known(form, () => i18next.t(`problems:faults.${key as keyof typeof EXPLAINED_FORMS}`)),
)
const SENTENCES = new Map<string, readonly Known[]>()

/** Adds the sentences of a language, which are loaded with its words. */
export function addFaults(language: string, forms: Forms, sentences: FaultSentences): void {
  const all = Object.entries(forms).map(([key, form]) => known(form, () => sentences[key as keyof FaultSentences]))
  SENTENCES.set(language, [...EXPLAINED, ...all])
}

/** The most levels of sentences within sentences. */
const DEPTH_MAX = 5

/** The reason in the reader's language, or unchanged if there is no translation. */
export const faultWords = (reason: string): string => translated(reason, i18next.language, 0) ?? reason

function translated(reason: string, language: string, depth: number): string | undefined {
  if (depth > DEPTH_MAX) return undefined
  for (const { pattern, words, kinds } of SENTENCES.get(language) ?? EXPLAINED) {
    const match = pattern.exec(reason)
    if (match === null) continue
    const shown = new Map<string, string>()
    let isWhole = true
    for (const [name, kind] of kinds) {
      const value = match.groups?.[name] ?? ''
      // in English an inner sentence without an explanation is shown unchanged
      const inner = kind === 'sentence' ? translated(value, language, depth + 1) : undefined
      if (kind === 'sentence' && inner === undefined && SENTENCES.has(language)) isWhole = false
      if (kind === 'sentence') shown.set(name, inner ?? value)
      else if (kind === 'part') shown.set(name, translated(value, language, depth + 1) ?? value)
      else shown.set(name, valueWords(value, kind, language))
    }
    if (isWhole) return filled(words(), shown)
  }
  return undefined
}

function valueWords(value: string, kind: string, language: string): string {
  if (kind === 'quoted') return inQuotes(value, language)
  if (kind === '') return Number.isFinite(Number(value)) ? formatsOf(language, 'UTC').decimal(value) : value
  const [amount = '', unit = ''] = value.split(' ')
  if (kind === 'size') return formatsOf(language, 'UTC').bytes(Number(amount) * (BYTES[unit] ?? 1))
  if (kind === 'time') return formatsOf(language, 'UTC').took(Number(amount) * (unit === 's' ? 1 : 60))
  // quotes a refused value, or each of a list, as the reader's language does
  return kind === 'words' || kind === 'value'
    ? value.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => inQuotes(text, language))
    : value
}

/** Fills in the values. A placeholder with a capital letter capitalizes its value. */
const filled = (text: string, values: ReadonlyMap<string, string>) =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values.get(name) ?? values.get(name.toLowerCase())
    if (value === undefined) return place
    return values.has(name) ? value : value.charAt(0).toUpperCase() + value.slice(1)
  })
