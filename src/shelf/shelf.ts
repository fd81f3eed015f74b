import { isStale, staleAccounts, stalePosition, type StalePosition } from '../catalog/stale/stale.sql.ts'
import { markedProducts } from '../catalog/stale/marks.sql.ts'
import type { Db, Tx } from '../db/sql.ts'
import { inTransaction } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { startLoop, type Loop } from '../platform/loop.ts'
import { openCompiledAccounts } from './compiled-inputs.ts'
import { batchProducts, shelveBatch, type Shelved } from './shelve.ts'
import { sweepStep } from './sweep.ts'

/** How long a worker rests when nothing is stale; words from writers wake it before that. */
const IDLE_MS = 1_000
/** How long to rest when all that is stale is in another worker's hands. */
const HELD_MS = 10

export interface Shelf {
  /**
   * T1 then T2: runs `write` in a transaction, and shelves the products it returns before it resolves, so that what was
   * written is readable and in the feed. Sweeps are left to the loop, and so is what of more than a batch of products can not
   * be shelved in `waitMs` (none of it, when that is left out): `unshelved` names it.
   */
  write<T extends { productIds: readonly number[] }>(
    accountId: number,
    write: (tx: Tx) => Promise<T>,
    waitMs?: number,
  ): Promise<T & { unshelved: readonly number[] }>
  /**
   * Shelves until nothing that is stale now (or of what is marked up to a position) is left, or the time is over; for
   * commands and requests that end when their work can be read.
   */
  drain(
    accountId: number,
    onProgress?: (shelved: Shelved) => void,
    bounds?: { upTo?: StalePosition; waitMs?: number },
  ): Promise<Shelved>
  /** Starts a worker of this process. Any number of workers and processes may run. */
  startWorker(name: string): Loop
}

