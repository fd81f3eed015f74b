import { expect, test } from 'vitest'
import { expectAudited } from '../harness/account.ts'
import { account, database, offers, read, send, service, setUp } from './full-access-account.ts'
import { advanceAccount } from '../../src/catalog/settings/days.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { RESOLVER_VERSION } from '../../src/resolve/resolve.ts'

setUp()

// Tax over HTTP: classes, stores and suppliers; in prices, in the feed, and refused input.

interface Price {
  base_cost: number
  computed_price: number
  tax_included?: boolean
  tax_rate?: number
  tax_class?: string
}

const OFFER = '/suppliers/north/offers/A1'
const STANDARD = {
  key: 'standard',
  name: 'Standard rate',
  is_default: true,
  codes: ['19'],
  rates: [{ country: 'de', valid_from: '2021-01-01', percent: '19.00' }],
}
const price = async (id: number | undefined): Promise<Price> =>
  (await read(`/v1/prices/${id}?store=main`)).body.data.prices[0]
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
const taxed = async (includes = true) => {
  expect((await send('POST', '/tax-classes', STANDARD)).status).toBe(201)
  const store = await send('PATCH', '/stores/main', { tax_country: 'de', prices_include_tax: includes })
  expect([store.status, store.body.data.tax_country]).toEqual([200, 'DE'])
}

test('nothing of tax is read, and nothing announced, before a store has a country; and again after it has none', async () => {
  const [id] = await offers('A1')
  const before = await payload(id)
  expect(before[0]).not.toContain('tax')
  const start = await cursor()
  expect((await send('POST', '/tax-classes', STANDARD)).status).toBe(201)
  expect((await send('PATCH', OFFER, { tax_class: '19' })).status).toBe(200)
  expect(await since(start)).toEqual([])
  expect(await payload(id)).toEqual(before)

  const net = await price(id)
  expect((await send('PATCH', '/stores/main', { tax_country: 'DE' })).status).toBe(200)
  expect(await since(start)).toEqual([[id, ['price']]])
  expect(await price(id)).toEqual({ ...net, tax_included: false, tax_rate: 19, tax_class: 'standard' })
  // the shown price has not changed, so the history has no new entry
  expect((await send('GET', `/products/${id}/price-history`)).body.data.entries).toHaveLength(1)

  const with19 = await cursor()
  expect((await send('PATCH', '/stores/main', { prices_include_tax: true })).status).toBe(200)
  expect(await since(with19)).toEqual([[id, ['price']]])
  const gross = await price(id)
  expect(gross).toMatchObject({ base_cost: net.base_cost, tax_included: true, tax_rate: 19 })
  expect(gross.computed_price).toBe(Math.round(net.computed_price * 119) / 100)
  expect((await send('GET', `/products/${id}/price-history`)).body.data.entries).toHaveLength(2)
  await expectAudited(database.db, account.accountId)

  expect((await send('PATCH', '/stores/main', { tax_country: null, prices_include_tax: false })).status).toBe(200)
  expect(await payload(id)).toEqual(before)
  await expectAudited(database.db, account.accountId)
})

