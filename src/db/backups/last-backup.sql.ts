import type { Reader, Tx } from '../sql.ts'

/** The last complete backup that the database knows of. */
export interface LastBackup {
  /** The time that it restores to. */
  endedAt: Date
  /** A path or an address, without credentials. */
  place: string
  /** null: unknown. */
  bytes: number | null
  /** Its duration; null: unknown. */
  seconds: number | null
}

export async function lastBackupGet(reader: Reader): Promise<LastBackup | null> {
  const [row] = await reader<LastBackup[]>`
    select ended_at as "endedAt", place, bytes, seconds from last_backup`
  return row ?? null
}

/** Whether the schema has the table of this record, which earlier releases lack. */
export async function isBackupKept(reader: Reader): Promise<boolean> {
  const rows = await reader`select 1 where to_regclass('last_backup') is not null`
  return rows.length > 0
}

/**
 * Stores this backup unless a later one is stored; a stored time in the future, as after the clock was set back, does
 * not count. @returns whether it was stored
 */
export async function lastBackupPut(tx: Tx, { endedAt, place, bytes, seconds }: LastBackup): Promise<boolean> {
  const written = await tx`
    insert into last_backup (ended_at, place, bytes, seconds) values (${endedAt}, ${place}, ${bytes}, ${seconds})
    on conflict (last_backup_key) do update
      set ended_at = excluded.ended_at, place = excluded.place, bytes = excluded.bytes, seconds = excluded.seconds
      where excluded.ended_at >= last_backup.ended_at or last_backup.ended_at > ${new Date()}
    returning 1`
  return written.length > 0
}
