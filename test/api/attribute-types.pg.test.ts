import { expect, test } from 'vitest'
import { giveOffers, offer } from '../harness/account.ts'
import { account, read, send, service, setUp } from './full-access-account.ts'

setUp()

// Types of attributes: in definitions, in products, and as a preview of what a type would make of the present values.

const attributesOf = async (id: number | undefined, store = 'main') =>
  (await read(`/v1/products/${id}?store=${store}`)).body.data.attributes as unknown[]

test('a type adds to what products have, in the language of the store, and taking it away leaves what was there', async () => {
  const [id] = await giveOffers(service.runtime, account, [
    offer('T1', {
      attributes: [
        { key: 'pitch', value: '0,6 cm' },
        { key: 'colors', value: 'red|blue' },
        { key: 'gift', value: 'ja' },
        { key: 'size', value: '1,250' },
      ],
    }),
  ])
  const before = await attributesOf(id, 'de')
  const put = async (key: string, body: object) =>
    expect((await send('PUT', `/attributes/${key}`, body)).status).toBeLessThan(300)
  await put('pitch', { unit: 'mm', type: 'number', position: 1 })
  await put('colors', { type: 'list', options: { red: { de: 'rot' } }, position: 2 })
  await put('gift', { type: 'boolean', position: 3 })
  await put('size', { type: 'number', position: 4 })
  expect(await attributesOf(id, 'de')).toEqual([
    { key: 'pitch', label: 'pitch (mm)', value: '0,6 cm', type: 'number', value_number: 6, unit: 'mm' },
    { key: 'colors', label: 'colors', value: 'red|blue', type: 'list', values: ['rot', 'blue'] },
    { key: 'gift', label: 'gift', value: 'ja', type: 'boolean', value_boolean: true },
    { key: 'size', label: 'size', value: '1,250', type: 'number' },
  ])
  const patched = await send('PATCH', '/attributes/size', { decimal: ',' })
  expect(patched.body.data).toMatchObject({ type: 'number', decimal: ',', separator: null })
  expect((await attributesOf(id, 'de'))[3]).toMatchObject({ value_number: 1.25 })
  const { body } = await read(`/v1/products/${id}/explain?store=de`)
  expect(body.data.attributes[0]).toMatchObject({
    stated: '0,6 cm',
    typed: { members: { type: 'number', value_number: 6, unit: 'mm' } },
  })
  await send('PATCH', '/attributes/size', { decimal: null })
  expect((await read(`/v1/products/${id}/explain?store=de`)).body.data.attributes[3].typed).toEqual({
    members: { type: 'number' },
    unread: 'its sign may stand for thousands or for decimals',
  })
  for (const key of ['pitch', 'colors', 'gift', 'size'])
    expect((await send('DELETE', `/attributes/${key}`)).status).toBe(204)
  expect(await attributesOf(id, 'de')).toEqual(before)
})

test('what is no type, separator or decimal sign is refused by its name', async () => {
  for (const [body, name] of [
    [{ type: 'float' }, 'type'],
    [{ type: 7 }, 'type'],
    [{ decimal: ';' }, 'decimal'],
    [{ separator: '' }, 'separator'],
    [{ separator: '123456789' }, 'separator'],
    [{ separator: 'a\0' }, 'separator'],
  ] as const) {
    const { status, body: problem } = await send('PUT', '/attributes/refused', body)
    expect([body, status, problem.errors?.[0]?.name]).toEqual([body, 422, name])
  }
  expect((await send('GET', '/attributes/refused')).status).toBe(404)
})

test('a preview counts what a type would understand of suppliers’ values, and proposes one', async () => {
  const values = ['0,6 mm', '1,25 mm', '1,25 mm', 'ca. 5', '1,250 mm']
  await giveOffers(
    service.runtime,
    account,
    values.map((value, i) => offer(`V${i}`, { attributes: [{ key: 'drill', value }] })),
  )
  const preview = async (query: string) => (await send('GET', `/attributes/drill/values${query}`)).body.data
  expect(await preview('?type=number')).toEqual({
    key: 'drill',
    offers: 5,
    values: 4,
    understood: 3,
    examples: [
      { stated: '1,25 mm', offers: 2, read: { type: 'number', value_number: 1.25, unit: 'mm' } },
      { stated: '0,6 mm', offers: 1, read: { type: 'number', value_number: 0.6, unit: 'mm' } },
    ],
    unread: [
      { stated: '1,250 mm', offers: 1, reason: 'its sign may stand for thousands or for decimals' },
      { stated: 'ca. 5', offers: 1, reason: 'it is no number with a unit or without' },
    ],
    // only three of five values are numbers
    proposal: null,
  })
  expect(await preview('?type=number&decimal=%2C&unit=cm')).toMatchObject({
    understood: 4,
    examples: [
      { read: { value_number: 0.125, unit: 'cm' } },
      { read: { value_number: 0.06 } },
      { read: { value_number: 0.125 } },
    ],
  })
  expect(await preview('')).toMatchObject({ offers: 5, understood: 0, examples: [], unread: [] })
  await send('PUT', '/attributes/drill', { type: 'list', separator: ' ' })
  expect((await preview('')).examples[0].read).toEqual({ type: 'list', values: ['1,25', 'mm'] })
  expect((await preview('?type=')).examples).toEqual([])
  expect(await send('GET', '/attributes/nothing/values?type=number')).toMatchObject({
    status: 404,
    body: { code: 'unknown-reference' },
  })
  const refused = await send('GET', '/attributes/drill/values?type=float')
  expect([refused.status, refused.body.errors[0].name]).toEqual([400, 'type'])
})

test('findings name attributes of which suppliers state values that the type does not understand, with examples', async () => {
  const stated = ['5 kg', 'heavy', 'heavy', '1,250 kg']
  const ids = await giveOffers(
    service.runtime,
    account,
    stated.map((value, i) => offer(`U${i}`, { attributes: [{ key: 'load', value }] })),
  )
  const found = async () =>
    ((await send('GET', '/findings')).body.data.values_unread as { attribute: string }[]).filter(
      ({ attribute }) => attribute === 'load',
    )
  expect(await found()).toEqual([])
  await send('PUT', '/attributes/load', { type: 'text' })
  expect(await found()).toEqual([])
  await send('PUT', '/attributes/load', { type: 'number', unit: 'kg' })
  expect(await found()).toEqual([
    {
      attribute: 'load',
      type: 'number',
      offers: 3,
      examples: [
        { stated: 'heavy', product_id: ids[1], reason: 'it is no number with a unit or without' },
        { stated: '1,250 kg', product_id: ids[3], reason: 'its sign may stand for thousands or for decimals' },
      ],
    },
  ])
  await send('PATCH', '/attributes/load', { decimal: ',' })
  expect(await found()).toMatchObject([{ offers: 2, examples: [{ stated: 'heavy' }] }])
  // deleted offers are no longer counted
  for (const sku of ['U1', 'U2']) expect((await send('DELETE', `/suppliers/north/offers/${sku}`)).status).toBe(204)
  expect(await found()).toEqual([])
})
