import { LIMITS } from '../../platform/limits.ts'

// The rate of deliveries to one endpoint. Pure: all times are by the database's clock, which every process shares.

/**
 * Two bounds. Deliveries begin at least `gapMs` apart, which spreads them. In addition, a delivery begins only `windowMs` after
 * the end of the `perWindow`-th delivery before it: however late that one left this process, it arrived before it ended, so that
 * the receiver counts no more than `perWindow` arrivals in any `windowMs`.
 */
export interface Pace {
  gapMs: number
  /** How many ends are remembered; 0: no window. */
  perWindow: number
  windowMs: number
}

/** Covers the parts of a millisecond that a Date lacks, and clocks that run at slightly different speeds. */
const MARGIN_MS = 2

/** @param perSecond deliveries in any second; large numbers are enforced in parts of a second. Infinity: no limit. */
export function paceOf(perSecond: number): Pace {
  if (perSecond === Infinity) return { gapMs: 0, perWindow: 0, windowMs: 0 }
  const windows = Math.ceil(perSecond / LIMITS.webhookRecentEndsMax)
  return {
    gapMs: 1_000 / perSecond,
    perWindow: Math.floor(perSecond / windows),
    windowMs: 1_000 / windows,
  }
}

/** What is remembered of an endpoint's recent deliveries. */
export interface Recent {
  /** When the last one began. */
  sentAt: Date | null
  /** When the last ones ended, or were found to have ended; the newest first. */
  recentEnds: readonly Date[]
}

/** When the next delivery may begin, in milliseconds of Unix time; null: at once, because nothing was sent yet. */
export function paceAt({ gapMs, perWindow, windowMs }: Pace, { sentAt, recentEnds }: Recent): number | null {
  if (sentAt === null) return null
  const end = perWindow === 0 ? undefined : recentEnds[perWindow - 1]
  const afterGap = sentAt.getTime() + gapMs
  return end === undefined ? afterGap : Math.max(afterGap, end.getTime() + windowMs + MARGIN_MS)
}

/** The ends with a newer one added, limited to what the pace needs. */
export function withEnd(recentEnds: readonly Date[], endedAt: Date): Date[] {
  return [endedAt, ...recentEnds].slice(0, LIMITS.webhookRecentEndsMax)
}
