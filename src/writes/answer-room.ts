import { LRUCache } from 'lru-cache'
import { entriesMax } from '../platform/caches/entries-max.ts'
import { LIMITS } from '../platform/limits.ts'
import { refill, type Fill } from '../platform/turns/rate-limit.ts'

/** Limits how much of the database answers kept under Idempotency-Keys may take. */
export interface AnswerRoom {
  /** Takes room for the body of an answer. @returns false if there is none, and only a short answer is kept. */
  take(accountId: number, bytes: number): boolean
}

/**
 * A short request can have a long answer, such as a rule with ten thousand values, or a bulk in which every row fails. The number of short answers
 * is bounded by the writes that an account may make; long ones are limited here, by account and process.
 * docs/decisions/245-bounds-between-accounts.md says why.
 * @param now milliseconds
 */
export function openAnswerRoom(now: () => number = () => performance.now()): AnswerRoom {
  const fills = new LRUCache<number, Fill>(entriesMax(LIMITS.rateBucketsMax))
  return {
    take(accountId, bytes) {
      if (bytes <= LIMITS.keptAnswerShortBytes) return true
      const rate = { perSecond: LIMITS.keptAnswersBytesPerSecond, burst: LIMITS.keptAnswersBytesAtOnce }
      const atMs = now()
      const fill = fills.get(accountId) ?? { available: rate.burst, atMs }
      refill(fill, rate, atMs)
      const hasRoom = fill.available >= bytes
      if (hasRoom) fill.available -= bytes
      fills.set(accountId, fill)
      return hasRoom
    },
  }
}
