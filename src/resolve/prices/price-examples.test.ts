import { describe, expect, test } from 'vitest'
import { amountText, Exact } from '../../model/money.ts'
import { anAccount, anOffer, aProduct, aRule, aStore, payloadOf } from '../fixtures.ts'
import type { RuleInput } from '../inputs.ts'

// Worked examples through the whole of resolve. Each row's comment is its arithmetic, done by hand; endings and steps
// are in rounding.test.ts.

/** Units per euro, the account's currency. */
const RATES = { PLN: '4.25', GBP: '0.85', USD: '1.25', JPY: '162.535', KWD: '0.33375', SEK: '3', GEL: '8' }

/**
 * base_cost and computed_price, as JSON has them, of an offer with this cost (`10 EUR`) in one store under one rule.
 */
function priced(
  cost: string,
  rule: Partial<RuleInput>,
  currency = 'EUR',
  rates: Record<string, string> = RATES,
): string[] {
  const [amount = '', from = ''] = cost.split(' ')
  const account = anAccount({ rates, stores: [aStore({ currency })], rules: [aRule({ ruleId: 7, ...rule })] })
  const payload = payloadOf(account, aProduct({ offers: [anOffer(1, { cost: amount, currency: from })] }))
  return (payload?.price.prices ?? []).flatMap((price) => [amountText(price.baseCost), amountText(price.computedPrice)])
}

/** The result for a price of 0 that no rule states. */
const NO_PRICE = 'no price'

const markup = (percent: string, over: Partial<RuleInput> = {}): Partial<RuleInput> => ({
  action: 'markup',
  percent,
  ...over,
})
const margin = (percent: string, over: Partial<RuleInput> = {}): Partial<RuleInput> => ({
  action: 'margin',
  percent,
  ...over,
})
const fixed = (fixedPrice: string, over: Partial<RuleInput> = {}): Partial<RuleInput> => ({
  action: 'fixed',
  percent: null,
  fixedPrice,
  ...over,
})

describe('markup, margin and fixed price', () => {
  test.each<[string, string, Partial<RuleInput>, string]>([
    // 10 × 1.25 = 12.5
    ['a markup of a quarter', '10 EUR', markup('25'), '12.5'],
    // 10 / (1 − 0.25) = 10 / 0.75 = 13.333… -> 13.33
    ['a margin of a quarter', '10 EUR', margin('25'), '13.33'],
    // 10 × 1.5 = 15
    ['a markup of a half', '10 EUR', markup('50'), '15'],
    // 10 / 0.5 = 20
    ['a margin of a half', '10 EUR', margin('50'), '20'],
    // 12.34 × 1
    ['a markup of 0', '12.34 EUR', markup('0'), '12.34'],
    // 12.34 / 1
    ['a margin of 0', '12.34 EUR', margin('0'), '12.34'],
    // 49.90 × 0 = 0
    ['a markup of minus a hundred', '49.90 EUR', markup('-100'), NO_PRICE],
    // 49.90 / (1 + 1) = 24.95
    ['a margin of minus a hundred', '49.90 EUR', margin('-100'), '24.95'],
    // 1 / (1 − 0.999999) = 1 / 0.000001 = 1000000
    ['the largest margin', '1 EUR', margin('99.9999'), '1000000'],
    // 30 × 1.333333 = 39.99999 -> 40.00
    ['a markup of a third', '30 EUR', markup('33.3333'), '40'],
    // 19.99 × 1.10 = 21.989 -> 21.99
    ['above a half cent', '19.99 EUR', markup('10'), '21.99'],
    // 0.10 × 1.25 = 0.125 -> 0.13
    ['at a half cent', '0.10 EUR', markup('25'), '0.13'],
    // 1.004999 × 1 = 1.004999 -> 1.00
    ['below a half cent', '1.004999 EUR', markup('0'), '1'],
    // 1.004999 × 1.000001 = 1.004999 + 0.000001004999 = 1.005000004999 -> 1.01
    ['six decimals of cost against four of the percent', '1.004999 EUR', markup('0.0001'), '1.01'],
    // 1.234567 × 1.5 = 1.8518505 -> 1.85
    ['a cost of six decimals', '1.234567 EUR', markup('50'), '1.85'],
    // 0.005 × 2 = 0.01; the rounded cost 0.01 × 2 would be 0.02
    ['from the unrounded cost', '0.005 EUR', markup('100'), '0.01'],
    // 0.004999 × 1 -> 0.00
    ['less than half a cent is 0', '0.004999 EUR', markup('0'), NO_PRICE],
    // 19.99 whatever the cost
    ['a fixed price', '10 EUR', fixed('19.99'), '19.99'],
    // 19.995 -> 20.00
    ['a fixed price of half a cent', '10 EUR', fixed('19.995'), '20'],
    ['a fixed price of 0', '10 EUR', fixed('0'), '0'],
    // (10^15 − 10^−6) × 1000000.999999 = 1000000999999000000000 − 1.000000999999 = 1000000999998999999998.999999000001
    ['the largest cost and markup', '999999999999999.999999 EUR', markup('99999999.9999'), '1000000999998999999999'],
  ])('%s: %s', (_name, cost, rule, price) => {
    expect(priced(cost, rule)[1] ?? NO_PRICE).toBe(price)
  })
})

