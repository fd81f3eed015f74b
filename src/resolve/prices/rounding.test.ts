import { expect, test } from 'vitest'
import { amountText } from '../../model/money.ts'
import { anAccount, aProduct, aRule, aStore, payloadOf } from '../fixtures.ts'
import type { RoundingInput, RuleInput } from '../inputs.ts'

// Worked examples. Each row's comment is its calculation by hand: the allowed prices on both sides of the amount.

type Limits = Pick<
  Partial<RuleInput>,
  'floorPrice' | 'ceilingPrice' | 'floorMarginPercent' | 'floorProfit' | 'addition' | 'percent'
>

/** The price in a store whose rule takes the cost and rounds it (`10+9.99 up`). */
function rounded(cost: string, how: string, limits: Limits = {}, currency = 'EUR'): string | undefined {
  const [, step = '', ending = '0', direction] = /^([\d.]+)\+?([\d.]+)? (up|down|nearest)$/.exec(how) ?? []
  const rounding = { [currency]: { step, ending, direction: direction as RoundingInput['direction'] } }
  const account = anAccount({ currency, stores: [aStore({ currency })], rules: [aRule({ rounding, ...limits })] })
  const price = payloadOf(account, aProduct({ ownStock: { quantity: 1, cost } }))?.price.prices[0]
  return price === undefined ? undefined : amountText(price.computedPrice)
}

test.each<[string, string, string]>([
  // 11.99 and 12.99 stand beside 12.30
  ['12.30', '1+0.99 up', '12.99'],
  ['12.30', '1+0.99 down', '11.99'],
  // 12.30 − 11.99 = 0.31, 12.99 − 12.30 = 0.69
  ['12.30', '1+0.99 nearest', '11.99'],
  // 0.49 below, 0.51 above
  ['12.48', '1+0.99 nearest', '11.99'],
  // 0.50 below, 0.50 above: a tie goes up
  ['12.49', '1+0.99 nearest', '12.99'],
  // 12.99 is one of them
  ['12.99', '1+0.99 up', '12.99'],
  ['12.99', '1+0.99 down', '12.99'],
  ['12.99', '1+0.99 nearest', '12.99'],
  // 12.99 and 13.99 stand beside 12.991, 12.990001
  ['12.991', '1+0.99 up', '13.99'],
  ['12.990001', '1+0.99 down', '12.99'],
  // 12.989999: 11.99 and 12.99
  ['12.989999', '1+0.99 down', '11.99'],
  // 12.95 and 13.95 stand beside 12.96
  ['12.96', '1+0.95 up', '13.95'],
  // 11.95 and 12.95 stand beside 12.94 and 12.45
  ['12.94', '1+0.95 down', '11.95'],
  // 0.50 and 0.50
  ['12.45', '1+0.95 nearest', '12.95'],
  ['12.449999', '1+0.95 nearest', '11.95'],
  // 12.30 and 12.35 stand beside
  ['12.31', '0.05 up', '12.35'],
  ['12.34', '0.05 down', '12.3'],
  // 0.02 and 0.03
  ['12.32', '0.05 nearest', '12.3'],
  // 0.025 and 0.025
  ['12.325', '0.05 nearest', '12.35'],
  ['12.35', '0.05 up', '12.35'],
  ['12.35', '0.05 down', '12.35'],
  // 120 and 130 stand beside
  ['121', '10 up', '130'],
  ['129.99', '10 down', '120'],
  ['125', '10 nearest', '130'],
  ['124.99', '10 nearest', '120'],
  ['120', '10 up', '120'],
  // 19.99 and 29.99 stand beside 21 and 24.99
  ['21', '10+9.99 up', '29.99'],
  ['21', '10+9.99 down', '19.99'],
  // 5.00 and 5.00
  ['24.99', '10+9.99 nearest', '29.99'],
  // 4.99 and 5.01
  ['24.98', '10+9.99 nearest', '19.99'],
  ['9.99', '10+9.99 up', '9.99'],
  // 9.99 and 19.99 stand beside 10
  ['10', '10+9.99 up', '19.99'],
  // a step that does not divide 1: 0.31 × 39 = 12.09, × 40 = 12.40; plus 0.01: 12.10 and 12.41
  ['12.40', '0.31+0.01 down', '12.1'],
  ['12.11', '0.31+0.01 up', '12.41'],
])('%s by %s is %s', (cost, how, price) => {
  expect(rounded(cost, how)).toBe(price)
})

