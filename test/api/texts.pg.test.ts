import { expect, test } from 'vitest'
import { giveOffers, offer } from '../harness/account.ts'
import { account, offers, read, send, service } from './full-access-account.ts'

// Texts and attributes as the three stores of an account show them: main in en, which is the account's locale, de and pl-PL.

interface Product {
  title: string | null
  description: string | null
  attributes: { key: string; label: string; value: string }[]
}

const STORES = ['main', 'de', 'pl'] as const

/** What each store shows of a product. */
const inStores = async <T>(id: number | undefined, pick: (product: Product) => T): Promise<T[]> => {
  const shown: T[] = []
  for (const store of STORES) shown.push(pick((await read(`/v1/products/${id}?store=${store}`)).body.data as Product))
  return shown
}
/** The attributes of a product as `key=value`, by store. */
const attributesOf = (id: number | undefined) =>
  inStores(id, ({ attributes }) => attributes.map((row) => `${row.key}=${row.value}`))

test('an attribute for * is shown in every store whose locale is not named, the account’s locale named or not', async () => {
  const [id] = await offers('A1')
  const attributes = { color: { '*': 'any', en: 'red' }, size: { '*': 'L', pl: 'duży' } }
  expect((await send('PATCH', `/products/${id}`, { attributes })).status).toBe(200)
  expect(await attributesOf(id)).toEqual([
    ['color=red', 'size=L'],
    ['color=any', 'size=L'],
    ['color=any', 'size=duży'],
  ])
  // by a bulk as well
  const rows = [{ product_id: id, field: 'attribute', key: 'color', locale: '*', value: 'every' }]
  expect((await send('POST', '/bulk/overrides', { rows })).body.data).toMatchObject([{ status: 'changed' }])
  expect(await attributesOf(id)).toEqual([
    ['color=red', 'size=L'],
    ['color=every', 'size=L'],
    ['color=every', 'size=duży'],
  ])
})

test('the explanation of a product names the place * as the product and its fields do', async () => {
  const [id] = await offers('A1')
  await send('PATCH', `/products/${id}`, {
    attributes: { color: { '*': 'any' } },
    manufacturer: 'Me',
    title: { de: 'T' },
  })
  const source = { from: 'override', locale: '*' }
  const explained = (await read(`/v1/products/${id}/explain?store=de`)).body.data
  const fields = (await send('GET', `/products/${id}/fields?store=de`)).body.data
  for (const shown of [explained, fields]) {
    expect(shown.attributes).toMatchObject([{ key: 'color', source }])
    expect(shown.title.source).toEqual({ from: 'override', locale: 'de' })
  }
})

test('the owner’s values get the store’s decimal sign and the translations of options, as suppliers’ values do', async () => {
  const definitions = {
    color: { labels: { en: 'Colour' }, options: { red: { de: 'Rot', pl: 'czerwony' } } },
    weight: { unit: 'kg', position: 1 },
  }
  for (const [key, definition] of Object.entries(definitions))
    expect((await send('PUT', `/attributes/${key}`, definition)).status).toBe(201)
  const stated = [
    { key: 'color', value: 'red' },
    { key: 'weight', value: '1250.5' },
  ]
  const [theirs, ours] = await giveOffers(service.runtime, account, [offer('A1', { attributes: stated }), offer('A2')])
  const attributes = { color: { '*': 'red' }, weight: { '*': '1250.5' } }
  expect((await send('PATCH', `/products/${ours}`, { attributes })).status).toBe(200)
  const shown = [
    ['color=red', 'weight=1250.5'],
    ['color=Rot', 'weight=1250,5'],
    ['color=czerwony', 'weight=1250,5'],
  ]
  expect(await attributesOf(theirs)).toEqual(shown)
  expect(await attributesOf(ours)).toEqual(shown)
})
