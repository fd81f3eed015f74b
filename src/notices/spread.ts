import { inTransaction, type Db } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { accountsToSpread, noticesSpread } from './deliveries.sql.ts'

/** Makes the deliveries of new notices, for all channels of their accounts. Any number of processes may run this. */
export async function spreadNotices(db: Db, stopping?: AbortSignal): Promise<void> {
  const found = await db.nodes.scan('notices to spread', (accounts) =>
    accountsToSpread(db, LIMITS.noticeAccountsPerStep, accounts),
  )
  for (const accountId of found.rows) {
    if (stopping?.aborted === true) return
    await db.nodes.unlessAway(accountId, () => inTransaction(db, (tx) => noticesSpread(tx, accountId)))
  }
}
