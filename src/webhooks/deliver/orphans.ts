import { inTransaction, type Db } from '../../db/sql.ts'
import { endedLeaseHolders, leasesEnd } from './orphans.sql.ts'

/**
 * How long a lock must have been free. A process that lost its connection takes its lock again within this time, so that others do not
 * send what it has in flight.
 */
const GONE_AFTER_MS = 900

/**
 * Finds leases of killed processes, so that their deliveries are sent again at once rather than when the leases run out.
 * @param own the number of this process, whose own leases are ignored.
 * @param now milliseconds, for the time between two calls.
 * @returns a function to be called regularly.
 */
export function watchOrphans(db: Db, own: number, now: () => number = () => performance.now()): () => Promise<void> {
  let freeSince = new Map<number, number>()
  return async () => {
    const { rows: found, isWhole } = await db.nodes.scan('orphans', (accounts) => endedLeaseHolders(db, own, accounts))
    const at = now()
    const seen = found.map(({ holder }) => [holder, freeSince.get(holder) ?? at] as const)
    // processes of accounts that were not searched this time are remembered
    freeSince = new Map(isWhole ? seen : [...freeSince, ...seen])
    const gone = found.filter(({ holder }) => at - (freeSince.get(holder) ?? at) >= GONE_AFTER_MS)
    const holders = gone.map(({ holder }) => holder)
    for (const accountId of new Set(gone.flatMap(({ accountIds }) => accountIds)))
      await db.nodes.unlessAway(accountId, () => inTransaction(db, (tx) => leasesEnd(tx, accountId, holders)))
  }
}
