import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { assortmentRulesForgetSupplier } from './assortment-rules.sql.ts'
import { Check } from '../../input/check.ts'
import { exclusionRulesForgetSupplier } from './exclusion-rules.sql.ts'
import { inputsVersionRaise, sweepAppend } from '../stale/sweeps.sql.ts'
import { pricingRulesForgetSupplier } from './pricing-rules.sql.ts'
import { accountInputsLock } from './account-inputs.sql.ts'
import { sourceOrdersForgetSupplier } from './source-orders.sql.ts'
import { supplierDelete, supplierInsert, suppliersList, supplierUpdate, type SupplierChanges } from './suppliers.sql.ts'

export interface NewSupplier {
  code: string
  name: string
  /** Of costs that state none. */
  currency: string
  priority?: number
  safetyBuffer?: number
}

/** Takes a supplier on. Nothing is stale by it: it has no offers yet; those that come are resolved by whoever knows of it. */
export async function createSupplier(tx: Tx, accountId: number, input: NewSupplier): Promise<number> {
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
  return supplierId
}

/** Edits a supplier and sweeps: priority, buffer and activity decide which offer is the best. */
export async function editSupplier(
  tx: Tx,
  accountId: number,
  supplierId: number,
  changes: SupplierChanges,
): Promise<void> {
  const check = new Check()
  checkChanges(check, changes)
  check.done('supplier')
  if (!(await supplierUpdate(tx, accountId, supplierId, changes))) {
    throw new ShelfwireError('unknown-supplier', `the account has no supplier ${supplierId}`)
  }
  await sweepAppend(tx, accountId, 'supplier edited')
}

/**
 * Deletes a supplier. Its offers, texts, images and EANs count nowhere from then on; the rows are left to operations.
 * Rules and orders of sources forget it, and rules for it alone go with it. Its code may be taken by another supplier.
 */
export async function deleteSupplier(tx: Tx, accountId: number, supplierId: number): Promise<void> {
  await accountInputsLock(tx, accountId)
  if (!(await supplierDelete(tx, accountId, supplierId))) {
    throw new ShelfwireError('unknown-supplier', `the account has no supplier ${supplierId}`)
  }
  await pricingRulesForgetSupplier(tx, accountId, supplierId)
  await exclusionRulesForgetSupplier(tx, accountId, supplierId)
  await assortmentRulesForgetSupplier(tx, accountId, supplierId)
  await sourceOrdersForgetSupplier(tx, accountId, supplierId)
  await sweepAppend(tx, accountId, 'supplier deleted')
}

function checkChanges(check: Check, changes: SupplierChanges): void {
  if (changes.name !== undefined) check.text('name', changes.name, LIMITS.nameLengthMax)
  if (changes.priority !== undefined) check.priority(changes.priority)
  if (changes.safetyBuffer !== undefined) check.quantity('safety_buffer', changes.safetyBuffer)
}