test.each<[string, string, string, Limits, string]>([
  // 11.99 < 12, so 12.99
  ['down through the floor goes up', '12.30', '1+0.99 down', { floorPrice: '12' }, '12.99'],
  // 11.99 is nearer, but below 12
  ['nearest through the floor goes up', '12.30', '1+0.99 nearest', { floorPrice: '12' }, '12.99'],
  // 11.99 = 11.99
  ['down to the floor stays', '12.30', '1+0.99 down', { floorPrice: '11.99' }, '11.99'],
  // 10 / 0.8 = 12.5; 11.99 would be below, so 12.99
  ['down through a least margin goes up', '10', '1+0.99 down', { floorMarginPercent: '20' }, '12.99'],
  // 10 + 2.5 = 12.5; 11.99 would be below, so 12.99
  ['down through a least profit goes up', '10', '1+0.99 down', { floorProfit: '2.5' }, '12.99'],
  // 12.99 > 12.80, so 11.99
  ['up through the ceiling goes down', '12.30', '1+0.99 up', { ceilingPrice: '12.80' }, '11.99'],
  // 12.60 is nearer to 12.99, which is above 12.80
  ['nearest through the ceiling goes down', '12.60', '1+0.99 nearest', { ceilingPrice: '12.80' }, '11.99'],
  // 12.99 = 12.99
  ['up to the ceiling stays', '12.30', '1+0.99 up', { ceilingPrice: '12.99' }, '12.99'],
  // 20 -> 13; 13.99 > 13, so 12.99
  ['what the ceiling cut goes down', '20', '1+0.99 up', { ceilingPrice: '13' }, '12.99'],
  // 11.99 < 12 and 12.99 > 12.50: 12.30 as it is
  ['no step fits between', '12.30', '1+0.99 down', { floorPrice: '12', ceilingPrice: '12.50' }, '12.3'],
  ['no step fits between, upwards', '12.30', '1+0.99 up', { floorPrice: '12', ceilingPrice: '12.50' }, '12.3'],
  // 12.304: 11.99 < 12.304, 12.99 > 12.50; 12.30 would be below the floor, so 12.31
  [
    'no step fits, and the floor holds to the cent',
    '12.304',
    '1+0.99 up',
    { floorPrice: '12.304', ceilingPrice: '12.50' },
    '12.31',
  ],
  // 12.306: 12.31 would be above the ceiling, so 12.30
  [
    'no step fits, and the ceiling holds to the cent',
    '12.31',
    '1+0.99 down',
    { floorPrice: '12', ceilingPrice: '12.306' },
    '12.3',
  ],
  // 10 -> 14, over the ceiling of 12: no price is between the two, so the floor itself
  ['a floor over the ceiling, up', '10', '1+0.99 up', { floorPrice: '14', ceilingPrice: '12' }, '14'],
  ['a floor over the ceiling, down', '10', '1+0.99 down', { floorPrice: '14', ceilingPrice: '12' }, '14'],
  // and not 100, the next step above it
  ['a floor over the ceiling, far from a step', '10', '100 up', { floorPrice: '5', ceilingPrice: '4' }, '5'],
  ['a floor over the ceiling, a half', '10', '100 down', { floorPrice: '5.005', ceilingPrice: '4' }, '5.01'],
  ['a floor over the ceiling, less than a half', '10', '100 up', { floorPrice: '5.004', ceilingPrice: '4' }, '5'],
  // floor = ceiling = 12.30
  ['a floor at the ceiling', '10', '1+0.99 up', { floorPrice: '12.30', ceilingPrice: '12.30' }, '12.3'],
  // −0.01 and 0.99 stand beside 0.30
  ['down to below 0 stays', '0.30', '1+0.99 down', {}, '0.3'],
  // 0.31 down, 0.69 up, but −0.01 is no price
  ['nearest to below 0 stays', '0.30', '1+0.99 nearest', {}, '0.3'],
  ['nearest to above stays a direction', '0.50', '1+0.99 nearest', {}, '0.99'],
  // 0 and 100 stand beside 1: down never makes a price a hundred times as much
  ['down to 0 is the price to the cent', '1', '100 down', {}, '1'],
  ['down to 0 is the price to the cent, half up', '1.005', '100 down', {}, '1.01'],
  ['down to 0 keeps a floor', '1.004', '100 down', { floorPrice: '1.004' }, '1.01'],
  ['up from 1 is the next step', '1', '100 up', {}, '100'],
  // 0 and 10 stand beside 7
  ['down to 0 stays', '7', '10 down', {}, '7'],
  ['nearest to 0 stays', '3', '10 nearest', {}, '3'],
  // 0 is no price, 10 > 8: 7 as it is
  ['down to 0 under a ceiling stays', '7', '10 down', { ceilingPrice: '8' }, '7'],
  // 0 and 0.05 stand beside, 0 is no price; to the cent it is 0, which is none either
  ['the smallest cost', '0.000001', '0.05 nearest', {}, 'no price'],
  // 5 × 0 = 0, which is no price
  ['0 stays 0', '5', '1+0.99 up', { percent: '-100' }, 'no price'],
  // 5 − 8 = −3 -> 0
  ['below 0 is 0', '5', '1+0.99 up', { addition: '-8' }, 'no price'],
])('%s', (_name, cost, how, limits, price) => {
  expect(rounded(cost, how, limits) ?? 'no price').toBe(price)
})

