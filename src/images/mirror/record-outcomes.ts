import type { Tx } from '../../db/sql.ts'
import { bytesUnused, imagesLock, imagesUpdate, productsOfImagesMark } from './records.sql.ts'
import { afterFetch, type Outcome } from './state.ts'

/**
 * Records what came of asking for pictures under a lease, and marks the products that name one of which the shown URL
 * changes. What is not under this lease any more is left as it is.
 * @returns whether any shown URL changes.
 */
export async function recordOutcomes(
  tx: Tx,
  accountId: number,
  leaseId: string,
  outcomes: readonly { urlHash: string; outcome: Outcome }[],
): Promise<boolean> {
  const outcomeOfHash = new Map(outcomes.map(({ urlHash, outcome }) => [urlHash, outcome]))
  const locked = await imagesLock(tx, accountId, [...outcomeOfHash.keys()], leaseId)
  const updates = locked.flatMap((old) => {
    const outcome = outcomeOfHash.get(old.urlHash)
    if (outcome === undefined) return []
    return [{ old, next: { urlHash: old.urlHash, ...afterFetch(old, outcome, old.now, Math.random()) } }]
  })
  await imagesUpdate(
    tx,
    accountId,
    updates.map(({ next }) => next),
  )
  const changed = updates.filter(
    ({ old, next }) => old.state !== next.state || old.hash !== next.hash || old.type !== next.type,
  )
  await bytesUnused(
    tx,
    accountId,
    changed.flatMap(({ old, next }) => (old.hash !== null && old.hash !== next.hash ? [old.hash] : [])),
  )
  // in a later statement than the lock: products that began to name a picture before are seen here, and those that begin
  // later wait for the new state
  await productsOfImagesMark(
    tx,
    accountId,
    changed.map(({ next }) => next.urlHash),
  )
  return changed.length > 0
}
