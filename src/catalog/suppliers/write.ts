import type { Tx } from '../../db/sql.ts'
import { HouseError } from '../../ground/errors.ts'
import { LIMITS } from '../../ground/limits.ts'
import { Check } from '../check.ts'
import { sweepAppend } from '../marks/store.ts'
import { supplierInsert, suppliersList, supplierUpdate, type SupplierChanges } from './store.ts'

export interface NewSupplier {
  code: string
  name: string
  /** Of costs that state none. */
  currency: string
  priority?: number
  safetyBuffer?: number
}

/** Takes a supplier on. Nothing is stale by it: it has no offers yet. */
export async function createSupplier(tx: Tx, accountId: number, input: NewSupplier): Promise<number> {
  const supplier = { priority: 100, safetyBuffer: 0, ...input }
  const check = new Check()
  check.slug('code', supplier.code)
  check.currency('currency', supplier.currency)
  checkChanges(check, supplier)
  check.done('supplier')
  if ((await suppliersList(tx, accountId)).length >= LIMITS.suppliersPerAccountMax) {
    throw new HouseError('conflict', `an account has at most ${LIMITS.suppliersPerAccountMax} suppliers`)
  }
  return supplierInsert(tx, accountId, supplier)
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
    throw new HouseError('unknown-supplier', `the account has no supplier ${supplierId}`)
  }
  await sweepAppend(tx, accountId, 'supplier edited')
}

function checkChanges(check: Check, changes: SupplierChanges): void {
  if (changes.name !== undefined) check.text('name', changes.name, LIMITS.nameLengthMax)
  if (changes.priority !== undefined) check.priority(changes.priority)
  if (changes.safetyBuffer !== undefined) check.quantity('safety_buffer', changes.safetyBuffer)
}
