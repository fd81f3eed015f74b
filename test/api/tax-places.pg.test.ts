import { expect, test } from 'vitest'
import { expectAudited } from '../harness/account.ts'
import { account, database, offers, read, send, setUp } from './full-access-account.ts'

setUp()

// Tax by category and by customer group over HTTP: in prices, in the feed, and refused input.

interface Price {
  customer_group_id: number
  base_cost: number
  computed_price: number
  tax_included?: boolean
  tax_rate?: number
  tax_class?: string
}

const OFFER = '/suppliers/north/offers/A1'
const rate = (country: string, percent: string) => ({ country, valid_from: '2021-01-01', percent })
const prices = async (id: number | undefined): Promise<Price[]> =>
  (await read(`/v1/prices/${id}?store=main`)).body.data.prices
const cursor = async () =>
  (await read('/v1/changes?store=main&since=now')).body as { next_since: string; next_id: number }
const since = async ({ next_since: at, next_id: id }: { next_since: string; next_id: number }) =>
  (await read(`/v1/changes?store=main&since=${encodeURIComponent(at)}&since_id=${id}`)).body.changes.map(
    (change: { product_id: number; change_types: string[] }) => [change.product_id, change.change_types],
  )
const payload = async (id: number | undefined) => {
  const { text, headers } = await read(`/v1/products/${id}?store=main`)
  return [text, headers.get('etag')]
}
const fault = async (method: string, path: string, body?: unknown) => {
  const answer = await send(method, path, body)
  return [
    answer.status,
    answer.body?.errors?.[0]?.name ?? null,
    answer.body?.errors?.[0]?.reason ?? answer.body?.detail,
  ]
}
const classes = async () => {
  const standard = { name: 'Standard', is_default: true, rates: [rate('DE', '19'), rate('AT', '20')] }
  expect((await send('PUT', '/tax-classes/standard', standard)).status).toBe(201)
  const reduced = { name: 'Reduced', rates: [rate('DE', '7'), rate('AT', '10')] }
  expect((await send('PUT', '/tax-classes/reduced', reduced)).status).toBe(201)
}

test('products of a category are in its class, from that moment on, and the class cannot be deleted', async () => {
  const [id] = await offers('A1')
  await classes()
  expect((await send('PATCH', '/stores/main', { tax_country: 'DE', prices_include_tax: true })).status).toBe(200)
  expect((await send('PATCH', OFFER, { category: 'Food/Drinks/Water' })).status).toBe(200)
  const made = await send('POST', '/categories', { path: 'Food', supplier_paths: ['Food'] })
  expect([made.status, made.body.data.tax_class]).toEqual([201, null])
  const food = `/categories/${made.body.data.id}`
  const [standard] = await prices(id)
  expect(standard).toMatchObject({ tax_class: 'standard', tax_rate: 19 })

  const start = await cursor()
  expect((await send('PATCH', food, { tax_class: 'reduced' })).body.data.tax_class).toBe('reduced')
  const [reduced] = await prices(id)
  expect(reduced).toMatchObject({ base_cost: standard?.base_cost, tax_class: 'reduced', tax_rate: 7 })
  expect(await since(start)).toEqual([[id, ['price']]])
  const why = async () => (await read(`/v1/products/${id}/explain?store=main`)).body.data.tax
  expect(await why()).toMatchObject({ class: 'reduced', by: 'category', category: 'Food' })
  // a change of the cost alone is resolved for prices only, which also uses the category
  const bulk = await send('POST', '/bulk/prices', { rows: [{ supplier: 'north', sku: 'A1', cost: '8' }] })
  expect([bulk.status, (await prices(id))[0]]).toMatchObject([200, { base_cost: 8, tax_class: 'reduced' }])
  // a category below it that names another tax class wins for products in it
  const drinks = { path: 'Food/Drinks', supplier_paths: ['Food/Drinks'], tax_class: 'standard' }
  expect((await send('POST', '/categories', drinks)).status).toBe(201)
  expect(await why()).toMatchObject({ class: 'standard', by: 'category', category: 'Food/Drinks' })
  expect((await send('PATCH', OFFER, { tax_class: 'reduced' })).status).toBe(200)
  expect(await why()).toMatchObject({ class: 'reduced', by: 'supplier', category: null })
  expect((await send('PATCH', OFFER, { tax_class: null })).status).toBe(200)
  await expectAudited(database.db, account.accountId)

  expect(await fault('DELETE', '/tax-classes/reduced')).toEqual([
    409,
    null,
    expect.stringContaining('a category names'),
  ])
  expect(await fault('PATCH', food, { tax_class: 'luxury' })).toEqual([
    422,
    'tax_class',
    'must be the key of a tax class; there is none "luxury"',
  ])
  expect((await send('PATCH', food, { tax_class: null })).status).toBe(200)
  expect((await send('DELETE', '/tax-classes/reduced')).status).toBe(204)
  await expectAudited(database.db, account.accountId)
})

