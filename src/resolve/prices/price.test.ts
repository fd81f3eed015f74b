import { describe, expect, it, test } from 'vitest'
import { amountText, Exact } from '../../model/money.ts'
import { converter } from '../currency.ts'
import { aGroup, anOffer, aRule, compileRules } from '../fixtures.ts'
import type { RoundingInput, RuleInput, StoreInput } from '../inputs.ts'
import { priceRuleIn } from './price-rules.ts'
import { baseCost, noPricesMade, resolvePrices, type Cost, type MadePrices } from './price.ts'
import type { Candidate } from '../sourcing/sourcing.ts'

const RULE: RuleInput = aRule({ ruleId: 7 })
const store = (currency: string): StoreInput => ({
  storeId: 1,
  slug: 'main',
  locale: 'en',
  currency,
  listsByDefault: true,
  taxCountry: null,
  pricesIncludeTax: false,
})
const RETAIL = { ...aGroup(), saysDefault: false }
const noTax = () => null
const costOf = (amount: string, currency: string): Cost => ({
  amount: new Exact(amount),
  withTax: null,
  tiers: null,
  currency,
  supplierId: 1,
  source: 'best_offer',
})

/** base_cost and computed_price, as JSON has them, of one cost under one rule in an account in EUR. */
function priced(
  amount: string,
  from: string,
  to: string,
  rule: Partial<RuleInput>,
  rates: Record<string, string> = RATES,
): string[] {
  const money = converter('EUR', rates)
  const [compiled] = compileRules([{ ...RULE, ...rule }])
  const ready = priceRuleIn(compiled!, to, 'EUR', money) ?? undefined
  return resolvePrices(costOf(amount, from), store(to), [RETAIL], () => ready, money, noTax).flatMap((price) => [
    amountText(price.baseCost),
    amountText(price.computedPrice),
  ])
}

const RATES = { PLN: '4', USD: '1.25', GBP: '0.8', JPY: '160', KWD: '0.33', CHF: '3' }
const margin = (percent: string) => ({ action: 'margin' as const, percent })
const fixed = (fixedPrice: string) => ({ action: 'fixed' as const, percent: null, fixedPrice })
const round = (step: string, ending: string, direction: RoundingInput['direction'], currency = 'EUR') => ({
  rounding: { [currency]: { step, ending, direction } },
})

