import { expect, test } from 'vitest'
import { sumOf } from '../../panel/pages/overview/sum.ts'

test('hours that were not counted are no zeros: of none that was counted the sum is not known', () => {
  expect(sumOf([1, null, 2])).toBe(3)
  expect(sumOf([0, null])).toBe(0)
  expect(sumOf([null, null])).toBeNull()
  expect(sumOf([])).toBeNull()
})
