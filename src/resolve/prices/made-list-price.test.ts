import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { explain } from '../explain/explain.ts'
import { aGroup, anAccount, anOffer, aProduct, aRule, aStore, compileAccount } from '../fixtures.ts'
import type { AccountInputs, ProductInputs, RuleInput } from '../inputs.ts'
import { resolve, resolvePriceHalves } from '../resolve.ts'

/** Each price and its compare-at price, by store and group: `15 | 20`. Expects whole products, price halves and explain to agree. */
function shown(account: AccountInputs, product: Partial<ProductInputs> = {}): string[] {
  const compiled = compileAccount(account)
  const inputs = aProduct({ offers: [anOffer(1, { cost: '10' })], ...product })
  const whole = resolve(compiled, inputs).flatMap(({ payload }) => payload?.price.prices ?? [])
  expect(resolvePriceHalves(compiled, inputs).flatMap(({ price }) => price?.prices ?? [])).toEqual(whole)
  const line = (price: string, beside: string | null) => (beside === null ? price : `${price} | ${beside}`)
  const told = compiled.stores.flatMap(({ store }) =>
    (explain(compiled, inputs, store.storeId)?.prices ?? []).flatMap(({ price, compareAtPrice, madeListPrice }) => {
      if (price === null) return []
      if (madeListPrice?.leftOut === null) expect(compareAtPrice).toBe(madeListPrice.price)
      return [line(price, compareAtPrice)]
    }),
  )
  const read = whole.map(({ computedPrice, compareAtPrice }) =>
    line(computedPrice.toFixed(), compareAtPrice?.toFixed() ?? null),
  )
  expect(told).toEqual(read)
  return read
}
const by = (rule: Partial<RuleInput>, account: Partial<AccountInputs> = {}) =>
  anAccount({
    rules: [aRule({ ruleId: 1, isDefault: true, percent: '50', listPricePercent: '100', ...rule })],
    ...account,
  })
const madeOf = (account: AccountInputs, product: Partial<ProductInputs> = {}) =>
  explain(compileAccount(account), aProduct({ offers: [anOffer(1, { cost: '10' })], ...product }), 1)?.prices[0]
    ?.madeListPrice ?? null

const ROUNDED = { rounding: { EUR: { step: '1', ending: '0.99', direction: 'up' as const } } }

