import { expect, test } from 'vitest'
import { expectAudited, giveOffers, offer } from '../harness/account.ts'
import { account, database, offers, read, send, service, setUp } from './full-access-account.ts'

// Facts of articles that make no sense as sent: category trees with cycles, overlong texts of pictures, and titles of every
// script, some of them duplicates. Each has a defined answer, and nothing is written in part.

setUp()

const faultsOf = ({ body }: Awaited<ReturnType<typeof send>>) =>
  (body.errors as { name: string; reason: string }[]).map(({ name, reason }) => `${name} ${reason}`)

test('a category is never below itself, however it is tried, and the tree stays as it was', async () => {
  const make = async (path: string) => {
    const { status, body } = await send('POST', '/categories', { path })
    expect(status).toBe(201)
    return (body.data as { id: number }).id
  }
  const garden = await make('Garden')
  const soil = await make('Garden/Soil')
  const peat = await make('Garden/Soil/Peat')
  const tools = await make('Tools')
  const tree = async () => (await read('/v1/categories')).body.data as { id: number; parent_id: number | null }[]
  const before = await tree()
  for (const [id, path, reason] of [
    [garden, 'Garden/Soil/Peat/Garden', 'must not be below "Garden", which is the category itself'],
    [garden, ' garden / Deeper', 'must not be below "Garden", which is the category itself'],
    [soil, 'Garden/Soil/Soil', 'must not be below "Garden/Soil", which is the category itself'],
  ] as const) {
    const answer = await send('PATCH', `/categories/${id}`, { path, names: { de: 'Anders' } })
    expect([answer.status, answer.body.code, faultsOf(answer)]).toEqual([422, 'invalid-input', [`path ${reason}`]])
    expect(await tree()).toEqual(before)
  }
  // the path determines the parent, which cannot be set to another
  const parent = await send('PATCH', `/categories/${garden}`, { parent_id: peat })
  expect([parent.status, await tree()]).toEqual([422, before])
  // two categories that would be below each other: the second request finds that the first has moved its category
  const moved = await send('PATCH', `/categories/${tools}`, { path: 'Garden/Soil/Tools' })
  expect(moved.status).toBe(200)
  const now = await tree()
  const back = await send('PATCH', `/categories/${garden}`, { path: 'Garden/Soil/Tools/Garden' })
  expect([back.status, await tree()]).toEqual([422, now])
  const parents = new Map(now.map((row) => [row.id, row.parent_id]))
  for (const { id } of now) {
    const above = []
    for (let at = parents.get(id) ?? null; at !== null && above.length < 10; at = parents.get(at) ?? null)
      above.push(at)
    expect(above).not.toContain(id)
    expect(above.length).toBeLessThan(4)
  }
})

test('an alt text of 5,000 characters is refused by every way in, and what was sent with it is not written', async () => {
  const A = 'https://img.example/1.jpg'
  const long = { en: { [A]: 'x'.repeat(5_000) } }
  const reason = 'must have at most 1000 characters'
  const stated = { images: [A], image_alts: { en: { [A]: 'Front' } } }
  const path = '/suppliers/north/offers/A'
  const made = await send('PUT', path, { cost: '10', quantity: 1, ...stated })
  const id = (made.body.data as { product_id: number }).product_id
  const offerNow = async () => (await send('GET', path)).body.data as object
  const productNow = async () => (await send('GET', `/products/${id}`)).body.data as object
  const [offerBefore, productBefore] = [await offerNow(), await productNow()]
  for (const [method, to, body] of [
    ['PUT', path, { cost: '11', quantity: 7, images: [A], image_alts: long }],
    ['PATCH', path, { quantity: 7, image_alts: long }],
    ['PATCH', `/products/${id}`, { title: { en: 'New' }, image_alts: long }],
  ] as const) {
    const answer = await send(method, to, body)
    expect([answer.status, faultsOf(answer)]).toEqual([422, [`image_alts.en.${A} ${reason}`]])
  }
  expect([await offerNow(), await productNow()]).toEqual([offerBefore, productBefore])
  // a bulk writes its other rows
  const bulk = await send('POST', '/bulk/offers', {
    rows: [
      { supplier: 'north', sku: 'A', quantity: 7, image_alts: long },
      {
        supplier: 'north',
        sku: 'B',
        cost: '1',
        quantity: 7,
        images: [A],
        image_alts: { en: { [A]: 'y'.repeat(1_000) } },
      },
    ],
  })
  expect(bulk.body.data).toMatchObject([
    { status: 'failed', errors: [{ reason: expect.stringContaining(reason) }] },
    { status: 'created' },
  ])
  const own = await send('POST', '/bulk/overrides', {
    rows: [{ product_id: id, field: 'image_alts', locale: 'en', value: long.en }],
  })
  expect(own.body.data).toMatchObject([{ status: 'failed', errors: [{ reason: expect.stringContaining(reason) }] }])
  expect([await offerNow(), await productNow()]).toEqual([offerBefore, productBefore])
})

