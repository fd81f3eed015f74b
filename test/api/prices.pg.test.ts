import { expect, test } from 'vitest'
import { account, offers, read, send, service, setUp } from './full-access-account.ts'

setUp()

// Prices as a shop reads them: held, stated by the merchant, or 0, and after a merge of products.

interface PriceEntry {
  customer_group: string
  base_cost: number
  computed_price: number
}
interface Shown {
  ean: string | null
  stock: number
  excluded: boolean
  exclusion_reason: string | null
  prices: PriceEntry[]
}

const shown = async (id: number, store = 'main') => (await read(`/v1/products/${id}?store=${store}`)).body.data as Shown
const explained = async (id: number) =>
  (await read(`/v1/products/${id}/explain?store=main`)).body.data as {
    base_cost: { shown: string }
    prices: { price: string | null; is_unstated_zero: boolean; held: { wanted_price: string } | null }[]
    exclusion: { reason: string | null }
  }
const prices = async (id: number, store?: string) =>
  (await shown(id, store)).prices.map((price) => [price.base_cost, price.computed_price])

const costs = (cost: string) => send('PATCH', '/suppliers/north/offers/A', { cost })
const confirmAll = () => send('POST', '/findings/confirm-prices', { product_ids: null })

/** A product at a cost of 8 in an account that holds jumps by more than the factor 2. The default rule adds 25 %. */
async function guarded(): Promise<number> {
  const [id = 0] = await offers('A')
  await costs('8')
  expect((await send('PATCH', '', { price_jump_factor: '2' })).status).toBe(200)
  return id
}

test('a held price is held alone: base_cost, the margin and explain are those of today, for every group', async () => {
  const id = await guarded()
  const rule = { name: 'Thin', kind: 'margin_below', amount: '15', reason: 'thin' }
  expect((await send('POST', '/exclusion-rules', rule)).status).toBe(201)
  expect(await shown(id)).toMatchObject({ excluded: false, prices: [{ base_cost: 8 }, { base_cost: 8 }] })
  // the other group's price is fixed, so it is not held
  const [trade] = (await send('GET', '/groups')).body.data.filter((group: { is_default: boolean }) => !group.is_default)
  const stays = { name: 'Trade', action: 'fixed', fixed_price: '11', group_ids: [trade.id], priority: 1 }
  expect((await send('POST', '/pricing-rules', stays)).status).toBe(201)
  await costs('80')
  expect(await prices(id)).toEqual([
    [80, 10],
    [80, 11],
  ])
  // at a cost of 80 the held price of 10 has no margin, so the rule excludes the product
  expect(await shown(id)).toMatchObject({ excluded: true, exclusion_reason: 'thin' })
  expect(await explained(id)).toMatchObject({
    base_cost: { shown: '80' },
    prices: [
      { price: '10', held: { wanted_price: '100' } },
      { price: '11', held: null },
    ],
    exclusion: { reason: 'thin' },
  })
  // the cost changes while the price is held
  await costs('90')
  expect(await prices(id)).toEqual([
    [90, 10],
    [90, 11],
  ])
  expect((await confirmAll()).status).toBe(200)
  expect(await prices(id)).toEqual([
    [90, 112.5],
    [90, 11],
  ])
  expect(await shown(id)).toMatchObject({ excluded: false })
  // the history has only prices that were shown
  const group = (await send('GET', '/groups')).body.data[0] as { id: number }
  const { body } = await send('GET', `/products/${id}/price-history?store=main&customer_group_id=${group.id}`)
  expect(body.data.entries.map((entry: { price: string }) => entry.price)).toEqual(['112.5', '10', '12.5'])
})

test('a fixed price that is stated for a single product is shown at once; one for several is held', async () => {
  const id = await guarded()
  const stated = { name: 'Mine', action: 'fixed', fixed_price: '99', product_ids: [id], priority: 1 }
  const { body } = await send('POST', '/pricing-rules', stated)
  expect(await prices(id)).toEqual([
    [8, 99],
    [8, 99],
  ])
  expect(await prices(id, 'pl')).toEqual([
    [32, 396],
    [32, 396],
  ])
  // without the fixed price the computed one jumps, and is held
  const path = `/pricing-rules/${body.data.id as number}`
  await send('PATCH', path, { is_active: false })
  expect((await prices(id))[0]).toEqual([8, 99])
  // a stated price replaces a held one
  await send('PATCH', path, { is_active: true, fixed_price: '5' })
  expect((await prices(id))[0]).toEqual([8, 5])
  const [other = 0] = await offers('B')
  await send('PATCH', path, { product_ids: [id, other], fixed_price: '500' })
  expect((await prices(id))[0]).toEqual([8, 5])
})

