import { expect, test } from 'vitest'
import { LOCALE_MEMBERS } from '../../contract/schemas.ts'
import { setAttributeDefinitions } from '../../src/catalog/settings/content/attribute-definitions.ts'
import { createStore, editStore } from '../../src/catalog/settings/stores/stores.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { editProduct, setListing } from '../harness/product-edits.ts'
import { open, service, setUp } from './read-account.ts'

// `locales=all`: products with their texts in the locale of every active store.

setUp()

type Members = Record<string, unknown>
type Whole = Members & { id: number; texts: Record<string, Members> }

const only = (product: Members, names: readonly string[]) =>
  Object.fromEntries(Object.entries(product).filter(([name]) => names.includes(name)))

/** An account whose products differ by language in every possible way. */
async function openLanguages() {
  const opened = await open()
  const { account, write } = opened
  const { accountId, storeIds } = account
  const second = (
    await write((tx) => createStore(tx, accountId, { slug: 'de2', name: 'Zwei', locale: 'de', currency: 'EUR' }))
  ).value
  const closed = (
    await write((tx) => createStore(tx, accountId, { slug: 'fr', name: 'Fermé', locale: 'fr', currency: 'EUR' }))
  ).value
  await write((tx) => editStore(tx, accountId, closed, { isActive: false }))
  await write((tx) =>
    setAttributeDefinitions(tx, accountId, [
      {
        key: 'color',
        unit: null,
        position: 1,
        labels: { en: 'Colour', de: 'Farbe' },
        options: { red: { de: 'rot', pl: 'czerwony' } },
      },
    ]),
  )
  const ids = await giveOffers(service.runtime, account, [
    offer('A1', {
      texts: {
        en: { title: 'Tee', description: '<p>",\\"description\\":</p>', seo_title: 'Buy' },
        de: { title: 'Hemd', delivery_time: '2 Tage', seo_description: 'Alles' },
        'pl-PL': { title: 'Koszulka "1"' },
      },
      group: {
        key: 'tee',
        title: { en: 'Tees', de: 'Hemden' },
        options: [{ key: 'color', label: null, value: 'red' }],
        position: 0,
      },
      mpn: 'M1',
    }),
    offer('A2'),
    offer('A3', { texts: { fr: { title: 'Maillot' } } }),
    offer('A4', { texts: {} }),
  ])
  const [a1 = 0, a2 = 0, a3 = 0] = ids
  await write((tx) =>
    editProduct(tx, accountId, a2, {
      overrides: [{ field: 'title', locale: 'de', value: 'Unseres' }],
      attributeOverrides: [{ key: 'color', locale: 'pl', value: 'zielony' }],
      attributeResets: [],
      listings: [],
      exclusions: [],
    }),
  )
  // the first German store does not list one product, no German store another
  await write((tx) => setListing(tx, accountId, storeIds[1], [a1, a3], false))
  await write((tx) => setListing(tx, accountId, second, [a3], false))
  return { ...opened, ids }
}

test('texts are what reading the stores of each locale gives, and all else is the store’s own', async () => {
  const { read, get, ids } = await openLanguages()
  const locales: Record<string, string[]> = { en: ['main'], de: ['de', 'de2'], 'pl-PL': ['pl'] }
  const plain = new Map<string, Members>()
  for (const slug of Object.values(locales).flat())
    for (const product of (await read(`/v1/products?store=${slug}`)).data as Whole[])
      plain.set(`${slug} ${product.id}`, product)
  const textsOf = (id: number, names: readonly string[] = LOCALE_MEMBERS) =>
    Object.fromEntries(
      Object.entries(locales).flatMap(([locale, slugs]) => {
        const found = slugs.map((slug) => plain.get(`${slug} ${id}`)).find((one) => one !== undefined)
        return found === undefined ? [] : [[locale, only(found, names)]]
      }),
    )
  // members that depend on the language are the only ones that differ by locale
  const [one] = ids
  const differ = Object.keys(plain.get(`main ${one}`)!).filter(
    (name) =>
      JSON.stringify(plain.get(`main ${one}`)![name]) !== JSON.stringify(plain.get(`pl ${one}`)![name]) &&
      !['store', 'prices'].includes(name),
  )
  expect(differ.filter((name) => !(LOCALE_MEMBERS as readonly string[]).includes(name))).toEqual([])
  expect(differ).toEqual(expect.arrayContaining(['title', 'attributes', 'group']))
  expect(Object.keys(textsOf(ids[2]!))).toEqual(['en', 'pl-PL'])

  for (const slug of Object.values(locales).flat()) {
    const whole = (id: number) => ({ ...plain.get(`${slug} ${id}`), texts: textsOf(id) })
    const listed = ids.filter((id) => plain.has(`${slug} ${id}`)).toSorted((a, b) => a - b)
    for (const path of [
      `/v1/products?store=${slug}`,
      `/v1/products?store=${slug}&after_id=0`,
      `/v1/products?store=${slug}&ids=${ids.join()}`,
      `/v1/export?store=${slug}`,
    ]) {
      const { status, body } = await get(`${path}${path.includes('?') ? '&' : '?'}locales=all`)
      expect([path, status]).toEqual([path, 200])
      expect(Array.isArray(body) ? body : body.data).toEqual(listed.map(whole))
    }
    for (const id of listed)
      expect((await read(`/v1/products/${id}?store=${slug}&locales=all`)).data).toEqual(whole(id))
  }
  // `fields` also chooses among the members of the texts; if it names none of them, all are shown
  for (const path of ['/v1/products?', `/v1/products?ids=${ids.join()}&`, '/v1/export?'])
    for (const [fields, names] of [
      ['title', ['title']],
      ['title,stock,description', ['title', 'description']],
      ['sku', LOCALE_MEMBERS],
      ['attributes,id', ['attributes']],
    ] as const) {
      const { body } = await get(`${path}locales=all&fields=${fields}`)
      const wanted = ids
        .toSorted((a, b) => a - b)
        .map((id) => ({ ...only(plain.get(`main ${id}`)!, ['id', ...fields.split(',')]), texts: textsOf(id, names) }))
      expect([fields, Array.isArray(body) ? body : body.data]).toEqual([fields, wanted])
    }
  expect((await get(`/v1/products/${one}?locales=all&fields=title`)).body.data).toEqual({
    id: one,
    title: 'Tee',
    texts: textsOf(one!, ['title']),
  })
})

