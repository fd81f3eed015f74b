import { settingsLock } from '../../accounts/settings-lock.sql.ts'
import { sweepAppend } from '../../catalog/stale/sweeps.sql.ts'
import { inTransaction, type Db, type Tx } from '../../db/sql.ts'
import type { Wake } from '../../db/wake.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/loop.ts'
import { accountsWithOtherBase, accountsWithoutBase, imageBaseGet, imageBaseUpdate } from './image-base.sql.ts'

const IDLE_MS = 1_000
const ACCOUNTS_PER_STEP = 500

/**
 * Sets where an account's pictures are served, with a sweep where that changes payloads. Safe to repeat.
 * @param base without a slash at the end; '': pictures are not mirrored, and all are shown by their original URLs.
 */
export async function setImageBase(tx: Tx, accountId: number, base: string): Promise<void> {
  await settingsLock(tx, accountId)
  const old = await imageBaseGet(tx, accountId)
  if (old === base) return
  await imageBaseUpdate(tx, accountId, base)
  if ((old ?? '') !== base) await sweepAppend(tx, accountId, 'address of pictures')
}

/**
 * Brings all accounts to this process's address of pictures once, when the process starts, and later those that are new. Not
 * again and again: of processes with different settings, as during an upgrade, the one that was started last decides.
 * @param base undefined: not known yet.
 */
export function startImageBase(db: Db, wake: Wake, log: Log, base: () => string | undefined): Loop {
  let isBrought = false
  return startLoop({
    name: 'image-base',
    log,
    idleMs: IDLE_MS,
    async step() {
      const wanted = base()
      // of an account without one, pictures are not mirrored anyway
      if (wanted === undefined || (isBrought && wanted === '')) return 'idle'
      const found = await db.nodes.scan('image base', (accounts) =>
        isBrought
          ? accountsWithoutBase(db, ACCOUNTS_PER_STEP, accounts)
          : accountsWithOtherBase(db, wanted, ACCOUNTS_PER_STEP, accounts),
      )
      for (const accountId of found.rows) {
        await db.nodes.unlessAway(accountId, async () => {
          await inTransaction(db, (tx) => setImageBase(tx, accountId, wanted))
          wake.notify('mark', accountId)
        })
      }
      // while a node is away its accounts are still to come
      if (!isBrought && found.rows.length === 0 && found.isWhole) isBrought = true
      return found.rows.length === ACCOUNTS_PER_STEP || !isBrought ? 'more' : 'idle'
    },
  })
}
