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
 * One step of the account's sweeps, the oldest first. Sweeps that wait for the same products are merged, so that each
 * product is shelved once for all of them: a merged sweep walks from the present position to the end and then around to that
 * position. A sweep over many products is cut into parts, which workers take in parallel. Any other step shelves the next
 * batch of a part and records the progress, in one transaction. Products created meanwhile have marks of their own.
 * @param productsMax batch size: a smaller one lets the process do other work more often.
 * @returns null if there was nothing to sweep, or other workers have locked all of it.
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

/** The part of a step that is one transaction. */
async function sweepIn(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  productsMax: number,
): Promise<Shelved | 'merged' | null> {
  const sweep = await sweepLockNext(tx, accountId)
  if (sweep === undefined) return null
  // merging and cutting are transactions of their own, so that other workers need not wait for a batch
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

/**
 * The parts that a sweep is cut into, at multiples of a width that depends on the account's size; a small sweep stays whole.
 */
async function partsOf(tx: Tx, accountId: number, sweep: Sweep): Promise<Sweep[]> {
  // not wider than a part
  if (sweep.endProductId - sweep.nextProductId <= LIMITS.sweepPartIds) return [sweep]
  const { first, last } = await productIdRange(tx, accountId)
  const from = Math.max(sweep.nextProductId, first)
  const upTo = Math.min(sweep.endProductId, last)
  let width: number = LIMITS.sweepPartIds
  while ((last - first) / width > LIMITS.sweepPartsMax) width *= 2
  const cuts: number[] = []
  for (let cut = (Math.floor(from / width) + 1) * width; cut < upTo; cut += width) cuts.push(cut)
  // a second part would hardly be worth it, and new products would cause cuts again and again
  if (cuts.length < 2) return [sweep]
  const starts = [sweep.nextProductId, ...cuts]
  return starts.map((nextProductId, i) => ({ ...sweep, nextProductId, endProductId: cuts[i] ?? sweep.endProductId }))
}
