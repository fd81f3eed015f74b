import { describe, expect, it, test } from 'vitest'
import { amountText, Exact } from '../model/money.ts'
import { converter } from './currency.ts'
import type { OfferInput, RuleInput, StoreInput } from './inputs.ts'
import { baseCost, compileRules, matchRule, resolvePrices } from './price.ts'
import type { Candidate } from './sourcing.ts'

const rule = (ruleId: number, over: Partial<RuleInput> = {}): RuleInput => ({
  ruleId, priority: 100, storeId: null, groupId: null, markupPercent: '0', isDefault: false, ...over,
})
const store = (currency: string): StoreInput => ({ storeId: 1, slug: 'main', locale: 'en', currency })
const RETAIL = { groupId: 1, name: 'Retail' }

/** base_cost and computed_price of one cost under one markup, as they are written into JSON; the account is in EUR. */
function priced(amount: string, from: string, to: string, markupPercent: string, rates: Record<string, string>): string[] {
  const [only] = compileRules([rule(7, { markupPercent, isDefault: true })])
  const cost = { amount: new Exact(amount), currency: from }
  return resolvePrices(cost, store(to), [RETAIL], () => only, converter('EUR', rates)).flatMap((price) => [
    amountText(price.baseCost),
    amountText(price.computedPrice),
  ])
}

const RATES = { PLN: '4.2875', JPY: '162.535', KWD: '0.33375', USD: '1.0832', GBP: '8' }

