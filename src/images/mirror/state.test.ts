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
}
const BYTES = { hash: 'aa', type: 'image/png', width: 2, height: 3, bytes: 4, etag: '"1"', lastModified: 'then' }
const MIRRORED: ImageState = { ...PENDING, ...BYTES, state: 'mirrored', fetchedAt: ago(DAY) }
const DEAD: ImageState = { ...PENDING, state: 'dead', reason: 'gone', failures: 1, failedSince: ago(DAY) }
const IMAGE: Outcome = { kind: 'image', ...BYTES }
const GONE: Outcome = { kind: 'gone', reason: 'not_found' }
const FAILED: Outcome = { kind: 'failed', reason: 'http_500', retryAfterMs: null }

const next = (old: ImageState, outcome: Outcome, chance = 0) => afterFetch(old, outcome, NOW, chance)
const pause = (state: ImageState) => state.nextFetchAt.getTime() - NOW.getTime()

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

  test('a refusal is death at once, without bytes or validators', () => {
    expect(next(old, GONE)).toMatchObject({ state: 'dead', reason: 'not_found', hash: null, bytes: null, etag: null })
  })

  test('what is postponed changes nothing but the time, and says why where the original is shown', () => {
    const state = next(old, { kind: 'postponed', reason: 'no_room', retryAfterMs: HOUR })
    expect({ ...state, nextFetchAt: old.nextFetchAt, reason: null }).toEqual({ ...old, reason: null })
    expect(state.reason).toBe(old.state === 'pending' ? 'no_room' : old.reason)
    expect(pause(state)).toBe(HOUR)
  })

  test('lost bytes are fetched again at once', () => {
    expect(next(old, { kind: 'lost' })).toMatchObject({ state: 'pending', hash: null, etag: null, nextFetchAt: NOW })
  })
})

test('a failure leaves a pending picture pending and a mirrored one mirrored, for seven days', () => {
  for (const old of [PENDING, MIRRORED]) {
    const first = next(old, FAILED)
    expect(first).toMatchObject({ state: old.state, hash: old.hash, reason: 'http_500', failures: 1, failedSince: NOW })
    expect(next({ ...first, failedSince: ago(7 * DAY - 1) }, FAILED).state).toBe(old.state)
    expect(next({ ...first, failedSince: ago(7 * DAY) }, FAILED)).toMatchObject({
      state: 'dead',
      reason: 'http_500',
      hash: null,
    })
  }
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
  expect(dead).toEqual([6 * HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 30 * DAY])
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
    nextFetchAt: new Date(NOW.getTime() + 7 * DAY),
  })
  expect(next(PENDING, { kind: 'unchanged' })).toMatchObject({ state: 'pending', reason: 'http_304', failures: 1 })
})

test('a dead picture says why it died, whatever fails later', () => {
  expect(next(DEAD, FAILED)).toMatchObject({ state: 'dead', reason: 'gone', failures: 2 })
})
