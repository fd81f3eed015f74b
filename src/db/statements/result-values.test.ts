import pg from 'pg'
import { expect, test } from 'vitest'
import { RESULT_VALUES } from './result-values.ts'

test.each([
  ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
  ['0050-05-06 07:08:09.5+00', '0050-05-06T07:08:09.500Z'],
  ['0099-12-31 23:59:59+05:30', '0099-12-31T18:29:59.000Z'],
  ['0100-01-01 00:00:00+00', '0100-01-01T00:00:00.000Z'],
  ['2026-11-30 10:00:00.123456+00', '2026-11-30T10:00:00.123Z'],
])('the timestamp %s is %s, also in the first hundred years', (text, time) => {
  const read = RESULT_VALUES.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text') as (text: string) => Date
  expect(read(text).toISOString()).toBe(time)
})

test('a date of the first hundred years is that day', () => {
  const read = RESULT_VALUES.getTypeParser(pg.types.builtins.DATE, 'text') as (text: string) => Date
  expect(read('0050-05-06').toISOString()).toBe('0050-05-06T00:00:00.000Z')
})
