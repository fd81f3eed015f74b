import { expect, test } from 'vitest'
import {
  DIMENSIONS,
  forEachField,
  isInPayload,
  NAME_FIELDS,
  OPTIONAL_TEXTS,
  type NameField,
} from '../../contract/product-fields.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { valuesOfName } from '../harness/field-values.ts'
import { account, offers, read, send, service, setUp } from './full-access-account.ts'

setUp()

// Writes to single products, their stock and their offers over HTTP: members, preconditions, repetitions.

test('a product: what its owner says over what suppliers say, member by member', async () => {
  const [id] = await offers('A1')
  const own = (field: NameField) => valuesOfName(field)[1]
  const patch = {
    sku: 'OWN-1',
    ean: '4006381333931',
    title: { en: 'Mine', de: 'Meins' },
    description: { en: 'About' },
    ...forEachField(NAME_FIELDS, own),
    ...forEachField(OPTIONAL_TEXTS, (field) => ({ de: `Own ${field}, in German`, en: `Own ${field}` })),
    images: ['https://img.example/2.jpg', 'https://img.example/1.jpg'],
    image_alts: { de: { 'https://img.example/1.jpg': 'Vorne' }, en: { 'https://img.example/1.jpg': 'Front' } },
    attributes: { colour: { '*': 'red', de: 'rot' }, weight: { '*': false } },
    listings: { de: false },
    exclusions: { '*': 'recalled', main: 'sold' },
    slugs: { main: 'mine' },
  }
  const { status, body, headers } = await send('PATCH', `/products/${id}`, patch)
  expect([status, body.data]).toEqual([200, { id, created_at: expect.any(String), ...patch }])
  expect((await send('GET', `/products/${id}`)).headers.get('etag')).toBe(headers.get('etag'))
  const { body: shown } = await read(`/v1/products/${id}`)
  expect(shown.data).toMatchObject({
    sku: 'OWN-1',
    ean: '4006381333931',
    title: 'Mine',
    images: patch.images,
    excluded: true,
    ...forEachField(NAME_FIELDS.filter(isInPayload), own),
    dimensions: forEachField(DIMENSIONS, own),
    ...forEachField(OPTIONAL_TEXTS, (field) => `Own ${field}`),
  })
  expect((await read(`/v1/products/${id}?store=de`)).status).toBe(404)
  // an import of the supplier changes neither the representation of own values nor its ETag
  await giveOffers(service.runtime, account, [offer('A1', { cost: '77', texts: { en: { title: 'Theirs' } } })])
  expect((await send('GET', `/products/${id}`)).headers.get('etag')).toBe(headers.get('etag'))
  const back = await send('PATCH', `/products/${id}`, {
    sku: null,
    ean: null,
    title: { de: null, pl: 'Moje' },
    description: null,
    ...forEachField(NAME_FIELDS, () => null),
    ...forEachField(OPTIONAL_TEXTS, () => null),
    images: null,
    image_alts: { de: null, en: { 'https://img.example/1.jpg': null, 'https://img.example/2.jpg': 'Back' } },
    attributes: { colour: { de: null }, weight: null },
    listings: null,
    exclusions: { main: null },
    slugs: { main: null },
  })
  expect(back.body.data).toEqual({
    id,
    created_at: body.data.created_at,
    sku: null,
    ean: null,
    title: { en: 'Mine', pl: 'Moje' },
    description: {},
    ...forEachField(NAME_FIELDS, () => null),
    ...forEachField(OPTIONAL_TEXTS, () => ({})),
    images: null,
    image_alts: { en: { 'https://img.example/2.jpg': 'Back' } },
    attributes: { colour: { '*': 'red' } },
    listings: {},
    exclusions: { '*': 'recalled' },
    slugs: {},
  })
  expect(
    (await send('PATCH', `/products/${id}`, { title: null, attributes: null, exclusions: null })).body.data,
  ).toMatchObject({ title: {}, attributes: {}, exclusions: {} })
  expect((await send('DELETE', `/products/${id}`)).status).toBe(204)
  expect((await send('GET', `/products/${id}`)).body).toMatchObject({ status: 404, code: 'unknown-product' })
})

