import type { BudgetName } from '../../../contract/account-limits.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { limitsByDefault, type LimitOfBudget } from '../../platform/limits/account-limits.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { settingsLock } from '../settings-lock.sql.ts'
import { limitDelete, limitsOf, limitUpsert, type SetLimit } from './limits.sql.ts'
import { QuotaExceeded } from './quota.ts'

/** The limits of an account: those that are set for it, and the defaults of the others. */
export function withDefaults(set: readonly SetLimit[]): LimitOfBudget {
  return { ...limitsByDefault(), ...Object.fromEntries(set.map(({ budget, amount }) => [budget, amount])) }
}

/** The limit of one budget; null: no limit. */
export async function limitOf(reader: Reader, accountId: number, budget: BudgetName): Promise<number | null> {
  return withDefaults(await limitsOf(reader, accountId, [budget]))[budget]
}

/**
 * Checks that a budget has room for `wanted` more. Exact only if the caller holds a lock against others who add to it.
 * @param used the use without `wanted`.
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

/** Sets a limit for an account. Processes apply it within seconds. @throws ShelfwireError unknown-account */
export async function setLimit(tx: Tx, accountId: number, limit: SetLimit): Promise<void> {
  await settingsLock(tx, accountId)
  await limitUpsert(tx, accountId, limit)
}

/** Restores the default. @throws ShelfwireError unknown-account; unknown-reference if no limit was set. */
export async function unsetLimit(tx: Tx, accountId: number, budget: BudgetName): Promise<void> {
  await settingsLock(tx, accountId)
  if (!(await limitDelete(tx, accountId, budget)))
    throw new ShelfwireError('unknown-reference', `account ${accountId} has no limit of its own for ${budget}`)
}
