import type { Reader } from '../db/sql.ts'
import { sortKey } from '../model/search-words.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Wanted } from './product-filter.sql.ts'
import {
  changedProducts,
  firstChangeSince,
  gapsCount,
  productsBySku,
  productsCollect,
  productsCount,
  productsCountNext,
  productsMatching,
  productsSample,
  productsWalk,
  storeProductsCount,
  walkEnd,
  type Base,
  type Order,
  type Place,
} from './product-list.sql.ts'
import { groupLines, variantsAfter, type GroupLine } from './product-lines.sql.ts'
import { productsNamed } from './product-search.sql.ts'
import { asLines, productConditions, wantedOf, type ProductFilter } from './product-wanted.ts'
import { insideWords, suggestedTexts, plainWords, withoutCommon, type AskedWord } from './search-words.ts'

// Lists of products: found by a text and filters, in an order, page by page. docs/decisions/115-products-are-found-by-lexemes.md says why.

/** How matching products are grouped. */
export interface Together {
  /** Whether the products of a group are one line, shown as its first product that matches. */
  isByGroup: boolean
  /** Only the products of this group, in its order. */
  groupId: number | null
}

const APART: Together = { isByGroup: false, groupId: null }

/**
 * `found`: exact matches first, then products with words that begin with the typed ones, then products with words that contain them; each by title if
 * they are few. `changed`: the newest change first.
 */
export type ProductSort = 'found' | 'sku' | 'title' | 'id' | 'changed'

export interface ProductOrder {
  sort: ProductSort
  isDescending: boolean
}

/** Where the next page begins. */
export interface ProductCursor {
  key: string
  id: number
  /** The order of the first page, if the requested order is `found`. */
  by?: 'id' | 'title' | 'sku'
  /** Whether products whose words begin with the typed ones are exhausted, so that those that contain them follow. */
  isInside?: boolean
  /** The number of the last change, for the order by changes. */
  number?: number
}

export interface ProductPage {
  productIds: number[]
  /** Null at the end. A page may be short or empty although more follow, if the limit of examined products was reached. */
  next: ProductCursor | null
  /** The number of all matches; null: more than were counted. */
  total: number | null
}

const NOTHING: ProductPage = { productIds: [], next: null, total: 0 }

/**
 * The products of a group that match, in its order.
 * @param asked `after`: id of the last product of the previous page; null: none
 */
async function groupPage(asked: Asked, groupId: number): Promise<ProductPage> {
  const { reader, accountId, wanted, after, limit } = asked
  const ids = await variantsAfter(reader, accountId, wanted, groupId, after?.id ?? null, limit + 1)
  const page = ids.slice(0, limit)
  const last = page.at(-1)
  const isEnd = ids.length <= limit || last === undefined
  return {
    productIds: page,
    next: isEnd ? null : { key: '', id: last },
    total: isEnd && after === null ? page.length : null,
  }
}

