import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTimestamp, openTimestamps, parseTimestamp } from './timestamp.ts'

const SEED = { seed: Number(process.env['SEED'] ?? 20_261_120), numRuns: 1_000 }
const read = (text: string) => {
  const at = parseTimestamp(text)
  return at === null ? null : formatTimestamp(at)
}
const pad = (value: number, digits = 2) => String(value).padStart(digits, '0')

describe('a valid timestamp', () => {
  it.each([
    ['2026-11-20T10:00:00+00:00', '2026-11-20T10:00:00+00:00'],
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00+00:00'],
    ['2026-11-20t10:00:00z', '2026-11-20T10:00:00+00:00'],
    ['2026-11-20T10:00:00-00:00', '2026-11-20T10:00:00+00:00'],
    // an offset says how far local time is ahead of UTC
    ['2026-11-20T10:00:00+05:30', '2026-11-20T04:30:00+00:00'],
    ['2026-11-20T10:00:00-08:00', '2026-11-20T18:00:00+00:00'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00+00:00'],
    ['2025-12-31T23:30:00-01:00', '2026-01-01T00:30:00+00:00'],
    ['2024-03-01T00:00:00+23:59', '2024-02-29T00:01:00+00:00'],
    // a raw plus in a query string arrives as a space
    ['2026-11-20T10:00:00 02:00', '2026-11-20T08:00:00+00:00'],
    ['2026-11-20T10:00:00.25 00:00', '2026-11-20T10:00:00+00:00'],
    // fractions are floored
    ['2026-11-20T10:00:00.9Z', '2026-11-20T10:00:00+00:00'],
    ['2026-11-20T10:00:59.999999999Z', '2026-11-20T10:00:59+00:00'],
    ['2026-11-20T10:00:59.9999999999999Z', '2026-11-20T10:00:59+00:00'],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59+00:00'],
    // leap years: by 4, not by 100, by 400
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00+00:00'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00+00:00'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00+00:00'],
    ['0099-12-31T00:00:00Z', '0099-12-31T00:00:00+00:00'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59+00:00'],
  ])('%s is read as %s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })
})

describe('an invalid timestamp', () => {
  it.each([
    '',
    'now',
    '2026-11-20',
    '2026-11-20T10:00:00',
    '2026-11-20 10:00:00Z',
    '2026-11-20T10:00Z',
    '2026-11-20T10:00:00+0000',
    '2026-11-20T10:00:00+00',
    '2026-11-20T10:00:00.Z',
    '2026-11-20T10:00:00,5Z',
    '26-11-20T10:00:00Z',
    '+02026-11-20T10:00:00Z',
    ' 2026-11-20T10:00:00Z',
    '2026-11-20T10:00:00Z\n',
    '2026-11-20T10:00:00 Z',
    '1763632800',
    '2026-11-20T10:00:00Z2026-11-20T10:00:00Z',
    '２０２６-11-20T10:00:00Z',
  ])('%j does not have the RFC 3339 form', (text) => {
    expect(read(text)).toBeNull()
  })

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+00:60',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
  ])('%s is not an existing time', (text) => {
    expect(read(text)).toBeNull()
  })
})

describe(`any instant (SEED=${SEED.seed})`, () => {
  const instant = fc.date({
    min: new Date('0002-01-01T00:00:00Z'),
    max: new Date('9998-12-31T23:59:59Z'),
    noInvalidDate: true,
  })

  it('survives formatting and parsing, to the second', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const text = formatTimestamp(at)
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
        expect(parseTimestamp(text)?.getTime()).toBe(Math.floor(at.getTime() / 1_000) * 1_000)
      }),
      SEED,
    )
  })

  it('is the same in every offset', () => {
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: -1_439, max: 1_439 }),
        fc.integer({ min: 0, max: 999 }),
        (at, offset, fraction) => {
          const local = new Date(at.getTime() + offset * 60_000).toISOString().slice(0, 19)
          const sign = offset < 0 ? '-' : '+'
          const zone = `${pad(Math.floor(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`
          expect(read(`${local}.${pad(fraction, 3)}${sign}${zone}`)).toBe(formatTimestamp(at))
        },
      ),
      SEED,
    )
  })

  it('parsing any text returns a date or null and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[Z+ -]?\d*:?\d*$/)),
        (text) => {
          const at = parseTimestamp(text)
          if (at !== null) expect(parseTimestamp(formatTimestamp(at))).toEqual(at)
        },
      ),
      { ...SEED, numRuns: 300 },
    )
  })
})

describe('timestamps of a list', () => {
  it('are those of each moment, whether the one before was the same or not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0, 999, 1_000, 86_399_000, 1_795_000_000_000), { maxLength: 30 }),
        (moments) => {
          const timestamp = openTimestamps()
          for (const ms of moments) expect(timestamp(new Date(ms))).toBe(formatTimestamp(new Date(ms)))
        },
      ),
      SEED,
    )
  })
})
