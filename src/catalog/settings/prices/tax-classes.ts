import { isDeepStrictEqual } from 'node:util'
import { lengthMaxOf } from '../../../../contract/product-fields.ts'
import type { Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { Check } from '../../../input/check.ts'
import { readCountry } from '../../../input/country.ts'
import { readDay } from '../../../input/day.ts'
import { BOUNDS, compareDecimals, readDecimal } from '../../../input/decimal.ts'
import { foldName } from '../../../resolve/rules/conditions.ts'
import { sweepAppend } from '../../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../../stale/written.ts'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import {
  taxClassDelete,
  taxClassesList,
  type TaxClassRow,
  type TaxRateRow,
  taxClassUpsert,
  taxClassUse,
} from './tax-classes.sql.ts'

/** A rate as callers give it; percent is a decimal text, or an exact number. */
export interface GivenTaxRate extends Omit<TaxRateRow, 'percent'> {
  percent: string | number
}

export type NewTaxClass = Omit<TaxClassRow, 'codes' | 'rates'> & {
  codes: readonly string[]
  rates: readonly GivenTaxRate[]
}

export type TaxClassChanges = Partial<Omit<NewTaxClass, 'key'>>

/** Creates a tax class. @throws ShelfwireError invalid-input; conflict where there is one with the key, or too many. */
export async function createTaxClass(tx: Tx, accountId: number, input: NewTaxClass): Promise<Written> {
  await settingsLock(tx, accountId)
  const others = await taxClassesList(tx, accountId)
  const row = checked(input, others)
  if (others.some(({ key }) => key === row.key))
    throw new ShelfwireError('conflict', `a tax class "${row.key}" exists already`)
  if (others.length >= LIMITS.taxClassesPerAccountMax)
    throw new ShelfwireError('conflict', `an account has at most ${LIMITS.taxClassesPerAccountMax} tax classes`)
  await taxClassUpsert(tx, accountId, row)
  await sweepAppend(tx, accountId, 'tax class created', { half: 'price' })
  return settingsWritten()
}

/** Edits a tax class; members that are left out stay. Without a difference there is no sweep. */
export async function editTaxClass(tx: Tx, accountId: number, key: string, changes: TaxClassChanges): Promise<Written> {
  await settingsLock(tx, accountId)
  const classes = await taxClassesList(tx, accountId)
  const old = requireClass(classes, key)
  const row = checked(
    { ...old, ...changes },
    classes.filter((other) => other !== old),
  )
  if (isDeepStrictEqual(row, { ...old })) return settingsWritten()
  await taxClassUpsert(tx, accountId, row)
  await sweepAppend(tx, accountId, 'tax class edited', { half: 'price' })
  return settingsWritten()
}

/** Deletes a tax class that nothing uses. @throws ShelfwireError unknown-reference; conflict. */
export async function deleteTaxClass(tx: Tx, accountId: number, key: string): Promise<Written> {
  await settingsLock(tx, accountId)
  const old = requireClass(await taxClassesList(tx, accountId), key)
  if (old.isDefault)
    throw new ShelfwireError('conflict', `the tax class "${key}" is the default; make another one the default first`)
  const use = await taxClassUse(tx, accountId, key, [key, ...old.codes.map(foldName)])
  if (use !== null)
    throw new ShelfwireError(
      'conflict',
      `the tax class "${key}" is in use: the tax_class of ${use === 'offer' ? 'an offer' : `a ${use}`} names it`,
    )
  await taxClassDelete(tx, accountId, key)
  await sweepAppend(tx, accountId, 'tax class deleted', { half: 'price' })
  return settingsWritten()
}

function requireClass(classes: readonly TaxClassRow[], key: string): TaxClassRow {
  const found = classes.find((row) => row.key === key)
  if (found === undefined)
    throw new ShelfwireError('unknown-reference', `the account has no tax class "${key.slice(0, 80)}"`)
  return found
}

/** @param others the account's other classes. No two classes may have a name in common: it would be unclear which of them an offer means. */
function checked(input: NewTaxClass, others: readonly TaxClassRow[]): TaxClassRow {
  const check = new Check()
  const key = check.slug('key', input.key)
  const name = check.text('name', input.name, LIMITS.nameLengthMax)
  const taken = new Map(others.flatMap((row) => [row.key, ...row.codes].map((text) => [foldName(text), row.key])))
  const ownKeyOf = taken.get(foldName(key))
  check.that(ownKeyOf === undefined || ownKeyOf === key, 'key', `is a code of the tax class "${ownKeyOf}"`)
  check.that(input.codes.length <= LIMITS.taxCodesPerClassMax, 'codes', `must be at most ${LIMITS.taxCodesPerClassMax}`)
  const codes = new Map<string, string>()
  for (const given of input.codes) {
    if (check.isFull) break
    const code = check.text('codes', given, lengthMaxOf('tax_class'))
    const other = taken.get(foldName(code))
    check.that(other === undefined, 'codes', `"${code.slice(0, 40)}" names the tax class "${other}" already`)
    check.that(!codes.has(foldName(code)), 'codes', `"${code.slice(0, 40)}" is duplicated`)
    codes.set(foldName(code), code)
  }
  const rates = checkedRates(check, input.rates)
  check.done('tax class')
  return { key, name, isDefault: input.isDefault, codes: [...codes.values()], rates }
}

function checkedRates(check: Check, given: readonly GivenTaxRate[]): TaxRateRow[] {
  check.that(given.length <= LIMITS.taxRatesPerClassMax, 'rates', `must be at most ${LIMITS.taxRatesPerClassMax}`)
  const rates = new Map<string, TaxRateRow>()
  given.forEach((rate, i) => {
    if (check.isFull) return
    const at = `rates.${i}`
    const country = check.take(`${at}.country`, readCountry(rate.country), rate.country)
    const validFrom = check.take(`${at}.valid_from`, readDay(rate.validFrom), rate.validFrom)
    const verdict = readDecimal(rate.percent, BOUNDS.taxRate)
    const percent = check.take(`${at}.percent`, verdict, '0')
    check.that(compareDecimals(percent, '100') <= 0, `${at}.percent`, 'must be from 0 to 100: 19 is 19%')
    const place = `${country} ${validFrom}`
    check.that(!rates.has(place), at, `is the second of ${country} from ${validFrom}`.slice(0, 100))
    rates.set(place, { country, validFrom, percent })
  })
  return [...rates.values()]
}
