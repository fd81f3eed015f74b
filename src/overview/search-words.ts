import type { Reader } from '../db/sql.ts'
import {
  askedTerms,
  askedWord,
  errorsAllowed,
  INSIDE_LENGTH_MIN,
  insideQuery,
  nearQueries,
  typingErrors,
  wordOfTerm,
  wordsOfTerm,
} from '../model/search-terms.ts'
import {
  eanWords,
  prefixLexeme,
  exactLexeme,
  searchQuery,
  typedWords,
  wordLexeme,
  type AskedLexeme,
  type TypedWord,
} from '../model/search-words.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import { eansEnding, productsToLimit, sampleOfEach, termsMatching } from './search-terms.sql.ts'

// Product search by typed words: words that begin with them; words that contain them, categories, and EANs that end with them; and, if nothing is
// found, words that were probably meant.

/**
 * Limits on the cost of a correction. Beyond the first two (unknown words, spellings of one) nothing is corrected. NEAR_READ: similar words read per
 * query; of these, NEAR_COUNTED are counted, and the best NEAR_TRIED are tried.
 */
const MEANT_WORDS_MAX = 3
const SPELLINGS_MEANT = 2
const NEAR_READ = 1_000
const NEAR_COUNTED = 16
const NEAR_TRIED = 3
const PRODUCTS_COUNTED = 200
/**
 * How many of a sample of 400 products must match for a word to be common, or very common: then an index takes longer for it than checking the
 * products that a rare word finds.
 */
const COMMON_FROM = 3
const VERY_COMMON_FROM = 8
/** Too many EANs end with fewer digits. */
const EAN_ENDING_MIN = 4

/** The lexemes that match a typed word. */
export interface AskedWord {
  typed: TypedWord
  /** The word itself, or the beginning of a word. */
  plain: readonly AskedLexeme[]
  /** Words that contain it, categories, and EANs that end with it. */
  inside: readonly AskedLexeme[]
  /** More words contain it than were read, so it is no typing error. */
  isInsideMany: boolean
  /** Very many products match it and hardly any match another word, so the index is searched for the other one. */
  isCommonBesideRare: boolean
}

/** The words of a text, matched by the beginnings of words only. */
export function plainWords(text: string): AskedWord[] {
  return typedWords(text).map((typed) => ({
    typed,
    plain: plainOf(typed),
    inside: [],
    isInsideMany: false,
    isCommonBesideRare: false,
  }))
}

const plainOf = ({ beginnings, whole }: TypedWord) => [
  ...beginnings.map((word) => prefixLexeme(wordLexeme(word))),
  ...whole.map((word) => exactLexeme(wordLexeme(word))),
]

/** The same words, matched inside words as well. */
export async function insideWords(
  reader: Reader,
  accountId: number,
  words: readonly AskedWord[],
): Promise<AskedWord[]> {
  const asked = words.flatMap(({ typed }) =>
    typed.beginnings.flatMap((text) => {
      const query = text.length < INSIDE_LENGTH_MIN ? null : insideQuery(accountId, text)
      return query === null || /[0-9]/.test(text) ? [] : [{ text, query }]
    }),
  )
  const digits = words.map(({ typed: { word } }) => word).filter((word) => isEanEnding(word))
  const [terms, eans] = await Promise.all([
    Promise.all(asked.map(({ query }) => termsMatching(reader, accountId, query, LIMITS.searchTermsRead))),
    Promise.all(digits.map((word) => eansEnding(reader, accountId, word, LIMITS.searchTermsAsked))),
  ])
  const termsOf = new Map(asked.map(({ text }, i) => [text, terms[i] ?? []]))
  const eansOf = new Map(digits.map((word, i) => [word, eans[i] ?? []]))
  return words.map((word) => {
    const { typed } = word
    const found = typed.beginnings.flatMap((text) =>
      (termsOf.get(text) ?? []).filter((term) => wordsOfTerm(term).some((other) => other.includes(text))),
    )
    const ending = (eansOf.get(typed.word) ?? []).flatMap(eanWords)
    return {
      ...word,
      inside: [...askedTerms(bestTerms(found, typed)), ...ending.map(askedWord)],
      isInsideMany: found.length >= LIMITS.searchTermsRead,
    }
  })
}

