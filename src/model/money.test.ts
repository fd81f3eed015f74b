import * as fc from 'fast-check'
import { Decimal } from 'decimal.js'
import { describe, expect, it } from 'vitest'
import { amountText, approximately, Exact, isBelow, minorDigits, plainDecimal, toMinor, toPlaces } from './money.ts'

const SEED = { seed: Number(process.env['SEED'] ?? 4_217), numRuns: 500 }

it('an amount is below another as decimal.js has it', () => {
  const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,20})?$/)
  const pair = fc.oneof(
    fc.tuple(digits, digits),
    // pairs that are as close as possible, and equal ones with trailing zeros
    digits.chain((text) =>
      fc.tuple(
        fc.constant(text),
        fc.constantFrom(
          text,
          text.includes('.') ? `${text}0` : `${text}.0`,
          `${text.includes('.') ? text : `${text}.`}0001`,
          text.replace(/\d(?=\D*$)/, '7'),
        ),
      ),
    ),
    fc.tuple(fc.constantFrom('0', '-0', '1e-39', '-1e-39', '1e39', '9999999', '10000000', '0.0000001'), digits),
  )
  fc.assert(
    fc.property(pair, ([a, b]) => {
      expect(isBelow(new Exact(a), new Exact(b))).toBe(new Exact(a).lessThan(new Exact(b)))
      expect(isBelow(new Exact(b), new Exact(a))).toBe(new Exact(b).lessThan(new Exact(a)))
    }),
    { ...SEED, numRuns: 5_000 },
  )
})

/** Amounts near the special cases of groups of seven digits: carries, zeros, halves, one digit more or less. */
const amounts = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '-'), fc.bigInt(0n, 10n ** 22n), fc.integer({ min: 0, max: 22 }))
    .map(([sign, digits, places]) => `${sign}${digits}e-${places}`),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.constantFrom('0', '1', '9', '10', '9999999', '10000000', '99999999', '123456789012345'),
      fc.stringMatching(/^(?:[059]{1,9}|\d{1,16})$/),
    )
    .map(([sign, whole, fraction]) => `${sign}${whole}.${fraction}`),
)
const SPECIAL = ['0', '-0', '1e-39', '1e39', '0.0000001', '0.00000001', '9999999.9999999', '99999995', '0.9999999'].map(
  (amount) => ({ amount, digits: 2 }),
)

it('rounding, texts and approximations are those of decimal.js', () => {
  fc.assert(
    fc.property(fc.record({ amount: amounts, digits: fc.integer({ min: 0, max: 12 }) }), ({ amount: text, digits }) => {
      const amount = new Exact(text)
      const rounded = toPlaces(amount, digits)
      const expected = amount.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
      // the parts as well, because later arithmetic reads them
      expect([rounded.s, rounded.e, [...rounded.d]]).toEqual([expected.s, expected.e, [...expected.d]])
      expect(amount.equals(text)).toBe(true)
      for (const one of [amount, rounded]) expect(amountText(one)).toBe(one.isZero() ? '0' : one.toFixed())
      const about = approximately(amount)
      if (amount.isZero()) expect(about + 0).toBe(0)
      else expect(Math.abs(about / amount.toNumber() - 1)).toBeLessThan(1e-12)
    }),
    { ...SEED, numRuns: 10_000, examples: SPECIAL.map((one) => [one] as [typeof one]) },
  )
})

describe('minor digits', () => {
  it.each([
    ['JPY', 0],
    ['KRW', 0],
    ['CLP', 0],
    ['EUR', 2],
    ['PLN', 2],
    ['USD', 2],
    ['KWD', 3],
    ['BHD', 3],
    ['TND', 3],
    ['CLF', 4],
  ])('of %s are %i (ISO 4217)', (currency, expected) => {
    expect(minorDigits(currency)).toBe(expected)
    expect(minorDigits(currency)).toBe(expected)
  })
})

it.each([
  ['10.50', '10.5'],
  ['10.00', '10'],
  ['100', '100'],
  ['0.0', '0'],
  ['-1.250', '-1.25'],
  ['20.0105', '20.0105'],
])('%s without the zeros at its end is %s', (text, plain) => {
  expect(plainDecimal(text)).toBe(plain)
})

describe('rounding', () => {
  it.each([
    ['1.005', 'EUR', '1.01'],
    ['1.00499999999999999999', 'EUR', '1'],
    ['2.675', 'EUR', '2.68'],
    ['0.005', 'EUR', '0.01'],
    ['0.004', 'EUR', '0'],
    ['0.5', 'JPY', '1'],
    ['1.5', 'JPY', '2'],
    ['2.5', 'JPY', '3'],
    ['2.49', 'JPY', '2'],
    ['0.0005', 'KWD', '0.001'],
    ['1.2345', 'KWD', '1.235'],
    ['19.99', 'EUR', '19.99'],
  ])('%s %s rounds to %s: half up, not half to even', (amount, currency, expected) => {
    expect(amountText(toMinor(new Exact(amount), currency))).toBe(expected)
  })

  it(`is off by at most half a minor unit, and a half rounds up (SEED=${SEED.seed})`, () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 21n), fc.constantFrom('JPY', 'EUR', 'KWD'), (millionths, currency) => {
        // the same in integers: (n + half a unit) / unit
        const unit = 10n ** BigInt(6 - minorDigits(currency))
        const wanted = ((millionths + unit / 2n) / unit) * unit
        const rounded = toMinor(new Exact(String(millionths)).dividedBy(1_000_000), currency)
        expect(rounded.times(1_000_000).toFixed()).toBe(String(wanted))
      }),
      SEED,
    )
  })
})

describe('text of an amount', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['0.00', '0'],
    ['12.50', '12.5'],
    ['100', '100'],
    ['1e-7', '0.0000001'],
    ['1e30', '1000000000000000000000000000000'],
    ['19.989999', '19.989999'],
    ['999999999999999.999999', '999999999999999.999999'],
  ])('of %s is %s', (amount, expected) => {
    expect(amountText(new Exact(amount))).toBe(expected)
  })

  it('0.1 + 0.2 is 0.3', () => {
    expect(amountText(new Exact('0.1').plus('0.2'))).toBe('0.3')
  })
})

it('does not change the settings of the library’s default constructor', () => {
  expect(new Decimal(1).dividedBy(3).precision()).toBe(20)
  expect(new Exact(1).dividedBy(3).precision()).toBe(40)
})
