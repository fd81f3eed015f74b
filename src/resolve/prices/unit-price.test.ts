import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minorDigits } from '../../model/money.ts'
import { drawAccount, drawProduct } from '../arbitrary/arbitrary-inputs.ts'
import { drawsFrom } from '../arbitrary/draws.ts'
import { explain } from '../explain/explain.ts'
import { anAccount, anOffer, aProduct, aRule, aStore, compileAccount, payloadOf } from '../fixtures.ts'
import type { AccountInputs, OfferInput, ProductInputs } from '../inputs.ts'
import { resolve, resolvePriceHalves } from '../resolve.ts'

const account = anAccount({ rules: [aRule({ ruleId: 1, isDefault: true, percent: '0' })] })

/** The unit prices of all stores, such as `13.32 / 1 l`; null: none. Expects both ways of resolving, and explain, to agree. */
function shown(product: Partial<ProductInputs>, of: Partial<AccountInputs> = {}): (string | null)[] {
  const compiled = compileAccount({ ...account, ...of })
  const inputs = aProduct(product)
  const whole = resolve(compiled, inputs)
  expect(resolvePriceHalves(compiled, inputs).map(({ price }) => price?.prices)).toEqual(
    whole.map(({ payload }) => payload?.price.prices),
  )
  return whole.flatMap(({ store, payload }) =>
    (payload?.price.prices ?? []).map(({ unitPrice }, i) => {
      const explained = explain(compiled, inputs, store.storeId)?.prices[i]?.unitPrice
      expect(explained?.value ?? null).toBe(unitPrice?.value.toFixed() ?? null)
      return unitPrice === null
        ? null
        : `${unitPrice.value.toFixed()} / ${unitPrice.referenceQuantity.toFixed()} ${unitPrice.unit}`
    }),
  )
}
const stated = (net_content: string | null, cost = '10', over: Partial<OfferInput> = {}) => ({
  offers: [anOffer(1, { cost, net_content, ...over })],
})
const inStore = (locale: string, currency = 'EUR') => ({ stores: [aStore({ locale, currency })] })

