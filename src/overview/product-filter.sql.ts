import type { Query, Reader } from '../db/sql.ts'
import { historyAround, moveOf, type Move } from './price-moves.sql.ts'
import { gapPlace, gapValues, type Gap } from '../model/gaps.ts'

// Conditions in SQL on an account's products. `s` is the row of product_search. Look-ups are subqueries with `offset 0`, which the
// planner does not transform: one index look-up per row, and no join of whole tables.

/** The conditions; null: none. */
export interface Wanted {
  /** A tsquery as text (model/search-words.ts). */
  query: string | null
  /** The part of the query that the index answers; the rest is checked for each product. */
  indexed: string | null
  isInStock: boolean | null
  storeId: number | null
  /** Whether a store excludes it: the one of `storeId`, otherwise any of `storeIds`. */
  isExcluded: boolean | null
  reason: string | null
  /** What it lacks in the store of `storeId`, otherwise in any of `storeIds`. */
  gap: Gap | null
  changedSince: Date | null
  /** How its price for the default customer group, or its listing, has moved in a store since a time. */
  moved: { what: Move; storeId: number; since: Date } | null
  /** The account's active stores. */
  storeIds: readonly number[]
  /**
   * Only the first product of each variant group that matches these conditions, which are otherwise the same; null: every product by
   * itself.
   */
  lines: Wanted | null
}

/** The order of products on pages; ties are ordered by id. */
export type SortKey = 'sku' | 'title' | 'id'

/** The column of product_search that an order sorts by. */
export function sortColumn(reader: Reader, sort: SortKey): Query<unknown> {
  if (sort === 'sku') return reader`s.sku_key`
  return sort === 'title' ? reader`s.title_key` : reader`''`
}

/** All conditions except for the account. */
export function isWanted(reader: Reader, accountId: number, wanted: Wanted): Query<unknown> {
  const { query, lines } = wanted
  const words = query === null ? reader`true` : reader`s.words @@ ${query}::tsquery`
  const first = lines === null ? reader`` : isFirstOfGroup(reader, accountId, lines)
  return reader`${words}${conditionsExceptWords(reader, accountId, wanted)}${first}`
}

/**
 * No earlier product of its group matches; true for products without a group. Last, because it costs most. The inner `s` is the other
 * product's row.
 */
function isFirstOfGroup(reader: Reader, accountId: number, wanted: Wanted): Query<unknown> {
  return reader` and not exists (
    select from (
      select group_id, position from variant_group_member
      where account_id = ${accountId} and product_id = s.product_id limit 1) own
    cross join lateral (
      select product_id from variant_group_member
      where account_id = ${accountId} and group_id = own.group_id
        and (position, product_id) < (own.position, s.product_id) offset 0) before
    cross join lateral (
      select (${isWanted(reader, accountId, wanted)}) as is_wanted from product_search s
      where s.account_id = ${accountId} and s.product_id = before.product_id offset 0) other
    where other.is_wanted)`
}

/** All conditions except for words, each beginning with `and`. */
export function conditionsExceptWords(reader: Reader, accountId: number, wanted: Wanted): Query<unknown> {
  const { isInStock, changedSince, gap, storeIds } = wanted
  const stock = isInStock === null ? reader`` : reader` and s.in_stock = ${isInStock}`
  const changed =
    changedSince === null
      ? reader``
      : reader` and exists (
          select from change c where c.account_id = ${accountId} and c.product_id = s.product_id
            and c.store_id = any(${[...storeIds]}::bigint[]) and c.changed_at >= ${changedSince} offset 0)`
  const lacks =
    gap === null
      ? reader``
      : reader` and exists (${withGap(reader, accountId, gap, wanted)} and g.product_id = s.product_id offset 0)`
  return reader`${stock}${listing(reader, accountId, wanted)}${lacks}${changed}${hasMoved(reader, accountId, wanted)}`
}

function hasMoved(reader: Reader, accountId: number, { moved }: Wanted): Query<unknown> {
  if (moved === null) return reader``
  const { what, storeId, since } = moved
  const group = reader`(select group_id from customer_group where account_id = ${accountId} and is_default)`
  const place = { productId: reader`s.product_id`, storeId: reader`${storeId}::bigint`, since }
  return reader` and exists (
    select from (select 1) one ${historyAround(reader, accountId, place)}
    where ${moveOf(reader, group, since)} = ${what} offset 0)`
}

/** Products with a gap, once for each store in which they have it. */
export function withGap(
  reader: Reader,
  accountId: number,
  gap: Gap,
  { storeId, storeIds }: Pick<Wanted, 'storeId' | 'storeIds'>,
): Query<unknown> {
  const table = gapPlace(gap).half === 'content' ? reader`payload_content` : reader`payload_price`
  const stores = storeId === null ? [...storeIds] : [storeId]
  return reader`
    select g.product_id from ${table} g
    where g.account_id = ${accountId} and g.store_id = any(${stores}::bigint[])
      and g.gaps = any(${gapValues(gap)}::smallint[]) and g.gaps > 0`
}

function listing(reader: Reader, accountId: number, { storeId, isExcluded, reason, storeIds }: Wanted) {
  const why = reason === null ? reader`` : reader` and p.exclusion = ${reason}`
  if (storeId !== null) {
    const excluded =
      isExcluded === null
        ? reader``
        : isExcluded
          ? reader` and p.exclusion is not null${why}`
          : reader` and p.exclusion is null`
    return reader` and exists (
      select from payload_price p where p.account_id = ${accountId} and p.store_id = ${storeId}
        and p.product_id = s.product_id${excluded} offset 0)`
  }
  if (isExcluded === null) return reader``
  return reader` and ${isExcluded ? reader`` : reader`not `}exists (
    select from payload_price p where p.account_id = ${accountId} and p.product_id = s.product_id
      and p.exclusion is not null${isExcluded ? why : reader``} and p.store_id = any(${[...storeIds]}::bigint[]) offset 0)`
}
