import { describe, expect, test } from 'vitest'
import { compareRates, crossRate, expectedDay, type AccountRate } from './plan.ts'

const EUROS = new Map([
  ['EUR', '1'],
  ['USD', '1.16'],
  ['PLN', '4.2343'],
  ['JPY', '181.02'],
])

test('rates go over the euro, exactly, and are rounded once', () => {
  expect(crossRate(EUROS, 'EUR', 'PLN')).toBe('4.2343')
  // 4.2343 / 1.16 = 3.650258620…, 1 / 181.02 = 0.005524251463…, 1.16 / 181.02 = 0.006408131698…
  expect(crossRate(EUROS, 'USD', 'PLN')).toBe('3.6502586')
  expect(crossRate(EUROS, 'JPY', 'EUR')).toBe('0.0055242515')
  expect(crossRate(EUROS, 'JPY', 'USD')).toBe('0.0064081317')
  expect(crossRate(EUROS, 'USD', 'EUR')).toBe('0.86206897')
})

test('there is none of a currency that the bank does not know, and none that cannot be stored', () => {
  expect(crossRate(EUROS, 'EUR', 'UAH')).toBeNull()
  expect(crossRate(EUROS, 'UAH', 'EUR')).toBeNull()
  const odd = new Map([
    ['EUR', '1'],
    ['AAA', '0.000000000001'],
    ['BBB', '999999999999'],
  ])
  expect(crossRate(odd, 'BBB', 'AAA')).toBeNull()
  expect(crossRate(odd, 'AAA', 'BBB')).toBeNull()
})

describe('what becomes of a rate', () => {
  const bounds = { least: '0.5', greatest: '16' }
  const usd = (rate: string, over: Partial<AccountRate> = {}): AccountRate => ({
    currency: 'USD',
    rate,
    bankDay: '2026-11-26',
    bankSeenDay: '2026-11-26',
    heldRate: null,
    ...over,
  })
  const of = (known: AccountRate) =>
    compareRates([known], 'EUR', { day: '2026-11-27', rates: EUROS }, bounds).map(({ taken, held }) => [taken, held])

  test.each([
    ['stays below the least change', usd('1.155'), [[null, null]]],
    ['is taken over from the least change on', usd('1.154'), [['1.16', null]]],
    ['is taken over at the greatest change', usd('1'), [['1.16', null]]],
    ['is held above it', usd('0.9999'), [[null, '1.16']]],
    ['is held where it falls too far', usd('1.39'), [[null, '1.16']]],
    ['that was set by hand is replaced however little it differs', usd('1.1599', { bankDay: null }), [['1.16', null]]],
    ['that was never compared is', usd('1.1', { bankSeenDay: null }), [['1.16', null]]],
    ['is compared once a day', usd('1.1', { bankSeenDay: '2026-11-27' }), []],
    ['is not compared with an earlier day', usd('1.1', { bankSeenDay: '2026-11-30' }), []],
    ['of a currency that the bank does not know stays', usd('43', { currency: 'UAH' }), []],
  ])('%s', (_, known, expected) => {
    expect(of(known)).toEqual(expected)
  })
})

test.each([
  // 2026-11-27 is a Friday
  ['2026-11-27T15:00:00Z', '2026-11-27'],
  ['2026-11-27T14:59:59Z', '2026-11-26'],
  ['2026-11-28T20:00:00Z', '2026-11-27'],
  ['2026-11-29T20:00:00Z', '2026-11-27'],
  ['2026-11-30T14:00:00Z', '2026-11-27'],
  ['2026-11-30T15:00:00Z', '2026-11-30'],
])('at %s the bank’s rates of %s should be there', (at, day) => {
  expect(expectedDay(new Date(at))).toBe(day)
})
