import { expect, test } from 'vitest'
import { paceAt, paceOf, withEnd } from './pace.ts'

const at = (ms: number) => new Date(1_000_000 + ms)

test.each([
  [1, { gapMs: 1_000, perWindow: 1, windowMs: 1_000 }],
  [4, { gapMs: 250, perWindow: 4, windowMs: 1_000 }],
  [8, { gapMs: 125, perWindow: 8, windowMs: 1_000 }],
  [10, { gapMs: 100, perWindow: 5, windowMs: 500 }],
  [100, { gapMs: 10, perWindow: 7, windowMs: 1_000 / 13 }],
  [Infinity, { gapMs: 0, perWindow: 0, windowMs: 0 }],
])('%s a second are kept with at most eight ends', (perSecond, pace) => {
  expect(paceOf(perSecond)).toEqual(pace)
})

test('no number of deliveries a second is exceeded by the windows that a second has', () => {
  for (let perSecond = 1; perSecond <= 2_000; perSecond++) {
    const { perWindow, windowMs } = paceOf(perSecond)
    expect(perWindow).toBeGreaterThan(0)
    expect(perWindow * Math.round(1_000 / windowMs)).toBeLessThanOrEqual(perSecond)
  }
})

test('the next one begins after the gap, and a second after the end of the fourth before it', () => {
  const pace = paceOf(4)
  expect(paceAt(pace, { sentAt: null, recentEnds: [] })).toBeNull()
  expect(paceAt(pace, { sentAt: at(0), recentEnds: [] })).toBe(at(250).getTime())
  expect(paceAt(pace, { sentAt: at(750), recentEnds: [at(760), at(510), at(260)] })).toBe(at(1_000).getTime())
  expect(paceAt(pace, { sentAt: at(750), recentEnds: [at(760), at(510), at(260), at(240)] })).toBe(at(1_242).getTime())
  expect(paceAt(paceOf(Infinity), { sentAt: at(0), recentEnds: [at(5)] })).toBe(at(0).getTime())
})

test('the newest end comes first, and the oldest is forgotten', () => {
  let ends: Date[] = []
  for (let i = 1; i <= 10; i++) ends = withEnd(ends, at(i))
  expect(ends).toEqual([10, 9, 8, 7, 6, 5, 4, 3].map(at))
})
