import { rm } from 'node:fs/promises'
import { say } from '../../../../contract/remarks/remarks.ts'
import { inTransaction } from '../../../db/sql.ts'
import { faultPoint } from '../../../platform/process/fault-point.ts'
import { LIMITS } from '../../../platform/limits.ts'
import type { Fetched } from '../../fetch/fetched.ts'
import type { KeptFile } from '../../files/run-files.ts'
import { runFileSet, runsSetAside, sameFileRun, type ClaimedRun, type HeldRun, type SetAside } from './claims.sql.ts'
import { requireFileRoom } from '../file-room.ts'
import type { Follower } from './follow-run.ts'
import { FetchEnds, requireHeld, RunEnds, type RunContext } from './run-context.ts'

/**
 * Whether scheduled runs skip a file that was set aside: for LIMITS.importSetAsideHours, because the cause may have been something else, and for ever
 * after several runs.
 */
const isSkippedFile = ({ runs, isRecent }: SetAside) => isRecent || runs >= LIMITS.importSetAsideRunsMax

const asideWarning = ({ runId: run, runs }: SetAside) =>
  runs >= LIMITS.importSetAsideRunsMax
    ? say('file_set_aside_for_good', { run, runs })
    : say('file_set_aside', { run, hours: LIMITS.importSetAsideHours })

/** The warning of a scheduled run that tries a file again that was set aside before. */
export async function retryWarnings({ db }: RunContext, accountId: number, run: ClaimedRun): Promise<string[]> {
  if (run.trigger !== 'schedule' || run.fileHash === null) return []
  const aside = await runsSetAside(db, accountId, run, run.fileHash)
  return aside === undefined ? [] : [say('file_tried_again', { run: aside.runId, hours: LIMITS.importSetAsideHours })]
}

/**
 * Fetches a run's file from its source and stores it.
 * @throws RunEnds when there is nothing to import
 */
export async function fetchFile(
  context: RunContext,
  held: HeldRun,
  run: ClaimedRun,
  signal: AbortSignal,
  follower: Follower,
): Promise<{ fetched: Fetched; file: KeptFile }> {
  const { db, files } = context
  const { accountId } = held
  const { sourceId } = run
  if (sourceId === null)
    throw new RunEnds('failed', {
      code: 'internal',
      detail: 'interrupted before its file had been received: send the file again',
      errors: [],
    })
  const fetched = await context.fetchSource(accountId, sourceId, signal, (bytes) => {
    follower.bytes = bytes
    faultPoint('run:while-fetching')
  })
  try {
    signal.throwIfAborted()
    if (fetched.kind === 'unchanged') throw new FetchEnds(fetched, 'unchanged', null)
    if (fetched.kind === 'failed') {
      const errors = [{ name: 'source', reason: fetched.fault }]
      throw new FetchEnds(fetched, 'failed', { code: 'source-unreadable', detail: fetched.detail, errors })
    }
    const same = run.trigger === 'schedule' ? await sameFileRun(db, accountId, run, fetched.hash) : undefined
    if (same !== undefined) {
      const why = same.isUndone ? [say('file_of_undone_run', { run: same.runId })] : []
      throw new FetchEnds(fetched, 'unchanged', null, why)
    }
    const aside = run.trigger === 'schedule' ? await runsSetAside(db, accountId, run, fetched.hash) : undefined
    if (aside !== undefined && isSkippedFile(aside))
      // without ETag and Last-Modified: with them, the server would answer "unchanged", and the file would never be tried again
      throw new FetchEnds({ ...fetched, etag: null, lastModified: null }, 'unchanged', null, [asideWarning(aside)])
    const file = await files.keep(accountId, fetched.path, fetched.name)
    faultPoint('run:after-keep')
    await inTransaction(db, async (tx) => {
      await requireFileRoom(tx, accountId, file)
      requireHeld(await runFileSet(tx, held, file, { ...fetched, path: '' }))
    })
    follower.bytes = null
    return { fetched: { ...fetched, path: '' }, file }
  } finally {
    if (fetched.kind === 'file') await rm(fetched.path, { force: true })
  }
}
