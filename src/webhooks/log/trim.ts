import { inTransaction, type Db } from '../../db/sql.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/loop.ts'
import { previousSecretsDelete } from '../endpoints/endpoints.sql.ts'
import { noticesTrim } from '../notices/notices.sql.ts'
import { endpointsAfter, logTrim } from './deliveries.sql.ts'

const ROUND_MS = 60_000
const ENDPOINTS_PER_PART = 500

/** One round over all endpoints: trims their delivery logs and notices, and deletes old secrets whose overlap has ended. */
export async function trimLogs(db: Db, signal: AbortSignal): Promise<void> {
  await inTransaction(db, previousSecretsDelete)
  let last = { accountId: 0, endpointId: 0 }
  for (;;) {
    const part = await endpointsAfter(db, last.accountId, last.endpointId, ENDPOINTS_PER_PART)
    for (const { accountId, endpointId } of part) {
      // in small transactions, so that a month's log is not deleted in one
      while (!signal.aborted && (await inTransaction(db, (tx) => logTrim(tx, accountId, endpointId))));
      await inTransaction(db, (tx) => noticesTrim(tx, accountId, endpointId))
    }
    const end = part.at(-1)
    if (end === undefined || signal.aborted) return
    last = end
  }
}

/** Starts trimming in this process. Any number of processes may run it. */
export function startTrimming(db: Db, log: Log): Loop {
  return startLoop({
    name: 'webhook-log',
    log,
    idleMs: ROUND_MS,
    async step(signal) {
      await trimLogs(db, signal)
      return 'idle'
    },
  })
}
