import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { assortmentRulesForgetSupplier } from './assortment-rules.sql.ts'
import { Check } from '../../input/check.ts'
import { exclusionRulesForgetSupplier } from './exclusion-rules.sql.ts'
import { inputsVersionRaise, sweepAppend } from '../stale/sweeps.sql.ts'
import { settingsWritten, type Written } from '../stale/written.ts'
import { pricingRulesForgetSupplier } from './pricing-rules.sql.ts'
import { settingsLock } from '../../accounts/settings-lock.sql.ts'
import { sourceOrdersForgetSupplier } from './source-orders.sql.ts'
import { supplierDelete, supplierInsert, suppliersList, supplierUpdate, type SupplierChanges } from './suppliers.sql.ts'

export interface NewSupplier {
  code: string
  name: string
  /** Of costs without a currency. */
  currency: string
  priority?: number
  safetyBuffer?: number
}

/** Creates a supplier; there is nothing to sweep. @throws ShelfwireError invalid-input; conflict (limit, code). */
export async function createSupplier(tx: Tx, accountId: number, input: NewSupplier): Promise<Written<number>> {
  await settingsLock(tx, accountId)
  const supplier = { priority: 100, safetyBuffer: 0, ...input }
  const check = new Check()
  check.slug('code', supplier.code)
  supplier.currency = check.currency('currency', supplier.currency)
  checkChanges(check, supplier)
  check.done('supplier')
  if ((await suppliersList(tx, accountId)).length >= LIMITS.suppliersPerAccountMax) {
    throw new ShelfwireError('conflict', `an account has at most ${LIMITS.suppliersPerAccountMax} suppliers`)
  }
  const supplierId = await supplierInsert(tx, accountId, supplier)
  await inputsVersionRaise(tx, accountId)
  return settingsWritten(supplierId)
}

/** Edits a supplier and sweeps: priority, buffer and activity decide which offer wins. */
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
  await sweepAppend(tx, accountId, 'supplier edited')
  return settingsWritten()
}

/**
 * Deletes a supplier. Its offers, texts, images and EANs no longer count; an operation deletes the rows. It is removed
 * from rules and source orders, and rules for it alone are deleted. Its code may be used by another supplier.
 */
export async function deleteSupplier(tx: Tx, accountId: number, supplierId: number): Promise<Written> {
  await settingsLock(tx, accountId)
  if (!(await supplierDelete(tx, accountId, supplierId))) {
    throw new ShelfwireError('unknown-supplier', `the account has no supplier ${supplierId}`)
  }
  await pricingRulesForgetSupplier(tx, accountId, supplierId)
  await exclusionRulesForgetSupplier(tx, accountId, supplierId)
  await assortmentRulesForgetSupplier(tx, accountId, supplierId)
  await sourceOrdersForgetSupplier(tx, accountId, supplierId)
  await sweepAppend(tx, accountId, 'supplier deleted')
  return settingsWritten()
}

function checkChanges(check: Check, changes: SupplierChanges): void {
  if (changes.name !== undefined) changes.name = check.text('name', changes.name, LIMITS.nameLengthMax)
  if (changes.priority !== undefined) check.priority(changes.priority)
  if (changes.safetyBuffer !== undefined) check.quantity('safety_buffer', changes.safetyBuffer)
}