test('a product’s class is the owner’s, the feed’s or the default, and explained', async () => {
  const [id] = await offers('A1')
  await taxed()
  const reduced = {
    key: 'reduced',
    name: 'Reduced',
    codes: ['VAT 7'],
    rates: [{ country: 'DE', valid_from: '2021-01-01', percent: 7 }],
  }
  expect((await send('PUT', '/tax-classes/reduced', reduced)).status).toBe(201)
  const why = async () => (await read(`/v1/products/${id}/explain?store=main`)).body.data
  expect((await price(id)).tax_class).toBe('standard')
  expect((await why()).tax).toEqual({
    class: 'standard',
    by: 'default',
    category: null,
    country: 'DE',
    rate: '19',
    is_included: true,
    is_priceless: false,
  })

  const start = await cursor()
  expect((await send('PATCH', OFFER, { tax_class: 'vat 7' })).body.data.tax_class).toBe('vat 7')
  expect(await price(id)).toMatchObject({ tax_class: 'reduced', tax_rate: 7 })
  expect(await since(start)).toEqual([[id, ['price']]])
  expect((await why()).tax).toMatchObject({ class: 'reduced', by: 'supplier' })
  // a change of the cost alone is resolved for prices only
  const bulk = await send('POST', '/bulk/prices', { rows: [{ supplier: 'north', sku: 'A1', cost: '8' }] })
  expect([bulk.status, await price(id)]).toMatchObject([200, { base_cost: 8, tax_class: 'reduced', tax_rate: 7 }])
  expect((await why()).prices[0].steps.map(({ step }: { step: string }) => step)).toContain('tax')

  expect((await send('PATCH', `/products/${id}`, { tax_class: 'standard' })).status).toBe(200)
  expect(await price(id)).toMatchObject({ tax_class: 'standard', tax_rate: 19 })
  expect((await why()).tax).toMatchObject({ class: 'standard', by: 'override' })
  expect((await send('PATCH', `/products/${id}`, { tax_class: 'luxury' })).status).toBe(200)
  expect((await why()).tax).toMatchObject({ class: 'standard', by: 'default' })
  await expectAudited(database.db, account.accountId)
})

test('a rate that begins is used from its day on, once, and a day without one changes nothing', async () => {
  const [id] = await offers('A1')
  await taxed()
  const goTo = async (day: string) => {
    await inTransaction(database.db, (tx) => advanceAccount(tx, account.accountId, RESOLVER_VERSION, day))
    await service.runtime.shelf.drain(account.accountId)
  }
  const coming = { rates: [...STANDARD.rates, { country: 'DE', valid_from: '2998-01-02', percent: '20' }] }
  const start = await cursor()
  expect((await send('PATCH', '/tax-classes/standard', coming)).status).toBe(200)
  await goTo('2998-01-01')
  expect(await since(start)).toEqual([])
  expect((await price(id)).tax_rate).toBe(19)
  await goTo('2998-01-02')
  expect(await since(start)).toEqual([[id, ['price']]])
  expect((await price(id)).tax_rate).toBe(20)
  const after = await cursor()
  await goTo('2998-01-03')
  expect(await since(after)).toEqual([])
  await expectAudited(database.db, account.accountId)
})

test('a class without a rate leaves no price with tax, an offer with tax in its cost does not compete, and findings name both', async () => {
  const [id] = await offers('A1')
  await taxed()
  expect((await send('PUT', '/tax-classes/reduced', { name: 'Reduced' })).status).toBe(201)
  expect((await send('PATCH', OFFER, { tax_class: 'reduced' })).status).toBe(200)
  expect(await price(id)).toBeUndefined()
  expect((await read(`/v1/products/${id}?store=main`)).body.data).toMatchObject({
    excluded: true,
    exclusion_reason: 'no_price',
  })
  expect((await read(`/v1/products/${id}/explain?store=main`)).body.data.tax).toMatchObject({
    rate: null,
    is_priceless: true,
  })
  const findings = async () => (await send('GET', '/findings')).body.data
  expect((await findings()).tax_rates_missing).toEqual([
    { store: 'main', supplier: null, country: 'DE', tax_class: 'reduced' },
  ])
  expect((await send('PATCH', OFFER, { tax_class: 'seven' })).status).toBe(200)
  expect((await findings()).tax_classes_unknown).toEqual([{ supplier: 'north', value: 'seven', offers: 1 }])

  expect((await send('PATCH', '/suppliers/north', { cost_tax_country: 'PL' })).status).toBe(200)
  expect(await price(id)).toBeUndefined()
  expect((await findings()).tax_rates_missing).toContainEqual({
    store: null,
    supplier: 'north',
    country: 'PL',
    tax_class: 'standard',
  })
  const { offers: explained } = (await read(`/v1/products/${id}/explain?store=main`)).body.data
  expect(explained[0]).toMatchObject({ ineligible: 'no_tax_rate' })
  expect((await send('PATCH', '/suppliers/north', { cost_tax_country: 'DE' })).status).toBe(200)
  expect((await send('PATCH', OFFER, { cost: '11.90' })).status).toBe(200)
  expect((await price(id)).base_cost).toBe(10)
  await expectAudited(database.db, account.accountId)
})