describe('worked examples, each computed by hand', () => {
  it.each([
    // 10 × 1.25 = 12.5
    ['a markup of a quarter', '10.00', 'EUR', 'EUR', '25', '10', '12.5'],
    // 19.99 × 1.10 = 21.989 -> 21.99
    ['rounding up above the half', '19.99', 'EUR', 'EUR', '10', '19.99', '21.99'],
    // 12.34 × 1 = 12.34
    ['no markup', '12.34', 'EUR', 'EUR', '0', '12.34', '12.34'],
    // 0.10 × 1.25 = 0.125, exactly half a cent -> 0.13
    ['a half goes up', '0.10', 'EUR', 'EUR', '25', '0.1', '0.13'],
    // 1.005 is half a cent above 1.00 -> 1.01; as a binary float it is 1.00499999999999989 and would go down
    ['a half that binary floats miss', '1.005', 'EUR', 'EUR', '0', '1.01', '1.01'],
    // 1.004999 is below the half -> 1.00; × 1.000001 = 1.005000004999 -> 1.01
    ['just below and just above a half', '1.004999', 'EUR', 'EUR', '0.0001', '1', '1.01'],
    // 2.675 × 1.10 = 2.9425 -> 2.94; 2.675 itself -> 2.68
    ['base and price are rounded apart', '2.675', 'EUR', 'EUR', '10', '2.68', '2.94'],
    // 0.005 × 2 = 0.01 from the unrounded cost; the rounded base 0.01 × 2 would give 0.02
    ['the price comes from the unrounded cost', '0.005', 'EUR', 'EUR', '100', '0.01', '0.01'],
    // 49.90 × (1 - 1) = 0
    ['minus a hundred percent gives it away', '49.90', 'EUR', 'EUR', '-100', '49.9', '0'],
    // 30 × (1 - 0.333333) = 30 × 0.666667 = 20.00001 -> 20.00
    ['a discount of a third', '30', 'EUR', 'EUR', '-33.3333', '30', '20'],
    // 0 × anything = 0: a cost of 0 is known
    ['a cost of nothing', '0.00', 'EUR', 'EUR', '25', '0', '0'],
    // 10 × 162.535 = 1625.35 -> 1625; × 1.1 = 1787.885 -> 1788
    ['yen have no decimals', '10', 'EUR', 'JPY', '10', '1625', '1788'],
    // 100 × 162.535 = 16253.5, exactly half a yen -> 16254; × 3 = 48760.5 -> 48761
    ['half a yen goes up', '100', 'EUR', 'JPY', '200', '16254', '48761'],
    // 10 × 0.33375 = 3.3375, half a fils -> 3.338; × 1.25 = 4.171875 -> 4.172
    ['dinars have three decimals', '10', 'EUR', 'KWD', '25', '3.338', '4.172'],
    // 1000 / 162.535 = 6.15252… -> 6.15; × 1.05 = 6.46014… -> 6.46
    ['out of yen', '1000', 'JPY', 'EUR', '5', '6.15', '6.46'],
    // 19.99 × 4.2875 = 85.707125 -> 85.71; × 1.45 = 124.27533125 -> 124.28
    ['EUR to PLN', '19.99', 'EUR', 'PLN', '45', '85.71', '124.28'],
    // 100 × 162.535 / 4.2875 = 16253.5 / 4.2875 = 3790.90379… -> 3791; × 1.175 = 4454.31195… -> 4454
    ['PLN to JPY through EUR', '100', 'PLN', 'JPY', '17.5', '3791', '4454'],
    // 5000 × 4.2875 / 162.535 = 21437.5 / 162.535 = 131.89466… -> 131.89; × 1.3 = 171.46306… -> 171.46
    ['JPY to PLN through EUR', '5000', 'JPY', 'PLN', '30', '131.89', '171.46'],
    // 1 / 1.0832 = 0.92319… -> 0.92; × 1.083333 = 1.00012… -> 1.00
    ['a division without an end', '1', 'USD', 'EUR', '8.3333', '0.92', '1'],
    // 3 / 8 = 0.375 -> 0.38; × 1.2 = 0.45
    ['a half made by a division', '3', 'GBP', 'EUR', '20', '0.38', '0.45'],
    // 0.01 × 162.535 = 1.62535 -> 2; × 0.3 = 0.487605 -> 0
    ['a price that rounds to nothing', '0.01', 'EUR', 'JPY', '-70', '2', '0'],
  ])('%s', (_name, amount, from, to, markup, base, price) => {
    expect(priced(amount, from, to, markup, RATES)).toEqual([base, price])
  })

  it('an awkward rate of twelve decimals', () => {
    // 19.99 × 4.287312345678 = 85.74624691356 - 0.04287312345678 = 85.70337379010322 -> 85.70
    // × 1.45 = 124.269891995649669 -> 124.27
    expect(priced('19.99', 'EUR', 'PLN', '45', { PLN: '4.287312345678' })).toEqual(['85.7', '124.27'])
    // 1 / 0.000000000001 = 1000000000000; × 1.5
    expect(priced('1', 'USD', 'EUR', '50', { USD: '0.000000000001' })).toEqual(['1000000000000', '1500000000000'])
  })

  it('the largest cost and markup that the schema holds lose no digit', () => {
    // (10^15 - 10^-6) × 1000000.999999 = 1000000999999000000000 - 1.000000999999 = 1000000999998999999998.999999000001
    expect(priced('999999999999999.999999', 'EUR', 'EUR', '99999999.9999', {})).toEqual(['1000000000000000', '1000000999998999999999'])
  })

  it('a cost in the store’s own currency needs no rate and takes none', () => {
    expect(priced('10', 'PLN', 'PLN', '25', {})).toEqual(['10', '12.5'])
    expect(priced('10', 'PLN', 'PLN', '25', { PLN: '0.000000000001' })).toEqual(['10', '12.5'])
  })

  it('the account’s own currency is 1 whatever a row says', () => {
    expect(priced('10', 'EUR', 'PLN', '0', { EUR: '3', PLN: '4' })).toEqual(['40', '40'])
    expect(priced('10', 'PLN', 'EUR', '0', { EUR: '3', PLN: '4' })).toEqual(['2.5', '2.5'])
  })

  it('a missing rate on either side leaves no price at all', () => {
    expect(priced('10', 'CHF', 'EUR', '25', RATES)).toEqual([])
    expect(priced('10', 'EUR', 'CHF', '25', RATES)).toEqual([])
  })
})

