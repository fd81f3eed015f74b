import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { must } from '../../platform/must.ts'
import { explain } from '../explain/explain.ts'
import {
  aGroup,
  anAccount,
  anOffer,
  aProduct,
  aRule,
  aStore,
  aSupplier,
  compileAccount,
  payloadOf,
} from '../fixtures.ts'
import type { AccountInputs, OfferInput, ProductInputs, SupplierInput } from '../inputs.ts'
import { resolve, resolvePriceHalves } from '../resolve.ts'

// Tax included in costs and list prices, as offers, suppliers and the owner state it.

const RATES = [
  { country: 'DE', validFrom: '2020-01-01', percent: '19' },
  { country: 'PL', validFrom: '2020-01-01', percent: '23' },
]
const account = (of: Partial<SupplierInput> = {}, over: Partial<AccountInputs> = {}): AccountInputs =>
  anAccount({
    stores: [aStore({ taxCountry: 'DE', pricesIncludeTax: true })],
    groups: [
      aGroup(),
      aGroup({ groupId: 2, name: 'Resellers', isDefault: false, pricesIncludeTax: false }),
      aGroup({ groupId: 3, name: 'Club', isDefault: false, taxCountry: 'PL' }),
    ],
    suppliers: [aSupplier(1, of), aSupplier(2)],
    taxClasses: [{ key: 'standard', isDefault: true, codes: [], rates: RATES }],
    ...over,
  })
const product = (offer: Partial<OfferInput>, over: Partial<ProductInputs> = {}): ProductInputs =>
  aProduct({ offers: [anOffer(1, { cost: '10', ...offer })], ...over })
/** Rows of a table in the documentation. Read when needed, because mutants run without documents. */
const rows = (head: string) =>
  must(readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8').split(`${head}\n`)[1])
    .split('\n\n')[0]!
    .split('\n')
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    )
const orNull = (cell = '') => (cell.startsWith('–') ? null : cell)

/** The amounts shown beside prices, by group. Expects both ways of resolving, and the steps of explain alone, to give them. */
function beside(of: AccountInputs, inputs: ProductInputs): (string | null)[] {
  const compiled = compileAccount(of)
  const prices = resolve(compiled, inputs)[0]?.payload?.price.prices ?? []
  expect(resolvePriceHalves(compiled, inputs)[0]?.price?.prices).toEqual(prices)
  const explained = must(explain(compiled, inputs, 1))
  for (const [i, price] of explained.prices.entries()) {
    const { shown, steps } = must(price.listPrice ?? explained.listPriceInStore)
    const compared = prices[i]?.compareAtPrice?.toFixed() ?? null
    expect(price.compareAtPrice).toBe(compared)
    if (compared !== null) expect(shown).toBe(compared)
    let amount = 0
    for (const { op, by } of steps)
      amount = op === '=' ? Number(by) : op === '*' ? amount * Number(by) : amount / Number(by)
    if (shown !== null) expect(amount).toBeCloseTo(Number(shown), 1)
  }
  return prices.map(({ compareAtPrice }) => compareAtPrice?.toFixed() ?? null)
}

