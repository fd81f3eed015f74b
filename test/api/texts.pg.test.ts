import { expect, test } from 'vitest'
import { giveOffers, offer } from '../harness/account.ts'
import { account, database, offers, read, send, service, setUp } from './full-access-account.ts'

setUp()

// Texts and attributes in the three stores of an account: main in en, which is also the account's locale, de, and pl-PL.

interface Product {
  title: string | null
  description: string | null
  attributes: { key: string; label: string; value: string }[]
}

const STORES = ['main', 'de', 'pl'] as const

/** A part of a product in each store, chosen by `pick`. */
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

const BLANKS = [' ', '\u00a0', '\u200b', '\u200d\u2060', '\ufeff', '\u00ad']

test('texts are trimmed when they come in, and one that shows nothing is refused, or none where it may be empty', async () => {
  const [id] = await offers('A1')
  const patch = {
    title: { en: ' Mine\u200b' },
    manufacturer: '\ufeffMe ',
    attributes: { color: { '*': '\u00adred ' } },
  }
  expect((await send('PATCH', `/products/${id}`, patch)).body.data).toMatchObject({
    title: { en: 'Mine' },
    manufacturer: 'Me',
    attributes: { color: { '*': 'red' } },
  })
  for (const blank of BLANKS) {
    const refused = await send('PATCH', `/products/${id}`, {
      title: { de: blank },
      attributes: { color: { '*': blank } },
    })
    expect(refused.body.errors).toEqual([
      { name: 'title.de', reason: 'must not be empty' },
      { name: 'attributes.color', reason: 'must not be empty' },
    ])
    const definition = { unit: blank, labels: { en: blank }, options: { red: { de: blank } } }
    expect((await send('PUT', '/attributes/color', definition)).body.errors.length).toBe(3)
    const theirs = { texts: { de: { title: blank } }, manufacturer: blank }
    const { texts, manufacturer } = (await send('PATCH', '/suppliers/north/offers/A1', theirs)).body.data
    expect([Object.keys(texts as object), manufacturer]).toEqual([['en'], null])
  }
  // the name of a rule and of a group, the path of a category, a condition
  const rule = { name: ' R\u200b', action: 'markup', percent: '1', manufacturers: ['Acme\u200b'], priority: 1 }
  expect((await send('POST', '/pricing-rules', rule)).body.data).toMatchObject({ name: 'R', manufacturers: ['Acme'] })
  expect((await send('POST', '/categories', { path: 'Tools\u200b/ Saws\u00ad' })).body.data.path).toBe('Tools/Saws')
})

test('blank texts that were stored before they were trimmed do not stand in front of real ones', async () => {
  const [id] = await offers('A1')
  const { accountId, suppliers } = account
  const north = suppliers[0]!.supplierId
  for (const blank of BLANKS) {
    const texts = { de: { title: blank, description: blank }, en: { title: ` Real${blank}` } }
    await database.db`
      update offer_content set texts = ${JSON.stringify(texts)}::text::jsonb, manufacturer = ${blank},
        attributes = ${JSON.stringify([
          { key: 'color', value: blank },
          { key: 'size', value: ` L${blank}` },
        ])}::text::jsonb
      where account_id = ${accountId} and supplier_id = ${north}`
    await database.db`
      insert into product_override (account_id, product_id, field, locale, value) values (${accountId}, ${id!}, 'title', 'de', ${blank})
      on conflict (account_id, product_id, field, locale) do update set value = excluded.value`
    await database.db`
      insert into attribute_override (account_id, product_id, key, locale, value) values (${accountId}, ${id!}, 'size', 'de', ${blank})
      on conflict (account_id, product_id, key, locale) do update set value = excluded.value`
    await database.db`
      insert into attribute_definition (account_id, key, unit, units, position, labels, options)
      values (${accountId}, 'size', ${blank}, '{}', 0, ${JSON.stringify({ de: blank, en: ` Size${blank}` })}::text::jsonb, '{}')
      on conflict (account_id, key) do update set unit = excluded.unit, labels = excluded.labels`
    // any write of settings resolves every product again
    expect((await send('PATCH', '', { name: `N${blank.charCodeAt(0)}` })).status).toBe(200)
    await service.runtime.shelf.drain(accountId)
    const { title, description, manufacturer, attributes } = (await read(`/v1/products/${id}?store=de`)).body.data
    expect([JSON.stringify(blank), title, description, manufacturer, attributes]).toEqual([
      JSON.stringify(blank),
      'Real',
      null,
      null,
      [{ key: 'size', label: 'Size', value: 'L' }],
    ])
  }
})

