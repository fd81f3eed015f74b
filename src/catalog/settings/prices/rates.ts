import type { Tx } from '../../../db/sql.ts'
import { Check } from '../../../input/check.ts'
import { BOUNDS, compareDecimals, readDecimal } from '../../../input/decimal.ts'
import { sweepAppend } from '../../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../../stale/written.ts'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import {
  accountCurrency,
  type ComparedRate,
  rateDelete,
  type RateRow,
  ratesCompared,
  ratesUpsert,
} from './rates.sql.ts'
import { requireFound } from '../require-found.ts'

/** Sets exchange rates: units of each currency per one unit of the account's. Unchanged rates cause no sweep. */
export async function setRates(tx: Tx, accountId: number, given: readonly RateRow[]): Promise<Written> {
  await settingsLock(tx, accountId)
  const check = new Check()
  const rates = given.map((row) => checkRate(check, row, given.length === 1))
  const seen = rates.map((row) => row.currency)
  check.that(new Set(seen).size === seen.length, 'currency', 'is duplicated')
  const own = await accountCurrency(tx, accountId)
  check.that(!seen.includes(own), 'currency', `${own} is the account’s own currency, whose rate is always 1`)
  check.done('exchange rates')
  return sweepIfChanged(tx, accountId, (await ratesUpsert(tx, accountId, rates)) > 0)
}

/**
 * Writes the results of comparing rates with the European Central Bank's of a day: the rates that are taken over, those that are held, and the day
 * for all of them. The caller has the settings lock.
 * @param known the stored rates, read under the lock.
 */
export async function setComparedRates(
  tx: Tx,
  accountId: number,
  day: string,
  compared: readonly ComparedRate[],
  known: readonly RateRow[],
): Promise<Written> {
  const before = new Map(known.map(({ currency, rate }) => [currency, rate]))
  await ratesCompared(tx, accountId, day, compared)
  const isOther = compared.some(
    ({ currency, taken }) => taken !== null && compareDecimals(taken, before.get(currency) ?? '0') !== 0,
  )
  return sweepIfChanged(tx, accountId, isOther)
}

/** Appends one sweep for all rates of a write, if any of them changed. */
async function sweepIfChanged(tx: Tx, accountId: number, isOther: boolean): Promise<Written> {
  if (isOther) await sweepAppend(tx, accountId, 'exchange rates set', { half: 'price' })
  return settingsWritten()
}

/** @param isOnly whether it is the only one; with several, faults name the currency. @returns the stored form. */
function checkRate(check: Check, given: RateRow, isOnly: boolean): RateRow {
  const name = isOnly ? 'rate' : given.currency
  const currency = check.currency(isOnly ? 'currency' : given.currency, given.currency)
  const verdict = readDecimal(given.rate, BOUNDS.rate)
  const rate = check.take(name, verdict, given.rate)
  if ('value' in verdict) check.that(compareDecimals(rate, '0') > 0, name, 'must be above 0')
  return { currency, rate }
}

/** Deletes a rate: offers and stores in that currency then have no price. @throws ShelfwireError unknown-reference. */
export async function deleteRate(tx: Tx, accountId: number, currency: string): Promise<Written> {
  await settingsLock(tx, accountId)
  requireFound(await rateDelete(tx, accountId, currency), `exchange rate for ${currency}`)
  await sweepAppend(tx, accountId, 'exchange rate deleted', { half: 'price' })
  return settingsWritten()
}
