import { LRUCache } from 'lru-cache'
import { LIMITS } from '../platform/limits.ts'

/** Counts something of an account, and keeps the answer for a while; who asks meanwhile waits for the same one. */
export function keptFor<T extends {}>(
  ms: number,
  count: (accountId: number) => Promise<T>,
): (accountId: number) => Promise<T> {
  const kept = new LRUCache<number, Promise<T>>({ max: LIMITS.directoryEntriesMax, ttl: ms })
  return (accountId) => {
    const known = kept.get(accountId)
    if (known !== undefined) return known
    const counted = count(accountId)
    kept.set(accountId, counted)
    // a failure is not remembered
    counted.catch(() => kept.delete(accountId))
    return counted
  }
}
