import { accountsDueForSweep } from '../catalog/settings/days.sql.ts'
import { advanceAccount } from '../catalog/settings/days.ts'
import { accountsWithLongAbsent } from '../catalog/products/offers/offers.sql.ts'
import { dropAbsentOffers } from '../catalog/products/offers/offers.ts'
import { inTransaction, type Db } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { startLoop, type Loop } from '../platform/process/loop.ts'
import { RESOLVER_VERSION } from '../resolve/resolve.ts'

/** The longest delay of a change caused by time. */
const IDLE_MS = 1_000
const ACCOUNTS_PER_STEP = 500

/**
 * Writes changes that are due to time alone (the account's day, offers absent for too long, a newer resolver), like any
 * other write: rows with their marks or a sweep. @returns whether there may be more to do.
 * docs/decisions/022-time-is-an-input.md says why.
 */
export async function clockStep(db: Db, wake: Wake): Promise<boolean> {
  const behind = await db.nodes.scan('behind', (accounts) =>
    accountsDueForSweep(db, RESOLVER_VERSION, ACCOUNTS_PER_STEP, accounts),
  )
  for (const accountId of behind.rows) {
    await db.nodes.unlessAway(accountId, async () => {
      await inTransaction(db, (tx) => advanceAccount(tx, accountId, RESOLVER_VERSION))
      wake.notify('mark', accountId)
    })
  }
  let dropped = 0
  const longAbsent = await db.nodes.scan('long absent', (accounts) =>
    accountsWithLongAbsent(db, LIMITS.offerAbsentDaysMax, accounts),
  )
  for (const accountId of longAbsent.rows) {
    await db.nodes.unlessAway(accountId, async () => {
      dropped += await inTransaction(db, (tx) => dropAbsentOffers(tx, accountId))
      wake.notify('mark', accountId)
    })
  }
  return behind.rows.length === ACCOUNTS_PER_STEP || dropped > 0
}

/** Starts the clock of this process. Several processes may run one each: every step is safe to repeat. */
export function startClock(db: Db, wake: Wake, log: Log): Loop {
  return startLoop({
    name: 'clock',
    log,
    idleMs: IDLE_MS,
    step: async () => ((await clockStep(db, wake)) ? 'more' : 'idle'),
  })
}
