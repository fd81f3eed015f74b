import { unreachable } from '../../platform/errors.ts'
import { must } from '../../platform/must.ts'

// The state of a picture after a look at its original. Pure: times and random numbers are inputs.

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** A picture without a copy becomes dead if every look has failed for this time. After a clear refusal it is dead at once. */
export const FAILING_MS_MAX = 7 * DAY_MS
/** A copy is given up if every look has failed for this time, and there were at least COPY_LOOKS_MIN looks. */
export const COPY_FAILING_MS_MAX = 30 * DAY_MS
const COPY_LOOKS_MIN = 10
/** The most that the time between two looks counts: days without a look say nothing about the source. */
const BETWEEN_LOOKS_MS_MAX = DAY_MS
/** Reasons that are counted separately; further ones are counted together. */
const REASONS_MAX = 20
const OTHER_REASONS = 'other'
/** Interval of the looks at a mirrored picture. */
const REFRESH_MS = 7 * DAY_MS
/** Pause after the first, second, third … failure in a row; the last value applies to all further ones. */
const RETRY_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS] as const
/** Pauses for a dead picture. They begin short again, because a server may have had only a brief failure. */
const REVIVE_MS = [...RETRY_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 14 * DAY_MS, 30 * DAY_MS] as const
/** The share by which a random number lengthens a pause, so that pictures that were due together do not stay together. */
const SPREAD = 0.2

/** The outcome of a look at an original. */
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
  /** 304: our copy is up to date. */
  | { kind: 'unchanged' }
  /** The source answers that the picture does not exist, or sends something that is not a picture. */
  | { kind: 'gone'; reason: string }
  /** Any other failure, which may be temporary. */
  | { kind: 'failed'; reason: string; retryAfterMs: number | null }
  /** The store has lost the bytes: the picture is fetched again at once, or is dead if it has no source. */
  | { kind: 'lost'; hasSource: boolean }
  /** The failure is ours: the look is repeated later, as if it had not happened. */
  | { kind: 'postponed'; reason: string; retryAfterMs: number }

/** The state of a picture: with a copy (`mirrored`), without one yet (`pending`), or given up (`dead`). */
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
  /** null: never, because the picture is the account's own. */
  nextFetchAt: Date | null
  /** The time of the last look. */
  lookedAt: Date | null
  /** How long looks have failed in a row, where each gap between two looks counts for at most BETWEEN_LOOKS_MS_MAX. */
  failingMs: number
  /** The number of failed looks in a row by reason. */
  failingReasons: Readonly<Record<string, number>>
  /** When the account made the copy its own. */
  adoptedAt: Date | null
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

const NOT_FAILING = { reason: null, failures: 0, failedSince: null, failingMs: 0, failingReasons: {} } as const

/**
 * The state after a look.
 * @param chance a random number from 0 to 1.
 * @param adopts whether copies whose source is dead become the account's own.
 */
