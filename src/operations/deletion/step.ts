import { deleteSupplierOffers } from '../../catalog/products/offers/offers.ts'
import { productIdsAfter, productsLockForUpdate } from '../../catalog/products/products.sql.ts'
import { storeRowsOfProductsDelete } from '../../catalog/products/listings/listings.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { mirrorChecksDelete } from '../../feed/mirror-checks.sql.ts'
import { runsOfSupplierDelete } from '../../imports/runs/forget.sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { shelfBlocksDelete, shelfDelete } from '../../shelf/deleted-store.sql.ts'
import { placeMove, type Work } from '../operations.sql.ts'
import { must } from '../../platform/must.ts'

export interface Deleted {
  /** Products, or offers, that this step processed. */
  done: number
  isDone: boolean
}

/** One bounded step of deleting a store's or a supplier's rows; keeps its position. */
export function deletionStep(tx: Tx, accountId: number, work: Work): Promise<Deleted> {
  const subjectId = must(work.subjectId)
  return work.kind === 'delete_store'
    ? storeStep(tx, accountId, subjectId, work)
    : supplierStep(tx, accountId, subjectId)
}

/**
 * Deletes the store's rows for the next products. Their locks exclude shelvers, who read the stores after locking, and
 * other writers: what was running when the store was deleted is waited for here and then seen, and later transactions
 * find no such store. So one pass over the products deletes everything.
 */
async function storeStep(tx: Tx, accountId: number, storeId: number, work: Work): Promise<Deleted> {
  const [after = 0] = JSON.parse(work.rows) as number[]
  // each has rows in several tables
  const ids = await productIdsAfter(tx, accountId, after, Math.ceil(LIMITS.deletedRowsPerStep / 4))
  const last = ids.at(-1)
  if (last === undefined) {
    await shelfBlocksDelete(tx, accountId, storeId)
    await mirrorChecksDelete(tx, accountId, storeId)
    return { done: 0, isDone: true }
  }
  await productsLockForUpdate(tx, accountId, ids)
  await storeRowsOfProductsDelete(tx, accountId, storeId, ids)
  if (await shelfDelete(tx, accountId, storeId, ids)) return { done: 0, isDone: false }
  await placeMove(tx, accountId, work, JSON.stringify([last]))
  return { done: ids.length, isDone: false }
}

/** Every writer of offers and runs locks the supplier, so none can follow the last of them. */
async function supplierStep(tx: Tx, accountId: number, supplierId: number): Promise<Deleted> {
  const done = await deleteSupplierOffers(tx, accountId, supplierId, LIMITS.deletedRowsPerStep)
  if (done > 0) return { done, isDone: false }
  return { done, isDone: !(await runsOfSupplierDelete(tx, accountId, supplierId, LIMITS.deletedRowsPerStep)) }
}
