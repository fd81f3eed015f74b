import transliterate from 'any-ascii'

// How texts are compared when somebody looks for a product: what is searched and what is typed go through the same functions,
// here and not in PostgreSQL, whose dictionaries and collations differ between installations.

/** Longer words are cut, in the index and in what is typed. */
const WORD_LENGTH_MAX = 40
/** The first words of a title of 5,000 characters are enough to find it. */
const WORDS_PER_TEXT_MAX = 100
const WORDS_TYPED_MAX = 10
/** The number of first characters by which titles and SKUs are sorted. */
const KEY_LENGTH_MAX = 60
/** After everything that a key can begin with, in the order of bytes. */
const LAST_KEY = '~'

/** Lower case, without accents, in Latin letters: `Łódź` becomes `lodz`, `Größe` `grosse`, `Москва` `moskva`. */
export function foldText(text: string): string {
  return isAscii(text) ? text.toLowerCase() : transliterate(text.normalize('NFC')).toLowerCase()
}

/** The words of a text: runs of letters and digits, folded. */
export function wordsOf(text: string): string[] {
  const words: string[] = foldText(text).match(/[a-z0-9]+/g) ?? []
  if (words.length > WORDS_PER_TEXT_MAX) words.length = WORDS_PER_TEXT_MAX
  return words.some((word) => word.length > WORD_LENGTH_MAX)
    ? words.map((word) => word.slice(0, WORD_LENGTH_MAX))
    : words
}

/** By what a key such as an SKU is found: its parts, and the whole without what separates them (`AB-12` is also `ab12`). */
export function keyWords(key: string): string[] {
  const words = wordsOf(key)
  return words.length < 2 ? words : [...words, words.join('').slice(0, WORD_LENGTH_MAX)]
}

/** By what an EAN is found: its digits, and those without the zeros that pad it. */
export function eanWords(ean: string): string[] {
  const bare = ean.replace(/^0+/, '')
  return bare === ean || bare === '' ? [ean] : [ean, bare]
}

/** A word that somebody has typed. The product must have one of its spellings. */
export interface TypedWord {
  /** As the index has it. */
  word: string
  /** With it, how else it is written; a product has one of them, as it is or as the beginning of a longer word. */
  beginnings: readonly string[]
  /** Spellings that a product has as they are. */
  whole: readonly string[]
}

/** The words that somebody has typed. The product must have all of them. */
export function typedWords(text: string): TypedWord[] {
  const spelledOut = wordsOf(
    text.normalize('NFC').replace(/[äöüøå]/gi, (letter) => UMLAUTS[letter.toLowerCase()] ?? letter),
  )
  const words = new Map<string, TypedWord>()
  for (const [i, word] of wordsOf(text).entries())
    if (!words.has(word)) words.set(word, { word, ...spellings(word, spelledOut[i] ?? word) })
  return [...words.values()].slice(0, WORDS_TYPED_MAX)
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
/** Two letters that may be one umlaut: not in `neue`, `Bauer` and `Quelle`. */
const SPELLED_OUT = /(?<![aeiouq])(?:ae|oe|ue)(?=[a-z0-9])/g
const SPELLED_OUT_AT_END = /(?<![aeiouq])(?:ae|oe|ue)$/
const SPELLINGS_MAX = 8

/**
 * How else a word is written: `Mühle` also `muehle`, and `Muehle` also `muhle`, which is what the index has of `Mühle`. At the end of what
 * was typed two such letters count as one only in words that end there: `blue` does not begin `Blume`.
 */
function spellings(word: string, spelledOut: string): { beginnings: string[]; whole: string[] } {
  let shorter = ['']
  let from = 0
  for (const { index } of word.matchAll(SPELLED_OUT)) {
    const before = word.slice(from, index + 1)
    const withE = shorter.length < SPELLINGS_MAX ? shorter.map((part) => `${part}${before}e`) : []
    shorter = [...shorter.map((part) => part + before), ...withE]
    from = index + 2
  }
  const written = [word, spelledOut, ...shorter.map((part) => part + word.slice(from))]
  const whole = written.filter((known) => SPELLED_OUT_AT_END.test(known)).map((known) => known.slice(0, -1))
  return { beginnings: [...new Set(written)].slice(0, SPELLINGS_MAX), whole: [...new Set(whole)] }
}

/** Folded words as a title has them: `giesskanne` as `Gießkanne`. */
export function spelledAs(words: string, title: string): string {
  const spelled = new Map((title.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((part) => [wordsOf(part).join(' '), part]))
  return words
    .split(' ')
    .map((word) => spelled.get(word) ?? word)
    .join(' ')
}

/** By what a text is sorted: upper and lower case alike, without accents. */
export function sortKey(text: string | null): string {
  const folded = text === null ? '' : foldText(text).trim().slice(0, KEY_LENGTH_MAX)
  return folded === '' ? LAST_KEY : folded
}

function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(text)
}

// Lexemes, as they are in the index. Each begins with the account, because one index holds those of all accounts, and
// then has a sign of its kind.

/** What a product can be filtered by besides its words. */
export type Facet = 'manufacturer' | 'category' | 'supplier'

const SIGN: Readonly<Record<Facet, string>> = { manufacturer: '=', category: '/', supplier: '$' }
const FACET_LENGTH_MAX = 200

export const wordLexeme = (word: string) => `.${word}`
/** @param value as `foldName`, `foldCategory` or the supplier's id have it. */
export const facetLexeme = (facet: Facet, value: string) =>
  `${SIGN[facet]}${value.slice(0, FACET_LENGTH_MAX).toWellFormed()}`

const ofAccount = (accountId: number, lexeme: string) => accountId.toString(36) + lexeme

/** An account's lexemes in one text, as `string_to_array(..., E'\x1f')` takes them. */
export function joinLexemes(accountId: number, lexemes: readonly string[]): string {
  // of a dozen lexemes, writing the account's number for each took longer than all else
  const account = ofAccount(accountId, '')
  return lexemes.length === 0 ? '' : account + lexemes.join(`\x1f${account}`)
}

/** A lexeme that a product must have: in whole, or as the beginning of one of its lexemes. */
export interface AskedLexeme {
  lexeme: string
  isBeginning: boolean
}

export const isWhole = (lexeme: string): AskedLexeme => ({ lexeme, isBeginning: false })
export const isBeginning = (lexeme: string): AskedLexeme => ({ lexeme, isBeginning: true })

/**
 * A tsquery as text: an account's rows that have one of each of these. @returns null when nothing is asked.
 * @param allOf of each of these lists a row has at least one
 * @param notAllOf and does not have one of each of these, if there are any
 */
export function searchQuery(
  accountId: number,
  allOf: readonly (readonly AskedLexeme[])[],
  notAllOf: readonly (readonly AskedLexeme[])[] = [],
): string | null {
  const term = ({ lexeme, isBeginning }: AskedLexeme) =>
    `'${ofAccount(accountId, lexeme).replaceAll('\\', '\\\\').replaceAll("'", "''")}'${isBeginning ? ':*' : ''}`
  const anyOf = (terms: readonly AskedLexeme[]) =>
    terms.length === 1 ? terms.map(term).join('') : `(${terms.map(term).join(' | ')})`
  if (allOf.length === 0) return null
  const wanted = allOf.map(anyOf).join(' & ')
  return notAllOf.length === 0 ? wanted : `${wanted} & !(${notAllOf.map(anyOf).join(' & ')})`
}
