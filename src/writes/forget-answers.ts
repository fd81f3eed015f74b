import type { Db } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { startLoop, type Loop } from '../platform/process/loop.ts'
import { createdAccountsForget } from './created-accounts.sql.ts'
import { accountsWithOldKeys, keysForget } from './remembered-answers.sql.ts'

const ROUND_MS = 60_000

/** Starts deleting answers older than LIMITS.idempotencyKeyHours. Any number of processes may do so. */
export function startForgetting(db: Db, log: Log): Loop {
  return startLoop({
    name: 'idempotency',
    log,
    idleMs: ROUND_MS,
    async step() {
      const { idempotencyKeyHours: hours, idempotencyKeysDeletedPerStep: limit } = LIMITS
      const old = await db.nodes.scan('old keys', (accounts) => accountsWithOldKeys(db, hours, limit, accounts))
      for (const accountId of old.rows)
        await db.nodes.unlessAway(accountId, () => keysForget(db, accountId, hours, limit))
      const created = await createdAccountsForget(db, hours, limit)
      return old.rows.length > 0 || created > 0 ? 'more' : 'idle'
    },
  })
}
