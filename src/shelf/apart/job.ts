import type { DbOptions } from '../../db/open-db.ts'
import type { LOG_LEVELS } from '../../platform/log.ts'
import type { TracingSettings } from '../../platform/settings/tracing-settings.ts'

/** Sent to the shelving process as one line of JSON on standard input, because environment variables and arguments may be visible to other users. */
export interface ShelvingJob {
  database: Pick<DbOptions, 'url' | 'directUrl' | 'prepare' | 'clockOffsetMs'>
  logLevel: (typeof LOG_LEVELS)[number]
  /** Null where traces are off. */
  tracing: TracingSettings | null
}

/** Sent by the shelving process as one line of JSON each: a heartbeat every second, and its log entries. */
export type ShelvingMessage = { kind: 'working' } | { kind: 'logged'; entry: Record<string, unknown> }
