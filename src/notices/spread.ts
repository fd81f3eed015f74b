import { logUnlessDatabaseFailed } from '../db/connections/connection-errors.ts'
import { inTransaction, type Db } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { accountsToSpread, noticesSpread } from './deliveries.sql.ts'

/** Makes the deliveries of new notices, for all channels of their accounts. Any number of processes may run this. @throws if the database fails */
export async function spreadNotices(db: Db, log: Log, stopping?: AbortSignal): Promise<void> {
  const found = await db.nodes.scan('notices to spread', (accounts) =>
    accountsToSpread(db, LIMITS.noticeAccountsPerStep, accounts),
  )
  for (const accountId of found.rows) {
    if (stopping?.aborted === true) return
    const spread = db.nodes.unlessAway(accountId, () => inTransaction(db, (tx) => noticesSpread(tx, accountId)))
    // the notices of other accounts do not wait for those of this one, which are tried again in the next step
    await spread.catch((error: unknown) =>
      logUnlessDatabaseFailed(log, error, 'the notices of an account could not be prepared', { accountId }),
    )
  }
}
