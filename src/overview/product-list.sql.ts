import type { Query, Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Gap } from '../model/gaps.ts'
import {
  conditionsExceptWords,
  isWanted,
  sortColumn,
  withGap,
  type SortKey,
  type Wanted,
} from './product-filter.sql.ts'
import { must } from '../platform/must.ts'

// Pages of products, found in two ways. A walk follows the index of the page's order and examines each product: fast if many match.
// Collecting takes the products that an index finds, and sorts them: fast if few match. Both examine a limited number of products, so
// that neither takes long; product-list.ts chooses.

/** The product after which a page begins. */
export interface Place {
  key: string
  productId: number
}

export interface Order {
  sort: SortKey
  isDescending: boolean
}

const FIRST: Place = { key: '', productId: 0 }
/** Sorts after all keys, which are ASCII. */
const LAST: Place = { key: '\ufffd', productId: Number.MAX_SAFE_INTEGER }

const FEW_BY_TITLE: Order = { sort: 'title', isDescending: false }
/** The number of places, spread evenly over the ids, from each of which a sample examines the next products. */
export const SAMPLED_PLACES = 16

function beyond(reader: Reader, { sort, isDescending }: Order, after: Place | null): Query<unknown> {
  const { key, productId } = after ?? (isDescending ? LAST : FIRST)
  const sign = isDescending ? reader`<` : reader`>`
  return sort === 'id'
    ? reader` and s.product_id ${sign} ${productId}`
    : reader` and (${sortColumn(reader, sort)}, s.product_id) ${sign} (${key}::text, ${productId}::bigint)`
}

function inOrder(reader: Reader, { sort, isDescending }: Order): Query<unknown> {
  const direction = isDescending ? reader`desc` : reader`asc`
  return sort === 'id'
    ? reader`order by s.product_id ${direction}`
    : reader`order by ${sortColumn(reader, sort)} ${direction}, s.product_id ${direction}`
}

/** The first products that match among the next LIMITS.productsWalkedMax in order. */
export async function productsWalk(
  reader: Reader,
  accountId: number,
  wanted: Wanted,
  order: Order,
  after: Place | null,
  limit: number,
): Promise<Place[]> {
  return await reader<Place[]>`
    select product_id as "productId", key from (
      select s.product_id, ${sortColumn(reader, order.sort)} as key, (${isWanted(reader, accountId, wanted)}) as is_wanted
      from product_search s
      where s.account_id = ${accountId}${beyond(reader, order, after)}
      ${inOrder(reader, order)} limit ${LIMITS.productsWalkedMax}
    ) walked where is_wanted limit ${limit}`
}

/** The last product that such a walk examines; undefined if none follows. */
export async function walkEnd(
  reader: Reader,
  accountId: number,
  order: Order,
  after: Place | null,
): Promise<Place | undefined> {
  const [row] = await reader<Place[]>`
    select s.product_id as "productId", ${sortColumn(reader, order.sort)} as key from product_search s
    where s.account_id = ${accountId}${beyond(reader, order, after)}
    ${inOrder(reader, order)} offset ${LIMITS.productsWalkedMax - 1} limit 1`
  return row
}

export interface Collected {
  /** How many products the index found; more than `max`: not all were examined. */
  looked: number
  /** How many of these match. */
  total: number
  /** The first ones after the place, in order. */
  page: Place[]
}

/** The conditions that an index can answer. */
export type Base = 'words' | 'excluded' | 'changed' | 'store' | 'gap'

