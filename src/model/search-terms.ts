import { editDistance } from './edit-distance.ts'
import { prefixLexeme, exactLexeme, searchQuery, wordLexeme, wordsOf, type AskedLexeme } from './search-words.ts'

// The distinct words of an account (`search_term`), in which searches look for words that contain the typed text or differ from it by an error or
// two. They are few compared with the products, so this needs no larger index of products.

const WORD = /^\.[a-z]{4,40}$/
const CATEGORY = '/'
/** Shorter parts occur in too many words. */
export const INSIDE_LENGTH_MIN = 3
const GRAM_LENGTH = 3
/** Mark the beginning and end of a word; neither letter nor digit. */
const BEGIN = '^'
const END = '$'

/** Whether a product's lexeme is a term: a word of letters alone, or a category. Numbers and parts of SKUs each occur in too few products. */
export const isTerm = (lexeme: string): boolean => lexeme.startsWith(CATEGORY) || WORD.test(lexeme)

/** The word of a term; null for a category. */
export const wordOfTerm = (term: string): string | null => (term.startsWith(CATEGORY) ? null : term.slice(1))

/** The words of a term; for a category only those of its last level, because the levels above are terms of their own. */
export function wordsOfTerm(term: string): string[] {
  return term.startsWith(CATEGORY) ? wordsOf(term.slice(term.lastIndexOf(CATEGORY) + 1)) : [term.slice(1)]
}

/** The trigram lexemes by which a term is found. */
export function termGrams(term: string): string[] {
  return [...new Set(wordsOfTerm(term).flatMap((word) => gramsOf(`${BEGIN}${word}${END}`)))].map(gramLexeme)
}

const gramLexeme = (gram: string) => `~${gram}`

function gramsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - GRAM_LENGTH + 1) }, (_, i) => text.slice(i, i + GRAM_LENGTH))
}

/**
 * A tsquery of terms that may contain a text of at least three letters. Terms that merely have the same trigrams match as well, so the caller
 * checks them.
 */
export function insideQuery(accountId: number, text: string): string | null {
  return searchQuery(
    accountId,
    gramsOf(text).map((gram) => [exactLexeme(gramLexeme(gram))]),
  )
}

/** How many typing errors are tolerated in a word of this length. */
export function errorsAllowed(length: number): number {
  if (length < 4) return 0
  return length < 6 ? 1 : 2
}

/**
 * Tsqueries that together match each term with at most that many typing errors. A word is cut into one part more than there may be errors, so that
 * one part is unchanged. It is also cut one letter further, in case two swapped letters are on both sides of a cut; some words of six or seven
 * letters in which that happens twice are missed.
 */
export function nearQueries(accountId: number, word: string, errors: number): string[] {
  const queries = new Set<string>()
  const ask = (asked: readonly AskedLexeme[]) => {
    const query = searchQuery(
      accountId,
      asked.map((lexeme) => [lexeme]),
    )
    if (query !== null) queries.add(query)
  }
  const size = Math.floor(word.length / (errors + 1))
  for (const shift of [0, 1])
    for (let part = 0; part <= errors; part++) {
      const from = part === 0 ? 0 : part * size + shift
      const to = part === errors ? word.length : (part + 1) * size + shift
      const text = `${part === 0 ? BEGIN : ''}${word.slice(from, to)}${part === errors ? END : ''}`
      if (text.length === GRAM_LENGTH - 1 && part > 0 && part < errors) ask([prefixLexeme(gramLexeme(text))])
      else ask(gramsOf(text).map((gram) => exactLexeme(gramLexeme(gram))))
    }
  // too short for a second way of cutting, so the middle letters are swapped instead
  if (word.length === 4) {
    const turned = `${word.charAt(0)}${word.charAt(2)}${word.charAt(1)}${word.charAt(3)}`
    ask(gramsOf(`${BEGIN}${turned}${END}`).map((gram) => exactLexeme(gramLexeme(gram))))
  }
  return [...queries]
}

/** The number of letters omitted, added, mistaken or swapped with the next; `max + 1` if there are more than `max`. */
export function typingErrors(a: string, b: string, max: number): number {
  return Math.abs(a.length - b.length) > max ? max + 1 : Math.min(editDistance(a, b), max + 1)
}

/** Terms as lexemes that products must have. */
export const askedTerms = (terms: readonly string[]): AskedLexeme[] => terms.map(exactLexeme)
export const askedWord = (word: string): AskedLexeme => exactLexeme(wordLexeme(word))
