import { expect, test } from 'vitest'
import { createDatabase } from '../harness/database.ts'
import { startTestService } from '../harness/service.ts'
import { AccountWriter, eanOf } from './account-writer.ts'
import { everywhere, INK, open, PEN, service, document, setUp } from './deletions-account.ts'

setUp()

// The table "What deleting does" of docs/write-api.md, row by row, on a whole service: suppliers.

test('a supplier deactivated does not compete, its texts serve where nobody else has any; reactivated all is as before', async () => {
  const { writer, row, product, pen, ink, cap } = await open()
  const [before] = [await writer.look()]
  expect(await product('main', pen)).toMatchObject({
    title: 'Pen of north',
    stock: 10,
    prices: [{ base_cost: 9, computed_price: 11.25 }, {}],
  })
  expect(await row(() => writer.say('PATCH', '/suppliers/south', { is_active: false }))).toEqual(
    everywhere([pen, 'price'], [cap, 'content', 'price']),
  )
  expect(await product('main', pen)).toMatchObject({
    title: 'Pen of north',
    stock: 3,
    prices: [{ base_cost: 10, computed_price: 12.5 }, {}],
  })
  expect(await product('main', cap)).toMatchObject({
    title: 'Cap',
    manufacturer: 'Bic',
    prices: [],
    stock: 0,
    excluded: true,
    exclusion_reason: 'no_price',
  })
  const told = await row(() => writer.say('PATCH', '/suppliers/south', { is_active: true }))
  expect(told).toEqual(everywhere([pen, 'price'], [cap, 'content', 'price']))
  for (const [slug, { shelf }] of before) expect(await writer.shelf(slug)).toEqual(shelf)
  // the first supplier by priority is paused: the other's texts are preferred, if it has any
  await row(() => writer.say('PATCH', '/suppliers/north', { is_active: false }))
  expect(await product('main', pen)).toMatchObject({
    title: 'Pen of south',
    manufacturer: 'Stabilo S',
    images: ['https://img.example/s1.jpg'],
    stock: 10,
    ean: PEN,
  })
  expect(await product('main', ink)).toMatchObject({
    title: 'Ink',
    images: ['https://img.example/n2.jpg'],
    ean: INK,
    prices: [],
    exclusion_reason: 'no_price',
  })
  await row(() => writer.say('PATCH', '/suppliers/north', { is_active: null }))
  for (const [slug, { shelf }] of before) expect(await writer.shelf(slug)).toEqual(shelf)
})

test('a supplier deleted: its offers, texts, images, EANs count nowhere, its rows go, its code may be used again', async () => {
  const { writer, row, product, put, pen, ink } = await open()
  const [north, south] = writer.account.suppliers.map((supplier) => supplier.supplierId)
  const made: Record<string, { id: number }> = {}
  await row(async () => {
    made['alone'] = await writer.say('POST', '/pricing-rules', {
      name: 'north',
      action: 'markup',
      percent: '50',
      priority: 1,
      supplier_ids: [north],
    })
    made['both'] = await writer.say('POST', '/pricing-rules', {
      name: 'both',
      action: 'markup',
      percent: '60',
      priority: 2,
      supplier_ids: [north, south],
    })
    made['excluding'] = await writer.say('POST', '/exclusion-rules', {
      name: 'north',
      kind: 'supplier',
      supplier_ids: [north],
      is_active: false,
    })
    made['assorting'] = await writer.say('POST', '/assortment-rules', {
      name: 'north',
      store_id: writer.account.storeIds[1],
      is_listed: true,
      supplier_ids: [north],
    })
    await writer.say('PUT', '/source-orders/title', { supplier_ids: [north, south] })
    await writer.say('PUT', '/source-orders/images', { supplier_ids: [north] })
    await writer.say('PATCH', `/products/${ink}`, { description: { en: 'Mine' } })
  })
  const told = await row(() => writer.say('DELETE', '/suppliers/north'))
  expect(told).toEqual(everywhere([pen, 'content'], [ink, 'content', 'price']))
  await writer.refused('GET', '/suppliers/north', undefined, 404)
  await writer.refused('GET', '/suppliers/north/offers', undefined, 404)
  await writer.refused('GET', '/suppliers/north/offers/N-1', undefined, 404)
  await writer.refused('PUT', '/suppliers/north/offers/N-1', { cost: '1' }, 404)
  await writer.refused('DELETE', '/suppliers/north', undefined, 404)
  await writer.refused('PATCH', '/suppliers/north', { is_active: true }, 404)
  await writer.refused('PUT', '/source-orders/title', { supplier_ids: [north] }, 422)
  const rule = { name: 'x', action: 'markup', percent: '1', supplier_ids: [north] }
  await writer.refused('POST', '/pricing-rules', rule, 422)
  expect(
    (await writer.say('POST', '/bulk/offers', { rows: [{ supplier: 'north', sku: 'N-1', cost: '1' }] }))[0],
  ).toMatchObject({ status: 'failed', errors: [{ name: 'supplier' }] })
  expect(await product('main', pen)).toMatchObject({
    title: 'Pen of south',
    manufacturer: 'Stabilo S',
    images: ['https://img.example/s1.jpg'],
    ean: PEN,
    attributes: [],
    stock: 10,
  })
  expect(await product('main', ink)).toMatchObject({
    title: null,
    description: 'Mine',
    manufacturer: null,
    images: [],
    ean: null,
    stock: 0,
    prices: [],
    exclusion_reason: 'no_price',
  })
  await writer.refused('GET', `/pricing-rules/${made['alone']!.id}`, undefined, 404)
  expect((await writer.send('GET', `/pricing-rules/${made['both']!.id}`)).body.data.supplier_ids).toEqual([south])
  await writer.refused('GET', `/exclusion-rules/${made['excluding']!.id}`, undefined, 404)
  await writer.refused('GET', `/assortment-rules/${made['assorting']!.id}`, undefined, 404)
  expect((await writer.send('GET', '/source-orders/title')).body.data.supplier_ids).toEqual([south])
  await writer.refused('GET', '/source-orders/images', undefined, 404)
  expect((await writer.ask('GET', `/v1/products?ean=${INK}`)).body.data).toEqual([])
  expect((await writer.send('GET', `/products/${pen}/fields`)).text).not.toContain('north')
  const { accountId } = writer.account
  const left = await service.runtime.db<{ table: string; rows: number }[]>`
    select 'offer' as table, count(*)::int as rows from offer where account_id = ${accountId} and supplier_id = ${north!}
    union all select 'offer_content', count(*)::int from offer_content where account_id = ${accountId} and supplier_id = ${north!}
    union all select 'product_ean', count(*)::int from product_ean where account_id = ${accountId} and supplier_id = ${north!}`
  expect(Object.fromEntries(left.map((one) => [one.table, one.rows]))).toEqual({
    offer: 0,
    offer_content: 0,
    product_ean: 0,
  })
  expect(
    (await writer.send('GET', '/operations')).body.data.filter(
      ({ kind }: { kind: string }) => kind === 'delete_supplier',
    ),
  ).toMatchObject([{ state: 'succeeded' }])
  // a new supplier with the same code has none of its data; an article with an EAN that only the old one stated is a new product
  const anew = await writer.say('PUT', '/suppliers/north', { name: 'Another', currency: 'EUR' })
  expect(anew.id).not.toBe(north)
  expect((await writer.send('GET', '/suppliers/north/offers')).body.data).toEqual([])
  expect(await put('north', 'N-2', { eans: [INK], cost: '19', quantity: 1 })).not.toBe(ink)
  expect(await put('north', 'N-1', { eans: [PEN], cost: '8', quantity: 1 })).toBe(pen)
  await writer.atRest()
  await writer.audit()
})

