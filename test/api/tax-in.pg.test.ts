import { expect, test } from 'vitest'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { expectAudited, giveOffers, offer } from '../harness/account.ts'
import { account, database, read, send, service, setUp } from './full-access-account.ts'

setUp()

// Which country's tax costs and list prices include, over HTTP: where it is stated, which changes are announced, and refused input.

interface Price {
  base_cost: number
  compare_at_price?: number
}
const price = async (id: number | undefined): Promise<Price> =>
  (await read(`/v1/prices/${id}?store=main`)).body.data.prices[0]
const payload = async (id: number | undefined) => {
  const { text, headers } = await read(`/v1/products/${id}?store=main`)
  return [text, headers.get('etag')]
}
const cursor = async () =>
  (await read('/v1/changes?store=main&since=now')).body as { next_since: string; next_id: number }
const since = async ({ next_since: at, next_id: id }: { next_since: string; next_id: number }) =>
  (await read(`/v1/changes?store=main&since=${encodeURIComponent(at)}&since_id=${id}`)).body.changes.map(
    (change: { product_id: number; change_types: string[] }) => [change.product_id, change.change_types],
  )
const taxed = async () => {
  const rates = [{ country: 'DE', valid_from: '2021-01-01', percent: '19' }]
  const standard = { key: 'standard', name: 'Standard', is_default: true, codes: [], rates }
  expect((await send('POST', '/tax-classes', standard)).status).toBe(201)
  expect((await send('PATCH', '/stores/main', { tax_country: 'DE', prices_include_tax: true })).status).toBe(200)
}
const given = (...skus: string[]) =>
  giveOffers(
    service.runtime,
    account,
    skus.map((sku) => offer(sku, { cost: '11.90', list_price: '100' })),
  )

test('an offer says whose tax is in its cost and list price, and goes back to what its supplier says without a trace', async () => {
  const [id, other] = await given('A1', 'A2')
  await taxed()
  const before = await payload(id)
  const start = await cursor()
  expect(await price(id)).toMatchObject({ base_cost: 11.9, compare_at_price: 100 })
  const stated = await send('PATCH', '/suppliers/north/offers/A1', { cost_tax: 'de', list_price_tax: 'NONE' })
  expect([stated.status, stated.body.data.cost_tax, stated.body.data.list_price_tax]).toEqual([200, 'DE', 'none'])
  expect(await price(id)).toMatchObject({ base_cost: 10, compare_at_price: 119 })
  expect(await since(start)).toEqual([[id, ['price']]])

  // the supplier's setting applies to its other offers
  expect((await send('PATCH', '/suppliers/north', { cost_tax_country: 'DE', list_price_tax: 'none' })).status).toBe(200)
  expect(await price(other)).toMatchObject({ base_cost: 10, compare_at_price: 119 })
  expect((await send('PATCH', '/suppliers/north/offers/A1', { cost_tax: 'none', list_price_tax: 'DE' })).status).toBe(
    200,
  )
  expect(await price(id)).toMatchObject({ base_cost: 11.9, compare_at_price: 100 })
  const why = (await read(`/v1/products/${id}/explain?store=main`)).body.data
  expect(why.cost_tax).toMatchObject({ value: 'none', source: { from: 'supplier' } })
  expect(why.list_price_in_store).toEqual({
    amount: '100',
    currency: 'EUR',
    steps: [{ step: 'list_price', op: '=', by: '100', result: '100' }],
    shown: '100',
    tax_rate_missing: null,
  })

  // FR has no rate: the offer's cost is not used, and a finding names the country
  expect((await send('PATCH', '/suppliers/north/offers/A1', { cost_tax: 'FR' })).status).toBe(200)
  expect(await price(id)).toBeUndefined()
  const findings = (await send('GET', '/findings')).body.data
  expect(findings.tax_rates_missing).toEqual([{ store: null, supplier: 'north', country: 'FR', tax_class: 'standard' }])

  expect((await send('PATCH', '/suppliers/north', { cost_tax_country: null, list_price_tax: null })).status).toBe(200)
  expect((await send('PATCH', '/suppliers/north/offers/A1', { cost_tax: null, list_price_tax: null })).status).toBe(200)
  expect(await payload(id)).toEqual(before)
  await expectAudited(database.db, account.accountId)
})

test('what is no country is refused by name, at offers, suppliers and products', async () => {
  const [id] = await given('A1')
  for (const [method, path, field] of [
    ['PATCH', '/suppliers/north/offers/A1', 'cost_tax'],
    ['PATCH', '/suppliers/north/offers/A1', 'list_price_tax'],
    ['PATCH', '/suppliers/north', 'list_price_tax'],
    ['PATCH', `/products/${id}`, 'cost_tax'],
  ] as const) {
    const { status, body } = await send(method, path, { [field]: 'Germany' })
    expect([status, body.errors?.[0]?.name], `${path} ${field}`).toEqual([422, field])
  }
})

test('a supplier that turns from net to gross in the middle of an import has no half effect', async () => {
  const skus = ['A1', 'A2', 'A3', 'A4']
  const ids = await given(...skus)
  await taxed()
  const { accountId } = account
  const batch = (...of: string[]) =>
    service.runtime.shelf.write(accountId, (tx) =>
      writeOffers(
        tx,
        accountId,
        account.suppliers[0]!,
        of.map((sku) => ({ sku, cost: '23.80' })),
      ),
    )
  const costs = async () => Promise.all(ids.map(async (id) => (await price(id)).base_cost))
  await batch('A1', 'A2')
  expect(await costs()).toEqual([23.8, 23.8, 11.9, 11.9])
  expect((await send('PATCH', '/suppliers/north', { cost_tax_country: 'DE' })).status).toBe(200)
  // the supplier's new setting applies to rows that were read before it and to the others alike
  expect(await costs()).toEqual([20, 20, 10, 10])
  await batch('A3', 'A4')
  expect(await costs()).toEqual([20, 20, 20, 20])
  await expectAudited(database.db, accountId)
  // the same file again changes nothing: tax is not deducted twice
  const start = await cursor()
  await batch(...skus)
  expect([await costs(), await since(start)]).toEqual([[20, 20, 20, 20], []])
})
