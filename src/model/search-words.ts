import transliterate from 'any-ascii'

// How texts are compared when somebody looks for a product: what is searched and what is typed go through the same functions,
// here and not in PostgreSQL, whose dictionaries and collations differ between installations.

/** Longer words are cut, in the index and in what is typed. */
const WORD_LENGTH_MAX = 40
/** Of a title of 5,000 characters, the first words are enough to find it. */
const WORDS_PER_TEXT_MAX = 100
const WORDS_TYPED_MAX = 10
/** Titles and SKUs are sorted by their first characters, so many of them. */
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

/** The words that somebody has typed, each of which the product must have, as it is or as the beginning of a longer one. */
export function typedWords(text: string): string[] {
  return [...new Set(wordsOf(text))].slice(0, WORDS_TYPED_MAX)
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

// Lexemes: what stands in the index. Each begins with the account, because one index holds those of all accounts, and then has
// a sign of its kind.

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

/**
 * A tsquery as text: an account's products with all of these. @returns null when nothing is asked.
 * @param whole lexemes that a product has as they are
 * @param beginnings lexemes of which each is the beginning of one that it has
 */
export function searchQuery(accountId: number, whole: readonly string[], beginnings: readonly string[]): string | null {
  const quoted = (lexeme: string) => `'${ofAccount(accountId, lexeme).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  const terms = [...whole.map(quoted), ...beginnings.map((lexeme) => `${quoted(lexeme)}:*`)]
  return terms.length === 0 ? null : terms.join(' & ')
}
