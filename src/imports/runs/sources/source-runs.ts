import type { Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { enqueueRun } from '../runs.ts'
import { openRunOfSource } from '../runs.sql.ts'
import type { Fetched } from '../../fetch/fetched.ts'
import { writeNotices } from '../../../notices/write-notice.sql.ts'
import { must } from '../../../platform/must.ts'
import { supplierCode } from './supplier-code.sql.ts'
import { lockedSource } from '../../sources/edit-sources.ts'
import { nextRunAt } from '../../sources/schedule.ts'
import {
  sourceRunRequested,
  sourceHealthSet,
  sourceLock,
  sourceSchedule,
  sourcesLockDue,
  sourcesLockForNotice,
  sourceValidatorsSet,
  type EndedSource,
  type SourceHealth,
  type SourceRow,
} from '../../sources/sources.sql.ts'

// How sources and runs affect each other: when runs are requested, and what the end of a run means for its source.

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const NOTHING = { etag: null, lastModified: null }

/** How a run of a source ended. */
export interface RunEnd {
  state: 'succeeded' | 'unchanged' | 'held' | 'refused' | 'failed' | 'canceled'
  /** The result of fetching; null if it is not known any more, or nothing was fetched. */
  fetched: Fetched | null
  runId?: number
  isDryRun?: boolean
  /** Why nothing was imported, for people. */
  detail?: string | null
}

/**
 * Requests runs of an account's due sources, and computes when these are due next, in one transaction. A source that has a waiting or running run
 * gets no second one. However long no process ran, a source gets one run.
 * @returns how many runs were requested, and whether there may be more to do.
 */
export async function runDueSources(tx: Tx, accountId: number): Promise<{ runs: number; isMore: boolean }> {
  const due = await sourcesLockDue(tx, accountId, LIMITS.sourceClockBackMs, LIMITS.sourcesPerTurn)
  let runs = 0
  for (const source of due) {
    const { sourceId, now } = source
    const isRun = source.isDue && source.isActive && (await enqueueScheduled(tx, accountId, source))
    if (isRun) runs++
    await sourceSchedule(tx, accountId, sourceId, source.isActive ? nextRunAt(source, now) : null, isRun ? now : null)
  }
  return { runs, isMore: due.length === LIMITS.sourcesPerTurn }
}

/**
 * Enqueues a run of a source that is due by its schedule. @returns false if the source has an open run, the supplier has too many, or the account’s
 * budget is used up.
 */
async function enqueueScheduled(tx: Tx, accountId: number, source: SourceRow): Promise<boolean> {
  if ((await openRunOfSource(tx, accountId, source.sourceId)) !== undefined) return false
  try {
    await enqueueRun(tx, accountId, { ...requestOf(source), trigger: 'schedule', isDryRun: false, isConfirmed: false })
    return true
  } catch (error) {
    if (error instanceof ShelfwireError && ['conflict', 'quota-exceeded', 'unknown-supplier'].includes(error.code))
      return false
    throw error
  }
}

const requestOf = ({ supplierId, sourceId, mode, mapping }: SourceRow) => ({
  supplierId,
  sourceId,
  mode,
  mapping,
  file: null,
})

/**
 * Requests a run of a source now. Its file is fetched even if the server says that it is unchanged.
 * @returns the run's id.
 * @throws ShelfwireError unknown-reference; conflict while a run of it waits or runs, and for a source that cannot be fetched.
 */
export async function runSource(
  tx: Tx,
  accountId: number,
  sourceId: number,
  options: { isDryRun: boolean; isConfirmed: boolean },
): Promise<number> {
  const source = await lockedSource(tx, accountId, sourceId)
  if (source.kind === 'upload')
    throw new ShelfwireError('conflict', 'a source of the kind upload is not fetched; send a file instead')
  const open = await openRunOfSource(tx, accountId, sourceId)
  if (open !== undefined)
    throw new ShelfwireError('conflict', `run ${open} of this source waits or runs; wait for it, or cancel it`)
  const runId = await enqueueRun(tx, accountId, { ...requestOf(source), trigger: 'request', ...options })
  await sourceRunRequested(tx, accountId, sourceId)
  return runId
}

/**
 * Records how a run of a source ended, in the transaction that ends it: validators, failures, the time of the next fetch, and notices to owners. A
 * dry run changes nothing of the source.
 */
export async function sourceRunEnded(tx: Tx, accountId: number, sourceId: number, end: RunEnd): Promise<void> {
  const source = await sourceLock(tx, accountId, sourceId)
  if (source === undefined || end.isDryRun === true) return
  const { state, fetched } = end
  const isImported = state === 'succeeded' || state === 'unchanged'
  // after an answer 304 the stored validators are still valid, and a failed fetch changes nothing
  if (fetched?.kind !== 'unchanged' && fetched?.kind !== 'failed') {
    // if a file was not imported completely, or its validators are not known any more, it must be fetched again
    const isKnown = isImported && fetched !== null && fetched.version === source.version
    const { etag, lastModified } = isKnown ? fetched : NOTHING
    await sourceValidatorsSet(tx, accountId, sourceId, { etag, lastModified })
  }
  if (state === 'canceled') return
  const health = healthAfter(source, end)
  const kind = noticeOf(source, state)
  await sourceHealthSet(tx, accountId, sourceId, { ...health, ...(kind === null ? {} : noticeState(kind)) })
  if (kind !== null)
    await writeSourceNotice(tx, accountId, source, kind, { ...health, state, runId: end.runId ?? null })
}

/** Writes notices about sources that have failed for LIMITS.sourceToldAfterHours. @returns whether there may be more. */
export async function writeFailureNotices(tx: Tx, accountId: number): Promise<boolean> {
  const failing = await sourcesLockForNotice(tx, accountId, LIMITS.sourcesPerTurn)
  for (const source of failing) {
    const { nextRunAt: nextAt, failures, failedSince, failure } = source
    const health = { nextRunAt: nextAt, failures, failedSince, failure }
    await sourceHealthSet(tx, accountId, source.sourceId, { ...health, ...noticeState('source_failing') })
    await writeSourceNotice(tx, accountId, source, 'source_failing', { ...health, state: 'failed', runId: null })
  }
  return failing.length === LIMITS.sourcesPerTurn
}

/** The failures of a source after a run, and when it is fetched next. */
function healthAfter(source: EndedSource, { state, fetched, detail }: RunEnd): SourceHealth {
  const { now, told } = source
  const atSchedule = source.isActive ? nextRunAt(source, now) : null
  // the time that was computed when the run was requested, unless it has passed or was that of a retry
  const isPlanned = source.failures === 0 && source.nextRunAt !== null && source.nextRunAt > now
  const planned = isPlanned ? source.nextRunAt : atSchedule
  if (state === 'succeeded' || state === 'unchanged')
    return { nextRunAt: planned, failures: 0, failedSince: null, failure: null, tellAt: null, told: null }
  const failed = fetched?.kind === 'failed' ? fetched : null
  const failures = state === 'failed' ? source.failures + 1 : source.failures
  const failedSince = source.failedSince ?? now
  return {
    nextRunAt: state === 'failed' ? retryAt(planned, failures, now, failed) : planned,
    failures,
    failedSince,
    failure: (detail ?? failed?.detail ?? state).slice(0, 1_000),
    tellAt: told === null ? new Date(failedSince.getTime() + LIMITS.sourceToldAfterHours * HOUR_MS) : null,
    told,
  }
}

/**
 * When a failed fetch is retried: soon, then at growing intervals, but not after the next scheduled time; later if the server asks for that. A source
 * without a schedule is not retried automatically.
 */
function retryAt(
  planned: Date | null,
  failures: number,
  now: Date,
  failed: Extract<Fetched, { kind: 'failed' }> | null,
): Date | null {
  if (planned === null) return null
  const earliest = new Date(now.getTime() + (failed?.retryAfterMs ?? 0))
  if (failed?.isForGood === true) return latest(planned, earliest)
  const minutes = LIMITS.sourceRetryMinutes
  const pause = must(minutes[Math.min(failures, minutes.length) - 1])
  const soon = new Date(now.getTime() + pause * MINUTE_MS)
  return latest(soon < planned ? soon : planned, earliest)
}

const latest = (a: Date, b: Date) => (a > b ? a : b)

/** The notice that is written at once. Notices of failures are written later (writeFailureNotices), unless the failures end before. */
function noticeOf({ told }: EndedSource, state: RunEnd['state']): 'source_held' | 'source_recovered' | null {
  if (state === 'held') return told === 'source_held' ? null : 'source_held'
  return (state === 'succeeded' || state === 'unchanged') && told !== null ? 'source_recovered' : null
}

/** The state of a source after a notice. */
function noticeState(
  kind: 'source_failing' | 'source_held' | 'source_recovered',
): Pick<SourceHealth, 'tellAt' | 'told'> {
  return { tellAt: null, told: kind === 'source_recovered' ? null : kind }
}

async function writeSourceNotice(
  tx: Tx,
  accountId: number,
  source: EndedSource,
  kind: 'source_failing' | 'source_held' | 'source_recovered',
  of: Pick<SourceHealth, 'failure' | 'failedSince'> & { state: string; runId: number | null },
): Promise<void> {
  const facts = {
    source_id: source.sourceId,
    source: source.name,
    supplier: await supplierCode(tx, accountId, source.supplierId),
    run_id: of.runId,
    state: of.state,
    failure: of.failure,
    failed_since: (kind === 'source_recovered' ? source.failedSince : of.failedSince)?.toISOString() ?? null,
  }
  await writeNotices(tx, accountId, [{ endpointId: null, kind, facts }])
}
