import { expect, test } from 'vitest'
import { ACCOUNT_RESOURCES } from '../../contract/account-resources.ts'
import {
  ASSORTMENT_CONDITIONS,
  PRICING_CONDITIONS,
  type Condition,
  type ReferenceFact,
} from '../../contract/rule-conditions.ts'
import { client, tokenFor, type Answer } from '../harness/service.ts'
import { account, offers, read, send, service, setUp } from './full-access-account.ts'

setUp()

// The operations that all account resources share, tried on each of them over HTTP.

/** For each kind of resource a body that creates one, a patch, and the members that the patch results in. */
function samples(
  productId: number,
): Record<string, { body: Record<string, unknown>; key: string; patch: Record<string, unknown> }> {
  return {
    stores: {
      body: { slug: 'fr', name: 'France', locale: 'fr-FR', currency: 'EUR' },
      key: 'slug',
      patch: { name: 'La France', lists_by_default: false },
    },
    groups: { body: { name: 'Trade' }, key: 'id', patch: { name: 'Dealers' } },
    rates: { body: { currency: 'SEK', rate: '11.25' }, key: 'currency', patch: { rate: '11.5' } },
    'tax-classes': {
      body: {
        key: 'reduced',
        name: 'Reduced',
        codes: ['7'],
        rates: [{ country: 'DE', valid_from: '2021-01-01', percent: '7' }],
      },
      key: 'key',
      patch: {
        codes: ['7', 'VAT 7'],
        rates: [
          { country: 'DE', valid_from: '2021-01-01', percent: '7' },
          { country: 'DE', valid_from: '2027-01-01', percent: '7.5' },
        ],
      },
    },
    'price-lists': {
      body: { key: 'trade', name: 'Trade prices', currency: 'EUR', valid_to: '2030-12-31', priority: 5 },
      key: 'key',
      patch: { name: 'Dealers', valid_from: '2030-01-01', is_active: false },
    },
    categories: {
      body: {
        path: 'Tools/Hammers',
        supplier_paths: ['Acme/Hit'],
        names: { de: 'Hämmer' },
        external_id: '0017',
        position: 2,
      },
      key: 'id',
      patch: { path: 'Tools/Mallets', names: { de: 'Klopfer' }, position: -1 },
    },
    attributes: {
      body: { key: 'weight', unit: 'g', labels: { de: 'Gewicht' } },
      key: 'key',
      patch: { position: 4, units: { de: 'Gramm' } },
    },
    'variant-groups': {
      body: {
        title: { en: 'Tee' },
        options: [{ key: 'size', labels: { en: 'Size' } }],
        products: [{ product_id: productId, options: { size: 'M' } }],
      },
      key: 'id',
      patch: { title: { en: 'T-shirt' }, products: [{ product_id: productId, options: { size: 'L' } }] },
    },
    suppliers: {
      body: { code: 'acme-2', name: 'Acme', currency: 'USD' },
      key: 'code',
      patch: { safety_buffer: 3, priority: 7, zeroed_share_max: '0.125', silent_days_max: 3 },
    },
    'suppliers/{code}/sources': {
      body: {
        name: 'stock',
        kind: 'http',
        url: 'https://files.example/stock.csv',
        mapping: { format: 'csv', fields: { sku: 'sku', cost: 'cost' } },
        every_minutes: 30,
      },
      key: 'name',
      patch: { every_minutes: 15, mode: 'delta' },
    },
    'source-orders': {
      body: { field: 'title', supplier_ids: [account.suppliers[0]?.supplierId] },
      key: 'field',
      patch: { supplier_ids: [account.suppliers[0]?.supplierId] },
    },
    'pricing-rules': {
      body: { name: 'Germany', action: 'markup', percent: '40', store_ids: [account.storeIds[1]] },
      key: 'id',
      patch: { percent: '41.5', floor_price: '2' },
    },
    'exclusion-rules': {
      body: { name: 'Cheap', kind: 'price_below', amount: '1.5' },
      key: 'id',
      patch: { amount: '2', reason: 'too-cheap' },
    },
    'assortment-rules': {
      body: { name: 'No Acme', store_id: account.storeIds[1], is_listed: false, manufacturers: ['Acme'] },
      key: 'id',
      patch: { priority: 5 },
    },
    channels: {
      body: { name: 'Google', store: 'main', format: 'google', link_template: 'https://shop.example/{sku}' },
      key: 'id',
      patch: { name: 'Google Merchant' },
    },
    'notice-channels': {
      body: { name: 'Team', kind: 'webhook', url: 'https://hooks.example/in', notice_kinds: ['source_held'] },
      key: 'id',
      patch: { name: 'Everybody', notice_kinds: ['source_held', 'source_failing'].toSorted() },
    },
  }
}

