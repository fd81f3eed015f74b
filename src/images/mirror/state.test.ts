import { describe, expect, test } from 'vitest'
import { afterFetch, type ImageState, type Outcome } from './state.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ago = (ms: number) => new Date(NOW.getTime() - ms)

const PENDING: ImageState = {
  state: 'pending',
  hash: null,
  type: null,
  width: null,
  height: null,
  bytes: null,
  reason: null,
  etag: null,
  lastModified: null,
  failures: 0,
  failedSince: null,
  fetchedAt: null,
  nextFetchAt: NOW,
  lookedAt: null,
  failingMs: 0,
  failingReasons: {},
  adoptedAt: null,
}
const BYTES = { hash: 'aa', type: 'image/png', width: 2, height: 3, bytes: 4, etag: '"1"', lastModified: 'then' }
const MIRRORED: ImageState = { ...PENDING, ...BYTES, state: 'mirrored', fetchedAt: ago(DAY) }
const DEAD: ImageState = { ...PENDING, state: 'dead', reason: 'gone', failures: 1, failedSince: ago(DAY) }
const IMAGE: Outcome = { kind: 'image', ...BYTES }
const GONE: Outcome = { kind: 'gone', reason: 'not_found' }
const FAILED: Outcome = { kind: 'failed', reason: 'http_500', retryAfterMs: null }

const next = (old: ImageState, outcome: Outcome, chance = 0) => afterFetch(old, outcome, NOW, chance)
/** The state after looks at these hours, each with its outcome. */
const looks = (from: ImageState, at: readonly (readonly [hours: number, outcome: Outcome])[], adopts = false) =>
  at.reduce(
    (state, [hours, outcome]) => afterFetch(state, outcome, new Date(NOW.getTime() + hours * HOUR), 0, adopts),
    from,
  )
/** Looks at an interval from the first hour to the last one, with the outcomes in rotation. */
const every = (hours: number, first: number, last: number, outcomes: readonly Outcome[]) =>
  Array.from({ length: Math.floor((last - first) / hours) + 1 }, (_, i) => {
    const outcome = outcomes[i % outcomes.length]
    if (outcome === undefined) throw new Error('there is no outcome')
    return [first + i * hours, outcome] as const
  })
const pause = (state: ImageState) => (state.nextFetchAt?.getTime() ?? NaN) - NOW.getTime()

describe.each([
  ['pending', PENDING],
  ['failing', { ...PENDING, reason: 'timeout', failures: 3, failedSince: ago(DAY) }],
  ['mirrored', MIRRORED],
  ['dead', DEAD],
])('from %s', (_, old) => {
  test('a picture is mirrored, without failures, and asked for again in a week', () => {
    const state = next(old, IMAGE)
    expect(state).toMatchObject({ ...BYTES, state: 'mirrored', reason: null, failures: 0, failedSince: null })
    expect(state.fetchedAt).toEqual(NOW)
    expect(pause(state)).toBe(7 * DAY)
  })

  test('a postponed fetch changes only the time of the next one, and gives the reason if the original is shown', () => {
    const state = next(old, { kind: 'postponed', reason: 'no_room', retryAfterMs: HOUR })
    expect({ ...state, nextFetchAt: old.nextFetchAt, reason: null }).toEqual({ ...old, reason: null })
    expect(state.reason).toBe(old.state === 'pending' ? 'no_room' : old.reason)
    expect(pause(state)).toBe(HOUR)
  })

  test('lost bytes are fetched again at once', () => {
    expect(next(old, { kind: 'lost', hasSource: true })).toMatchObject({
      state: 'pending',
      hash: null,
      etag: null,
      nextFetchAt: NOW,
    })
  })
})

test('a refused picture without a copy is dead at once, and is tried again after minutes, then hours', () => {
  for (const old of [PENDING, { ...PENDING, reason: 'timeout', failures: 3, failedSince: ago(DAY) }]) {
    const first = next(old, GONE)
    expect(first).toMatchObject({
      state: 'dead',
      reason: 'not_found',
      hash: null,
      bytes: null,
      etag: null,
      failures: 1,
    })
    expect(pause(first)).toBe(MINUTE)
  }
  expect(next(DEAD, GONE)).toMatchObject({ state: 'dead', reason: 'not_found', failures: 2 })
  // a dead picture recovers at once
  expect(next(next(PENDING, GONE), IMAGE)).toMatchObject({ state: 'mirrored', hash: 'aa', failures: 0 })
})