/** Collects at most `max` products that an index finds. @param order `found`: by title if these are few, otherwise by id */
export async function productsCollect(
  reader: Reader,
  accountId: number,
  wanted: Wanted,
  base: Base,
  order: Order | 'found',
  after: Place | null,
  limit: number,
  max: number,
): Promise<Collected> {
  const { sort, isDescending } = order === 'found' ? FEW_BY_TITLE : order
  const known = knownProducts(reader, accountId, wanted, base, sortColumn(reader, sort), max + 1)
  const { key, productId } = after ?? (isDescending ? LAST : FIRST)
  const sign = isDescending ? reader`<` : reader`>`
  const direction = isDescending ? reader`desc` : reader`asc`
  const sorted =
    order === 'found'
      ? reader`case when (select count(*) from known) <= ${LIMITS.productsCollectedMax} then key else '' end`
      : reader`key`
  const [row] = await reader<{ looked: number; total: number; ids: number[]; keys: string[] }[]>`
    with known as materialized (${known}),
      page as (
        select product_id, key from (
          select product_id, ${sorted} as key from known
          where is_wanted and (key, product_id) ${sign} (${key}::text collate "C", ${productId}::bigint)) found
        order by key ${direction}, product_id ${direction} limit ${limit})
    select (select count(*) from known)::int as looked, (select count(*) from known where is_wanted)::int as total,
      array(select product_id from page order by key ${direction}, product_id ${direction}) as ids,
      array(select key from page order by key ${direction}, product_id ${direction}) as keys`
  const { looked = 0, total = 0, ids = [], keys = [] } = row ?? {}
  return { looked, total, page: ids.map((id, i) => ({ productId: id, key: must(keys[i]) })) }
}

function knownProducts(
  reader: Reader,
  accountId: number,
  wanted: Wanted,
  base: Base,
  column: Query<unknown>,
  max: number,
): Query<unknown> {
  const { indexed, storeId, reason, gap, changedSince, storeIds } = wanted
  if (base === 'words')
    return reader`
      select s.product_id, (${column}) collate "C" as key, (${isWanted(reader, accountId, wanted)}) as is_wanted
      from product_search s where s.account_id = ${accountId} and s.words @@ ${indexed}::tsquery limit ${max}`
  const stores = storeId === null ? [...storeIds] : [storeId]
  const why = reason === null ? reader`` : reader` and p.exclusion = ${reason}`
  const known = {
    excluded: reader`
      select distinct p.product_id from payload_price p
      where p.account_id = ${accountId} and p.exclusion is not null${why} and p.store_id = any(${stores}::bigint[])
      order by p.product_id`,
    changed: reader`
      select distinct c.product_id from change c
      where c.account_id = ${accountId} and c.store_id = any(${stores}::bigint[]) and c.changed_at >= ${changedSince}`,
    store: reader`
      select p.product_id from payload_price p where p.account_id = ${accountId} and p.store_id = ${storeId}`,
    gap: reader`select distinct product_id from (${gap === null ? reader`select 0 as product_id where false` : withGap(reader, accountId, gap, wanted)}) lacking`,
  }[base]
  return reader`
    select s.product_id, s.key, s.is_wanted from (${known} limit ${max}) listed
    cross join lateral (
      select s.product_id, (${column}) collate "C" as key, (${isWanted(reader, accountId, besides(wanted, base))}) as is_wanted
      from product_search s where s.account_id = ${accountId} and s.product_id = listed.product_id offset 0
    ) s`
}

/** The conditions left to check for products that an index found: checking those that it answers would double the work. */
function besides(wanted: Wanted, base: Base): Wanted {
  const { storeId, isExcluded, gap } = wanted
  // gaps are by store, so all conditions are needed
  if (gap !== null) return wanted
  if (base === 'excluded') return { ...wanted, storeId: null, isExcluded: null, reason: null }
  return base === 'store' && storeId !== null && isExcluded === null ? { ...wanted, storeId: null } : wanted
}

/** How many products a store lists, from the counts per block. */
export async function storeProductsCount(reader: Reader, accountId: number, storeId: number): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select coalesce(sum(products), 0)::int as count from payload_block
    where account_id = ${accountId} and store_id = ${storeId}`
  return must(row).count
}

/** The number of payloads with a gap in these stores, from the counts per block. */
export async function gapsCount(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  gap: Gap,
): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select coalesce(sum(${reader(gap)}), 0)::int as count from payload_block
    where account_id = ${accountId} and store_id = any(${[...storeIds]}::bigint[])`
  return must(row).count
}

