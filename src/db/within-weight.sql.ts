import { LIMITS } from '../platform/limits.ts'
import type { Query, Reader } from './sql.ts'

// Lists are bounded by what their rows weigh, beside their number: 200 offers may have a megabyte each.
// docs/decisions/266-what-requests-read-has-turns-and-bounds.md says why.

/** What a row of such a list has beside its own. */
export interface Weighed {
  /** How many rows the page would have had, whatever they weigh. */
  found: number
}

/**
 * The rows of a page up to the one by which they weigh more than a list may; the first one always.
 * @param page a statement with a column `page_weight`, in characters
 * @param order of the page, by names of its columns
 */
export const withinWeight = (reader: Reader, page: Query<unknown>, order: Query<unknown>) => reader`
  select * from (
    select page.*, (count(*) over ())::int as found,
      coalesce(sum(page_weight) over (order by ${order} rows between unbounded preceding and 1 preceding), 0) as earlier
    from (${page}) page
  ) weighed where earlier < ${LIMITS.listCharacters} order by ${order}`

/**
 * A page of rows of which one more than its number was asked for.
 * @returns also the key after which others follow; null: none do
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
