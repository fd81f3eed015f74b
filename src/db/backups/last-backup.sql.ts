import type { Reader, Tx } from '../sql.ts'

/** The last whole backup that the database knows of. */
export interface LastBackup {
  /** The moment that it restores to. */
  endedAt: Date
  /** A path or an address, without credentials. */
  place: string
  /** null: not known. */
  bytes: number | null
  /** How long it took; null: not known. */
  seconds: number | null
}

export async function lastBackupGet(reader: Reader): Promise<LastBackup | null> {
  const [row] = await reader<LastBackup[]>`
    select ended_at as "endedAt", place, bytes, seconds from last_backup`
  return row ?? null
}

/** Whether the schema is of a release that keeps the record. */
export async function isBackupKept(reader: Reader): Promise<boolean> {
  const rows = await reader`select 1 where to_regclass('last_backup') is not null`
  return rows.length > 0
}

/** Keeps the one that ended last, unless the clock has been set back since. @returns whether it is this one */
export async function lastBackupPut(tx: Tx, { endedAt, place, bytes, seconds }: LastBackup): Promise<boolean> {
  const written = await tx`
    insert into last_backup (ended_at, place, bytes, seconds) values (${endedAt}, ${place}, ${bytes}, ${seconds})
    on conflict (last_backup_key) do update
      set ended_at = excluded.ended_at, place = excluded.place, bytes = excluded.bytes, seconds = excluded.seconds
      where excluded.ended_at >= last_backup.ended_at or last_backup.ended_at > ${new Date()}
    returning 1`
  return written.length > 0
}
