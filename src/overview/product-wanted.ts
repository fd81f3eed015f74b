import type { Reader } from '../db/sql.ts'
import type { Gap } from '../model/gaps.ts'
import { facetLexeme, exactLexeme, searchQuery } from '../model/search-words.ts'
import { foldCategory, foldName } from '../resolve/rules/conditions.ts'
import type { Wanted } from './product-filter.sql.ts'
import { insideWords, plainWords, type AskedWord } from './search-words.ts'

// Converts the filter of a product list to the conditions of its statements.

/** The filter of a list; null: any. */
export interface ProductFilter {
  /** Words, or parts of words, of titles, SKUs, EANs, manufacturers and categories; all must match, in any order. */
  text: string
  category: string | null
  manufacturer: string | null
  supplierId: number | null
  storeId: number | null
  isExcluded: boolean | null
  reason: string | null
  /** What it lacks in that store, otherwise in any. */
  gap: Gap | null
  isInStock: boolean | null
  changedSince: Date | null
  /** How its price or its listing has moved in a store. */
  moved: Wanted['moved']
}

const SHORT_LENGTH_MAX = 1

/**
 * The conditions of a filter; null: nothing can match.
 * @param words the words of the text
 * @param isOnlyInside only products in which at least one of the words is merely inside other words
 */
export function wantedOf(
  accountId: number,
  filter: ProductFilter,
  storeIds: readonly number[],
  words: readonly AskedWord[] = plainWords(filter.text),
  isOnlyInside = false,
): Wanted | null {
  const { text, category, manufacturer, supplierId, storeId, isExcluded, reason, gap, isInStock, changedSince, moved } =
    filter
  if (words.length === 0 && text.trim() !== '') return null
  if (isOnlyInside && words.every(({ inside }) => inside.length === 0)) return null
  const facets = [
    ...(category === null ? [] : [facetLexeme('category', foldCategory(category))]),
    ...(manufacturer === null ? [] : [facetLexeme('manufacturer', foldName(manufacturer))]),
    ...(supplierId === null ? [] : [facetLexeme('supplier', String(supplierId))]),
  ].map((lexeme) => [exactLexeme(lexeme)])
  // very many words begin with a given character: if there are other conditions, the index is not searched for these
  const long = words.filter(
    ({ typed: { word }, isCommonBesideRare }) => word.length > SHORT_LENGTH_MAX && !isCommonBesideRare,
  )
  const asked = long.length + facets.length === 0 ? words : long
  const [only] = asked
  const known =
    isOnlyInside && words.length === 1 && only !== undefined
      ? [only.inside]
      : asked.map(({ plain, inside }) => [...plain, ...inside])
  const allOf = [...facets, ...words.map(({ plain, inside }) => [...plain, ...inside])]
  return {
    query: searchQuery(accountId, allOf, isOnlyInside ? words.map(({ plain }) => plain) : []),
    indexed: searchQuery(accountId, [...facets, ...known]),
    isInStock,
    storeId,
    isExcluded: reason === null ? isExcluded : true,
    reason,
    gap,
    changedSince,
    moved,
    storeIds,
    lines: null,
  }
}

/** The same with groups as lines: of each group the first product that matches. */
export const asLines = (wanted: Wanted): Wanted => ({ ...wanted, lines: wanted })

/** The conditions in one statement, for words at the beginning of words and inside them. */
export async function productConditions(
  reader: Reader,
  accountId: number,
  filter: ProductFilter,
  storeIds: readonly number[],
): Promise<Wanted | null> {
  return wantedOf(accountId, filter, storeIds, await insideWords(reader, accountId, plainWords(filter.text)))
}
