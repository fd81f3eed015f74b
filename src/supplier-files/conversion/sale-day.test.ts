import { expect, test } from 'vitest'
import { readFileSaleDay } from './sale-day.ts'

test('the days of a sale are read as shops and Google write them', () => {
  const period = '2026-11-27T00:00-0800/2026-11-30T23:59-0800'
  expect(readFileSaleDay(period, 'first')).toEqual({ value: '2026-11-27' })
  expect(readFileSaleDay(period, 'last')).toEqual({ value: '2026-11-30' })
  expect(readFileSaleDay('2026-11-27T00:00Z / 2026-12-01T00:00Z', 'last')).toEqual({ value: '2026-11-30' })
  expect(readFileSaleDay('2026-11-27T00:00Z / 2026-12-01T00:00Z', 'first')).toEqual({ value: '2026-11-27' })
  for (const text of [
    '2026-11-30',
    '2026-11-30 00:00:00',
    '2026-11-30 23:59:59',
    '2026-11-30T12:00:00+01:00',
    '2026-11-30T12:00:00.000Z',
    '30.11.2026',
    '30.11.2026 23:59',
    '11/30/26',
    '11/30/2026, 12:00 AM',
  ])
    expect([text, readFileSaleDay(text, 'last')]).toEqual([text, { value: '2026-11-30' }])
  expect(readFileSaleDay('', 'last')).toEqual({ value: null })
  for (const text of ['soon', '2026-02-30', '31/12/2026', '2026-11-27/2026-11-28/2026-11-29'])
    expect([text, 'reason' in readFileSaleDay(text, 'first')]).toEqual([text, true])
})
