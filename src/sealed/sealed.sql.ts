import type { Reader, Tx } from '../db/sql.ts'
import type { SealedKind, SealedRow } from './kinds.ts'

/** How many values of a kind are sealed with which key. @param accounts null: all accounts */
export function sealedByKey(
  reader: Reader,
  { table, column }: SealedKind,
  accounts: readonly number[] | null,
): Promise<{ keyId: string; count: number }[]> {
  const sealed = reader(column)
  return reader<{ keyId: string; count: number }[]>`
    select split_part(${sealed}, '.', 2) as "keyId", count(*)::int as count from ${reader(table)}
    where ${sealed} is not null and ${table === 'person' || accounts === null ? reader`true` : reader`account_id = any(${accounts}::bigint[])`}
    group by 1`
}

/** Accounts with values of a kind that are sealed with other keys than this one. */
export async function accountsWithOtherKeys(
  reader: Reader,
  { table, column }: SealedKind,
  keyId: string,
): Promise<number[]> {
  const rows = await reader<{ accountId: number }[]>`
    select distinct account_id as "accountId" from ${reader(table)}
    where split_part(${reader(column)}, '.', 2) <> ${keyId} order by 1`
  return rows.map(({ accountId }) => accountId)
}

/**
 * The first values of a kind after an id that are sealed with other keys than this one.
 * @param accountId null for a kind that belongs to no account
 */
export function sealedUnderOtherKeys(
  reader: Reader,
  { table, id, column }: SealedKind,
  accountId: number | null,
  keyId: string,
  after: number,
  limit: number,
): Promise<SealedRow[]> {
  const sealed = reader(column)
  const more =
    table === 'supplier_source'
      ? reader`supplier_id as "supplierId", name`
      : reader`null::bigint as "supplierId", null::text as name`
  return reader<SealedRow[]>`
    select ${table === 'person' ? reader`null::bigint` : reader`account_id`} as "accountId", ${reader(id)} as id, ${sealed} as sealed, ${more}
    from ${reader(table)}
    where split_part(${sealed}, '.', 2) <> ${keyId} and ${reader(id)} > ${after}
      and ${table === 'person' ? reader`true` : reader`account_id = ${accountId}`}
    order by ${reader(id)} limit ${limit}`
}

/** Replaces a value if it is still the one that was read. @returns whether it was replaced */
export async function sealedReplace(
  tx: Tx,
  { table, id, column }: SealedKind,
  row: SealedRow,
  sealed: string,
): Promise<boolean> {
  const rows = await tx`
    update ${tx(table)} set ${tx(column)} = ${sealed}
    where ${tx(id)} = ${row.id} and ${tx(column)} = ${row.sealed}
      and ${table === 'person' ? tx`true` : tx`account_id = ${row.accountId}`}
    returning 1`
  return rows.length > 0
}

/** Deletes a value that no key opens any more. Its owner has to set it up again. */
export async function sealedForget(tx: Tx, { table, id, column }: SealedKind, row: SealedRow): Promise<void> {
  const also =
    column === 'previous_secret'
      ? tx`, previous_until = null, switch_at = null`
      : column === 'credentials'
        ? tx`, credentials_kind = null`
        : tx``
  await tx`
    update ${tx(table)} set ${tx(column)} = null${also}
    where ${tx(id)} = ${row.id} and ${tx(column)} = ${row.sealed}
      and ${table === 'person' ? tx`true` : tx`account_id = ${row.accountId}`}`
}
