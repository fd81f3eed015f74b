import type { DbOptions } from '../../db/open-db.ts'
import type { LOG_LEVELS } from '../../platform/log.ts'
import type { TracingSettings } from '../../platform/tracing/settings.ts'

/** What the service tells its shelving process, as one line of JSON on its standard input. Not in its environment or arguments: others may read those. */
export interface ShelvingJob {
  database: Pick<DbOptions, 'url' | 'directUrl' | 'prepare' | 'clockOffsetMs'>
  logLevel: (typeof LOG_LEVELS)[number]
  /** Null where traces are off. */
  tracing: TracingSettings | null
}

/** What the process tells, a line of JSON each: that it works, every second, and what it logs. */
export type ShelvingMessage = { kind: 'working' } | { kind: 'logged'; entry: Record<string, unknown> }
