import { logUnlessDatabaseFailed } from '../db/connections/connection-errors.ts'
import { inTransaction, type Db } from '../db/sql.ts'
import type { Log } from '../platform/log.ts'
import { noticeAccountsAfter, noticesTrim } from './notices.sql.ts'

const ACCOUNTS_PER_PART = 500

/**
 * Deletes old notices of a part of all accounts, whatever they are about.
 * @param afterId the account before the part
 * @returns the last account of the part; null: there are no more. While a node of the database is unreachable, the scan keeps its own place, and 0 is
 * returned.
 */
export async function trimNotices(db: Db, log: Log, afterId: number, signal: AbortSignal): Promise<number | null> {
  const part = await db.nodes.scan(
    'old notices',
    (accounts) => noticeAccountsAfter(db, afterId, ACCOUNTS_PER_PART, accounts),
    { part: ACCOUNTS_PER_PART },
  )
  for (const { accountId, isFull } of part.rows) {
    if (signal.aborted) return null
    if (!isFull) continue
    const trimmed = db.nodes.unlessAway(accountId, async () => {
      // in small transactions, so that years of notices are not deleted in one
      while (!signal.aborted && (await inTransaction(db, (tx) => noticesTrim(tx, accountId))));
    })
    // a failure does not stop the round; the account is tried again in the next one
    await trimmed.catch((error: unknown) =>
      logUnlessDatabaseFailed(log, error, 'old notices of an account could not be deleted', { accountId }),
    )
  }
  if (part.isWhole) return part.rows.at(-1)?.accountId ?? null
  return part.isEnd || part.rows.length === 0 ? null : 0
}
