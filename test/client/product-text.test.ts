import { expect, test } from 'vitest'
import { productText } from '../../client/src/verify/product-text.ts'

// A target such as PostgreSQL's jsonb returns members in an order of its own.

/** A value with the members of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, one]) => [name, reversed(one)])
      .toReversed(),
  )
}

const product = {
  id: 1,
  sku: 'A',
  title: 'Hose',
  attributes: [
    { key: 'length', label: 'Length', value: '25 m', type: 'number', value_number: 25, unit: 'm' },
    { key: 'sealed', label: 'Sealed', value: 'yes', type: 'boolean', value_boolean: true },
    { key: 'fits', label: 'Fits', value: 'A, B', type: 'list', values: ['A', 'B'] },
  ],
  mpn: 'H-25',
  dimensions: { length: '30', width: '20' },
  prices: [{ customer_group_id: 1, computed_price: 9.5, tiers: [{ quantity: 10, price: 9 }] }],
  stock: 3,
}

test('a product whose members come in any order has the text that the service writes', () => {
  expect(productText(reversed(product))).toBe(JSON.stringify(product))
})

test('a member that a later release has added comes before the price half', () => {
  const { prices, stock, ...content } = product
  const later = { ...content, later: 1, prices, stock }
  expect(productText({ later: 1, ...product })).toBe(JSON.stringify(later))
})