describe('a unit price', () => {
  it.each([
    ['750 ml', '9.99', '13.32 / 1 l'],
    ['6 x 0.33 l', '5.49', '2.77 / 1 l'],
    ['75 cl', '9.99', '13.32 / 1 l'],
    ['5 dl', '1', '2 / 1 l'],
    ['80 g', '2.99', '37.38 / 1 kg'],
    ['250 mg', '1', '4000 / 1 kg'],
    ['2 t', '500', '0.25 / 1 kg'],
    ['2 m3', '90', '45 / 1 m3'],
    ['150 cm', '3', '2 / 1 m'],
    ['3 km', '90', '0.03 / 1 m'],
    ['25 cm2', '1', '400 / 1 m2'],
    ['3 piece', '10', '3.33 / 1 piece'],
    // the reference quantities of American articles in other countries
    ['12 oz', '10', '29.39 / 1 kg'],
    ['12 fl oz', '3.5', '9.86 / 1 l'],
    ['10 ft', '10', '3.28 / 1 m'],
    ['20 sq ft', '20', '10.76 / 1 m2'],
  ])('of %s for %s is %s', (content, cost, expected) => {
    expect(shown(stated(content, cost))).toEqual([expected])
  })

  it('is rounded half up, once, to the digits of the store', () => {
    // 0.335, 0.3349…
    expect(shown(stated('3 kg', '1.005'))).toEqual(['0.34 / 1 kg'])
    expect(shown(stated('8 piece', '1.16'))).toEqual(['0.15 / 1 piece'])
    const rates = { JPY: '160', KWD: '0.33' }
    expect(shown(stated('750 ml'), { rates, ...inStore('ja', 'JPY') })).toEqual(['2133 / 1 l'])
    expect(shown(stated('750 ml'), { rates, ...inStore('ar', 'KWD') })).toEqual(['4.4 / 1 l'])
  })

  it('is by pounds, quarts and feet in stores of the United States, whatever the content is stated in', () => {
    for (const locale of ['en-US', 'es-US', 'en-us'])
      expect(shown(stated('12 oz', '3'), inStore(locale)), locale).toEqual(['4 / 1 lb'])
    expect(shown(stated('1 gal', '8'), inStore('en-US'))).toEqual(['2 / 1 qt'])
    expect(shown(stated('750 ml', '9.99'), inStore('en-US'))).toEqual(['12.61 / 1 qt'])
    expect(shown(stated('3 yd', '18'), inStore('en-US'))).toEqual(['2 / 1 ft'])
    for (const locale of ['en', 'en-GB', 'en-CA', 'de-DE'])
      expect(shown(stated('12 oz', '10'), inStore(locale)), locale).toEqual(['29.39 / 1 kg'])
  })

  it('is for the quantity that is stated for the article, where it is of the same kind', () => {
    const per = (unit_price_reference: string) => shown(stated('750 ml', '9.99', { unit_price_reference }))
    expect(per('100 ml')).toEqual(['1.33 / 100 ml'])
    expect(per('0.5 l')).toEqual(['6.66 / 0.5 l'])
    expect(per('1 gal')).toEqual(['50.42 / 1 gal'])
    expect(per('2 x 50 ml')).toEqual(['1.33 / 100 ml'])
    // litres and kilograms for one article: one of them must be wrong
    expect(per('100 g')).toEqual([null])
    expect(per('as you like')).toEqual(['13.32 / 1 l'])
  })

  it('is left out where it would be the price itself, or nothing', () => {
    for (const content of ['1 l', '1000 ml', '2 x 500 ml', '1 kg', '1 piece', '1 m2', '1 m3'])
      expect(shown(stated(content)), content).toEqual([null])
    expect(shown(stated('100 ml', '10', { unit_price_reference: '100 ml' }))).toEqual([null])
    expect(shown(stated('3 t', '1'))).toEqual([null])
    const free = [aRule({ ruleId: 1, isDefault: true, action: 'fixed', percent: null, fixedPrice: '0' })]
    expect(shown(stated('750 ml'), { rules: free })).toEqual([null])
  })

  it.each([null, '750', '0 ml', '1 barrel', '0,75 l', '-1 l', '1e3 g', ' ', '__proto__', '\u0000'])(
    'is left out where %j is stored',
    (content) => {
      expect(shown(stated(content))).toEqual([null])
    },
  )

  it('is by the owner’s content, else by that of the first supplier who states one that is understood', () => {
    const offers = [
      anOffer(1, { cost: '10', net_content: 'a bottle' }),
      anOffer(2, { cost: '20', net_content: '500 ml' }),
      anOffer(3, { cost: '20', net_content: '250 ml' }),
    ]
    expect(shown({ offers })).toEqual(['20 / 1 l'])
    expect(shown({ offers }, { sourceOrders: [{ field: 'net_content', supplierIds: [3] }] })).toEqual(['40 / 1 l'])
    const own = (value: string) => shown({ offers, overrides: [{ field: 'net_content', locale: '', value }] })
    expect(own('2 l')).toEqual(['5 / 1 l'])
    expect(own('nonsense')).toEqual(['20 / 1 l'])
  })

  it('is beside a held price what that comes to', () => {
    const hold = { storeId: 1, groupId: 1, currency: 'EUR', shownPrice: '20', shownRuleId: 1 }
    expect(shown({ ...stated('500 ml'), holds: [hold] }, { priceJumpFactor: '1.5' })).toEqual(['40 / 1 l'])
  })

  it('changes nothing else of a price', () => {
    const of = (net_content: string | null) => payloadOf(account, aProduct(stated(net_content)))
    expect(of('750 ml')?.price.prices.map((price) => ({ ...price, unitPrice: null }))).toEqual(of(null)?.price.prices)
    const { net_content: content, ...rest } = of('750 ml')?.content ?? {}
    expect([content, rest]).toEqual(['750 ml', of(null)?.content])
  })

  it('is what fractions of whole numbers say, for any content and price', () => {
    let seen = 0
    const numbers = fc.array(fc.nat(), { maxLength: 600, size: 'max' })
    fc.assert(
      fc.property(numbers, numbers, (forAccount, forProduct) => {
        const compiled = compileAccount(drawAccount(drawsFrom(forAccount)))
        for (const { store, payload } of resolve(compiled, drawProduct(drawsFrom(forProduct))))
          for (const { computedPrice, unitPrice } of payload?.price.prices ?? []) {
            if (unitPrice === null) continue
            seen++
            const content = FRACTIONS[String(payload?.content.net_content)]
            const [, kind = ''] = KINDS[unitPrice.unit] ?? []
            expect(content?.[1]).toBe(kind)
            const digits = minorDigits(store.currency)
            const [of = 0n] = KINDS[unitPrice.unit] ?? []
            // price * quantity * unit / content, all in whole numbers of the smallest units
            const above = units(computedPrice.toFixed()) * units(unitPrice.referenceQuantity.toFixed()) * of
            const below = (content?.[0] ?? 1n) * SCALE
            const scaled = above * 10n ** BigInt(digits)
            const half = (2n * scaled + below * SCALE) / (2n * below * SCALE)
            expect(units(unitPrice.value.toFixed()) * 10n ** BigInt(digits)).toBe(half * SCALE)
          }
      }),
      { numRuns: 2_000, seed: Number(process.env['SEED'] ?? 20_261_127) },
    )
    expect(seen).toBeGreaterThan(40)
  })

  it('as the example in docs/rules.md says, line by line', () => {
    const page = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8')
    const lines = [
      ...page.matchAll(/^\| ([\d.]+) EUR \| `([^`]+)` \| (?:`([^`]+)`|–) \| ([^|]+) \| ([^|]+) \|$/gm),
    ].map(([, ...cells]) => cells.map((cell: string | undefined) => cell?.trim()))
    expect(lines.length).toBeGreaterThan(6)
    for (const [price = '', content = '', reference = null, german, american] of lines) {
      const product = stated(content, price, { unit_price_reference: reference })
      const said = (locale: string) =>
        shown(product, inStore(locale)).map(
          (text) => text?.replace(/^(\S+) \/ /, (_, n) => `${Number(n).toFixed(2)} / `) ?? '–',
        )
      expect([said('de-DE'), said('en-US')], `${price} ${content}`).toEqual([[german], [american]])
    }
  })
})

