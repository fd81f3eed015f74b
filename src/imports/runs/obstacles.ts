import type { Reader } from '../../db/sql.ts'
import { hasChanges, newestWritten, type LockedRun } from './runs.sql.ts'

// Why a run cannot be confirmed or undone. The same functions decide when an owner tries to, and show the reason
// beforehand.

/** The reason why something cannot be done with a run. `runId`: another run that is the cause, if there is one. */
export interface Obstacle<Kind extends string> {
  kind: Kind
  runId: number | null
  text: string
}

export const CONFIRM_OBSTACLES = ['not_held', 'dry_run', 'file_gone', 'newer'] as const
export type ConfirmObstacle = Obstacle<(typeof CONFIRM_OBSTACLES)[number]>

/** Why a run cannot be confirmed; null: it can. */
export async function confirmObstacle(
  reader: Reader,
  accountId: number,
  run: LockedRun,
): Promise<ConfirmObstacle | null> {
  if (run.state !== 'held') return { kind: 'not_held', runId: null, text: `the run is not held, but ${run.state}` }
  if (run.isDryRun)
    return { kind: 'dry_run', runId: null, text: 'a dry run writes nothing; import the file with "confirm"' }
  if (run.fileKey === null)
    return { kind: 'file_gone', runId: null, text: 'its file is not kept any more: send or fetch it again' }
  const newest = await newestWritten(reader, accountId, run.supplierId)
  if (newest === undefined || newest.runId <= run.runId) return null
  const text = `run ${newest.runId} of the supplier is newer and has been imported`
  return { kind: 'newer', runId: newest.runId, text }
}

export const UNDO_OBSTACLES = ['undone', 'undo', 'delta', 'nothing_written', 'open', 'newer', 'changes_gone'] as const
export type UndoObstacle = Obstacle<(typeof UNDO_OBSTACLES)[number]>

/** Why a run cannot be undone; null: it can. */
export async function undoObstacle(reader: Reader, accountId: number, run: LockedRun): Promise<UndoObstacle | null> {
  const { runId, undoneByRunId, state } = run
  const obstacle = (kind: UndoObstacle['kind'], text: string, other: number | null = null) => ({
    kind,
    runId: other,
    text,
  })
  if (undoneByRunId !== null) return obstacle('undone', `run ${undoneByRunId} undoes it`, undoneByRunId)
  if (run.trigger === 'undo') return obstacle('undo', 'it undoes another one itself; import the file again')
  if (run.mode !== 'full') return obstacle('delta', 'only full runs can be undone')
  if (run.isDryRun || !run.hasWritten) return obstacle('nothing_written', 'it has written nothing')
  if (state === 'waiting' || state === 'fetching' || state === 'reading' || state === 'writing')
    return obstacle('open', 'it has not ended; cancel it first')
  const newest = await newestWritten(reader, accountId, run.supplierId, 'full')
  if (newest !== undefined && newest.runId > runId)
    return obstacle('newer', `run ${newest.runId} is a newer full run of the supplier`, newest.runId)
  if (!(await hasChanges(reader, accountId, runId)))
    return obstacle('changes_gone', 'it changed nothing, or what it changed is not kept any more')
  return null
}