/** For each group on a page of lines, its products that match; by the product that represents the group. */
export async function listedGroups(
  reader: Reader,
  accountId: number,
  filter: ProductFilter,
  storeIds: readonly number[],
  productIds: readonly number[],
): Promise<Map<number, GroupLine>> {
  const wanted = await productConditions(reader, accountId, filter, storeIds)
  if (wanted === null || productIds.length === 0) return new Map()
  const lines = await groupLines(reader, accountId, wanted, productIds)
  return new Map(lines.map((line) => [line.productId, line]))
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
  { isByGroup, groupId }: Together = APART,
): Promise<ProductPage> {
  const plain = plainWords(filter.text)
  // only for the first page: later pages search the index for all words, so never for fewer than the first did
  const markedWords = async (known: readonly AskedWord[]) =>
    after === null ? await withoutCommon(reader, accountId, known) : known
  if (sort !== 'found' || isByGroup || groupId !== null) {
    const asked = await markedWords(await insideWords(reader, accountId, plain))
    const found = wantedOf(accountId, filter, storeIds, asked)
    if (found === null) return NOTHING
    const page: Asked = { reader, accountId, wanted: isByGroup ? asLines(found) : found, after, limit }
    if (groupId !== null) return groupPage({ ...page, wanted: found }, groupId)
    if (sort === 'changed') return changedPage(page)
    // by one query, because otherwise a group could be found twice: by a product that begins with the words, and by one that contains them
    return sortedPage(page, sort === 'found' ? BY_TITLE : { sort, isDescending })
  }
  const words = await markedWords(plain)
  const wanted = wantedOf(accountId, filter, storeIds, words)
  if (wanted === null) return NOTHING
  const text = filter.text.trim()
  const exact = text === '' ? [] : await exactProducts(reader, accountId, wanted, text)
  const isExact = new Set(exact.map(({ productId }) => productId))
  const others = (page: ProductPage) => page.productIds.filter((id) => !isExact.has(id))
  const isInside = after?.isInside === true
  let page: ProductPage = { ...NOTHING }
  if (!isInside) {
    const asked: Asked = { reader, accountId, wanted, after, limit }
    const bySku = await skuPage(asked, text)
    if (bySku !== null) return bySku
    const found = await foundPage(asked)
    page = {
      productIds: [...(after === null ? isExact : []), ...others(found)],
      next: found.next,
      total: found.total === null ? null : found.total + exact.filter(({ isByWords }) => !isByWords).length,
    }
    // on the last page of these, products that contain the words follow; both are counted if these are
    if (found.next !== null && (after !== null || found.total === null)) return page
  }
  const contained = await markedWords(await insideWords(reader, accountId, plain))
  const within = wantedOf(accountId, filter, storeIds, contained, true)
  if (within === null) return page
  const left = Math.max(0, limit - page.productIds.length)
  const inside = await foundPage({
    reader,
    accountId,
    wanted: within,
    after: isInside && after.id > 0 ? after : null,
    limit: Math.max(1, left),
  })
  const twice = isExact.size === 0 ? [] : await productsMatching(reader, accountId, within, [...isExact])
  const insideTotal =
    inside.total === null
      ? null
      : inside.total - twice.filter(({ isWanted, isByWords }) => isWanted && isByWords).length
  const total = page.total === null || insideTotal === null ? null : page.total + insideTotal
  if (page.next !== null) return { ...page, total }
  if (left === 0)
    return { ...page, next: inside.productIds.length === 0 ? null : { key: '', id: 0, isInside: true }, total }
  return {
    productIds: [...page.productIds, ...others(inside)],
    next: inside.next === null ? null : { ...inside.next, isInside: true },
    total,
  }
}

/** The text most likely meant instead of one without matches, and the first product that it finds with the same filters. */
export async function suggestSearch(
  reader: Reader,
  accountId: number,
  filter: ProductFilter,
  storeIds: readonly number[],
): Promise<{ text: string; productId: number } | null> {
  for (const text of await suggestedTexts(reader, accountId, filter.text)) {
    const order: ProductOrder = { sort: 'found', isDescending: false }
    const { productIds } = await listProducts(reader, accountId, { ...filter, text }, storeIds, order, null, 1)
    const [productId] = productIds
    if (productId !== undefined) return { text, productId }
  }
  return null
}

/** Products with exactly this id, SKU or EAN that match the other conditions. */
async function exactProducts(reader: Reader, accountId: number, wanted: Wanted, text: string) {
  const number = Number(text)
  const id = /^[0-9]+$/.test(text) && Number.isSafeInteger(number) ? number : null
  const named = await productsNamed(reader, accountId, { id, text }, LIMITS.productsExactMax)
  if (named.length === 0) return []
  const rows = await productsMatching(reader, accountId, wanted, named)
  return rows.filter(({ isWanted }) => isWanted)
}

interface Asked {
  reader: Reader
  accountId: number
  wanted: Wanted
  after: ProductCursor | null
  limit: number
}

const BY_ID: Order = { sort: 'id', isDescending: false }
const BY_TITLE: Order = { sort: 'title', isDescending: false }

/** Few products are sorted by title; of many, the first are taken in id order. Later pages continue in the order of the first. */
async function foundPage(asked: Asked): Promise<ProductPage> {
  const { after } = asked
  if (after?.by === 'title') return marked('title', (await collectPage(asked, BY_TITLE)) ?? END)
  if (after !== null) return marked('id', await sortedPage(asked, BY_ID))
  const { walked: expected, bases } = await estimates(asked, BY_ID)
  const collect = () => collectPage(asked, 'found', bases)
  if (isCollectedFirst(expected, bases)) return (await collect()) ?? marked('id', (await walkPage(asked, BY_ID)).page)
  const walked = await walkPage(asked, BY_ID)
  return (walked.isFull ? null : await collect()) ?? marked('id', walked.page)
}

