import type { BudgetName } from '../../../contract/account-limits.ts'
import type { Reader } from '../../db/sql.ts'
import { limitOf } from './limits.ts'
import { QuotaExceeded } from './quota.ts'

const HOUR_SECONDS = 3_600

/**
 * Checks a budget of requests per hour. Concurrent requests do not see each other.
 * @param ageOf seconds since the n-th newest request; undefined if there are fewer.
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
  // a negative age means that the clock was set back: it counts as 0
  const age = limit === 0 ? 0 : Math.max(0, (await ageOf(limit)) ?? Infinity)
  if (age < HOUR_SECONDS) throw QuotaExceeded.ofRate(budget, limit, limit, HOUR_SECONDS - age)
}
