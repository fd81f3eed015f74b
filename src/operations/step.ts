import { QuotaExceeded } from '../accounts/limits/quota.ts'
import { stalePosition } from '../catalog/stale/stale.sql.ts'
import { isServerError } from '../db/connections/connection-errors.ts'
import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import { asError } from '../platform/errors.ts'
import { faultPoint } from '../platform/process/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { tracer, type Span } from '../platform/tracing/tracing.ts'
import { writeRows, type BulkKind, type BulkResult } from './bulk/write.ts'
import { compiledAccounts, type CompiledAccounts } from '../shelf/inputs/compiled-inputs.ts'
import { deletionStep } from './deletion/step.ts'
import { previewNext } from './preview/step.ts'
import {
  chunkDelete,
  chunksDelete,
  errorsInsert,
  operationCount,
  operationEnd,
  type OperationKind,
  operationLock,
  operationResolve,
  operationsSettle,
  type Work,
  workLockNext,
} from './operations.sql.ts'

/** Lanes: the operations of a lane run in order. Lanes are independent, so that a deletion of a million products delays no bulk. */
const LANES: readonly (readonly OperationKind[])[] = [
  ['bulk_offers', 'bulk_prices', 'bulk_stock', 'bulk_overrides', 'bulk_exclusions'],
  ['delete_store', 'delete_supplier'],
  ['preview'],
]

/** How often each chunk has failed in this process, by account, operation and first row. */
export type Failures = Map<string, number>

/** The result of a step. */
export interface Stepped {
  /** Whether anything was done, so that there may be more. */
  isProductive: boolean
  /** Whether products may have been marked. */
  isMarked: boolean
  /** The trace of the operation that last marked products, if it is in one. */
  traceparent: string | undefined
}

/**
 * One bounded step for an account: a chunk of a bulk, a step of a deletion and one of a preview. Each runs in one transaction with
 * its counts and its progress, so that a crash neither loses nor repeats it. Then ends the operations whose products have all been
 * shelved.
 * @param isServing whether this process has received a request within the last moments: previews then go slower
 */
export async function accountStep(
  db: Db,
  log: Log,
  accountId: number,
  failures: Failures,
  accounts: CompiledAccounts = compiledAccounts(db),
  isServing: () => boolean = () => false,
): Promise<Stepped> {
  let isMarked = false
  let isProductive = false
  let traceparent: string | undefined
  for (const kinds of LANES) {
    const work = await laneStep(db, log, accounts, accountId, kinds, failures, isServing)
    if (work === undefined) continue
    isProductive = true
    if (work.kind === 'preview') continue
    isMarked = true
    if (tracer() !== null) traceparent = work.traceparent ?? undefined
  }
  const settled = await inTransaction(db, (tx) => operationsSettle(tx, accountId))
  return { isProductive: isProductive || settled > 0, isMarked, traceparent }
}

/** @returns the step that was done; undefined if there was nothing to do, or it failed. */
async function laneStep(
  db: Db,
  log: Log,
  accounts: CompiledAccounts,
  accountId: number,
  kinds: readonly OperationKind[],
  failures: Failures,
  isServing: () => boolean,
): Promise<Work | undefined> {
  let work: Work | undefined
  try {
    await inTransaction(db, async (tx) => {
      work = await workLockNext(tx, accountId, kinds)
      if (work === undefined) return
      using span = beginChunk(accountId, work)
      if (isDeletion(work)) await deleteNext(tx, accountId, work)
      else if (work.kind === 'preview') await previewNext(tx, accounts, accountId, work, isServing)
      else await writeChunk(tx, accountId, work)
      span?.done()
      faultPoint('operation:before-commit')
    })
  } catch (error) {
    if (work === undefined || isServerError(error)) throw error
    await noteFailure(db, log, accountId, work, asError(error), failures)
    return undefined
  }
  if (work === undefined) return undefined
  faultPoint('operation:after-commit')
  failures.delete(nameOf(accountId, work))
  return work
}

