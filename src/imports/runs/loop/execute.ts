import type { Readable } from 'node:stream'
import { stalePosition } from '../../../catalog/stale/stale.sql.ts'
import { inTransaction, type Tx } from '../../../db/sql.ts'
import { asError, ShelfwireError } from '../../../platform/errors.ts'
import { faultPoint } from '../../../platform/process/fault-point.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { readMappingDocument } from '../../../supplier-files/mapping-document.ts'
import type { Fetched } from '../../fetch/fetched.ts'
import type { KeptFile } from '../../files/run-files.ts'
import type { ImportLease } from '../../lease/import-lease.ts'
import { sourceRunEnded } from '../sources/source-runs.ts'
import { runImport, type ImportProgress, type ImportReport, type KeptRun } from '../../run.ts'
import {
  runEnd,
  runFetched,
  runFileSet,
  runPostpone,
  runResolve,
  supplierCurrency,
  type ClaimedRun,
  type HeldRun,
} from './claims.sql.ts'
import { fetchFile, retryWarnings } from './fetch-file.ts'
import { followRun, runRecorder, recordReading, type RunOutcome } from './follow-run.ts'
import { paceOf, type WaitWithoutPlace } from './pace.ts'
import { openRefusalList } from '../refusals/refusal-list.ts'
import { FileUnavailable, requireHeld, RunEnds, RunStopped, type RunContext } from './run-context.ts'
import { failureOf } from './run-failure.ts'
import { runUndoneBy, type RunEndState } from '../runs.sql.ts'
import { undoChanges } from './undo-changes.ts'
import { must } from '../../../platform/must.ts'

/** How this process's work on a run ended; `error`: why it did not succeed. */
export interface Executed {
  state: RunEndState | 'resolving' | 'fetched' | 'postponed' | 'stopped'
  report?: ImportReport
  error?: Error
}

export interface ExecuteOptions {
  /** Aborts the work of this process; another process continues the run. */
  signal: AbortSignal
  /** Stores the file of a run that has none; used instead of its source. */
  receive?: () => Promise<KeptFile>
  /** Failures are reported to the caller: the run is not retried after a temporary one. */
  isOnce?: boolean
  /** Releases the run's place while waiting, and takes one again afterwards; see pace.ts. */
  aside?: WaitWithoutPlace
  onProgress?: (progress: ImportProgress) => void
}

/**
 * Does a claimed run, under the lease of its supplier. If its file has to be fetched, fetches and stores it and releases the run; otherwise reads and
 * judges the file, writes it in pages, and records the result. Never throws: an error ends the run, or has it started again later.
 */
export async function executeRun(
  context: RunContext,
  accountId: number,
  run: ClaimedRun,
  lease: ImportLease,
  { signal, receive, isOnce = false, aside = (wait) => wait(), onProgress = () => {} }: ExecuteOptions,
): Promise<Executed> {
  const { db } = context
  const held: HeldRun = { accountId, runId: run.runId, holderId: lease.holderId }
  const outcome: RunOutcome = { report: undefined, accepted: null, isWriting: false }
  await using follower = followRun(db, held)
  await using list = openRefusalList(context.unfinished)
  const stopping = AbortSignal.any([signal, follower.signal])
  const reading: Reading = { fileKey: run.fileKey, failure: undefined }
  const pace = paceOf(context, held, stopping, aside)
  try {
    let report: ImportReport | undefined
    requireWorking(run)
    if (run.trigger === 'undo') {
      await undoChanges(context, held, run, lease, stopping, pace, (done) =>
        onProgress({ phase: 'writing', done, total: null }),
      )
    } else {
      if (reading.fileKey === null) {
        const got = await (receive === undefined
          ? fetchFile(context, held, run, stopping, follower)
          : receiveFile(context, held, receive))
        // another process that has a place for an import may continue with it
        if (got.fetched !== null) return await giveBack(context, held)
        reading.fileKey = got.file.key
      }
      const currency = await supplierCurrency(context.db, accountId, run.supplierId)
      if (currency === undefined) throw new ShelfwireError('unknown-supplier', 'the supplier was deleted meanwhile')
      const kept = runRecorder(context, held, run, lease, list, follower, outcome, currency, pace)
      report = await importFile(context, accountId, run, currency, reading, kept, stopping, onProgress)
    }
    faultPoint('run:before-end')
    return await finish(context, held, run, report, outcome)
  } catch (thrown) {
    // if the stream was interrupted or broke, a parser may blame the file
    const error = follower.signal.aborted ? new RunStopped() : (reading.failure ?? asError(thrown))
    const hasWritten = run.hasWritten || outcome.isWriting
    const failed = await failureOf(context, held, { run, hasWritten, error, signal, isOnce }, async (end) => {
      if (outcome.accepted === null) await recordReading(context, held, list, outcome, false)
      await inTransaction(db, async (tx) => {
        requireHeld(await runEnd(tx, held, end))
        if (run.undoesRunId !== null) await runUndoneBy(tx, accountId, run.undoesRunId, null)
        await recordSourceEnd(tx, accountId, run, end.state, end.fetched ?? null, end.problem?.detail)
      })
    })
    return { ...failed, error, ...(outcome.report === undefined ? {} : { report: outcome.report }) }
  }
}

