import { expect, test } from 'vitest'
import { isArchiveLate } from './archive-state.ts'

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)
const state = (archived: number | null, started: number, isFailing = false) => ({
  archivedAt: archived === null ? null : ago(archived),
  startedAt: ago(started),
  isFailing,
})

test('an archive of ours is late five minutes after the last segment, or after the start; a failing one at once, and another one only then', () => {
  expect(isArchiveLate(state(60, 9_000), true)).toBe(false)
  expect(isArchiveLate(state(301, 9_000), true)).toBe(true)
  // the server was stopped for days and has just been started
  expect(isArchiveLate(state(90_000, 20), true)).toBe(false)
  expect(isArchiveLate(state(null, 20), true)).toBe(false)
  expect(isArchiveLate(state(null, 301), true)).toBe(true)
  expect(isArchiveLate(state(1, 20, true), true)).toBe(true)
  expect(isArchiveLate(state(9_000, 90_000), false)).toBe(false)
  expect(isArchiveLate(state(9_000, 90_000, true), false)).toBe(true)
  expect([isArchiveLate(null, true), isArchiveLate(null, false)]).toEqual([true, false])
})