/** Walks in the order of an index if many products match, otherwise collects. The less suitable way is the fallback of the other. */
async function sortedPage(asked: Asked, order: Order): Promise<ProductPage> {
  const { walked: expected, bases } = await estimates(asked, order)
  if (isCollectedFirst(expected, bases))
    return (await collectPage(asked, order, bases)) ?? (await walkPage(asked, order)).page
  const walked = await walkPage(asked, order)
  return (walked.isFull ? null : await collectPage(asked, order, bases)) ?? walked.page
}

/** An index that answers some conditions, and the estimated number of products that it finds. */
interface KnownBase {
  base: Base
  products: number
}

/** The cost of reading rows in other orders than that of ids: rows in id order are adjacent, others are scattered over the table. */
const SCATTERED = 3

function isCollectedFirst(walked: number, [best]: readonly KnownBase[]): boolean {
  return best !== undefined && best.products <= walked
}

/**
 * Estimates by a sample how many products each way would examine: collecting by each index, the fewest first, and a walk for one page, in units of
 * products read in id order. Infinity: too many.
 */
async function estimates(asked: Asked, { sort }: Order): Promise<{ walked: number; bases: KnownBase[] }> {
  const { reader, accountId, wanted, limit } = asked
  // without a suitable index there is only one way
  if (!isIndexed(wanted)) return { walked: 0, bases: [] }
  // these conditions look into every store for each product, in a sample as well
  const lookupsPerProduct =
    wanted.gap === null && wanted.changedSince === null ? 1 : Math.max(1, wanted.storeIds.length)
  const among = Math.ceil(LIMITS.productsSampled / lookupsPerProduct)
  const { products, looked, found, known, beside } = await productsSample(reader, accountId, wanted, among)
  const likely = (count: number) => (looked === 0 ? 0 : (count / looked) * products)
  const bases = await knownBases(reader, accountId, wanted, { words: likely(known), beside: likely(beside) })
  const far = found === 0 ? Infinity : ((limit + 1) * looked) / found
  const work = far * (sort === 'id' ? 1 : SCATTERED) * lookupsPerProduct
  // collecting this few costs no more than the sample did
  return { walked: far > LIMITS.productsWalkedMax ? Infinity : Math.max(work, LIMITS.productsSampled), bases }
}

const isIndexed = ({ indexed, isExcluded, gap, changedSince, storeId }: Wanted) =>
  indexed !== null || isExcluded === true || gap !== null || changedSince !== null || storeId !== null

const END: ProductPage = { productIds: [], next: null, total: null }

/**
 * If a text looks like the beginning of a SKU, and more than a page of SKUs begin with it, these products by SKU; otherwise null, and the text is
 * searched by words.
 */
async function skuPage({ reader, accountId, wanted, after, limit }: Asked, text: string): Promise<ProductPage | null> {
  if (after === null ? !/^\S*\d\S*$/.test(text) : after.by !== 'sku') return null
  const found = await productsBySku(reader, accountId, wanted, sortKey(text), placeOf(after), limit + 1)
  if (after === null && found.length <= limit) return null
  return marked('sku', pageOf(found, limit, null))
}

const marked = (by: 'id' | 'title' | 'sku', page: ProductPage): ProductPage =>
  page.next === null ? page : { ...page, next: { ...page.next, by } }

const placeOf = (after: ProductCursor | null): Place | null =>
  after === null ? null : { key: after.key, productId: after.id }

/**
 * @param order `found`: by title if few match, otherwise by id
 * @returns null if no index answers any of the conditions, or each finds too many products.
 */
async function collectPage(
  { reader, accountId, wanted, after, limit }: Asked,
  order: Order | 'found',
  bases?: readonly KnownBase[],
  max: number = LIMITS.productsSortedMax,
): Promise<ProductPage | null> {
  for (const { base, products } of bases ?? (await knownBases(reader, accountId, wanted))) {
    // a sample may be wrong, but not by this much
    if (products > 2 * max) continue
    const found = await productsCollect(reader, accountId, wanted, base, order, placeOf(after), limit + 1, max)
    if (found.looked > max) continue
    const page = pageOf(found.page, limit, found.total)
    if (order !== 'found') return page
    return found.looked <= LIMITS.productsCollectedMax ? marked('title', page) : marked('id', page)
  }
  return null
}

