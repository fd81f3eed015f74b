import {
  type Sweep,
  sweepCut,
  sweepsAdvance,
  sweepsLockAlong,
  sweepsDelete,
  sweepLockNext,
} from '../catalog/stale/sweeps.sql.ts'
import { productIdRange, productIdsAfter } from '../catalog/products/products.sql.ts'
import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import { faultPoint } from '../platform/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import type { CompiledAccounts } from './compiled-inputs.ts'
import { batchProducts, shelveIn, type Shelved } from './shelve.ts'

const NOTHING: Shelved = { products: 0, lastId: 0, changes: 0 }

/**
 * One step of the account's sweeps. A sweep over many products is first cut into parts, which workers take in parallel;
 * after that a step is the next batch of a part, shelved in the transaction that records the progress. Parts of other
 * sweeps that end at the same product and have got into the range of this batch advance with it, so that ten edits of
 * rules in a row cost little more than one sweep. Products that are created meanwhile have marks of their own.
 * @param productsMax of a batch: a smaller one lets the process do other work more often.
 * @returns null when there was nothing to sweep, or other workers have locked all of it.
 */
export async function sweepStep(
  db: Db,
  accounts: CompiledAccounts,
  accountId: number,
  productsMax: number = Infinity,
): Promise<Shelved | null> {
  const shelved = await inTransaction(
    db,
    async (tx) => {
      const sweep = await sweepLockNext(tx, accountId)
      if (sweep === undefined) return null
      const cuts = await cutsOf(tx, accountId, sweep)
      if (cuts.length > 0) {
        await sweepCut(tx, accountId, sweep, cuts)
        faultPoint('sweep:after-cut')
        return NOTHING
      }
      return sweepBatch(tx, accounts, accountId, sweep, productsMax)
    },
    LIMITS.shelveRetriesMax,
  )
  faultPoint('sweep:after-commit')
  return shelved
}

async function sweepBatch(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  sweep: Sweep,
  productsMax: number,
): Promise<Shelved> {
  const from = sweep.nextProductId
  const others = await sweepsLockAlong(tx, accountId, sweep)
  const limit = Math.min(await batchProducts(tx, accountId), productsMax)
  const ids = (await productIdsAfter(tx, accountId, from, limit)).filter((id) => id <= sweep.endProductId)
  const isDone = ids.length < limit
  const upTo = isDone ? sweep.endProductId : (ids.at(-1) ?? sweep.endProductId)
  const along = [sweep, ...others.filter((other) => other.nextProductId >= from && other.nextProductId < upTo)]
  // one store's sweeps resolve that store alone; anything else needs them all
  const stores = new Set(along.map(({ storeId }) => storeId))
  const [only] = stores.size === 1 ? stores : [null]
  const half = along.every((part) => part.half === 'price') ? 'price' : null
  const result = await shelveIn(tx, accounts, accountId, ids, { storeId: only ?? null, half })
  faultPoint('sweep:before-progress')
  const sweepIds = along.map(({ sweepId }) => sweepId)
  if (isDone) await sweepsDelete(tx, accountId, sweepIds, sweep.endProductId)
  else await sweepsAdvance(tx, accountId, sweepIds, sweep.endProductId, upTo)
  faultPoint('sweep:after-progress')
  return result
}

/**
 * The product ids at which to cut a sweep; none when it is small. They are multiples of a width that depends on the
 * account's size, so that consecutive sweeps have parts with the same ends.
 */
async function cutsOf(tx: Tx, accountId: number, sweep: Sweep): Promise<number[]> {
  if (sweep.endProductId !== Number.MAX_SAFE_INTEGER) return []
  const { first, last } = await productIdRange(tx, accountId)
  const from = Math.max(sweep.nextProductId, first)
  let width: number = LIMITS.sweepPartIds
  while ((last - first) / width > LIMITS.sweepPartsMax) width *= 2
  const cuts: number[] = []
  for (let cut = (Math.floor(from / width) + 1) * width; cut < last; cut += width) cuts.push(cut)
  // not worth it for little more than one part: it would be cut again at every new product
  return cuts.length < 2 ? [] : cuts
}