test.each<[string, string, string, string]>([
  // 1780 and 1880 stand beside 1788
  ['JPY', '1788', '100+80 up', '1880'],
  ['JPY', '1788', '100+80 down', '1780'],
  // 1830 − 1780 = 50, 1880 − 1830 = 50
  ['JPY', '1830', '100+80 nearest', '1880'],
  // 1829.5: 49.5 and 50.5
  ['JPY', '1829.5', '100+80 nearest', '1780'],
  // 4.170 and 4.175 stand beside; 0.001875 and 0.003125
  ['KWD', '4.171875', '0.005 nearest', '4.17'],
  // 0.0025 and 0.0025
  ['KWD', '4.1725', '0.005 nearest', '4.175'],
  // 4.000 and 4.250 stand beside
  ['KWD', '4.171875', '0.250 up', '4.25'],
  // 3.995 and 4.995 stand beside
  ['KWD', '4.171875', '1+0.995 down', '3.995'],
])('%s %s by %s is %s', (currency, cost, how, price) => {
  expect(rounded(cost, how, {}, currency)).toBe(price)
})

test('a rounding of another currency does not count', () => {
  const rounding = { USD: { step: '1', ending: '0.99', direction: 'up' as const } }
  const price = payloadOf(
    anAccount({ rules: [aRule({ rounding })] }),
    aProduct({ ownStock: { quantity: 1, cost: '12.304' } }),
  )?.price.prices[0]
  expect(price?.computedPrice.toFixed()).toBe('12.3')
})

test('rounded to the minor digits, the ceiling does not push a price below its floor', () => {
  const rule = { percent: '50', floorPrice: '10.001', ceilingPrice: '10.006' }
  const price = payloadOf(anAccount({ rules: [aRule(rule)] }), aProduct({ ownStock: { quantity: 1, cost: '10' } }))
    ?.price.prices[0]
  // 15 -> ceiling 10.006; there is no cent between 10.001 and 10.006: the floor wins, 10.01 (and not 10.00)
  expect(price?.computedPrice.toFixed()).toBe('10.01')
})

test('a floor equal to the ceiling is not above it, even when both are thirds', () => {
  const rule = {
    floorPrice: '20',
    ceilingPrice: '20',
    currency: 'SEK',
    rounding: { EUR: { step: '1', ending: '0.99', direction: 'up' as const } },
  }
  const price = payloadOf(
    anAccount({ rates: { SEK: '3' }, rules: [aRule(rule)] }),
    aProduct({ ownStock: { quantity: 1, cost: '1' } }),
  )?.price.prices[0]
  // both are 20 / 3 = 6.666…: 6.99 is above, 5.99 below, so the minor digits: 6.67 (and not 6.99, over the ceiling)
  expect(price?.computedPrice.toFixed()).toBe('6.67')
})