describe('worked examples, each computed manually, to the last digit', () => {
  it.each<[string, string, string, string, Partial<RuleInput>, string, string]>([
    // --- markup and margin of the same percent are not the same: 10 x 1.25; 10 / 0.75 = 13.333…
    ['a markup of a quarter', '10', 'EUR', 'EUR', { percent: '25' }, '10', '12.5'],
    ['a margin of a quarter', '10', 'EUR', 'EUR', margin('25'), '10', '13.33'],
    ['a margin of a half doubles', '6.5', 'EUR', 'EUR', margin('50'), '6.5', '13'],
    ['a margin of 0', '9.99', 'EUR', 'EUR', margin('0'), '9.99', '9.99'],
    // 10 / 1.25
    ['a negative margin sells below cost', '10', 'EUR', 'EUR', margin('-25'), '10', '8'],
    // 9.99 x 1.333333 = 13.31999667
    ['a markup of four digits', '9.99', 'EUR', 'EUR', { percent: '33.3333' }, '9.99', '13.32'],
    ['a markup that takes everything', '10', 'EUR', 'EUR', { percent: '-100' }, '10', '0'],
    // --- half up, exactly: 0.05 x 1.1 = 0.055; 1.005 is above what a binary float makes of it
    ['a half goes up', '0.05', 'EUR', 'EUR', { percent: '10' }, '0.05', '0.06'],
    ['a half that binary floats miss', '1.005', 'EUR', 'EUR', {}, '1.01', '1.01'],
    // 1.004999 -> 1.00; x 1.000001 = 1.005000004999 -> 1.01
    ['just below and just above a half', '1.004999', 'EUR', 'EUR', { percent: '0.0001' }, '1', '1.01'],
    // 0.123456 x 2 = 0.246912
    ['a cost of six decimals', '0.123456', 'EUR', 'EUR', { percent: '100' }, '0.12', '0.25'],
    // 123456789012345.678901 + a millionth of it, 123456789.012345678901
    [
      'a very large cost',
      '123456789012345.678901',
      'EUR',
      'EUR',
      { percent: '0.0001' },
      '123456789012345.68',
      '123456912469134.69',
    ],
    ['a cost of 0', '0', 'EUR', 'EUR', { percent: '25', ...round('1', '0.99', 'up') }, '0', '0'],
    // --- currencies: 40 PLN / 4 x 0.8 = 8 GBP; 8 / 0.8 = 10
    ['through the account’s currency', '40', 'PLN', 'GBP', margin('20'), '8', '10'],
    // 10 x 160 x 1.1255 = 1800.8
    ['yen have no decimals', '10', 'EUR', 'JPY', { percent: '12.55' }, '1600', '1801'],
    // 10 x 0.33 x 1.1005 = 3.63165
    ['dinars have three', '10', 'EUR', 'KWD', { percent: '10.05' }, '3.3', '3.632'],
    // 10 CHF / 3 = 3.333…; x 3 = 10 again, not 9.999…
    [
      'a third three times is the whole, also rounded down',
      '10',
      'CHF',
      'EUR',
      { percent: '200', ...round('1', '0', 'down') },
      '3.33',
      '10',
    ],
    // --- fixed prices and additions; 80 PLN are 20 EUR, 5 USD are 4 EUR, 0.80 GBP are 4 PLN
    ['a fixed price', '12', 'EUR', 'EUR', fixed('19.9'), '12', '19.9'],
    ['a fixed price in another currency', '12', 'EUR', 'EUR', { ...fixed('80'), currency: 'PLN' }, '12', '20'],
    ['an addition', '10', 'EUR', 'EUR', { percent: '20', addition: '2.5' }, '10', '14.5'],
    ['an addition in another currency', '10', 'EUR', 'EUR', { addition: '5', currency: 'USD' }, '10', '14'],
    ['an addition into a third currency', '40', 'PLN', 'PLN', { addition: '0.8', currency: 'GBP' }, '40', '44'],
    ['a deduction', '10', 'EUR', 'EUR', { percent: '20', addition: '-2.25' }, '10', '9.75'],
    ['a deduction never goes below 0', '3', 'EUR', 'EUR', { addition: '-5' }, '3', '0'],
    // --- floors: 10 / 0.8 = 12.5; 10 + 3
    ['a margin floor lifts', '10', 'EUR', 'EUR', { percent: '10', floorMarginPercent: '20' }, '10', '12.5'],
    ['a margin floor that is met', '10', 'EUR', 'EUR', { percent: '30', floorMarginPercent: '20' }, '10', '13'],
    ['a profit floor lifts', '10', 'EUR', 'EUR', { percent: '10', floorProfit: '3' }, '10', '13'],
    ['a profit floor may allow a loss', '10', 'EUR', 'EUR', { percent: '-20', floorProfit: '-1' }, '10', '9'],
    ['a price floor lifts', '10', 'EUR', 'EUR', { percent: '10', floorPrice: '15' }, '10', '15'],
    [
      'of several floors the highest counts',
      '10',
      'EUR',
      'EUR',
      { floorMarginPercent: '20', floorProfit: '3', floorPrice: '12' },
      '10',
      '13',
    ],
    ['a ceiling cuts', '10', 'EUR', 'EUR', { percent: '50', ceilingPrice: '12' }, '10', '12'],
    [
      'a floor above the ceiling wins',
      '10',
      'EUR',
      'EUR',
      { percent: '50', floorPrice: '14', ceilingPrice: '12' },
      '10',
      '14',
    ],
    // 12.604 would be 12.60 and below the floor
    ['rounding to the cent stays above the floor', '10', 'EUR', 'EUR', { floorPrice: '12.604' }, '10', '12.61'],
    ['rounding to the cent stays below the ceiling', '20', 'EUR', 'EUR', { ceilingPrice: '12.606' }, '20', '12.6'],
    // --- endings
    ['up to .99', '10', 'EUR', 'EUR', { percent: '25', ...round('1', '0.99', 'up') }, '10', '12.99'],
    ['already at .99', '12.99', 'EUR', 'EUR', round('1', '0.99', 'up'), '12.99', '12.99'],
    ['a cent above .99 goes up a whole step', '13', 'EUR', 'EUR', round('1', '0.99', 'up'), '13', '13.99'],
    ['down to .99', '13', 'EUR', 'EUR', round('1', '0.99', 'down'), '13', '12.99'],
    ['down would be below 0: to the cent', '0.5', 'EUR', 'EUR', round('1', '0.99', 'down'), '0.5', '0.5'],
    // 12.40: 0.45 above 11.95, 0.55 below 12.95; 12.45 is in the middle
    ['the nearest .95 is below', '12.4', 'EUR', 'EUR', round('1', '0.95', 'nearest'), '12.4', '11.95'],
    ['of two as near the upper', '12.45', 'EUR', 'EUR', round('1', '0.95', 'nearest'), '12.45', '12.95'],
    ['to 0.05, below', '12.52', 'EUR', 'EUR', round('0.05', '0', 'nearest'), '12.52', '12.5'],
    ['to 0.05, above', '12.53', 'EUR', 'EUR', round('0.05', '0', 'nearest'), '12.53', '12.55'],
    ['to 9.99 up', '23.4', 'EUR', 'EUR', round('10', '9.99', 'up'), '23.4', '29.99'],
    ['to 9.99 down', '23.4', 'EUR', 'EUR', round('10', '9.99', 'down'), '23.4', '19.99'],
    ['to x.x9', '23.41', 'EUR', 'EUR', round('0.1', '0.09', 'up'), '23.41', '23.49'],
    ['to tens', '25', 'EUR', 'EUR', round('10', '0', 'nearest'), '25', '30'],
    // 1800.8: 20.8 above 1780, 79.2 below 1880
    ['yen to 80', '10', 'EUR', 'JPY', { percent: '12.55', ...round('100', '80', 'nearest', 'JPY') }, '1600', '1780'],
    [
      'a rounding of another currency does not count',
      '10',
      'EUR',
      'EUR',
      { percent: '25', ...round('100', '80', 'nearest', 'JPY') },
      '10',
      '12.5',
    ],
    // --- rounding within bounds: 12.5 is below the floor of 12.7; 13 is above the ceiling of 12.7
    [
      'down through the floor goes up',
      '12.5',
      'EUR',
      'EUR',
      { floorProfit: '0.2', ...round('0.5', '0', 'down') },
      '12.5',
      '13',
    ],
    [
      'up through the ceiling goes down',
      '10',
      'EUR',
      'EUR',
      { percent: '50', ceilingPrice: '12.7', ...round('0.5', '0', 'up') },
      '10',
      '12.5',
    ],
    [
      'where no step fits, to the minor digits',
      '12',
      'EUR',
      'EUR',
      { floorPrice: '12.6', ceilingPrice: '12.7', ...round('1', '0', 'up') },
      '12',
      '12.6',
    ],
    [
      'a floor above the ceiling: no step fits, so the floor itself',
      '10',
      'EUR',
      'EUR',
      { floorPrice: '14.2', ceilingPrice: '12', ...round('1', '0.99', 'up') },
      '10',
      '14.2',
    ],
  ])('%s', (_name, amount, from, to, rule, cost, price) => {
    expect(priced(amount, from, to, rule)).toEqual([cost, price])
  })

  it('without a rate there is no price; a rule with an amount without a rate gives none', () => {
    expect(priced('10', 'SEK', 'EUR', {})).toEqual([])
    expect(priced('10', 'EUR', 'SEK', {})).toEqual([])
    expect(priced('10', 'EUR', 'EUR', { addition: '1', currency: 'SEK' })).toEqual([])
  })
})