test('there is one price per group in the order of the groups, each by its own rule', () => {
  const groups = [RETAIL, { groupId: 2, name: 'Wholesale' }, { groupId: 3, name: 'Nobody' }]
  const rules = compileRules([rule(9, { markupPercent: '10', groupId: 2 }), rule(7, { markupPercent: '25', groupId: 1 })])
  const cost = { amount: new Exact('8'), currency: 'EUR' }
  const prices = resolvePrices(cost, store('EUR'), groups, (groupId) => matchRule(rules, 1, groupId), converter('EUR', {}))
  expect(prices.map((row) => [row.group, row.ruleId, amountText(row.computedPrice), row.currency])).toEqual([
    ['Retail', 7, '10', 'EUR'],
    ['Wholesale', 9, '8.8', 'EUR'],
  ])
  expect(resolvePrices(null, store('EUR'), groups, (groupId) => matchRule(rules, 1, groupId), converter('EUR', {}))).toEqual([])
})

describe('which rule applies', () => {
  const chosen = (rules: RuleInput[], storeId = 1, groupId = 1) => matchRule(compileRules(rules), storeId, groupId)?.ruleId

  it('the lowest priority number goes first, whatever the order of the list', () => {
    const rules = [rule(1, { priority: 30 }), rule(2, { priority: -5 }), rule(3, { priority: 20 })]
    expect(chosen(rules)).toBe(2)
    expect(chosen(rules.toReversed())).toBe(2)
  })

  it('of equal priorities the lower id goes first, a narrower rule or not', () => {
    expect(chosen([rule(12, { storeId: 1, groupId: 1 }), rule(9)])).toBe(9)
    expect(chosen([rule(10), rule(9, { groupId: 2 })])).toBe(10)
  })

  it('a rule of another store or group is passed over', () => {
    const rules = [rule(1, { storeId: 2, priority: 1 }), rule(2, { groupId: 2, priority: 2 }), rule(3, { storeId: 1, groupId: 1, priority: 3 })]
    expect(chosen(rules, 1, 1)).toBe(3)
    expect(chosen(rules, 2, 1)).toBe(1)
    expect(chosen(rules, 1, 2)).toBe(2)
    expect(chosen(rules, 2, 2)).toBe(1)
    expect(chosen(rules, 3, 3)).toBeUndefined()
  })

  it('the default rule comes last, even with the lowest priority and id', () => {
    const rules = [rule(1, { isDefault: true, priority: -1_000 }), rule(2, { priority: 1_000 })]
    expect(chosen(rules)).toBe(2)
    expect(chosen([rules[0]!, rule(2, { storeId: 5 })])).toBe(1)
  })
})

describe('what a product costs', () => {
  const best = (cost: string | null, currency = 'USD'): Candidate => ({
    offer: { supplierId: 1, supplierSku: 'A', cost, currency, quantity: 1, manufacturer: null, texts: {}, attributes: [], images: [] } satisfies OfferInput,
    supplier: { supplierId: 1, priority: 1, safetyBuffer: 0, isActive: true },
    quantity: 1,
    cost: cost === null ? null : new Exact(cost),
    comparableCost: cost === null ? null : new Exact(cost),
  })

  it.each([
    ['own cost while own stock lasts, even when an offer is cheaper', { quantity: 1, cost: '7' }, best('3'), '7 EUR'],
    ['the offer once own stock is gone', { quantity: 0, cost: '7' }, best('3'), '3 USD'],
    ['the offer when own stock is below nothing', { quantity: -2, cost: '7' }, best('3'), '3 USD'],
    ['the offer when own stock has no cost', { quantity: 9, cost: null }, best('3'), '3 USD'],
    ['own cost when there is no offer', { quantity: 0, cost: '7' }, undefined, '7 EUR'],
    ['own cost when no offer states one', { quantity: 0, cost: '7' }, best(null), '7 EUR'],
    ['the offer when there is no own stock', null, best('3'), '3 USD'],
    ['an own cost of 0 is a cost', { quantity: 1, cost: '0' }, best('3'), '0 EUR'],
    ['nothing is known of the own stock', { quantity: 5, cost: null }, undefined, null],
    ['nothing is known of the offer', null, best(null), null],
    ['nothing is known at all', null, undefined, null],
  ])('%s', (_name, ownStock, offer, expected) => {
    const cost = baseCost(ownStock, offer, 'EUR')
    expect(cost === null ? null : `${amountText(cost.amount)} ${cost.currency}`).toBe(expected)
  })
})
