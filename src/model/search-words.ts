import transliterate from 'any-ascii'

// How texts are compared in product searches. Indexed and typed texts go through the same functions here rather than in PostgreSQL, whose
// dictionaries and collations differ between installations.

/** Longer words are cut, in the index and in searches. */
const WORD_LENGTH_MAX = 40
/** The first words of a title of 5,000 characters are enough to find it. */
const WORDS_PER_TEXT_MAX = 100
const WORDS_TYPED_MAX = 10
/** The number of leading characters by which titles and SKUs are sorted. */
const KEY_LENGTH_MAX = 60
/** Sorts after every key, in byte order. */
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

/** The words that find a key such as a SKU: its parts, and all parts joined (`AB-12` is also `ab12`). */
export function keyWords(key: string): string[] {
  const words = wordsOf(key)
  return words.length < 2 ? words : [...words, words.join('').slice(0, WORD_LENGTH_MAX)]
}

/** The words that find an EAN: its digits, also without leading zeros. */
export function eanWords(ean: string): string[] {
  const bare = ean.replace(/^0+/, '')
  return bare === ean || bare === '' ? [ean] : [ean, bare]
}

/** A word of a search. A product must have one of its spellings. */
export interface TypedWord {
  /** In the index's form. */
  word: string
  /** The word and its other spellings; a product matches with a word that equals or begins with one of them. */
  beginnings: readonly string[]
  /** Spellings that match only whole words. */
  whole: readonly string[]
}

/** The words of a search. A product must match all of them. */
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
/** Two letters that may spell an umlaut: not in `neue`, `Bauer` and `Quelle`. */
const SPELLED_OUT = /(?<![aeiouq])(?:ae|oe|ue)(?=[a-z0-9])/g
const SPELLED_OUT_AT_END = /(?<![aeiouq])(?:ae|oe|ue)$/
const SPELLINGS_MAX = 8

/**
 * Other spellings of a word: `Mühle` also as `muehle`, and `Muehle` also as `muhle`, which is the index's form of `Mühle`. Two such
 * letters at the end of the typed text count as an umlaut only for whole words: `blue` does not match `Blume`.
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

/** Folded words in the spelling of a title: `giesskanne` becomes `Gießkanne` if the title has it. */
export function inSpellingOf(words: string, title: string): string {
  const spelled = new Map((title.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((part) => [wordsOf(part).join(' '), part]))
  return words
    .split(' ')
    .map((word) => spelled.get(word) ?? word)
    .join(' ')
}

/** The sort key of a text: ignores case and accents. */
export function sortKey(text: string | null): string {
  const folded = text === null ? '' : foldText(text).trim().slice(0, KEY_LENGTH_MAX)
  return folded === '' ? LAST_KEY : folded
}

function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(text)
}

// Lexemes of the index. Each begins with the account, because one index serves all accounts, followed by the sign of its kind.

/** A property by which products can be filtered, besides words. */
export type Facet = 'manufacturer' | 'category' | 'supplier'

const SIGN: Readonly<Record<Facet, string>> = { manufacturer: '=', category: '/', supplier: '$' }
const FACET_LENGTH_MAX = 200

export const wordLexeme = (word: string) => `.${word}`
/** @param value from `foldName` or `foldCategory`, or the supplier's id. */
export const facetLexeme = (facet: Facet, value: string) =>
  `${SIGN[facet]}${value.slice(0, FACET_LENGTH_MAX).toWellFormed()}`

const ofAccount = (accountId: number, lexeme: string) => accountId.toString(36) + lexeme

/** An account's lexemes in one text, for `string_to_array(..., E'\x1f')`. */
export function joinLexemes(accountId: number, lexemes: readonly string[]): string {
  // joined with the prefix, because prefixing each lexeme took longer than everything else
  const account = ofAccount(accountId, '')
  return lexemes.length === 0 ? '' : account + lexemes.join(`\x1f${account}`)
}

/** A lexeme that a product must have, as a whole or as the beginning of a longer one. */
export interface AskedLexeme {
  lexeme: string
  isBeginning: boolean
}

export const exactLexeme = (lexeme: string): AskedLexeme => ({ lexeme, isBeginning: false })
export const prefixLexeme = (lexeme: string): AskedLexeme => ({ lexeme, isBeginning: true })

/**
 * The text of a tsquery for an account's rows; null if `allOf` is empty.
 * @param allOf a row has at least one lexeme of each of these lists
 * @param notAllOf and, unless this is empty, lacks all lexemes of at least one of these lists
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