/** Products whose SKU begins with a key (model/search-words.ts), by SKU, that match all conditions except for words. */
export async function productsBySku(
  reader: Reader,
  accountId: number,
  wanted: Wanted,
  beginning: string,
  after: Place | null,
  limit: number,
): Promise<Place[]> {
  const { key, productId } = after ?? { key: beginning, productId: 0 }
  return await reader<Place[]>`
    select product_id as "productId", key from (
      select s.product_id, s.sku_key as key, (true${conditionsExceptWords(reader, accountId, wanted)}) as is_wanted
      from product_search s
      where s.account_id = ${accountId} and (s.sku_key, s.product_id) > (${key}::text, ${productId}::bigint)
        and s.sku_key < ${`${beginning}\ufffd`}::text
      order by s.sku_key, s.product_id limit ${LIMITS.productsWalkedMax}
    ) walked where is_wanted limit ${limit}`
}

/** Whether each of these products matches all conditions except for words, and whether its words match. */
export function productsMatching(reader: Reader, accountId: number, wanted: Wanted, productIds: readonly number[]) {
  return reader<{ productId: number; isWanted: boolean; isByWords: boolean }[]>`
    select s.product_id as "productId", (true${conditionsExceptWords(reader, accountId, wanted)}) as "isWanted",
      ${wanted.query === null ? reader`true` : reader`s.words @@ ${wanted.query}::tsquery`} as "isByWords"
    from product_search s where s.account_id = ${accountId} and s.product_id = any(${[...productIds]}::bigint[])
    order by s.product_id`
}

