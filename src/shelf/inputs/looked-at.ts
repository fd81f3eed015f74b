import type { Db } from '../../db/sql.ts'
import { asBusy, openFairTurns } from '../../platform/turns/fair-turns.ts'
import { LIMITS } from '../../platform/limits.ts'
import { weightsOf } from './product-slices.ts'

// Requests of which each looks at a few products: how many of these a process does at a time, any number of which may be of long ones.

const turns = openFairTurns('long products that are looked at', {
  atOnce: LIMITS.lookedAtCharactersMax,
  perKey: LIMITS.lookedAtCharactersPerAccountMax,
  waitingMax: LIMITS.listsWaitingMax,
  waitingPerKeyMax: LIMITS.listsWaitingPerAccountMax,
})

/**
 * Does work that reads these products whole, slice by slice: in turn, by what a slice of them may have, where they are long. Not in a transaction: who
 * waits has no connection.
 * docs/decisions/256-what-is-held-is-bounded-by-bytes.md says why.
 * @throws ShelfwireError rate-limited when too many wait
 */
export async function lookingAt<T>(
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
