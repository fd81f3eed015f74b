import { unreachable } from '../../platform/errors.ts'

// What is known of a picture after its original was asked for. Pure: times and chances are inputs.

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Failures other than a clear refusal make a picture dead when they have gone on for so long. */
export const FAILING_MS_MAX = 7 * DAY_MS
/** How often a mirrored picture is asked for again. */
const REFRESH_MS = 7 * DAY_MS
/** How long after the first, second, third … failure in a row it is tried again; the last one applies to all further ones. */
const RETRY_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS] as const
/** The same for a dead one. */
const REVIVE_MS = [6 * HOUR_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 14 * DAY_MS, 30 * DAY_MS] as const
/** By which share of a pause it is longer by chance, so that what came together does not return together. */
const SPREAD = 0.2

/** What asking for an original gave. */
export type Outcome =
  | {
      kind: 'image'
      hash: string
      type: string
      width: number
      height: number
      bytes: number
      etag: string | null
      lastModified: string | null
    }
  /** 304: the bytes are those that we have. */
  | { kind: 'unchanged' }
  /** Its source says that there is none, or what it sends is none. */
  | { kind: 'gone'; reason: string }
  /** Anything else that may pass. */
  | { kind: 'failed'; reason: string; retryAfterMs: number | null }
  /** The store has lost the bytes: fetched again at once. */
  | { kind: 'lost' }
  /** It is not the source's fault: tried again later, as if nothing had been asked. */
  | { kind: 'postponed'; reason: string; retryAfterMs: number }

export interface ImageState {
  state: 'pending' | 'mirrored' | 'dead'
  hash: string | null
  type: string | null
  width: number | null
  height: number | null
  bytes: number | null
  reason: string | null
  etag: string | null
  lastModified: string | null
  failures: number
  failedSince: Date | null
  fetchedAt: Date | null
  nextFetchAt: Date
}

const WITHOUT_BYTES = {
  hash: null,
  type: null,
  width: null,
  height: null,
  bytes: null,
  etag: null,
  lastModified: null,
} as const

/** @param chance from 0 to 1. */
export function afterFetch(old: ImageState, outcome: Outcome, now: Date, chance: number): ImageState {
  const later = (ms: number) => new Date(now.getTime() + ms * (1 + SPREAD * chance))
  switch (outcome.kind) {
    case 'image': {
      const { kind: _, ...found } = outcome
      const succeeded = { reason: null, failures: 0, failedSince: null, fetchedAt: now, nextFetchAt: later(REFRESH_MS) }
      return { state: 'mirrored', ...found, ...succeeded }
    }
    case 'unchanged':
      // an answer to a condition that was not sent: asked again without one
      if (old.state !== 'mirrored') return failed(old, 'http_304', null, now, later)
      return { ...old, reason: null, failures: 0, failedSince: null, fetchedAt: now, nextFetchAt: later(REFRESH_MS) }
    case 'gone': {
      const failures = old.state === 'dead' ? old.failures + 1 : 1
      return {
        ...WITHOUT_BYTES,
        state: 'dead',
        reason: outcome.reason,
        failures,
        failedSince: old.failedSince ?? now,
        fetchedAt: old.fetchedAt,
        nextFetchAt: later(pauseOf(REVIVE_MS, failures)),
      }
    }
    case 'failed':
      return failed(old, outcome.reason, outcome.retryAfterMs, now, later)
    case 'lost':
      return { ...old, ...WITHOUT_BYTES, state: 'pending', reason: 'lost', nextFetchAt: now }
    case 'postponed':
      return {
        ...old,
        reason: old.state === 'pending' ? outcome.reason : old.reason,
        nextFetchAt: later(outcome.retryAfterMs),
      }
    default:
      return unreachable(outcome)
  }
}

function failed(
  old: ImageState,
  reason: string,
  retryAfterMs: number | null,
  now: Date,
  later: (ms: number) => Date,
): ImageState {
  const failedSince = old.failedSince ?? now
  const failures = old.failures + 1
  const after = Math.max(retryAfterMs ?? 0, pauseOf(old.state === 'dead' ? REVIVE_MS : RETRY_MS, failures))
  if (old.state === 'dead') return { ...old, failures, failedSince, nextFetchAt: later(after) }
  if (now.getTime() - failedSince.getTime() < FAILING_MS_MAX)
    return { ...old, reason, failures, failedSince, nextFetchAt: later(after) }
  const dead = { state: 'dead', reason, failures: 1, failedSince, fetchedAt: old.fetchedAt } as const
  return { ...WITHOUT_BYTES, ...dead, nextFetchAt: later(Math.max(retryAfterMs ?? 0, pauseOf(REVIVE_MS, 1))) }
}

const pauseOf = (steps: readonly number[], failures: number) => steps[Math.min(failures, steps.length) - 1] ?? 0
