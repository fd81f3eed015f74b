import { baseLetters } from '../../words/base-letters.ts'

// What is typed into the search may be the name of a category or a supplier, which are filters.

export interface Suggestion {
  filter: 'category' | 'supplier'
  /** As the address has it. */
  value: string
  label: string
  /** What stays to be searched for. */
  rest: string
}

const CATEGORIES_MAX = 3
const SUPPLIERS_MAX = 2
/** A single letter begins too many names; so do two where other words stay. */
const WHOLE_MIN = 2
const WORD_MIN = 3

/** A text without case and accents, its words separated by single blanks. */
export const folded = (text: string): string =>
  baseLetters(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Categories and suppliers that the typed words, or the last of them, begin a word of; those that are meant most likely first. */
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
  // the last part of a path counts: its parents are found as categories of their own
  const paths = byRank(categories, (path) => rankIn(path.slice(path.lastIndexOf('/') + 1), wanted), CATEGORIES_MAX)
  const sellers = byRank(suppliers, ({ name, code }) => rankIn(name, wanted) ?? rankIn(code, wanted), SUPPLIERS_MAX)
  return [
    ...paths.map((path): Suggestion => ({ filter: 'category', value: path, label: path, rest })),
    ...sellers.map(({ id, name }): Suggestion => ({ filter: 'supplier', value: String(id), label: name, rest })),
  ]
}

/** How well a name fits, 0 the best: it is equal, begins with the text, or one of its words does; null: not at all. */
function rankIn(name: string, wanted: string): number | null {
  const text = folded(name)
  if (text === wanted) return 0
  if (text.startsWith(wanted)) return 1
  return text.includes(` ${wanted}`) ? 2 : null
}