/** Counts all products that match. Fast only with no conditions besides words and stock. */
export async function productsCount(reader: Reader, accountId: number, wanted: Wanted): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from product_search s
    where s.account_id = ${accountId} and ${isWanted(reader, accountId, wanted)}`
  return must(row).count
}

/** Counts the matching products among the next `among` after an id. `last` is null if none follow. */
export async function productsCountNext(
  reader: Reader,
  accountId: number,
  wanted: Wanted,
  afterId: number,
  among: number,
) {
  const [row] = await reader<{ count: number; last: number | null }[]>`
    select count(*) filter (where is_wanted)::int as count,
      case when count(*) = ${among} then max(product_id) end as last
    from (
      select s.product_id, (${isWanted(reader, accountId, wanted)}) as is_wanted from product_search s
      where s.account_id = ${accountId} and s.product_id > ${afterId} order by s.product_id limit ${among}
    ) walked`
  return row ?? { count: 0, last: null }
}

/** Tables for WITH: `ends`, the first and the last product, and `places`, the SAMPLED_PLACES ids where a sample begins. */
export function samplePlaces(reader: Reader, accountId: number): Query<unknown> {
  const end = (direction: Query<unknown>) => reader`(
    select s.product_id from product_search s where s.account_id = ${accountId} order by s.product_id ${direction} limit 1)`
  return reader`ends as materialized (select ${end(reader`asc`)} as first, ${end(reader`desc`)} as last),
      places as materialized (
        select n, first + n * ((last - first + 1) / ${SAMPLED_PLACES}::bigint) as place
        from ends, generate_series(0, ${SAMPLED_PLACES} - 1) n)`
}

/** A sample of an account's products. */
export interface ProductSample {
  /** Estimated number of the account's products. */
  products: number
  looked: number
  /** Of the products examined: how many match, how many the word index finds, and how many match all conditions except for words. */
  found: number
  known: number
  beside: number
}

/** Examines about `among` products, spread over the account. */
export async function productsSample(
  reader: Reader,
  accountId: number,
  wanted: Wanted,
  among: number,
): Promise<ProductSample> {
  const each = Math.ceil(among / SAMPLED_PLACES)
  const { query, indexed } = wanted
  const has = (words: string | null) => (words === null ? reader`true` : reader`s.words @@ ${words}::tsquery`)
  const [row] = await reader<(Omit<ProductSample, 'products'> & { width: number; spanned: number })[]>`
    with ${samplePlaces(reader, accountId)},
      sampled as materialized (
        select p.n, p.place, s.* from places p
        cross join lateral (
          select s.product_id, ${has(query)} as by_words, ${has(indexed)} as is_known, (true${conditionsExceptWords(reader, accountId, wanted)}) as is_beside
          from product_search s where s.account_id = ${accountId} and s.product_id >= p.place
          order by s.product_id limit ${each} offset 0) s)
    select count(*)::int as looked, count(*) filter (where by_words and is_beside)::int as found,
      count(*) filter (where is_known)::int as known, count(*) filter (where is_beside)::int as beside,
      coalesce((select last - first + 1 from ends), 0) as width,
      coalesce((select sum(span) from (select max(product_id) - min(place) + 1 as span from sampled group by n) spans), 0)::bigint as spanned
    from sampled`
  const { looked = 0, found = 0, known = 0, beside = 0, width = 0, spanned = 0 } = row ?? {}
  return { products: spanned === 0 ? 0 : (looked / spanned) * width, looked, found, known, beside }
}

/**
 * Products by their newest change, newest first, among the changes numbered below `before`: from at most LIMITS.changesWalkedMax
 * changes of each kind. A product whose newest change is not below `before` is left out, because it was on an earlier page.
 * @returns the products that match, each with its newest change, and the number down to which all changes were examined; 0: all.
 */
export async function changedProducts(
  reader: Reader,
  accountId: number,
  wanted: Wanted,
  before: number,
  notBefore: number,
): Promise<{ products: { productId: number; changeId: number }[]; seenTo: number }> {
  const max = LIMITS.changesWalkedMax
  const { storeId, storeIds } = wanted
  const stores = storeId === null ? [...storeIds] : [storeId]
  const kind = (column: 'price_id' | 'content_id' | 'removed_id') => reader`(
    select c.product_id, c.store_id, c.${reader(column)} as number from change c
    where c.account_id = ${accountId} and c.${reader(column)} < ${before} and c.${reader(column)} >= ${notBefore}
    order by c.${reader(column)} desc limit ${max})`
  const [row] = await reader<{ ids: number[]; numbers: number[]; seenTo: number }[]>`
    with price as materialized ${kind('price_id')}, content as materialized ${kind('content_id')},
      removed as materialized ${kind('removed_id')},
      seen as (
        select coalesce(greatest(
          (select min(number) from price having count(*) >= ${max}),
          (select min(number) from content having count(*) >= ${max}),
          (select min(number) from removed having count(*) >= ${max})), 0) as to),
      newest as (
        select product_id, max(number) as number
        from (
          select product_id, store_id, number from price
          union all select product_id, store_id, number from content
          union all select product_id, store_id, number from removed) every
        where store_id = any(${stores}::bigint[]) and number >= (select seen.to from seen)
        group by product_id),
      found as (
        select n.product_id, n.number from newest n
        cross join lateral (
          select (${isWanted(reader, accountId, { ...wanted, changedSince: null })}) as is_wanted from product_search s
          where s.account_id = ${accountId} and s.product_id = n.product_id offset 0) s
        where s.is_wanted and not exists (
          select from change c where c.account_id = ${accountId} and c.product_id = n.product_id
            and c.store_id = any(${stores}::bigint[]) and c.change_id >= ${before} offset 0))
    select (select seen.to from seen)::bigint as "seenTo",
      array(select product_id from found order by number desc) as ids,
      array(select number from found order by number desc) as numbers`
  if (row === undefined) return { products: [], seenTo: 0 }
  return {
    products: row.ids.map((productId, i) => ({ productId, changeId: must(row.numbers[i]) })),
    seenTo: row.seenTo,
  }
}

/** The first change since a time in any of these stores; null: none. */
export async function firstChangeSince(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  since: Date,
): Promise<number | null> {
  const [row] = await reader<{ first: number | null }[]>`
    select min(first.change_id) as first from unnest(${[...storeIds]}::bigint[]) as s (store_id)
    cross join lateral (
      select change_id from change
      where account_id = ${accountId} and store_id = s.store_id and changed_at >= ${since}
      order by changed_at, change_id limit 1) first`
  return row?.first ?? null
}