test('every account resource is created, listed, read, changed and deleted by one grammar', async () => {
  const [productId = 0] = await offers('A')
  const all = samples(productId)
  expect(Object.keys(all).sort()).toEqual(ACCOUNT_RESOURCES.map(({ path }) => path).sort())
  for (const [declared, { body, key, patch }] of Object.entries(all)) {
    const path = declared.replace('{code}', 'north')
    const made = await send('POST', `/${path}`, body)
    expect([path, made.status, made.body]).toEqual([path, 201, { data: expect.objectContaining(body) }])
    const { url: _url, ...file } = made.body.data
    const { secret: _secret, ...rest } = made.body.data
    const data = path === 'channels' ? file : rest
    const location = `/${path}/${encodeURIComponent(data[key])}`
    expect(made.headers.get('location')).toBe(`/v1/account${location}`)

    const got = await send('GET', location)
    expect([path, got.status, got.body]).toEqual([path, 200, { data }])
    expect(got.headers.get('etag')).toBe(made.headers.get('etag'))
    expect((await send('GET', `/${path}`)).body.data).toContainEqual(data)

    const changed = await send('PATCH', location, patch)
    const { status: _before, ...set } = data
    const { status: _after, ...now } = changed.body.data
    expect([path, changed.status, now]).toEqual([path, 200, { ...set, ...patch }])
    if (path !== 'source-orders') {
      expect(changed.headers.get('etag')).not.toBe(made.headers.get('etag'))
      expect((await send('DELETE', location, undefined, { 'if-match': made.headers.get('etag') ?? '' })).status).toBe(
        412,
      )
    }
    expect(
      (
        await send('DELETE', location, undefined, {
          'content-type': 'application/json',
          'if-match': changed.headers.get('etag') ?? '',
        })
      ).status,
    ).toBe(204)
    const gone = await send('GET', location)
    expect([path, gone.status, gone.body.code]).toEqual([path, 404, 'unknown-reference'])
    expect((await send('PATCH', location, patch)).status).toBe(404)
    expect((await send('DELETE', location)).status).toBe(404)
  }
})

test('every condition of a rule is stored, read back, listed and taken away again', async () => {
  const [productId = 0] = await offers('A')
  const [supplier] = account.suppliers
  const ids: Record<ReferenceFact, number> = {
    store: account.storeIds[1],
    group: account.groupId,
    supplier: supplier?.supplierId ?? 0,
    product: productId,
  }
  const bodies = {
    'pricing-rules': { name: 'All', action: 'markup', percent: '1', ...conditions(PRICING_CONDITIONS, ids) },
    'assortment-rules': {
      name: 'All',
      store_id: account.storeIds[1],
      is_listed: false,
      ...conditions(ASSORTMENT_CONDITIONS, ids),
    },
  }
  for (const [path, body] of Object.entries(bodies)) {
    const made = await send('POST', `/${path}`, body)
    expect([path, made.status, made.body]).toEqual([path, 201, { data: expect.objectContaining(body) }])
    expect((await send('GET', `/${path}`)).body.data).toContainEqual(expect.objectContaining(body))
    const names = Object.keys(body).filter((name) => PRICING_CONDITIONS.some((condition) => condition.name === name))
    const none = Object.fromEntries(names.map((name) => [name, null]))
    expect((await send('PATCH', `/${path}/${made.body.data.id}`, none)).body.data).toMatchObject(none)
    const again = await send('PATCH', `/${path}/${made.body.data.id}`, body)
    expect(again.body.data).toMatchObject(body)
  }
})

/** A value for each condition. */
const conditions = (known: readonly Condition[], ids: Record<ReferenceFact, number>) =>
  Object.fromEntries(
    known.map((condition) => {
      if (condition.form === 'ids') return [condition.name, [ids[condition.fact]]]
      if (condition.form === 'number') return [condition.name, condition.bound === 'below' ? '20' : '10']
      if (condition.form === 'day') return [condition.name, condition.bound === 'to' ? '2031-01-01' : '2030-01-01']
      return [condition.name, ['Acme', 'Bolt']]
    }),
  )

