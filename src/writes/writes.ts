import { isStale, stalePosition } from '../catalog/stale/stale.sql.ts'
import type { Written } from '../catalog/stale/written.ts'
import { rethrowAfterWrite } from '../db/connections/connection-errors.ts'
import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { createdAccountPut, createdAccountTake, type CreatedAccount } from './created-accounts.sql.ts'
import { openAnswerRoom } from './answer-room.ts'
import { keyAnswer, keyAnswered, keyTake, type Remembered } from './remembered-answers.sql.ts'
import type { Operations } from '../operations/operations.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import type { Shelf } from '../shelf/shelf.ts'
import type { ShelvedCounts } from '../shelf/shelve.ts'

/** An answer as it is stored under an idempotency key. */
export type RememberedAnswer = Omit<Remembered, 'requestHash'>

/** The work of a write. `isQueued`: it left work to an operation. */
export type Work<T> = (tx: Tx) => Promise<Written<T> & { readonly isQueued?: boolean }>

export interface WriteOptions<T> {
  /**
   * How long to wait until the write can be read, in ms; LIMITS.settleMs by default. Longer work becomes an operation.
   * Infinity: until everything is shelved; an error in shelving is thrown.
   */
  waitMs?: number
  /** Runs the write once: for LIMITS.idempotencyKeyHours, the same request with the same key gets the stored answer. */
  idempotency?: {
    key: string
    requestHash: string
    answerOf(value: T): RememberedAnswer
    /** The answer for a repetition if the account has no room for the actual one. */
    withoutRoom(bytes: number): RememberedAnswer
  }
  onProgress?: (shelved: ShelvedCounts) => void
}

/** The result of a write, or the stored answer if the write was made before. */
export type WriteResult<T> = ({ isReplay: false; value: T } | { isReplay: true; answer: RememberedAnswer }) & {
  /** The operation that shows the progress of payloads, if they take longer than the wait. */
  operationId: number | null
}

export interface Writes {
  /**
   * Runs `work`, a write by HTTP or a command, in one transaction with its idempotency key and stored answer, so that a crash
   * at any point cannot repeat it. Then waits for exactly what the write returned: its products are shelved, or the sweeps of
   * the account are processed.
   * @throws ShelfwireError idempotency-key-reused if the key was used with another request; errors of `work`.
   */
  write<T>(accountId: number, work: Work<T>, options?: WriteOptions<T>): Promise<WriteResult<T>>
  /**
   * The same for a write that creates an account, which has no keys yet: the answer is stored with the new account and deleted
   * with it.
   * @throws ShelfwireError also unknown-account if the request is repeated and the account was erased
   */
  create<T>(
    work: (tx: Tx) => Promise<{ accountId: number; value: T }>,
    options: Pick<WriteOptions<T>, 'idempotency'>,
  ): Promise<WriteResult<T>>
}

export interface WriteRooms {
  db: Db
  wake: Wake
  log: Log
  shelf: Shelf
  operations: Operations
}

