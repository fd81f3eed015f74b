import { accountsList } from '../accounts/accounts.sql.ts'
import { productIdBlocksAbandon } from '../catalog/products/products.sql.ts'
import { idSequencesAdvance } from '../db/id-sequences.sql.ts'
import { inTransaction, type Db } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { counterFence } from './change-counter.sql.ts'

/**
 * Run once after restoring a backup, before the service starts. Clients know cursors and ids that were assigned after the
 * backup was made. From here on such cursors are refused with 410, and such ids (of products, stores, rules, endpoints,
 * operations and so on) are not assigned again. Safe to repeat.
 * @returns the number of accounts.
 */
export async function fenceRestore(db: Db): Promise<number> {
  const accounts = await accountsList(db)
  await inTransaction(db, (tx) => idSequencesAdvance(tx, LIMITS.fenceIdJump))
  for (const { accountId } of accounts) {
    await inTransaction(db, async (tx) => {
      await productIdBlocksAbandon(tx, accountId)
      await counterFence(tx, accountId)
    })
  }
  return accounts.length
}
