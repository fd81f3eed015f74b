import { LRUCache } from 'lru-cache'
import { LIMITS } from './limits.ts'

interface Bucket {
  tokens: number
  atMs: number
}

export interface RateState {
  isAllowed: boolean
  /** What may be taken immediately. */
  remaining: number
  /** Whole seconds until the bucket is full again, or, when refused, until one may be taken. */
  resetSeconds: number
}

/** A token bucket per key and process. */
export interface RateLimit<Key extends string | number> {
  /** Value of the header RateLimit-Policy. */
  policy: string
  take(key: Key): RateState
  /** What `take` would answer; takes nothing. */
  look(key: Key): RateState
  /** Takes one that has been used already, into debt where none is left: at most as much as may be taken at once. */
  charge(key: Key): void
}

/** @param burst what may be taken at once. @returns null when `perSecond` is 0: no limit. */
export function openRateLimit<Key extends string | number>(
  perSecond: number,
  burst: number = perSecond * LIMITS.rateBurstSeconds,
  now: () => number = () => performance.now(),
): RateLimit<Key> | null {
  if (perSecond === 0) return null
  const buckets = new LRUCache<Key, Bucket>({ max: LIMITS.rateBucketsMax })
  const filled = (key: Key): Bucket => {
    const atMs = now()
    const bucket = buckets.get(key) ?? { tokens: burst, atMs }
    // a clock that is set back must not remove tokens
    const elapsedMs = Math.max(0, atMs - bucket.atMs)
    bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs / 1_000) * perSecond)
    bucket.atMs = atMs
    return bucket
  }
  const stateOf = (tokens: number, isAllowed: boolean): RateState => ({
    isAllowed,
    remaining: Math.floor(tokens),
    resetSeconds: Math.ceil((isAllowed ? burst - tokens : 1 - tokens) / perSecond),
  })
  return {
    policy: `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`,
    take(key) {
      const bucket = filled(key)
      const isAllowed = bucket.tokens >= 1
      if (isAllowed) bucket.tokens -= 1
      buckets.set(key, bucket)
      return stateOf(bucket.tokens, isAllowed)
    },
    look(key) {
      const { tokens } = filled(key)
      return stateOf(tokens >= 1 ? tokens - 1 : tokens, tokens >= 1)
    },
    charge(key) {
      const bucket = filled(key)
      bucket.tokens = Math.max(-burst, bucket.tokens - 1)
      buckets.set(key, bucket)
    },
  }
}
