import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Exact } from '../model/money.ts'
import { BOUNDS, compareDecimals, exactText, readDecimal } from './decimal.ts'

const amount = (given: unknown) => readDecimal(given, BOUNDS.amount)
const decimals = fc
  .tuple(
    fc.boolean(),
    fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }),
    fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 6 }),
    fc.nat(5),
  )
  .map(([isNegative, whole, fraction, zeros]) => ({
    text: `${isNegative ? '-' : ''}${'0'.repeat(zeros)}${whole}${fraction === '' ? '' : `.${fraction}${'0'.repeat(zeros)}`}`,
    value: new Exact(`${isNegative ? '-' : ''}${whole}.${fraction}0`),
  }))

describe('readDecimal', () => {
  it('keeps the value of any decimal within bounds, in a form that is read as itself', () => {
    fc.assert(
      fc.property(decimals, ({ text, value }) => {
        const read = readDecimal(text, BOUNDS.signedAmount)
        expect(read).toEqual({ value: value.isZero() ? '0' : value.toFixed() })
        expect(readDecimal((read as { value: string }).value, BOUNDS.signedAmount)).toEqual(read)
      }),
    )
  })
  it('reads a JSON number as its text would be read, or refuses it', () => {
    fc.assert(
      fc.property(fc.double(), (given) => {
        const read = amount(given)
        if ('value' in read) expect(Number(read.value)).toBe(given === 0 ? 0 : given)
      }),
    )
  })
  it('takes any text in time that does not grow faster than the text', () => {
    const started = performance.now()
    for (const text of [`${'0'.repeat(1_000_000)}x`, `0.${'0'.repeat(1_000_000)}1`, '9'.repeat(1_000_000)])
      expect(amount(text)).toHaveProperty('reason')
    expect(performance.now() - started).toBeLessThan(500)
  })
  it.each(['', '-', '.', '5.', '.5', '--1', '1e3', ' 1', '1 ', '1,5', '+1', '0x1', 'NaN', 'Infinity', '1\n', '１'])(
    'refuses %j',
    (text) =>
      expect(amount(text)).toEqual({ reason: `must be a decimal such as "12.50", not ${JSON.stringify(text)}` }),
  )
  it('compares bounds exactly, where a float would not', () => {
    expect(readDecimal('-100.0001', BOUNDS.markup)).toEqual({ reason: 'must be at least -100, not "-100.0001"' })
    expect(compareDecimals('999999999999999.000001', '999999999999999')).toBe(1)
  })
})

describe('exactText', () => {
  it.each([
    [1e-7, '0.0000001'],
    [1e22, '10000000000000000000000'],
    [0.1, '0.1'],
    [-0, '0'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [123456789.012345, '123456789.012345'],
  ])('%j is %s', (given, value) => expect(exactText(given)).toEqual({ value }))
  it.each([0.1 + 0.2, 2 ** 53, 1 / 3, 1e21 + 1e6])('%d may have lost digits', (given) =>
    expect(exactText(given)).toEqual({
      reason: 'has more digits than a JSON number keeps exactly; send it as a string',
    }),
  )
  it.each([NaN, Infinity, -Infinity])('%d is no decimal', (given) =>
    expect(exactText(given)).toEqual({ reason: `must be a decimal such as "12.50", not ${given}` }),
  )
})