/** Begins the span of a chunk, in the trace of the request that asked for the operation; null if traces are off. */
function beginChunk(accountId: number, { operationId, kind, firstRow, traceparent }: Work): Span | null {
  const tracing = tracer()
  return (
    tracing?.begin({
      name: `operation ${kind}`,
      kind: 'internal',
      parent: tracing.read(traceparent),
      attributes: {
        'shelfwire.account_id': accountId,
        'shelfwire.operation_id': operationId,
        'shelfwire.first_row': firstRow,
      },
    }) ?? null
  )
}

const isDeletion = ({ kind }: Work) => kind === 'delete_store' || kind === 'delete_supplier'
const nameOf = (accountId: number, { operationId, firstRow }: Work) => `${accountId}.${operationId}.${firstRow}`

/** Writes the rows of a chunk like a request with these rows, and deletes the chunk. */
async function writeChunk(tx: Tx, accountId: number, work: Work): Promise<void> {
  const { operationId, firstRow, isDryRun } = work
  const rows = JSON.parse(work.rows) as unknown[]
  const { value: results } = await writeRows(tx, accountId, work.kind as BulkKind, rows, isDryRun)
  const refused = results.flatMap(({ faults }, i) => (faults === undefined ? [] : [{ row: firstRow + i, faults }]))
  if (refused.length > 0) await errorsInsert(tx, accountId, operationId, refused)
  const count = (...statuses: BulkResult['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length
  await operationCount(tx, accountId, operationId, {
    done: rows.length,
    changed: count('created', 'changed'),
    unchanged: count('unchanged'),
    failed: count('failed'),
  })
  const isMore = await chunkDelete(tx, accountId, work)
  if (isMore) return
  if (isDryRun) await operationEnd(tx, accountId, operationId, 'succeeded')
  else await operationResolve(tx, accountId, operationId, await stalePosition(tx, accountId))
}

async function deleteNext(tx: Tx, accountId: number, work: Work): Promise<void> {
  const { operationId } = work
  const { done, isDone } = await deletionStep(tx, accountId, work)
  await operationCount(tx, accountId, operationId, { done, changed: done, unchanged: 0, failed: 0 })
  if (!isDone) return
  await chunksDelete(tx, accountId, operationId)
  await operationResolve(tx, accountId, operationId, await stalePosition(tx, accountId))
}

/**
 * Counts a failure. A bulk or preview is ended if one chunk fails too often, and at once if a budget is used up. A deletion is retried
 * forever, because nobody could repeat it.
 */
async function noteFailure(
  db: Db,
  log: Log,
  accountId: number,
  work: Work,
  error: Error,
  failures: Failures,
): Promise<void> {
  const name = nameOf(accountId, work)
  const count = (failures.get(name) ?? 0) + 1
  failures.set(name, count)
  const isFull = error instanceof QuotaExceeded
  const isOver = (isFull || count >= LIMITS.operationAttemptsMax) && !isDeletion(work)
  log[isFull ? 'info' : isOver || count > LIMITS.operationAttemptsMax ? 'error' : 'warn'](
    { err: error, accountId, operationId: work.operationId, firstRow: work.firstRow, attempt: count },
    'a step of an operation failed',
  )
  if (!isOver) return
  failures.delete(name)
  await inTransaction(db, async (tx) => {
    const operation = await operationLock(tx, accountId, work.operationId)
    if (operation === undefined || !['queued', 'running'].includes(operation.state)) return
    await chunksDelete(tx, accountId, work.operationId)
    const last = work.firstRow + LIMITS.operationChunkRows - 1
    const message =
      work.kind === 'preview'
        ? 'products could not be looked at because of an internal error; nothing was written'
        : `rows ${work.firstRow} to at most ${last} could not be written because ${isFull ? error.message : 'of an internal error'}; earlier rows are written, later rows are not`
    await operationEnd(tx, accountId, work.operationId, 'failed', message)
  })
}
