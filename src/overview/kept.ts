import { LRUCache } from 'lru-cache'
import { entriesMax } from '../platform/caches/entries-max.ts'
import { LIMITS } from '../platform/limits.ts'

/**
 * Counts something of an account, and keeps the answer for a while; who asks meanwhile waits for the same one.
 * What was counted quickly is counted again sooner: a small account sees at once what changed in it.
 * @param ms the longest time that an answer is kept
 */
export function keptFor<T extends {}>(
  ms: number,
  count: (accountId: number) => Promise<T>,
): (accountId: number) => Promise<T> {
  const kept = new LRUCache<number, Promise<T>>({
    ...entriesMax(LIMITS.directoryEntriesMax),
    ttl: ms,
    perf: performance,
  })
  return (accountId) => {
    const known = kept.get(accountId)
    if (known !== undefined) return known
    const began = performance.now()
    const counted = count(accountId)
    // without an end until it is known how long counting took
    kept.set(accountId, counted, { ttl: 0 })
    const isKept = () => kept.peek(accountId) === counted
    counted.then(
      () => {
        const took = Math.max(1, performance.now() - began)
        if (isKept()) kept.set(accountId, counted, { ttl: Math.min(ms, took * LIMITS.countedKeptTimes) })
      },
      // a failure is not remembered
      () => {
        if (isKept()) kept.delete(accountId)
      },
    )
    return counted
  }
}
