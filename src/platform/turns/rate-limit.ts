import { LRUCache } from 'lru-cache'
import { entriesMax } from '../caches/entries-max.ts'
import { LIMITS } from '../limits.ts'

/** A token bucket's size. */
export interface Rate {
  perSecond: number
  /** What may be taken at once. */
  burst: number
}

/** What is in a bucket. */
export interface Fill {
  /** What may be taken; parts count when they have become a whole, and debt is below 0. */
  available: number
  atMs: number
}

export interface RateState {
  isAllowed: boolean
  /** What may be taken immediately. */
  remaining: number
  /** Whole seconds until the bucket is full again, or, when refused, until one may be taken. */
  resetSeconds: number
}

/** Adds what has come since the last call. */
export function refill(fill: Fill, { perSecond, burst }: Rate, atMs: number): void {
  // a clock that is set back must not take anything away
  const elapsedMs = Math.max(0, atMs - fill.atMs)
  fill.available = Math.min(burst, fill.available + (elapsedMs / 1_000) * perSecond)
  fill.atMs = atMs
}

export function stateOf(available: number, { perSecond, burst }: Rate, isAllowed: boolean): RateState {
  return {
    isAllowed,
    remaining: Math.max(0, Math.floor(available)),
    resetSeconds: Math.ceil((isAllowed ? burst - available : 1 - available) / perSecond),
  }
}

/** A token bucket per key, of this process alone. */
export interface RateLimit<Key extends string | number> {
  /** Whether one may be taken; takes nothing. */
  look(key: Key): RateState
  /** Takes one if it is there. */
  take(key: Key): RateState
  /** Takes one that has been used already, into debt where none is left: at most as much as may be taken at once. */
  charge(key: Key): void
}

/** @param now milliseconds. */
export function openRateLimit<Key extends string | number>(
  rate: Rate,
  now: () => number = () => performance.now(),
): RateLimit<Key> {
  const fills = new LRUCache<Key, Fill>(entriesMax(LIMITS.rateBucketsMax))
  const filled = (key: Key): Fill => {
    const fill = fills.get(key) ?? { available: rate.burst, atMs: now() }
    refill(fill, rate, now())
    return fill
  }
  const look = (key: Key): RateState => {
    const { available } = filled(key)
    return stateOf(available >= 1 ? available - 1 : available, rate, available >= 1)
  }
  return {
    look,
    take(key) {
      const state = look(key)
      if (state.isAllowed) this.charge(key)
      return state
    },
    charge(key) {
      const fill = filled(key)
      fill.available = Math.max(-rate.burst, fill.available - 1)
      fills.set(key, fill)
    },
  }
}
