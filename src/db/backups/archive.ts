import { Gauge, type Metric } from 'prom-client'
import { inTime } from '../../platform/time/in-time.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import type { Log } from '../../platform/log.ts'
import { archiveState, type ArchiveState } from './archive-state.ts'
import { inTransaction, type Db, type Reader } from '../sql.ts'

// The archive of the server's log (WAL), as the server reports it, whoever set it up.

/**
 * The interval at which a message without effect is written, so that the log also covers times without changes, which can
 * then be restored to.
 */
const HEARTBEAT_MS = 30_000
const WAIT_MS_MAX = 2_000

/** Writes to the log at intervals, and logs an error if the running server does not archive it. */
export function startArchiveHeartbeat(db: Db, log: Log): Loop {
  let isLogged = false
  return startLoop({
    name: 'archive heartbeat',
    log,
    idleMs: HEARTBEAT_MS,
    async step() {
      const [row] = await db<{ mode: string }[]>`select current_setting('archive_mode') as mode`
      if (row?.mode === 'off' && !isLogged) {
        isLogged = true
        log.error(
          'the embedded server was started without WAL_ARCHIVE_DIR and archives nothing: stop all of its processes, and start them with it',
        )
      }
      await inTransaction(db, (tx) => tx`select pg_logical_emit_message(true, 'shelfwire', '')`)
      return 'idle'
    },
  })
}

/** When the last change was made that a restore has replayed; null: none was. The server forgets it when it is stopped. */
export async function lastReplayed(reader: Reader): Promise<Date | null> {
  const [row] = await reader<{ at: Date | null }[]>`select pg_last_xact_replay_timestamp() as at`
  return row?.at ?? null
}

/** The age of the archive, if the server archives. */
export function archiveFigures(db: Db): readonly Metric[] {
  let reading: Promise<ArchiveState | null> | undefined
  const ask = () =>
    inTime(
      archiveState(db).catch(() => null),
      WAIT_MS_MAX,
      null,
    ).finally(() => (reading = undefined))
  // all metrics of a scrape share one query
  const read = () => (reading ??= ask())
  return [
    new Gauge({
      name: 'shelfwire_wal_archived_timestamp_seconds',
      help: 'When the database server last archived a segment of its log (Unix time); 0: never yet; no line where it does not archive.',
      registers: [],
      async collect() {
        const found = await read()
        this.remove()
        if (found !== null) this.set((found.archivedAt?.getTime() ?? 0) / 1_000)
      },
    }),
    new Gauge({
      name: 'shelfwire_wal_archive_failing',
      help: 'Whether the last try to archive a segment of the log failed (1 or 0); no line where the server does not archive.',
      registers: [],
      async collect() {
        const found = await read()
        this.remove()
        if (found !== null) this.set(found.isFailing ? 1 : 0)
      },
    }),
  ]
}
