import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import type { Reader, Tx } from '../../db/sql.ts'

/**
 * Accounts whose pictures are not served below this base URL. An account without a base URL counts
 * as ''.
 * @param isImplicit only accounts without a base URL.
 */
export async function accountsWithOtherBase(
  reader: Reader,
  base: string,
  limit: number,
  accounts: Accounts = null,
  isImplicit = false,
): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select account_id from account_inputs
    where coalesce(image_base, '') <> ${base} and (not ${isImplicit} or coalesce(image_base, '') = '')${accountCondition(reader, 'and', accounts)}
    order by account_id limit ${limit}`
  return rows.map((row) => row.account_id)
}

/** One base URL that some account has and that is not this one; empty if there is none. */
export async function otherBases(reader: Reader, base: string, accounts: Accounts = null): Promise<string[]> {
  const rows = await reader<{ base: string }[]>`
    select image_base as base from account_inputs
    where coalesce(image_base, '') not in ('', ${base})${accountCondition(reader, 'and', accounts)} limit 1`
  return rows.map((row) => row.base)
}

/** Accounts for which no process has set a base URL yet. */
export async function accountsWithoutBase(reader: Reader, limit: number, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select account_id from account_inputs where image_base is null${accountCondition(reader, 'and', accounts)} limit ${limit}`
  return rows.map((row) => row.account_id)
}

export async function imageBaseGet(reader: Reader, accountId: number): Promise<string | null> {
  const [row] = await reader<{ base: string | null }[]>`
    select image_base as base from account_inputs where account_id = ${accountId}`
  return row?.base ?? null
}

export async function imageBaseUpdate(tx: Tx, accountId: number, base: string): Promise<void> {
  await tx`update account_inputs set image_base = ${base} where account_id = ${accountId}`
}
