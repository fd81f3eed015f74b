import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { AccountWriter, eanOf, type Kind } from './account-writer.ts'
import { readDocument, type Documented } from './documented.ts'
import { StoreListeners } from './store-listeners.ts'

// The table «What deleting does» of docs/write-api.md, row by row, on a whole service: payloads, feed, webhooks.

let database: TestDatabase
let service: TestService
let document: Documented
let receiver: Receiver
let accounts = 0
beforeAll(async () => {
  database = await createDatabase()
  receiver = await startReceiver()
  service = await startTestService(database, {
    roles: ['api', 'work'],
    env: { OUTBOUND_ALLOW: '127.0.0.0/8', WEBHOOKS_PER_SECOND: '1000' },
  })
  document = await readDocument(service.url)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const PEN = eanOf(1)
const INK = eanOf(2)
const CAP = eanOf(3)

/** Both offer the pen, south cheaper; the ink is north's alone, the cap south's; the sheet has own stock and no offer. */
async function open() {
  const writer = await AccountWriter.open(service, document, `deletions-${accounts++}`)
  const put = async (supplier: string, sku: string, over: object): Promise<number> =>
    (await writer.say('PUT', `/suppliers/${supplier}/offers/${sku}`, over)).product_id as number
  const pen = await put('north', 'N-1', {
    eans: [PEN],
    cost: '10',
    quantity: 3,
    manufacturer: 'Stabilo',
    category: 'Pens',
    texts: { en: { title: 'Pen of north' }, de: { title: 'Stift' } },
    attributes: [{ key: 'length', value: '14' }],
    images: ['https://img.example/n1.jpg'],
  })
  await put('south', 'S-1', {
    eans: [PEN],
    cost: '36',
    quantity: 10,
    manufacturer: 'Stabilo S',
    texts: { en: { title: 'Pen of south' } },
    images: ['https://img.example/s1.jpg'],
  })
  const ink = await put('north', 'N-2', {
    eans: [INK],
    cost: '20',
    quantity: 1,
    manufacturer: 'Pelikan',
    category: 'Ink',
    texts: { en: { title: 'Ink' } },
    images: ['https://img.example/n2.jpg'],
  })
  const cap = await put('south', 'S-3', {
    eans: [CAP],
    cost: '4',
    quantity: 7,
    manufacturer: 'Bic',
    category: 'Caps',
    texts: { en: { title: 'Cap' } },
  })
  const sheet = (await writer.say('POST', '/products', { sku: 'SHEET', title: { en: 'Sheet' } })).id as number
  await writer.say('PUT', `/products/${sheet}/stock`, { quantity: 4, cost: '2' })
  await writer.atRest()
  const listeners = await StoreListeners.open(writer, receiver)
  /** A write, its feed held against its payloads, webhooks against the feed, and payloads against what they resolve to. */
  const row = async (work: () => Promise<unknown>) => {
    const told = await writer.changesOf(work)
    await listeners.hear(told)
    await writer.atRest()
    await writer.audit()
    return told
  }
  const product = async (slug: string, id: number) => (await writer.shelf(slug)).get(id)
  return { writer, listeners, row, put, product, pen, ink, cap, sheet }
}

const everywhere = (...told: [id: number, ...kinds: Kind[]][]) => {
  const store = Object.fromEntries(told.map(([id, ...kinds]) => [id, kinds]))
  return { main: store, de: store, pl: store }
}

test('a store deactivated: not readable, its feed answers 404, its last changes are told and then nothing; reactivated it tells what differs since', async () => {
  const { writer, listeners, pen, ink, cap, sheet } = await open()
  const before = await writer.look()
  await listeners.setEnabled(false)
  await writer.say('PUT', `/products/${pen}/stock`, { quantity: 9, cost: '8' })
  await writer.say('PATCH', '/stores/de', { is_active: false })
  await listeners.setEnabled(true)
  const last = await writer.changesSince(before)
  await listeners.hear({ ...last, de: { [pen]: ['price'] } })
  expect(await writer.slugs()).toEqual(['main', 'pl'])
  for (const path of [
    '/v1/products?store=de',
    `/v1/products/${pen}?store=de`,
    '/v1/prices?store=de',
    '/v1/changes?store=de',
    '/v1/export?store=de',
    `/v1/products/${pen}/explain?store=de`,
    `/v1/account/products/${pen}/fields?store=de`,
    `/v1/account/products/${pen}/price-history?store=de`,
  ]) {
    const { status, body } = await writer.ask('GET', path)
    expect([path, status, body.code]).toEqual([path, 404, 'unknown-store'])
  }
  expect((await writer.send('GET', '/stores/de')).body.data).toMatchObject({
    slug: 'de',
    is_active: false,
    is_default: false,
  })
  // meanwhile: one changes and changes back, one for good, one goes, one comes
  await writer.say('PATCH', `/products/${ink}`, { title: { en: 'Other ink' } })
  await writer.say('PATCH', `/products/${ink}`, { title: null })
  await writer.say('PATCH', `/products/${cap}`, { title: { en: 'Better cap' } })
  await writer.say('PUT', `/products/${pen}/stock`, { quantity: 11, cost: '8' })
  await writer.say('DELETE', `/products/${sheet}`)
  const come = (await writer.say('POST', '/products', { sku: 'NEW', title: { en: 'New' } })).id as number
  await writer.atRest()
  await writer.audit()
  const all = receiver.received.filter(({ path }) => path === `${listeners.path}/de`).length
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(receiver.received.filter(({ path }) => path === `${listeners.path}/de`)).toHaveLength(all)

  const others = { main: await writer.cursor('main'), pl: await writer.cursor('pl') }
  await writer.say('PATCH', '/stores/de', { is_active: true })
  await writer.atRest()
  await writer.audit()
  const since = { [pen]: ['price'], [cap]: ['content'], [sheet]: ['removed'], [come]: ['content', 'price'] }
  expect(await writer.told('de', before.get('de')!.cursor)).toEqual(since)
  for (const [slug, cursor] of Object.entries(others))
    expect([slug, await writer.told(slug, cursor)]).toEqual([slug, {}])
  const heard = () => {
    const told = new Set<string>()
    for (const { path, event, productIds } of receiver.received)
      if (path === `${listeners.path}/de`) for (const id of productIds) told.add(`${id} ${event}`)
    return [...told].sort()
  }
  await expect
    .poll(heard, { timeout: 8_000 })
    .toEqual([`${cap} content`, `${come} content`, `${come} price`, `${pen} price`, `${sheet} removed`].sort())
  expect((await writer.shelf('de')).get(cap)).toMatchObject({ title: 'Better cap' })
  expect([...(await writer.shelf('de')).keys()].sort()).toEqual([...(await writer.shelf('main')).keys()].sort())
})

test('a store deleted: gone with its rows, rules and listings; its feed and webhooks end, its slug is not given out again', async () => {
  const { writer, listeners, pen, ink, row, product } = await open()
  const [main, de, pl] = writer.account.storeIds
  const made: Record<string, { id: number }> = {}
  await row(
    async () =>
      (made['assorting'] = await writer.say('POST', '/assortment-rules', {
        name: 'no caps',
        store_id: de,
        is_listed: false,
        manufacturers: ['Bic'],
      })),
  )
  await row(async () => {
    made['alone'] = await writer.say('POST', '/pricing-rules', {
      name: 'de alone',
      action: 'markup',
      percent: '50',
      priority: 1,
      store_ids: [de],
    })
    made['both'] = await writer.say('POST', '/pricing-rules', {
      name: 'de, pl',
      action: 'markup',
      percent: '60',
      priority: 2,
      store_ids: [de, pl],
    })
    made['excluding'] = await writer.say('POST', '/exclusion-rules', {
      name: 'de alone',
      kind: 'manufacturer',
      names: ['Pelikan'],
      store_ids: [de],
    })
    await writer.say('PATCH', `/products/${pen}`, {
      listings: { de: true, main: true },
      exclusions: { de: 'here', pl: 'there' },
    })
  })
  await writer.refused('DELETE', '/stores/de', undefined, 409)
  await listeners.remove('de')
  const channel = await writer.say('POST', '/channels', { name: 'File', store: 'de', format: 'csv' })
  await writer.refused('DELETE', '/stores/de', undefined, 409)
  await writer.say('DELETE', `/channels/${channel.id}`)
  const cursor = await writer.cursor('de')
  expect(await row(() => writer.say('DELETE', '/stores/de'))).toEqual({ main: {}, pl: {} })
  for (const path of [
    '/v1/products?store=de',
    '/v1/changes?store=de',
    `/v1/changes?store=de&${cursor}`,
    '/v1/prices?store=de',
    '/v1/export?store=de',
  ]) {
    const { status, body } = await writer.ask('GET', path)
    expect([path, status, body.code]).toEqual([path, 404, 'unknown-store'])
  }
  await writer.refused('GET', '/stores/de', undefined, 404)
  await writer.refused('PATCH', '/stores/de', { name: 'Back' }, 404)
  await writer.refused('DELETE', '/stores/de', undefined, 404)
  expect((await writer.send('GET', '/stores')).body.data.map(({ slug }: { slug: string }) => slug).sort()).toEqual([
    'main',
    'pl',
  ])
  await writer.refused('POST', '/stores', { slug: 'de', name: 'D', locale: 'de', currency: 'EUR' }, 409)
  await writer.refused('PUT', '/stores/de', { name: 'D', locale: 'de', currency: 'EUR' }, 409)
  await writer.refused('GET', `/pricing-rules/${made['alone']!.id}`, undefined, 404)
  expect((await writer.send('GET', `/pricing-rules/${made['both']!.id}`)).body.data.store_ids).toEqual([pl])
  await writer.refused('GET', `/exclusion-rules/${made['excluding']!.id}`, undefined, 404)
  await writer.refused('GET', `/assortment-rules/${made['assorting']!.id}`, undefined, 404)
  expect((await writer.send('GET', `/products/${pen}`)).body.data).toMatchObject({
    listings: { main: true },
    exclusions: { pl: 'there' },
  })
  await writer.refused('PATCH', `/products/${pen}`, { listings: { de: true } }, 422)
  await writer.refused('POST', '/pricing-rules', { name: 'x', action: 'markup', percent: '1', store_ids: [de] }, 422)
  await writer.refused('POST', '/assortment-rules', { name: 'x', store_id: de, is_listed: true }, 422)
  expect((await writer.send('POST', '/channels', { name: 'File', store: 'de', format: 'csv' })).status).toBeOneOf([
    404, 422,
  ])
  expect(
    (await writer.send('GET', '/operations')).body.data.filter(({ kind }: { kind: string }) => kind === 'delete_store'),
  ).toMatchObject([{ state: 'succeeded' }])
  const { accountId } = writer.account
  const left = await service.runtime.db<{ table: string; rows: number }[]>`
    select 'payload_content' as table, count(*)::int as rows from payload_content where account_id = ${accountId} and store_id = ${de}
    union all select 'payload_price', count(*)::int from payload_price where account_id = ${accountId} and store_id = ${de}
    union all select 'change', count(*)::int from change where account_id = ${accountId} and store_id = ${de}
    union all select 'price_history', count(*)::int from price_history where account_id = ${accountId} and store_id = ${de}
    union all select 'main', count(*)::int from payload_content where account_id = ${accountId} and store_id = ${main}`
  expect(Object.fromEntries(left.map((one) => [one.table, one.rows]))).toEqual({
    payload_content: 0,
    payload_price: 0,
    change: 0,
    price_history: 0,
    main: 4,
  })
  // what comes later is told of the others, never of it
  expect(await row(() => writer.say('PATCH', `/products/${ink}`, { title: { en: 'Blue ink' } }))).toEqual({
    main: { [ink]: ['content'] },
    pl: { [ink]: ['content'] },
  })
  expect(await product('pl', ink)).toMatchObject({ title: 'Blue ink' })
})

test('a default store always exists, whatever is tried at the same time', async () => {
  const { writer } = await open()
  const stores = async () =>
    (await writer.send('GET', '/stores')).body.data as { slug: string; is_default: boolean; is_active: boolean }[]
  const defaults = async () =>
    (await stores()).filter((store) => store.is_default).map((store) => `${store.slug} ${store.is_active}`)
  for (const [method, body] of [
    ['PATCH', { is_active: false }],
    ['DELETE', undefined],
    ['PATCH', { is_default: false }],
    ['PATCH', { is_default: true, is_active: false }],
    ['PUT', { name: 'M', locale: 'en', currency: 'EUR', is_active: false }],
  ] as const) {
    const { status, body: problem } = await writer.send(method, '/stores/main', body)
    expect([method, body, status, problem?.code]).toEqual([
      method,
      body,
      expect.toBeOneOf([409, 422]),
      expect.toBeOneOf(['conflict', 'invalid-input']),
    ])
    expect(await defaults()).toEqual(['main true'])
  }
  // replaced with nothing said of it, or taken back to its default, it stays what it must be
  await writer.send('PATCH', '/stores/main', { is_default: null })
  expect(await defaults()).toEqual(['main true'])
  await writer.send('PUT', '/stores/main', { name: 'M', locale: 'en', currency: 'EUR' })
  expect(await defaults()).toEqual(['main true'])
  await writer.say('PATCH', '/stores/de', { is_active: false })
  const inactive = await writer.send('PATCH', '/stores/de', { is_default: true })
  expect(inactive.status).toBeOneOf([409, 422])
  expect(await defaults()).toEqual(['main true'])
  await writer.say('PATCH', '/stores/de', { is_active: true })

  for (let round = 0; round < 6; round++) {
    const both = await Promise.all([
      writer.send('PATCH', '/stores/de', { is_default: true }),
      writer.send('PATCH', '/stores/pl', { is_default: true }),
    ])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await defaults()).toHaveLength(1)
    const [now = ''] = await defaults()
    const slug = now.split(' ')[0]!
    const other = slug === 'de' ? 'pl' : 'de'
    // one makes it the default while another puts it away
    await Promise.all([
      writer.send('PATCH', `/stores/${other}`, { is_default: true }),
      writer.send('PATCH', `/stores/${other}`, { is_active: false }),
    ])
    expect(await defaults()).toHaveLength(1)
    expect((await defaults())[0]).toMatch(/ true$/)
    await writer.say('PATCH', `/stores/${other}`, { is_active: true })
    expect((await writer.ask('GET', '/v1/products')).body.store).toBe((await defaults())[0]!.split(' ')[0])
  }
  await writer.say('POST', '/stores', { slug: 'new', name: 'New', locale: 'en', currency: 'EUR', is_default: true })
  expect(await defaults()).toEqual(['new true'])
  await Promise.all(
    ['de', 'pl', 'main', 'new'].flatMap((slug) => [
      writer.send('DELETE', `/stores/${slug}`),
      writer.send('PATCH', `/stores/${slug}`, { is_default: true }),
    ]),
  )
  expect(await defaults()).toHaveLength(1)
  expect((await defaults())[0]).toMatch(/ true$/)
  await writer.atRest()
  await writer.audit()
})

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
  // the first by priority pauses: the other's texts are preferred, where it has them
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
  // the code, taken by another, sees nothing of it; an article with the old EAN is a new product
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

test('a customer group deleted: its price leaves every payload; the default group can not go', async () => {
  const { writer, row, product, pen, ink, cap, sheet } = await open()
  const { groupId } = writer.account
  const first = ((await writer.send('GET', '/groups')).body.data as { id: number; is_default: boolean }[]).find(
    (group) => group.is_default,
  )!.id
  const made: Record<string, { id: number }> = {}
  await row(async () => {
    made['alone'] = await writer.say('POST', '/pricing-rules', {
      name: 'trade',
      action: 'markup',
      percent: '5',
      group_ids: [groupId],
      priority: 1,
    })
    made['both'] = await writer.say('POST', '/pricing-rules', {
      name: 'both',
      action: 'markup',
      percent: '6',
      group_ids: [groupId, first],
      priority: 2,
    })
  })
  await writer.refused('DELETE', `/groups/${first}`, undefined, 409)
  expect(await row(() => writer.say('DELETE', `/groups/${groupId}`))).toEqual(
    everywhere([pen, 'price'], [ink, 'price'], [cap, 'price'], [sheet, 'price']),
  )
  expect((await product('pl', pen))!['prices']).toMatchObject([{ customer_group_id: first }])
  await writer.refused('GET', `/pricing-rules/${made['alone']!.id}`, undefined, 404)
  expect((await writer.send('GET', `/pricing-rules/${made['both']!.id}`)).body.data.group_ids).toEqual([first])
  await writer.refused(
    'POST',
    '/pricing-rules',
    { name: 'x', action: 'markup', percent: '1', group_ids: [groupId] },
    422,
  )
  // the channel file of a group that goes: it shows the default group's prices, or the group can not go
  const anew = (await writer.say('POST', '/groups', { name: 'Anew' })).id as number
  const channel = await writer.say('POST', '/channels', { name: 'C', store: 'main', format: 'csv', group_id: anew })
  const answer = await writer.send('DELETE', `/groups/${anew}`)
  expect(answer.status).toBeOneOf([204, 409])
  if (answer.status === 204) expect((await writer.send('GET', `/channels/${channel.id}`)).body.data.group_id).toBeNull()
})

test('pricing rules deleted or inactive: the next rule decides; the default rule stays', async () => {
  const { writer, row, product, pen, ink, cap, sheet } = await open()
  const rules = (await writer.send('GET', '/pricing-rules')).body.data as { id: number; is_default: boolean }[]
  const last = rules.find((rule) => rule.is_default)!.id
  await writer.refused('DELETE', `/pricing-rules/${last}`, undefined, 409)
  const made: Record<string, { id: number }> = {}
  expect(
    await row(async () => {
      made['first'] = await writer.say('POST', '/pricing-rules', {
        name: 'first',
        action: 'markup',
        percent: '100',
        priority: 1,
        manufacturers: ['STABILO'],
      })
      made['second'] = await writer.say('POST', '/pricing-rules', {
        name: 'second',
        action: 'markup',
        percent: '50',
        priority: 2,
        product_ids: [pen, ink],
      })
    }),
  ).toEqual(everywhere([pen, 'price'], [ink, 'price']))
  const price = async (id: number) =>
    (await product('main', id))!['prices'][0] as { computed_price: number; applied_rule_id: number }
  expect(await price(pen)).toMatchObject({ computed_price: 18, applied_rule_id: made['first']!.id })
  expect(await row(() => writer.say('PATCH', `/pricing-rules/${made['first']!.id}`, { is_active: false }))).toEqual(
    everywhere([pen, 'price']),
  )
  expect(await price(pen)).toMatchObject({ computed_price: 13.5, applied_rule_id: made['second']!.id })
  expect(await row(() => writer.say('DELETE', `/pricing-rules/${made['first']!.id}`))).toEqual(everywhere())
  expect(await row(() => writer.say('DELETE', `/pricing-rules/${made['second']!.id}`))).toEqual(
    everywhere([pen, 'price'], [ink, 'price']),
  )
  expect(await price(pen)).toMatchObject({ computed_price: 11.25, applied_rule_id: last })
  expect(await price(cap)).toMatchObject({ computed_price: 1.25 })
  expect(await price(sheet)).toMatchObject({ computed_price: 2.5 })
  for (const body of [{ is_active: false }, { store_ids: [writer.account.storeIds[0]] }, { valid_to: '2020-01-01' }]) {
    const answer = await writer.send('PATCH', `/pricing-rules/${last}`, body)
    expect([body, answer.status, await price(cap)]).toEqual([
      body,
      expect.toBeOneOf([409, 422]),
      expect.objectContaining({ applied_rule_id: last }),
    ])
  }
})

test('exclusion rules deleted or inactive: exported again, unless something else excludes it', async () => {
  const { writer, row, product, ink, cap } = await open()
  const made: Record<string, { id: number }> = {}
  await row(async () => {
    made['pelikan'] = await writer.say('POST', '/exclusion-rules', {
      name: 'Pelikan',
      kind: 'manufacturer',
      names: ['pelikan'],
      reason: 'no pelikan',
      priority: 1,
    })
    made['category'] = await writer.say('POST', '/exclusion-rules', {
      name: 'Ink',
      kind: 'category',
      names: ['Ink'],
      priority: 2,
      store_ids: [writer.account.storeIds[2]],
    })
    made['image'] = await writer.say('POST', '/exclusion-rules', { name: 'Image', kind: 'no_image', priority: 3 })
  })
  expect(await product('main', ink)).toMatchObject({
    excluded: true,
    exclusion_reason: 'no pelikan',
    stock: 1,
    prices: [{ base_cost: 20 }, {}],
  })
  expect(await product('main', cap)).toMatchObject({ excluded: true, exclusion_reason: 'no_image' })
  expect(await row(() => writer.say('PATCH', `/exclusion-rules/${made['pelikan']!.id}`, { is_active: false }))).toEqual(
    everywhere([ink, 'content']),
  )
  expect(await product('main', ink)).toMatchObject({ excluded: false, exclusion_reason: null })
  expect(await product('pl', ink)).toMatchObject({ excluded: true, exclusion_reason: 'category' })
  expect(await row(() => writer.say('PATCH', `/exclusion-rules/${made['pelikan']!.id}`, { is_active: true }))).toEqual(
    everywhere([ink, 'content']),
  )
  expect(await row(() => writer.say('DELETE', `/exclusion-rules/${made['pelikan']!.id}`))).toEqual(
    everywhere([ink, 'content']),
  )
  expect(await row(() => writer.say('DELETE', `/exclusion-rules/${made['category']!.id}`))).toEqual({
    main: {},
    de: {},
    pl: { [ink]: ['content'] },
  })
  const told = await row(() => writer.say('DELETE', `/exclusion-rules/${made['image']!.id}`))
  expect(told['main']![cap]).toEqual(['content'])
  expect(await product('main', cap)).toMatchObject({ excluded: false })
})

test('assortment rules and listings take products out of a store, removed there; back they are as new', async () => {
  const { writer, row, product, pen, ink, cap, sheet } = await open()
  const de = writer.account.storeIds[1]
  const only = (told: Record<number, Kind[]>) => ({ main: {}, de: told, pl: {} })
  const made: Record<string, { id: number }> = {}
  expect(
    await row(
      async () =>
        (made['bic'] = await writer.say('POST', '/assortment-rules', {
          name: 'no Bic',
          store_id: de,
          is_listed: false,
          manufacturers: ['Bic'],
        })),
    ),
  ).toEqual(only({ [cap]: ['removed'] }))
  expect((await writer.ask('GET', `/v1/products/${cap}?store=de`)).status).toBe(404)
  expect(await row(() => writer.say('PATCH', `/assortment-rules/${made['bic']!.id}`, { is_active: false }))).toEqual(
    only({ [cap]: ['content', 'price'] }),
  )
  expect(await row(() => writer.say('PATCH', `/assortment-rules/${made['bic']!.id}`, { is_active: null }))).toEqual(
    only({ [cap]: ['removed'] }),
  )
  expect(await row(() => writer.say('PATCH', `/products/${cap}`, { listings: { de: true } }))).toEqual(
    only({ [cap]: ['content', 'price'] }),
  )
  expect(await row(() => writer.say('DELETE', `/assortment-rules/${made['bic']!.id}`))).toEqual(only({}))
  expect(await row(() => writer.say('PATCH', `/products/${pen}`, { listings: { de: false } }))).toEqual(
    only({ [pen]: ['removed'] }),
  )
  expect(await row(() => writer.say('PATCH', '/stores/de', { lists_by_default: false }))).toEqual(
    only({ [ink]: ['removed'], [sheet]: ['removed'] }),
  )
  expect(await row(() => writer.say('PATCH', `/products/${pen}`, { listings: { de: null } }))).toEqual(only({}))
  expect(await row(() => writer.say('PATCH', '/stores/de', { lists_by_default: null }))).toEqual(
    only({ [pen]: ['content', 'price'], [ink]: ['content', 'price'], [sheet]: ['content', 'price'] }),
  )
  expect(await product('de', pen)).toMatchObject({ title: 'Stift', stock: 10 })
  // a bootstrap sees the tombstones of what is still gone, and only those
  await row(() => writer.say('PATCH', `/products/${sheet}`, { listings: { de: false } }))
  const walk = (await writer.ask('GET', '/v1/changes?store=de')).body.changes as {
    product_id: number
    change_type: string
  }[]
  expect(Object.fromEntries(walk.map((change) => [change.product_id, change.change_type === 'removed']))).toEqual({
    [pen]: false,
    [ink]: false,
    [cap]: false,
    [sheet]: true,
  })
})

test('a category deleted: its products fall back to their supplier’s path, and rules by that', async () => {
  const { writer, row, product, pen, ink, cap } = await open()
  const made: Record<string, { id: number }> = {}
  await row(async () => {
    made['office'] = await writer.say('POST', '/categories', { path: 'Office/Ink', supplier_paths: ['Ink', 'Caps'] })
    await writer.say('POST', '/pricing-rules', {
      name: 'Office',
      action: 'markup',
      percent: '100',
      priority: 1,
      categories: ['Office'],
    })
    await writer.say('POST', '/pricing-rules', {
      name: 'Ink',
      action: 'markup',
      percent: '200',
      priority: 2,
      categories: ['Ink'],
    })
    await writer.say('POST', '/exclusion-rules', { name: 'Caps', kind: 'category', names: ['Caps'] })
    await writer.say('PATCH', `/products/${pen}`, { category: 'Office/Ink' })
  })
  const price = async (id: number) => (await product('main', id))!['prices'][0].computed_price as number
  expect([await price(ink), await price(cap), await price(pen)]).toEqual([40, 2, 18])
  expect(await row(() => writer.say('DELETE', `/categories/${made['office']!.id}`))).toEqual(
    everywhere([ink, 'price'], [cap, 'content', 'price']),
  )
  // what is named by hand stays
  expect([await price(ink), await price(cap), await price(pen)]).toEqual([60, 1.25, 18])
  expect(await product('main', cap)).toMatchObject({ excluded: true, exclusion_reason: 'category' })
  await row(() => writer.say('PATCH', `/products/${pen}`, { category: null }))
  expect(await price(pen)).toBe(11.25)
})

test('an attribute definition deleted: shown by its key, without unit and translations', async () => {
  const { writer, row, product, pen } = await open()
  await row(() =>
    writer.say('PUT', '/attributes/length', {
      unit: 'cm',
      units: { pl: 'cm dł.' },
      labels: { en: 'Length', de: 'Länge' },
      options: { 14: { de: 'vierzehn' } },
    }),
  )
  const shown = async (slug: string) => (await product(slug, pen))!['attributes'] as unknown
  expect(await shown('de')).toEqual([{ key: 'length', label: 'Länge (cm)', value: 'vierzehn' }])
  expect(await shown('pl')).toEqual([{ key: 'length', label: 'Length (cm dł.)', value: '14' }])
  expect(await row(() => writer.say('DELETE', '/attributes/length'))).toEqual(everywhere([pen, 'content']))
  for (const slug of ['main', 'de', 'pl'])
    expect(await shown(slug)).toEqual([{ key: 'length', label: 'length', value: '14' }])
})

test('an exchange rate deleted: no price where it was needed, until there is one again', async () => {
  const { writer, row, product, pen, ink, cap, sheet } = await open()
  const before = await writer.look()
  expect(await row(() => writer.say('DELETE', '/rates/PLN'))).toEqual({
    main: { [pen]: ['price'], [cap]: ['content', 'price'] },
    de: { [pen]: ['price'], [cap]: ['content', 'price'] },
    pl: {
      [pen]: ['content', 'price'],
      [ink]: ['content', 'price'],
      [cap]: ['content', 'price'],
      [sheet]: ['content', 'price'],
    },
  })
  expect(await product('main', pen)).toMatchObject({ stock: 3, prices: [{ base_cost: 10 }, {}], excluded: false })
  expect(await product('main', cap)).toMatchObject({ prices: [], excluded: true, exclusion_reason: 'no_price' })
  for (const id of [pen, ink, cap, sheet])
    expect(await product('pl', id)).toMatchObject({ prices: [], excluded: true, exclusion_reason: 'no_price' })
  await row(() => writer.say('PUT', '/rates/PLN', { rate: '4' }))
  for (const [slug, { shelf }] of before) expect(await writer.shelf(slug)).toEqual(shelf)
})

test('a product deleted: gone from every store for good; an offer that comes again makes a new one', async () => {
  const { writer, row, put, pen } = await open()
  await row(() => writer.say('PATCH', `/products/${pen}`, { title: { en: 'Mine' }, exclusions: { '*': 'recalled' } }))
  expect(await row(() => writer.say('DELETE', `/products/${pen}`))).toEqual(everywhere([pen, 'removed']))
  for (const path of [
    `/v1/products/${pen}`,
    `/v1/prices/${pen}`,
    `/v1/products/${pen}/explain`,
    `/v1/account/products/${pen}`,
    `/v1/account/products/${pen}/stock`,
    `/v1/account/products/${pen}/fields`,
    `/v1/account/products/${pen}/price-history`,
  ]) {
    expect([path, (await writer.ask('GET', path)).status]).toEqual([path, 404])
  }
  for (const [method, path, body] of [
    ['PATCH', `/products/${pen}`, { title: { en: 'x' } }],
    ['DELETE', `/products/${pen}`, undefined],
    ['PUT', `/products/${pen}/stock`, { quantity: 1 }],
    ['PATCH', `/products/${pen}/stock`, { quantity: 1 }],
    ['DELETE', `/products/${pen}/stock`, undefined],
  ] as const)
    await writer.refused(method, path, body, 404)
  await writer.refused('GET', '/suppliers/north/offers/N-1', undefined, 404)
  await writer.refused('GET', '/suppliers/south/offers/S-1', undefined, 404)
  expect((await writer.say('POST', '/bulk/stock', { rows: [{ product_id: pen, quantity: 1 }] }))[0]).toMatchObject({
    status: 'failed',
    errors: [{ name: 'product_id' }],
  })
  let next = 0
  const told = await row(async () => (next = await put('north', 'N-1', { eans: [PEN], cost: '10', quantity: 3 })))
  expect(next).toBeGreaterThan(pen)
  expect(told).toEqual(everywhere([next, 'content', 'price']))
  expect((await writer.shelf('main')).get(next)).toMatchObject({ title: null, excluded: false })
})

test('an offer deleted: its product stays, and the article goes back to it', async () => {
  const { writer, row, product, put, pen, ink } = await open()
  expect(await row(() => writer.say('DELETE', '/suppliers/north/offers/N-2'))).toEqual(
    everywhere([ink, 'content', 'price']),
  )
  expect(await product('main', ink)).toMatchObject({
    title: null,
    ean: null,
    images: [],
    stock: 0,
    prices: [],
    exclusion_reason: 'no_price',
  })
  expect(await row(() => writer.say('DELETE', '/suppliers/south/offers/S-1'))).toEqual(everywhere([pen, 'price']))
  expect(await row(async () => expect(await put('north', 'N-2', { cost: '20', quantity: 1 })).toBe(ink))).toEqual(
    everywhere([ink, 'content', 'price']),
  )
  expect(await product('main', ink)).toMatchObject({
    title: null,
    ean: null,
    stock: 1,
    prices: [{ base_cost: 20 }, {}],
    excluded: false,
  })
})
