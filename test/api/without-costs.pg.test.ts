import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { CATALOG_ROUTES } from '../../contract/routes/catalog.ts'
import { ROUTES } from '../../contract/routes.ts'
import { createToken } from '../../src/accounts/create-token.ts'
import { createGroup } from '../../src/catalog/settings/stores/groups.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { createAccount, giveOffers, offer, writeAndShelve, type TestAccount } from '../harness/account.ts'
import { client, tokenFor, type Client } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// A token without costs reads the same answers as others, except for the purchase prices, on every route.

const { service } = worldOfFile({ service: {} })
const PLAIN = { 'accept-encoding': 'identity' }
/** A cost whose digits occur nowhere else in an answer. */
const COST = '7.31'
const IN_ZLOTY = '29.24'
/** Texts that contain the member `base_cost` in the form that it has in JSON. */
const AWKWARD = [',"base_cost":1', '","base_cost":5,"x":"', '\\",\\"base_cost\\":3', '}],"base_cost":2', '\\']

let account: TestAccount
let ids: number[]
let tokens: { sees: string; blind: string }
let sees: Client
let blind: Client

const blindToken = (accountId: number) =>
  inTransaction(service.runtime.db, (tx) => createToken(tx, { accountId, access: 'connector', seesCosts: false }))

/** An offer whose texts contain the AWKWARD text number `i`. */
const article = (i: number, cost: string | null) => {
  const text = AWKWARD[i] ?? ''
  return offer(`${text}S${i}`, {
    cost,
    eans: ['4006381333931'],
    texts: { en: { title: `${text}T`, description: `${text}<b a="1">${text}` } },
    manufacturer: text,
    attributes: [{ key: 'base_cost', value: text }],
    group: { key: text, title: { en: text }, options: [{ key: 'base_cost', label: null, value: text }], position: i },
  })
}

beforeAll(async () => {
  const { runtime } = service
  account = await createAccount(runtime)
  const { accountId } = account
  await writeAndShelve(runtime, accountId, async (tx) => {
    for (const [i, text] of AWKWARD.entries()) await createGroup(tx, accountId, `${text}${i}`)
  })
  ids = await giveOffers(
    runtime,
    account,
    AWKWARD.map((_, i) => article(i, i === 4 ? null : COST)),
  )
  const full = await tokenFor(runtime, accountId, 'full')
  const http = client(service.url, full)
  // a price that does not depend on the cost
  const made = await http('/v1/account/pricing-rules', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Fixed', action: 'fixed', fixed_price: '50', product_ids: [ids[0]], priority: 1 }),
  })
  expect([made.status, made.text]).toEqual([201, made.text])
  await runtime.shelf.drain(accountId)
  tokens = { sees: await tokenFor(runtime, accountId), blind: (await blindToken(accountId)).token }
  sees = client(service.url, tokens.sees)
  blind = client(service.url, tokens.blind)
})

const stores = (path: string) =>
  ['main', 'de', 'pl'].map((slug) => `${path}${path.includes('?') ? '&' : '?'}store=${slug}`)
const choices = (path: string) =>
  ['', 'prices', 'title,prices,stock', 'title'].map((fields) =>
    fields === '' ? path : `${path}${path.includes('?') ? '&' : '?'}fields=${fields}`,
  )

type RouteId = (typeof CATALOG_ROUTES)[number]['id']