test('a deleted supplier’s EANs name no product from its answer on, before anything is taken away step by step', async () => {
  await using alone = await createDatabase()
  await using api = await startTestService(alone)
  const writer = await AccountWriter.open(api, document, 'no-worker')
  const put = async (supplier: string, body: object): Promise<number> =>
    (await writer.say('PUT', `/suppliers/${supplier}/offers/1`, body)).product_id as number
  const pen = await put('north', { eans: [PEN], cost: '10', quantity: 1 })
  await writer.say('DELETE', '/suppliers/north')
  expect((await writer.ask('GET', `/v1/products?ean=${PEN}`)).body.data).toEqual([])
  expect((await writer.ask('GET', `/v1/products/${pen}`)).body.data).toMatchObject({ ean: null, prices: [], stock: 0 })
  expect((await writer.ask('GET', `/v1/products/${pen}/explain`)).body.data.offers).toMatchObject([
    { ineligible: 'unknown_supplier' },
  ])
  expect((await writer.say('POST', '/bulk/stock', { rows: [{ ean: PEN, quantity: 1 }] }))[0]).toMatchObject({
    status: 'failed',
    errors: [{ name: 'ean' }],
  })
  await writer.say('PUT', '/suppliers/north', { name: 'Another', currency: 'EUR' })
  expect(
    (await writer.say('POST', '/bulk/prices', { rows: [{ supplier: 'north', sku: '1', cost: '5' }] }))[0],
  ).toMatchObject({ status: 'failed', errors: [{ name: 'sku' }] })
  expect((await writer.send('GET', '/suppliers/north/offers/1')).status).toBe(404)
  const ids = [
    await put('south', { eans: [PEN], cost: '10', quantity: 1 }),
    await put('north', { eans: [PEN], cost: '10', quantity: 1 }),
  ]
  expect(ids).not.toContain(pen)
  expect(ids[1]).toBe(ids[0])
})

test('a supplier’s code taken again at once, while the rows of the one before still go, mixes nothing up', async () => {
  const { writer, put, product, ink } = await open()
  const bulk = (cost: string) =>
    writer.say('POST', '/bulk/offers', {
      rows: Array.from({ length: 900 }, (_, i) => ({
        supplier: 'north',
        sku: `M-${i}`,
        cost,
        quantity: 1,
        eans: [eanOf(1_000 + i)],
      })),
    })
  const old = (await bulk('7')) as { product_id: number }[]
  await writer.say('DELETE', '/suppliers/north')
  await writer.say('PUT', '/suppliers/north', { name: 'Another', currency: 'EUR' })
  const next = (await bulk('9')) as { status: string; product_id: number }[]
  expect(next.filter(({ status }) => status !== 'created')).toEqual([])
  expect(await put('north', 'N-2', { eans: [INK], cost: '3', quantity: 2 })).not.toBe(ink)
  await writer.atRest()
  await writer.audit()
  expect((await writer.send('GET', '/suppliers/north/offers?per_page=200')).body.data).toHaveLength(200)
  expect(next.filter(({ product_id: id }) => old.some((row) => row.product_id === id))).toEqual([])
  expect(await product('main', next[0]!.product_id)).toMatchObject({ stock: 1, prices: [{ base_cost: 9 }, {}] })
  expect(await product('main', old[0]!.product_id)).toMatchObject({ stock: 0, prices: [], ean: null })
})
