import { expect, test } from 'vitest'
import { progressOf, type Waiting } from './progress.ts'

const ALL = Number.MAX_SAFE_INTEGER
const waiting = (...sweeps: [sweepId: number, nextProductId: number, endProductId: number][]): Waiting => ({
  range: { first: 1, last: 100 },
  sweeps: sweeps.map(([sweepId, nextProductId, endProductId]) => ({ sweepId, nextProductId, endProductId })),
  marks: new Map([[2, 90]]),
})

test('products that sweeps up to the position have left are not done, each counted once; what newer sweeps have left is', () => {
  expect(progressOf(100, { operationId: 1, sweepId: 7 }, waiting())).toBe(100)
  expect(progressOf(100, { operationId: 1, sweepId: 7 }, waiting([7, 0, ALL]))).toBe(0)
  expect(progressOf(100, { operationId: 1, sweepId: 7 }, waiting([7, 40, ALL], [8, 0, 40]))).toBe(40)
  expect(progressOf(100, { operationId: 1, sweepId: 8 }, waiting([7, 40, ALL], [8, 0, 40]))).toBe(0)
  // parts of several sweeps that are not merged yet, in any order
  expect(progressOf(100, { operationId: 1, sweepId: 9 }, waiting([9, 80, ALL], [7, 70, 90], [8, 10, 20]))).toBe(60)
})

test('it goes from 0 to the total, also while products are being added', () => {
  const grown = { ...waiting([7, 100, ALL]), range: { first: 1, last: 200 } }
  expect(progressOf(100, { operationId: 1, sweepId: 7 }, grown)).toBe(50)
  expect(progressOf(100, { operationId: 1, sweepId: 7 }, { ...grown, sweeps: [] })).toBe(100)
  // the marks leave fewer products done than the sweeps
  expect(progressOf(100, { operationId: 2, sweepId: 7 }, waiting())).toBe(10)
  expect(progressOf(50, { operationId: 2, sweepId: 7 }, waiting())).toBe(0)
})
