import { expect, test } from 'vitest'
import { dayIn, stateOf } from '../../panel/pages/price-lists/list-state.ts'
import { isSamePrice, moveOf, typedPrice } from '../../panel/pages/price-lists/move.ts'
import { priceListSearch } from '../../panel/pages/price-lists/search.ts'
import type { PricingRule } from '../../panel/pages/pricing/rules.ts'
import { pricingSearch } from '../../panel/pages/pricing/search.ts'
import { bodyOf, changeOf, NEW_RULE, valuesOf, valuesOfChange } from '../../panel/pages/pricing/values.ts'

// Price lists as the panel edits them, and rules that win over them.

test('a comma of a price is taken for the point, and what is no price stays as it was typed', () => {
  expect(['19,90', ' 19.90 ', '7', '1.250,50', 'x,5', ''].map(typedPrice)).toEqual([
    '19.90',
    '19.90',
    '7',
    '1.250,50',
    'x,5',
    '',
  ])
})

test('a price moves by a part of the old one; without one there is nothing to compare with', () => {
  expect(moveOf('10', '12.5')).toBeCloseTo(0.25)
  expect(moveOf('10', '5')).toBeCloseTo(-0.5)
  expect([moveOf(null, '5'), moveOf('5', null), moveOf('0', '5')]).toEqual([null, null, null])
})

test('two prices are the same amount, however many digits they are written with', () => {
  const pairs = [
    ['19.90', '19.9'],
    ['7', '7.00'],
    ['07.5', '7.5'],
    ['100', '1'],
    ['19.9', '19.91'],
    ['x', 'x'],
    ['x', 'x0'],
  ] as const
  expect(pairs.map(([a, b]) => isSamePrice(a, b))).toEqual([true, true, true, false, false, true, false])
})

test('a list counts from its first day to its last one, in the account’s time zone', () => {
  const list = (valid_from: string | null, valid_to: string | null, is_active = true) =>
    stateOf({ is_active, valid_from, valid_to }, '2026-11-27')
  expect(list(null, null)).toBe('now')
  expect(list('2026-11-27', '2026-11-27')).toBe('now')
  expect(list('2026-11-28', null)).toBe('later')
  expect(list(null, '2026-11-26')).toBe('ended')
  expect(list(null, '2026-11-26', false)).toBe('inactive')
  const moment = new Date('2026-11-27T23:30:00Z')
  expect(['UTC', 'Europe/Berlin', 'America/New_York'].map((zone) => dayIn(zone, moment))).toEqual([
    '2026-11-27',
    '2026-11-28',
    '2026-11-27',
  ])
})

test('an address opens what there is', () => {
  expect(['settings', 'entry', 'file'].map((open) => priceListSearch({ open }).open)).toEqual([
    'settings',
    'entry',
    'file',
  ])
  expect(priceListSearch({ open: 'other', search: 4006381333931 })).toEqual({
    open: undefined,
    search: '4006381333931',
  })
  expect(priceListSearch({})).toEqual({ open: undefined, search: undefined })
})

test('whether a rule wins over price lists is read, sent and kept while its form is elsewhere', () => {
  const rule = { name: 'Own', is_active: true, priority: 5, action: 'markup', percent: '20', over_price_lists: true }
  const values = valuesOf('pricing-rules', { ...rule } as unknown as PricingRule)
  expect(values.over_price_lists).toBe(true)
  expect(bodyOf('pricing-rules', values, null)).toMatchObject({ over_price_lists: true })
  expect(bodyOf('pricing-rules', NEW_RULE, null)).toMatchObject({ over_price_lists: false })
  const change = changeOf('pricing-rules', values, null)
  expect(valuesOfChange('pricing-rules', change, null).over_price_lists).toBe(true)
  expect(pricingSearch({ over_price_lists: true }).over_price_lists).toBe(true)
  expect(pricingSearch({ over_price_lists: 'x' }).over_price_lists).toBeUndefined()
})