test('a failure leaves a pending picture pending for seven days', () => {
  const first = next(PENDING, FAILED)
  expect(first).toMatchObject({ state: 'pending', hash: null, reason: 'http_500', failures: 1, failedSince: NOW })
  const before = looks(PENDING, every(12, 0, 7 * 24 - 1, [FAILED]))
  expect(before).toMatchObject({ state: 'pending', failures: 14 })
  expect(looks(before, [[7 * 24 - 0.001, FAILED]]).state).toBe('pending')
  expect(looks(before, [[7 * 24, FAILED]])).toMatchObject({ state: 'dead', reason: 'http_500', failures: 1 })
})

test('days on which nobody looked are no evidence against a picture that was never mirrored either', () => {
  expect(
    looks(PENDING, [
      [0, FAILED],
      [8 * 24, FAILED],
    ]),
  ).toMatchObject({ state: 'pending', failures: 2, failingMs: DAY })
  // with a look per week, each gap counts as one day
  expect(looks(PENDING, every(7 * 24, 0, 6 * 7 * 24, [FAILED])).state).toBe('pending')
  expect(looks(PENDING, every(7 * 24, 0, 7 * 7 * 24, [FAILED])).state).toBe('dead')
  // a successful look restarts the seven days
  expect(
    looks(PENDING, [
      ...every(12, 0, 6 * 24, [FAILED]),
      [145, IMAGE],
      [146, { kind: 'lost', hasSource: true }],
      ...every(12, 147, 147 + 6 * 24, [FAILED]),
    ]),
  ).toMatchObject({ state: 'pending', failures: 13 })
})

const PARKED: Outcome = { kind: 'gone', reason: 'not_an_image' }

test('one bad look of any kind leaves a copy as it is, and is repeated soon', () => {
  for (const outcome of [GONE, PARKED, FAILED]) {
    const state = next(MIRRORED, outcome)
    expect(state).toMatchObject({ ...BYTES, state: 'mirrored', failures: 1, failedSince: NOW, lookedAt: NOW })
    expect(pause(state)).toBe(MINUTE)
  }
})

test('a copy dies when every look of thirty days has failed, whatever mixture of reasons', () => {
  const days = every(12, 0, 30 * 24 - 1, [GONE, PARKED, FAILED])
  const before = looks(MIRRORED, days)
  expect(before).toMatchObject({ ...BYTES, state: 'mirrored', failures: 60 })
  expect(before.failingReasons).toEqual({ not_found: 20, not_an_image: 20, http_500: 20 })
  expect(looks(before, [[30 * 24 - 0.001, FAILED]]).state).toBe('mirrored')
  const after = looks(before, [[30 * 24, GONE]])
  expect(after).toMatchObject({ state: 'dead', reason: 'not_found', hash: null, bytes: null, failedSince: NOW })
  expect(looks(after, [[31 * 24, IMAGE]])).toMatchObject({ ...BYTES, state: 'mirrored', failures: 0, failingMs: 0 })
})

test('a good look starts the thirty days anew', () => {
  for (const good of [IMAGE, { kind: 'unchanged' } as const]) {
    const state = looks(MIRRORED, [
      ...every(12, 0, 29 * 24, [FAILED]),
      [29 * 24 + 1, good],
      ...every(12, 29 * 24 + 2, 58 * 24, [FAILED]),
    ])
    expect(state).toMatchObject({ state: 'mirrored', failures: 58 })
    expect(state.failedSince).toEqual(new Date(NOW.getTime() + (29 * 24 + 2) * HOUR))
  }
})

