import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GAPS, gapPlace, gapsIn, gapValues } from '../model/gaps.ts'
import { anAccount, anOffer, aProduct, aRule, compileAccount } from './fixtures.ts'
import { resolve, resolvePriceHalves } from './resolve.ts'

/** The gaps of a product in the first store. */
function lacks(product: Parameters<typeof aProduct>[0], account = anAccount()): string[] {
  const [resolution] = resolve(compileAccount(account), aProduct(product))
  const bits = resolution!.gaps
  const [half] = resolvePriceHalves(compileAccount(account), aProduct(product))
  expect(half!.priceGaps).toBe(bits.price)
  const is = gapsIn(bits)
  return GAPS.filter((_, i) => is[i] === 1)
}

const offer = (over: Parameters<typeof anOffer>[1]) => ({ offers: [anOffer(1, over)] })
const WHOLE = { texts: { en: { title: 'Spade' } }, images: ['https://i.example/a.jpg'], category: 'Tools', cost: '8' }

describe('a product', () => {
  it('with a title, an image, a category and a price lacks nothing', () => {
    expect(lacks(offer(WHOLE))).toEqual([])
  })

  it.each([
    ['a title', { texts: {} }, ['no_title']],
    ['an image', { images: [] }, ['no_image']],
    ['a category', { category: null }, ['no_category']],
    ['a cost', { cost: null }, ['no_price']],
    ['a cost above 0', { cost: '0' }, ['price_zero']],
    ['a rate', { currency: 'USD' }, ['no_price']],
  ])('without %s lacks that', (_name, over, expected) => {
    expect(lacks(offer({ ...WHOLE, ...over }))).toEqual(expected)
  })

  it('without offers lacks everything, and one that is given away by a rule has a price of 0', () => {
    expect(lacks({ offers: [] })).toEqual(['no_title', 'no_image', 'no_category', 'no_price'])
    const given = aRule({ action: 'fixed', percent: null, fixedPrice: '0' })
    expect(lacks(offer(WHOLE), anAccount({ rules: [given] }))).toEqual(['price_zero'])
  })

  it('that a store does not list lacks nothing there', () => {
    expect(lacks({ isDeleted: true })).toEqual([])
  })
})

it('a gap is found by the values that have its bit, and by no other', () => {
  fc.assert(
    fc.property(fc.constantFrom(...GAPS), fc.integer({ min: 0, max: 7 }), (gap, value) => {
      const { half, bit } = gapPlace(gap)
      const bits = { content: half === 'content' ? value : 0, price: half === 'price' ? value & 3 : 0 }
      const stored = bits[half]
      expect(gapValues(gap).includes(stored)).toBe(gapsIn(bits)[GAPS.indexOf(gap)] === 1)
      expect((stored & bit) !== 0).toBe(gapValues(gap).includes(stored))
    }),
  )
})
