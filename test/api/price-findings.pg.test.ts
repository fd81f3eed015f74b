import { expect, test } from 'vitest'
import { account, offers, send, setUp } from './full-access-account.ts'

setUp()

// The findings of prices below cost, and of list prices that no price shows.

const findings = async () => (await send('GET', '/findings')).body.data
interface Row {
  product_id: number
  store: string
  customer_group_id: number
}
/** The findings of prices below cost of one group in the store main. */
const belowCost = async () =>
  ((await findings()).prices_below_cost as Row[]).filter(
    (row) => row.store === 'main' && row.customer_group_id === account.groupId,
  )
const cost = (sku: string, amount: string) => send('PATCH', `/suppliers/north/offers/${sku}`, { cost: amount })

test('a price list below cost is found by what is left of its prices without tax, and who makes each price is named', async () => {
  const [listed = 0, fixed = 0, onSale = 0, good = 0] = await offers('A1', 'A2', 'A3', 'A4')
  for (const sku of ['A1', 'A2', 'A3', 'A4']) expect((await cost(sku, '10')).status).toBe(200)
  expect(await belowCost()).toEqual([])

  expect((await send('POST', '/price-lists', { key: 'trade', name: 'Trade', currency: 'EUR' })).status).toBe(201)
  const entries = [
    { product_id: listed, price: '11.89' },
    { product_id: good, price: '11.90' },
  ]
  expect((await send('PATCH', '/price-lists/trade/entries', { entries })).status).toBe(200)
  const rule = {
    name: 'Fixed',
    action: 'fixed',
    fixed_price: '11.5',
    currency: 'EUR',
    product_ids: [fixed],
    priority: 1,
  }
  expect((await send('POST', '/pricing-rules', rule)).status).toBe(201)
  expect((await send('PATCH', `/products/${onSale}`, { sale_price: '9.99', sale_ends_on: '2999-01-01' })).status).toBe(
    200,
  )
  // without tax only prices below the cost itself
  expect((await belowCost()).map((row) => row.product_id)).toEqual([onSale])

  const rates = [{ country: 'DE', valid_from: '2021-01-01', percent: '19' }]
  const standard = { key: 'standard', name: 'Standard', is_default: true, codes: [], rates }
  expect((await send('POST', '/tax-classes', standard)).status).toBe(201)
  expect((await send('PATCH', '/stores/main', { tax_country: 'DE', prices_include_tax: true })).status).toBe(200)
  const of = (product_id: number, price: string, price_without_tax: string, made_by: string) => ({
    product_id,
    store: 'main',
    customer_group_id: account.groupId,
    currency: 'EUR',
    price,
    price_without_tax,
    base_cost: '10',
    made_by,
    price_list: made_by === 'price_list' ? 'trade' : null,
  })
  expect(await belowCost()).toEqual([
    of(listed, '11.89', '9.9916', 'price_list'),
    of(fixed, '11.5', '9.6639', 'rule'),
    of(onSale, '9.99', '8.395', 'sale'),
  ])

  // an inactive list makes no prices
  expect((await send('PATCH', '/price-lists/trade', { is_active: false })).status).toBe(200)
  expect((await belowCost()).map((row) => row.product_id)).toEqual([fixed, onSale])
  // a cost that rises while the old price is held
  expect((await send('PATCH', '', { price_jump_factor: '3' })).status).toBe(200)
  expect((await cost('A4', '90')).status).toBe(200)
  expect((await belowCost()).at(-1)).toMatchObject({ product_id: good, made_by: 'held', base_cost: '90' })
})

test('list prices that no price shows are counted by who states them', async () => {
  const [a = 0, b = 0, c = 0] = await offers('A1', 'A2', 'A3')
  expect((await findings()).list_prices_unshown).toEqual([])
  for (const sku of ['A1', 'A2'])
    expect((await send('PATCH', `/suppliers/north/offers/${sku}`, { list_price: '0.50' })).status).toBe(200)
  expect((await send('PATCH', `/products/${c}`, { list_price: '0.01' })).status).toBe(200)
  expect((await findings()).list_prices_unshown).toEqual([
    { supplier: 'north', products: 2, product_ids: [a, b] },
    { supplier: null, products: 1, product_ids: [c] },
  ])
  expect((await send('PATCH', '/suppliers/north/offers/A1', { list_price: '5000' })).status).toBe(200)
  expect((await send('PATCH', `/products/${c}`, { list_price: null })).status).toBe(200)
  expect((await findings()).list_prices_unshown).toEqual([{ supplier: 'north', products: 1, product_ids: [b] }])
  // a product without a price is not counted
  expect((await cost('A2', '0')).status).toBe(200)
  expect((await findings()).list_prices_unshown).toEqual([])
})