/** The same words, with those marked that the index need not be searched for. */
export async function withoutCommon(
  reader: Reader,
  accountId: number,
  words: readonly AskedWord[],
): Promise<readonly AskedWord[]> {
  if (words.length < 2) return words
  const among = await sampleOfEach(reader, accountId, queriesOf(accountId, words))
  const isAnyRare = among.includes(0)
  return words.map((word, i) => ({ ...word, isCommonBesideRare: isAnyRare && must(among[i]) >= VERY_COMMON_FROM }))
}

const isEanEnding = (word: string) => word.length >= EAN_ENDING_MIN && word.length <= 14 && /^[0-9]+$/.test(word)

/** Categories first, then words that end with the typed one (a `Gießkanne` is a `Kanne`), then the shortest. */
function bestTerms(terms: readonly string[], { beginnings }: TypedWord): string[] {
  const rankOf = (term: string) => {
    const word = wordOfTerm(term)
    if (word === null) return 0
    return beginnings.some((text) => word.endsWith(text)) ? 1 : 2
  }
  return [...new Set(terms)]
    .filter((term) => {
      // words that begin with it match anyway
      const word = wordOfTerm(term)
      return word === null || !beginnings.some((text) => word.startsWith(text))
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || a.length - b.length || (a < b ? -1 : 1))
    .slice(0, LIMITS.searchTermsAsked)
}

/** Texts that were probably meant by one without matches, best first. */
export async function suggestedTexts(reader: Reader, accountId: number, text: string): Promise<string[]> {
  const words = await insideWords(reader, accountId, plainWords(text))
  const rare = words.filter(({ isInsideMany }) => !isInsideMany)
  if (rare.length === 0) return []
  const counts = await productsOfEach(reader, accountId, queriesOf(accountId, rare), 1)
  const unknown = rare.filter((_, i) => counts[i] === 0).map(({ typed }) => typed)
  if (unknown.length === 0 || unknown.length > MEANT_WORDS_MAX) return []
  if (unknown.some(({ word }) => !/^[a-z]+$/.test(word))) return []
  const meantOf = new Map<string, string[]>()
  for (const typed of unknown) {
    const meant = await wordsMeant(reader, accountId, typed)
    if (meant.length === 0) return []
    meantOf.set(typed.word, meant)
  }
  const nth = (i: number) =>
    words.map(({ typed: { word } }) => meantOf.get(word)?.at(i) ?? meantOf.get(word)?.[0] ?? word)
  return [...new Set(Array.from({ length: NEAR_TRIED }, (_, i) => nth(i).join(' ')))]
}

const queriesOf = (accountId: number, words: readonly AskedWord[]) =>
  words.map(({ plain, inside }) => must(searchQuery(accountId, [[...plain, ...inside]])))

/**
 * The number of products that match each query, counted up to a limit; for common ones, a number above the limit that grows with their frequency in a
 * sample.
 */
export async function productsOfEach(
  reader: Reader,
  accountId: number,
  queries: readonly string[],
  limit: number,
): Promise<number[]> {
  const among = await sampleOfEach(reader, accountId, queries)
  // searching the index for a common word would take longer than everything else
  return await Promise.all(
    queries.map(async (query, i) => {
      const count = must(among[i])
      return count >= COMMON_FROM ? limit + count : await productsToLimit(reader, accountId, query, limit)
    }),
  )
}

/** Words with the fewest errors compared with a typed one, those of most products first. */
async function wordsMeant(reader: Reader, accountId: number, typed: TypedWord): Promise<string[]> {
  for (let errors = 1; errors <= errorsAllowed(typed.word.length); errors++) {
    const near = new Set<string>()
    for (const text of typed.beginnings.slice(0, SPELLINGS_MEANT)) {
      for (const query of nearQueries(accountId, text, errors))
        for (const word of (await termsMatching(reader, accountId, query, NEAR_READ)).map(wordOfTerm))
          if (word !== null && typingErrors(text, word, errors) <= errors) near.add(word)
    }
    if (near.size === 0) continue
    // the first letter is seldom wrong; otherwise in the order found, which is mostly the commonest first
    const begins = (word: string) => (word.startsWith(typed.word.charAt(0)) ? 0 : 1)
    const first = [...near].sort((a, b) => begins(a) - begins(b)).slice(0, NEAR_COUNTED)
    const counts = await productsOfEach(
      reader,
      accountId,
      first.map((word) => must(searchQuery(accountId, [[askedWord(word)]]))),
      PRODUCTS_COUNTED,
    )
    const likely = first
      .map((word, i) => ({ word, count: must(counts[i]) }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
      .map(({ word }) => word)
    if (likely.length > 0) return likely.slice(0, NEAR_TRIED)
  }
  return []
}