test('a customer group is shown prices without tax, or with that of its country, and without a country of the store nothing changes', async () => {
  const [id] = await offers('A1')
  await classes()
  const before = await payload(id)
  const start = await cursor()
  const trade = `/groups/${account.groupId}`
  const group = await send('PATCH', trade, { prices_include_tax: false, tax_country: 'at' })
  expect([group.status, group.body.data]).toMatchObject([200, { prices_include_tax: false, tax_country: 'AT' }])
  expect(await payload(id)).toEqual(before)
  expect(await since(start)).toEqual([])

  expect((await send('PATCH', '/stores/main', { tax_country: 'DE', prices_include_tax: true })).status).toBe(200)
  const of = async (groupId: number) => (await prices(id)).find((price) => price.customer_group_id === groupId)
  const others = async () => (await prices(id)).filter((price) => price.customer_group_id !== account.groupId)
  expect(await of(account.groupId)).toMatchObject({ tax_included: false, tax_rate: 20, tax_class: 'standard' })
  for (const price of await others()) expect(price).toMatchObject({ tax_included: true, tax_rate: 19 })
  const net = await of(account.groupId)
  const now = await cursor()
  expect((await send('PATCH', trade, { prices_include_tax: true })).status).toBe(200)
  expect(await since(now)).toEqual([[id, ['price']]])
  const gross = await of(account.groupId)
  expect(gross).toMatchObject({ base_cost: net?.base_cost, tax_included: true, tax_rate: 20 })
  expect(gross?.computed_price).toBe(Math.round((net?.computed_price ?? 0) * 120) / 100)
  const { prices: explained } = (await read(`/v1/products/${id}/explain?store=main`)).body.data
  expect(explained.find((price: { group_id: number }) => price.group_id === account.groupId)?.tax).toEqual({
    country: 'AT',
    rate: '20',
    is_included: true,
  })
  // the same value again starts no sweep
  const quiet = await cursor()
  expect((await send('PATCH', trade, { prices_include_tax: true })).status).toBe(200)
  expect(await since(quiet)).toEqual([])
  await expectAudited(database.db, account.accountId)
})

test('prices with tax in a country without a rate are refused, of groups and of stores', async () => {
  await offers('A1')
  await classes()
  const trade = `/groups/${account.groupId}`
  expect(await fault('PATCH', trade, { tax_country: 'XX' })).toEqual([
    422,
    'tax_country',
    expect.stringContaining('ISO 3166-1'),
  ])
  expect((await fault('PATCH', trade, { prices_include_tax: 'no' })).slice(0, 2)).toEqual([422, 'prices_include_tax'])
  // no store has a tax country yet
  expect((await send('PATCH', trade, { tax_country: 'PL', prices_include_tax: true })).status).toBe(200)
  expect(await fault('PATCH', '/stores/main', { tax_country: 'DE' })).toEqual([
    422,
    'prices_include_tax',
    expect.stringContaining('needs a tax class with a rate in PL, for the customer group'),
  ])
  expect((await send('PATCH', trade, { tax_country: null, prices_include_tax: null })).status).toBe(200)
  expect((await send('PATCH', '/stores/main', { tax_country: 'DE', prices_include_tax: true })).status).toBe(200)
  expect((await fault('PATCH', trade, { tax_country: 'PL' })).slice(0, 2)).toEqual([422, 'tax_country'])
  expect((await send('PATCH', trade, { tax_country: 'PL', prices_include_tax: false })).status).toBe(200)
  expect((await fault('POST', '/groups', { name: 'Poles', tax_country: 'PL' })).slice(0, 2)).toEqual([
    422,
    'tax_country',
  ])
  expect((await send('POST', '/groups', { name: 'Poles', tax_country: 'AT' })).body.data).toMatchObject({
    tax_country: 'AT',
    prices_include_tax: null,
  })
  await expectAudited(database.db, account.accountId)
})