/** @param isServing whether this process is answering requests just now: then sweeps leave it half of the machine. */
export function openShelf(db: Db, wake: Wake, log: Log, isServing: () => boolean = () => false): Shelf {
  /** Where each account's walk over its marks stands; wraps around, so that no product starves. */
  const positions = new Map<number, number>()
  const accounts = openCompiledAccounts()
  let sweeping = 0
  let queue: number[] = []
  let isHinted = false
  /** Whether anything was done since the stale accounts were last looked for. */
  let isFruitful = true

  const told = (accountId: number, shelved: Shelved) => {
    if (shelved.changes > 0) wake.tell('change', accountId)
    return shelved
  }

  const markStep = async (accountId: number): Promise<{ found: number; shelved: Shelved }> => {
    const after = positions.get(accountId) ?? 0
    const limit = await batchProducts(db, accountId)
    // candidates for two workers: each locks the first batch that the other has not
    const ids = await markedProducts(db, accountId, after, 2 * limit)
    const shelved = await shelveBatch(db, accounts, accountId, ids, { skipLocked: true, limit })
    if (ids.length < 2 * limit) positions.delete(accountId)
    else positions.set(accountId, Math.max(shelved.lastId, positions.get(accountId) ?? 0))
    // a walk that began in the middle has not seen what lies before it
    return { found: ids.length === 0 && after > 0 ? 1 : ids.length, shelved: told(accountId, shelved) }
  }

  const sweepAlone = async (accountId: number) => {
    sweeping++
    try {
      return await sweepStep(
        db,
        accounts,
        accountId,
        isServing() ? LIMITS.shelveBatchProductsServing : LIMITS.shelveBatchProducts,
      )
    } finally {
      sweeping--
    }
  }

  /** Shelves products that were just written: a batch at once, more of them while the time lasts. @returns what is left. */
  const shelveNow = async (accountId: number, productIds: readonly number[], waitMs: number): Promise<number[]> => {
    const size = await batchProducts(db, accountId)
    const ids = productIds.toSorted((a, b) => a - b)
    const deadline = performance.now() + waitMs
    let next = 0
    const lane = async () => {
      while (next < ids.length && (ids.length <= size || performance.now() < deadline)) {
        const batch = ids.slice(next, next + size)
        next += size
        told(accountId, await shelveBatch(db, accounts, accountId, batch))
      }
    }
    // two at a time: while one waits for PostgreSQL the other resolves
    const lanes = [lane(), lane()]
    await Promise.allSettled(lanes)
    await Promise.all(lanes)
    return ids.slice(next)
  }

  /** One bounded piece of work for one account: a batch of marks, then a batch of its sweeps. */
  const accountStep = async (accountId: number) => {
    const marks = await markStep(accountId)
    // what one owner changed for all products can wait; what clients ask, and small writes, must not
    const mayNot = sweeping > 0 && isServing()
    const swept = mayNot ? null : await sweepAlone(accountId)
    if (swept !== null) told(accountId, swept)
    return {
      isMore: marks.found > 0 || swept !== null,
      isHeld: marks.found > 0 && marks.shelved.products === 0 && swept === null,
      shelved: {
        products: marks.shelved.products + (swept?.products ?? 0),
        lastId: Math.max(marks.shelved.lastId, swept?.lastId ?? 0),
        changes: marks.shelved.changes + (swept?.changes ?? 0),
      },
    }
  }

  return {
    async write(accountId, write, waitMs = 0) {
      const written = await inTransaction(db, write)
      let unshelved = written.productIds
      try {
        if (unshelved.length > 0) unshelved = await shelveNow(accountId, unshelved, waitMs)
      } catch (error) {
        // what is written is written; the newer release that is at work here shelves it from its marks
        if (!(error instanceof ShelfwireError && error.code === 'newer-release')) throw error
        log.warn({ err: error }, 'written, but not shelved here')
      } finally {
        // sweeps and anything left over; also what the batch above has done, which costs a worker one look
        wake.tell('mark', accountId)
      }
      return { ...written, unshelved }
    },
    async drain(accountId, onProgress = () => {}, { upTo, waitMs = Infinity } = {}) {
      const total: Shelved = { products: 0, lastId: 0, changes: 0 }
      const deadline = performance.now() + waitMs
      const asked = upTo ?? (await stalePosition(db, accountId))
      while (performance.now() < deadline && (await isStale(db, accountId, asked))) {
        // two at a time: while one waits for PostgreSQL the other resolves
        const both = [accountStep(accountId), accountStep(accountId)]
        // when one fails the other is waited for: nothing is left running behind the caller's back
        await Promise.allSettled(both)
        const steps = await Promise.all(both)
        for (const { shelved } of steps) {
          total.products += shelved.products
          total.changes += shelved.changes
          total.lastId = Math.max(total.lastId, shelved.lastId)
        }
        onProgress(total)
        if (steps.every(({ shelved }) => shelved.products === 0))
          await new Promise((resolve) => setTimeout(resolve, HELD_MS))
      }
      return total
    },
    startWorker(name) {
      const loop = startLoop({
        name,
        log,
        idleMs: IDLE_MS,
        async step() {
          // accounts take turns, a batch each, so that one account's million products do not keep others waiting
          const accountId = queue.shift()
          if (accountId === undefined) {
            isHinted = false
            // what is stale and yielded nothing is in other workers' hands: asking again at once would only cost
            const isHopeful = isFruitful
            isFruitful = false
            queue = await staleAccounts(db)
            return (queue.length > 0 && isHopeful) || isHinted ? 'more' : 'idle'
          }
          const { isMore, isHeld, shelved } = await accountStep(accountId)
          if (shelved.products > 0) isFruitful = true
          if (isMore && !queue.includes(accountId)) queue.push(accountId)
          if (isHeld) await new Promise((resolve) => setTimeout(resolve, HELD_MS))
          return 'more'
        },
      })
      wake.on('mark', (accountId) => {
        isHinted = true
        if (!queue.includes(accountId)) queue.push(accountId)
        loop.poke()
      })
      return loop
    },
  }
}
