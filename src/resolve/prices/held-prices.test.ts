import { describe, expect, test } from 'vitest'
import { explain } from '../explain/explain.ts'
import { aGroup, anAccount, anOffer, aProduct, aRule, aStore, payloadOf, compileAccount } from '../fixtures.ts'
import type { AccountInputs, ExclusionRuleInput, HoldInput, RuleInput } from '../inputs.ts'

// Only the price is held; a price that the owner stated is not held; a price of 0 must be stated.

const GROUPS = [aGroup(), aGroup({ groupId: 2, name: 'Trade', isDefault: false })]
const RETAIL: HoldInput = { storeId: 1, groupId: 1, currency: 'EUR', shownPrice: '10', shownRuleId: 1 }

const guarded = (over: Partial<AccountInputs> = {}) => anAccount({ priceJumpFactor: '2', groups: GROUPS, ...over })
const costing = (cost: string, over: Parameters<typeof aProduct>[0] = {}) =>
  aProduct({ offers: [anOffer(1, { cost })], ...over })
const pricesOf = (account: AccountInputs, product: ReturnType<typeof aProduct>) =>
  payloadOf(account, product)?.price.prices.map((price) => [
    price.groupId,
    price.baseCost.toFixed(),
    price.computedPrice.toFixed(),
  ])

const thin: ExclusionRuleInput = {
  ruleId: 5,
  name: 'Thin',
  reason: 'too thin',
  priority: 1,
  isActive: true,
  storeIds: null,
  kind: 'margin_below',
  names: null,
  supplierIds: null,
  amount: '15',
  currency: null,
}

describe('a held price', () => {
  test('is held alone: every group shows the cost of today, and so does explain', () => {
    const product = costing('80', { holds: [RETAIL] })
    expect(pricesOf(guarded(), product)).toEqual([
      [1, '80', '10'],
      [2, '80', '80'],
    ])
    expect(explain(compileAccount(guarded()), product, 1)).toMatchObject({
      baseCost: { shown: '80' },
      prices: [
        { price: '10', held: { wantedPrice: '80' } },
        { price: '80', held: null },
      ],
    })
  })

  test('has the margin that it leaves over the cost of today', () => {
    const account = guarded({ exclusionRules: [thin], rules: [aRule({ isDefault: true, percent: '25' })] })
    expect(payloadOf(account, costing('80', { holds: [RETAIL] }))?.content.exclusion_reason).toBe('too thin')
    // the cost fell: the old price leaves a higher margin than the wanted one
    expect(payloadOf(account, costing('2', { holds: [RETAIL] }))?.content.exclusion_reason).toBeNull()
  })
})

describe('a fixed price of one product', () => {
  const fixed = (over: Partial<RuleInput> = {}) =>
    guarded({
      groups: [aGroup()],
      rules: [
        aRule({ ruleId: 1, isDefault: true }),
        aRule({ ruleId: 2, productIds: [1], action: 'fixed', percent: null, fixedPrice: '99', ...over }),
      ],
      rates: { PLN: '4' },
    })
  const product = costing('8', { holds: [RETAIL] })

  test('is not held, in no currency', () => {
    expect(pricesOf(fixed(), product)).toEqual([[1, '8', '99']])
    const polish = { ...fixed(), stores: [aStore({ currency: 'PLN' })] }
    expect(pricesOf(polish, { ...product, holds: [{ ...RETAIL, currency: 'PLN' }] })).toEqual([[1, '32', '396']])
  })

  test.each<[string, Partial<RuleInput>]>([
    ['of several products', { productIds: [1, 2] }],
    ['of a category', { productIds: null }],
    ['with a floor over the cost', { floorProfit: '1' }],
    ['with a floor of a margin', { floorMarginPercent: '1' }],
    ['of a markup', { action: 'markup', percent: '900', fixedPrice: null }],
  ])('is held %s', (_name, over) => {
    expect(pricesOf(fixed(over), product)).toEqual([[1, '8', '10']])
  })
})

describe('a price of 0', () => {
  const rule = (over: Partial<RuleInput>) => anAccount({ rules: [aRule({ isDefault: true, ...over })] })

  test.each<[string, Partial<RuleInput>]>([
    ['by a cost of 0', {}],
    ['by a markup of -100', { percent: '-100' }],
    ['by a deduction', { addition: '-20' }],
    ['by a ceiling of 0', { ceilingPrice: '0' }],
    ['by rounding', { action: 'fixed', percent: null, fixedPrice: '0.001' }],
    ['by a fixed price that is deducted', { action: 'fixed', percent: null, fixedPrice: '5', addition: '-5' }],
  ])('is no price %s', (name, over) => {
    const product = costing(name === 'by a cost of 0' ? '0' : '10')
    const payload = payloadOf(rule(over), product)
    expect([payload?.price.prices, payload?.content.exclusion_reason]).toEqual([[], 'no_price'])
    expect(explain(compileAccount(rule(over)), product, 1)).toMatchObject({
      prices: [{ price: null, isUnstatedZero: true }],
      exclusion: { reason: 'no_price' },
    })
  })

  test('is one where a rule states it', () => {
    const account = rule({ action: 'fixed', percent: null, fixedPrice: '0' })
    expect(pricesOf(account, costing('10'))).toEqual([[1, '10', '0']])
    expect(explain(compileAccount(account), costing('10'), 1)?.prices).toMatchObject([
      { price: '0', isUnstatedZero: false },
    ])
  })

  test('of one group leaves none to the others: there is an entry for each group or for none', () => {
    const account = anAccount({
      groups: GROUPS,
      rules: [aRule({ isDefault: true }), aRule({ ruleId: 2, groupIds: [2], percent: '-100' })],
    })
    expect(pricesOf(account, costing('10'))).toEqual([])
    expect(explain(compileAccount(account), costing('10'), 1)?.prices).toMatchObject([
      { price: null, isUnstatedZero: false },
      { price: null, isUnstatedZero: true },
    ])
  })

  test('is held like any other fall while an earlier price is known', () => {
    const account = guarded({ groups: [aGroup()] })
    expect(pricesOf(account, costing('0', { holds: [RETAIL] }))).toEqual([[1, '0', '10']])
    // confirmed
    expect(pricesOf(account, costing('0', { holds: [{ ...RETAIL, shownPrice: '0' }] }))).toEqual([])
  })
})
