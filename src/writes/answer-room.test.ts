import { expect, test } from 'vitest'
import { LIMITS } from '../platform/limits.ts'
import { openAnswerRoom } from './answer-room.ts'

test('long answers of an account have so much room, which comes back with time; short ones and other accounts need none of it', () => {
  const { keptAnswerShortBytes: short, keptAnswersBytesAtOnce: atOnce, keptAnswersBytesPerSecond: perSecond } = LIMITS
  let now = 0
  const room = openAnswerRoom(() => now)
  expect([room.take(1, atOnce), room.take(1, short + 1), room.take(1, short)]).toEqual([true, false, true])
  expect(room.take(2, atOnce)).toBe(true)
  now = 1_000
  expect([room.take(1, perSecond + 1), room.take(1, perSecond), room.take(1, short + 1)]).toEqual([false, true, false])
})
