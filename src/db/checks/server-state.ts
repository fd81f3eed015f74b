import { readMigrations } from '../migrations/migrate.ts'
import { single } from '../../platform/must.ts'
import type { Db } from '../sql.ts'

/** What an operator has to know about a database server. Read-only. */
export interface ServerState {
  /** As `server_version_num`: 180004. */
  version: number
  isStandby: boolean
  /** How far its clock is ahead of ours in ms, to within a round trip. */
  clockAheadMs: number
  connectionsMax: number
  connectionsUsed: number
  /** Migrations of this release that it lacks, and below, those that it has and this release does not. */
  missing: string[]
  unknown: string[]
}

export async function serverState(db: Db): Promise<ServerState> {
  const asked = Date.now()
  const state = single(
    await db<
      (Omit<ServerState, 'clockAheadMs' | 'missing' | 'unknown'> & { nowMs: number; isMigrated: boolean })[]
    >`select current_setting('server_version_num')::int as version, pg_is_in_recovery() as "isStandby",
        (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
        current_setting('max_connections')::int as "connectionsMax",
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "connectionsUsed",
        to_regclass('schema_migration') is not null as "isMigrated"`,
  )
  const { nowMs, isMigrated, ...rest } = state
  const applied = isMigrated ? await db<{ name: string }[]>`select name from schema_migration order by version` : []
  const ours = (await readMigrations()).map(({ name }) => name)
  const theirs = applied.map(({ name }) => name)
  return {
    ...rest,
    clockAheadMs: Math.round(nowMs - (asked + Date.now()) / 2),
    missing: ours.filter((name) => !theirs.includes(name)),
    unknown: theirs.filter((name) => !ours.includes(name)),
  }
}
