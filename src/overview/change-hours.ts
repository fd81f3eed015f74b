import { inTransaction, type Db } from '../db/sql.ts'
import type { Log } from '../platform/log.ts'
import { startLoop, type Loop } from '../platform/process/loop.ts'
import { accountsChangedSince, changeHourNote, changeHoursTrim } from './change-hours.sql.ts'
import { nowMs } from '../platform/time/clock.ts'

const ROUND_MS = 60_000
/** How far back changed accounts are looked for, to make up for failed rounds and stopped processes. */
const LOOK_BACK_MS = 2 * 3_600_000
const ACCOUNTS_PER_PART = 500

/**
 * Starts storing the change numbers of accounts every minute, so that changes of an hour's last minute may be counted in the
 * next hour. Any number of processes may do so.
 */
export function startCountingChanges(db: Db, log: Log): Loop {
  let afterId = 0
  return startLoop({
    name: 'change-hours',
    log,
    idleMs: ROUND_MS,
    async step(signal) {
      const since = new Date(nowMs() - LOOK_BACK_MS)
      const accountIds = await accountsChangedSince(db, since, afterId, ACCOUNTS_PER_PART)
      for (const accountId of accountIds) {
        if (signal.aborted) return 'idle'
        await noteChanges(db, accountId)
      }
      afterId = accountIds.at(-1) ?? 0
      return afterId === 0 ? 'idle' : 'more'
    },
  })
}

/** Stores the present change number of one account. */
export async function noteChanges(db: Db, accountId: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await changeHourNote(tx, accountId)
    await changeHoursTrim(tx, accountId)
  })
}
