import type { Query, Reader } from './sql.ts'

/** The accounts that a scan looks at; null: all. */
export type Accounts = readonly number[] | null

/**
 * The condition of a scan over accounts, after `where` or `and`: empty for all accounts, so that the statement stays
 * as it is; else Citus visits only the shards of these accounts. Every table of the scan needs it: a table without it
 * is read on all nodes.
 * @param alias of the table, where there are several.
 */
export function among(
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
