import type { BudgetName } from '../../../contract/account-limits.ts'
import type { Reader } from '../../db/sql.ts'
import { limitOf } from './limits.ts'
import { QuotaExceeded } from './quota.ts'

const HOUR_SECONDS = 3_600

/**
 * Checks a budget of requests within an hour. Requests at the same time do not see each other.
 * @param ageOf how many seconds ago the n-th newest was asked for; undefined: there are fewer.
 * @throws QuotaExceeded
 */
export async function requireHourly(
  reader: Reader,
  accountId: number,
  budget: BudgetName,
  ageOf: (n: number) => Promise<number | undefined>,
): Promise<void> {
  const limit = await limitOf(reader, accountId, budget)
  if (limit === null) return
  // a clock that was set back: it was now
  const age = limit === 0 ? 0 : Math.max(0, (await ageOf(limit)) ?? Infinity)
  if (age < HOUR_SECONDS) throw QuotaExceeded.ofRate(budget, limit, limit, HOUR_SECONDS - age)
}
