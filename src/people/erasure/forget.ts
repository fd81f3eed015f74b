import { inTransaction, type Db } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import { accountsAfter, auditTrim, endedSignInsDelete, personEventsTrim } from './forget.sql.ts'

const ROUND_MS = 600_000
const ACCOUNTS_PER_PART = 500

/** Starts deleting what has ended or is too old. Any number of processes may run this. */
export function startForgettingPeople(db: Db, log: Log): Loop {
  let afterId = 0
  return startLoop({
    name: 'people',
    log,
    idleMs: ROUND_MS,
    async step(signal) {
      if (afterId === 0) await forgetEnded(db)
      const accountIds = await accountsAfter(db, afterId, ACCOUNTS_PER_PART)
      for (const accountId of accountIds) {
        if (signal.aborted) return 'idle'
        // in small transactions, because a trail may be years long
        while ((await inTransaction(db, (tx) => auditTrim(tx, accountId))) === LIMITS.auditDeletedPerStep);
      }
      afterId = accountIds.at(-1) ?? 0
      return afterId === 0 ? 'idle' : 'more'
    },
  })
}

/** Deletes ended sessions, steps and links, and old events. */
export async function forgetEnded(db: Db): Promise<void> {
  await inTransaction(db, endedSignInsDelete)
  await inTransaction(db, personEventsTrim)
}
