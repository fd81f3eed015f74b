import { accountsList } from '../accounts/accounts.sql.ts'
import { productIdBlocksAbandon } from '../catalog/products/products.sql.ts'
import { settingsLock } from '../accounts/settings-lock.sql.ts'
import { inputsVersionRaise, sweepAppend } from '../catalog/stale/sweeps.sql.ts'
import { idSequencesAdvance } from '../db/id-sequences.sql.ts'
import { inTransaction, type Db } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { counterFence, lastNumberBefore } from './payloads/change-counter.sql.ts'

/**
 * Run once after restoring a backup, or after promoting a standby that lacked the last changes. Clients know cursors and ids of the
 * lost time. From here on such cursors are refused with 410, and such ids (of products, stores, rules, endpoints,
 * operations and so on) are not assigned again. Safe to repeat.
 * @param since null when nothing has written to the database since. Otherwise a time before which nothing was lost: numbers
 *   given after it may have been given twice, so every cursor from then on is refused, and every product is shelved again, because
 *   processes that went on may have used settings of the lost time.
 * @returns the number of accounts.
 */
export async function fenceRestore(db: Db, since: Date | null = null): Promise<number> {
  const accounts = await accountsList(db)
  await inTransaction(db, (tx) => idSequencesAdvance(tx, LIMITS.fenceIdJump))
  for (const { accountId } of accounts) {
    await inTransaction(db, async (tx) => {
      await settingsLock(tx, accountId)
      // what a process has compiled of the lost settings must not pass for those that get the same version
      await inputsVersionRaise(tx, accountId, LIMITS.fenceIdJump)
      if (since !== null) await sweepAppend(tx, accountId, 'fence after a failover')
      await productIdBlocksAbandon(tx, accountId)
      await counterFence(tx, accountId, since === null ? null : await lastNumberBefore(tx, accountId, since))
    })
  }
  return accounts.length
}
