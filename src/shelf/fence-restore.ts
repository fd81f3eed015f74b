import { accountsList } from '../accounts/accounts.sql.ts'
import { productIdBlocksAbandon } from '../catalog/products/products.sql.ts'
import { idSequencesAdvance } from '../db/id-sequences.sql.ts'
import { inTransaction, type Db } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { counterFence } from './change-counter.sql.ts'

/**
 * To be run once after a backup was restored, before the service starts. What was assigned between the backup and the loss is
 * known outside: cursors of that time are refused from now on, and no id that may have been assigned in it (of products, stores,
 * rules, endpoints, operations, ...) is assigned to something else. Safe to repeat.
 * @returns how many accounts there are.
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
