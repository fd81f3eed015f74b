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
 * Sets the base URL of an account's pictures, with a sweep if that changes payloads. Safe to repeat.
 * @param base without a slash at the end; '': pictures are not mirrored, and payloads have their original URLs.
 * @param isImplicit the URL comes from no setting, so it replaces no other one.
 */
export async function setImageBase(tx: Tx, accountId: number, base: string, isImplicit = false): Promise<void> {
  await settingsLock(tx, accountId)
  const old = await imageBaseGet(tx, accountId)
  // null, the state before a base URL is set, shows original URLs like ''
  const shown = old ?? ''
  if (old === base || (isImplicit && shown !== '')) return
  await imageBaseUpdate(tx, accountId, base)
  if (shown !== base) await sweepAppend(tx, accountId, 'address of pictures')
}

/**
 * Sets this process's base URL of pictures for all accounts once, when the process starts, and later for new accounts. It is not
 * repeated: of processes with different settings, as during an upgrade, the one that was started last decides.
 * A URL that comes from no setting replaces none: otherwise a second process on the same machine would change every picture's URL.
 * @param base undefined: not known yet. @param isImplicit whether the URL comes from no setting.
 */
export function startImageBase(db: Db, wake: Wake, log: Log, base: () => string | undefined, isImplicit = false): Loop {
  let areAllSet = false
  return startLoop({
    name: 'image-base',
    log,
    idleMs: IDLE_MS,
    async step() {
      const wanted = base()
      // with '' there is nothing to set for new accounts: without a base URL their pictures are not mirrored either
      if (wanted === undefined || (areAllSet && wanted === '')) return 'idle'
      const found = await db.nodes.scan('image base', (accounts) =>
        areAllSet
          ? accountsWithoutBase(db, ACCOUNTS_PER_STEP, accounts)
          : accountsWithOtherBase(db, wanted, ACCOUNTS_PER_STEP, accounts, isImplicit),
      )
      for (const accountId of found.rows) {
        await db.nodes.unlessAway(accountId, async () => {
          await inTransaction(db, (tx) => setImageBase(tx, accountId, wanted, isImplicit))
          wake.notify('mark', accountId)
        })
      }
      // while a node is away, its accounts have not been set yet
      if (!areAllSet && found.rows.length === 0 && found.isWhole) {
        areAllSet = true
        if (isImplicit && wanted !== '') await warnOfOtherBase(db, log, wanted)
      }
      return found.rows.length === ACCOUNTS_PER_STEP || !areAllSet ? 'more' : 'idle'
    },
  })
}

/** Logs a base URL in use that differs from this process's own. */
async function warnOfOtherBase(db: Db, log: Log, own: string): Promise<void> {
  const found = await db.nodes.scan('other image base', (accounts) => otherBases(db, own, accounts))
  const [used] = found.rows
  if (used !== undefined)
    log.warn(
      { used, own },
      'pictures stay at the address that they have; to move them to another one set PUBLIC_URL or IMAGE_URL',
    )
}
