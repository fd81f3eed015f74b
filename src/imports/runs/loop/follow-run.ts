import { clearInterval, setInterval } from 'node:timers'
import { offerBefore, offerHash } from '../../../catalog/products/offers/offer-state.ts'
import { inTransaction, type Db, type Tx } from '../../../db/sql.ts'
import { faultPoint } from '../../../platform/process/fault-point.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { mapYielding } from '../../../platform/turns/yielding.ts'
import type { RunFiles } from '../../files/run-files.ts'
import type { ImportLease } from '../../lease/import-lease.ts'
import type { ImportReport, KeptRun } from '../../run.ts'
import type { PageCounts, WrittenPage } from '../../spool/write-spool.ts'
import {
  changesInsert,
  changesKnown,
  comparisonsForget,
  runPage,
  runProgress,
  runReadingSet,
  runWrite,
  type ClaimedRun,
  type HeldRun,
} from './claims.sql.ts'
import { comparedChanges, openComparison } from '../comparison.ts'
import type { Pace } from './pace.ts'
import type { RefusalList } from '../refusals/refusal-list.ts'
import { requireHeld, RunStopped } from './run-context.ts'
import type { RunChange } from '../runs.sql.ts'

/** Records the progress of a run, and notices whether it was canceled. */
export interface Follower extends AsyncDisposable {
  rows: number
  bytes: number | null
  /** Aborted with RunStopped when the run does not belong to this process any more. */
  signal: AbortSignal
}

export function followRun(db: Db, held: HeldRun): Follower {
  const ending = new AbortController()
  let asking: Promise<void> | undefined
  const follower: Follower = {
    rows: 0,
    bytes: null,
    signal: ending.signal,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await asking
    },
  }
  const timer = setInterval(() => {
    asking ??= inTransaction(db, (tx) => runProgress(tx, held, follower))
      .then((isHeld) => {
        if (!isHeld) ending.abort(new RunStopped())
      })
      // ignored: the next update follows soon, and every page checks in its transaction that the run is still held
      .catch(() => {})
      .finally(() => (asking = undefined))
  }, LIMITS.importRunProgressMs)
  return follower
}

/** The result of a run so far; it is written to the run's row however the run ends. */
export interface RunOutcome {
  report: ImportReport | undefined
  /** The number of valid offers in the file; null until it has been read. */
  accepted: number | null
  /** Whether pages are being written. */
  isWriting: boolean
}

/** Records the progress and the changes of a run while runImport does the work. */
export function runRecorder(
  { db, files }: { db: Db; files: RunFiles },
  held: HeldRun,
  run: ClaimedRun,
  lease: ImportLease,
  list: RefusalList,
  follower: Follower,
  outcome: RunOutcome,
  currency: string,
  pace: Pace,
): KeptRun {
  /** After an interruption, offers may be written again; each must count once. */
  const isResumed = run.hasWritten
  const { accountId } = held
  const comparison = openComparison()
  return {
    lease,
    refused: (row) => list.add(row, true),
    stale: (sku) =>
      list.add({ line: null, sku, faults: [{ name: 'offer', reason: 'may be refused; it stays as it is' }] }, false),
    async read(report) {
      outcome.report = report
      follower.rows = report.rows
      await list.flush()
      faultPoint('run:while-reading')
      follower.signal.throwIfAborted()
    },
    async judged(report, total) {
      outcome.report = report
      outcome.accepted = report.created + report.changed + report.unchanged
      await recordReading({ db, files }, held, list, outcome)
      await inTransaction(db, async (tx) => {
        requireHeld(await runWrite(tx, held, total))
        if (run.isDryRun) await comparisonsForget(tx, held, run.supplierId)
      })
      outcome.isWriting = !run.isDryRun
    },
    ...pace,
    pageWritten: (tx, page) => recordPage(tx, held, page, isResumed),
    pageCompared: (page) =>
      inTransaction(db, async (tx) => {
        const changes = await comparison.listed(await comparedChanges(tx, accountId, run.supplierId, currency, page))
        requireHeld(await runProgress(tx, held, follower))
        await changesInsert(tx, held, changes)
      }),
  }
}

/**
 * Records the findings of reading the file, and stores the list of refused rows.
 * @param isListed false: without the list, because the file store does not accept it; the groups suffice
 */
export async function recordReading(
  { db, files }: { db: Db; files: RunFiles },
  held: HeldRun,
  list: RefusalList,
  { report }: RunOutcome,
  isListed = true,
): Promise<void> {
  if (report === undefined) return
  const refusalsKey = await list.keep(files, held.accountId).catch((error: unknown) => {
    if (isListed) throw error
    return null
  })
  const { rows, skipped, stale, refusedTotal: refused, warnings, rowGroups, dropped } = report
  const reading = { rows, skipped, stale, refused, warnings, refusalsKey, groups: list.groups(), rowGroups, dropped }
  await inTransaction(db, async (tx) => requireHeld(await runReadingSet(tx, held, reading)))
}

/** Stores the changes of a page and counts them, in its transaction. */
async function recordPage(tx: Tx, held: HeldRun, page: WrittenPage, isResumed: boolean): Promise<PageCounts> {
  const changes: RunChange[] = [
    // an offer may have a megabyte: requests are answered between offers
    ...(await mapYielding(page.changes, ({ supplierSku, kind, before, after, absentSince }) => ({
      supplierSku,
      kind,
      before: kind === 'created' ? null : offerBefore(before, after, absentSince),
      afterHash: offerHash(after),
    }))),
    ...page.zeroed.map(({ supplierSku, before }) => ({
      supplierSku,
      kind: 'zeroed' as const,
      before,
      afterHash: null,
    })),
  ]
  const skus = changes.map((change) => change.supplierSku)
  const known = isResumed ? await changesKnown(tx, held, skus) : new Set<string>()
  const fresh = changes.filter((change) => !known.has(change.supplierSku))
  const count = (kind: RunChange['kind']) => fresh.filter((change) => change.kind === kind).length
  const counts = { created: count('created'), changed: count('changed'), zeroed: count('zeroed') }
  await changesInsert(tx, held, changes)
  requireHeld(await runPage(tx, held, { ...counts, entries: page.entries, products: page.products }))
  return counts
}