const titles = (id: number | undefined) => inStores(id, ({ title }) => title)

test('with any_locale a text of an unrelated locale is shown where there is no other, and findings list it', async () => {
  const texts = { fr: { title: 'Bêche', description: '\u200b' }, 'de-AT': { title: 'Spaten' } }
  const [foreign, known] = await giveOffers(service.runtime, account, [offer('A1', { texts }), offer('A2')])
  expect((await send('GET', '')).body.data.any_locale).toBe(false)
  expect(await titles(foreign)).toEqual([null, null, null])
  expect((await send('GET', '/findings')).body.data.texts_from_any_locale).toEqual([])
  const { next_since: since, next_id: sinceId } = (await read('/v1/changes?store=pl&since=now')).body
  expect((await send('PATCH', '', { any_locale: true })).body.data.any_locale).toBe(true)
  await service.runtime.shelf.drain(account.accountId)
  // the order: the store's language, the account's, then by locale tag
  expect(await titles(foreign)).toEqual(['Spaten', 'Spaten', 'Spaten'])
  expect(await titles(known)).toEqual(['Article A2', 'Article A2', 'Article A2'])
  const { changes } = (await read(`/v1/changes?store=pl&since=${encodeURIComponent(since)}&since_id=${sinceId}`)).body
  expect(changes).toMatchObject([{ product_id: foreign, change_type: 'content' }])
  const listed = STORES.map((store) => ({ product_id: foreign, store, field: 'title' }))
  expect((await send('GET', '/findings')).body.data.texts_from_any_locale).toEqual(listed)
  // explain names the source of the text
  const explained = (await read(`/v1/products/${foreign}/explain?store=pl`)).body.data
  expect(explained.title.source).toMatchObject({ from: 'supplier', locale: 'de-AT' })
  // a store with an own text shows it and is no longer in the finding; a blank text does not count
  await send('PATCH', `/products/${foreign}`, { title: { pl: 'Szpadel' } })
  await giveOffers(service.runtime, account, [
    offer('A1', { texts: { ...texts, en: { title: '\u2060', description: null } } }),
  ])
  expect(await titles(foreign)).toEqual(['Spaten', 'Spaten', 'Szpadel'])
  expect((await send('GET', '/findings')).body.data.texts_from_any_locale).toEqual(listed.slice(0, 2))
  // null is the default, which is off
  expect((await send('PATCH', '', { any_locale: null })).body.data.any_locale).toBe(false)
  await service.runtime.shelf.drain(account.accountId)
  expect(await titles(foreign)).toEqual([null, null, 'Szpadel'])
  expect((await send('GET', '/findings')).body.data.texts_from_any_locale).toEqual([])
})

test('alnum transliterates in a SKU, and az09 drops what is not ASCII', async () => {
  const [id] = await giveOffers(service.runtime, account, [offer('A1', { manufacturer: 'Müller & Łoś Жуков' })])
  for (const [pattern, sku] of [
    ['{manufacturer|alnum}', 'MullerLosZhukov'],
    ['{manufacturer|az09}', 'Mllero'],
  ]) {
    expect((await send('PATCH', '', { sku_pattern: pattern })).status).toBe(200)
    await service.runtime.shelf.drain(account.accountId)
    expect((await read(`/v1/products/${id}`)).body.data.sku).toBe(sku)
  }
})
