import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { explain } from '../explain/explain.ts'
import { anAccount, anOffer, aProduct, compileAccount } from '../fixtures.ts'
import type { AccountInputs, OfferInput, OverrideInput, ProductInputs } from '../inputs.ts'
import { resolve, resolvePriceHalves } from '../resolve.ts'

// Cost 10 and a default rule that adds nothing give 10; the account's day is 2026-11-20.

const own = (field: OverrideInput['field'], value: string): OverrideInput => ({ field, locale: '', value })
const product = (offer: Partial<OfferInput>, over: Partial<ProductInputs> = {}) =>
  aProduct({ offers: [anOffer(1, { cost: '10', ...offer })], ...over })

function prices(inputs: ProductInputs, account: Partial<AccountInputs> = {}) {
  const compiled = compileAccount(anAccount(account))
  const [whole] = resolve(compiled, inputs)
  const [half] = resolvePriceHalves(compiled, inputs)
  expect(half?.price).toEqual(whole?.payload?.price)
  return (whole?.payload?.price.prices ?? []).map(({ computedPrice, compareAtPrice, sale }) => ({
    price: computedPrice.toFixed(),
    at: compareAtPrice?.toFixed() ?? null,
    ...(sale === null ? {} : { begins: sale.beginsOn, ends: sale.endsOn, lowest: sale.lowest?.toFixed() ?? null }),
  }))
}
const REGULAR = [{ price: '10', at: null }]

describe('a sale', () => {
  test('its price is shown from its first to its last day, beside the price without it', () => {
    const sale = (sale_begins_on: string | null, sale_ends_on: string | null) =>
      prices(product({ sale_price: '7.5', sale_begins_on, sale_ends_on }))
    const on = (begins: string | null, ends: string | null) => [{ price: '7.5', at: '10', begins, ends, lowest: null }]
    expect(sale(null, null)).toEqual(on(null, null))
    expect(sale('2026-11-20', '2026-11-20')).toEqual(on('2026-11-20', '2026-11-20'))
    expect(sale('2026-11-19', null)).toEqual(on('2026-11-19', null))
    expect(sale('2026-11-21', null)).toEqual(REGULAR)
    expect(sale(null, '2026-11-19')).toEqual(REGULAR)
    expect(sale('2026-11-30', '2026-11-10')).toEqual(REGULAR)
  })

  test('its days come from the source of its price', () => {
    const two = (over: Partial<ProductInputs> = {}) =>
      prices(
        aProduct({
          offers: [
            anOffer(1, { cost: '10', sale_begins_on: '2026-12-24' }),
            anOffer(2, { cost: '10', sale_price: '8', sale_ends_on: '2026-12-01' }),
          ],
          ...over,
        }),
      )
    expect(two()).toEqual([{ price: '8', at: '10', begins: null, ends: '2026-12-01', lowest: null }])
    // the owner's days apply only to the owner's price
    expect(two({ overrides: [own('sale_ends_on', '2026-11-01')] })).toEqual(two())
    expect(two({ overrides: [own('sale_price', '7')] })).toEqual([
      { price: '7', at: '10', begins: null, ends: null, lowest: null },
    ])
  })

  test('a sale price that is not below the price, or comes to nothing, changes nothing', () => {
    for (const sale_price of ['10', '12', '0.001', 'soon', '5 CHF'])
      expect([sale_price, prices(product({ sale_price }))]).toEqual([sale_price, REGULAR])
  })

  test('what it is reduced from is shown, and not the list price, which comes back after it', () => {
    const listed = (sale_ends_on: string) => prices(product({ list_price: '30', sale_price: '7', sale_ends_on }))
    expect(listed('2026-11-20')[0]).toMatchObject({ price: '7', at: '10' })
    expect(listed('2026-11-19')).toEqual([{ price: '10', at: '30' }])
  })

  test('a supplier’s is not shown beyond the factor of the guard; one’s own is', () => {
    const guarded = { priceJumpFactor: '3' }
    expect(prices(product({ sale_price: '3.34' }), guarded)[0]).toMatchObject({ price: '3.34', at: '10' })
    expect(prices(product({ sale_price: '3.33' }), guarded)).toEqual(REGULAR)
    expect(prices(product({ sale_price: '0.01' }), guarded)).toEqual(REGULAR)
    expect(prices(product({ sale_price: '0.01' }))[0]).toMatchObject({ price: '0.01' })
    expect(prices(product({}, { overrides: [own('sale_price', '0.01')] }), guarded)[0]).toMatchObject({
      price: '0.01',
      at: '10',
    })
    const explained = explain(compileAccount(anAccount(guarded)), product({ sale_price: '0.01' }), 1)
    expect(explained?.prices[0]).toMatchObject({ sale: 'guarded', price: '10' })
  })

  test('a held price is reduced, and not what it is held from', () => {
    const holds = [{ storeId: 1, groupId: 1, currency: 'EUR', shownPrice: '10', shownRuleId: 1 }]
    const slipped = aProduct({ offers: [anOffer(1, { cost: '1000', sale_price: '9' })], holds })
    expect(prices(slipped, { priceJumpFactor: '3' })).toEqual([
      { price: '9', at: '10', begins: null, ends: null, lowest: null },
    ])
  })

  test('explain says it line by line', () => {
    const compiled = compileAccount(anAccount({ rates: { PLN: '4' } }))
    const explained = explain(compiled, product({ sale_price: '30 PLN', sale_ends_on: '2026-11-30' }), 1)
    expect(explained?.saleInStore).toMatchObject({ amount: '30', currency: 'PLN', shown: '7.5', state: 'in_force' })
    expect(explained?.prices[0]).toMatchObject({ price: '7.5', compareAtPrice: '10', sale: 'shown' })
    expect(explained?.prices[0]?.steps.at(-1)).toEqual({ step: 'sale', op: 'min', by: '7.5', result: '7.5' })
    expect(explained?.sale_ends_on.source).toEqual(explained?.sale_price.source)
  })
})