/** For each route the requests that such a token may send. A route without a case does not compile. */
const CASES: Readonly<Record<RouteId, () => Promise<string[]> | string[]>> = {
  listProducts: () =>
    [
      '/v1/products?per_page=200',
      '/v1/products?page=2&per_page=2',
      '/v1/products?after_id=0&per_page=3',
      `/v1/products?ids=${ids.toReversed().join()}`,
      `/v1/products?sku=${encodeURIComponent(`${AWKWARD[0]}S0`)}`,
      '/v1/products?ean=4006381333931',
    ].flatMap(choices),
  getProduct: () => ids.flatMap((id) => choices(`/v1/products/${id}`)),
  listPrices: () => [
    '/v1/prices?per_page=200',
    '/v1/prices?page=2&per_page=2',
    '/v1/prices?after_id=0',
    `/v1/prices?ids=${ids.join()}`,
  ],
  getPrices: () => ids.map((id) => `/v1/prices/${id}`),
  listStores: () => ['/v1/stores'],
  listCustomerGroups: () => ['/v1/customer-groups'],
  listVariantGroups: () => ['/v1/groups'],
  async getVariantGroup() {
    const groups = (await sees('/v1/groups')).body.data as { id: number }[]
    expect(groups).toHaveLength(AWKWARD.length)
    return groups.flatMap(({ id }) => choices(`/v1/groups/${id}`))
  },
  listCategories: () => ['/v1/categories'],
  listChanges: () => ['/v1/changes', '/v1/changes?since=now', ...choices('/v1/changes?expand=products')],
  exportProducts: () => choices('/v1/export'),
  listDigests: () => ['/v1/digest?half=content'],
  listProductTags: () => ['/v1/digest/products?half=content'],
  listMirrorChecks: () => ['/v1/digest/checks'],
}