describe('addition, floors and ceiling', () => {
  test.each<[string, string, Partial<RuleInput>, string]>([
    // 20 × 1.1 = 22; 22 + 1.5 = 23.5
    ['an addition', '20 EUR', markup('10', { addition: '1.50' }), '23.5'],
    // 22 − 2.25 = 19.75
    ['a deduction', '20 EUR', markup('10', { addition: '-2.25' }), '19.75'],
    // 22 − 22 = 0
    ['a deduction to 0', '20 EUR', markup('10', { addition: '-22' }), NO_PRICE],
    // 22 − 30 = −8, never below 0
    ['a deduction below 0', '20 EUR', markup('10', { addition: '-30' }), NO_PRICE],
    // 10 / 0.8 = 12.5; 12.5 + 0.49 = 12.99
    ['an addition to a margin', '10 EUR', margin('20', { addition: '0.49' }), '12.99'],
    // 9.99 + 5 = 14.99
    ['an addition to a fixed price', '1 EUR', fixed('9.99', { addition: '5' }), '14.99'],
    // 0.10 × 1.25 = 0.125; 0.125 + 0.005 = 0.13; rounded between it would be 0.13 + 0.005 -> 0.14
    ['nothing is rounded between', '0.10 EUR', markup('25', { addition: '0.005' }), '0.13'],
    // 10 × 1.1 = 11; 10 / 0.8 = 12.5
    ['a least margin', '10 EUR', markup('10', { floorMarginPercent: '20' }), '12.5'],
    // 10 × 1.3 = 13 >= 12.5
    ['a least margin that is kept', '10 EUR', markup('30', { floorMarginPercent: '20' }), '13'],
    // 9.99 / 0.85 = 11.752941…; 11.75 would be below, so 11.76
    ['a floor is not rounded away', '9.99 EUR', markup('0', { floorMarginPercent: '15' }), '11.76'],
    // 9 / 0.85 = 10.588235… -> 10.59, above it
    ['a floor that is rounded up', '9 EUR', markup('0', { floorMarginPercent: '15' }), '10.59'],
    // 10 × 1.1 = 11; 10 + 3 = 13
    ['a least profit', '10 EUR', markup('10', { floorProfit: '3' }), '13'],
    // 10 × 0.5 = 5; 10 − 1 = 9
    ['a greatest loss', '10 EUR', markup('-50', { floorProfit: '-1' }), '9'],
    // 11 < 15
    ['a least price', '10 EUR', markup('10', { floorPrice: '15' }), '15'],
    // 10 < 10.001; 10.00 would be below, so 10.01
    ['a least price of a tenth of a cent', '10 EUR', markup('0', { floorPrice: '10.001' }), '10.01'],
    // 10 / 0.8 = 12.5, 10 + 3 = 13, 12: the greatest is 13
    [
      'the greatest of three floors',
      '10 EUR',
      markup('10', { floorMarginPercent: '20', floorProfit: '3', floorPrice: '12' }),
      '13',
    ],
    // 10 × 1 − 30 = −20; 5
    ['a floor above a negative price', '10 EUR', markup('0', { addition: '-30', floorPrice: '5' }), '5'],
    // 10 × 1.5 = 15 > 12
    ['a ceiling', '10 EUR', markup('50', { ceilingPrice: '12' }), '12'],
    // 10 × 1.1 = 11 < 12
    ['a ceiling that is not reached', '10 EUR', markup('10', { ceilingPrice: '12' }), '11'],
    // 15 > 12.345; 12.35 would be above, so 12.34
    ['a ceiling is not rounded away', '10 EUR', markup('50', { ceilingPrice: '12.345' }), '12.34'],
    // 15 > 0
    ['a ceiling of 0', '10 EUR', markup('50', { ceilingPrice: '0' }), NO_PRICE],
    // 15 -> ceiling 12 -> floor 14
    ['a floor over the ceiling', '10 EUR', markup('50', { ceilingPrice: '12', floorPrice: '14' }), '14'],
    // 15 -> ceiling 12 -> floor 10 / 0.75 = 13.333…, half up
    ['a margin over the ceiling', '10 EUR', markup('50', { ceilingPrice: '12', floorMarginPercent: '25' }), '13.33'],
    // 15 -> ceiling 12 -> floor 12.345, half up
    ['half a cent over the ceiling', '10 EUR', markup('50', { ceilingPrice: '12', floorPrice: '12.345' }), '12.35'],
    // 10 -> floor 10.001; between 10.001 and 10.004 there is no cent: the floor wins, 10.01
    [
      'no cent between floor and ceiling',
      '10 EUR',
      markup('0', { floorPrice: '10.001', ceilingPrice: '10.004' }),
      '10.01',
    ],
    // 9.99; 10 / 0.9 = 11.11…; 11.11 would be below, so 11.12
    ['a floor under a fixed price', '10 EUR', fixed('9.99', { floorMarginPercent: '10' }), '11.12'],
  ])('%s: %s', (_name, cost, rule, price) => {
    expect(priced(cost, rule)[1] ?? NO_PRICE).toBe(price)
  })
})

