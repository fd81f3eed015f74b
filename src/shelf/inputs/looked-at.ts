import type { Db } from '../../db/sql.ts'
import { asBusy, openFairTurns } from '../../platform/turns/fair-turns.ts'
import { LIMITS } from '../../platform/limits.ts'
import { weightsOf } from './product-slices.ts'

// Limits how much text a process reads at a time for requests that resolve a few products without storing the result, such as previews and
// explanations.

const turns = openFairTurns('long products that are looked at', {
  atOnce: LIMITS.lookedAtCharactersMax,
  perKey: LIMITS.lookedAtCharactersPerAccountMax,
  waitingMax: LIMITS.listsWaitingMax,
  waitingPerKeyMax: LIMITS.listsWaitingPerAccountMax,
})

/**
 * Runs `work`, which reads these products whole, slice by slice. If they are long, it first waits for a turn, which counts up to the number of
 * characters of a slice. To be called outside a transaction, so that nobody holds a connection while waiting.
 * docs/decisions/256-what-is-held-is-bounded-by-bytes.md says why.
 * @throws ShelfwireError rate-limited when too many wait
 */
export async function withReadingTurn<T>(
  db: Db,
  accountId: number,
  productIds: readonly number[],
  work: () => Promise<T>,
): Promise<T> {
  const weights = [...(await weightsOf(db, accountId, productIds)).values()]
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (sum < LIMITS.lookedAtCharacters) return work()
  const weight = Math.min(sum, Math.max(LIMITS.statementCharacters, ...weights))
  const turn = await turns.acquire(accountId, { weight }).catch((error: unknown) => {
    throw asBusy(error, 'requests about long products', LIMITS.listRetrySeconds)
  })
  using _turn = turn
  return await work()
}
