import { LRUCache } from 'lru-cache'
import { entriesMax } from '../caches/entries-max.ts'
import { LIMITS } from '../limits.ts'

/** The rate and the size of a token bucket. */
export interface Rate {
  perSecond: number
  /** How many may be taken at once, from a full bucket. */
  burst: number
}

/** The content of a bucket at a time. */
export interface Fill {
  /** How many may be taken, in fractions; negative while in debt. */
  available: number
  atMs: number
}

export interface RateState {
  isAllowed: boolean
  /** How many may be taken immediately; a whole number. */
  remaining: number
  /** Whole seconds until the bucket is full again, or, when refused, until one may be taken. */
  resetSeconds: number
}

/** Adds what has accrued since the last call. */
export function refill(fill: Fill, { perSecond, burst }: Rate, atMs: number): void {
  // if the clock is set back, nothing is taken away
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

/** A token bucket for each key, in this process alone. */
export interface RateLimit<Key extends string | number> {
  /** Checks whether one may be taken, without taking it. */
  look(key: Key): RateState
  /** Takes one if there is one. */
  take(key: Key): RateState
  /** Takes one that has been used already. The bucket may go into debt, by at most `burst`. */
  charge(key: Key): void
}

/** @param now the time in milliseconds. */
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
