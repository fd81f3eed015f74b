import { recordUse } from '../../accounts/limits/use.ts'
import { accountGet } from '../../accounts/accounts.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { bytesUnused, imagesLock, imagesUpdate, productsOfImagesMark } from './records.sql.ts'
import { afterFetch, type Outcome } from './state.ts'

/**
 * Records the outcomes of fetching pictures under a lease, and marks the products that name a picture whose shown URL
 * or size changes. Pictures that are no longer under this lease are skipped.
 * @returns whether any shown URL or size changes.
 */
export async function recordOutcomes(
  tx: Tx,
  accountId: number,
  leaseId: string,
  outcomes: readonly { urlHash: string; outcome: Outcome }[],
): Promise<boolean> {
  const outcomeOfHash = new Map(outcomes.map(({ urlHash, outcome }) => [urlHash, outcome]))
  const locked = await imagesLock(tx, accountId, [...outcomeOfHash.keys()], leaseId)
  const mayDie = locked.some((old) => old.state === 'mirrored' && isFailing(outcomeOfHash.get(old.urlHash)))
  const adopts = mayDie && (await accountGet(tx, accountId))?.adoptImages === true
  const updates = locked.flatMap((old) => {
    const outcome = outcomeOfHash.get(old.urlHash)
    if (outcome === undefined) return []
    return [{ old, next: { urlHash: old.urlHash, ...afterFetch(old, outcome, old.now, Math.random(), adopts) } }]
  })
  await imagesUpdate(
    tx,
    accountId,
    updates.map(({ next }) => next),
  )
  // the bytes are stored already, so the use is recorded without a check of the budget: the next picture finds no room
  await recordUse(tx, accountId, {
    pictures: sumOf(updates.map(({ old, next }) => countOf(next) - countOf(old))),
    picture_bytes: sumOf(updates.map(({ old, next }) => (next.bytes ?? 0) - (old.bytes ?? 0))),
  })
  const changed = updates.filter(
    ({ old, next }) =>
      old.state !== next.state ||
      old.hash !== next.hash ||
      old.type !== next.type ||
      // the same bytes have another size only if another release decodes them
      old.width !== next.width ||
      old.height !== next.height,
  )
  await bytesUnused(
    tx,
    accountId,
    changed.flatMap(({ old, next }) => (old.hash !== null && old.hash !== next.hash ? [old.hash] : [])),
  )
  // in a later statement than the lock: products that began to name a picture before it are seen here, and those that begin
  // later wait for the new state
  await productsOfImagesMark(
    tx,
    accountId,
    changed.map(({ next }) => next.urlHash),
  )
  return changed.length > 0
}

const countOf = ({ bytes }: { bytes: number | null }) => (bytes === null ? 0 : 1)
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

const isFailing = (outcome: Outcome | undefined) => outcome?.kind === 'gone' || outcome?.kind === 'failed'
