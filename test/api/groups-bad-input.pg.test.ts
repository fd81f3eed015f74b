import { expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, expectAudited, giveOffers, offer } from '../harness/account.ts'
import { client, tokenFor } from '../harness/service.ts'
import { account, database, offers, read, send, service, setUp } from './full-access-account.ts'

// Contradictory or invalid input about variant groups, from suppliers and owners: each has a defined answer, and nothing is written in part.

setUp()

const EANS = ['4006381333931', '96385074', '4000539002502', '5901234123457'] as const
const tee = (size: string | null, key = 'tee') => ({
  key,
  title: { en: `Group ${key}` },
  options: size === null ? [] : [{ key: 'size', label: 'Size', value: size }],
})
/** Puts an offer of a supplier over HTTP. @returns the id of its product */
async function state(supplier: string, sku: string, body: object): Promise<number> {
  const given = { cost: '10', quantity: 1, texts: { en: { title: `Article ${sku}` } }, ...body }
  const { status, body: answer, text } = await send('PUT', `/suppliers/${supplier}/offers/${sku}`, given)
  expect([200, 201], text).toContain(status)
  return (answer.data as { product_id: number }).product_id
}

interface Listed {
  id: number
  key: string
  products: number
  leading_product_id: number
}
interface Shown {
  id: number
  excluded: boolean
  group?: { id: number; options: { value: string }[] }
}
const groups = async () => (await read('/v1/groups')).body.data as Listed[]
const productsOf = async (id: number, page = 1) =>
  ((await read(`/v1/groups/${id}?per_page=200&page=${page}`)).body.data as { products: Shown[] }).products
/** The product ids of each group, in the order of the lists. */
const members = async () =>
  Promise.all((await groups()).map(async ({ id }) => (await productsOf(id)).map((product) => product.id)))
const groupOf = async (id: number) => ((await read(`/v1/products/${id}`)).body.data as Shown).group
/** Everything about groups that the account's resources and its stores show. */
const everything = async () => ({
  groups: await groups(),
  members: await members(),
  byHand: (await send('GET', '/variant-groups')).body.data as unknown,
})
/** The answer to a request that must be refused; fails if it has changed any group. */
async function refused(method: string, path: string, body: object) {
  const before = await everything()
  const { status, body: problem } = await send(method, path, body)
  expect(await everything()).toEqual(before)
  const errors = (problem.errors ?? []) as { name: string; reason: string }[]
  return [status, problem.code, errors.map(({ name, reason }) => `${name} ${reason}`)]
}
/** The products that the feed of the first store announces after `work`, in order. */
async function announcedBy(work: () => Promise<unknown>): Promise<number[]> {
  const { next_since: since, next_id: id } = (await read('/v1/changes?since=now')).body
  await work()
  const { changes } = (await read(`/v1/changes?since=${encodeURIComponent(since)}&since_id=${id}`)).body
  for (const { change_types: types } of changes) expect(types).toEqual(['content'])
  return (changes as { product_id: number }[]).map((change) => change.product_id).toSorted((a, b) => a - b)
}

test('two variants with the same options are both shown, and a finding names them', async () => {
  const [a, b] = [await state('north', 'A', { group: tee('M') }), await state('north', 'B', { group: tee('M') })]
  const without = await state('north', 'C', { group: tee(null) })
  expect(await members()).toEqual([[a, b, without]])
  const { variants_alike: alike, variants_without_options: lacking } = (await send('GET', '/findings')).body.data
  const of = { supplier: 'north', group_key: 'tee', variant_group_id: (await groups())[0]?.id }
  expect(alike).toEqual([{ ...of, options: ['size: M'], product_ids: [a, b] }])
  expect(lacking).toEqual([{ ...of, product_id: without, missing: ['size'] }])
  await state('north', 'B', { group: tee('L') })
  expect((await send('GET', '/findings')).body.data.variants_alike).toEqual([])
})

