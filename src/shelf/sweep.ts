import { sweepsAdvance, sweepsDelete, sweepsLock } from '../catalog/marks/store.ts'
import { productIdsAfter } from '../catalog/products/store.ts'
import { inTransaction, type Db } from '../db/sql.ts'
import { faultPoint } from '../ground/fault-point.ts'
import { LIMITS } from '../ground/limits.ts'
import { batchProducts, shelveIn, type Shelved } from './shelve.ts'

/**
 * One step of the account's sweeps: the batch of products that the sweep furthest behind needs next, shelved in the
 * transaction that notes the progress. Sweeps that stand inside the batch are carried along, so that ten edits of rules
 * in a row cost little more than one walk. Products that are born meanwhile have marks of their own.
 * @returns null when there was nothing to sweep, or another worker is at it.
 */
export async function sweepStep(db: Db, accountId: number): Promise<Shelved | null> {
  const shelved = await inTransaction(
    db,
    async (tx) => {
      const sweeps = await sweepsLock(tx, accountId)
      if (sweeps.length === 0) return null
      const from = Math.min(...sweeps.map((sweep) => sweep.nextProductId))
      const limit = await batchProducts(tx, accountId)
      const ids = await productIdsAfter(tx, accountId, from, limit)
      const last = ids.at(-1)
      const isDone = ids.length < limit || last === undefined
      const upTo = isDone ? Number.MAX_SAFE_INTEGER : last
      const along = sweeps.filter((sweep) => sweep.nextProductId < upTo)
      // one store's sweeps resolve that store alone; anything else needs them all
      const stores = new Set(along.map((sweep) => sweep.storeId))
      const [only] = stores.size === 1 ? stores : [null]
      const result = await shelveIn(tx, accountId, ids, { storeId: only ?? null })
      faultPoint('sweep:before-progress')
      const sweepIds = along.map((sweep) => sweep.sweepId)
      if (isDone) await sweepsDelete(tx, accountId, sweepIds)
      else await sweepsAdvance(tx, accountId, sweepIds, upTo)
      faultPoint('sweep:after-progress')
      return result
    },
    LIMITS.shelveRetriesMax,
  )
  faultPoint('sweep:after-commit')
  return shelved
}
