import { beforeAll, expect, test } from 'vitest'
import type { CATALOG_ROUTES } from '../../contract/routes/catalog.ts'
import { createGroup } from '../../src/catalog/settings/stores/groups.ts'
import { setAttributeDefinitions } from '../../src/catalog/settings/content/attribute-definitions.ts'
import { createStore } from '../../src/catalog/settings/stores/stores.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { client, tokenFor, type Answer } from '../harness/service.ts'
import { catalogRoutes } from './documented.ts'
import { worldOfFile } from '../harness/world.ts'

/** An account with every text and id by which it could be recognised in another account's answers. */
interface Tenant {
  name: string
  account: TestAccount
  get: (path: string, init?: RequestInit) => Promise<Answer>
  ids: number[]
  skus: string[]
  eans: string[]
  slugs: string[]
  groups: number[]
  cursors: string[]
  etags: string[]
  /** Texts that every payload of this account contains, and no other account's. */
  markers: string[]
}

const PRODUCTS = 12
const { service } = worldOfFile({ service: {} })
let tenants: [Tenant, Tenant, Tenant]

/** Opens an account. All are alike except for the name, which is part of all their texts. */
async function openTenant(name: string, products: number): Promise<Tenant> {
  const { runtime } = service
  const account = await createAccount(runtime, name)
  const { accountId } = account
  const slug = `shop-of-${name}`
  await runtime.shelf.write(accountId, async (tx) => {
    await createStore(tx, accountId, { slug, name: `Store ${name}`, locale: 'en', currency: 'EUR' })
    await createGroup(tx, accountId, `Group ${name}`)
    await setAttributeDefinitions(tx, accountId, [{ key: 'color', unit: `unit ${name}`, position: 0, labels: {} }])
    return { productIds: [] }
  })
  await runtime.shelf.drain(accountId)
  const skus = Array.from({ length: products }, (_, i) => (i === 0 ? 'SHARED' : `SKU-${name}-${i}`))
  const eans = skus.map((_, i) => (i === 0 ? '4006381333931' : `${name.length}${name.charCodeAt(0)}${1_000 + i}`))
  const ids = await giveOffers(
    runtime,
    account,
    skus.map((sku, i) =>
      offer(sku, {
        eans: [eans[i] ?? ''],
        manufacturer: `Maker ${name}`,
        texts: { en: { title: `Title ${name} ${i}`, description: `About ${name}` } },
        attributes: [{ key: 'color', value: `value ${name}` }],
        images: [`https://images.example.com/${name}/${i}.jpg`],
        group: { key: 'SHARED', title: { en: `Group ${name}` }, options: [], position: i },
      }),
    ),
  )
  const get = client(service.url, await tokenFor(runtime, accountId))
  const head = (await get('/v1/changes?since=now')).body
  const middle = (await get('/v1/changes?limit=3')).body
  const groups = ((await get('/v1/groups')).body.data as { id: number }[]).map(({ id }) => id)
  return {
    name,
    account,
    get,
    ids,
    skus,
    eans,
    groups,
    slugs: ['main', 'de', 'pl', slug],
    cursors: [head, middle]
      .filter((cursor) => cursor !== undefined)
      .map((cursor) => `since=${encodeURIComponent(cursor.next_since)}&since_id=${cursor.next_id}`),
    etags: (await Promise.all(['/v1/products', '/v1/stores', '/v1/changes'].map((path) => get(path)))).map(
      (answer) => answer.headers.get('etag') ?? '',
    ),
    markers: [
      `Store ${name}`,
      `Group ${name}`,
      `unit ${name}`,
      `Maker ${name}`,
      `Title ${name}`,
      `About ${name}`,
      `value ${name}`,
      `/${name}/`,
      `SKU-${name}`,
      slug,
    ],
  }
}

beforeAll(async () => {
  tenants = [await openTenant('alder', PRODUCTS), await openTenant('birch', PRODUCTS), await openTenant('hostile', 0)]
})

type RouteId = Exclude<(typeof CATALOG_ROUTES)[number]['id'], 'exportProducts'>

const inStores = (path: string, { slugs }: Tenant) =>
  ['', ...slugs].map((slug) => path + (slug === '' ? '' : `${path.includes('?') ? '&' : '?'}store=${slug}`))
const lists = (route: string, of: Tenant) =>
  [
    `${route}?per_page=200`,
    `${route}?page=2&per_page=5`,
    `${route}?after_id=0`,
    ...of.ids.slice(0, 2).map((id) => `${route}?after_id=${id - 1}`),
    `${route}?ids=${[...of.ids, 1].join()}`,
  ].flatMap((path) => inStores(path, of))