test('an answer has at most 200 products times locales: pages get shorter, and more ids are refused', async () => {
  const { account, read, refused } = await open()
  const ids = await giveOffers(
    service.runtime,
    account,
    Array.from({ length: 70 }, (_, i) => offer(`P${i}`)),
  )
  const { data, meta } = await read('/v1/products?per_page=200&locales=all')
  expect([data.length, meta]).toEqual([66, { current_page: 1, per_page: 66, last_page: 2, total: 70 }])
  expect((await read('/v1/products?per_page=200&page=2&locales=all')).data).toHaveLength(4)
  expect((await read('/v1/products?per_page=5&locales=all')).meta.per_page).toBe(5)
  expect((await read(`/v1/products?ids=${ids.slice(0, 66).join()}&locales=all`)).data).toHaveLength(66)
  const problem = await refused(`/v1/products?ids=${ids.slice(0, 67).join()}&locales=all`, 400, 'invalid-parameters')
  expect(problem.errors).toEqual([
    { name: 'ids', reason: expect.stringContaining('must be at most 66 with locales=all') },
  ])
  await refused('/v1/products?locales=de', 400, 'invalid-parameters')
  const walked: number[] = []
  for (let after: number | null = 0; after !== null;) {
    const page: { data: Whole[]; meta: { next_after_id: number | null } } = await read(
      `/v1/products?after_id=${after}&per_page=200&locales=all`,
    )
    walked.push(...page.data.map(({ id }) => id))
    after = page.meta.next_after_id
  }
  expect(walked).toEqual(ids.toSorted((a, b) => a - b))
})

test('the tag is that of the body: it changes with a text of another store, and stays while no text does', async () => {
  const { account, get, write, ids } = await openLanguages()
  const [a1 = 0] = ids
  const paths = [`/v1/products/${a1}?locales=all`, '/v1/products?locales=all', '/v1/export?locales=all']
  const tagsOf = async () => Promise.all(paths.map(async (path) => (await get(path)).headers.get('etag')!))
  const before = await tagsOf()
  const plain = await get(`/v1/products/${a1}`)
  for (const [i, path] of paths.entries())
    expect((await get(path, { headers: { 'if-none-match': before[i]! } })).status).toBe(304)
  for (const path of paths)
    expect((await get(path, { headers: { 'if-none-match': plain.headers.get('etag')! } })).status).toBe(200)
  expect((await get('/v1/export', { headers: { 'if-none-match': before[2]! } })).status).toBe(200)
  await write((tx) =>
    editProduct(tx, account.accountId, a1, {
      overrides: [{ field: 'title', locale: 'pl-PL', value: 'Nowa' }],
      attributeOverrides: [],
      attributeResets: [],
      listings: [],
      exclusions: [],
    }),
  )
  // the answer for the default store is unchanged
  expect((await get(`/v1/products/${a1}`)).headers.get('etag')).toBe(plain.headers.get('etag'))
  const after = await tagsOf()
  for (const [i, tag] of after.entries()) expect(tag).not.toBe(before[i])
})

test('an export is sent again when a store is closed, and when it is open again: its texts are gone, and back', async () => {
  const { account, get, write } = await openLanguages()
  const path = '/v1/export?locales=all'
  const known = async (tag: string) => (await get(path, { headers: { 'if-none-match': tag } })).status
  const tag = async () => (await get(path)).headers.get('etag')!
  const polish = account.storeIds[2]
  const open = await tag()
  expect(await known(open)).toBe(304)
  await write((tx) => editStore(tx, account.accountId, polish, { isActive: false }))
  expect([await known(open), (await get(path)).body[0].texts['pl-PL']]).toEqual([200, undefined])
  const closed = await tag()
  await write((tx) => editStore(tx, account.accountId, polish, { isActive: true }))
  expect([await known(closed), (await get(path)).body[0].texts['pl-PL'].title]).toEqual([200, 'Koszulka "1"'])
})