test('what cannot be is refused with a reason, and changes nothing', async () => {
  await offers('A1')
  await taxed()
  const rate = { country: 'DE', valid_from: '2026-01-01', percent: '7' }
  const before = (await send('GET', '/tax-classes')).body.data
  const refused = async (method: string, path: string, body: unknown) => {
    const answer = await send(method, path, body)
    return [answer.status, answer.body.errors?.[0]?.name ?? null, answer.body.errors?.[0]?.reason ?? answer.body.detail]
  }
  const rates = (...given: unknown[]) => refused('PUT', '/tax-classes/other', { name: 'Other', rates: given })
  expect(await rates({ ...rate, percent: '100.01' })).toEqual([
    422,
    'rates.0.percent',
    expect.stringContaining('0 to 100'),
  ])
  expect((await rates({ ...rate, percent: '-1' })).slice(0, 2)).toEqual([422, 'rates.0.percent'])
  expect((await rates({ ...rate, percent: '7.00001' })).slice(0, 2)).toEqual([422, 'rates.0.percent'])
  expect(await rates(rate, { ...rate, percent: '8' })).toEqual([422, 'rates.1', expect.stringContaining('second')])
  expect(await rates({ ...rate, country: 'XX' })).toEqual([
    422,
    'rates.0.country',
    expect.stringContaining('ISO 3166-1'),
  ])
  expect(await rates({ ...rate, valid_from: '2026-02-30' })).toEqual([
    422,
    'rates.0.valid_from',
    expect.stringContaining('a day'),
  ])
  expect((await refused('PUT', '/tax-classes/Not a key', { name: 'x' })).slice(0, 1)).toEqual([422])
  // two classes cannot have the same code, in any letter case
  for (const codes of [['STANDARD'], ['19']])
    expect((await refused('PUT', '/tax-classes/other', { name: 'Other', codes })).slice(0, 2)).toEqual([422, 'codes'])
  // or with a combining accent
  for (const codes of [
    ['a', 'A'],
    ['r\u00e9duit', 're\u0301duit'],
  ])
    expect((await refused('PUT', '/tax-classes/other', { name: 'Other', codes })).slice(0, 2)).toEqual([422, 'codes'])

  expect(await refused('DELETE', '/tax-classes/standard', undefined)).toEqual([
    409,
    null,
    expect.stringContaining('default'),
  ])
  expect((await send('PATCH', '/tax-classes/standard', { is_default: false })).status).toBe(200)
  expect((await send('PATCH', OFFER, { tax_class: 'Standard' })).status).toBe(200)
  expect(await refused('DELETE', '/tax-classes/standard', undefined)).toEqual([
    409,
    null,
    expect.stringContaining('offer'),
  ])
  expect((await send('PUT', '/tax-classes/other', { name: 'Other', codes: ['r\u00e9duit'] })).status).toBe(201)
  expect((await send('PATCH', OFFER, { tax_class: 'Re\u0301duit' })).status).toBe(200)
  expect((await refused('DELETE', '/tax-classes/other', undefined)).slice(0, 1)).toEqual([409])
  expect((await send('PATCH', OFFER, { tax_class: 'Standard' })).status).toBe(200)
  expect((await send('DELETE', '/tax-classes/other')).status).toBe(204)
  expect((await send('PATCH', '/tax-classes/standard', { is_default: true })).status).toBe(200)
  expect((await send('GET', '/tax-classes')).body.data).toEqual(before)

  expect(await refused('PATCH', '/stores/main', { tax_country: 'EU' })).toEqual([
    422,
    'tax_country',
    expect.stringContaining('ISO 3166-1'),
  ])
  expect(await refused('PATCH', '/stores/main', { tax_country: null })).toEqual([
    422,
    'prices_include_tax',
    'needs a tax_country',
  ])
  expect(await refused('PATCH', '/stores/main', { tax_country: 'FR' })).toEqual([
    422,
    'prices_include_tax',
    'needs a tax class with a rate in FR',
  ])
  expect((await refused('PATCH', '/suppliers/north', { cost_tax_country: 'XX' })).slice(0, 2)).toEqual([
    422,
    'cost_tax_country',
  ])
})