test('an option that two suppliers of a group spell differently stays two options, and a finding names both', async () => {
  const cased = (key: string) => ({ ...tee(null), options: [{ key, value: key }] })
  const a = await state('north', 'A', { eans: ['4006381333931'], group: cased('Size') })
  await state('south', '1', { eans: ['4006381333931'], group: cased('size ') })
  const b = await state('south', '2', { group: cased('size ') })
  expect(await members()).toEqual([[a, b]])
  expect((await send('GET', '/findings')).body.data.variant_options_twice).toEqual([
    {
      variant_group_id: (await groups())[0]?.id,
      key: 'size',
      suppliers: ['south'],
      product_ids: [b],
      usual_key: 'Size',
      usual_suppliers: ['north'],
    },
  ])
  await state('south', '2', { group: cased('Size') })
  expect((await send('GET', '/findings')).body.data.variant_options_twice).toEqual([])
})

test('no group has products of two accounts, whatever either says', async () => {
  const [a = 0, b = 0] = await offers('A', 'B')
  const other = await createAccount(service.runtime, 'other')
  const [foreign = 0] = await giveOffers(service.runtime, other, [offer('A', { group: { ...tee('M'), position: 1 } })])
  const theirs = client(service.url, await tokenFor(service.runtime, other.accountId))
  const theirGroup = ((await theirs(`/v1/products/${foreign}`)).body.data as Shown).group?.id ?? 0
  // the same key, EAN and SKU in another account have no effect here
  const own = await state('north', 'A', { group: tee('M') })
  expect(own).toBe(a)
  expect((await groupOf(a))?.id).not.toBe(theirGroup)
  const unknown = [422, 'invalid-input', [`products.1.product_id the account has no product ${foreign}`]]
  const products = [{ product_id: a }, { product_id: foreign }]
  expect(await refused('POST', '/variant-groups', { products })).toEqual(unknown)
  const made = (await send('POST', '/variant-groups', { products: [{ product_id: b }] })).body.data as { id: number }
  expect(await refused('PATCH', `/variant-groups/${made.id}`, { title: { en: 'x' }, products })).toEqual(unknown)
  expect(await refused('POST', '/ungroup', { product_ids: [a, foreign] })).toEqual([
    422,
    'invalid-input',
    [`product_ids.1 the account has no product ${foreign}`],
  ])
  expect((await read(`/v1/groups/${theirGroup}`)).status).toBe(404)
  expect((await send('PATCH', `/variant-groups/${theirGroup}`, { title: { en: 'x' } })).status).toBe(404)
  expect((await theirs(`/v1/groups/${theirGroup}`)).body.data.products).toMatchObject([{ id: foreign }])
})

test('a group by hand has 1,000 products and no more; of a larger one of a supplier the first are listed', async () => {
  const count = LIMITS.groupProductsMax + 1
  const ids = await giveOffers(
    service.runtime,
    account,
    Array.from({ length: count }, (_, i) =>
      offer(`V${String(i).padStart(4, '0')}`, { group: { ...tee(String(i)), position: i } }),
    ),
  )
  const [last = 0] = ids.slice(-1)
  const [group] = await groups()
  expect(group).toMatchObject({ products: count - 1, leading_product_id: ids[0] })
  const listed = []
  for (let page = 1; page <= 6; page++) listed.push(...(await productsOf(group?.id ?? 0, page)).map(({ id }) => id))
  expect(listed).toEqual(ids.slice(0, -1))
  // the product beyond the limit still names its group
  expect(await groupOf(last)).toMatchObject({ id: group?.id, options: [{ value: String(count - 1) }] })

  const products = ids.map((id) => ({ product_id: id }))
  expect(await refused('POST', '/variant-groups', { products })).toEqual([
    422,
    'invalid-input',
    [expect.stringContaining('at most 1000')],
  ])
  const answer = await send('POST', '/variant-groups', { products: products.slice(0, -1) })
  expect([201, 202]).toContain(answer.status)
  await service.runtime.shelf.drain(account.accountId)
  const [first, second] = await groups()
  // the product that was not taken into the owner's group stays in the supplier's
  expect([first, second]).toMatchObject([
    { id: group?.id, products: 1, leading_product_id: last },
    { products: count - 1, leading_product_id: ids[0] },
  ])
  expect(await refused('PATCH', `/variant-groups/${second?.id}`, { products })).toEqual([
    422,
    'invalid-input',
    [expect.stringContaining('at most 1000')],
  ])
  await expectAudited(database.db, account.accountId)
})