export function openWrites(rooms: WriteRooms): Writes {
  const { wake, shelf } = rooms
  const room = openAnswerRoom()
  return {
    async write(accountId, work, { waitMs = LIMITS.settleMs, idempotency, onProgress } = {}) {
      const written = await shelf.write(
        accountId,
        async (tx) => {
          const known =
            idempotency === undefined
              ? undefined
              : await keyTake(tx, accountId, idempotency.key, idempotency.requestHash)
          if (known !== undefined) {
            const answer = requireSameRequest(known, idempotency?.requestHash)
            return { result: { isReplay: true as const, answer }, productIds: [], isForAll: false, isQueued: false }
          }
          const { value, productIds, isForAll, isQueued = false, half } = await work(tx)
          // not awaited: sent with the commit
          if (idempotency !== undefined) {
            const answer = idempotency.answerOf(value)
            const bytes = Buffer.byteLength(answer.body)
            const kept = room.take(accountId, bytes) ? answer : idempotency.withoutRoom(bytes)
            void keyAnswer(tx, accountId, idempotency.key, kept).execute()
          }
          return { result: { isReplay: false as const, value }, productIds, isForAll, isQueued, half }
        },
        // with Infinity, waitUntilReadable() drains what does not fit into one batch, because only draining reports progress
        waitMs === Infinity ? 0 : waitMs,
      )
      const { result, isForAll, isQueued, unshelved } = written
      // makes processes read their cached stores again at once rather than after a moment
      if (isForAll) wake.notify('directory', accountId)
      if (isQueued) wake.notify('operation', accountId)
      const unsettled = { isReplay: result.isReplay, isForAll, unshelved: unshelved.length }
      const operationId = await waitUntilReadable(rooms, accountId, unsettled, waitMs, onProgress).catch(
        rethrowAfterWrite,
      )
      return { ...result, operationId }
    },
    async create(work, { idempotency }) {
      const { accountId, ...result } = await inTransaction(rooms.db, async (tx) => {
        const known =
          idempotency === undefined ? undefined : await createdAccountTake(tx, idempotency.key, idempotency.requestHash)
        if (known !== undefined && idempotency !== undefined) {
          const answer = await answerOfCreation(tx, known, idempotency)
          return { isReplay: true as const, answer, accountId: known.accountId }
        }
        const { accountId: created, value } = await work(tx)
        if (idempotency !== undefined) {
          await createdAccountPut(tx, idempotency.key, created)
          await keyTake(tx, created, idempotency.key, idempotency.requestHash)
          await keyAnswer(tx, created, idempotency.key, idempotency.answerOf(value))
        }
        return { isReplay: false as const, value, accountId: created }
      })
      wake.notify('directory', accountId)
      const unsettled = { isReplay: result.isReplay, isForAll: true, unshelved: 0 }
      const operationId = await waitUntilReadable(rooms, accountId, unsettled, LIMITS.settleMs).catch(rethrowAfterWrite)
      return { ...result, operationId }
    },
  }
}

function requireSameRequest(known: Remembered, requestHash: string | undefined): RememberedAnswer {
  if (known.requestHash === requestHash) return known
  throw keyReused()
}

const keyReused = () =>
  new ShelfwireError(
    'idempotency-key-reused',
    'this Idempotency-Key came with another request before; use a new key for a new write, and the same bytes for a repetition',
  )

/** @throws ShelfwireError idempotency-key-reused; unknown-account */
async function answerOfCreation(
  tx: Tx,
  { accountId, requestHash }: CreatedAccount,
  idempotency: { key: string; requestHash: string },
): Promise<RememberedAnswer> {
  if (requestHash !== idempotency.requestHash) throw keyReused()
  const answer = await keyAnswered(tx, accountId, idempotency.key)
  if (answer !== undefined) return answer
  throw new ShelfwireError('unknown-account', `account ${accountId}, which this request created, was erased`)
}

/** The part of a write that may not be readable yet. */
interface Unsettled {
  /** Whether this repeats an earlier request, whose products or sweeps may still be stale. */
  isReplay: boolean
  isForAll: boolean
  /** Products that were not shelved in time. */
  unshelved: number
}

/**
 * Waits until a committed write can be read, and shelves meanwhile; the workers shelve the rest in any case. An error in
 * shelving is logged; with waitMs Infinity it is thrown.
 * @returns the operation that continues, or null.
 */
async function waitUntilReadable(
  { db, shelf, operations, log }: WriteRooms,
  accountId: number,
  { isReplay, isForAll, unshelved }: Unsettled,
  waitMs: number,
  onProgress?: (shelved: ShelvedCounts) => void,
): Promise<number | null> {
  if (!isReplay && !isForAll && unshelved === 0) return null
  const all = await stalePosition(db, accountId)
  if (waitMs === Infinity) {
    const upTo = isReplay ? all : { markId: unshelved > 0 ? all.markId : 0, sweepId: isForAll ? all.sweepId : 0 }
    await shelf.drain(accountId, onProgress, { upTo })
    return null
  }
  if (unshelved > 0) return operations.track(accountId, { ...all, sweepId: 0 }, unshelved)
  // a write of settings waits for sweeps only, not for the marks of a concurrent import
  const asked = isReplay ? all : { ...all, markId: 0 }
  try {
    if (!(await isStale(db, accountId, asked))) return null
    await shelf.drain(accountId, onProgress, { upTo: asked, waitMs })
  } catch (error) {
    log.warn({ err: error }, 'written, but not shelved here')
  }
  // for a repeated request, the remaining marks may be from other writes, so no operation is created
  return !isReplay && (await isStale(db, accountId, asked)) ? operations.track(accountId, asked) : null
}