const SCALE = 10n ** 12n
const units = (text: string) => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * SCALE + BigInt(fraction.padEnd(12, '0'))
}
/** The drawn contents and the units, both in nanograms, cubic millimetres or pieces. */
const FRACTIONS: Readonly<Record<string, readonly [bigint, string]>> = {
  '750 ml': [750n * 10n ** 9n, 'volume'],
  '6 x 0.33 l': [1980n * 10n ** 9n, 'volume'],
  '1 kg': [10n ** 12n, 'weight'],
  '12 oz': [340_194_277_500n, 'weight'],
  '3 piece': [3n, 'count'],
  '0.000001 mg': [1n, 'weight'],
  '2.5 m3': [2_500_000n * 10n ** 9n, 'volume'],
  '999999999 t': [999_999_999n * 10n ** 15n, 'weight'],
}
const KINDS: Readonly<Record<string, readonly [bigint, string]>> = {
  kg: [10n ** 12n, 'weight'],
  g: [10n ** 9n, 'weight'],
  lb: [453_592_370_000n, 'weight'],
  l: [10n ** 12n, 'volume'],
  ml: [10n ** 9n, 'volume'],
  m3: [10n ** 15n, 'volume'],
  qt: [946_352_946_000n, 'volume'],
  piece: [1n, 'count'],
}
