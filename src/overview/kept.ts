import { LRUCache } from 'lru-cache'
import { entriesMax } from '../platform/caches/entries-max.ts'
import { LIMITS } from '../platform/limits.ts'

/**
 * Caches a count by account; concurrent callers wait for the same count. A count that took little time is repeated
 * sooner, so that small accounts see changes at once.
 * @param ms the longest time that a result is cached
 */
export function cachedFor<T extends {}>(
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
    // without expiry until it is known how long counting took
    kept.set(accountId, counted, { ttl: 0 })
    const isKept = () => kept.peek(accountId) === counted
    counted.then(
      () => {
        const took = Math.max(1, performance.now() - began)
        if (isKept()) kept.set(accountId, counted, { ttl: Math.min(ms, took * LIMITS.countedKeptTimes) })
      },
      // failures are not cached
      () => {
        if (isKept()) kept.delete(accountId)
      },
    )
    return counted
  }
}
