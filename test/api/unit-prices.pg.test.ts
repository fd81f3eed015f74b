import { expect, test } from 'vitest'
import { expectAudited } from '../harness/account.ts'
import { account, database, offers, read, send, setUp } from './full-access-account.ts'

setUp()

// Unit prices over HTTP: stated in offers and by owners, in prices, in the feed, and in a finding.

const OFFER = '/suppliers/north/offers/A1'
const prices = async (id: number | undefined): Promise<{ computed_price: number; unit_price?: object }[]> =>
  (await read(`/v1/prices/${id}?store=main`)).body.data.prices
const unitPrice = async (id: number | undefined) => (await prices(id))[0]?.unit_price
const cursor = async () => (await read('/v1/changes?since=now')).body as { next_since: string; next_id: number }
const since = async ({ next_since: at, next_id: id }: { next_since: string; next_id: number }) =>
  (await read(`/v1/changes?since=${encodeURIComponent(at)}&since_id=${id}`)).body.changes.map(
    (change: { product_id: number; change_types: string[] }) => [change.product_id, change.change_types],
  )
/** The price per unit, rounded half up to cents. */
const per = (price: number | undefined, content: number) => Math.round(((price ?? 0) / content) * 100 + 1e-9) / 100

test('a content is announced, follows cost and owner, and goes without a trace', async () => {
  const [id] = await offers('A1')
  const whole = async () => {
    const { text, headers } = await read(`/v1/products/${id}`)
    return [text, headers.get('etag')]
  }
  const before = await whole()
  expect(before[0]).not.toContain('unit_price')
  const start = await cursor()
  expect((await send('PATCH', OFFER, { net_content: '6X330ML' })).body.data).toMatchObject({
    net_content: '6 x 330 ml',
    unit_price_reference: null,
  })
  expect(await since(start)).toEqual([[id, ['price', 'content']]])
  const [shown] = await prices(id)
  expect(shown?.unit_price).toEqual({ value: per(shown?.computed_price, 1.98), unit: 'l', reference_quantity: 1 })
  expect((await read(`/v1/products/${id}`)).body.data.net_content).toBe('6 x 330 ml')
  await expectAudited(database.db, account.accountId)

  // a change of the cost alone is resolved for prices only
  const bulk = await send('POST', '/bulk/prices', { rows: [{ supplier: 'north', sku: 'A1', cost: '3' }] })
  expect(bulk.status).toBe(200)
  const [cheap] = await prices(id)
  expect(cheap?.unit_price).toMatchObject({ value: per(cheap?.computed_price, 1.98) })
  await expectAudited(database.db, account.accountId)

  const reference = await cursor()
  expect((await send('PATCH', `/products/${id}`, { unit_price_reference: '100 ml' })).status).toBe(200)
  expect(await since(reference)).toEqual([[id, ['price']]])
  expect(await unitPrice(id)).toEqual({ value: per(cheap?.computed_price, 19.8), unit: 'ml', reference_quantity: 100 })
  const { data: why } = (await read(`/v1/products/${id}/explain`)).body
  expect(why.net_content).toMatchObject({ value: '6 x 330 ml', source: { from: 'supplier' } })
  expect(why.prices[0].unit_price).toMatchObject({ unit: 'ml', reference_quantity: '100', left_out: null })
  expect(why.prices[0].unit_price.steps.map(({ step }: { step: string }) => step)).toContain('content')

  // for a bottle of one litre it is the price itself
  expect((await send('PATCH', `/products/${id}`, { net_content: '1 l', unit_price_reference: null })).status).toBe(200)
  expect(await unitPrice(id)).toBeUndefined()
  expect((await read(`/v1/products/${id}/explain`)).body.data.prices[0].unit_price).toMatchObject({
    value: null,
    left_out: 'same_as_price',
  })

  expect((await send('PATCH', `/products/${id}`, { net_content: null })).status).toBe(200)
  expect((await send('PATCH', OFFER, { net_content: null, cost: '10' })).status).toBe(200)
  await expectAudited(database.db, account.accountId)
  expect(await whole()).toEqual(before)
})

test('what is no content is refused, and nothing is changed', async () => {
  const [id] = await offers('A1')
  const start = await cursor()
  for (const given of ['750', '0 ml', '-1 l', '1,5 l', '3 barrels'])
    for (const field of ['net_content', 'unit_price_reference'])
      for (const path of [`/products/${id}`, OFFER]) {
        const { status, body } = await send('PATCH', path, { [field]: given })
        expect([status, body.errors[0].name], `${given} ${path}`).toEqual([422, field])
        expect(body.errors[0].reason).toContain('a quantity above 0 with its unit such as "750 ml"')
      }
  expect((await send('PATCH', OFFER, { net_content: 750 })).status).toBe(422)
  expect(await since(start)).toEqual([])
})

test('contents that a file states and nobody understands show nothing, and are a finding until they are corrected', async () => {
  const [id] = await offers('A1')
  await database.db`
    update offer_content set net_content = '2 Gebinde' where account_id = ${account.accountId} and supplier_sku = 'A1'`
  expect((await send('PATCH', OFFER, { cost: '11', unit_price_reference: '1 l' })).status).toBe(200)
  const { contents_unread: found } = (await send('GET', '/findings')).body.data
  expect(found).toEqual([{ supplier: 'north', field: 'net_content', value: '2 Gebinde', offers: 1 }])
  expect(await unitPrice(id)).toBeUndefined()
  expect((await send('PATCH', OFFER, { net_content: '2 l' })).status).toBe(200)
  expect((await send('GET', '/findings')).body.data.contents_unread).toEqual([])
  expect(await unitPrice(id)).toMatchObject({ unit: 'l', reference_quantity: 1 })
})
