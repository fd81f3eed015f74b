import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minorDigits } from '../../model/money.ts'
import type { CostTier } from '../../model/offer.ts'
import { explain } from '../explain/explain.ts'
import { anAccount, anOffer, aProduct, aRule, aStore, aSupplier, compileAccount } from '../fixtures.ts'
import type { AccountInputs, ProductInputs, RuleInput, TaxClassInput } from '../inputs.ts'
import { resolve, resolvePriceHalves } from '../resolve.ts'

const costs = (...tiers: [quantity: number, cost: string][]): CostTier[] =>
  tiers.map(([quantity, cost]) => ({ quantity, cost }))

/** Each price with its tiers, by store and group: `10 | 5: 9.5`. Expects whole products, price halves and explain to agree. */
function shown(account: AccountInputs, product: Partial<ProductInputs>): string[] {
  const compiled = compileAccount(account)
  const inputs = aProduct(product)
  const whole = resolve(compiled, inputs).flatMap(({ payload }) => payload?.price.prices ?? [])
  expect(resolvePriceHalves(compiled, inputs).flatMap(({ price }) => price?.prices ?? [])).toEqual(whole)
  const read = whole.map(({ computedPrice, tiers }) =>
    [computedPrice.toFixed(), ...tiers.map(({ quantity, price }) => `${quantity}: ${price.toFixed()}`)].join(' | '),
  )
  const told = compiled.stores.flatMap(({ store }) =>
    (explain(compiled, inputs, store.storeId)?.prices ?? []).flatMap(({ price, tiers }) =>
      price === null
        ? []
        : [
            [
              price,
              ...tiers.flatMap((tier) => (tier.leftOut === null ? [`${tier.quantity}: ${tier.price}`] : [])),
            ].join(' | '),
          ],
    ),
  )
  expect(told).toEqual(read)
  return read
}
const by = (rule: Partial<RuleInput>, account: Partial<AccountInputs> = {}) =>
  anAccount({ rules: [aRule({ ruleId: 1, isDefault: true, tiersFromSupplier: true, ...rule })], ...account })
const offered = (costTiers: CostTier[] | null, over = {}) => ({
  offers: [anOffer(1, { cost: '10', costTiers, ...over })],
})
const whyNot = (account: AccountInputs, product: Partial<ProductInputs>) =>
  explain(compileAccount(account), aProduct(product), 1)?.prices[0]?.tiers.map(({ leftOut }) => leftOut)

const TIERS = costs([10, '9.2'], [50, '8.8'], [100, '8'])
const STANDARD: TaxClassInput[] = [
  { key: 's', isDefault: true, codes: [], rates: [{ country: 'DE', validFrom: '2020-01-01', percent: '19' }] },
]

