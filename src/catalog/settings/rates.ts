import type { Tx } from '../../db/sql.ts'
import { Check } from '../../input/check.ts'
import { sweepAppend } from '../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../stale/written.ts'
import { settingsLock } from './settings-lock.sql.ts'
import { accountCurrency, rateDelete, type RateRow, ratesUpsert } from './rates.sql.ts'
import { requireFound } from './require-found.ts'

/** Sets exchange rates: units of each currency per one unit of the account's. Equal rates sweep nothing. */
export async function setRates(tx: Tx, accountId: number, rates: readonly RateRow[]): Promise<Written> {
  await settingsLock(tx, accountId)
  const check = new Check()
  for (const { currency, rate } of rates) {
    // of several the currency says which one is meant
    const name = rates.length === 1 ? 'rate' : currency
    check.currency(rates.length === 1 ? 'currency' : currency, currency)
    check.decimal(name, rate, { integerDigits: 12, fractionDigits: 12 })
    check.that(/[1-9]/.test(rate) && !rate.startsWith('-'), name, 'must be above 0')
  }
  const seen = rates.map((row) => row.currency)
  check.that(new Set(seen).size === seen.length, 'currency', 'stands twice')
  const own = await accountCurrency(tx, accountId)
  check.that(!seen.includes(own), 'currency', `${own} is the account’s own, of which one is always one`)
  check.done('exchange rates')
  if ((await ratesUpsert(tx, accountId, rates)) > 0)
    await sweepAppend(tx, accountId, 'exchange rates set', { half: 'price' })
  return settingsWritten()
}

/** Deletes a rate: offers and stores in that currency have no price from then on. */
export async function deleteRate(tx: Tx, accountId: number, currency: string): Promise<Written> {
  await settingsLock(tx, accountId)
  requireFound(await rateDelete(tx, accountId, currency), `exchange rate for ${currency}`)
  await sweepAppend(tx, accountId, 'exchange rate deleted', { half: 'price' })
  return settingsWritten()
}
