import { afterEach, describe, expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const NOW = new Date('2026-11-21T10:00:00Z')
const HOUR = 3_600_000
const timeZone = process.env['TZ']
afterEach(() => {
  if (timeZone === undefined) delete process.env['TZ']
  else process.env['TZ'] = timeZone
})

describe('seconds', () => {
  test.each([
    ['1', 1_000],
    ['120', 120_000],
    ['0120', 120_000],
    [' 120 ', 120_000],
    ['3600', HOUR],
    ['3601', HOUR],
    ['31536000', HOUR],
    ['999999999999999', HOUR],
    // more digits than a number can hold are still seconds
    ['99999999999999999999999', HOUR],
  ])('"%s": %i ms', (header, ms) => {
    expect(retryAfterMs(429, header, NOW, HOUR)).toBe(ms)
    expect(retryAfterMs(503, header, NOW, HOUR)).toBe(ms)
  })
})

describe('an HTTP date', () => {
  // all three forms of RFC 9110, 5.6.7; recipients must accept each, and all are in UTC
  const FORMS = ['Sat, 21 Nov 2026 10:30:00 GMT', 'Saturday, 21-Nov-26 10:30:00 GMT', 'Sat Nov 21 10:30:00 2026']

  test.each(FORMS)('"%s" in half an hour', (header) => {
    process.env['TZ'] = 'UTC'
    expect(retryAfterMs(503, header, NOW, HOUR)).toBe(HOUR / 2)
  })

  test.each(FORMS)('"%s" whatever the time zone of this process', (header) => {
    process.env['TZ'] = 'Asia/Kolkata'
    expect(retryAfterMs(503, header, NOW, HOUR)).toBe(HOUR / 2)
  })

  test('in a year: an hour', () => {
    expect(retryAfterMs(429, 'Sun, 21 Nov 2027 10:00:00 GMT', NOW, HOUR)).toBe(HOUR)
  })

  test('that has passed, or is now: nothing', () => {
    expect(retryAfterMs(429, 'Sat, 21 Nov 2026 09:59:59 GMT', NOW, HOUR)).toBeNull()
    expect(retryAfterMs(429, 'Sat, 21 Nov 2026 10:00:00 GMT', NOW, HOUR)).toBeNull()
  })
})

describe('nothing of use', () => {
  test.each([
    '',
    ' ',
    'soon',
    '-60',
    '+60',
    '0',
    '1.5',
    '1e3',
    '0x10',
    '60s',
    '60, 120',
    'Infinity',
    'NaN',
    '2026-11-21T11:00:00Z',
    'Foo, 99 Bar 2026 10:30:00 GMT',
    '\u0661\u0662',
  ])('"%s"', (header) => {
    expect(retryAfterMs(429, header, NOW, HOUR)).toBeNull()
  })

  test('no header', () => {
    expect(retryAfterMs(503, null, NOW, HOUR)).toBeNull()
  })

  test.each([200, 202, 301, 302, 400, 408, 413, 422, 500, 502, 504])('on %i it is not asked for', (status) => {
    expect(retryAfterMs(status, '120', NOW, HOUR)).toBeNull()
  })
})
