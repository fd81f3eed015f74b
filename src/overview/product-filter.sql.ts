import type { Query, Reader } from '../db/sql.ts'

// Which products of an account are asked for, as conditions of SQL. `s` is the row of product_search. Look-ups are subqueries with
// `offset 0`, which the planner takes as they are: one look-up in an index per row, and no join over whole tables.

/** What is asked; null: whatever it is. */
export interface Wanted {
  /** A tsquery as text (model/search-words.ts). */
  query: string | null
  /** What of it an index is asked for; the rest is looked at product by product. */
  indexed: string | null
  isInStock: boolean | null
  storeId: number | null
  /** Whether a store excludes it: the one of `storeId`, else any of `storeIds`. */
  isExcluded: boolean | null
  reason: string | null
  changedSince: Date | null
  /** The account's active stores. */
  storeIds: readonly number[]
}

/** By what the products of a page follow each other; equal ones by their id. */
export type SortKey = 'sku' | 'title' | 'id'

/** A column of product_search as it is sorted by. */
export function sortColumn(reader: Reader, sort: SortKey): Query<unknown> {
  if (sort === 'sku') return reader`s.sku_key`
  return sort === 'title' ? reader`s.title_key` : reader`''`
}

/** Everything that is asked, without the account. */
export function isWanted(reader: Reader, accountId: number, wanted: Wanted): Query<unknown> {
  const { query } = wanted
  return query === null
    ? reader`true${besideWords(reader, accountId, wanted)}`
    : reader`s.words @@ ${query}::tsquery${besideWords(reader, accountId, wanted)}`
}

/** Everything besides the words, each beginning with `and`. */
export function besideWords(reader: Reader, accountId: number, wanted: Wanted): Query<unknown> {
  const { isInStock, changedSince, storeIds } = wanted
  const stock = isInStock === null ? reader`` : reader` and s.in_stock = ${isInStock}`
  const changed =
    changedSince === null
      ? reader``
      : reader` and exists (
          select from change c where c.account_id = ${accountId} and c.product_id = s.product_id
            and c.store_id = any(${[...storeIds]}::bigint[]) and c.changed_at >= ${changedSince} offset 0)`
  return reader`${stock}${listing(reader, accountId, wanted)}${changed}`
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
