import type { SourceRow } from '../../../imports/sources/sources.sql.ts'
import { timeOrNull } from '../../../platform/time/timestamp.ts'

// A source with the names of the API, for answers and for the output of commands.

/** The members that an owner sets. Of the credentials it has only the kind. */
export const settingMembers = (row: SourceRow) => ({
  name: row.name,
  kind: row.kind,
  url: row.url,
  path: row.path,
  credentials: row.credentialsKind === null ? null : { kind: row.credentialsKind },
  host_key: row.hostKey,
  mapping: row.mapping,
  mode: row.mode,
  cron: row.cron,
  time_zone: row.timeZone,
  every_minutes: row.everyMinutes,
  is_active: row.isActive,
})

/** Members that change without an edit. */
export const statusMembers = (row: SourceRow) => ({
  next_run_at: timeOrNull(row.nextRunAt),
  last_run_at: timeOrNull(row.lastRunAt),
  failures: row.failures,
  failed_since: timeOrNull(row.failedSince),
  failure: row.failure,
})
