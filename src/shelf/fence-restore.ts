import { accountsList } from '../accounts/accounts.sql.ts'
import { productIdBlocksAbandon } from '../catalog/products/products.sql.ts'
import { settingsLock } from '../accounts/settings-lock.sql.ts'
import { inputsVersionRaise, sweepAppend } from '../catalog/stale/sweeps.sql.ts'
import { idSequencesAdvance } from '../db/migrations/id-sequences.sql.ts'
import { inTransaction, type Db } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { counterFence, lastNumberBefore } from './payloads/change-counter.sql.ts'

/**
 * To be run once after a backup is restored, or after a standby that lacked the last changes is promoted. Clients may hold cursors
 * and ids from the lost time: afterwards such cursors are refused with 410, and such ids (of products, stores, rules, endpoints,
 * operations and so on) are not assigned again. Safe to repeat.
 * @param since null if nothing has written to the database since the restore. Otherwise a time before which nothing was lost:
 * change numbers assigned after it may have been assigned twice, so all later cursors are refused, and every product is shelved
 * again, because processes that kept running may have used lost settings.
 * @returns the number of accounts.
 */
export async function fenceRestore(db: Db, since: Date | null = null): Promise<number> {
  const accounts = await accountsList(db)
  await inTransaction(db, (tx) => idSequencesAdvance(tx, LIMITS.fenceIdJump))
  for (const { accountId } of accounts) {
    await inTransaction(db, async (tx) => {
      await settingsLock(tx, accountId)
      // lost settings that a process has compiled must not pass for new ones of the same version
      await inputsVersionRaise(tx, accountId, LIMITS.fenceIdJump)
      if (since !== null) await sweepAppend(tx, accountId, 'fence after a failover')
      await productIdBlocksAbandon(tx, accountId)
      await counterFence(tx, accountId, since === null ? null : await lastNumberBefore(tx, accountId, since))
    })
  }
  return accounts.length
}
