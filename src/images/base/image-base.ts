import { settingsLock } from '../../accounts/settings-lock.sql.ts'
import { sweepAppend } from '../../catalog/stale/sweeps.sql.ts'
import { inTransaction, type Db, type Tx } from '../../db/sql.ts'
import type { Wake } from '../../db/wake.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import {
  accountsWithOtherBase,
  accountsWithoutBase,
  imageBaseGet,
  imageBaseUpdate,
  otherBases,
} from './image-base.sql.ts'

const IDLE_MS = 1_000
const ACCOUNTS_PER_STEP = 500

/**
 * Sets where an account's pictures are served, with a sweep where that changes payloads. Safe to repeat.
 * @param base without a slash at the end; '': pictures are not mirrored, and all are shown by their original URLs.
 * @param isImplicit no setting names it: it replaces no other address.
 */
export async function setImageBase(tx: Tx, accountId: number, base: string, isImplicit = false): Promise<void> {
  await settingsLock(tx, accountId)
  const old = await imageBaseGet(tx, accountId)
  // null, before any was set, shows pictures as '' does
  const shown = old ?? ''
  if (old === base || (isImplicit && shown !== '')) return
  await imageBaseUpdate(tx, accountId, base)
  if (shown !== base) await sweepAppend(tx, accountId, 'address of pictures')
}

/**
 * Brings all accounts to this process's address of pictures once, when the process starts, and later those that are new. Not
 * again and again: of processes with different settings, as during an upgrade, the one that was started last decides.
 * An address that no setting names replaces none: a second process on the same machine would change every picture's URL.
 * @param base undefined: not known yet. @param isImplicit whether no setting names it.
 */
export function startImageBase(db: Db, wake: Wake, log: Log, base: () => string | undefined, isImplicit = false): Loop {
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
          : accountsWithOtherBase(db, wanted, ACCOUNTS_PER_STEP, accounts, isImplicit),
      )
      for (const accountId of found.rows) {
        await db.nodes.unlessAway(accountId, async () => {
          await inTransaction(db, (tx) => setImageBase(tx, accountId, wanted, isImplicit))
          wake.notify('mark', accountId)
        })
      }
      // while a node is away its accounts are still to come
      if (!isBrought && found.rows.length === 0 && found.isWhole) {
        isBrought = true
        if (isImplicit && wanted !== '') await warnOfOtherBase(db, log, wanted)
      }
      return found.rows.length === ACCOUNTS_PER_STEP || !isBrought ? 'more' : 'idle'
    },
  })
}

/** Logs an address in use that differs from this process's own. */
async function warnOfOtherBase(db: Db, log: Log, own: string): Promise<void> {
  const found = await db.nodes.scan('other image base', (accounts) => otherBases(db, own, accounts))
  const [used] = found.rows
  if (used !== undefined)
    log.warn(
      { used, own },
      'pictures stay at the address that they have; to move them to another one set PUBLIC_URL or IMAGE_URL',
    )
}
