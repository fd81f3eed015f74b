import { expect, test } from 'vitest'
import { expectAudited } from '../harness/account.ts'
import { account, database, offers, read, send, setUp } from './full-access-account.ts'

setUp()

// List prices over HTTP: stated in offers and by owners, in prices, and in the feed.

interface Price {
  computed_price: number
  compare_at_price?: number
}

const OFFER = '/suppliers/north/offers/A1'
const prices = async (id: number | undefined, store = 'main'): Promise<Price[]> =>
  (await read(`/v1/prices/${id}?store=${store}`)).body.data.prices
const compared = async (id: number | undefined, store = 'main') =>
  (await prices(id, store)).map((price) => price.compare_at_price ?? null)
const cursor = async () => (await read('/v1/changes?since=now')).body as { next_since: string; next_id: number }
const since = async ({ next_since: at, next_id: id }: { next_since: string; next_id: number }) =>
  (await read(`/v1/changes?since=${encodeURIComponent(at)}&since_id=${id}`)).body.changes.map(
    (change: { product_id: number; change_types: string[] }) => [change.product_id, change.change_types],
  )

test('a list price is announced as price, follows cost and rates, and goes without a trace', async () => {
  const [id] = await offers('A1')
  const before = [await read(`/v1/products/${id}`), await read(`/v1/prices/${id}`)].map(({ text, headers }) => [
    text,
    headers.get('etag'),
  ])
  expect(JSON.stringify(before)).not.toContain('compare_at')
  const [first] = await prices(id)
  const start = await cursor()
  expect((await send('PATCH', OFFER, { list_price: '1000.50' })).body.data).toMatchObject({ list_price: '1000.5' })
  expect(await since(start)).toEqual([[id, ['price']]])
  expect(await compared(id)).toEqual((await prices(id)).map(() => 1000.5))
  expect((await prices(id))[0]?.computed_price).toBe(first?.computed_price)
  // the history has no entry for a change of the list price alone
  const { data: history } = (await send('GET', `/products/${id}/price-history`)).body
  expect(history.entries).toHaveLength(1)

  // a change of the cost alone is resolved for prices only
  const beforeCost = await cursor()
  const bulk = (cost: string) => send('POST', '/bulk/prices', { rows: [{ supplier: 'north', sku: 'A1', cost }] })
  expect((await bulk('2')).status).toBe(200)
  expect(await compared(id)).toEqual((await prices(id)).map(() => 1000.5))
  expect(await since(beforeCost)).toEqual([[id, ['price']]])
  await expectAudited(database.db, account.accountId)

  // the owner's own list price, and its explanation
  const own = await cursor()
  expect((await send('PATCH', `/products/${id}`, { list_price: '2000' })).status).toBe(200)
  expect(await since(own)).toEqual([[id, ['price']]])
  expect(await compared(id)).toEqual((await prices(id)).map(() => 2000))
  const { data: why } = (await read(`/v1/products/${id}/explain`)).body
  expect(why.list_price).toMatchObject({ value: '2000', source: { from: 'override' } })
  expect(why.list_price_in_store).toMatchObject({ amount: '2000', currency: 'EUR', shown: '2000' })
  expect(why.prices[0]).toMatchObject({ compare_at_price: '2000' })
  expect((await send('PATCH', `/products/${id}`, { list_price: null })).status).toBe(200)
  expect(await compared(id)).toEqual((await prices(id)).map(() => 1000.5))

  // an amount below the price is not shown as a list price
  const below = await cursor()
  expect((await send('PATCH', OFFER, { list_price: '0.01' })).status).toBe(200)
  expect(await compared(id)).toEqual((await prices(id)).map(() => null))
  expect(await since(below)).toEqual([[id, ['price']]])
  const same = await cursor()
  expect((await send('PATCH', OFFER, { list_price: '0.02' })).status).toBe(200)
  expect(await since(same)).toEqual([])

  expect((await send('PATCH', OFFER, { list_price: null, cost: '10' })).status).toBe(200)
  await expectAudited(database.db, account.accountId)
  const text = (await read(`/v1/products/${id}`)).text
  expect(text).not.toContain('compare_at')
})

test('what is no list price is refused, and nothing is changed', async () => {
  const [id] = await offers('A1')
  const start = await cursor()
  for (const given of ['0', '-1', '12,50', 'twelve', '12 XXL', '1.1234567', 'EUR 12']) {
    for (const [method, path] of [
      ['PATCH', OFFER],
      ['PATCH', `/products/${id}`],
    ] as const) {
      const { status, body } = await send(method, path, { list_price: given })
      expect([status, body.errors[0].name], given).toEqual([422, 'list_price'])
      expect(body.errors[0].reason).toContain('must be a price above 0')
    }
  }
  expect((await send('PATCH', OFFER, { list_price: 12 })).status).toBe(422)
  expect(await since(start)).toEqual([])
})