export function afterFetch(
  old: ImageState,
  outcome: Outcome,
  now: Date,
  chance: number,
  adopts: boolean = false,
): ImageState {
  const later = (ms: number) => new Date(now.getTime() + ms * (1 + SPREAD * chance))
  const good = { ...NOT_FAILING, fetchedAt: now, lookedAt: now, nextFetchAt: later(REFRESH_MS), adoptedAt: null }
  switch (outcome.kind) {
    case 'image': {
      const { kind: _, ...found } = outcome
      return { state: 'mirrored', ...found, ...good }
    }
    case 'unchanged':
      // the server answered a condition that was not sent, so this counts as a failure
      if (old.state !== 'mirrored') return failing(old, 'http_304', null, now, later)
      return { ...old, ...good }
    case 'gone':
      if (old.state === 'mirrored') return failingCopy(old, outcome.reason, null, now, later, adopts)
      return {
        ...failedLook(old, outcome.reason, now),
        ...WITHOUT_BYTES,
        state: 'dead',
        reason: outcome.reason,
        failures: old.state === 'dead' ? old.failures + 1 : 1,
        nextFetchAt: later(pauseOf(REVIVE_MS, old.state === 'dead' ? old.failures + 1 : 1)),
      }
    case 'failed':
      return old.state === 'mirrored'
        ? failingCopy(old, outcome.reason, outcome.retryAfterMs, now, later, adopts)
        : failing(old, outcome.reason, outcome.retryAfterMs, now, later)
    case 'lost':
      if (!outcome.hasSource)
        return { ...dead(old, 'lost'), failedSince: now, adoptedAt: null, nextFetchAt: later(pauseOf(REVIVE_MS, 1)) }
      return { ...old, ...WITHOUT_BYTES, state: 'pending', reason: 'lost', adoptedAt: null, nextFetchAt: now }
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

/** The state with one more failed look as evidence. */
function failedLook(old: ImageState, reason: string, now: Date): ImageState {
  const since = old.lookedAt ?? old.failedSince ?? now
  const betweenMs = old.failures === 0 ? 0 : now.getTime() - since.getTime()
  const name =
    Object.hasOwn(old.failingReasons, reason) || Object.keys(old.failingReasons).length < REASONS_MAX
      ? reason
      : OTHER_REASONS
  return {
    ...old,
    failures: old.failures + 1,
    failedSince: old.failedSince ?? now,
    lookedAt: now,
    failingMs: old.failingMs + Math.min(Math.max(betweenMs, 0), BETWEEN_LOOKS_MS_MAX),
    failingReasons: { ...old.failingReasons, [name]: (old.failingReasons[name] ?? 0) + 1 },
  }
}

/** A dead picture: without bytes, and with its failures counted from 1. */
const dead = (old: ImageState, reason: string): ImageState => ({
  ...old,
  ...WITHOUT_BYTES,
  state: 'dead',
  reason,
  failures: 1,
})

/** A failed look at a picture with a copy, which is shown until it is given up. */
function failingCopy(
  old: ImageState,
  reason: string,
  retryAfterMs: number | null,
  now: Date,
  later: (ms: number) => Date,
  adopts: boolean,
): ImageState {
  const look = { ...failedLook(old, reason, now), reason }
  const after = (pauses: readonly number[], failures: number) =>
    later(Math.max(retryAfterMs ?? 0, pauseOf(pauses, failures)))
  if (look.failingMs < COPY_FAILING_MS_MAX || look.failures < COPY_LOOKS_MIN)
    return { ...look, nextFetchAt: after(RETRY_MS, look.failures) }
  if (adopts) return adopted(look, now)
  return { ...dead(look, reason), nextFetchAt: after(REVIVE_MS, 1) }
}

/** A copy that has become the account's own. */
const adopted = (copy: ImageState, now: Date): ImageState => ({
  ...copy,
  ...NOT_FAILING,
  etag: null,
  lastModified: null,
  fetchedAt: now,
  adoptedAt: now,
  nextFetchAt: null,
})

/** A failed look at a picture without a copy. */
function failing(
  old: ImageState,
  reason: string,
  retryAfterMs: number | null,
  now: Date,
  later: (ms: number) => Date,
): ImageState {
  const look = failedLook(old, reason, now)
  const after = (pauses: readonly number[], failures: number) =>
    later(Math.max(retryAfterMs ?? 0, pauseOf(pauses, failures)))
  if (old.state === 'dead') return { ...look, nextFetchAt: after(REVIVE_MS, look.failures) }
  if (look.failingMs < FAILING_MS_MAX) return { ...look, reason, nextFetchAt: after(RETRY_MS, look.failures) }
  return { ...dead(look, reason), nextFetchAt: after(REVIVE_MS, 1) }
}

const pauseOf = (steps: readonly number[], failures: number) => must(steps[Math.min(failures, steps.length) - 1])