test('there is one price per group, in the order of the groups, each by its own rule', () => {
  const money = converter('EUR', {})
  const ready = compileRules([
    { ...RULE, ruleId: 9, percent: '10' },
    { ...RULE, ruleId: 7, percent: '25' },
  ]).map((rule) => priceRuleIn(rule, 'EUR', 'EUR', money)!)
  const groups = [
    RETAIL,
    { ...RETAIL, groupId: 2, name: 'Wholesale', isDefault: false },
    { ...RETAIL, groupId: 3, name: 'Nobody', isDefault: false },
  ]
  const ruleFor = (groupId: number) => ready[groupId - 1]
  expect(
    resolvePrices(costOf('8', 'EUR'), store('EUR'), groups, ruleFor, money, noTax).map((row) => [
      row.group,
      row.ruleId,
      amountText(row.computedPrice),
      row.currency,
    ]),
  ).toEqual([
    ['Retail', 7, '10', 'EUR'],
    ['Wholesale', 9, '8.8', 'EUR'],
  ])
  expect(resolvePrices(null, store('EUR'), groups, ruleFor, money, noTax)).toEqual([])
})

test('stores that share what was computed have the prices that each has alone', () => {
  const money = converter('EUR', RATES)
  const compiled = compileRules([
    { ...RULE, ruleId: 9, percent: '10' },
    { ...RULE, ruleId: 7, addition: '1' },
  ])
  const groups = [RETAIL, { ...RETAIL, groupId: 2, name: 'Wholesale', isDefault: false }]
  const rulesIn = new Map(
    ['EUR', 'PLN', 'JPY', 'SEK'].map((currency) => [
      currency,
      compiled.map((rule) => priceRuleIn(rule, currency, 'EUR', money)),
    ]),
  )
  const made = noPricesMade()
  const pricesIn = (currency: string, known?: MadePrices) =>
    resolvePrices(
      costOf('7.77', 'USD'),
      store(currency),
      groups,
      (groupId) => rulesIn.get(currency)?.[groupId - 1] ?? undefined,
      money,
      noTax,
      known,
    )
  for (const currency of ['EUR', 'PLN', 'EUR', 'SEK', 'JPY', 'PLN', 'SEK'])
    expect(pricesIn(currency, made)).toEqual(pricesIn(currency))
  // 7.77 / 1.25 x 4 = 24.864: 4 more, and 10% more
  expect(pricesIn('PLN', made).map(({ computedPrice }) => amountText(computedPrice))).toEqual(['28.86', '27.35'])
})