/** For each route the requests that name resources of `of`. A route without a case does not compile. */
const CASES: Readonly<Record<RouteId, (of: Tenant) => string[]>> = {
  listProducts: (of) => [
    ...lists('/v1/products', of),
    ...of.skus.flatMap((sku) => inStores(`/v1/products?sku=${sku}`, of)),
    ...of.eans.flatMap((ean) => inStores(`/v1/products?ean=${ean}`, of)),
  ],
  getProduct: (of) => of.ids.flatMap((id) => inStores(`/v1/products/${id}`, of)),
  listPrices: (of) => lists('/v1/prices', of),
  getPrices: (of) => of.ids.flatMap((id) => inStores(`/v1/prices/${id}`, of)),
  listStores: (of) => [
    '/v1/stores',
    `/v1/stores?account_id=${of.account.accountId}`,
    `/v1/stores?store=${of.slugs[3]}`,
  ],
  listCustomerGroups: (of) => ['/v1/customer-groups', `/v1/customer-groups?account_id=${of.account.accountId}`],
  listVariantGroups: (of) =>
    ['/v1/groups', ...of.groups.map((id) => `/v1/groups?after_id=${id - 1}`)].flatMap((path) => inStores(path, of)),
  getVariantGroup: (of) => of.groups.flatMap((id) => inStores(`/v1/groups/${id}`, of)),
  listCategories: (of) => inStores('/v1/categories', of),
  listChanges: (of) =>
    ['/v1/changes', '/v1/changes?since=now', ...of.cursors.map((cursor) => `/v1/changes?${cursor}`)].flatMap((path) =>
      inStores(path, of),
    ),
  listDigests: (of) => ['/v1/digest', '/v1/digest?half=price&limit=1'].flatMap((path) => inStores(path, of)),
  listProductTags: (of) =>
    ['/v1/digest/products', ...of.ids.map((id) => `/v1/digest/products?after_id=${id - 1}&limit=1`)].flatMap((path) =>
      inStores(path, of),
    ),
  // the POST of mirror checks is tested in test/feed/mirror-checks.pg.test.ts
  listMirrorChecks: () => ['/v1/digest/checks'],
}

/** Routes whose answers have only numbers, which are compared below. */
const WITHOUT_WORDS = new Set(['listChanges', 'listDigests', 'listProductTags', 'listMirrorChecks'])

test('every route has its case, and its owner does see what it names', async () => {
  expect(Object.keys(CASES).sort()).toEqual(catalogRoutes.map(({ id }) => id).sort())
  const [alder] = tenants
  for (const [id, requests] of Object.entries(CASES)) {
    const answers = await Promise.all(requests(alder).map((path) => alder.get(path)))
    expect([id, answers.every((answer) => answer.status === 200)]).toEqual([id, true])
    if (WITHOUT_WORDS.has(id)) continue
    expect([id, answers.some((answer) => alder.markers.some((marker) => answer.text.includes(marker)))]).toEqual([
      id,
      true,
    ])
  }
  const everything =
    (await alder.get(`/v1/products?store=${alder.slugs[3]}`)).text + (await alder.get('/v1/stores')).text
  for (const marker of alder.markers) expect(everything).toContain(marker)
})

/** Ids of products in a body, whatever its shape. */
function productIds(body: unknown): number[] {
  const { data = [], changes = [] } = body as {
    data?: { id: number } | { id: number }[]
    changes?: { product_id: number }[]
  }
  return [...[data].flat().map((row) => row.id), ...changes.map((change) => change.product_id)]
}

test('with another’s token nothing of an account is seen, whatever is named', async () => {
  let tried = 0
  for (const reader of tenants) {
    for (const owner of tenants.filter((tenant) => tenant !== reader)) {
      for (const [id, requests] of Object.entries(CASES)) {
        const answers = await Promise.all(requests(owner).map(async (path) => ({ path, ...(await reader.get(path)) })))
        tried += answers.length
        for (const { path, status, text, body } of answers) {
          expect([path, [200, 404, 410].includes(status)]).toEqual([path, true])
          // a problem may repeat parts of the request
          const told = owner.markers.filter((marker) => text.includes(marker) && !path.includes(marker))
          expect([path, told]).toEqual([path, []])
          if (id === 'listVariantGroups' && status === 200)
            expect([path, body.data.filter((group: { id: number }) => owner.groups.includes(group.id))]).toEqual([
              path,
              [],
            ])
          if (
            ['listStores', 'listCustomerGroups', 'listVariantGroups', 'listCategories'].includes(id) ||
            status !== 200
          )
            continue
          if (id === 'listDigests') {
            // a block of 1,024 ids belongs to one account
            const own = new Set(reader.ids.map((one) => Math.floor(one / 1_024)))
            const seen = ((body.data ?? []) as { block: number }[]).map(({ block }) => block)
            expect([path, seen.filter((block) => !own.has(block))]).toEqual([path, []])
            continue
          }
          expect([path, productIds(body).filter((one) => !reader.ids.includes(one))]).toEqual([path, []])
          if (body.meta?.total !== undefined) expect(body.meta.total).toBeLessThanOrEqual(reader.ids.length)
        }
      }
    }
  }
  expect(tried).toBeGreaterThan(800)
})

