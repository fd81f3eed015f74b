import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeSweeps } from './merge-sweeps.ts'
import type { Sweep } from './sweeps.sql.ts'

const seed = Number(process.env['SEED'] ?? 20_261_121)
const LAST = 12

const part = (sweepId: number, nextProductId: number, endProductId: number, reach: Partial<Sweep> = {}): Sweep => ({
  sweepId,
  storeId: null,
  half: null,
  nextProductId,
  endProductId,
  ...reach,
})
/** The parts of each sweep have no product in common, as in the table. */
const arbitraryParts = fc
  .array(
    fc.record({
      reach: fc.record({
        storeId: fc.constantFrom(null, 1, 2),
        half: fc.constantFrom<(Sweep['half'] | undefined)[]>(null, 'price', 'content'),
      }),
      bounds: fc.uniqueArray(fc.nat(LAST), { minLength: 2, maxLength: 4 }),
    }),
    { maxLength: 6 },
  )
  .map((sweeps) =>
    sweeps.flatMap(({ reach, bounds }, at) => {
      const [a = 0, b = 0, c, d] = bounds.toSorted((x, y) => x - y)
      const parts = [part(at + 1, a, b, reach as Partial<Sweep>)]
      return c === undefined || d === undefined ? parts : [...parts, part(at + 1, c, d, reach as Partial<Sweep>)]
    }),
  )
const has = (product: number) => (sweep: Sweep) => sweep.nextProductId < product && product <= sweep.endProductId

test('a product that sweeps have left is in one part afterwards: with the id of the oldest and the reach of all', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], { minLength: 12 }),
      arbitraryParts,
      (order, parts) => {
        const merged = mergeSweeps(order.flatMap((at) => parts[at] ?? []))
        for (let product = 0; product <= LAST + 1; product++) {
          const waiting = parts.filter(has(product))
          const left = merged.filter(has(product))
          expect(left.length).toBe(waiting.length === 0 ? 0 : 1)
          for (const { sweepId, storeId, half } of left) {
            expect(sweepId).toBe(Math.min(...waiting.map((sweep) => sweep.sweepId)))
            expect(storeId).toBe(
              waiting.every((sweep) => sweep.storeId === waiting[0]?.storeId) ? waiting[0]?.storeId : null,
            )
            expect(half).toBe(waiting.every((sweep) => sweep.half === waiting[0]?.half) ? waiting[0]?.half : null)
          }
        }
        for (const { nextProductId, endProductId } of merged) expect(nextProductId).toBeLessThan(endProductId)
      },
    ),
    { seed, numRuns: 2_000 },
  )
})

test('of a newer sweep remains what the older one has shelved already; of a third, made at once, nothing', () => {
  const all = Number.MAX_SAFE_INTEGER
  expect(mergeSweeps([part(7, 40, all), part(8, 0, all), part(9, 0, all)])).toEqual([part(7, 40, all), part(8, 0, 40)])
})

test('an older sweep is widened to the reach of a newer one', () => {
  expect(mergeSweeps([part(7, 10, 50, { half: 'price' }), part(8, 30, 90)])).toEqual([
    part(7, 10, 30, { half: 'price' }),
    part(7, 30, 50),
    part(8, 50, 90),
  ])
})
