import { baseLetters } from '../../words/base-letters.ts'

// Suggestions for the search text: it may be the name of a category or a supplier, which are filters.

export interface Suggestion {
  filter: 'category' | 'supplier'
  /** The filter's value in the address. */
  value: string
  label: string
  /** The rest of the text, which stays the search text. */
  rest: string
}

const CATEGORIES_MAX = 3
const SUPPLIERS_MAX = 2
/**
 * The least characters of a text that is looked up: as a whole text, and as its last word. Shorter ones begin too many
 * names.
 */
const WHOLE_MIN = 2
const WORD_MIN = 3

/** A text without case and accents, with words separated by single blanks. */
export const folded = (text: string): string =>
  baseLetters(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Categories and suppliers with a word that begins with the typed text or its last word; the most likely first. */
export function suggestionsFor(
  typed: string,
  categories: readonly string[],
  suppliers: readonly { id: number; code: string; name: string }[],
): Suggestion[] {
  const words = typed.trim().split(/\s+/)
  const last = words.at(-1) ?? ''
  const whole = folded(typed)
  const found = whole.length < WHOLE_MIN ? [] : named(whole, '', categories, suppliers)
  if (found.length > 0 || words.length < 2 || folded(last).length < WORD_MIN) return found
  return named(folded(last), words.slice(0, -1).join(' '), categories, suppliers)
}

function named(
  wanted: string,
  rest: string,
  categories: readonly string[],
  suppliers: readonly { id: number; code: string; name: string }[],
): Suggestion[] {
  const byRank = <T>(things: readonly T[], rankOf: (thing: T) => number | null, max: number) =>
    things
      .flatMap((thing) => {
        const rank = rankOf(thing)
        return rank === null ? [] : [{ thing, rank }]
      })
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, max)
      .map(({ thing }) => thing)
  // only the last part of a path is compared: its parents are categories of their own
  const paths = byRank(categories, (path) => rankIn(path.slice(path.lastIndexOf('/') + 1), wanted), CATEGORIES_MAX)
  const sellers = byRank(suppliers, ({ name, code }) => rankIn(name, wanted) ?? rankIn(code, wanted), SUPPLIERS_MAX)
  return [
    ...paths.map((path): Suggestion => ({ filter: 'category', value: path, label: path, rest })),
    ...sellers.map(({ id, name }): Suggestion => ({ filter: 'supplier', value: String(id), label: name, rest })),
  ]
}

/** Rank of a match, 0 is best: the name is equal, begins with the text, or has a word that does; null: no match. */
function rankIn(name: string, wanted: string): number | null {
  const text = folded(name)
  if (text === wanted) return 0
  if (text.startsWith(wanted)) return 1
  return text.includes(` ${wanted}`) ? 2 : null
}
