import { expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'

test.each([
  ['', '', 0],
  ['', 'sku', 3],
  ['sku', 'sku', 0],
  ['limt', 'limit', 1],
  ['limitt', 'limit', 1],
  ['lomit', 'limit', 1],
  ['ilmit', 'limit', 1],
  ['per_paeg', 'per_page', 1],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
])('from "%s" to "%s" it is %i, in both directions', (a, b, distance) => {
  expect([editDistance(a, b), editDistance(b, a)]).toEqual([distance, distance])
})
