import { isStale, staleAccounts, stalePosition, type StalePosition } from '../catalog/stale/stale.sql.ts'
import { markedProducts } from '../catalog/stale/marks.sql.ts'
import type { Db, Tx } from '../db/sql.ts'
import { sayWritten } from '../db/connection-errors.ts'
import { inTransaction } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { startLoop, type Loop } from '../platform/loop.ts'
import { openCompiledAccounts } from './compiled-inputs.ts'
import { batchProducts, shelveBatch, type Shelved } from './shelve.ts'
import { sweepStep } from './sweep.ts'

/** How long a worker sleeps when nothing is stale, unless a writer's notification wakes it. */
const IDLE_MS = 1_000
/** How long all accounts are not looked through again after none was found. */
const LOOK_REST_MS = 500
/** How long to wait when other workers have locked everything that is stale. */
const LOCKED_MS = 10

export interface Shelf {
  /**
   * Runs `write` in a transaction (T1), then shelves the products that it returns (T2), so that what was written can be
   * read and is in the feed when the promise resolves. Sweeps are left to the workers. So are, of a write larger than one
   * batch, the batches that do not begin within `waitMs` (0 by default: none begins); they are returned as `unshelved`.
   * The workers are notified of what is left to them; with `isForAll` false that is nothing but those.
   */
  write<T extends { productIds: readonly number[]; isForAll?: boolean }>(
    accountId: number,
    write: (tx: Tx) => Promise<T>,
    waitMs?: number,
  ): Promise<T & { unshelved: readonly number[] }>
  /**
   * Shelves until everything that is stale now (or was up to a position) is shelved, or the time is over; for commands
   * and requests that end when their work can be read.
   */
  drain(
    accountId: number,
    onProgress?: (shelved: Shelved) => void,
    bounds?: { upTo?: StalePosition; waitMs?: number },
  ): Promise<Shelved>
  /** Starts a worker of this process. Any number of workers and processes may run. */
  startWorker(name: string): Loop
}

/**
 * @param isServing whether this process received a request a moment ago: then it sweeps with one worker, in small batches.
 */
