import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { TierBy } from '../../../contract/tiers.ts'
import { explain } from '../explain/explain.ts'
import { aGroup, anAccount, anOffer, aProduct, aRule, aStore, compileAccount } from '../fixtures.ts'
import type { AccountInputs, ProductInputs, RuleInput, TierInput } from '../inputs.ts'
import { resolve, resolvePriceHalves } from '../resolve.ts'

const tier = (quantity: number, by: TierBy, amount: string): TierInput => ({ quantity, by, amount })
const off = (quantity: number, percent: string) => tier(quantity, 'percent_off', percent)

/** Each price with its tiers, by store and group: `10 | 5: 9.5`. Expects whole products, price halves and explain to agree. */
function shown(account: AccountInputs, product: Partial<ProductInputs> = {}): string[] {
  const compiled = compileAccount(account)
  const inputs = aProduct({ offers: [anOffer(1, { cost: '10' })], ...product })
  const whole = resolve(compiled, inputs).flatMap(({ payload }) => payload?.price.prices ?? [])
  expect(resolvePriceHalves(compiled, inputs).flatMap(({ price }) => price?.prices ?? [])).toEqual(whole)
  const explained = compiled.stores.flatMap(({ store }) => explain(compiled, inputs, store.storeId)?.prices ?? [])
  const text = (price: string, tiers: readonly { quantity: number; price: string }[]) =>
    [price, ...tiers.map(({ quantity, price: of }) => `${quantity}: ${of}`)].join(' | ')
  const read = whole.map(({ computedPrice, tiers }) =>
    text(
      computedPrice.toFixed(),
      tiers.map(({ quantity, price }) => ({ quantity, price: price.toFixed() })),
    ),
  )
  const told = explained.flatMap(({ price, tiers }) =>
    price === null
      ? []
      : [
          text(
            price,
            tiers.filter(({ leftOut }) => leftOut === null),
          ),
        ],
  )
  expect(told).toEqual(read)
  return read
}
const by = (rule: Partial<RuleInput>, account: Partial<AccountInputs> = {}) =>
  anAccount({ rules: [aRule({ ruleId: 1, isDefault: true, ...rule })], ...account })