/** The indexes that answer some conditions; the one with the fewest products, by the sample, first. */
async function knownBases(
  reader: Reader,
  accountId: number,
  wanted: Wanted,
  likely?: { words: number; beside: number },
): Promise<KnownBase[]> {
  const { indexed, isExcluded, gap, changedSince, storeId, storeIds } = wanted
  const stores = storeId === null ? storeIds : [storeId]
  const gaps = gap === null ? null : await gapsCount(reader, accountId, stores, gap)
  const bases: KnownBase[] = []
  // assumes that a product lacks it in every store
  if (gaps !== null && gaps <= LIMITS.productGapsMax)
    bases.push({ base: 'gap', products: gaps / Math.max(1, stores.length) })
  if (isExcluded === true) bases.push({ base: 'excluded', products: likely?.beside ?? 0 })
  if (storeId !== null) bases.push({ base: 'store', products: await storeProductsCount(reader, accountId, storeId) })
  if (indexed !== null) bases.push({ base: 'words', products: likely?.words ?? LIMITS.productsCollectedMax })
  if (changedSince !== null) bases.push({ base: 'changed', products: likely?.beside ?? LIMITS.productsSortedMax })
  return bases.sort((a, b) => a.products - b.products)
}

/** `isFull`: the page is complete, or no further products exist. */
async function walkPage(
  { reader, accountId, wanted, after, limit }: Asked,
  order: Order,
): Promise<{ page: ProductPage; isFull: boolean }> {
  const place = placeOf(after)
  const found = await productsWalk(reader, accountId, wanted, order, place, limit + 1)
  if (found.length > limit) return { page: pageOf(found, limit, null), isFull: true }
  const end = await walkEnd(reader, accountId, order, place)
  const page = pageOf(found, limit, end === undefined && after === null ? found.length : null)
  if (end === undefined) return { page, isFull: true }
  return { page: { ...page, next: { key: end.key, id: end.productId } }, isFull: false }
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

async function changedPage({ reader, accountId, wanted, after, limit }: Asked): Promise<ProductPage> {
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

const collectFew = (asked: Asked) => collectPage(asked, BY_ID, undefined, LIMITS.productsCollectedMax)

/** Counts all products that match. @returns null if it takes longer than LIMITS.productsCountMs */
export async function countProducts(
  reader: Reader,
  accountId: number,
  filter: ProductFilter,
  storeIds: readonly number[],
  { isByGroup }: Together = APART,
): Promise<number | null> {
  const found = await productConditions(reader, accountId, filter, storeIds)
  if (found === null) return 0
  const wanted = isByGroup ? asLines(found) : found
  const { storeId, isExcluded, gap, changedSince } = wanted
  if (!isByGroup && storeId === null && isExcluded === null && gap === null && changedSince === null)
    return await productsCount(reader, accountId, wanted)
  const few = await collectFew({ reader, accountId, wanted, after: null, limit: 1 })
  if (few !== null) return few.total
  const endAt = performance.now() + LIMITS.productsCountMs
  let count = 0
  for (let after: number | null = 0; after !== null;) {
    if (performance.now() > endAt) return null
    const next: { count: number; last: number | null } = await productsCountNext(
      reader,
      accountId,
      wanted,
      after,
      LIMITS.productsWalkedMax,
    )
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
  const wanted = await productConditions(reader, accountId, filter, storeIds)
  if (wanted === null) return
  const few = await collectFew({ reader, accountId, wanted, after: null, limit: LIMITS.productsCollectedMax })
  if (few !== null) {
    yield few.productIds
    return
  }
  for (let after: Place | null = null; ;) {
    const found: Place[] = await productsWalk(reader, accountId, wanted, BY_ID, after, LIMITS.productsWalkedMax)
    yield found.map(({ productId }) => productId)
    const end: Place | undefined = await walkEnd(reader, accountId, BY_ID, after)
    if (end === undefined) return
    after = end
  }
}
