import { expect, test } from 'vitest'
import { filterOf, kindsOf } from '../../panel/pages/findings/kinds.ts'

// The findings' page shows all kinds of findings in an answer, even those without a translation.

test('each list is a kind, those within an object are named for both', () => {
  expect(
    kindsOf({
      ean_collisions: [{ gtin: '1', product_ids: [1, 2] }],
      prices_held: [],
      completeness: { suppliers_silent: [{ supplier: 'north', silent_days_max: 3 }] },
      counted_at: '2026-11-22T11:00:00+00:00',
      of_a_newer_service: ['text'],
    }),
  ).toEqual([
    { name: 'ean_collisions', rows: [{ gtin: '1', product_ids: [1, 2] }] },
    { name: 'prices_held', rows: [] },
    { name: 'completeness_suppliers_silent', rows: [{ supplier: 'north', silent_days_max: 3 }] },
    { name: 'of_a_newer_service', rows: [{ value: 'text' }] },
  ])
})

test('a row with rows within is each of these with its own members, and what is counted as none is left out', () => {
  const gaps = [
    { gap: 'no_title', products: 2, product_ids: [4, 5] },
    { gap: 'no_image', products: 0, product_ids: [] },
  ]
  expect(kindsOf({ completeness: { stores: [{ store: 'pl', products: 90, gaps }] } })).toEqual([
    {
      name: 'completeness_stores',
      rows: [{ store: 'pl', gap: 'no_title', products: 2, product_ids: [4, 5] }],
    },
  ])
})

test('rows about several products have a filter that finds them, rows about one product link to it', () => {
  expect(filterOf('completeness_stores', { store: 'pl', gap: 'no_title', products: 2 })).toEqual({
    store: 'pl',
    incomplete: 'no_title',
  })
  expect(filterOf('ean_collisions', { gtin: '4006381333931', product_ids: [1, 2] })).toEqual({
    search: '4006381333931',
  })
  expect(filterOf('sku_collisions', { store: 'pl', sku: 'A', product_ids: [1, 2] })).toEqual({
    store: 'pl',
    search: 'A',
  })
  expect(filterOf('eans_invalid', { ean: '123', product_id: 1 })).toBeNull()
})