/** Titles, and the slugs that English stores make of them; null where a title has no letter or digit. */
const TITLES: readonly (readonly [string, string | null])[] = [
  ['Größe M – Ærø', 'grosse-m-aero'],
  ['Молоток 300 г', 'молоток-300-г'],
  ['Σφυρί ΜΕΓΑΛΟΣ', 'σφυρί-μεγαλος'],
  ['مطرقة كبيرة', 'مطرقة-كبيرة'],
  ['פטיש גדול', 'פטיש-גדול'],
  ['हथौड़ा बड़ा', 'हथौड़ा-बड़ा'],
  ['ค้อนใหญ่', 'ค้อนใหญ่'],
  ['大锤子', '大锤子'],
  ['ハンマー', 'ハンマー'],
  ['ﾊﾝﾏｰ', 'ハンマー'],
  ['망치 큰', '망치-큰'],
  ['ჩაქუჩი', 'ჩაქუჩი'],
  ['Մուրճ', 'մուրճ'],
  ['𐌷𐌰𐌼𐌰𐍂', '𐌷𐌰𐌼𐌰𐍂'],
  ['Ⅷ ½ ㎏', 'viii-1-2-kg'],
  ['🔨🔨', null],
  ['— … !', null],
  ['\u202Ehammer\u202C', 'hammer'],
]

test('titles of every script have slugs by which their products are found, and those that are twice are two', async () => {
  await send('PATCH', '', { additional_members: ['slug'] })
  const titles = [...TITLES, ...TITLES].map(([title]) => title)
  const ids = await giveOffers(
    service.runtime,
    account,
    titles.map((title, i) => offer(`S${String(i).padStart(2, '0')}`, { texts: { en: { title } } })),
  )
  const taken = new Set<string>()
  for (const [i, id] of ids.entries()) {
    const made = TITLES[i % TITLES.length]?.[1] ?? null
    const slug = made === null ? `product-${id}` : taken.has(made) ? `${made}-id${id}` : made
    taken.add(slug)
    for (const store of ['main', 'de']) {
      const { slug: shown } = (await read(`/v1/products/${id}?store=${store}`)).body.data as { slug: string }
      if (store === 'main') expect(shown).toBe(slug.normalize('NFC'))
      const found = (await read(`/v1/products?store=${store}&slug=${encodeURIComponent(shown)}`)).body.data
      expect(found).toMatchObject([{ id, slug: shown }])
    }
  }
  expect(taken.size).toBe(ids.length)
  await expectAudited(database.db, account.accountId)
})

test('a slug by hand that is given twice is refused the second time, in whatever spelling, and nothing of the request is written', async () => {
  await send('PATCH', '', { additional_members: ['slug'] })
  const [a = 0, b = 0] = await offers('A', 'B')
  expect((await send('PATCH', `/products/${a}`, { slugs: { main: 'Молоток', de: 'Größe' } })).status).toBe(200)
  const before = (await send('GET', `/products/${b}`)).body.data as object
  for (const slugs of [{ main: 'МОЛОТОК' }, { main: ' молоток! ' }, { main: 'free', de: 'groesse' }]) {
    const answer = await send('PATCH', `/products/${b}`, { slugs, title: { en: 'New' } })
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    expect(faultsOf(answer)).toEqual([expect.stringContaining(`is the slug of product ${a} in this store`)])
    expect((await send('GET', `/products/${b}`)).body.data).toEqual(before)
  }
  // a slug of a refused request finds nothing
  expect((await read('/v1/products?slug=free')).body.data).toEqual([])
})
