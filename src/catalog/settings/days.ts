import type { Tx } from '../../db/sql.ts'
import { inputsVersionRaise, sweepAppend } from '../stale/sweeps.sql.ts'
import { priceListsMark, priceListsTurning } from './prices/price-lists.sql.ts'
import { pricingRulesTurn } from './rules/pricing-rules.sql.ts'
import { salesTurn } from './prices/sale-days.sql.ts'
import { taxRatesTurn } from './prices/tax-classes.sql.ts'
import { accountTimeLock, accountTimeUpdate } from './days.sql.ts'

/**
 * Moves an account to the present day in its time zone, and to a resolver. Sweeps if that can change any payload: a rule starts or stops applying, a
 * tax rate begins, or the resolver is newer. Otherwise marks only the products whose sales or price lists begin or end. Safe to repeat.
 * @param today for tests: the new day, when it is later than the account's.
 */
export async function advanceAccount(tx: Tx, accountId: number, resolver: number, today?: string): Promise<void> {
  const time = await accountTimeLock(tx, accountId)
  if (time === undefined) return
  const day = today === undefined || today < time.day ? time.today : today
  const turns =
    day > time.day &&
    ((await pricingRulesTurn(tx, accountId, time.day, day)) || (await taxRatesTurn(tx, accountId, time.day, day)))
  const isNewer = resolver > time.resolver
  if (day === time.day && !isNewer) return
  await accountTimeUpdate(tx, accountId, day, Math.max(resolver, time.resolver))
  if (turns || isNewer)
    await sweepAppend(tx, accountId, isNewer ? 'new resolver' : `the day is ${day}`, isNewer ? {} : { half: 'price' })
  else {
    await inputsVersionRaise(tx, accountId)
    await priceListsMark(tx, accountId, await priceListsTurning(tx, accountId, time.day, day))
    if (day > time.day) await salesTurn(tx, accountId, time.day, day)
  }
}