describe('currencies', () => {
  test.each<[string, string, string, Partial<RuleInput>, string, string]>([
    // 10 × 162.535 = 1625.35 -> 1625; × 1.1 = 1787.885 -> 1788
    ['yen have no decimals', '10 EUR', 'JPY', markup('10'), '1625', '1788'],
    // 100 × 162.535 = 16253.5 -> 16254; × 3 = 48760.5 -> 48761
    ['half a yen goes up', '100 EUR', 'JPY', markup('200'), '16254', '48761'],
    // 1625.35 + 100 = 1725.35; 1725 would be below, so 1726
    ['a floor in yen', '10 EUR', 'JPY', markup('0', { floorProfit: '100', currency: 'JPY' }), '1625', '1726'],
    // 10 × 0.33375 = 3.3375 -> 3.338; × 1.25 = 4.171875 -> 4.172
    ['dinars have three decimals', '10 EUR', 'KWD', markup('25'), '3.338', '4.172'],
    // 4.171875 > 4.1716; 4.172 would be above, so 4.171
    [
      'a ceiling in dinars',
      '10 EUR',
      'KWD',
      markup('25', { ceilingPrice: '4.1716', currency: 'KWD' }),
      '3.338',
      '4.171',
    ],
    // 1000 / 162.535 = 6.15252… -> 6.15; × 1.05 = 6.46014… -> 6.46
    ['out of yen', '1000 JPY', 'EUR', markup('5'), '6.15', '6.46'],
    // 100 × 0.85 / 4.25 = 20; × 1.3 = 26
    ['zloty to pounds through euros', '100 PLN', 'GBP', markup('30'), '20', '26'],
    // 99.99 × 0.85 / 4.25 = 84.9915 / 4.25 = 19.998 -> 20.00; / 0.7 = 28.56857… -> 28.57
    ['a margin in pounds', '99.99 PLN', 'GBP', margin('30'), '20', '28.57'],
    // 0.123456 × 0.85 / 4.25 = 0.0246912 -> 0.02; × 11 = 0.2716032 -> 0.27; from the rounded base it would be 0.22
    ['a cost of six decimals through two rates', '0.123456 PLN', 'GBP', markup('1000'), '0.02', '0.27'],
    // 20 + 5 × 0.85 / 1.25 = 20 + 3.4
    ['an addition in dollars', '100 PLN', 'GBP', markup('0', { addition: '5', currency: 'USD' }), '20', '23.4'],
    // 20 + 2 × 0.85 = 21.7: amounts are in the account's currency
    ['an addition in the account’s currency', '100 PLN', 'GBP', markup('0', { addition: '2' }), '20', '21.7'],
    // 20 + 2 × 0.85 = 21.7
    ['a least profit in the account’s currency', '100 PLN', 'GBP', markup('0', { floorProfit: '2' }), '20', '21.7'],
    // 85 / 4.25 = 20
    ['a fixed price in zloty', '1 EUR', 'EUR', fixed('85', { currency: 'PLN' }), '1', '20'],
    // 100 × 0.85 / 4.25 × 1.3 = 26; 30 × 0.85 / 1.25 = 20.4
    ['a ceiling in dollars', '100 PLN', 'GBP', markup('30', { ceilingPrice: '30', currency: 'USD' }), '20', '20.4'],
    // 15 / 1.25 = 12 > 11
    ['a least price in dollars', '10 EUR', 'EUR', markup('10', { floorPrice: '15', currency: 'USD' }), '10', '12'],
    // 3 / 8 = 0.375 -> 0.38; × 1.2 = 0.45
    ['a half made by a division', '3 GEL', 'EUR', markup('20'), '0.38', '0.45'],
    // 10 / 3 = 3.333…; × 3 = 10
    ['a third times three', '10 SEK', 'EUR', markup('200'), '3.33', '10'],
    // 10 / 3 × 3 = 10, down to a whole number: 10, not 9
    [
      'a third times three, rounded down',
      '10 SEK',
      'EUR',
      markup('200', { rounding: { EUR: { step: '1', ending: '0', direction: 'down' } } }),
      '3.33',
      '10',
    ],
    // 20 / 3 × 3 = 20 (6.66…67 × 3 is a trace above), up to a whole number: 20, not 21
    [
      'two thirds times three, rounded up',
      '20 SEK',
      'EUR',
      markup('200', { rounding: { EUR: { step: '1', ending: '0', direction: 'up' } } }),
      '6.67',
      '20',
    ],
    // 0.01 / 3 × 1.5 = 0.005, half a cent -> 0.01 (0.00499… would be 0)
    ['a third times one and a half is half a cent', '0.01 SEK', 'EUR', markup('50'), '0', '0.01'],
    // 10 / 3 × 3 = 10; 10 = floor 10: it holds, nothing goes up
    [
      'a third times three at its floor',
      '10 SEK',
      'EUR',
      markup('200', { floorPrice: '10', rounding: { EUR: { step: '1', ending: '0', direction: 'down' } } }),
      '3.33',
      '10',
    ],
    // 20 / 3 / (1 − 0.333333) = 6.666… / 0.666667 = 9.999995…; -> 10.00
    ['a floor made by two divisions', '20 SEK', 'EUR', markup('0', { floorMarginPercent: '33.3333' }), '6.67', '10'],
  ])('%s: %s in %s', (_name, cost, currency, rule, base, price) => {
    expect(priced(cost, rule, currency)).toEqual([base, price])
  })

  test('rates of twelve decimals lose nothing', () => {
    // 19.99 × 4.287312345678 = 85.74624691356 − 0.04287312345678 = 85.70337379010322; × 1.45 = 124.269891995649669
    expect(priced('19.99 EUR', markup('45'), 'PLN', { PLN: '4.287312345678' })).toEqual(['85.7', '124.27'])
    // 1 / 0.000000000001 = 1000000000000; × 1.5
    expect(priced('1 USD', markup('50'), 'EUR', { USD: '0.000000000001' })).toEqual(['1000000000000', '1500000000000'])
  })

  test('a cost in the store’s own currency is not converted through the account’s', () => {
    expect(
      priced('10 SEK', markup('0', { rounding: { SEK: { step: '1', ending: '0', direction: 'down' } } }), 'SEK'),
    ).toEqual(['10', '10'])
  })

  test('the account’s own currency is 1 whatever the rates say', () => {
    expect(priced('10 EUR', markup('0'), 'PLN', { EUR: '3', PLN: '4' })).toEqual(['40', '40'])
    expect(priced('10 PLN', markup('0'), 'EUR', { EUR: '3', PLN: '4' })).toEqual(['2.5', '2.5'])
  })

  test('without a rate on either side there is no price', () => {
    expect(priced('10 CHF', markup('25'))).toEqual([])
    expect(priced('10 EUR', markup('25'), 'CHF')).toEqual([])
  })

  test('a rule whose amounts have no rate is skipped', () => {
    const rules = [aRule({ ruleId: 5, addition: '1', currency: 'CHF' }), aRule({ ruleId: 99, isDefault: true })]
    const prices = (rates: Record<string, string>) =>
      payloadOf(anAccount({ rules, rates }), aProduct({ offers: [anOffer(1)] }))?.price.prices
    expect(prices({})?.[0]).toMatchObject({ ruleId: 99 })
    expect(prices({ CHF: '2' })?.[0]).toMatchObject({ ruleId: 5, computedPrice: new Exact('10.5') })
    // a percentage needs no exchange rate, whatever currency the rule names
    expect(
      payloadOf(
        anAccount({ rules: [aRule({ ruleId: 5, percent: '10', currency: 'CHF' })] }),
        aProduct({ offers: [anOffer(1)] }),
      )?.price.prices,
    ).toHaveLength(1)
  })
})