/**
 * Sets aside a run that may be the reason why processes die: after the second process that died while writing it, with no page written in between. A
 * process that dies while reading more likely died of something else: such runs get as many attempts as any other.
 * docs/decisions/257-a-death-is-counted-where-a-run-may-be-its-cause.md and docs/decisions/259-a-run-that-has-written-ends-as-well.md say why.
 * @throws RunEnds
 */
function requireWorking({ interruptions, attempts, hasWritten, trigger }: ClaimedRun): void {
  const isLost = attempts > LIMITS.importRunAttemptsMax
  if (interruptions < LIMITS.importRunInterruptionsMax && !isLost) return
  const why =
    interruptions >= LIMITS.importRunInterruptionsMax
      ? `${interruptions} times the process that imported it ended before a page of it was written`
      : `it was begun ${attempts - 1} times, and ${hasWritten ? 'never came to its end' : 'no page of it was written'}`
  const next =
    trigger === 'undo'
      ? 'ask for it again'
      : 'check the file and its mapping, or split the file, and send or fetch it again'
  throw new RunEnds('refused', { code: 'internal', detail: `set aside: ${why}; ${next}`, errors: [] }, [], true)
}

async function giveBack({ db, wake }: RunContext, held: HeldRun): Promise<Executed> {
  await inTransaction(db, (tx) => runPostpone(tx, held, { seconds: 0, isCounted: false, problem: null }))
  wake.notify('import', held.accountId)
  return { state: 'fetched' }
}

async function receiveFile({ db }: RunContext, held: HeldRun, receive: () => Promise<KeptFile>) {
  const file = await receive()
  await inTransaction(db, async (tx) => requireHeld(await runFileSet(tx, held, file, null)))
  return { fetched: null, file }
}

/** The stored file that is being read; `failure`: of the file store. */
interface Reading {
  fileKey: string | null
  failure: FileUnavailable | undefined
}

/** Reads a stored file and imports it. */
async function importFile(
  context: RunContext,
  accountId: number,
  run: ClaimedRun,
  currency: string,
  reading: Reading,
  kept: KeptRun,
  signal: AbortSignal,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportReport> {
  const { db, wake, files, readers } = context
  const { supplierId, mode, isDryRun, isConfirmed } = run
  const mapping = readMappingDocument(run.mapping, 'stored')
  // read as it is stored: the reading process unpacks it, so that less goes through the pipe
  const stored = reading.fileKey === null ? undefined : await files.readStored(reading.fileKey)
  if (stored === undefined)
    throw new RunEnds('failed', {
      code: 'source-unreadable',
      detail:
        'its file is not in the file store: it was removed, or processes do not share DATA_DIR or a bucket; send or fetch it again',
      errors: [],
    })
  const { stream, isPacked } = stored
  // an error before or after the stream is read must not end the process
  stream.on('error', () => {})
  try {
    const warnings = await retryWarnings(context, accountId, run)
    return await runImport(
      db,
      wake,
      { accountId, supplier: { supplierId, currency }, mode, isDryRun, isConfirmed, isJudged: run.hasWritten },
      readers.pages(bytesOf(stream, signal, reading), mapping, {
        signal,
        isPacked,
        warn: (warning) => void warnings.push(warning),
      }),
      (progress) => {
        signal.throwIfAborted()
        onProgress(progress)
      },
      warnings,
      kept,
    )
  } finally {
    stream.destroy()
  }
}

/** Yields the bytes of a stored file until `signal` is aborted. @throws FileUnavailable when the store fails */
async function* bytesOf(stream: Readable, signal: AbortSignal, reading: Reading): AsyncGenerator<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  for (;;) {
    signal.throwIfAborted()
    const next = await chunks.next().catch((error: unknown) => {
      const message = `the file store does not answer: ${asError(error).message}`
      throw (reading.failure = new FileUnavailable(message, { cause: error }))
    })
    if (next.done === true) return
    yield next.value
  }
}

/** Records that everything is written. The run then waits for its payloads; a dry run has ended. */
async function finish(
  context: RunContext,
  held: HeldRun,
  run: ClaimedRun,
  report: ImportReport | undefined,
  { accepted }: RunOutcome,
): Promise<Executed> {
  const { accountId } = held
  const { created = 0, changed = 0, zeroed = 0 } = report ?? {}
  const totals =
    report === undefined ? null : { unchanged: must(accepted), dry: run.isDryRun ? { created, changed, zeroed } : null }
  await inTransaction(context.db, async (tx) => {
    if (run.isDryRun)
      requireHeld(await runEnd(tx, held, { state: 'succeeded', problem: null, ...(totals === null ? {} : { totals }) }))
    else requireHeld(await runResolve(tx, held, await stalePosition(tx, accountId), totals))
    await recordSourceEnd(tx, accountId, run, 'succeeded', null)
  })
  return { state: run.isDryRun ? 'succeeded' : 'resolving', ...(report === undefined ? {} : { report }) }
}

/** Records at the run's source how the run ended, in the same transaction. */
async function recordSourceEnd(
  tx: Tx,
  accountId: number,
  { runId, sourceId, isDryRun, fileHash }: ClaimedRun,
  state: RunEndState,
  fetched: Fetched | null,
  detail: string | null = null,
): Promise<void> {
  if (sourceId === null) return
  // an earlier attempt may have fetched the file
  const known = fetched ?? (fileHash === null ? null : ((await runFetched(tx, accountId, runId)) as Fetched | null))
  await sourceRunEnded(tx, accountId, sourceId, { state, fetched: known, runId, isDryRun, detail })
}
