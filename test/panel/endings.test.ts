import { expect, test } from 'vitest'
import { endingsOf } from '../../panel/pages/pricing/endings.ts'

test('a rounding is shown by the prices at which it ends', () => {
  expect(endingsOf('1', '0.99')).toEqual(['4.99', '5.99', '6.99'])
  expect(endingsOf('1', '0,95')).toEqual(['4.95', '5.95', '6.95'])
  expect(endingsOf('10', '9.99')).toEqual(['9.99', '19.99', '29.99'])
  expect(endingsOf('0.05', '0')).toEqual(['4.00', '4.05', '4.10'])
  expect(endingsOf('100', '0')).toEqual(['100', '200', '300'])
  for (const [step, ending] of [
    ['', '0.99'],
    ['1', ''],
    ['0', '0'],
    ['1', '1.99'],
    ['x', '0.5'],
  ])
    expect(endingsOf(step ?? '', ending ?? '')).toEqual([])
})
