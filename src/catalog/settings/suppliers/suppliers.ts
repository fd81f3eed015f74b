import { requireRoom } from '../../../accounts/limits/limits.ts'
import type { Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { assortmentRulesForgetSupplier } from '../rules/assortment-rules.sql.ts'
import { Check } from '../../../input/check.ts'
import { readCountry } from '../../../input/country.ts'
import { readTaxIn } from '../../../input/tax-in.ts'
import { BOUNDS, compareDecimals } from '../../../input/decimal.ts'
import { exclusionRulesForgetSupplier } from '../rules/exclusion-rules.sql.ts'
import { inputsVersionRaise, sweepAppend } from '../../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../../stale/written.ts'
import { pricingRulesForgetSupplier } from '../rules/pricing-rules.sql.ts'
import { settingsLock } from '../../../accounts/settings-lock.sql.ts'
import { sourceOrdersForgetSupplier } from './source-orders.sql.ts'
import {
  supplierDelete,
  supplierActivityDelete,
  supplierInsert,
  supplierActivityRecord,
  supplierLockShared,
  suppliersList,
  supplierUpdate,
  type SupplierChanges,
  type SupplierLimits,
} from './suppliers.sql.ts'

export interface NewSupplier extends Partial<SupplierLimits> {
  code: string
  name: string
  /** The currency of costs that state none. */
  currency: string
  priority?: number
  safetyBuffer?: number
  /** ISO 3166-1: the country whose tax its costs include; they are net by default. */
  costTaxCountry?: string | null
  /** ISO 3166-1: the country whose tax its list prices include, or `none`; by default they are shown as they are stated. */
  listPriceTax?: string | null
}

/** The limits of a supplier for which none are given. At least three in four rows must be readable; costs of 0 are seldom intended. */
export const DEFAULT_LIMITS: SupplierLimits = {
  zeroedShareMax: '0.5',
  refusedShareMax: '0.25',
  pricesLostShareMax: '0.5',
  pricesZeroShareMax: '0.05',
  pricesJumpShareMax: '0.2',
  pricesJumpFactor: '3',
  emptiedShareMax: '0.5',
  swappedShareMax: '0.2',
  silentDaysMax: null,
}

/** Creates a supplier; there is nothing to sweep. @throws ShelfwireError invalid-input, quota-exceeded; conflict (code). */
export async function createSupplier(tx: Tx, accountId: number, input: NewSupplier): Promise<Written<number>> {
  await settingsLock(tx, accountId)
  const supplier = {
    priority: 100,
    safetyBuffer: 0,
    costTaxCountry: null,
    listPriceTax: null,
    ...DEFAULT_LIMITS,
    ...input,
  }
  const check = new Check()
  check.slug('code', supplier.code)
  supplier.currency = check.currency('currency', supplier.currency)
  checkChanges(check, supplier)
  check.done('supplier')
  await requireRoom(tx, accountId, 'suppliers', (await suppliersList(tx, accountId)).length)
  const supplierId = await supplierInsert(tx, accountId, supplier)
  // the time without news of the supplier counts from now
  await supplierActivityRecord(tx, accountId, [supplierId])
  await inputsVersionRaise(tx, accountId)
  return settingsWritten(supplierId)
}

/** Edits a supplier. Priority, buffer, activity and tax decide which offer wins, so a change of them appends a sweep. */
export async function editSupplier(
  tx: Tx,
  accountId: number,
  supplierId: number,
  changes: SupplierChanges,
): Promise<Written> {
  await settingsLock(tx, accountId)
  const check = new Check()
  const wanted = { ...changes }
  checkChanges(check, wanted)
  check.done('supplier')
  if (!(await supplierUpdate(tx, accountId, supplierId, wanted))) {
    throw new ShelfwireError('unknown-supplier', `the account has no supplier ${supplierId}`)
  }
  const { name, priority, safetyBuffer, isActive, costTaxCountry, listPriceTax } = wanted
  const onlyLimits = [name, priority, safetyBuffer, isActive, costTaxCountry, listPriceTax].every(
    (value) => value === undefined,
  )
  await (onlyLimits ? inputsVersionRaise(tx, accountId) : sweepAppend(tx, accountId, 'supplier edited'))
  return settingsWritten()
}

/**
 * Deletes a supplier. Its offers, texts, images and EANs no longer count; an operation deletes the rows. It is removed from rules and source orders,
 * and rules that name only it are deleted. Its code may be used by another supplier.
 */
export async function deleteSupplier(tx: Tx, accountId: number, supplierId: number): Promise<Written> {
  await settingsLock(tx, accountId)
  if (!(await supplierDelete(tx, accountId, supplierId))) {
    throw new ShelfwireError('unknown-supplier', `the account has no supplier ${supplierId}`)
  }
  await supplierActivityDelete(tx, accountId, supplierId)
  await pricingRulesForgetSupplier(tx, accountId, supplierId)
  await exclusionRulesForgetSupplier(tx, accountId, supplierId)
  await assortmentRulesForgetSupplier(tx, accountId, supplierId)
  await sourceOrdersForgetSupplier(tx, accountId, supplierId)
  await sweepAppend(tx, accountId, 'supplier deleted')
  return settingsWritten()
}

/** Records that an import of a supplier has ended. Does nothing when the supplier was deleted meanwhile. */
export async function recordSupplierImport(tx: Tx, accountId: number, supplierId: number): Promise<void> {
  if ((await supplierLockShared(tx, accountId, supplierId)) !== undefined)
    await supplierActivityRecord(tx, accountId, [supplierId])
}

function checkChanges(check: Check, changes: SupplierChanges): void {
  if (changes.name !== undefined) changes.name = check.text('name', changes.name, LIMITS.nameLengthMax)
  if (changes.priority !== undefined) check.priority(changes.priority)
  if (changes.safetyBuffer !== undefined) check.quantity('safety_buffer', changes.safetyBuffer)
  const share = (name: string, value: string) => {
    const read = check.decimal(name, value, BOUNDS.share)
    check.that(compareDecimals(read, '1') <= 0, name, 'must be from 0 to 1: 0.5 is half')
    return read
  }
  if (changes.zeroedShareMax !== undefined) changes.zeroedShareMax = share('zeroed_share_max', changes.zeroedShareMax)
  if (changes.refusedShareMax !== undefined)
    changes.refusedShareMax = share('refused_share_max', changes.refusedShareMax)
  if (changes.pricesLostShareMax !== undefined)
    changes.pricesLostShareMax = share('prices_lost_share_max', changes.pricesLostShareMax)
  if (changes.pricesZeroShareMax !== undefined)
    changes.pricesZeroShareMax = share('prices_zero_share_max', changes.pricesZeroShareMax)
  if (changes.pricesJumpShareMax !== undefined)
    changes.pricesJumpShareMax = share('prices_jump_share_max', changes.pricesJumpShareMax)
  if (changes.emptiedShareMax !== undefined)
    changes.emptiedShareMax = share('emptied_share_max', changes.emptiedShareMax)
  if (changes.swappedShareMax !== undefined)
    changes.swappedShareMax = share('swapped_share_max', changes.swappedShareMax)
  if (changes.pricesJumpFactor !== undefined) {
    changes.pricesJumpFactor = check.decimal('prices_jump_factor', changes.pricesJumpFactor, BOUNDS.factor)
    check.that(compareDecimals(changes.pricesJumpFactor, '1') > 0, 'prices_jump_factor', 'must be above 1')
  }
  if (changes.costTaxCountry !== undefined && changes.costTaxCountry !== null)
    changes.costTaxCountry = check.take('cost_tax_country', readCountry(changes.costTaxCountry), changes.costTaxCountry)
  const { listPriceTax } = changes
  if (listPriceTax !== undefined && listPriceTax !== null)
    changes.listPriceTax = check.take('list_price_tax', readTaxIn(listPriceTax), listPriceTax)
  if (changes.silentDaysMax !== undefined && changes.silentDaysMax !== null)
    check.integer('silent_days_max', changes.silentDaysMax, 1, LIMITS.silentDaysMax)
}
