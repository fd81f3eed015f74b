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
  isBeginning,
  isWhole,
  searchQuery,
  typedWords,
  wordLexeme,
  type AskedLexeme,
  type TypedWord,
} from '../model/search-words.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import { eansEnding, productsToLimit, sampleOfEach, termsMatching } from './search-terms.sql.ts'

// What products are asked for when somebody types words: words that begin with them; words that contain them, categories and EANs that
// end with them; and words that were meant, when nothing is found.

/**
 * What a correction may cost. Of more unknown words, or of further spellings of one, none is looked for. Of words that may be like a typed one
 * so many are read for each way in which they may be; of those that are, so many are counted, and the best are tried.
 */
const MEANT_WORDS_MAX = 3
const SPELLINGS_MEANT = 2
const NEAR_READ = 1_000
const NEAR_COUNTED = 16
const NEAR_TRIED = 3
const PRODUCTS_COUNTED = 200
/** A word is common that so many of a sample of 400 products have; very common, if an index needs longer for it than for looking at what a rare one finds. */
const COMMON_FROM = 3
const VERY_COMMON_FROM = 8
/** Fewer digits end too many EANs. */
const EAN_ENDING_MIN = 4

/** What a product has for a word that was typed. */
export interface AskedWord {
  typed: TypedWord
  /** The word itself or its beginning. */
  plain: readonly AskedLexeme[]
  /** Words inside which it is, categories, EANs that end with it. */
  inside: readonly AskedLexeme[]
  /** It is inside more words than were read: no typing error. */
  isInsideMany: boolean
  /** Very many products have it, and hardly any have another one: the index is asked for the other one. */
  isCommonBesideRare: boolean
}

/** The words of a text, found by their beginnings alone. */
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
  ...beginnings.map((word) => isBeginning(wordLexeme(word))),
  ...whole.map((word) => isWhole(wordLexeme(word))),
]

/** The same, found inside words as well. */
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

/** The same words, with a mark on those that the index need not be asked for. */
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

/** Categories, then words that end with what was typed (a `Gießkanne` is a `Kanne`), then the shortest. */
function bestTerms(terms: readonly string[], { beginnings }: TypedWord): string[] {
  const rankOf = (term: string) => {
    const word = wordOfTerm(term)
    if (word === null) return 0
    return beginnings.some((text) => word.endsWith(text)) ? 1 : 2
  }
  return [...new Set(terms)]
    .filter((term) => {
      // what begins with it is found anyway
      const word = wordOfTerm(term)
      return word === null || !beginnings.some((text) => word.startsWith(text))
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || a.length - b.length || (a < b ? -1 : 1))
    .slice(0, LIMITS.searchTermsAsked)
}

/** What was most likely meant by a text that finds nothing: a text that does, best first. */
export async function meantTexts(reader: Reader, accountId: number, text: string): Promise<string[]> {
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

/** How many products match each of these, counted to a limit; beyond it: very many, the more the higher. */
export async function productsOfEach(
  reader: Reader,
  accountId: number,
  queries: readonly string[],
  limit: number,
): Promise<number[]> {
  const among = await sampleOfEach(reader, accountId, queries)
  // to ask the index for a common word would take longer than all else
  return await Promise.all(
    queries.map(async (query, i) => {
      const count = must(among[i])
      return count >= COMMON_FROM ? limit + count : await productsToLimit(reader, accountId, query, limit)
    }),
  )
}

/** Words that differ from a typed one by as few errors as any, those that most products have first. */
async function wordsMeant(reader: Reader, accountId: number, typed: TypedWord): Promise<string[]> {
  for (let errors = 1; errors <= errorsAllowed(typed.word.length); errors++) {
    const near = new Set<string>()
    for (const text of typed.beginnings.slice(0, SPELLINGS_MEANT)) {
      for (const query of nearQueries(accountId, text, errors))
        for (const word of (await termsMatching(reader, accountId, query, NEAR_READ)).map(wordOfTerm))
          if (word !== null && typingErrors(text, word, errors) <= errors) near.add(word)
    }
    if (near.size === 0) continue
    // the first letter is seldom mistaken; otherwise as they were found, which is the commonest first
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
