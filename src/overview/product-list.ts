import type { Reader } from '../db/sql.ts'
import { facetLexeme, searchQuery, typedWords, wordLexeme } from '../model/search-words.ts'
import { LIMITS } from '../platform/limits.ts'
import { foldCategory, foldName } from '../resolve/conditions.ts'
import type { Wanted } from './product-filter.sql.ts'
import {
  changedProducts,
  firstChangeSince,
  productsCollect,
  productsCount,
  productsCountNext,
  productsMatching,
  productsWalk,
  walkEnd,
  type Order,
  type Place,
} from './product-list.sql.ts'
import { productsNamed } from './product-search.sql.ts'

// Lists of products: what is found by a text and by filters, in an order, page by page.

/** What somebody asks for; null: it does not matter. */
export interface ProductFilter {
  /** Words of titles, SKUs, EANs and manufacturers, or the beginnings of such; all must be there, in any order. */
  text: string
  category: string | null
  manufacturer: string | null
  supplierId: number | null
  storeId: number | null
  isExcluded: boolean | null
  reason: string | null
  isInStock: boolean | null
  changedSince: Date | null
}

/** `found`: exact ones first, then by title. `changed`: the newest change first. */
export type ProductSort = 'found' | 'sku' | 'title' | 'id' | 'changed'

export interface ProductOrder {
  sort: ProductSort
  isDescending: boolean
}

/** Where the next page begins. `number` is that of a change. */
export interface ProductCursor {
  key: string
  id: number
  number?: number
}

export interface ProductPage {
  productIds: number[]
  /** Null at the end. A page may be short, even empty, and not the last: then only so many products were looked at. */
  next: ProductCursor | null
  /** How many match in all; null: more than were counted. */
  total: number | null
}

/** Words of one or two characters are the beginning of too many others to collect them. */
const BROAD_LENGTH = 2

/** A filter as it is looked for; null: nothing can match it. */
export function wantedOf(accountId: number, filter: ProductFilter, storeIds: readonly number[]): Wanted | null {
  const { text, category, manufacturer, supplierId, storeId, isExcluded, reason, isInStock, changedSince } = filter
  const words = typedWords(text)
  if (words.length === 0 && text.trim() !== '') return null
  const facets = [
    ...(category === null ? [] : [facetLexeme('category', foldCategory(category))]),
    ...(manufacturer === null ? [] : [facetLexeme('manufacturer', foldName(manufacturer))]),
    ...(supplierId === null ? [] : [facetLexeme('supplier', String(supplierId))]),
  ]
  return {
    query: searchQuery(accountId, facets, words.map(wordLexeme)),
    isInStock,
    storeId,
    isExcluded: reason === null ? isExcluded : true,
    reason,
    changedSince,
    storeIds,
  }
}

/** A page of the products that match. */
export async function listProducts(
  reader: Reader,
  accountId: number,
  filter: ProductFilter,
  storeIds: readonly number[],
  { sort, isDescending }: ProductOrder,
  after: ProductCursor | null,
  limit: number,
): Promise<ProductPage> {
  const wanted = wantedOf(accountId, filter, storeIds)
  if (wanted === null) return { productIds: [], next: null, total: 0 }
  if (sort === 'changed') return changedPage(reader, accountId, wanted, after, limit)
  if (sort !== 'found') return sortedPage(reader, accountId, wanted, { sort, isDescending }, filter, after, limit)
  const text = filter.text.trim()
  const exact = text === '' ? [] : await exactProducts(reader, accountId, wanted, text)
  const order: Order = { sort: 'title', isDescending: false }
  const page = await sortedPage(reader, accountId, wanted, order, filter, after, limit)
  const first = after === null ? exact.map(({ productId }) => productId) : []
  const isFirst = new Set(exact.map(({ productId }) => productId))
  return {
    productIds: [...first, ...page.productIds.filter((id) => !isFirst.has(id))],
    next: page.next,
    total: page.total === null ? null : page.total + exact.filter(({ isByWords }) => !isByWords).length,
  }
}

/** Products with this very id, SKU or EAN that match the rest of what is asked. */
async function exactProducts(reader: Reader, accountId: number, wanted: Wanted, text: string) {
  const number = Number(text)
  const id = /^[0-9]+$/.test(text) && Number.isSafeInteger(number) ? number : null
  const named = await productsNamed(reader, accountId, { id, text }, LIMITS.productsExactMax)
  if (named.length === 0) return []
  const rows = await productsMatching(reader, accountId, wanted, named)
  return rows.filter(({ isWanted }) => isWanted)
}

