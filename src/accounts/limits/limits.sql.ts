import type { BudgetName } from '../../../contract/account-limits.ts'
import type { Reader, Tx } from '../../db/sql.ts'

/** A limit that the operator has set for an account. */
export interface SetLimit {
  budget: BudgetName
  /** null: no limit. */
  amount: number | null
}

/** Limits set for an account, of some budgets or of all. */
export function limitsOf(reader: Reader, accountId: number, budgets: readonly BudgetName[] | null = null) {
  const some = budgets === null ? reader`` : reader` and budget = any(${[...budgets]}::text[])`
  return reader<
    SetLimit[]
  >`select budget, amount from account_limit where account_id = ${accountId}${some} order by budget`
}

/** Limits set for several accounts. */
export function limitsOfAccounts(reader: Reader, accountIds: readonly number[]) {
  return reader<(SetLimit & { accountId: number })[]>`
    select account_id as "accountId", budget, amount from account_limit where account_id = any(${[...accountIds]}::bigint[])`
}

export async function limitUpsert(tx: Tx, accountId: number, { budget, amount }: SetLimit): Promise<void> {
  await tx`
    insert into account_limit (account_id, budget, amount) values (${accountId}, ${budget}, ${amount})
    on conflict (account_id, budget) do update set amount = excluded.amount`
}

/** Deletes a limit. @returns whether it was set */
export async function limitDelete(tx: Tx, accountId: number, budget: BudgetName): Promise<boolean> {
  const result = await tx`delete from account_limit where account_id = ${accountId} and budget = ${budget}`
  return result.count > 0
}
