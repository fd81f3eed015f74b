import type { Query, Reader } from '../sql.ts'

/** The accounts that a scan covers; null: all. */
export type Accounts = readonly number[] | null

/**
 * The condition that limits a scan to accounts, after `where` or `and`. Empty for all accounts, so that the statement
 * is unchanged; otherwise Citus visits only the shards of these accounts. Every table of the scan needs it, because a
 * table without it is read on all nodes.
 * @param alias of the table, if there are several.
 */
export function accountCondition(
  reader: Reader,
  keyword: 'where' | 'and',
  accounts: Accounts,
  alias: string | null = null,
): Query<unknown> {
  if (accounts === null) return reader``
  const column = alias === null ? reader`account_id` : reader`${reader(alias)}.account_id`
  return keyword === 'and'
    ? reader` and ${column} = any(${[...accounts]}::bigint[])`
    : reader` where ${column} = any(${[...accounts]}::bigint[])`
}
