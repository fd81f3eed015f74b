import type { StalePosition } from '../catalog/stale/stale.sql.ts'
import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { startLoop, type Loop } from '../platform/process/loop.ts'
import { compiledAccounts } from '../shelf/inputs/compiled-inputs.ts'
import { accountStep, type Failures } from './step.ts'
import {
  accountsWithOldOperations,
  accountsWithOperations,
  chunksDelete,
  operationEnd,
  operationInsert,
  operationLock,
  operationsTrim,
  resolveShared,
  waitingCount,
} from './operations.sql.ts'

/** How long the loop sleeps without work; notifications of new operations wake it earlier. */
const IDLE_MS = 500
const TRIM_MS = 60_000

export interface Operations {
  /**
   * Makes an operation that follows payloads up to a position of marks and sweeps: it is `resolving` until none up to the position
   * waits. @param total number of affected products; counted if left out.
   * @returns the operation's id.
   */
  track(accountId: number, position: StalePosition, total?: number): Promise<number>
}

/**
 * Cancels a preview, or a bulk: its written rows are kept, the others are not written. Does nothing if the operation has ended.
 * @throws ShelfwireError unknown-operation; conflict for an operation that follows from a write and so cannot be cancelled.
 */
export async function cancelOperation(tx: Tx, accountId: number, operationId: number): Promise<void> {
  const operation = await operationLock(tx, accountId, operationId)
  if (operation === undefined)
    throw new ShelfwireError('unknown-operation', `the account has no operation ${operationId}`)
  const { kind, state } = operation
  if (state === 'succeeded' || state === 'failed' || state === 'canceled') return
  if (kind === 'delete_store' || kind === 'delete_supplier') {
    throw new ShelfwireError(
      'conflict',
      'what is being deleted counts nowhere any more, and its rows follow; that cannot be stopped',
    )
  }
  if (state === 'resolving')
    throw new ShelfwireError(
      'conflict',
      'all of it is written, and payloads must follow what is written; that cannot be stopped',
    )
  await chunksDelete(tx, accountId, operationId)
  await operationEnd(tx, accountId, operationId, 'canceled')
}

export function openOperations(db: Db, wake: Wake): Operations {
  return {
    async track(accountId, position, total) {
      const operationId = await inTransaction(db, async (tx) => {
        const shared = await resolveShared(tx, accountId, position)
        if (shared !== undefined) return shared
        const count = total ?? (await waitingCount(tx, accountId, position))
        return operationInsert(tx, accountId, { kind: 'resolve', state: 'resolving', total: count, position })
      })
      wake.notify('operation', accountId)
      return operationId
    },
  }
}

/** Deletes operations that ended long ago, in small transactions. */
export async function trimOperations(db: Db, signal: AbortSignal): Promise<void> {
  const old = await db.nodes.scan('old operations', (accounts) =>
    accountsWithOldOperations(db, LIMITS.operationDaysMax, accounts),
  )
  const trim = (tx: Tx, accountId: number) =>
    operationsTrim(tx, accountId, LIMITS.operationDaysMax, LIMITS.operationsDeletedPerStep)
  for (const accountId of old.rows)
    await db.nodes.unlessAway(accountId, async () => {
      while (!signal.aborted && (await inTransaction(db, (tx) => trim(tx, accountId))));
    })
}

/**
 * Starts processing operations. Any number of processes may run this: each chunk is processed by one of them, and accounts
 * take turns, a chunk each.
 * @param isServing whether this process has received a request within the last moments: previews then go slower
 */
export function startOperations(db: Db, wake: Wake, log: Log, isServing: () => boolean = () => false): Loop {
  const failures: Failures = new Map()
  const accounts = compiledAccounts(db)
  let queue: number[] = []
  let isHinted = false
  /** Whether any step since the last scan for accounts was productive. */
  let isProductive = true
  let trimAt = 0
  const loop = startLoop({
    name: 'operations',
    log,
    idleMs: IDLE_MS,
    async step(signal) {
      if (performance.now() >= trimAt) {
        await trimOperations(db, signal)
        trimAt = performance.now() + TRIM_MS
      }
      const accountId = queue.shift()
      if (accountId === undefined) {
        isHinted = false
        // if no account made progress, their work is with other workers or waits for payloads, and an immediate retry would be wasted
        const wasProductive = isProductive
        isProductive = false
        queue = [...(await db.nodes.scan('operations', (accounts) => accountsWithOperations(db, accounts))).rows]
        return (queue.length > 0 && wasProductive) || isHinted ? 'more' : 'idle'
      }
      const stepped = db.resting.has(accountId)
        ? undefined
        : await db.nodes.unlessAway(accountId, () => accountStep(db, log, accountId, failures, accounts, isServing))
      if (stepped === undefined) return 'more'
      if (stepped.isMarked) wake.notify('mark', accountId, stepped.traceparent)
      if (stepped.isProductive) {
        isProductive = true
        if (!queue.includes(accountId)) queue.push(accountId)
      }
      return 'more'
    },
  })
  wake.on('operation', (accountId) => {
    isHinted = true
    if (!queue.includes(accountId)) queue.push(accountId)
    loop.poke()
  })
  return loop
}