export function openShelf(db: Db, wake: Wake, log: Log, isServing: () => boolean = () => false): Shelf {
  /** Where each account's walk over its marks is; wraps around, so that no product starves. */
  const positions = new Map<number, number>()
  const accounts = openCompiledAccounts()
  let sweeping = 0
  let queue: number[] = []
  let isHinted = false
  /** When all accounts were last looked through, by performance.now(). */
  let lookedAt = -Infinity
  /** Whether it found some then: more may have come meanwhile, as in an import without notifications. */
  let hasFound = true
  /** Whether anything was shelved since the stale accounts were last read. */
  let hasProgress = true

  const notified = (accountId: number, shelved: Shelved) => {
    if (shelved.changes > 0) wake.notify('change', accountId)
    return shelved
  }

  const markStep = async (accountId: number): Promise<{ found: number; shelved: Shelved }> => {
    const after = positions.get(accountId) ?? 0
    const limit = await batchProducts(db, accountId)
    // enough for two workers: each locks the first batch that the other has not locked
    const ids = await markedProducts(db, accountId, after, 2 * limit)
    const shelved = await shelveBatch(db, accounts, accountId, ids, { skipLocked: true, limit })
    if (ids.length < 2 * limit) positions.delete(accountId)
    else positions.set(accountId, Math.max(shelved.lastId, positions.get(accountId) ?? 0))
    // a walk that began in the middle has not seen what is before it
    return { found: ids.length === 0 && after > 0 ? 1 : ids.length, shelved: notified(accountId, shelved) }
  }

  const countedSweep = async (accountId: number) => {
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

  /**
   * Shelves products that were just written: all of them if they fit into one batch, otherwise the batches that begin in
   * time. @returns the rest.
   */
  const shelveNow = async (accountId: number, productIds: readonly number[], waitMs: number): Promise<number[]> => {
    const size = await batchProducts(db, accountId)
    const ids = productIds.toSorted((a, b) => a - b)
    const deadline = performance.now() + waitMs
    let next = 0
    const shelveBatches = async () => {
      while (next < ids.length && (ids.length <= size || performance.now() < deadline)) {
        const batch = ids.slice(next, next + size)
        next += size
        notified(accountId, await shelveBatch(db, accounts, accountId, batch))
      }
    }
    // two at a time: while one waits for PostgreSQL the other resolves
    const both = [shelveBatches(), shelveBatches()]
    await Promise.allSettled(both)
    await Promise.all(both)
    return ids.slice(next)
  }

  /** One step of work for one account: a batch of marks, then a batch of its sweeps. */
  const accountStep = async (accountId: number) => {
    const marks = await markStep(accountId)
    // a change to all products of an account can wait; requests and small writes must not
    const mustWait = sweeping > 0 && isServing()
    const swept = mustWait ? null : await countedSweep(accountId)
    if (swept !== null) notified(accountId, swept)
    return {
      isMore: marks.found > 0 || swept !== null,
      isLocked: marks.found > 0 && marks.shelved.products === 0 && swept === null,
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
      let isLeft = true
      try {
        if (unshelved.length > 0) unshelved = await shelveNow(accountId, unshelved, waitMs)
        isLeft = unshelved.length > 0 || written.isForAll !== false
      } catch (error) {
        // the write is committed; the newer release that runs on this database shelves it from its marks
        if (!(error instanceof ShelfwireError && error.code === 'newer-release')) sayWritten(error)
        log.warn({ err: error }, 'written, but not shelved here')
      } finally {
        // every worker of every process looks: a small write that is shelved already must not cost several times itself
        if (isLeft) wake.notify('mark', accountId)
      }
      return { ...written, unshelved }
    },
    async drain(accountId, onProgress = () => {}, { upTo, waitMs = Infinity } = {}) {
      const total: Shelved = { products: 0, lastId: 0, changes: 0 }
      const deadline = performance.now() + waitMs
      const position = upTo ?? (await stalePosition(db, accountId))
      while (performance.now() < deadline && (await isStale(db, accountId, position))) {
        // two at a time: while one waits for PostgreSQL the other resolves
        const both = [accountStep(accountId), accountStep(accountId)]
        // when one fails the other is still awaited: nothing keeps running after this call
        await Promise.allSettled(both)
        const steps = await Promise.all(both)
        for (const { shelved } of steps) {
          total.products += shelved.products
          total.changes += shelved.changes
          total.lastId = Math.max(total.lastId, shelved.lastId)
        }
        onProgress(total)
        if (steps.every(({ shelved }) => shelved.products === 0))
          await new Promise((resolve) => setTimeout(resolve, LOCKED_MS))
      }
      return total
    },
    startWorker(name) {
      const loop = startLoop({
        name,
        log,
        idleMs: IDLE_MS,
        async step() {
          // a batch per account at a time, so that one account's million products do not keep others waiting
          const accountId = queue.shift()
          if (accountId === undefined) {
            isHinted = false
            // notifications name their accounts, so looking through all of them, on a cluster on every shard, is for those that got lost
            const now = performance.now()
            if (!hasFound && now - lookedAt < LOOK_REST_MS) return 'idle'
            lookedAt = now
            // if a whole round shelved nothing, other workers have locked what is stale: do not query again at once
            const hadProgress = hasProgress
            hasProgress = false
            const stale = await db.nodes.scan('stale', (accounts) => staleAccounts(db, accounts))
            queue = [...stale.rows]
            // while a node is away a scan is one of some accounts
            hasFound = queue.length > 0 || !stale.isWhole
            return (queue.length > 0 && hadProgress) || isHinted ? 'more' : 'idle'
          }
          const stepped = await db.nodes.unlessAway(accountId, () => accountStep(accountId))
          if (stepped === undefined) return 'more'
          const { isMore, isLocked, shelved } = stepped
          if (shelved.products > 0) hasProgress = true
          if (isMore && !queue.includes(accountId)) queue.push(accountId)
          if (isLocked) await new Promise((resolve) => setTimeout(resolve, LOCKED_MS))
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