/** Reads an answer as text, because an export in lines is not JSON. */
const read = async (who: keyof typeof tokens, path: string, headers: Record<string, string>) => {
  const answer = await fetch(service.url + path, {
    headers: { ...PLAIN, ...headers, authorization: `Bearer ${tokens[who]}` },
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** A value of an answer with every `base_cost` removed. */
const cut = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(cut)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'base_cost')
  return Object.fromEntries(members.map(([name, inner]) => [name, cut(inner)]))
}

test('whatever it reads is the answer of other tokens without base_cost, and no purchase price is anywhere in it', async () => {
  const reading = ROUTES.filter(({ access, method }) => access === 'connector' && method === 'get').map(({ id }) => id)
  expect(Object.keys(CASES).sort()).toEqual(reading.sort())
  const withCosts = new Set<string>()
  for (const [id, requests] of Object.entries(CASES))
    for (const path of (await requests()).flatMap(stores))
      for (const accept of id === 'exportProducts' ? ['application/json', 'application/x-ndjson'] : ['*/*']) {
        const headers = { accept }
        const whole = await read('sees', path, headers)
        const part = await read('blind', path, headers)
        expect([path, whole.status, part.status]).toEqual([path, 200, 200])
        const lines = (text: string) => (accept.endsWith('ndjson') ? text.split('\n').filter(Boolean) : [text])
        const wanted = lines(whole.text).map((line) => JSON.stringify(cut(JSON.parse(line))))
        // no other bytes differ, except for ends of lines in an export
        expect([path, lines(part.text).map((line) => line.replaceAll('\n', ''))]).toEqual([path, wanted])
        for (const digits of [COST, IN_ZLOTY])
          expect([path, part.text.includes(digits), [...part.headers].join().includes(digits)]).toEqual([
            path,
            false,
            false,
          ])
        if (whole.text !== part.text) withCosts.add(id)
        // answers that differ have different ETags; equal answers are 304 by the ETag of either token
        const [theirs, own] = [whole.headers.get('etag') ?? '', part.headers.get('etag') ?? '']
        const isOther = whole.text !== part.text || id === 'exportProducts'
        expect([path, theirs === own]).toEqual([path, !isOther])
        const again = async (known: string) =>
          (await read('blind', path, { ...headers, 'if-none-match': known })).status
        expect([path, await again(theirs), await again(own)]).toEqual([path, isOther ? 200 : 304, 304])
      }
  // the routes whose answers have costs
  expect([...withCosts].sort()).toEqual(
    [
      'exportProducts',
      'getPrices',
      'getProduct',
      'getVariantGroup',
      'listChanges',
      'listPrices',
      'listProducts',
    ].sort(),
  )
})

test('digests and tags of prices are those of what it reads, and a cost changes none of them', async () => {
  const tagsOf = async (http: Client) => (await http('/v1/digest/products', { headers: PLAIN })).body.data
  const digestsOf = async (http: Client) => (await http('/v1/digest', { headers: PLAIN })).body.data
  const halfTag = (text: string) => createHash('sha512').update(text).digest('base64url').slice(0, 16)
  const before = {
    sees: [await digestsOf(sees), await tagsOf(sees)],
    blind: [await digestsOf(blind), await tagsOf(blind)],
  }
  for (const [who, own] of [
    ['sees', before.sees],
    ['blind', before.blind],
  ] as const) {
    const [digests, tags] = own
    for (const { id, content, price } of tags) {
      const { text } = await read(who, `/v1/products/${id}`, {})
      const product = text.slice('{"data":{'.length, -2)
      const at = product.indexOf(',"prices":')
      expect([id, content, price]).toEqual([id, halfTag(product.slice(0, at)), halfTag(product.slice(at + 1))])
    }
    for (const { block, products, price } of digests) {
      const sum = Buffer.alloc(16)
      const inBlock = tags.filter((row: { id: number }) => Math.floor(row.id / 1_024) === block)
      for (const row of inBlock) {
        const element = createHash('sha512').update(`${row.id}:${row.price}`).digest()
        for (let i = 0; i < 16; i++) sum[i] = (sum[i] ?? 0) ^ (element[i] ?? 0)
      }
      expect([block, products, price]).toEqual([block, inBlock.length, sum.toString('hex')])
    }
  }
  await giveOffers(service.runtime, account, [article(0, '8.14')])
  // restored, because the other tests expect the first cost
  const costless = [await digestsOf(blind), await tagsOf(blind)]
  expect(await digestsOf(sees)).not.toEqual(before.sees[0])
  await giveOffers(service.runtime, account, [article(0, COST)])
  expect(costless).toEqual(before.blind)
  expect(await digestsOf(sees)).toEqual(before.sees[0])
})

test('it is refused whatever is not for connectors, with no more than that', async () => {
  const refused = ROUTES.filter(({ access }) => access === 'full')
  expect(refused.length).toBeGreaterThan(100)
  for (const { method, path } of refused) {
    const address = path.replaceAll(/\{\w+\}/g, String(ids[0]))
    const { status, body, text } = await blind(address, {
      method: method.toUpperCase(),
      ...(['get', 'delete'].includes(method) ? {} : { body: '{}', headers: { 'content-type': 'application/json' } }),
    })
    expect([method, path, status, body?.code]).toEqual([method, path, 403, 'insufficient-scope'])
    expect(text).not.toContain(COST)
  }
  for (const fields of ['base_cost', 'prices.base_cost', 'title,base_cost']) {
    const { status, text } = await blind(`/v1/products?fields=${fields}`)
    expect([fields, status, text]).toEqual([fields, 400, (await sees(`/v1/products?fields=${fields}`)).text])
  }
})

test('its tags say nothing of a cost: they stay while only that changes, and the others’ do not', async () => {
  const [id = 0] = ids
  const paths = [
    `/v1/products/${id}`,
    `/v1/products/${id}?fields=prices`,
    `/v1/prices/${id}`,
    `/v1/products?ids=${id}`,
    `/v1/products?ids=${id}&fields=id,prices`,
    `/v1/prices?ids=${id}`,
    ...(await Promise.resolve(CASES.getVariantGroup())).slice(0, 2),
  ]
  const tags = async (http: Client) =>
    Promise.all(paths.map(async (path) => (await http(path, { headers: PLAIN })).headers.get('etag')))
  const before = [await tags(sees), await tags(blind)]
  const since = (await blind('/v1/changes?since=now')).body
  await giveOffers(service.runtime, account, [article(0, '8.13')])
  expect((await sees(`/v1/prices/${id}`)).body.data.prices[0]).toMatchObject({ base_cost: 8.13, computed_price: 50 })
  const after = [await tags(sees), await tags(blind)]
  for (const [i, path] of paths.entries()) {
    expect([path, before[0]?.[i] === after[0]?.[i]]).toEqual([path, false])
    expect([path, after[1]?.[i]]).toEqual([path, before[1]?.[i]])
  }
  // the feed is the same for all tokens: it announces that the price half has changed
  const cursor = `since=${encodeURIComponent(since.next_since)}&since_id=${since.next_id}`
  const [theirs, own] = await Promise.all(
    [sees, blind].map((http) => http(`/v1/changes?${cursor}`, { headers: PLAIN })),
  )
  expect(own?.body.changes).toMatchObject([{ product_id: id, change_type: 'price' }])
  expect(own?.text).toBe(theirs?.text)
})
