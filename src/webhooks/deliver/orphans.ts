import { inTransaction, type Db } from '../../db/sql.ts'
import { holdersGone, leasesEnd } from './orphans.sql.ts'

/**
 * For so long a lock must be seen free. A process whose connection was lost takes its lock again within this time, and what it
 * has in flight is then not sent by others, too.
 */
const GONE_AFTER_MS = 900

/**
 * Finds leases of processes that were killed, so that their deliveries are sent again at once and not only when the lease has run out.
 * @param own the number of this process, whose own leases are never taken.
 * @param now milliseconds, for the time between two looks.
 * @returns a look, to be taken regularly.
 */
export function watchOrphans(db: Db, own: number, now: () => number = () => performance.now()): () => Promise<void> {
  let freeSince = new Map<number, number>()
  return async () => {
    const { rows: found, isWhole } = await db.nodes.scan('orphans', (accounts) => holdersGone(db, own, accounts))
    const at = now()
    const seen = found.map(({ holder }) => [holder, freeSince.get(holder) ?? at] as const)
    // those of accounts that were not looked at this time are remembered
    freeSince = new Map(isWhole ? seen : [...freeSince, ...seen])
    const gone = found.filter(({ holder }) => at - (freeSince.get(holder) ?? at) >= GONE_AFTER_MS)
    const holders = gone.map(({ holder }) => holder)
    for (const accountId of new Set(gone.flatMap(({ accountIds }) => accountIds)))
      await db.nodes.unlessAway(accountId, () => inTransaction(db, (tx) => leasesEnd(tx, accountId, holders)))
  }
}
