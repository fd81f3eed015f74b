import type { Reader } from '../sql.ts'

/** The state of the archive of the server's log (WAL), as the server reports it, whoever set it up. */
export interface ArchiveState {
  /** When it last archived a segment; null: never yet. */
  archivedAt: Date | null
  /** Whether the last attempt failed. */
  isFailing: boolean
  /** When the server was started. */
  startedAt: Date
}

/** Null if the server does not archive. */
export async function archiveState(reader: Reader): Promise<ArchiveState | null> {
  const [row] = await reader<ArchiveState[]>`
    select last_archived_time as "archivedAt", pg_postmaster_start_time() as "startedAt",
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing"
    from pg_stat_archiver where current_setting('archive_mode') <> 'off'`
  return row ?? null
}

/** Several times the usual delay of our archive: a segment is switched after a minute, and something is written every 30 seconds. */
const LATE_MS = 300_000

/**
 * Whether an operator should look at the archive: its last attempt failed, or our own archive (WAL_ARCHIVE_DIR) is missing or late. How
 * late another archive may be is known only to its operator.
 */
export function isArchiveLate(state: ArchiveState | null, isOurs: boolean): boolean {
  if (state === null) return isOurs
  const since = Math.max(state.archivedAt?.getTime() ?? 0, state.startedAt.getTime())
  return state.isFailing || (isOurs && Date.now() - since > LATE_MS)
}
