import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import type { Reader } from '../../db/sql.ts'

/** Accounts that have marks or sweeps, in id order. */
export async function staleAccounts(reader: Reader, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select account_id from (select distinct account_id from mark${accountCondition(reader, 'where', accounts)}
      union select distinct account_id from sweep${accountCondition(reader, 'where', accounts)}) stale
    order by account_id`
  return rows.map((row) => row.account_id)
}

/** The ids of the newest mark and the newest sweep that wait now; 0 for none. */
export interface StalePosition {
  markId: number
  sweepId: number
}

export async function stalePosition(reader: Reader, accountId: number): Promise<StalePosition> {
  const [row] = await reader<StalePosition[]>`
    select coalesce((select max(mark_id) from mark where account_id = ${accountId}), 0) as "markId",
      coalesce((select max(sweep_id) from sweep where account_id = ${accountId}), 0) as "sweepId"`
  return row ?? { markId: 0, sweepId: 0 }
}

/** Whether anything of the account waits to be shelved; with a position, only marks and sweeps up to it count. */
export async function isStale(reader: Reader, accountId: number, upTo?: StalePosition): Promise<boolean> {
  const { markId, sweepId } = upTo ?? { markId: Number.MAX_SAFE_INTEGER, sweepId: Number.MAX_SAFE_INTEGER }
  const [row] = await reader<{ stale: boolean }[]>`
    select exists (select from mark where account_id = ${accountId} and mark_id <= ${markId})
        or exists (select from sweep where account_id = ${accountId} and sweep_id <= ${sweepId}) as stale`
  return row?.stale ?? false
}

/** Which of these products wait to be shelved: they are marked, or a sweep has not reached them yet. */
export async function waitingProducts(
  reader: Reader,
  accountId: number,
  productIds: readonly number[],
): Promise<number[]> {
  const rows = await reader<{ product_id: number }[]>`
    select product_id from unnest(${[...productIds]}::bigint[]) as given (product_id)
    where exists (select from mark m where m.account_id = ${accountId} and m.product_id = given.product_id)
       or exists (select from sweep s where s.account_id = ${accountId} and s.next_product_id < given.product_id
        and s.end_product_id >= given.product_id)`
  return rows.map((row) => row.product_id)
}
