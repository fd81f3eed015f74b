import { beforeEach, expect, test } from 'vitest'
import { expectAudited, giveOffers, offer, writeAndShelve } from '../harness/account.ts'
import { pictureOf, recordAs, shownOf, turnMirrorOn } from '../harness/images.ts'
import { account, database, read, send, service, setUp } from './full-access-account.ts'

setUp()

// Details of a product's pictures: alternative texts of suppliers and owners, and facts about the mirrored copies.

const A = 'https://img.example/1.jpg'
const B = 'https://img.example/2.jpg'
const UNKNOWN = { alt: null, width: null, height: null, type: null, hash: null, is_mirrored: false }

beforeEach(async () => {
  expect((await send('PATCH', '', { additional_members: ['image_details'] })).status).toBe(200)
})

const north = (sku: string) => `/suppliers/north/offers/${sku}`
const productOf = async (sku: string, body: object) => {
  const { status, body: answer } = await send('PUT', north(sku), { cost: '10', quantity: 1, ...body })
  expect(status).toBe(201)
  return (answer.data as { product_id: number }).product_id
}
const shown = async (id: number, store = 'main') =>
  (await read(`/v1/products/${id}?store=${store}`)).body.data as {
    images: string[]
    image_details: { alt: string | null }[]
  }
const altsOf = async (id: number, store?: string) => (await shown(id, store)).image_details.map(({ alt }) => alt)
const faultsOf = ({ body }: Awaited<ReturnType<typeof send>>) =>
  (body.errors as { name: string; reason: string }[]).map(({ name, reason }) => `${name} ${reason}`)

test('an offer says what its pictures show; a locale is replaced as a whole, and what is not named stays', async () => {
  const id = await productOf('ALT-1', {
    images: [A, B],
    image_alts: { EN: { [A]: ' Front ', [B]: '' }, de: { [A]: 'Vorne' } },
  })
  const stated = { en: { [A]: 'Front' }, de: { [A]: 'Vorne' } }
  expect((await send('GET', north('ALT-1'))).body.data.image_alts).toEqual(stated)
  expect(await altsOf(id)).toEqual(['Front', null])
  // sending back the body of a read, or other members, changes nothing
  expect((await send('PATCH', north('ALT-1'), { image_alts: stated })).body.data.image_alts).toEqual(stated)
  expect((await send('PATCH', north('ALT-1'), { quantity: 2 })).body.data.image_alts).toEqual(stated)
  expect((await send('PATCH', north('ALT-1'), { image_alts: { en: { [B]: 'Back' } } })).body.data.image_alts).toEqual({
    en: { [B]: 'Back' },
    de: { [A]: 'Vorne' },
  })
  // the first picture no longer has an English text
  expect(await altsOf(id)).toEqual([null, 'Back'])
  // a text is removed with its picture
  expect((await send('PATCH', north('ALT-1'), { images: [B] })).body.data.image_alts).toEqual({ en: { [B]: 'Back' } })
  expect((await send('PATCH', north('ALT-1'), { images: [A, B] })).body.data.image_alts).toEqual({
    en: { [B]: 'Back' },
  })
  expect((await send('PATCH', north('ALT-1'), { image_alts: { en: null } })).body.data.image_alts).toBe(null)
  expect((await send('PATCH', north('ALT-1'), { image_alts: { en: { [A]: 'x' } } })).body.data.image_alts).not.toBe(
    null,
  )
  expect((await send('PATCH', north('ALT-1'), { image_alts: null })).body.data.image_alts).toBe(null)
  await expectAudited(database.db, account.accountId)
})

test('what is wrong in the texts of an offer is named, and nothing of it is written', async () => {
  await productOf('ALT-2', { images: [A] })
  const refused = async (body: object) => {
    const answer = await send('PATCH', north('ALT-2'), body)
    expect(answer.status).toBe(422)
    return faultsOf(answer)
  }
  expect(await refused({ image_alts: { en: { [A]: 'x'.repeat(5_000) } } })).toEqual([
    `image_alts.en.${A} must have at most 1000 characters`,
  ])
  expect(await refused({ image_alts: { german: {} } })).toEqual([expect.stringContaining('did you mean "de"')])
  expect(await refused({ image_alts: { en: { 'no address': 'x' } } })).toEqual([
    expect.stringMatching(/^image_alts\.en\.no address must be an absolute/),
  ])
  expect(await refused({ images: [A], image_alts: { en: { [B]: 'Back' } } })).toEqual([
    `image_alts.en.${B} is not among \`images\``,
  ])
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`https://img.example/${i}.jpg`, 'x']))
  expect(await refused({ image_alts: { en: many } })).toEqual(['image_alts.en must have at most 100 entries, not 200'])
  expect(await refused({ images: Object.keys(many) })).toEqual(['images must have at most 100 entries, not 200'])
  expect(await refused({ image_alts: { en: { [A]: 'half \ud800' } } })).toEqual([
    expect.stringContaining('half of a surrogate pair'),
  ])
  expect((await send('GET', north('ALT-2'))).body.data).toMatchObject({ images: [A], image_alts: null })
})

