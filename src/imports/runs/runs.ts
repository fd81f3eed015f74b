import { requireHourly } from '../../accounts/limits/hourly.ts'
import { supplierLockShared } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { requireSmallMapping } from '../../supplier-files/mapping-document.ts'
import type { KeptFile } from '../files/run-files.ts'
import { requireFileRoom } from './file-room.ts'
import { confirmObstacle, undoObstacle } from './obstacles.ts'
import {
  openRunOfSource,
  runAge,
  runCancel,
  runConfirm,
  runGet,
  runInsert,
  runLock,
  runsOpenCount,
  runUndoneBy,
  type LockedRun,
  type RunTrigger,
} from './runs.sql.ts'

// What owners and schedules do with runs. Each function takes a transaction; the caller notifies the topic `import` after its commit.

export interface RunRequest {
  supplierId: number
  /** The source from which the file is fetched; null: `file` is given. */
  sourceId: number | null
  trigger: Exclude<RunTrigger, 'undo'>
  mode: 'full' | 'delta'
  /** A mapping document, or `{"preset": name, ...}`; checked by the caller. */
  mapping: unknown
  file: KeptFile | null
  isDryRun: boolean
  isConfirmed: boolean
}

/**
 * Requests a run, which waits for its turn. A source that already has a waiting or running run gets no second one.
 * @returns the id of the new run, or of the source's open run.
 * @throws ShelfwireError unknown-supplier; conflict when too many runs of the supplier wait; quota-exceeded.
 */
export async function enqueueRun(tx: Tx, accountId: number, request: RunRequest): Promise<number> {
  const { supplierId, sourceId } = request
  if ((await runsOpenCount(tx, accountId, supplierId)) >= LIMITS.importRunsOpenPerSupplierMax)
    throw new ShelfwireError(
      'conflict',
      `${LIMITS.importRunsOpenPerSupplierMax} imports of this supplier wait or run: wait for them, or cancel some`,
    )
  await requireHourly(tx, accountId, 'imports_per_hour', (n) => runAge(tx, accountId, n))
  if (request.trigger === 'upload' && request.file !== null) await requireFileRoom(tx, accountId, request.file)
  for (;;) {
    const runId = await runInsert(tx, accountId, request)
    if (runId !== undefined) return runId
    const open = sourceId === null ? undefined : await openRunOfSource(tx, accountId, sourceId)
    if (open !== undefined) return open
  }
}

/** How a repeated run differs from the run whose file it imports again. */
export interface RunRepeat {
  /** A mapping as it was given, validated; undefined: that of the earlier run. */
  mapping?: unknown
  mode?: 'full' | 'delta'
  isDryRun: boolean
  isConfirmed: boolean
}

/**
 * Requests another run with the file of a run. The row of that run is locked, so that its file is not removed before the new run names it.
 * @returns the new run's id.
 * @throws ShelfwireError unknown-run; conflict when the file is not stored, or not any more; as enqueueRun does.
 */
export async function repeatRun(tx: Tx, accountId: number, runId: number, repeat: RunRepeat): Promise<number> {
  // the supplier is locked before its run, as in a deletion
  const { supplierId } = (await runGet(tx, accountId, runId)) ?? unknownRun(runId)
  await supplierLockShared(tx, accountId, supplierId)
  await lock(tx, accountId, runId)
  const run = (await runGet(tx, accountId, runId)) ?? unknownRun(runId)
  const { fileKey, fileName, fileBytes, fileHash } = run
  if (fileKey === null || fileName === null || fileBytes === null || fileHash === null)
    throw new ShelfwireError('conflict', `the file of run ${runId} is not kept, or not any more: send it again`)
  // a mapping that an earlier release stored may be larger than is allowed now
  if (repeat.mapping === undefined) requireSmallMapping(run.mapping)
  return enqueueRun(tx, accountId, {
    supplierId,
    sourceId: null,
    trigger: 'request',
    mode: repeat.mode ?? run.mode,
    mapping: repeat.mapping ?? run.mapping,
    file: { key: fileKey, name: fileName, bytes: fileBytes, hash: fileHash },
    isDryRun: repeat.isDryRun,
    isConfirmed: repeat.isConfirmed,
  })
}

/**
 * Confirms a held run, which is then imported although it exceeds thresholds; it waits for its turn again.
 * @throws ShelfwireError unknown-run; conflict when it is not held, was a dry run, its file is not stored any more, or a newer run of the supplier
 * has been imported.
 */
export async function confirmRun(tx: Tx, accountId: number, runId: number): Promise<void> {
  const run = await lock(tx, accountId, runId)
  const obstacle = await confirmObstacle(tx, accountId, run)
  if (obstacle !== null) throw new ShelfwireError('conflict', obstacle.text)
  await runConfirm(tx, accountId, runId)
}

/**
 * Cancels a run at any time before everything is written: written pages stay, the rest is not written. Does nothing if the run has ended.
 * @throws ShelfwireError unknown-run; conflict when everything is written.
 */
export async function cancelRun(tx: Tx, accountId: number, runId: number): Promise<void> {
  const run = await lock(tx, accountId, runId)
  if (run.state === 'resolving')
    throw new ShelfwireError('conflict', 'all of it is written, and payloads must follow; that cannot be stopped')
  if (run.state === 'held') {
    await runCancel(tx, accountId, runId, { code: 'conflict', detail: 'canceled while it was held', errors: [] })
    return
  }
  if (run.state !== 'waiting' && run.state !== 'fetching' && run.state !== 'reading' && run.state !== 'writing') return
  // the changes that this undo has not restored can be undone later
  if (run.undoesRunId !== null) await runUndoneBy(tx, accountId, run.undoesRunId, null)
  const isPartial = run.hasWritten && !run.isDryRun
  const detail = isPartial ? 'canceled: what was written before stays' : 'canceled before anything was written'
  await runCancel(tx, accountId, runId, { code: 'conflict', detail, errors: [] })
}

/**
 * Requests an undo of the last full run of a supplier. @returns the id of the run that undoes it.
 * @param isForced whether offers that were changed since get their earlier values back, too
 * @throws ShelfwireError unknown-run; conflict for any other run.
 */
export async function undoRun(tx: Tx, accountId: number, runId: number, isForced = false): Promise<number> {
  // the supplier is locked before its run, as in a deletion
  const { supplierId } = (await runGet(tx, accountId, runId)) ?? unknownRun(runId)
  await supplierLockShared(tx, accountId, supplierId)
  const run = await lock(tx, accountId, runId)
  const obstacle = await undoObstacle(tx, accountId, run)
  if (obstacle !== null) throw new ShelfwireError('conflict', `run ${runId} cannot be undone: ${obstacle.text}`)
  const undoRunId = await runInsert(tx, accountId, {
    supplierId: run.supplierId,
    sourceId: null,
    trigger: 'undo',
    mode: 'full',
    mapping: null,
    file: null,
    isDryRun: false,
    isConfirmed: isForced,
    undoesRunId: runId,
  })
  if (undoRunId === undefined) throw new Error('a run without a source conflicts with no other')
  await runUndoneBy(tx, accountId, runId, undoRunId)
  return undoRunId
}

async function lock(tx: Tx, accountId: number, runId: number): Promise<LockedRun> {
  const run = await runLock(tx, accountId, runId)
  return run ?? unknownRun(runId)
}

/** @throws ShelfwireError unknown-run */
export function unknownRun(runId: number): never {
  throw new ShelfwireError('unknown-run', `the account has no import run ${runId}, or it is not kept any more`)
}
