import { expect, test } from 'vitest'
import { fixedPrice } from '../../panel/pages/pricing/fixed-price.ts'
import type { PricingRule } from '../../panel/pages/pricing/rules.ts'
import { pricingSearch } from '../../panel/pages/pricing/search.ts'
import { bodyOf } from '../../panel/pages/pricing/values.ts'

// The rule that the panel writes for a price that is set by hand on the page of a product.

const rule = (priority: number, productIds: number[] | null, isDefault = false) =>
  ({ priority, product_ids: productIds, is_default: isDefault }) as PricingRule

test('it names the product, store and group alone, and stands before every rule that may price the product', () => {
  const search = pricingSearch({
    new: true,
    product: 12,
    store_id: 3,
    group_id: 4,
    price: '19,90',
    currency: 'PLN',
    name: 'Fixed price: Hammer',
  })
  const rules = [rule(-50, null, true), rule(10, null), rule(7, [12, 13]), rule(-900, [13])]
  const values = fixedPrice(search, rules)
  expect(values === null ? null : bodyOf('pricing-rules', values, null)).toMatchObject({
    name: 'Fixed price: Hammer',
    is_active: true,
    priority: 6,
    action: 'fixed',
    fixed_price: '19.90',
    currency: 'PLN',
    product_ids: [12],
    store_ids: [3],
    group_ids: [4],
    manufacturers: null,
    categories: null,
    over_price_lists: false,
  })
})

test('it wins over price lists where one prices the product', () => {
  const values = fixedPrice(pricingSearch({ new: true, product: 5, over_price_lists: true }), [])
  expect(values === null ? null : bodyOf('pricing-rules', values, null)).toMatchObject({ over_price_lists: true })
})

test('without other rules it has the usual priority; an address that names no product asks for none', () => {
  expect(fixedPrice(pricingSearch({ new: true, product: '5' }), [rule(0, null, true)])).toMatchObject({
    priority: '100',
    product_ids: '5',
    store_ids: [],
    group_ids: [],
  })
  expect(fixedPrice(pricingSearch({ new: true, product: 'x' }), [])).toBeNull()
})