async function sortedPage(
  reader: Reader,
  accountId: number,
  wanted: Wanted,
  order: Order,
  filter: ProductFilter,
  after: ProductCursor | null,
  limit: number,
): Promise<ProductPage> {
  const place: Place | null = after === null ? null : { key: after.key, productId: after.id }
  const collect = async (): Promise<ProductPage | null> => {
    const found = await productsCollect(reader, accountId, wanted, order, place, limit + 1)
    if (found === null || found.looked > LIMITS.productsCollectedMax) return null
    return pageOf(found.page, limit, found.total)
  }
  const isWalkFirst = isBroad(wanted, filter)
  const collected = isWalkFirst ? null : await collect()
  if (collected !== null) return collected
  const walked = await productsWalk(reader, accountId, wanted, order, place, limit + 1)
  if (walked.length > limit) return pageOf(walked, limit, null)
  if (isWalkFirst) {
    const late = await collect()
    if (late !== null) return late
  }
  const end = await walkEnd(reader, accountId, order, place)
  const page = pageOf(walked, limit, null)
  if (end === undefined) return { ...page, total: after === null ? walked.length : null }
  return { ...page, next: { key: end.key, id: end.productId } }
}

/** Whether so many products match that a walk most likely finds a page of them at once. */
function isBroad({ query, storeId, isExcluded, changedSince }: Wanted, filter: ProductFilter): boolean {
  if (changedSince !== null || isExcluded === true) return false
  if (query === null) return storeId === null
  const words = typedWords(filter.text)
  const hasFacet = filter.category !== null || filter.manufacturer !== null || filter.supplierId !== null
  return !hasFacet && words.every((word) => word.length <= BROAD_LENGTH)
}

function pageOf(found: readonly Place[], limit: number, total: number | null): ProductPage {
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    productIds: page.map(({ productId }) => productId),
    next: found.length > limit && last !== undefined ? { key: last.key, id: last.productId } : null,
    total,
  }
}

async function changedPage(
  reader: Reader,
  accountId: number,
  wanted: Wanted,
  after: ProductCursor | null,
  limit: number,
): Promise<ProductPage> {
  const { changedSince, storeId, storeIds } = wanted
  const stores = storeId === null ? storeIds : [storeId]
  const from = changedSince === null ? 0 : await firstChangeSince(reader, accountId, stores, changedSince)
  if (from === null) return { productIds: [], next: null, total: 0 }
  const before = after?.number ?? Number.MAX_SAFE_INTEGER
  const { products, seenTo } = await changedProducts(reader, accountId, wanted, before, from)
  const page = products.slice(0, limit)
  const last = products.length > limit ? page.at(-1)?.changeId : seenTo
  return {
    productIds: page.map(({ productId }) => productId),
    next: last === undefined || last === 0 ? null : { key: '', id: 0, number: last },
    total: seenTo === 0 && after === null ? products.length : null,
  }
}

/** Counts all products that match. @returns null when it takes longer than LIMITS.productsCountMs */
export async function countProducts(
  reader: Reader,
  accountId: number,
  filter: ProductFilter,
  storeIds: readonly number[],
): Promise<number | null> {
  const wanted = wantedOf(accountId, filter, storeIds)
  if (wanted === null) return 0
  const { storeId, isExcluded, changedSince } = wanted
  if (storeId === null && isExcluded === null && changedSince === null)
    return await productsCount(reader, accountId, wanted)
  const order: Order = { sort: 'id', isDescending: false }
  const few = await productsCollect(reader, accountId, wanted, order, null, 1)
  if (few !== null && few.looked <= LIMITS.productsCollectedMax) return few.total
  const endAt = performance.now() + LIMITS.productsCountMs
  let count = 0
  for (let after: number | null = 0; after !== null;) {
    if (performance.now() > endAt) return null
    const next: { count: number; last: number | null } = await productsCountNext(reader, accountId, wanted, after)
    count += next.count
    after = next.last
  }
  return count
}

/** The ids of all products that match, ascending, in parts. */
export async function* matchingProducts(
  reader: Reader,
  accountId: number,
  filter: ProductFilter,
  storeIds: readonly number[],
): AsyncGenerator<number[]> {
  const wanted = wantedOf(accountId, filter, storeIds)
  if (wanted === null) return
  const order: Order = { sort: 'id', isDescending: false }
  const all = await productsCollect(reader, accountId, wanted, order, null, LIMITS.productsCollectedMax)
  if (all !== null && all.looked <= LIMITS.productsCollectedMax) {
    yield all.page.map(({ productId }) => productId)
    return
  }
  for (let after: Place | null = null; ;) {
    const found: Place[] = await productsWalk(reader, accountId, wanted, order, after, LIMITS.productsWalkedMax)
    yield found.map(({ productId }) => productId)
    const end: Place | undefined = await walkEnd(reader, accountId, order, after)
    if (end === undefined) return
    after = end
  }
}
