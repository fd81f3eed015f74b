import type { Reader } from '../sql.ts'

/** What the server says of the archive of its log, whoever set it up. */
export interface ArchiveState {
  /** When it last archived a segment; null: never yet. */
  archivedAt: Date | null
  /** Whether the last try failed. */
  isFailing: boolean
  /** When the server was started. */
  startedAt: Date
}

/** Null where the server does not archive. */
export async function archiveState(reader: Reader): Promise<ArchiveState | null> {
  const [row] = await reader<ArchiveState[]>`
    select last_archived_time as "archivedAt", pg_postmaster_start_time() as "startedAt",
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing"
    from pg_stat_archiver where current_setting('archive_mode') <> 'off'`
  return row ?? null
}

/** Twice what an archive of ours is behind at the most: a segment is switched after a minute, and every 30 seconds something is written. */
const LATE_MS = 300_000

/**
 * Whether an operator is to be told of the archive: the last try failed, or one of ours (WAL_ARCHIVE_DIR) is behind, or is not there. Of
 * another one only its operator knows how far behind it may be.
 */
export function isArchiveLate(state: ArchiveState | null, isOurs: boolean): boolean {
  if (state === null) return isOurs
  const since = Math.max(state.archivedAt?.getTime() ?? 0, state.startedAt.getTime())
  return state.isFailing || (isOurs && Date.now() - since > LATE_MS)
}