test('HTML and marks of direction are text like any other', async () => {
  const text = '"><img src=x onerror=alert(1)> \u202eback\u202c'
  const id = await productOf('ALT-3', { images: [A], image_alts: { en: { [A]: text } } })
  expect(await altsOf(id)).toEqual([text])
})

test('the owner says it per picture and language, over the suppliers’', async () => {
  const id = await productOf('ALT-4', {
    images: [A, B],
    image_alts: { en: { [A]: 'Theirs', [B]: 'Back' }, de: { [A]: 'Vorne' } },
  })
  const path = `/products/${id}`
  const patch = (given: unknown) => send('PATCH', path, { image_alts: given })
  const first = await patch({ en: { [A]: 'Mine' } })
  expect([first.status, first.body.data.image_alts]).toEqual([200, { en: { [A]: 'Mine' } }])
  expect(await altsOf(id)).toEqual(['Mine', 'Back'])
  // texts of other pictures stay
  expect((await patch({ en: { [B]: 'My back' }, 'de-de': { [A]: 'Meins' } })).body.data.image_alts).toEqual({
    en: { [A]: 'Mine', [B]: 'My back' },
    'de-DE': { [A]: 'Meins' },
  })
  expect((await patch({ en: { [A]: null } })).body.data.image_alts).toEqual({
    en: { [B]: 'My back' },
    'de-DE': { [A]: 'Meins' },
  })
  expect(await altsOf(id)).toEqual(['Theirs', 'My back'])
  expect((await patch({ en: { [B]: null } })).body.data.image_alts).toEqual({ 'de-DE': { [A]: 'Meins' } })
  const explained = (await read(`/v1/products/${id}/explain`)).body.data.images.states
  expect(explained).toMatchObject([
    { url: A, copy: null, alt: { value: 'Theirs', source: { from: 'supplier', supplier_sku: 'ALT-4', locale: 'en' } } },
    { url: B, alt: { value: 'Back' } },
  ])
  expect((await patch({ en: { [A]: '' } })).status).toBe(422)
  expect(faultsOf(await patch({ en: { [A]: 'x'.repeat(1_001) } }))).toEqual([
    `image_alts.en.${A} must have at most 1000 characters`,
  ])
  expect((await patch(null)).body.data.image_alts).toEqual({})
  await expectAudited(database.db, account.accountId)
})

test('a bulk sets the texts of a language as a whole', async () => {
  const id = await productOf('ALT-5', { images: [A, B] })
  const bulk = async (row: object) => {
    const rows = [{ product_id: id, field: 'image_alts', ...row }]
    const { status, body } = await send('POST', '/bulk/overrides', { rows })
    expect(status).toBe(200)
    return (body.data as { status: string }[]).map((one) => one.status)
  }
  expect(await bulk({ locale: 'en', value: { [B]: 'Back', [A]: 'Front' } })).toEqual(['created'])
  expect(await bulk({ locale: 'en', value: { [A]: 'Front', [B]: 'Back' } })).toEqual(['unchanged'])
  expect(await altsOf(id)).toEqual(['Front', 'Back'])
  expect(await bulk({ locale: 'en', value: { [A]: 'New' }, expected: { [A]: 'Front', [B]: 'Back' } })).toEqual([
    'changed',
  ])
  expect(await altsOf(id)).toEqual(['New', null])
  expect(await bulk({ value: { [A]: 'New' } })).toEqual(['failed'])
  expect(await bulk({ locale: 'en', value: null })).toEqual(['changed'])
  expect(await altsOf(id)).toEqual([null, null])
})

