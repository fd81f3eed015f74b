import { describe, expect, test } from 'vitest'
import { cronFault, nextRunAt } from './schedule.ts'

describe('a schedule', () => {
  const times = (cron: string, from: string, count: number, timeZone = 'Europe/Berlin') => {
    const found: string[] = []
    for (let after = new Date(from); found.length < count;) {
      const next = nextRunAt({ cron, timeZone, everyMinutes: null }, after)
      if (next === null) break
      found.push(next.toISOString().slice(5, 16))
      after = next
    }
    return found
  }

  test.for([
    // clocks change from 2:00 to 3:00 on 29 March, and from 3:00 back to 2:00 on 25 October
    ['30 2 * * *', '2026-03-28T00:00:00Z', ['03-28T01:30', '03-29T01:00', '03-30T00:30']],
    ['15,45 2 * * *', '2026-03-28T02:00:00Z', ['03-29T01:00', '03-30T00:15', '03-30T00:45']],
    ['30 2 * * *', '2026-10-24T00:00:00Z', ['10-24T00:30', '10-25T00:30', '10-26T01:30']],
    ['15,45 2 * * *', '2026-10-24T01:00:00Z', ['10-25T00:15', '10-25T00:45', '10-26T01:15']],
    ['0 * * * *', '2026-10-24T23:30:00Z', ['10-25T00:00', '10-25T01:00', '10-25T02:00']],
    ['*/30 1-3 * * *', '2026-03-29T00:15:00Z', ['03-29T00:30', '03-29T01:00', '03-29T01:30']],
    ['0 5 * * 1-5', '2026-11-20T05:00:00Z', ['11-23T04:00', '11-24T04:00']],
  ] as const)('%s after %s comes at the times that a merchant expects', ([cron, from, expected]) => {
    expect(times(cron, from, expected.length)).toEqual(expected)
  })

  test.for([
    ['30 5 * * *', null],
    ['*/5 * * * *', null],
    ['0 0 29 2 *', null],
    ['0 6,18 * * MON', null],
    ['* * * * *', /every 5 minutes/],
    ['0,3 5 * * *', /every 5 minutes/],
    ['0,58 5,6 * * *', /every 5 minutes/],
    ['0,58 5,7 * * *', null],
    ['0,58 0,23 * * *', /every 5 minutes/],
    ['0,58 0,23 * * 1,2', /every 5 minutes/],
    ['0,58 0,23 * * 1', null],
    ['3,58 * * * *', null],
    ['4-59/6 * * * *', null],
    ['0 0 30 2 *', /never comes/],
    ['0 5 * *', /five fields/],
    ['0 0 5 * * *', /five fields/],
    ['@daily', /five fields/],
    ['61 * * * *', /not a cron expression.*61/],
    ['a b c d e', /not a cron expression/],
  ] as const)('%s is %s', ([cron, fault]) => {
    const found = cronFault(cron)
    if (fault === null) expect(found).toBeNull()
    else expect(found).toMatch(fault)
  })

  test('of many runs a day is checked without going through them, and only once', { retry: 2 }, () => {
    cronFault('*/6 * * * *')
    const took = (work: () => void) => {
      const before = performance.now()
      work()
      return performance.now() - before
    }
    // none of them is cached yet, and each has 12 runs in every hour
    const crons = Array.from({ length: 100 }, (_, i) => `*/5 * * * *${' '.repeat(i + 1)}`)
    const first = took(() => crons.forEach((cron) => cronFault(cron)))
    expect(first / crons.length).toBeLessThan(8)
    expect(took(() => crons.forEach((cron) => cronFault(cron)))).toBeLessThan(first / 5)
  })
})
