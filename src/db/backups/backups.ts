import { Gauge, type Metric } from 'prom-client'
import { inTime } from '../../platform/time/in-time.ts'
import type { Db } from '../sql.ts'
import { archiveState, isArchiveLate, type ArchiveState } from './archive-state.ts'
import { lastBackupGet, type LastBackup } from './last-backup.sql.ts'

/** The last backup, for probes and metrics. */
export interface Backups {
  /**
   * The last backup; null: none is known. While the database does not answer, the last known result; undefined if there is none. Never
   * throws, and takes at most 2 seconds.
   */
  last(): Promise<LastBackup | null | undefined>
  /** Whether an operator should look at it; only if BACKUP_MAX_AGE_HOURS is set. */
  isLate(last: LastBackup | null | undefined): boolean
  /** The archive of the server's log; null: none; undefined: the database does not answer. Never throws, and takes at most 2 seconds. */
  archive(): Promise<ArchiveState | null | undefined>
  isArchiveLate(state: ArchiveState | null | undefined): boolean
  metrics: readonly Metric[]
}

const WAIT_MS_MAX = 2_000
/** Probes of several monitors, and the metrics of one scrape, share one query. */
const FRESH_MS = 1_000

/**
 * @param hoursMax BACKUP_MAX_AGE_HOURS; null: any age is accepted.
 * @param isArchiveOurs whether the embedded server archives to WAL_ARCHIVE_DIR
 */
export function openBackups(db: Db, hoursMax: number | null, isArchiveOurs: boolean): Backups {
  let known: LastBackup | null | undefined
  let asking: Promise<void> | undefined
  let askedAt = -Infinity

  const ask = async () => {
    try {
      known = await lastBackupGet(db)
      askedAt = performance.now()
    } catch {
      // the last known result is kept
    } finally {
      asking = undefined
    }
  }
  const last = async () => {
    if (performance.now() - askedAt < FRESH_MS) return known
    await inTime((asking ??= ask()), WAIT_MS_MAX, undefined)
    return known
  }
  const gauge = (name: string, help: string, value: (backup: LastBackup | null) => number | null) =>
    new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        const backup = await last()
        const shown = backup === undefined ? null : value(backup)
        if (shown === null) this.remove()
        else this.set(shown)
      },
    })
  let archiveReading: Promise<ArchiveState | null | undefined> | undefined
  return {
    last,
    archive() {
      // kept until it is answered, so that probes of a hanging database do not send more and more queries
      archiveReading ??= archiveState(db)
        .catch(() => undefined)
        .finally(() => (archiveReading = undefined))
      return inTime(archiveReading, WAIT_MS_MAX, undefined)
    },
    isArchiveLate: (state) => state !== undefined && isArchiveLate(state, isArchiveOurs),
    isLate: (backup) => hoursMax !== null && backup !== undefined && isOlder(backup, hoursMax),
    metrics: [
      gauge(
        'shelfwire_last_backup_timestamp_seconds',
        'The moment that the last whole backup restores to (Unix time); 0: none is known.',
        (backup) => (backup === null ? 0 : backup.endedAt.getTime() / 1_000),
      ),
      gauge(
        'shelfwire_last_backup_size_bytes',
        'The size of the last whole backup; no line where it is not known.',
        (backup) => backup?.bytes ?? null,
      ),
      gauge(
        'shelfwire_last_backup_duration_seconds',
        'How long the last whole backup took; no line where it is not known.',
        (backup) => backup?.seconds ?? null,
      ),
    ],
  }
}

/** @returns whether there is no backup, or the last one is older than that many hours. */
export function isOlder(backup: LastBackup | null, hours: number): boolean {
  return backup === null || Date.now() - backup.endedAt.getTime() > hours * 3_600_000
}