describe('tiers of a rule', () => {
  it.each<[string, Partial<RuleInput>, string]>([
    ['percent off the price', { tiers: [off(5, '5'), off(50, '12.5')] }, '10 | 5: 9.5 | 50: 8.75'],
    ['an amount off it', { tiers: [tier(5, 'amount_off', '0.5'), tier(50, 'amount_off', '2')] }, '10 | 5: 9.5 | 50: 8'],
    ['the price itself', { tiers: [tier(5, 'price', '9.999'), tier(6, 'price', '9')] }, '10 | 6: 9'],
    [
      'of all three kinds',
      { tiers: [off(2, '10'), tier(3, 'price', '8'), tier(4, 'amount_off', '2.5')] },
      '10 | 2: 9 | 3: 8 | 4: 7.5',
    ],
    [
      'rounded as the price is',
      {
        percent: '99.9',
        tiers: [off(5, '5'), off(6, '10')],
        rounding: { EUR: { step: '1', ending: '0.99', direction: 'up' } },
      },
      '19.99 | 6: 18.99',
    ],
    ['of the price as it is rounded', { percent: '0.04', tiers: [off(5, '50')] }, '10 | 5: 5'],
    [
      'not below the floors',
      { percent: '100', floorProfit: '8', tiers: [off(5, '5'), off(6, '50'), off(7, '60')] },
      '20 | 5: 19 | 6: 18',
    ],
    ['nor below a margin', { percent: '100', floorMarginPercent: '20', tiers: [off(5, '50')] }, '20 | 5: 12.5'],
    ['nor below a price', { percent: '100', floorPrice: '20', tiers: [off(5, '50')] }, '20'],
    ['none of 0', { tiers: [tier(5, 'amount_off', '10'), off(6, '99.99')] }, '10'],
    ['not above the price', { tiers: [tier(5, 'price', '11'), tier(6, 'price', '9')] }, '10 | 6: 9'],
    [
      'above it where that is wanted',
      { tiersAbovePrice: true, tiers: [tier(5, 'price', '11'), tier(6, 'price', '9')] },
      '10 | 5: 11 | 6: 9',
    ],
    ['but falling all the same', { tiersAbovePrice: true, tiers: [off(5, '50'), tier(6, 'price', '9')] }, '10 | 5: 5'],
    [
      'and within the ceiling',
      { tiersAbovePrice: true, ceilingPrice: '10.5', tiers: [tier(5, 'price', '11')] },
      '10 | 5: 10.5',
    ],
    ['of a stated price of 0 none', { action: 'fixed', percent: null, fixedPrice: '0', tiers: [off(5, '50')] }, '0'],
    ['none', { tiers: null }, '10'],
  ])('%s', (_name, rule, expected) => {
    expect(shown(by(rule))).toEqual([expected])
  })

  it('are in the currency of the store, with its digits', () => {
    const stores = ['EUR', 'PLN', 'JPY', 'KWD'].map((currency, i) =>
      aStore({ storeId: i + 1, slug: `s${i}`, currency }),
    )
    const rates = { PLN: '4', JPY: '160', KWD: '0.33' }
    const tiers = [off(2, '3.33'), tier(3, 'amount_off', '1'), tier(4, 'price', '8.333')]
    expect(shown(by({ tiers }, { stores, rates }))).toEqual([
      '10 | 2: 9.67 | 3: 9 | 4: 8.33',
      '40 | 2: 38.67 | 3: 36 | 4: 33.33',
      '1600 | 2: 1547 | 3: 1440 | 4: 1333',
      '3.3 | 2: 3.19 | 3: 2.97 | 4: 2.75',
    ])
    // a rule's amounts in another currency
    expect(shown(by({ currency: 'PLN', tiers: [tier(3, 'amount_off', '4')] }, { stores: [aStore()], rates }))).toEqual([
      '10 | 3: 9',
    ])
    // a rule whose amounts have no exchange rate does not apply, as for other amounts
    const rules = [
      aRule({ ruleId: 2, currency: 'SEK', tiers: [tier(3, 'price', '4')] }),
      aRule({ ruleId: 1, isDefault: true }),
    ]
    expect(shown(anAccount({ rules }))).toEqual(['10'])
  })

  it('are those of the rule of each group, and each store’s tax is in them as it is in the price', () => {
    const groups = [aGroup(), aGroup({ groupId: 2, name: 'Trade', isDefault: false })]
    const rules = [
      aRule({ ruleId: 2, groupIds: [2], tiers: [off(10, '10')] }),
      aRule({ ruleId: 1, isDefault: true, floorProfit: '-1', tiers: [off(10, '20')] }),
    ]
    const taxClasses = [
      {
        key: 's',
        name: 'S',
        isDefault: true,
        codes: [],
        rates: [{ country: 'DE', validFrom: '2020-01-01', percent: '19' }],
      },
    ]
    const stores = [
      aStore(),
      aStore({ storeId: 2, slug: 'gross', taxCountry: 'DE', pricesIncludeTax: true }),
      aStore({ storeId: 3, slug: 'net', taxCountry: 'DE' }),
    ]
    expect(shown(anAccount({ groups, rules, taxClasses, stores }))).toEqual([
      '10 | 10: 9',
      '10 | 10: 9',
      // a profit of -1 without tax is a floor of 9 x 1.19
      '11.9 | 10: 10.71',
      '11.9 | 10: 10.71',
      '10 | 10: 9',
      '10 | 10: 9',
    ])
  })

  it('follow from a held price, and are never above it', () => {
    const hold = { storeId: 1, groupId: 1, currency: 'EUR', shownPrice: '10', shownRuleId: 1 }
    const account = by({ tiers: [off(5, '5'), tier(50, 'price', '9')] }, { priceJumpFactor: '2' })
    expect(shown(account, { holds: [hold], offers: [anOffer(1, { cost: '1' })] })).toEqual(['10 | 5: 9.5 | 50: 9'])
    expect(shown(account, { holds: [hold], offers: [anOffer(1, { cost: '100' })] })).toEqual(['10 | 5: 9.5 | 50: 9'])
    // floors are based on today's cost: above the held price they leave no room for a reduction
    const floored = by({ floorProfit: '0', tiers: [off(5, '5')] }, { priceJumpFactor: '2' })
    expect(shown(floored, { holds: [hold], offers: [anOffer(1, { cost: '100' })] })).toEqual(['10'])
  })

  it('are none where there is no price', () => {
    expect(shown(by({ tiers: [off(5, '5')] }), { offers: [anOffer(1, { cost: '0' })] })).toEqual([])
    expect(shown(by({ tiers: [off(5, '5')] }), { offers: [] })).toEqual([])
  })

  it('are the same for stores that share a price, and differ where their prices do', () => {
    const stores = [aStore(), aStore({ storeId: 2, slug: 'two' }), aStore({ storeId: 3, slug: 'three' })]
    const hold = { storeId: 2, groupId: 1, currency: 'EUR', shownPrice: '100', shownRuleId: 1 }
    const account = by({ tiers: [off(5, '5')] }, { stores, priceJumpFactor: '2' })
    expect(shown(account, { holds: [hold] })).toEqual(['10 | 5: 9.5', '100 | 5: 95', '10 | 5: 9.5'])
  })

  it('as the example in docs/rules.md says, line by line', () => {
    const page = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8')
    const lines = [...page.matchAll(/^\| (\d+) \| `\d+=(-?)([\d.]+)(%?)` \|[^|]*\| ([\d.]+|–) +\|/gm)]
    expect(lines).toHaveLength(5)
    const tiers = lines.map(([, quantity, minus, amount = '', percent]) =>
      tier(Number(quantity), percent === '%' ? 'percent_off' : minus === '-' ? 'amount_off' : 'price', amount),
    )
    const taxClasses = [
      {
        key: 's',
        name: 'S',
        isDefault: true,
        codes: [],
        rates: [{ country: 'DE', validFrom: '2020-01-01', percent: '19' }],
      },
    ]
    const rule = {
      percent: '25',
      floorProfit: '1',
      rounding: { EUR: { step: '0.05', ending: '0', direction: 'nearest' as const } },
      tiers,
    }
    const account = by(rule, { taxClasses, stores: [aStore({ taxCountry: 'DE', pricesIncludeTax: true })] })
    const expected = lines.flatMap(([, quantity, , , , price = '']) =>
      price === '–' ? [] : [`${quantity}: ${Number(price)}`],
    )
    expect(shown(account)).toEqual([['14.9', ...expected].join(' | ')])
  })
})
