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

/** The result of a step. */
export interface Deleted {
  /** How many products or offers this step processed. */
  done: number
  isDone: boolean
}

/** One bounded step of deleting the rows of a store or supplier; stores its position. */
export function deletionStep(tx: Tx, accountId: number, work: Work): Promise<Deleted> {
  const subjectId = must(work.subjectId)
  return work.kind === 'delete_store'
    ? storeStep(tx, accountId, subjectId, work)
    : supplierStep(tx, accountId, subjectId)
}

/**
 * Deletes the store's rows of the next products. The locks on these products exclude shelvers, which read the stores after locking,
 * and other writers: the step waits for those that ran when the store was deleted, and then sees their rows; later transactions
 * find no such store. So one pass over the products deletes everything.
 */
async function storeStep(tx: Tx, accountId: number, storeId: number, work: Work): Promise<Deleted> {
  const [after = 0] = JSON.parse(work.rows) as number[]
  // a quarter of the limit, because each product has rows in several tables
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

/** Every writer of offers and runs locks the supplier, so no further rows can appear after the last one. */
async function supplierStep(tx: Tx, accountId: number, supplierId: number): Promise<Deleted> {
  const done = await deleteSupplierOffers(tx, accountId, supplierId, LIMITS.deletedRowsPerStep)
  if (done > 0) return { done, isDone: false }
  return { done, isDone: !(await runsOfSupplierDelete(tx, accountId, supplierId, LIMITS.deletedRowsPerStep)) }
}
