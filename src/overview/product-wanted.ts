import type { Reader } from '../db/sql.ts'
import type { Gap } from '../model/gaps.ts'
import { facetLexeme, isWhole, searchQuery } from '../model/search-words.ts'
import { foldCategory, foldName } from '../resolve/rules/conditions.ts'
import type { Wanted } from './product-filter.sql.ts'
import { insideWords, plainWords, type AskedWord } from './search-words.ts'

// What is asked of a list of products, as its statements take it.

/** What somebody asks for; null: it does not matter. */
export interface ProductFilter {
  /** Words of titles, SKUs, EANs, manufacturers and categories, or parts of such; all must be there, in any order. */
  text: string
  category: string | null
  manufacturer: string | null
  supplierId: number | null
  storeId: number | null
  isExcluded: boolean | null
  reason: string | null
  /** What it lacks in that store, else in any. */
  gap: Gap | null
  isInStock: boolean | null
  changedSince: Date | null
  /** How its price or its listing moved in a store. */
  moved: Wanted['moved']
}

const SHORT_LENGTH_MAX = 1

/**
 * A filter as it is looked for; null: nothing can match it.
 * @param words by which products are found
 * @param isOnlyInside products that have one of them inside alone
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
  ].map((lexeme) => [isWhole(lexeme)])
  // very many begin with one character: where there is more to go by, the index is not asked for them
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

/** The same, as lines: of each group the first product that matches. */
export const asLines = (wanted: Wanted): Wanted => ({ ...wanted, lines: wanted })

/** What is asked, in one statement: products that begin with the words and those that have them inside. */
export async function wantedAtOnce(
  reader: Reader,
  accountId: number,
  filter: ProductFilter,
  storeIds: readonly number[],
): Promise<Wanted | null> {
  return wantedOf(accountId, filter, storeIds, await insideWords(reader, accountId, plainWords(filter.text)))
}
