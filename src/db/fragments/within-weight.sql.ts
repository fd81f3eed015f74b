import { LIMITS } from '../../platform/limits.ts'
import type { Query, Reader } from '../sql.ts'

// A page of a list is limited by the length of its rows as well as by their number: 200 offers may have a megabyte each.
// docs/decisions/266-what-requests-read-has-turns-and-bounds.md says why.

/** The columns that `withinWeight` adds. */
export interface Weighed {
  /** The number of rows that the page would have without the limit on length. */
  found: number
  /** The length of the row, and below, of all rows before it on the page. */
  page_weight: number
  earlier: number
}

/**
 * The first rows of a page whose total length before them is below `most`; at least one.
 * @param page a statement with a column `page_weight`: the length of a row, in characters or bytes
 * @param order the columns that the page is ordered by
 */
export const withinWeight = (
  reader: Reader,
  page: Query<unknown>,
  order: Query<unknown>,
  most: number = LIMITS.listCharacters,
) => reader`
  select * from (
    select page.*, (count(*) over ())::int as found,
      coalesce(sum(page_weight) over (order by ${order} rows between unbounded preceding and 1 preceding), 0) as earlier
    from (${page}) page
  ) weighed where earlier < ${most} order by ${order}`

/**
 * The page from rows of `withinWeight`, which was asked for one row more than `limit`.
 * @returns `next`: the key after which further rows follow; null: none do
 */
export function pageOfWeighed<Row extends Weighed, Key>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => Key,
): { rows: readonly Row[]; keyOf: (row: Row) => Key; next: Key | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, keyOf, next: last !== undefined && page.length < last.found ? keyOf(last) : null }
}