test('an article that a supplier moves leaves its group for the other one, and no other product is announced', async () => {
  const [a, b, c] = [
    await state('north', 'A', { group: tee('S') }),
    await state('north', 'B', { group: tee('M') }),
    await state('north', 'C', { group: tee('M', 'shirt') }),
  ]
  const [tees, shirts] = await groups()
  expect(await announcedBy(() => state('north', 'B', { group: tee('M', 'shirt') }))).toEqual([b])
  expect([await members(), (await groups()).map(({ id }) => id)]).toEqual([
    [[a], [b, c]],
    [tees?.id, shirts?.id],
  ])
  // a key that does not exist yet, and no group
  expect(await announcedBy(() => state('north', 'B', { group: tee('M', 'new') }))).toEqual([b])
  expect(await members()).toEqual([[a], [c], [b]])
  expect(await announcedBy(() => state('north', 'B', { group: null }))).toEqual([b])
  expect(await members()).toEqual([[a], [c]])
  // a group without products no longer exists
  await state('north', 'A', { group: null })
  expect((await groups()).map(({ id }) => id)).toEqual([shirts?.id])
  expect((await read(`/v1/groups/${tees?.id}`)).status).toBe(404)
  await expectAudited(database.db, account.accountId)
})

test('where two suppliers group the same articles differently, all that either says together is one group until it is not', async () => {
  const [first, second, third] = EANS
  const dear = { cost: '400' }
  const a = await state('north', 'N1', { eans: [first], group: tee('S', 'north tee') })
  const b = await state('north', 'N2', { eans: [second], group: tee('M', 'north tee') })
  const c = await state('north', 'N3', { eans: [third], group: tee('L', 'north shirt') })
  const [tees, shirts] = await groups()
  // the other supplier's EANs make the second and the third one product
  expect(await state('south', 'S2', { ...dear, eans: [second], group: tee('medium', 'south') })).toBe(b)
  expect(
    await announcedBy(() => state('south', 'S3', { ...dear, eans: [third], group: tee('large', 'south') })),
  ).toEqual([c])
  expect(await members()).toEqual([[a, b, c]])
  expect((await groups()).map(({ id }) => id)).toEqual([tees?.id])
  // each product has the key and options of its first supplier
  expect(await groupOf(c)).toMatchObject({ key: 'north shirt', options: [{ value: 'L' }] })
  const gone = await read(`/v1/groups/${shirts?.id}`)
  expect([gone.status, gone.body.code]).toEqual([404, 'unknown-variant-group'])
  // the supplier takes that back: the larger part keeps the id of the group
  expect(await announcedBy(() => state('south', 'S3', { ...dear, eans: [third], group: null }))).toEqual([c])
  expect(await members()).toEqual([[a, b], [c]])
  expect((await groups()).map(({ id }) => id)).toEqual([tees?.id, (await groupOf(c))?.id])
  await expectAudited(database.db, account.accountId)
})

test('a group of which all products are excluded is shown with them', async () => {
  const [a, b] = [await state('north', 'A', { group: tee('S') }), await state('north', 'B', { group: tee('M') })]
  const before = await groups()
  const rows = [a, b].map((id) => ({ product_id: id, store: null, reason: 'not now' }))
  expect((await send('POST', '/bulk/exclusions', { rows })).status).toBe(200)
  expect(await groups()).toEqual(before)
  const [group] = before
  expect(await productsOf(group?.id ?? 0)).toMatchObject([
    { id: a, excluded: true, group: { id: group?.id } },
    { id: b, excluded: true, group: { id: group?.id } },
  ])
  // a group does not show products that the store does not list
  expect((await send('PATCH', `/products/${a}`, { listings: { main: false } })).status).toBe(200)
  expect(await groups()).toMatchObject([{ id: group?.id, products: 1, leading_product_id: b }])
  expect((await send('PATCH', `/products/${b}`, { listings: { main: false } })).status).toBe(200)
  expect([await groups(), (await read(`/v1/groups/${group?.id}`)).status]).toEqual([[], 404])
  expect(((await read('/v1/groups?store=de')).body.data as Listed[]).map(({ id }) => id)).toEqual([group?.id])
})