describe('what a product costs', () => {
  const best = (cost: string | null, currency = 'USD'): Candidate => ({
    offer: anOffer(1, { cost, currency, quantity: 1 }),
    supplier: {
      supplierId: 1,
      code: 'a',
      priority: 1,
      safetyBuffer: 0,
      isActive: true,
      costTaxCountry: null,
      listPriceTax: null,
    },
    tax: null,
    quantity: 1,
    cost: cost === null ? null : new Exact(cost),
    comparableCost: cost === null ? null : new Exact(cost),
  })

  it.each([
    [
      'own cost while own stock lasts, even when an offer is cheaper',
      { quantity: 1, cost: '7' },
      best('3'),
      '7 EUR own_stock',
    ],
    ['the offer once own stock is gone', { quantity: 0, cost: '7' }, best('3'), '3 USD best_offer'],
    ['the offer when own stock is negative', { quantity: -2, cost: '7' }, best('3'), '3 USD best_offer'],
    ['the offer when own stock has no cost', { quantity: 9, cost: null }, best('3'), '3 USD best_offer'],
    ['own cost when there is no offer', { quantity: 0, cost: '7' }, undefined, '7 EUR own_cost'],
    ['own cost when no offer has one', { quantity: 0, cost: '7' }, best(null), '7 EUR own_cost'],
    ['the offer when there is no own stock', null, best('3'), '3 USD best_offer'],
    ['an own cost of 0 is a cost', { quantity: 1, cost: '0' }, best('3'), '0 EUR own_stock'],
    ['nothing is known of the own stock', { quantity: 5, cost: null }, undefined, null],
    ['nothing is known of the offer', null, best(null), null],
    ['nothing is known at all', null, undefined, null],
  ])('%s', (_name, ownStock, offer, expected) => {
    const cost = baseCost(ownStock, offer, 'EUR')
    expect(cost === null ? null : `${amountText(cost.amount)} ${cost.currency} ${cost.source}`).toBe(expected)
  })
})
