import { mergeSweeps } from '../catalog/stale/merge-sweeps.ts'
import {
  type Sweep,
  sweepAdvance,
  sweepDelete,
  sweepLockNext,
  sweepsLockOverlapping,
  sweepsReplace,
} from '../catalog/stale/sweeps.sql.ts'
import { productIdRange, productIdsAfter } from '../catalog/products/products.sql.ts'
import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import { faultPoint } from '../platform/process/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import type { CompiledAccounts } from './inputs/compiled-inputs.ts'
import { TooHeavy } from './read-batch.ts'
import { batchProducts, NOTHING, shelveIn, type Shelved } from './shelve.ts'

/**
 * One step of the account's sweeps, the oldest first. Sweeps that wait for the same products are merged, so that every
 * product waits once, for all of them: a sweep takes one walk from where the walk before it has got to, to its end and then
 * around to there, however many follow it. A sweep over many products is cut into parts, which workers take in parallel.
 * After that a step is the next batch of a part, shelved in the transaction that records the progress. Products that
 * are created meanwhile have marks of their own.
 * @param productsMax of a batch: a smaller one lets the process do other work more often.
 * @returns null when there was nothing to sweep, or other workers have locked all of it.
 */
export async function sweepStep(
  db: Db,
  accounts: CompiledAccounts,
  accountId: number,
  productsMax: number = Infinity,
): Promise<Shelved | null> {
  const step = (tx: Tx) => sweepIn(tx, accounts, accountId, productsMax)
  try {
    const shelved = await inTransaction(db, step, LIMITS.shelveRetriesMax)
    if (shelved !== 'merged') {
      faultPoint('sweep:after-commit')
      return shelved
    }
  } catch (error) {
    if (!(error instanceof TooHeavy)) throw error
    return sweepStep(db, accounts, accountId, error.productIds.length)
  }
  faultPoint('sweep:after-merge')
  return sweepStep(db, accounts, accountId, productsMax)
}

/** What of a step is in one transaction. */
async function sweepIn(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  productsMax: number,
): Promise<Shelved | 'merged' | null> {
  const sweep = await sweepLockNext(tx, accountId)
  if (sweep === undefined) return null
  // in a transaction of their own: other workers need not wait for a batch to take what is merged or cut
  const overlapping = await sweepsLockOverlapping(tx, accountId, sweep)
  if (overlapping.length > 0) {
    const locked = [sweep, ...overlapping]
    await sweepsReplace(tx, accountId, locked, mergeSweeps(locked))
    return 'merged'
  }
  const parts = await partsOf(tx, accountId, sweep)
  if (parts.length > 1) {
    await sweepsReplace(tx, accountId, [sweep], parts)
    faultPoint('sweep:after-cut')
    return NOTHING
  }
  return sweepBatch(tx, accounts, accountId, sweep, productsMax)
}

async function sweepBatch(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  sweep: Sweep,
  productsMax: number,
): Promise<Shelved> {
  const { nextProductId, endProductId, storeId, half } = sweep
  const limit = Math.min(await batchProducts(tx, accountId), productsMax)
  const ids = (await productIdsAfter(tx, accountId, nextProductId, limit)).filter((id) => id <= endProductId)
  const result = await shelveIn(tx, accounts, accountId, ids, { storeId, half })
  faultPoint('sweep:before-progress')
  const upTo = ids.length < limit ? endProductId : (ids.at(-1) ?? endProductId)
  if (upTo === endProductId) await sweepDelete(tx, accountId, sweep)
  else await sweepAdvance(tx, accountId, sweep, upTo)
  faultPoint('sweep:after-progress')
  return result
}

/** The parts into which to cut a sweep, at multiples of a width that depends on the account's size; one when it is small. */
async function partsOf(tx: Tx, accountId: number, sweep: Sweep): Promise<Sweep[]> {
  // parts are that small already
  if (sweep.endProductId - sweep.nextProductId <= LIMITS.sweepPartIds) return [sweep]
  const { first, last } = await productIdRange(tx, accountId)
  const from = Math.max(sweep.nextProductId, first)
  const upTo = Math.min(sweep.endProductId, last)
  let width: number = LIMITS.sweepPartIds
  while ((last - first) / width > LIMITS.sweepPartsMax) width *= 2
  const cuts: number[] = []
  for (let cut = (Math.floor(from / width) + 1) * width; cut < upTo; cut += width) cuts.push(cut)
  // not worth it for little more than one part: it would be cut again at every new product
  if (cuts.length < 2) return [sweep]
  const starts = [sweep.nextProductId, ...cuts]
  return starts.map((nextProductId, i) => ({ ...sweep, nextProductId, endProductId: cuts[i] ?? sweep.endProductId }))
}
