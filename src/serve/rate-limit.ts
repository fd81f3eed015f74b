import { LRUCache } from 'lru-cache'
import { LIMITS } from '../platform/limits.ts'

interface Bucket {
  tokens: number
  atMs: number
}

export interface RateState {
  isAllowed: boolean
  /** Requests that may be sent immediately. */
  remaining: number
  /** Whole seconds until the bucket is full again, or, when refused, until one request may be sent. */
  resetSeconds: number
}

/** A token bucket per API token and process: rate `perSecond`, burst LIMITS.rateBurstSeconds times that; null: off. */
export function openRateLimit(perSecond: number, now: () => number = () => performance.now()) {
  if (perSecond === 0) return null
  const burst = perSecond * LIMITS.rateBurstSeconds
  const buckets = new LRUCache<number, Bucket>({ max: LIMITS.rateBucketsMax })
  return {
    policy: `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`,
    take(tokenId: number): RateState {
      const atMs = now()
      const bucket = buckets.get(tokenId) ?? { tokens: burst, atMs }
      // a clock that is set back must not remove tokens
      const elapsedMs = Math.max(0, atMs - bucket.atMs)
      bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs / 1_000) * perSecond)
      bucket.atMs = atMs
      const isAllowed = bucket.tokens >= 1
      if (isAllowed) bucket.tokens -= 1
      buckets.set(tokenId, bucket)
      const missing = isAllowed ? burst - bucket.tokens : 1 - bucket.tokens
      return { isAllowed, remaining: Math.floor(bucket.tokens), resetSeconds: Math.ceil(missing / perSecond) }
    },
  }
}