test('PUT creates under the owner’s key and replaces what stands there, leaving out is the default', async () => {
  const made = await send('PUT', '/suppliers/north-2', {
    name: 'North',
    currency: 'EUR',
    priority: 3,
    safety_buffer: 2,
  })
  expect([made.status, made.body.data]).toEqual([
    201,
    {
      id: expect.any(Number),
      code: 'north-2',
      name: 'North',
      currency: 'EUR',
      priority: 3,
      safety_buffer: 2,
      cost_tax_country: null,
      list_price_tax: null,
      is_active: true,
      zeroed_share_max: '0.5',
      refused_share_max: '0.25',
      prices_lost_share_max: '0.5',
      prices_zero_share_max: '0.05',
      prices_jump_share_max: '0.2',
      prices_jump_factor: '3',
      emptied_share_max: '0.5',
      swapped_share_max: '0.2',
      silent_days_max: null,
    },
  ])
  const again = await send('PUT', '/suppliers/north-2', { name: 'North Ltd', currency: 'EUR', safety_buffer: 2 })
  expect([again.status, again.body.data]).toEqual([200, { ...made.body.data, name: 'North Ltd', priority: 100 }])
  expect((await send('PUT', '/suppliers/north-2', { name: 'North', currency: 'USD' })).body).toMatchObject({
    status: 422,
    errors: [{ name: 'currency', reason: 'never changes' }],
  })
  // the body of a read can be sent back, but members that the service assigns must not differ
  const stated = (await read('/v1/account/suppliers/north-2')).body.data
  expect((await send('PUT', '/suppliers/north-2', stated)).body.data).toEqual(stated)
  expect((await send('PATCH', '/suppliers/north-2', { ...stated, id: 7 })).body).toMatchObject({
    status: 422,
    errors: [{ name: 'id', reason: 'is assigned and cannot be set' }],
  })
  expect(
    (await send('PUT', '/suppliers/north-2', { name: 'N', currency: 'EUR' }, { 'if-none-match': '*' })).status,
  ).toBe(412)
  expect((await send('PUT', '/suppliers/other-2', { name: 'N', currency: 'EUR' }, { 'if-match': '*' })).status).toBe(
    412,
  )
  expect((await send('POST', '/suppliers', { code: 'north-2', name: 'N', currency: 'EUR' })).body).toMatchObject({
    status: 409,
    code: 'conflict',
  })
  await send('PUT', '/attributes/size', { labels: { de: 'Größe', en: 'Size' }, unit: 'cm' })
  expect((await send('PUT', '/attributes/size', { labels: { en: 'Size' } })).body.data).toEqual({
    key: 'size',
    unit: null,
    units: {},
    position: 0,
    labels: { en: 'Size' },
    options: {},
    type: null,
    separator: null,
    decimal: null,
  })
  expect(
    (await send('PATCH', '/attributes/size', { labels: { de: 'Größe', en: null }, options: { L: { en: 'large' } } }))
      .body.data,
  ).toMatchObject({ labels: { de: 'Größe' }, options: { L: { en: 'large' } } })
  expect((await send('PATCH', '/attributes/size', { labels: null, options: null })).body.data).toMatchObject({
    labels: {},
    options: {},
  })
})

test('null in a patch goes back to the default, and says so where there is none', async () => {
  const { body } = await send('POST', '/pricing-rules', {
    name: 'R',
    action: 'markup',
    percent: 30.5,
    priority: 4,
    store_ids: [account.storeIds[0]],
    rounding: { EUR: { step: 1, ending: '0.99', direction: 'up' } },
  })
  expect(body.data).toMatchObject({
    percent: '30.5',
    rounding: { EUR: { step: '1', ending: '0.99', direction: 'up' } },
  })
  const path = `/pricing-rules/${body.data.id}`
  expect(
    (
      await send('PATCH', path, {
        priority: null,
        store_ids: null,
        rounding: { PLN: { step: '5', ending: '0', direction: 'down' }, EUR: null },
      })
    ).body.data,
  ).toMatchObject({
    priority: 100,
    store_ids: null,
    rounding: { PLN: { step: '5', ending: '0', direction: 'down' } },
  })
  expect((await send('PATCH', path, { rounding: null })).body.data.rounding).toEqual({})
  expect((await send('PATCH', path, { name: null, action: null })).body).toMatchObject({
    status: 422,
    errors: [
      { name: 'name', reason: expect.stringContaining('no default') },
      { name: 'action', reason: expect.any(String) },
    ],
  })
})

test('a connector token may not look below /v1/account, nor ask why', async () => {
  const connector = client(service.url, await tokenFor(service.runtime, account.accountId))
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/stores'],
    ['POST', '/stores'],
    ['PATCH', '/products/1'],
    ['DELETE', '/rates/EUR'],
    ['POST', '/bulk/stock'],
    ['GET', '/nothing'],
  ] as const) {
    const { status, body } = await connector(`/v1/account${path}`, {
      method,
      ...(method === 'POST' ? { body: 'not even json' } : {}),
    })
    expect([path, status, body.code]).toEqual([path, 403, 'insufficient-scope'])
  }
  expect((await connector('/v1/products/1/explain')).status).toBe(403)
})