describe('whose tax is in an amount', () => {
  it('costs come to what the example in docs/rules.md says', () => {
    const stated = rows('| `cost_tax` of the offer | `--cost-tax-country` | `base_cost` |')
    expect(stated).toHaveLength(6)
    for (const [ofOffer, ofSupplier, cost] of stated) {
      const of = account({ costTaxCountry: orNull(ofSupplier) })
      const payload = payloadOf(of, product({ cost: '11.90', cost_tax: orNull(ofOffer) }))
      expect(payload?.price.prices[0]?.baseCost.toFixed(2) ?? null, `${ofOffer} ${ofSupplier}`).toBe(orNull(cost))
    }
  })

  it('what the owner says of a product goes before its offers, each of which says it of its own cost', () => {
    const cost = (over: Partial<ProductInputs>) =>
      payloadOf(account(), aProduct(over))?.price.prices[0]?.baseCost.toFixed()
    const own = (value: string) => [{ field: 'cost_tax' as const, locale: '', value }]
    const offers = [anOffer(1, { cost: '11.90', cost_tax: 'DE' }), anOffer(2, { cost: '11.00' })]
    // 11.90 with tax is less than 11.00 without
    expect(cost({ offers })).toBe('10')
    expect(cost({ offers, overrides: own('none') })).toBe('11')
    expect(cost({ offers: offers.toReversed(), overrides: own('DE') })).toBe('9.24')
    const explained = explain(compileAccount(account()), aProduct({ offers: [anOffer(1, { cost_tax: 'FR' })] }), 1)
    expect(explained?.offers.map(({ ineligible }) => ineligible)).toEqual(['no_tax_rate'])
    expect(explained?.cost_tax).toMatchObject({ value: null })
  })

  it('list prices are shown as the example in docs/rules.md says', () => {
    const stated = rows('| `list_price_tax` | beside prices without tax | with that of DE | with that of PL |')
    expect(stated).toHaveLength(5)
    for (const [tax, without, ofDe, ofPl] of stated) {
      const expected = [ofDe, without, ofPl].map((cell) => (orNull(cell) === null ? null : Number(cell)))
      const numbers = (found: (string | null)[]) => found.map((cell) => (cell === null ? null : Number(cell)))
      // stated by the offer, whatever its supplier states, and by the supplier
      const offer = { list_price: '23.80', list_price_tax: orNull(tax) }
      if (offer.list_price_tax !== null)
        expect(numbers(beside(account({ listPriceTax: 'PL' }), product(offer))), tax).toEqual(expected)
      expect(numbers(beside(account({ listPriceTax: orNull(tax) }), product({ list_price: '23.80' }))), tax).toEqual(
        expected,
      )
    }
  })

  it('what the owner states of a list price is about the owner’s alone', () => {
    const own = (...values: [field: 'list_price' | 'list_price_tax', value: string][]) =>
      values.map(([field, value]) => ({ field, locale: '', value }))
    const of = account({ listPriceTax: 'none' })
    const offer = { list_price: '20', list_price_tax: 'none' }
    const given = (overrides: ProductInputs['overrides']) => beside(of, product(offer, { overrides }))
    expect(given([])).toEqual(['23.8', '20', '24.6'])
    expect(given(own(['list_price_tax', 'DE']))).toEqual(['23.8', '20', '24.6'])
    expect(given(own(['list_price', '20']))).toEqual(['20', '20', '20'])
    expect(given(own(['list_price', '23.8'], ['list_price_tax', 'DE']))).toEqual(['23.8', '20', '24.6'])
  })

  it('a store that says nothing of tax shows list prices as they are stated; without a rate explain names the country', () => {
    const silent = account({ listPriceTax: 'DE' }, { stores: [aStore()] })
    expect(beside(silent, product({ list_price: '23.80' }))).toEqual(['23.8', '23.8', '23.8'])
    const compiled = compileAccount(account({ listPriceTax: 'FR' }))
    const explained = explain(compiled, product({ list_price: '23.80' }), 1)
    expect(explained?.listPriceInStore).toEqual({
      amount: '23.8',
      currency: 'EUR',
      steps: [],
      shown: null,
      taxRateMissing: 'FR',
    })
  })

  it('a group without a rule whose tax rate is missing takes no price from the others, nor its explanation', () => {
    const groups = [aGroup(), aGroup({ groupId: 2, name: 'Paris', isDefault: false, taxCountry: 'FR' })]
    const rules = [aRule({ isDefault: true, groupIds: [1] })]
    const of = account({}, { groups, rules })
    const explained = explain(compileAccount(of), product({}), 1)
    const prices = must(payloadOf(of, product({}))).price.prices.map(({ computedPrice }) => computedPrice.toFixed())
    expect(prices).toHaveLength(1)
    expect(
      explained?.prices.map(({ price, appliedRuleId, steps }) => [price, appliedRuleId, steps.length > 0]),
    ).toEqual([
      [prices[0], 1, true],
      [null, null, false],
    ])
  })

  it('currencies without digits and with three are rounded once, after tax', () => {
    const stores = ['JPY', 'KWD'].map((currency, i) =>
      aStore({ storeId: i + 1, slug: currency, currency, taxCountry: 'DE', pricesIncludeTax: true }),
    )
    const of = account({ listPriceTax: 'none' }, { stores, rates: { JPY: '160', KWD: '0.33' } })
    const shown = resolve(compileAccount(of), product({ list_price: '12.345' })).map(({ payload }) =>
      payload?.price.prices[0]?.compareAtPrice?.toFixed(),
    )
    // 12.345 * 1.19 = 14.69055
    expect(shown).toEqual(['2350', '4.848'])
  })
})