describe('a list price that a rule makes', () => {
  it.each<[string, Partial<RuleInput>, string]>([
    ['of the cost', {}, '15 | 20'],
    ['beside a margin', { action: 'margin', percent: '20' }, '12.5 | 20'],
    ['beside a fixed price', { action: 'fixed', percent: null, fixedPrice: '19.5' }, '19.5 | 20'],
    ['without what is added', { addition: '1' }, '16 | 20'],
    ['without floors', { floorPrice: '19' }, '19 | 20'],
    ['without floors of margin and profit', { floorMarginPercent: '60', floorProfit: '40' }, '50'],
    ['without a ceiling', { ceilingPrice: '12' }, '12 | 20'],
    ['rounded as the price is', ROUNDED, '15.99 | 20.99'],
    ['only above the price', { listPricePercent: '50' }, '15'],
    ['not below it', { listPricePercent: '49.9999' }, '15'],
    ['where rounding leaves a difference', { listPricePercent: '50.01', percent: '50' }, '15'],
    ['by the least of differences', { listPricePercent: '50.1', percent: '50' }, '15 | 15.01'],
    ['not by a rule that makes none', { listPricePercent: null }, '15'],
  ])('is %s', (_name, rule, expected) => {
    expect(shown(by(rule)).join()).toBe(expected)
  })

  it('is in the currency of the store, by the rule that prices the group', () => {
    const account = by(
      {},
      {
        rates: { PLN: '4', JPY: '160' },
        stores: ['EUR', 'PLN', 'JPY'].map((currency, i) =>
          aStore({ storeId: i + 1, slug: currency.toLowerCase(), currency }),
        ),
        groups: [aGroup({ groupId: 1 }), aGroup({ groupId: 2, name: 'Trade', isDefault: false })],
        rules: [
          aRule({ ruleId: 2, priority: 1, percent: '20', groupIds: [2] }),
          aRule({ ruleId: 1, isDefault: true, percent: '50', listPricePercent: '99.99' }),
        ],
      },
    )
    expect(shown(account)).toEqual(['15 | 20', '12', '60 | 80', '48', '2400 | 3200', '1920'])
  })

  it('has the tax in it that the price beside it has', () => {
    const account = by(ROUNDED, {
      taxClasses: [
        { key: 's', isDefault: true, codes: [], rates: [{ country: 'DE', validFrom: '2020-01-01', percent: '19' }] },
      ],
      stores: [aStore({ taxCountry: 'DE', pricesIncludeTax: true })],
      groups: [
        aGroup({ groupId: 1 }),
        aGroup({ groupId: 2, name: 'Trade', isDefault: false, pricesIncludeTax: false }),
      ],
    })
    // 10 × 1.5 × 1.19 = 17.85 and 10 × 2 × 1.19 = 23.80
    expect(shown(account)).toEqual(['17.99 | 23.99', '15.99 | 20.99'])
  })

  it('is made only where nobody states one, whether that is shown or not', () => {
    const stated = (list_price: string) => ({ offers: [anOffer(1, { cost: '10', list_price })] })
    expect(shown(by({}), stated('18'))).toEqual(['15 | 18'])
    expect(shown(by({}), stated('14'))).toEqual(['15'])
    expect(shown(by({}), stated('18 SEK'))).toEqual(['15'])
    expect(madeOf(by({}), stated('14'))).toBeNull()
  })

  it('is beside the price of a price list, and not in a sale, which is compared with the price without it', () => {
    const listed = by(
      {},
      {
        priceLists: [
          {
            key: 'l',
            name: 'L',
            currency: 'EUR',
            storeIds: null,
            groupId: null,
            priority: 1,
            isActive: true,
            validFrom: null,
            validTo: null,
            createdAt: '2026-01-01',
          },
        ],
      },
    )
    const entry = (amount: string) => ({ listEntries: [{ listKey: 'l', groupId: 0, amount }] })
    expect(shown(listed, entry('13'))).toEqual(['13 | 20'])
    expect(shown(listed, entry('21'))).toEqual(['21'])
    const sale = { overrides: [{ field: 'sale_price' as const, locale: '', value: '12' }] }
    expect(shown(by({}), sale)).toEqual(['12 | 15'])
    expect(madeOf(by({}), sale)).toMatchObject({ price: '20', leftOut: 'sale' })
  })

  it('is left out while the price is held: it comes of the same cost', () => {
    const holds = [{ storeId: 1, groupId: 1, currency: 'EUR', shownPrice: '3', shownRuleId: 1 }]
    const account = by({}, { priceJumpFactor: '2' })
    expect(shown(account, { holds })).toEqual(['3'])
    expect(madeOf(account, { holds })).toMatchObject({ price: '20', leftOut: 'held' })
  })

  it('comes to what the example in docs/rules.md says', () => {
    const text = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8')
    const table =
      text
        .slice(text.indexOf('#### Made by a rule'))
        .split('\n\n')
        .find((part) => part.startsWith('|')) ?? ''
    const rows = table
      .split('\n')
      .slice(2)
      .map((row) =>
        row
          .split('|')
          .slice(1, 5)
          .map((cell) => cell.replaceAll('`', '').trim()),
      )
    expect(rows.length).toBeGreaterThan(4)
    for (const [percent, stated, price, beside] of rows) {
      const account = by({ ...ROUNDED, percent: '12.5', listPricePercent: percent === '–' ? null : (percent ?? null) })
      const offers = [anOffer(1, { cost: '19', list_price: stated === '–' ? null : (stated ?? null) })]
      expect(shown(account, { offers }), `${percent} ${stated}`).toEqual([
        beside === '–' ? price : `${price} | ${beside}`,
      ])
    }
  })
})
