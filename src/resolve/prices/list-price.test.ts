import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { explain } from '../explain/explain.ts'
import { aGroup, anAccount, anOffer, aProduct, aRule, aStore, compileAccount, payloadOf } from '../fixtures.ts'
import type { AccountInputs, OfferInput, ProductInputs } from '../inputs.ts'
import { resolve, resolvePriceHalves } from '../resolve.ts'

const RATES = { PLN: '4', JPY: '160', KWD: '0.33' }
const STORES = ['EUR', 'PLN', 'JPY', 'KWD'].map((currency, i) =>
  aStore({ storeId: i + 1, slug: currency.toLowerCase(), currency }),
)
const account = anAccount({ stores: STORES, rates: RATES })

/** The amounts shown beside prices, store by store; null: none. */
function shown(product: Partial<ProductInputs>, of: Partial<AccountInputs> = {}): (string | null)[] {
  const compiled = compileAccount({ ...account, ...of })
  const inputs = aProduct(product)
  const whole = resolve(compiled, inputs).flatMap(({ payload }) => payload?.price.prices ?? [])
  const alone = resolvePriceHalves(compiled, inputs).flatMap(({ price }) => price?.prices ?? [])
  expect(alone).toEqual(whole)
  for (const [i, { store, payload }] of resolve(compiled, inputs).entries())
    expect(
      explain(compiled, inputs, store.storeId)
        ?.prices.filter(({ price }) => price !== null)
        .map((price) => price.compareAtPrice),
      `${i}`,
    ).toEqual(payload?.price.prices.map(({ compareAtPrice }) => compareAtPrice?.toFixed() ?? null))
  return whole.map(({ compareAtPrice }) => compareAtPrice?.toFixed() ?? null)
}
const stated = (list_price: string | null, over: Partial<OfferInput> = {}) => ({
  offers: [anOffer(1, { cost: '10', list_price, ...over })],
})

describe('a list price is shown beside a price', () => {
  it.each<[string, string | null, Partial<OfferInput>, (string | null)[]]>([
    ['in the currency of its offer, converted as costs are', '12.345', {}, ['12.35', '49.38', '1975', '4.074']],
    ['in its own currency, where it states one', '50 PLN', {}, ['12.5', '50', '2000', '4.125']],
    // 10 PLN are 2.50 EUR
    ['of an offer in another currency', '12.5', { currency: 'PLN' }, ['3.13', '12.5', '500', '1.031']],
    ['rounded to the digits of the store, half up', '10.005', {}, ['10.01', '40.02', '1601', '3.302']],
    ['but not where rounding leaves no difference', '10.001', {}, [null, null, null, null]],
    ['only above it', '10', {}, [null, null, null, null]],
    ['not below the cost', '9.99', {}, [null, null, null, null]],
    [
      'however many digits it has',
      '999999999999999.999999',
      {},
      ['1000000000000000', '4000000000000000', '160000000000000000', '330000000000000'],
    ],
    ['not without a rate', '500 SEK', {}, [null, null, null, null]],
    ['where there is one', null, {}, [null, null, null, null]],
  ])('%s', (_name, price, offer, expected) => {
    expect(shown(stated(price, offer))).toEqual(expected)
  })

  it.each(['0', '0.00', '-12', 'twelve', '12,50', '12 euros', ' ', '1e3', '12.5 eur', '__proto__', '\u0000'])(
    'not where %j is stored, which no way in takes',
    (text) => {
      expect(shown(stated(text))).toEqual([null, null, null, null])
    },
  )

  it('of the owner in place of all suppliers’, in the account’s currency unless it says another', () => {
    const own = (value: string) => ({
      ...stated('100'),
      overrides: [{ field: 'list_price' as const, locale: '', value }],
    })
    expect(shown(own('15'))).toEqual(['15', '60', '2400', '4.95'])
    expect(shown(own('80 PLN'), { currency: 'EUR' })).toEqual(['20', '80', '3200', '6.6'])
    expect(shown({ ...own('15'), offers: [anOffer(1, { currency: 'PLN', list_price: '100' })] })[0]).toBe('15')
  })

  it('of the first supplier that states one, whoever has the best offer', () => {
    const offers = [
      anOffer(1, { cost: '10' }),
      anOffer(2, { cost: '20', list_price: '30' }),
      anOffer(3, { list_price: '40' }),
    ]
    expect(shown({ offers })[0]).toBe('30')
    expect(shown({ offers }, { sourceOrders: [{ field: 'list_price', supplierIds: [3] }] })[0]).toBe('40')
  })

  it('of each group by itself', () => {
    const groups = [aGroup(), aGroup({ groupId: 2, name: 'Dear', isDefault: false })]
    const rules = [aRule({ ruleId: 2, groupIds: [2], percent: '100' }), aRule({ ruleId: 1, isDefault: true })]
    expect(shown(stated('15'), { groups, rules, stores: [aStore()] })).toEqual(['15', null])
  })

  it('beside a held price as that is shown, and beside none that is left out', () => {
    const hold = { storeId: 1, groupId: 1, currency: 'EUR', shownPrice: '20', shownRuleId: 1 }
    const held = { ...account, stores: [aStore()], priceJumpFactor: '1.5' }
    expect(shown({ ...stated('15'), holds: [hold] }, held)).toEqual([null])
    expect(shown({ ...stated('25'), holds: [hold] }, held)).toEqual(['25'])
    expect(shown(stated('25', { cost: '0' }), { stores: [aStore()] })).toEqual([])
    const free = [aRule({ ruleId: 1, isDefault: true, action: 'fixed', percent: null, fixedPrice: '0' })]
    expect(shown(stated('25'), { stores: [aStore()], rules: free })).toEqual(['25'])
  })

  it('as the example in docs/rules.md says, line by line', () => {
    const page = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8')
    const lines = [
      ...page.matchAll(/^\| `([\d.]+(?: [A-Z]{3})?)` of (North|South)[^|]*\| ([\d.]+|–) +\| ([\d.]+|–) +\|/gm),
    ].map(([, ...cells]) => cells)
    expect(lines).toHaveLength(7)
    const stores = STORES.slice(0, 2)
    const rules = [aRule({ ruleId: 1, isDefault: true, percent: '12.5' })]
    for (const [price = '', who, eur, pln] of lines) {
      const of = (name: string) => (who === name ? price : null)
      const offers = [
        anOffer(1, { cost: '20', quantity: 0, list_price: of('North') }),
        anOffer(2, { cost: '76', currency: 'PLN', list_price: of('South') }),
      ]
      const inputs = { stores, rules, rates: { PLN: '4' } }
      expect(
        payloadOf({ ...account, ...inputs }, aProduct({ offers }))?.price.prices.map(({ computedPrice }) =>
          computedPrice.toFixed(2),
        ),
      ).toEqual(['21.38'])
      const besides = shown({ offers }, inputs).map((beside) => (beside === null ? '–' : Number(beside).toFixed(2)))
      expect(besides).toEqual([eur, pln])
    }
  })

  it('and nowhere else: what has none is what it was', () => {
    const prices = (list_price: string | null) =>
      payloadOf(account, aProduct(stated(list_price)))?.price.prices.map((price) => ({
        ...price,
        compareAtPrice: null,
      }))
    expect(prices('15')).toEqual(prices(null))
    expect(payloadOf(account, aProduct(stated('15')))?.content).toEqual(
      payloadOf(account, aProduct(stated(null)))?.content,
    )
  })
})
