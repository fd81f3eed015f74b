import type { BudgetName } from '../../../contract/account-limits.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { limitsByDefault, type LimitOfBudget } from '../../platform/limits/account-limits.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { settingsLock } from '../settings-lock.sql.ts'
import { limitDelete, limitsOf, limitUpsert, type SetLimit } from './limits.sql.ts'
import { QuotaExceeded } from './quota.ts'

/** Limits of an account: those that the operator has set for it, and the defaults. */
export function withDefaults(set: readonly SetLimit[]): LimitOfBudget {
  return { ...limitsByDefault(), ...Object.fromEntries(set.map(({ budget, amount }) => [budget, amount])) }
}

/** The limit of one budget; null: none. */
export async function limitOf(reader: Reader, accountId: number, budget: BudgetName): Promise<number | null> {
  return withDefaults(await limitsOf(reader, accountId, [budget]))[budget]
}

/**
 * Checks that more fits into a budget. Exact where the caller has locked out others who add to it.
 * @param used how much is used without it.
 * @throws QuotaExceeded
 */
export async function requireRoom(
  reader: Reader,
  accountId: number,
  budget: BudgetName,
  used: number,
  wanted = 1,
): Promise<void> {
  const limit = await limitOf(reader, accountId, budget)
  if (limit !== null && used + wanted > limit) throw QuotaExceeded.ofStock(budget, used, limit, wanted)
}

/** Sets a limit for an account. Processes read it within seconds. @throws ShelfwireError unknown-account */
export async function setLimit(tx: Tx, accountId: number, limit: SetLimit): Promise<void> {
  await settingsLock(tx, accountId)
  await limitUpsert(tx, accountId, limit)
}

/** The default holds again. @throws ShelfwireError unknown-account; unknown-reference when nothing was set. */
export async function unsetLimit(tx: Tx, accountId: number, budget: BudgetName): Promise<void> {
  await settingsLock(tx, accountId)
  if (!(await limitDelete(tx, accountId, budget)))
    throw new ShelfwireError('unknown-reference', `account ${accountId} has no limit of its own for ${budget}`)
}