test('a price of 0 is no price, unless a rule states it', async () => {
  const [id = 0] = await offers('A')
  await costs('0')
  expect(await shown(id)).toMatchObject({ prices: [], excluded: true, exclusion_reason: 'no_price' })
  expect(await explained(id)).toMatchObject({
    prices: [
      { price: null, is_unstated_zero: true },
      { price: null, is_unstated_zero: true },
    ],
    exclusion: { reason: 'no_price' },
  })
  const free = { name: 'Gift', action: 'fixed', fixed_price: '0', product_ids: [id], priority: 1 }
  const { body } = await send('POST', '/pricing-rules', free)
  expect(await shown(id)).toMatchObject({ prices: [{ computed_price: 0 }, { computed_price: 0 }], excluded: false })
  // a result of 5 - 5 = 0 does not count as a stated price of 0
  await send('PATCH', `/pricing-rules/${body.data.id as number}`, { fixed_price: '5', addition: '-5' })
  expect(await shown(id)).toMatchObject({ prices: [], exclusion_reason: 'no_price' })
})

test('a fall to 0 is held like any other; once it is confirmed there is no price', async () => {
  const id = await guarded()
  await costs('0')
  expect((await prices(id))[0]).toEqual([0, 10])
  await confirmAll()
  expect(await shown(id)).toMatchObject({ prices: [], exclusion_reason: 'no_price' })
  await costs('8')
  expect((await prices(id))[0]).toEqual([8, 10])
})

test.for<[string, [unknown, unknown][], [number, string | null]]>([
  [
    'no pieces weigh nothing',
    [
      [0, '1'],
      [10, '300'],
    ],
    [10, '300'],
  ],
  [
    'nor do they of the other',
    [
      [10, '300'],
      [0, '1'],
    ],
    [10, '300'],
  ],
  [
    'costs weigh by their pieces',
    [
      [1, '10'],
      [3, '20'],
    ],
    [4, '17.5'],
  ],
  [
    'all at once, not one after the other',
    [
      [1, null],
      [1, '10'],
      [2, '40'],
    ],
    [4, '30'],
  ],
  [
    'to six digits',
    [
      [1, '1'],
      [2, '2'],
    ],
    [3, '1.666667'],
  ],
  [
    'without pieces the known cost of the one that stays',
    [
      [0, '1'],
      [0, '2'],
    ],
    [0, '1'],
  ],
  [
    'without pieces and without a cost that of the other',
    [
      [0, null],
      [0, '2'],
    ],
    [0, '2'],
  ],
  [
    'known costs alone',
    [
      [5, null],
      [5, '8'],
    ],
    [10, '8'],
  ],
  [
    'pieces of an unknown cost leave it unknown',
    [
      [0, '1'],
      [10, null],
    ],
    [10, null],
  ],
  [
    'the other alone has any',
    [
      [null, null],
      [2, '3'],
    ],
    [2, '3'],
  ],
])('merged own stock, %s', async ([, stocks, [quantity, cost]]) => {
  const ids = await offers(...stocks.map((_stock, i) => `M${i}`))
  for (const [i, [pieces, known]] of stocks.entries())
    if (pieces !== null) await send('PUT', `/products/${ids[i]}/stock`, { quantity: pieces, cost: known })
  const [winner, ...losers] = ids
  expect((await send('POST', `/products/${winner}/merge`, { product_ids: losers })).status).toBe(200)
  expect((await send('GET', `/products/${winner}/stock`)).body.data).toMatchObject({ quantity, cost })
})

test('an EAN of a restricted range joins no offers of two suppliers, and is no finding; it is shown like any other', async () => {
  const eans = { inStore: '2000000000008', upc: '0412345678903', coupon: '9912345678909', joins: '4006381333931' }
  const productIds: Record<string, number[]> = {}
  for (const [name, ean] of Object.entries(eans)) {
    const rows = ['north', 'south'].map((supplier) => ({ supplier, sku: name, eans: [ean], cost: '1', quantity: 1 }))
    const { body } = await send('POST', '/bulk/offers', { rows })
    productIds[name] = body.data.map((row: { product_id: number }) => row.product_id) as number[]
  }
  const count = (name: string) => new Set(productIds[name]).size
  expect(Object.keys(eans).map((name) => [name, count(name)])).toEqual([
    ['inStore', 2],
    ['upc', 2],
    ['coupon', 2],
    ['joins', 1],
  ])
  await service.runtime.shelf.drain(account.accountId)
  expect(await shown(productIds['inStore']![0]!)).toMatchObject({ ean: eans.inStore })
  expect((await send('GET', '/findings')).body.data).toMatchObject({ ean_collisions: [], eans_invalid: [] })
})