test('days on which nobody looked are no evidence, nor are few looks', () => {
  // with a look per week, each gap counts as one day
  expect(looks(MIRRORED, every(7 * 24, 0, 29 * 7 * 24, [FAILED]))).toMatchObject({ state: 'mirrored', failures: 30 })
  expect(looks(MIRRORED, every(7 * 24, 0, 30 * 7 * 24, [FAILED])).state).toBe('dead')
  // the clock was set ahead by a year, and back
  const ahead: [number, Outcome][] = [
    [0, FAILED],
    [9_000, FAILED],
    [1, FAILED],
  ]
  expect(looks(MIRRORED, ahead)).toMatchObject({ state: 'mirrored', failingMs: DAY })
  const few = { ...MIRRORED, failures: 8, failedSince: ago(40 * DAY), lookedAt: ago(HOUR), failingMs: 40 * DAY }
  expect(next(few, GONE)).toMatchObject({ state: 'mirrored', failures: 9 })
  expect(next(next(few, GONE), GONE).state).toBe('dead')
})

test('if the account keeps such copies, they become its own instead of dying', () => {
  const kept = looks(MIRRORED, every(12, 0, 30 * 24, [GONE]), true)
  const at = new Date(NOW.getTime() + 30 * DAY)
  const { etag: _, lastModified: _then, ...bytes } = BYTES
  expect(kept).toMatchObject({ ...bytes, state: 'mirrored', etag: null, reason: null, failures: 0 })
  expect(kept).toMatchObject({ adoptedAt: at, fetchedAt: at, nextFetchAt: null, failingMs: 0, failedSince: null })
  expect(next(PENDING, GONE)).toMatchObject({ state: 'dead' })
})

test('a picture without a source whose bytes are lost is dead', () => {
  const own = { ...MIRRORED, nextFetchAt: null }
  expect(next(own, { kind: 'lost', hasSource: false })).toMatchObject({ state: 'dead', reason: 'lost', hash: null })
  // an adopted one still has the URL of its source
  const state = next({ ...own, adoptedAt: ago(DAY) }, { kind: 'lost', hasSource: true })
  expect(state).toMatchObject({ state: 'pending', adoptedAt: null, nextFetchAt: NOW })
})

test('a failure in between starts the seven days anew only after a success', () => {
  const failing = { ...PENDING, failures: 9, failedSince: ago(6 * DAY) }
  expect(next(failing, FAILED).failedSince).toEqual(ago(6 * DAY))
  expect(next(next(failing, IMAGE), FAILED).failedSince).toEqual(NOW)
})

test('pauses grow with the failures in a row, and are spread by chance', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 6, 99].map((failures) => pause(next({ ...PENDING, failures }, FAILED)))
  expect(pauses).toEqual([MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 12 * HOUR, 12 * HOUR])
  expect(pause(next(PENDING, FAILED, 1))).toBe(1.2 * MINUTE)
  const dead = [0, 1, 2, 3, 4, 5, 99].map((failures) => pause(next({ ...DEAD, failures }, GONE)))
  expect(dead).toEqual([MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 30 * DAY])
  const later = [6, 7, 8, 9, 10, 11].map((failures) => pause(next({ ...DEAD, failures }, GONE)))
  expect(later).toEqual([DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 30 * DAY])
})

test('Retry-After makes a pause longer, never shorter', () => {
  expect(pause(next(PENDING, { ...FAILED, retryAfterMs: HOUR }))).toBe(HOUR)
  expect(pause(next({ ...PENDING, failures: 5 }, { ...FAILED, retryAfterMs: HOUR }))).toBe(12 * HOUR)
})

test('an unchanged picture stays, and is no failure any more', () => {
  const failing = { ...MIRRORED, reason: 'timeout', failures: 2, failedSince: ago(DAY) }
  expect(next(failing, { kind: 'unchanged' })).toEqual({
    ...MIRRORED,
    fetchedAt: NOW,
    lookedAt: NOW,
    nextFetchAt: new Date(NOW.getTime() + 7 * DAY),
  })
  expect(next(PENDING, { kind: 'unchanged' })).toMatchObject({ state: 'pending', reason: 'http_304', failures: 1 })
})

test('a dead picture says why it died, whatever fails later', () => {
  expect(next(DEAD, FAILED)).toMatchObject({ state: 'dead', reason: 'gone', failures: 2 })
})