describe('tiers of a supplier', () => {
  it.each<[string, Partial<RuleInput>, string]>([
    ['by a markup', { percent: '50' }, '15 | 10: 13.8 | 50: 13.2 | 100: 12'],
    ['by a margin', { action: 'margin', percent: '20' }, '12.5 | 10: 11.5 | 50: 11 | 100: 10'],
    ['with what is added', { percent: '50', addition: '1' }, '16 | 10: 14.8 | 50: 14.2 | 100: 13'],
    ['with a profit of each cost', { percent: '0', floorProfit: '2' }, '12 | 10: 11.2 | 50: 10.8 | 100: 10'],
    ['within a floor', { percent: '0', floorPrice: '8.5' }, '10 | 10: 9.2 | 50: 8.8 | 100: 8.5'],
    ['within a ceiling', { percent: '50', ceilingPrice: '13' }, '13 | 100: 12'],
    [
      'rounded as the price is',
      { percent: '50', rounding: { EUR: { step: '1', ending: '0.99', direction: 'up' } } },
      '15.99 | 10: 13.99 | 100: 12.99',
    ],
    ['none by a rule that does not say so', { tiersFromSupplier: false }, '10'],
    ['where a rule gives it away none', { percent: '-100' }, ''],
  ])('are made by the whole rule: %s', (_name, rule, expected) => {
    expect(shown(by(rule), offered(TIERS)).join()).toBe(expected)
    expect(shown(by(rule), offered(null)).join()).toBe(expected.split(' | ')[0])
  })

  it('are those of the offer whose cost is used', () => {
    const own = costs([5, '9'])
    const suppliers = [aSupplier(1), aSupplier(2), aSupplier(3, { isActive: false })]
    const account = by({}, { suppliers })
    const offers = [
      anOffer(1, { cost: '10', costTiers: TIERS }),
      anOffer(2, { cost: '9.9', costTiers: own }),
      anOffer(3, { cost: '5', costTiers: costs([2, '1']) }),
    ]
    expect(shown(account, { offers })).toEqual(['9.9 | 5: 9'])
    expect(
      shown(account, { offers: offers.map((offer) => ({ ...offer, quantity: offer.supplierId === 2 ? 0 : 5 })) }),
    ).toEqual(['10 | 10: 9.2 | 50: 8.8 | 100: 8'])
    // own stock sells first, at its own cost
    expect(shown(account, { offers, ownStock: { quantity: 1, cost: '9.9' } })).toEqual(['9.9'])
    expect(shown(account, { offers, ownStock: { quantity: 0, cost: '9.9' } })).toEqual(['9.9 | 5: 9'])
    // without a cost for one piece there are no price and no tiers
    expect(shown(account, { offers: [anOffer(1, { cost: null, costTiers: TIERS })] })).toEqual([])
  })

  it('have the tax taken out that is in the cost', () => {
    const stores = [
      aStore({ taxCountry: 'DE' }),
      aStore({ storeId: 2, slug: 'gross', taxCountry: 'DE', pricesIncludeTax: true }),
    ]
    const account = by(
      { percent: '50' },
      { stores, taxClasses: STANDARD, suppliers: [aSupplier(1, { costTaxCountry: 'DE' })] },
    )
    const product = offered(costs([10, '10.71'], [50, '9.52']), { cost: '11.9' })
    expect(shown(account, product)).toEqual(['15 | 10: 13.5 | 50: 12', '17.85 | 10: 16.07 | 50: 14.28'])
    const [tier] = explain(compileAccount(account), aProduct(product), 2)?.prices[0]?.tiers ?? []
    expect(tier?.steps.map(({ step, op, by: operand, result }) => `${step} ${op} ${operand}: ${result}`)).toEqual([
      'cost = 10.71: 10.71',
      'tax / 1.19: 9',
      'markup * 1.5: 13.5',
      'tax * 1.19: 16.065',
      'rounding round minor_digits: 16.07',
    ])
  })

  it('fall, whatever the supplier says, and are below the price unless the rule says otherwise', () => {
    const rising = costs([5, '11'], [10, '9'], [20, '9.5'], [30, '8.999'], [40, '8'])
    expect(shown(by({}), offered(rising))).toEqual(['10 | 10: 9 | 40: 8'])
    expect(whyNot(by({}), offered(rising))).toEqual(['not_below_price', null, 'not_below_tier', 'not_below_tier', null])
    expect(shown(by({ tiersAbovePrice: true }), offered(rising))).toEqual(['10 | 5: 11 | 10: 9 | 40: 8'])
    expect(whyNot(by({}), offered(costs([5, '0.004'])))).toEqual(['zero'])
    // in a price list or a sale, tiers are compared with the price that clients read
    const sale = { sale_price: '9' }
    expect(shown(by({}), offered(TIERS, sale))).toEqual(['9 | 50: 8.8 | 100: 8'])
  })

  it('are left out while the price is held', () => {
    const stores = [aStore(), aStore({ storeId: 2, slug: 'two' })]
    const account = by({}, { stores, priceJumpFactor: '2' })
    const hold = { storeId: 1, groupId: 1, currency: 'EUR', shownPrice: '100', shownRuleId: 1 }
    // the other store, which has the same rule, holds nothing
    const expected = ['100', '10 | 10: 9.2 | 50: 8.8 | 100: 8']
    expect(shown(account, { ...offered(TIERS), holds: [hold] })).toEqual(expected)
    expect(whyNot(account, { ...offered(TIERS), holds: [hold] })).toEqual(['held', 'held', 'held'])
    expect(shown(account, { ...offered(TIERS), holds: [{ ...hold, shownPrice: '19' }] })).toEqual([
      expected[1],
      expected[1],
    ])
  })

  it('further from the price than the factor are left out', () => {
    const tiers = costs([10, '9'], [50, '4'], [51, '3.33'], [100, '0.9'])
    expect(shown(by({}, { priceJumpFactor: '3' }), offered(tiers))).toEqual(['10 | 10: 9 | 50: 4'])
    expect(whyNot(by({}, { priceJumpFactor: '3' }), offered(tiers))).toEqual([null, null, 'guarded', 'guarded'])
    expect(shown(by({}), offered(tiers))).toEqual(['10 | 10: 9 | 50: 4 | 51: 3.33 | 100: 0.9'])
  })

  it('are what fractions of whole numbers say, of any cost, rule and currency', () => {
    const rates: Readonly<Record<string, bigint>> = { EUR: 1n, PLN: 4n, JPY: 160n, KWD: 3n }
    const stores = Object.keys(rates).map((currency, i) => aStore({ storeId: i + 1, slug: `s${i}`, currency }))
    const seen = { tiers: 0, left: 0 }
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000_000 }),
        fc.array(fc.integer({ min: 1, max: 5_000_000 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 400 }),
        (single, tiers, markup) => {
          const text = (millis: number) => `${Math.floor(millis / 1000)}.${String(millis % 1000).padStart(3, '0')}`
          const account = by(
            { percent: String(markup) },
            { stores, rates: Object.fromEntries(Object.entries(rates).map(([of, rate]) => [of, String(rate)])) },
          )
          const product = offered(costs(...tiers.map((millis, i): [number, string] => [i + 2, text(millis)])), {
            cost: text(single),
          })
          const expected = stores.map(({ currency }) => {
            // half up, in minor units
            const price = (millis: number) => {
              const units = 10n ** BigInt(minorDigits(currency))
              const numerator = 2n * BigInt(millis) * BigInt(100 + markup) * (rates[currency] ?? 1n) * units
              return (numerator + 100_000n) / 200_000n
            }
            let before = price(single)
            return tiers.flatMap((millis, i) => {
              const made = price(millis)
              const isShown = made > 0n && made < before
              seen[isShown ? 'tiers' : 'left']++
              if (!isShown) return []
              before = made
              return [[i + 2, made]]
            })
          })
          const actual = resolve(compileAccount(account), aProduct(product)).map(({ store, payload }) =>
            (payload?.price.prices ?? []).flatMap((price) =>
              price.tiers.map(({ quantity, price: of }) => [
                quantity,
                BigInt(of.times(10 ** minorDigits(store.currency)).toFixed()),
              ]),
            ),
          )
          // a price of 0 is no price and has no tiers
          expect(actual).toEqual(expected)
        },
      ),
      { numRuns: 400, seed: Number(process.env['SEED'] ?? '20261127') },
    )
    expect(Object.values(seen).every((count) => count > 500)).toBe(true)
  })

  it('are what the example in docs/rules.md says, line by line', () => {
    const page = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8')
    const section = page.split('#### Of the supplier’s tiers')[1]?.split('### Tax')[0] ?? ''
    const lines = [...section.matchAll(/^\| (\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+|–) \|/gm)]
    expect(lines).toHaveLength(5)
    const rule = { percent: '25', rounding: { EUR: { step: '0.05', ending: '0', direction: 'nearest' as const } } }
    const account = by(rule, {
      priceJumpFactor: '3',
      taxClasses: STANDARD,
      stores: [aStore({ taxCountry: 'DE', pricesIncludeTax: true })],
    })
    const product = offered(
      costs(...lines.map(([, quantity, cost = '']): [number, string] => [Number(quantity), cost])),
    )
    expect(shown(account, product)).toEqual([
      [
        '14.9',
        ...lines.flatMap(([, quantity, , , price]) => (price === '–' ? [] : [`${quantity}: ${Number(price)}`])),
      ].join(' | '),
    ])
    const told = explain(compileAccount(account), aProduct(product), 1)?.prices[0]?.tiers
    expect(told?.map(({ steps }) => Number(steps.find(({ step }, i) => step === 'tax' && i > 0)?.result))).toEqual(
      lines.map(([, , , made]) => Number(made)),
    )
  })
})
