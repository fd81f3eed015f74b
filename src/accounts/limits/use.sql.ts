import type { BudgetName } from '../../../contract/account-limits.ts'
import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import { ownerOf } from '../../db/fragments/owner.sql.ts'
import type { Reader, Tx } from '../../db/sql.ts'

/** Budgets of things that there may be millions of. Their use is stored as a number instead of being counted each time. */
export type CountedBudget = Extract<BudgetName, 'products' | 'offers' | 'overrides' | 'pictures' | 'picture_bytes'>
export const COUNTED: readonly CountedBudget[] = ['products', 'offers', 'overrides', 'pictures', 'picture_bytes']

/** A change of the use of a budget: things or bytes added, or, below 0, removed. */
export interface Change {
  budget: CountedBudget
  amount: number
}

/** Records, in the transaction that makes them, how many things are added and removed. */
export function changesInsert(tx: Tx, accountId: number, changes: readonly Change[]) {
  return tx`
    insert into account_use_delta (account_id, budget, amount)
    select ${accountId}, * from unnest(${changes.map((row) => row.budget)}::text[], ${changes.map((row) => row.amount)}::bigint[])`
}

/** The use of budgets: committed changes and those of the transaction itself. A budget without a row is unused. */
export function usesOf(reader: Reader, accountId: number) {
  return reader<{ budget: CountedBudget; used: number }[]>`
    select budget, sum(amount)::bigint as used from (
      select budget, amount from account_use where account_id = ${accountId}
      union all
      select budget, amount from account_use_delta where account_id = ${accountId}) noted
    group by budget`
}

/** Accounts with changes that have not been added up yet. */
export async function accountsWithChanges(reader: Reader, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct account_id from account_use_delta where true${accountCondition(reader, 'and', accounts)} order by account_id`
  return rows.map((row) => row.account_id)
}

/** Deletes the oldest changes and returns them; fewer than `limit` means that there are no more. */
export async function changesTake(tx: Tx, accountId: number, limit: number): Promise<Change[]> {
  const due = await tx<{ id: number }[]>`
    select delta_id as id from account_use_delta where account_id = ${accountId} order by delta_id limit ${limit} for update skip locked`
  if (due.length === 0) return []
  return tx<Change[]>`
    delete from account_use_delta where account_id = ${accountId} and delta_id = any(${due.map((row) => row.id)}::bigint[])
    returning budget, amount`
}

/** Adds changes to the stored use. Rows are locked in the order of their keys. */
export async function usesAdd(tx: Tx, accountId: number, changes: readonly Change[]): Promise<void> {
  const sums = new Map<CountedBudget, number>()
  for (const { budget, amount } of changes) sums.set(budget, (sums.get(budget) ?? 0) + amount)
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
  await tx`
    insert into account_use as u (account_id, budget, amount)
    select owner.account_id, given.* from ${ownerOf(tx, accountId)}, unnest(${rows.map(([budget]) => budget)}::text[],
      ${rows.map(([, amount]) => amount)}::bigint[]) given order by 2
    on conflict (account_id, budget) do update set amount = u.amount + excluded.amount`
}

/** Accounts whose stored use has not been compared with the actual one for so many hours. */
export async function accountsToCount(
  reader: Reader,
  hours: number,
  limit: number,
  accounts: Accounts = null,
): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select i.account_id from account_inputs i
    where not exists (select from account_use u where u.account_id = i.account_id and u.budget = 'products'
        and u.counted_at > now() - make_interval(hours => ${hours}))${accountCondition(reader, 'and', accounts, 'i')}
    order by i.account_id limit ${limit}`
  return rows.map((row) => row.account_id)
}

/**
 * Locks the stored use, after other processes have added to it or counted it; writers go on recording changes. Adding 0
 * writes, and so locks, every row.
 */
export function usesLock(tx: Tx, accountId: number): Promise<void> {
  return usesAdd(
    tx,
    accountId,
    COUNTED.map((budget) => ({ budget, amount: 0 })),
  )
}

/**
 * The difference between the actual and the stored use. One statement reads both, in one snapshot: a writer
 * that commits later has changed both or neither.
 */
export function usesDrift(tx: Tx, accountId: number) {
  return tx<Change[]>`
    select given.budget, (given.present - coalesce((select amount from account_use where account_id = ${accountId} and budget = given.budget), 0)
        - coalesce((select sum(amount) from account_use_delta where account_id = ${accountId} and budget = given.budget), 0))::bigint as amount
    from (
      select 'products' as budget, (select count(*) from product where account_id = ${accountId} and deleted_at is null) as present
      union all select 'offers', (select count(*) from offer where account_id = ${accountId} and dropped_at is null)
      union all select 'overrides', (select count(*) from product_override where account_id = ${accountId})
        + (select count(*) from attribute_override where account_id = ${accountId})
      union all select 'pictures', (select count(*) from image where account_id = ${accountId} and state = 'mirrored')
      union all select 'picture_bytes', (select coalesce(sum(bytes), 0) from image where account_id = ${accountId} and state = 'mirrored')
    ) given`
}

/** Records that the use of an account has been counted now. */
export async function usesCounted(tx: Tx, accountId: number): Promise<void> {
  await tx`update account_use set counted_at = now() where account_id = ${accountId}`
}