test('what a body must not be is said by path, and nothing is written', async () => {
  const [id] = await offers('A1')
  const before = (await send('GET', `/products/${id}`)).text
  const refused: [string, string, unknown, number, string[]][] = [
    ['PATCH', `/products/${id}`, '{"title":{"en":"a","en":"b"}}', 400, ['title.en']],
    ['PATCH', `/products/${id}`, '{"title":', 400, []],
    ['PATCH', `/products/${id}`, '', 422, ['body']],
    ['PATCH', `/products/${id}`, `${'['.repeat(50)}${']'.repeat(50)}`, 400, []],
    ['PATCH', `/products/${id}`, [], 422, ['body']],
    ['PATCH', `/products/${id}`, { title: 'x', manufacturer: 3, zz: 1 }, 422, ['manufacturer', 'title', 'zz']],
    ['PATCH', `/products/${id}`, { title: { 'not a locale': 'x' } }, 422, []],
    ['PATCH', `/products/${id}`, { title: { en: 'A\0B' } }, 422, []],
    ['PATCH', `/products/${id}`, { ean: '12a' }, 422, ['ean']],
    ['PATCH', `/products/${id}`, { images: ['ftp://x/y'] }, 422, []],
    ['PATCH', `/products/${id}`, { listings: { nowhere: true } }, 422, ['listings.nowhere']],
    ['PATCH', `/products/${id}`, { exclusions: { nowhere: 'x', de: '' } }, 422, []],
    ['PATCH', `/products/${id}`, { title: { en: 'good' }, ean: 'bad' }, 422, ['ean']],
    [
      'POST',
      '/stores',
      { slug: 'Bad Slug', name: '', locale: 'xx_yy', currency: 'XXQ' },
      422,
      ['currency', 'locale', 'name', 'slug'],
    ],
    ['POST', '/rates', { currency: 'SEK', rate: '-1' }, 422, []],
    ['POST', '/rates', { currency: 'SEK', rate: '1e5' }, 422, ['rate']],
    [
      'POST',
      '/pricing-rules',
      { name: 'x', action: 'markup', percent: '10', store_ids: [999_999_999] },
      422,
      ['store_ids'],
    ],
    [
      'POST',
      '/pricing-rules',
      {
        name: 'x',
        action: 'markup',
        percent: '10',
        rounding: { EUR: { step: true, ending: '0', direction: 'sideways' } },
      },
      422,
      ['rounding.EUR.direction', 'rounding.EUR.step'],
    ],
    ['POST', '/products', { sku: 'x'.repeat(300) }, 422, []],
  ]
  for (const [method, path, body, status, names] of refused) {
    const answer = await send(method, path, body)
    expect([path, JSON.stringify(body).slice(0, 80), answer.status]).toEqual([
      path,
      JSON.stringify(body).slice(0, 80),
      status,
    ])
    if (names.length > 0)
      expect((answer.body.errors ?? []).map((fault: { name: string }) => fault.name).sort()).toEqual(names)
  }
  const types: [string, number][] = [
    ['text/plain', 415],
    ['application/x-ndjson', 415],
    ['application/json; charset=latin1', 415],
    ['application/json; charset=UTF-8', 200],
    ['application/merge-patch+json', 200],
  ]
  for (const [type, status] of types)
    expect([type, (await send('PATCH', `/products/${id}`, '{}', { 'content-type': type })).status]).toEqual([
      type,
      status,
    ])
  expect(
    (await send('PATCH', `/products/${id}`, JSON.stringify({ title: { en: 'x'.repeat(10_000_000) } }))).status,
  ).toBe(413)
  const raw = await fetch(`${service.url}/v1/account/products/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${await tokenFor(service.runtime, account.accountId, 'full')}`,
      'content-type': 'application/json',
    },
    body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  })
  expect([raw.status, ((await raw.json()) as { detail: string }).detail]).toEqual([400, 'the body is not valid UTF-8'])
  expect((await send('GET', `/products/${id}`)).text).toBe(before)
})

test('lists are walked to their end by next_after', async () => {
  for (let i = 0; i < 7; i++) await send('POST', '/groups', { name: `G${i}` })
  const seen: number[] = []
  for (let after: number | null = 0; after !== null;) {
    const { body }: Answer = await send('GET', `/groups?per_page=3&after=${after}`)
    seen.push(...body.data.map((row: { id: number }) => row.id))
    after = body.meta.next_after
  }
  expect(seen).toHaveLength(9)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  await offers(...Array.from({ length: 5 }, (_, i) => `P${i}`))
  const first = (await send('GET', '/products?per_page=2')).body
  expect(first.data).toHaveLength(2)
  const rest = (await send('GET', `/products?per_page=200&after=${first.meta.next_after}`)).body
  expect([rest.data.length, rest.meta.next_after]).toEqual([3, null])
})

test('a wrong method is told which there are', async () => {
  const { status, headers } = await send('PUT', '/groups/1', {})
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, DELETE'])
  expect((await send('DELETE', '/stores')).headers.get('allow')).toBe('GET, HEAD, POST')
})
