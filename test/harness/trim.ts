import type { Db } from '../../src/db/sql.ts'
import { silentLog } from '../../src/platform/log.ts'
import { BEGINNING, trimPart, type Place } from '../../src/webhooks/log/trim.ts'

/** Does a whole round of trimming notices and delivery logs, part by part as the loop does. */
export async function trimLogs(db: Db, signal: AbortSignal): Promise<void> {
  for (let at: Place | null = BEGINNING; at !== null;) at = await trimPart(db, silentLog, at, signal)
}
