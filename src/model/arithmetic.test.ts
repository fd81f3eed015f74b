import * as fc from 'fast-check'
import { Decimal } from 'decimal.js'
import { expect, it } from 'vitest'
import { ceil, floor, minus, plus, quotientTo, times } from './arithmetic.ts'
import { amountText, Exact, exactOf, toPlaces } from './money.ts'

const SEED = { seed: Number(process.env['SEED'] ?? 2_251), numRuns: 10_000 }

/** Amounts near the special cases of groups of seven digits: carries, zeros in the middle, one digit more or less, and those left to decimal.js. */
const amounts = fc.oneof(
  // like costs, rates, factors and prices
  fc
    .tuple(fc.integer({ min: 0, max: 2_000_000 }), fc.integer({ min: 0, max: 6 }))
    .map(([digits, places]) => `${digits}e-${places}`),
  fc
    .tuple(fc.constantFrom('', '-'), fc.bigInt(0n, 10n ** 24n), fc.integer({ min: 0, max: 26 }))
    .map(([sign, digits, places]) => `${sign}${digits}e-${places}`),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.constantFrom('0', '1', '9', '10', '9999999', '10000000', '99999999', '100000000000000', '123456789012345'),
      fc.stringMatching(/^(?:[059]{1,9}|\d{1,16}|0{7,14}[1-9])$/),
    )
    .map(([sign, whole, fraction]) => `${sign}${whole}.${fraction}`),
  fc.constantFrom('0', '-0', '1', '-1', '1e-39', '1e39', '0.0000001', '0.00000001', '9999999.9999999', '1.0000001'),
)

/** The parts that an amount consists of, which later arithmetic reads. */
const parts = ({ s, e, d }: Exact) => `${s} ${d.join('.')} e${e}`

it('sums, differences, products and whole numbers are those of decimal.js, and leave their operands as they were', () => {
  fc.assert(
    fc.property(amounts, amounts, (a, b) => {
      const [x, y] = [new Exact(a), new Exact(b)]
      expect(parts(times(x, y))).toBe(parts(x.times(y)))
      expect(parts(plus(x, y))).toBe(parts(x.plus(y)))
      expect(parts(minus(x, y))).toBe(parts(x.minus(y)))
      expect(parts(floor(x))).toBe(parts(x.floor()))
      expect(parts(ceil(x))).toBe(parts(x.ceil()))
      expect(`${parts(x)}, ${parts(y)}`).toBe(`${parts(new Exact(a))}, ${parts(new Exact(b))}`)
    }),
    SEED,
  )
})

it('what is computed of results is the same, too', () => {
  fc.assert(
    fc.property(amounts, amounts, amounts, (a, b, c) => {
      const [x, y, z] = [new Exact(a), new Exact(b), new Exact(c)]
      const expected = x.times(y).plus(z).toDecimalPlaces(12, Decimal.ROUND_HALF_UP)
      const found = toPlaces(plus(times(x, y), z), 12)
      expect(parts(found)).toBe(parts(expected))
      expect(amountText(found)).toBe(expected.isZero() ? '0' : expected.toFixed())
      expect(parts(ceil(minus(found, z)))).toBe(parts(expected.minus(z).ceil()))
    }),
    SEED,
  )
})

/** Divisors as large as contents and factors. */
const divisors = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 0, max: 7 }))
    .map(([digits, places]) => `${digits}e-${places}`),
  amounts,
)

it('a quotient is that of decimal.js, rounded to twelve digits and then to those of a currency', () => {
  let divided = 0
  fc.assert(
    fc.property(amounts, divisors, fc.integer({ min: 0, max: 8 }), (a, b, digits) => {
      const [x, y] = [new Exact(a), new Exact(b)]
      const found = quotientTo(digits, x, y)
      if (found === null) return
      divided++
      const settled = x.dividedBy(y).toDecimalPlaces(12, Decimal.ROUND_HALF_UP)
      expect(parts(found)).toBe(parts(settled.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)))
    }),
    SEED,
  )
  // not everything is left to decimal.js
  expect(divided).toBeGreaterThan(SEED.numRuns / 20)
})

it('a quotient just below a half is left to decimal.js where its twelve digits reach the half', () => {
  // 0.01499999999985; rounded to twelve decimals, 0.015
  const [x, y] = [new Exact('150'), new Exact('10000.0000001')]
  const settled = x.dividedBy(y).toDecimalPlaces(12, Decimal.ROUND_HALF_UP)
  expect([x.dividedBy(y).lessThan('0.015'), settled.toFixed(), quotientTo(2, x, y)]).toEqual([true, '0.015', null])
})

it('an amount is read from its text as the constructor reads it', () => {
  const texts = fc.oneof(
    amounts,
    fc.stringMatching(/^\d{1,9}(?:\.\d{0,9})?$/),
    fc.stringMatching(/^[-.e+0-9]{1,8}$/).filter((text) => /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/.test(text)),
  )
  fc.assert(
    fc.property(texts, (text) => {
      expect(parts(exactOf(text))).toBe(parts(new Exact(text)))
    }),
    SEED,
  )
  for (const text of ['', '1,5', '1 ', '12a', '1.2.3', '1.5x']) expect(() => exactOf(text)).toThrow('Invalid argument')
})