test('what belongs to another is answered exactly like what does not exist', async () => {
  for (const reader of tenants) {
    for (const owner of tenants.filter((tenant) => tenant !== reader)) {
      for (const id of owner.ids) {
        for (const route of ['/v1/products', '/v1/prices']) {
          const [theirs, nobodys] = [await reader.get(`${route}/${id}`), await reader.get(`${route}/999999999`)]
          expect([theirs.status, theirs.text]).toEqual([404, nobodys.text])
          expect((await reader.get(`${route}?ids=${id}`)).text).toBe((await reader.get(`${route}?ids=999999999`)).text)
        }
      }
      for (const sku of owner.skus.slice(1))
        expect((await reader.get(`/v1/products?sku=${sku}`)).text).toBe(
          (await reader.get('/v1/products?sku=none')).text,
        )
      for (const ean of owner.eans.slice(1))
        expect((await reader.get(`/v1/products?ean=${ean}`)).text).toBe((await reader.get('/v1/products?ean=1')).text)
      const slug = owner.slugs[3] ?? ''
      const unknown = (await reader.get(`/v1/products?store=nobodys`)).text
      expect((await reader.get(`/v1/products?store=${slug}`)).text.replaceAll(slug, 'nobodys')).toBe(unknown)
      for (const etag of owner.etags) {
        for (const path of ['/v1/products', '/v1/stores', '/v1/changes']) {
          expect((await reader.get(path, { headers: { 'if-none-match': etag } })).status).toBe(200)
        }
      }
    }
  }
})

test('a shared SKU and EAN give each account its own product', async () => {
  const [alder, birch, hostile] = tenants
  for (const query of ['sku=SHARED', 'ean=4006381333931']) {
    expect(productIds((await alder.get(`/v1/products?${query}`)).body)).toEqual([alder.ids[0]])
    expect(productIds((await birch.get(`/v1/products?${query}`)).body)).toEqual([birch.ids[0]])
    expect(productIds((await hostile.get(`/v1/products?${query}`)).body)).toEqual([])
  }
})

test('requests of several accounts that are answered together do not mix', async () => {
  const rounds = Array.from({ length: 300 }, (_, i) => {
    const reader = tenants[i % 3]!
    const owner = tenants[i % 2]!
    const id = owner.ids[i % PRODUCTS] ?? 0
    return reader.get(`/v1/products/${id}`).then((answer) => ({ answer, reader, owner, id }))
  })
  for (const { answer, reader, owner, id } of await Promise.all(rounds)) {
    expect([answer.status, answer.body.data?.id]).toEqual(reader === owner ? [200, id] : [404, undefined])
    if (reader === owner) expect(answer.body.data.manufacturer).toBe(`Maker ${reader.name}`)
  }
})

test('totals and change numbers do not depend on what others do', async () => {
  const [alder, birch] = tenants
  const numbers = async ({ get }: Tenant) => {
    const [feed, page] = [(await get('/v1/changes?since=now')).body, (await get('/v1/products')).body]
    return { next_id: feed.next_id, meta: page.meta }
  }
  const before = await numbers(alder)
  for (let round = 0; round < 3; round++) {
    await giveOffers(
      service.runtime,
      birch.account,
      Array.from({ length: 40 }, (_, i) => offer(`more-${i}`, { cost: `${10 + round}` })),
    )
  }
  expect(await numbers(alder)).toEqual(before)
  // a new account with the same history as alder has the same numbers
  const cedar = await openTenant('cedar', PRODUCTS)
  expect(await numbers(cedar)).toEqual(before)
  expect(cedar.ids.map((id) => id - cedar.ids[0]!)).toEqual(alder.ids.map((id) => id - alder.ids[0]!))
  expect((await birch.get('/v1/products')).body.meta.total).toBe(PRODUCTS + 40)
})