test('what our copy is, is known when it is there, and is announced with it; of a dead picture nothing is left', async () => {
  await turnMirrorOn(database.db, account.accountId)
  const id = await productOf('ALT-6', { images: [A, B], image_alts: { en: { [B]: 'Back' } } })
  expect((await shown(id)).image_details).toEqual([UNKNOWN, { ...UNKNOWN, alt: 'Back' }])
  const record = async (url: string, outcome: Parameters<typeof recordAs>[3]) => {
    await writeAndShelve(service.runtime, account.accountId, (tx) => recordAs(tx, account.accountId, url, outcome))
  }
  const cursor = (await read('/v1/changes?since=now')).body as { next_since: string; next_id: number }
  await record(B, pictureOf('two', { width: 640, height: 480 }))
  const { images, image_details: details } = await shown(id)
  const { hash } = pictureOf('two') as { hash: string }
  expect(images).toEqual([A, shownOf('two')])
  expect(details).toEqual([
    UNKNOWN,
    { alt: 'Back', width: 640, height: 480, type: 'image/png', hash, is_mirrored: true },
  ])
  const { changes } = (
    await read(`/v1/changes?since=${encodeURIComponent(cursor.next_since)}&since_id=${cursor.next_id}`)
  ).body as { changes: { product_id: number; change_types: string[] }[] }
  expect(changes.filter((change) => change.product_id === id)).toMatchObject([{ change_types: ['content'] }])
  await record(A, { kind: 'gone', reason: 'not_found' })
  expect((await shown(id)).image_details).toEqual([details[1]])
  // two originals with the same bytes are one picture
  await record(A, pictureOf('two', { width: 640, height: 480 }))
  expect(await shown(id)).toMatchObject({ images: [shownOf('two')], image_details: [details[1]] })
  await expectAudited(database.db, account.accountId)
})

test('an offer without texts, and one that clears them, have the hash that they had before there were texts', async () => {
  await giveOffers(service.runtime, account, [offer('ALT-7', { images: [A] })])
  const hashes = async () => {
    const [row] = await database.db<{ hash: string; alts: unknown }[]>`
      select o.feed_hash as hash, c.image_alts as alts from offer o join offer_content c using (account_id, supplier_id, supplier_sku)
      where o.account_id = ${account.accountId} and o.supplier_sku = 'ALT-7' and c.account_id = ${account.accountId}`
    return row
  }
  const before = await hashes()
  expect(before?.alts).toBe(null)
  await giveOffers(service.runtime, account, [offer('ALT-7', { images: [A], imageAlts: { en: { [A]: 'Front' } } })])
  expect((await hashes())?.hash).not.toBe(before?.hash)
  await giveOffers(service.runtime, account, [offer('ALT-7', { images: [A], imageAlts: null })])
  expect((await hashes())?.alts).toBe(null)
  await giveOffers(service.runtime, account, [offer('ALT-7', { images: [A] })])
  expect(await hashes()).toEqual(before)
})

test('a group says which variants each of its pictures is for, as they are now', async () => {
  const group = { key: 'TEE', title: {}, options: [] }
  const box = 'https://img.example/box.jpg'
  const red = await productOf('RED', { group: { ...group, position: 1 }, images: [A, box] })
  const blue = await productOf('BLUE', {
    group: { ...group, position: 2 },
    images: [B, box],
    image_alts: { en: { [box]: 'In its box' } },
  })
  const { group: of } = (await read(`/v1/products/${red}`)).body.data as { group: { id: number } }
  const pictures = async (query = '') =>
    ((await read(`/v1/groups/${of.id}?${query}`)).body.data as { images: unknown }).images
  const expected = [
    { url: A, product_ids: [red], first_of: [red], details: UNKNOWN },
    { url: box, product_ids: [red, blue], first_of: [], details: { ...UNKNOWN, alt: 'In its box' } },
    { url: B, product_ids: [blue], first_of: [blue], details: UNKNOWN },
  ]
  expect(await pictures()).toEqual(expected)
  // the pictures of all products of the group, whichever are on the page
  expect(await pictures('per_page=1&fields=sku')).toEqual(expected)
  await send('PATCH', north('RED'), { images: [B] })
  expect(await pictures()).toMatchObject([
    { url: B, product_ids: [red, blue], first_of: [red, blue] },
    { url: box, product_ids: [blue] },
  ])
  await send('PATCH', '', { additional_members: [] })
  expect(await pictures()).toEqual([
    { url: B, product_ids: [red, blue], first_of: [red, blue] },
    { url: box, product_ids: [blue], first_of: [] },
  ])
})
