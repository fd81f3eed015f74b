import i18next from 'i18next'
import type { FaultSentences } from './faults/forms.ts'
import { formatsOf } from './format.ts'
import { inQuotes } from './quotes.ts'

// The service says in English why it refuses a value, a row or a file. Its sentences are known by their forms (faults/), so that they are read in
// the reader's language, with their values; others stay as they are. Forms and words come with the language: in English the sentence is as it is.

/** Sentences that are for operators, or for who writes a mapping as JSON: the panel says in its own words, also in English, what its reader can do. */
export const EXPLAINED_FORMS = {
  outbound: 'must lead to a public address; other networks must be listed in the setting OUTBOUND_ALLOW',
  relative: '{sentence:sentence}: set "imageBaseUrl" in the mapping',
} as const

type Forms = Readonly<Record<string, string>>

interface Known {
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

/** Adds the sentences of a language, which come with its words. */
export function addFaults(language: string, forms: Forms, sentences: FaultSentences): void {
  const all = Object.entries(forms).map(([key, form]) => known(form, () => sentences[key as keyof FaultSentences]))
  SENTENCES.set(language, [...EXPLAINED, ...all])
}

/** Sentences stand in each other a few times at most. */
const DEPTH_MAX = 5

/** Why a value is refused, in the reader's language where the sentence is known. */
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
      // within English everything stays as it is
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
  // a refused value, or a list of them, is quoted as the service does it
  return kind === 'words' || kind === 'value'
    ? value.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => inQuotes(text, language))
    : value
}

/** A text with its values; of one whose name begins with a capital the first letter is one, too. */
const filled = (text: string, values: ReadonlyMap<string, string>) =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values.get(name) ?? values.get(name.toLowerCase())
    if (value === undefined) return place
    return values.has(name) ? value : value.charAt(0).toUpperCase() + value.slice(1)
  })