test('the prices of docs/rules.md are what it says', () => {
  const docs = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8')
  const rows = [...docs.matchAll(/^\| `([\d. A-Z]+)` \| (\S+) \| (\S+) \| ([\d.]+) \| (\S+) \| (\S+) \| .*\|$/gm)].map(
    (row) => row.slice(1).map((text) => (text === '–' ? null : text)),
  )
  expect(rows.length).toBe(9)
  const history = [
    { storeId: 1, from: '2026-09-01', shown: 'EUR 1:19.99' },
    { storeId: 1, from: '2026-11-01', shown: 'EUR 1:21.38' },
  ]
  for (const [sale_price, sale_begins_on = null, sale_ends_on = null, price, at, lowest] of rows) {
    const [shown] = prices(
      product(
        { cost: '21.38', sale_price: sale_price ?? null, sale_begins_on, sale_ends_on },
        { priceHistory: history },
      ),
      { priceJumpFactor: '3', rates: { PLN: '4' } },
    )
    expect([sale_price, shown?.price, shown?.at, shown?.lowest ?? null]).toEqual([sale_price, price, at, lowest])
  }
})

describe('the lowest price of 30 days', () => {
  const history = (...rows: [string, string | null][]) => rows.map(([from, shown]) => ({ storeId: 1, from, shown }))
  const lowest = (priceHistory: ProductInputs['priceHistory'], sale: Partial<OfferInput> = {}) =>
    prices(product({ sale_price: '7', ...sale }, { priceHistory }))[0]?.lowest

  test('is that of the days before the first day of the sale, also while it runs', () => {
    const sale = { sale_begins_on: '2026-11-15' }
    const before = history(['2026-01-01', 'EUR 1:9'], ['2026-10-16', 'EUR 1:12 2:1'], ['2026-11-01', 'EUR 1:10'])
    expect(lowest(before, sale)).toBe('9')
    expect(lowest([...before, ...history(['2026-11-15', 'EUR 1:7'])], sale)).toBe('9')
    expect(lowest([...before, ...history(['2026-11-15', 'EUR 1:6'], ['2026-11-19', 'EUR 1:7'])], sale)).toBe('9')
    // the first ended more than 30 days before
    expect(lowest(history(['2026-01-01', 'EUR 1:9'], ['2026-10-15', 'EUR 1:12']), sale)).toBe('12')
    expect(lowest(history(['2026-01-01', 'EUR 1:9'], ['2026-10-16', 'EUR 1:12']), sale)).toBe('9')
  })

  test('without a first day it is that of the days before its price was first shown', () => {
    const before = history(['2026-01-01', 'EUR 1:9'], ['2026-10-25', 'EUR 1:10'])
    expect(lowest(before)).toBe('9')
    expect(lowest([...before, ...history(['2026-11-20', 'EUR 1:7'])])).toBe('9')
    expect(lowest([...before, ...history(['2026-11-20', 'EUR 1:7'], ['2026-11-22', 'EUR 1:7 2:8'])])).toBe('9')
  })

  test('is left out where nothing is known in the currency, for the group', () => {
    expect(lowest([])).toBe(null)
    expect(lowest(history(['2026-01-01', null], ['2026-11-01', 'PLN 1:9'], ['2026-11-02', 'EUR 2:9']))).toBe(null)
    expect(lowest(history(['2026-11-20', 'EUR 1:7']))).toBe(null)
    expect(lowest(history(['2026-01-01', 'EUR 1:9']).map((row) => ({ ...row, storeId: 2 })))).toBe(null)
  })
})
