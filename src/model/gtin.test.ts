import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gtinOf, joiningGtinOf } from './gtin.ts'

const SEED = { seed: Number(process.env['SEED'] ?? 13_579), numRuns: 1_000 }

/**
 * The check digit as GS1 defines it: weights 3, 1, 3, 1 and so on from the right; the difference to the next multiple of
 * ten.
 */
function checkDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0)
  return String((10 - (sum % 10)) % 10)
}
const code = fc
  .tuple(fc.constantFrom(7, 11, 12, 13), fc.infiniteStream(fc.integer({ min: 0, max: 9 })))
  .map(([length, digits]) => [...digits.take(length)].join(''))
  .filter((body) => /[1-9]/.test(body))
  .map((body) => body + checkDigit(body))

describe('a GTIN', () => {
  it.each([
    // EAN-8 of Wikipedia's article and a German chocolate; EAN-13 of a book (ISBN), of GS1's own examples, of a notebook;
    // UPC-A of the first item ever scanned (chewing gum); GTIN-14 of GS1's trade item example
    ['EAN-8', '73513537'],
    ['EAN-8', '40170725'],
    ['UPC-A', '036000291452'],
    ['UPC-A', '012345678905'],
    ['EAN-13', '4006381333931'],
    ['EAN-13', '9780306406157'],
    ['EAN-13', '5901234123457'],
    ['GTIN-14', '10614141000415'],
    ['GTIN-14', '00012345678905'],
  ])('%s %s is valid and padded to 14 digits', (_kind, ean) => {
    expect(gtinOf(ean)).toBe('0'.repeat(14 - ean.length) + ean)
  })

  it('of one article is the same in every length', () => {
    expect(new Set(['012345678905', '0012345678905', '00012345678905'].map(gtinOf)).size).toBe(1)
  })

  it.each(['73513530', '036000291453', '4006381333932', '9780306406158', '10614141000416'])(
    '%s has a wrong check digit',
    (ean) => {
      expect(gtinOf(ean)).toBeNull()
    },
  )

  it.each([
    ['', 'nothing'],
    ['0', 'too short'],
    ['1234567', '7 digits'],
    ['123456789', '9 digits'],
    ['12345678905', '11 digits'],
    ['000012345678905', '15 digits'],
    ['4006381-33393', 'a dash'],
    ['400638133393l', 'a letter'],
    [' 4006381333931', 'a blank'],
    ['4006381333931\n', 'a line feed'],
    ['٤٠٠٦٣٨١٣٣٣٩٣١', 'other digits'],
    ['00000000', 'all zero'],
    ['0000000000000', 'all zero'],
    ['00000000000000', 'all zero'],
  ])('%j is not a GTIN: %s', (ean) => {
    expect(gtinOf(ean)).toBeNull()
  })

  it(`of any digits with the right check digit is valid (SEED=${SEED.seed})`, () => {
    fc.assert(
      fc.property(code, (ean) => {
        expect(gtinOf(ean)).toBe(ean.padStart(14, '0'))
      }),
      SEED,
    )
  })

  it(`with one wrong digit is always invalid (SEED=${SEED.seed})`, () => {
    fc.assert(
      fc.property(code, fc.nat(13), fc.integer({ min: 1, max: 9 }), (ean, at, by) => {
        const i = at % ean.length
        const wrong = ean.slice(0, i) + String((Number(ean[i]) + by) % 10) + ean.slice(i + 1)
        expect(gtinOf(wrong)).toBeNull()
      }),
      SEED,
    )
  })
})

describe('a GTIN of a restricted range joins nothing', () => {
  // ranges of the GS1 General Specifications; `code` stands for the digits before the check digit
  it.each([
    ['within a region or a company', '200000000000'],
    ['within a region or a company, the last', '299999999999'],
    ['within a region, as UPC-A', '21234567890'],
    ['within a region, as EAN-13', '021234567890'],
    ['within a company, as UPC-A', '41234567890'],
    ['coupons, as UPC-A', '51234567890'],
    ['refund receipts', '980123456789'],
    ['coupons', '990123456789'],
    ['within a company, as EAN-8', '0123456'],
    ['within a company, as EAN-8 with 2', '2123456'],
    ['in a case of many', '1200000000000'],
  ])('%s: %s', (_name, body) => {
    const ean = body + checkDigit(body)
    expect(gtinOf(ean)).not.toBeNull()
    expect(joiningGtinOf(ean)).toBeNull()
  })

  it.each([
    ['GS1 US', '012345678905'],
    ['GS1 US', '036000291452'],
    ['UPC-A that begins with 02', '021234567893'],
    ['Germany', '4006381333931'],
    ['an EAN-8', '40170725'],
    ['a book', '9780306406157'],
    ['a magazine', '9771234567003'],
    ['in a case of many', '10614141000415'],
  ])('but not %s: %s', (_name, ean) => {
    expect(joiningGtinOf(ean)).toBe(gtinOf(ean))
    expect(joiningGtinOf(ean)).not.toBeNull()
  })

  it('nor does one with a wrong check digit', () => {
    expect(joiningGtinOf('4006381333932')).toBeNull()
  })
})