test('two clients, one product: If-Match prevents the lost update, and without it patches of different members both hold', async () => {
  const [id] = await offers('A1')
  const path = `/products/${id}`
  for (let round = 0; round < 10; round++) {
    const tag = (await send('GET', path)).headers.get('etag') ?? ''
    const both = await Promise.all(
      ['One', 'Two'].map((title) => send('PATCH', path, { title: { en: `${title} ${round}` } }, { 'if-match': tag })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
    expect(both.find(({ status }) => status === 412)?.body.code).toBe('precondition-failed')
  }
  await Promise.all([
    send('PATCH', path, { manufacturer: 'M' }),
    send('PATCH', path, { description: { en: 'D' } }),
    send('PATCH', path, { attributes: { a: { '*': 'x' } } }),
    send('PATCH', path, { attributes: { b: { '*': 'y' } } }),
  ])
  expect((await send('GET', path)).body.data).toMatchObject({
    manufacturer: 'M',
    description: { en: 'D' },
    attributes: { a: { '*': 'x' }, b: { '*': 'y' } },
  })
})

test('the same request with the same key is made once, also when both come at the same time', async () => {
  const body = { name: 'Once', action: 'markup', percent: '5' }
  const key = { 'idempotency-key': 'k-1' }
  const many = await Promise.all(Array.from({ length: 6 }, () => send('POST', '/pricing-rules', body, key)))
  expect(new Set(many.map(({ text }) => text)).size).toBe(1)
  expect(many.map(({ status }) => status)).toEqual(Array(6).fill(201))
  expect(many.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(5)
  expect(
    (await send('GET', '/pricing-rules')).body.data.filter((rule: { name: string }) => rule.name === 'Once'),
  ).toHaveLength(1)
  expect((await send('POST', '/pricing-rules', { ...body, percent: '6' }, key)).body).toMatchObject({
    status: 422,
    code: 'idempotency-key-reused',
  })
  // a refused request is not kept under its key
  const bad = await send('POST', '/groups', { name: '' }, { 'idempotency-key': 'k-2' })
  const good = await send('POST', '/groups', { name: 'G' }, { 'idempotency-key': 'k-2' })
  expect([bad.status, good.status]).toEqual([422, 201])
  expect((await send('POST', '/groups', { name: 'H' }, { 'idempotency-key': 'with space' })).status).toBe(400)
})

test('own stock has an address and a tag of its own', async () => {
  const [id] = await offers('A1')
  const path = `/products/${id}/stock`
  expect((await send('GET', path)).status).toBe(404)
  const made = await send('PUT', path, { quantity: 5, cost: 3.25 })
  expect([made.status, made.body.data]).toEqual([201, { product_id: id, quantity: 5, cost: '3.25' }])
  expect((await read(`/v1/prices/${id}`)).body.data.stock).toBeGreaterThanOrEqual(5)
  expect((await send('PATCH', path, { quantity: 7 })).body.data).toEqual({ product_id: id, quantity: 7, cost: '3.25' })
  expect((await send('PATCH', path, { cost: null })).body.data).toEqual({ product_id: id, quantity: 7, cost: null })
  expect((await send('PATCH', path, { cost: 0.1234567890123456 })).body.errors).toEqual([
    { name: 'cost', reason: expect.any(String) },
  ])
  expect((await send('PUT', path, { quantity: 1 }, { 'if-match': made.headers.get('etag') ?? '' })).status).toBe(412)
  expect((await send('DELETE', path)).status).toBe(204)
  expect((await send('GET', path)).status).toBe(404)
})

test('offers are put, patched and deleted one by one, and join products by their EANs', async () => {
  const one = await send('PUT', '/suppliers/north/offers/N%2F1', {
    eans: ['4006381333931'],
    cost: '10',
    quantity: 3,
    texts: { en: { title: 'Pen', delivery_time: 'tomorrow' } },
    hs_code: '9608.10.10',
    weight: '12 g',
    length: '140 mm',
    country_of_origin: 'de',
    attributes: [{ key: 'colour', value: 'red' }],
  })
  expect([one.status, one.body.data]).toEqual([
    201,
    {
      supplier: 'north',
      sku: 'N/1',
      product_id: expect.any(Number),
      eans: ['4006381333931'],
      cost: '10',
      currency: expect.any(String),
      quantity: 3,
      texts: { en: { title: 'Pen', delivery_time: 'tomorrow' } },
      ...forEachField(NAME_FIELDS, () => null),
      country_of_origin: 'DE',
      hs_code: '96081010',
      weight: '0.012',
      length: '14',
      cost_tiers: null,
      attributes: [{ key: 'colour', value: 'red' }],
      images: [],
      image_alts: null,
      group: null,
      absent_since: null,
    },
  ])
  const two = await send('PUT', '/suppliers/south/offers/S1', { eans: ['4006381333931'], cost: '9', quantity: 1 })
  expect(two.body.data.product_id).toBe(one.body.data.product_id)
  expect(
    (await send('PATCH', '/suppliers/north/offers/N%2F1', { quantity: 4, attributes: null })).body.data,
  ).toMatchObject({ cost: '10', quantity: 4, attributes: [] })
  expect((await send('GET', '/suppliers/north/offers')).body.data).toHaveLength(1)
  expect((await send('DELETE', '/suppliers/north/offers/N%2F1')).status).toBe(204)
  expect((await send('GET', '/suppliers/north/offers/N%2F1')).status).toBe(404)
  // the offer returns to its product
  expect((await send('PUT', '/suppliers/north/offers/N%2F1', { cost: '8', quantity: 1 })).body.data.product_id).toBe(
    one.body.data.product_id,
  )
  expect((await send('PUT', '/suppliers/nobody/offers/1', { cost: '8' })).status).toBe(404)
})

test('an offer states its group of variants, which its product shows; what is wrong in it is named', async () => {
  const path = '/suppliers/north/offers/TEE-M'
  const group = {
    key: ' TEE ',
    title: { en: 'Tee', de: '' },
    options: [
      { key: 'size', label: 'Size', value: 'M' },
      { key: 'color', value: 'red' },
    ],
    position: 3,
  }
  const stated = {
    key: 'TEE',
    title: { en: 'Tee' },
    options: [group.options[0], { ...group.options[1], label: null }],
    position: 3,
  }
  const made = await send('PUT', path, { cost: '10', quantity: 1, group })
  expect([made.status, made.body.data.group]).toEqual([201, stated])
  const shown = async () => (await read(`/v1/products/${made.body.data.product_id}`)).body.data.group
  expect(await shown()).toEqual({
    id: expect.any(Number),
    key: 'TEE',
    title: 'Tee',
    position: 3,
    options: [
      { key: 'size', label: 'Size', value: 'M', position: 1 },
      { key: 'color', label: 'color', value: 'red', position: 2 },
    ],
  })
  // sending back the value of a read changes nothing, and members that are not named stay
  expect((await send('PATCH', path, { group: stated })).body.data.group).toEqual(stated)
  expect((await send('PATCH', path, { quantity: 2 })).body.data.group).toEqual(stated)
  const refused = async (given: unknown) => {
    const { status, body } = await send('PATCH', path, { group: given })
    expect(status).toBe(422)
    return (body.errors as { name: string }[]).map(({ name }) => name)
  }
  expect(await refused({ key: '' })).toEqual(['group.key'])
  expect(await refused({ key: 'x'.repeat(5_000) })).toEqual(['group.key'])
  expect(await refused({ key: 'x', position: -1 })).toEqual(['group.position'])
  expect(await refused({ key: 'x', title: { xx_yy: 'T' } })).toEqual(['group.title.xx_yy'])
  expect(
    await refused({
      key: 'x',
      options: [
        { key: 'a', value: '1' },
        { key: 'a', value: '2' },
      ],
    }),
  ).toEqual(['group.options.1.key'])
  expect(
    await refused({ key: 'x', options: Array.from({ length: 21 }, (_, i) => ({ key: `o${i}`, value: '1' })) }),
  ).toEqual(['group.options'])
  const explained = (await read(`/v1/products/${made.body.data.product_id}/explain`)).body.data.group
  expect(explained).toMatchObject({
    value: { key: 'TEE' },
    source: { supplier_sku: 'TEE-M' },
    stated: [{ key: 'TEE' }],
  })
  expect((await send('PATCH', path, { group: null })).body.data.group).toBe(null)
  expect(await shown()).toBe(undefined)
})

test('a product that was put into a group is sent back as it was read', async () => {
  const [id] = await offers('ECHO')
  expect((await send('POST', '/variant-groups', { products: [{ product_id: id }] })).status).toBe(201)
  const { data } = (await send('GET', `/products/${id}`)).body
  expect(data.variant_group).toEqual({ id: expect.any(Number) as number })
  expect((await send('PATCH', `/products/${id}`, data)).body.data).toEqual(data)
  const refused = await send('PATCH', `/products/${id}`, { variant_group: { id: data.variant_group.id + 1 } })
  expect([refused.status, refused.body.errors?.[0]?.name]).toEqual([422, 'variant_group'])
})
