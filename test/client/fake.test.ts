import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { PROBLEMS } from '../../client/src/testing/problem.ts'
import { FakeShelfwire, type ProblemCode } from '../../client/src/testing/fake-shelfwire.ts'
import {
  Shelfwire,
  ShelfwireError,
  type Batch,
  type ClientOptions,
  type Product,
  type Status,
} from '../../client/src/shelfwire.ts'
import { MemoryTarget } from '../../client/src/targets/memory.ts'
import { verifyWebhook, webhookHandler } from '../../client/src/webhooks/verify.ts'
import * as contract from '../../contract/problems.ts'
import { prng } from '../../src/demo/catalog/prng.ts'
import { seedFor } from '../harness/interleave.ts'

// The fake beyond the service's behaviour (fake.pg.test.ts): its methods for tests, and faults on demand.

const many = (count: number) => Array.from({ length: count }, (_, i) => ({ id: i + 1 }))
const open = (fake: FakeShelfwire, more: Partial<ClientOptions> = {}) =>
  new Shelfwire({ url: fake.url, token: fake.token, fetch: fake.fetch, ...more })
const equal = (fake: FakeShelfwire, target: MemoryTarget, store: string) =>
  expect([...target.products(store).values()].sort((a, b) => a.id - b.id)).toEqual(fake.products(store))

test('its problems are those of the contract', () => {
  for (const [code, [status, title]] of Object.entries(PROBLEMS))
    expect(contract.PROBLEMS[code as ProblemCode]).toMatchObject({ status, title })
})

describe('products', () => {
  test('are made whole, in the order of the service', async () => {
    const fake = new FakeShelfwire({
      stores: [
        { slug: 'de', locale: 'de' },
        { slug: 'pl', currency: 'PLN' },
      ],
      customerGroups: [{ name: 'Retail' }, { name: 'Dealers' }],
      products: [{ stock: 3, title: 'Hammer', id: 7, price: 9.9 }],
    })
    // a client is opened with the fake itself
    const shelf = new Shelfwire(fake)
    const product = await shelf.products.get(7, { store: 'pl' })
    expect(Object.keys(product).slice(0, 4)).toEqual(['id', 'sku', 'ean', 'title'])
    expect(Object.keys(product).slice(-2)).toEqual(['prices', 'stock'])
    expect(product).toMatchObject({ id: 7, store: 'pl', title: 'Hammer', stock: 3, excluded: false })
    expect(product.prices.map(({ computed_price: price, currency }) => [price, currency])).toEqual([
      [9.9, 'PLN'],
      [9.9, 'PLN'],
    ])
    expect((await shelf.stores()).map(({ slug }) => slug)).toEqual(['de', 'pl'])
  })

  test('that are not possible are refused', () => {
    const fake = new FakeShelfwire({ products: [{ id: 1 }] })
    expect(() => fake.put('main', { id: 0 })).toThrow('the id of a product is a whole number above 0, not 0')
    expect(() => fake.put('main', { id: 2, titel: 'x' } as { id: number })).toThrow('products have no member "titel"')
    expect(() => fake.put('de', { id: 2 })).toThrow('there is no store "de"; there are main')
    expect(() => fake.change('main', 2, { title: 'x' })).toThrow('the store main lists no product 2')
    expect(() => new FakeShelfwire({ stores: [{ slug: 'a' }, { slug: 'a' }] })).toThrow('two stores have the same slug')
    expect(() => fake.fault({ status: 418 })).toThrow('not 418')
    expect(fake.products('main')).toHaveLength(1)
  })

  test('are announced where they differ for readers, and only there', async () => {
    const fake = new FakeShelfwire({ products: many(3) })
    const shelf = open(fake)
    const target = new MemoryTarget()
    const sync = shelf.sync({ stores: ['main'], target })
    await sync.once()
    const hear = async () => {
      const { next_since: since, next_id: id } = at
      const { changes, ...next } = await shelf.changes({ cursor: { since, since_id: id } })
      at = next
      await sync.once()
      equal(fake, target, 'main')
      return changes.map((change) => `${change.product_id} ${change.change_types.join('+')}`)
    }
    let at: { next_since: string; next_id: number } = await shelf.changes({ cursor: 'now' })
    fake.put('main', { id: 1 })
    expect(await hear()).toEqual([])
    fake.change('main', 1, { price: 11 })
    expect(await hear()).toEqual(['1 price'])
    fake.change('main', 2, { title: 'New', stock: 9 })
    expect(await hear()).toEqual(['2 price+content'])
    fake.exclude('main', 2)
    expect(await hear()).toEqual(['2 content'])
    fake.include('main', 2)
    fake.remove('main', 3)
    fake.put('main', { id: 4, prices: [] })
    expect(await hear()).toEqual(['2 content', '3 removed', '4 price+content'])
    expect(fake.products('main').at(-1)).toMatchObject({ excluded: true, exclusion_reason: 'no_price' })
    fake.announce('main', 'content', 1, 3)
    expect(await hear()).toEqual(['1 content'])
    fake.remove('main', 3)
    expect(await hear()).toEqual([])
  })
})

describe('stores, accounts and backups', () => {
  test('a store that is not active is unknown, and comes back with what was written meanwhile', async () => {
    const fake = new FakeShelfwire({ stores: [{ slug: 'a' }, { slug: 'b' }], products: many(2) })
    const shelf = open(fake)
    fake.deactivate('b')
    expect((await shelf.stores()).map(({ slug }) => slug)).toEqual(['a'])
    await expect(shelf.products.list({ store: 'b' })).rejects.toMatchObject({ code: 'unknown-store', status: 404 })
    fake.put('b', { id: 3 })
    fake.activate('b')
    expect((await shelf.products.list({ store: 'b' })).data).toHaveLength(3)
    fake.suspend()
    await expect(shelf.stores()).rejects.toMatchObject({ code: 'account-suspended', status: 403 })
    fake.resume()
    expect(await shelf.stores()).toHaveLength(2)
  })

  test('a mirror that has read more than the backup is filled again', async () => {
    const fake = new FakeShelfwire({ products: many(5) })
    const target = new MemoryTarget()
    const states: string[] = []
    const sync = open(fake).sync({ stores: ['main'], target, onStatus: ({ state }) => void states.push(state) })
    await sync.once()
    fake.change('main', 1, { title: 'kept' })
    await sync.once()
    fake.backup()
    fake.remove('main', 2)
    fake.put('main', { id: 9 })
    await sync.once()
    equal(fake, target, 'main')
    fake.restore()
    expect(fake.products('main').map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
    await sync.once()
    expect(states).toContain('reset')
    equal(fake, target, 'main')
    fake.change('main', 2, { price: 1 })
    await sync.once()
    equal(fake, target, 'main')
    expect(fake.products('main')[0]?.title).toBe('kept')
  })
})

describe('faults', () => {
  test('statuses with their problems, as often as they are asked for', async () => {
    const fake = new FakeShelfwire({ products: many(1) })
    const shelf = open(fake, { attempts: 1 })
    const codes: Record<number, string> = {
      401: 'invalid-token',
      403: 'account-suspended',
      404: 'unknown-route',
      410: 'cursor-ahead',
      422: 'invalid-input',
      429: 'rate-limited',
      500: 'internal',
      502: 'not-shelfwire',
      503: 'database-unavailable',
      504: 'not-shelfwire',
    }
    for (const [status, code] of Object.entries(codes)) {
      fake.fault({ status: Number(status), retryAfter: 7, path: '/stores', after: 1, times: 2 })
      await shelf.stores()
      await shelf.products.list()
      for (let i = 0; i < 2; i++)
        await expect(shelf.stores()).rejects.toMatchObject({ code, status: Number(status), retryAfter: 7 })
      await shelf.stores()
    }
    fake.fault({ code: 'newer-release' })
    await expect(shelf.stores()).rejects.toMatchObject({ code: 'newer-release', status: 503, retryAfter: 1 })
    fake.fault({ reset: true, times: 100 })
    await expect(shelf.stores()).rejects.toMatchObject({ code: 'no-answer' })
    fake.heal()
    await shelf.stores()
    expect(fake.requests.at(-1)).toMatchObject({ method: 'GET', path: '/stores', status: 200 })
    expect(fake.requests.at(-2)).toMatchObject({ status: 0 })
  })

  test('a client repeats what passes, never sooner than it is told', async () => {
    const fake = new FakeShelfwire({ products: many(1) })
    const shelf = open(fake)
    fake.fault({ status: 429, retryAfter: 1 })
    fake.fault({ reset: true })
    fake.fault({ cut: true })
    const from = performance.now()
    expect((await shelf.products.list()).data).toHaveLength(1)
    expect(performance.now() - from).toBeGreaterThan(1_000)
    expect(fake.requests.map(({ status }) => status)).toEqual([429, 0, 200, 200])
  })

  test('bodies that are cut off or late, over fetch and at an address', async () => {
    const fake = new FakeShelfwire({ products: many(50) })
    const { url, close } = await fake.listen()
    for (const shelf of [
      open(fake, { attempts: 1, timeoutMs: 300 }),
      open(fake, { url, fetch, attempts: 1, timeoutMs: 300 }),
    ]) {
      const read = async () => {
        const read: number[] = []
        for await (const { id } of (await shelf.export()).products) read.push(id)
        return read
      }
      for (const fault of [
        { cut: true },
        { cut: 5_000 },
        { cut: 0 },
        { pauseMs: 2_000 },
        { delayMs: 2_000 },
        { delayMs: Infinity },
        { reset: true },
      ] as const) {
        fake.fault(fault)
        await expect(read(), JSON.stringify(fault)).rejects.toMatchObject({ code: 'no-answer' })
        fake.fault(fault)
        await expect(shelf.products.list()).rejects.toBeInstanceOf(ShelfwireError)
      }
      for (const fault of [{ pauseMs: 50 }, { delayMs: 50 }]) {
        fake.fault(fault)
        expect(await read()).toHaveLength(50)
      }
    }
    await close()
  })

  test('an export that is cut off is gone on with by pages: each product is written once', async () => {
    const fake = new FakeShelfwire({ products: many(700) })
    const written: number[] = []
    class Target extends MemoryTarget {
      override apply(batch: Batch): Promise<boolean> {
        written.push(...batch.products.map(({ id }) => id))
        return super.apply(batch)
      }
    }
    const target = new Target()
    const told: Status[] = []
    const sync = open(fake).sync({ stores: ['main'], target, onStatus: (status) => told.push(status) })
    fake.fault({ path: '/export', cut: true })
    await sync.once()
    equal(fake, target, 'main')
    expect(written).toEqual(many(700).map(({ id }) => id))
    expect(fake.requests.filter(({ path }) => path === '/export')).toHaveLength(1)
    expect(told.filter(({ state }) => state === 'retrying')).toMatchObject([{ store: 'main', pauseMs: 0 }])
  })

  test('a mirror under any of them is equal in the end', async () => {
    const random = prng(seedFor('fake-faults'))
    const draw = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
    const stores = ['a', 'b']
    const fake = new FakeShelfwire({ stores: stores.map((slug) => ({ slug })), products: many(500) })
    const target = new MemoryTarget()
    const shelf = open(fake, { pauseMaxMs: 5, timeoutMs: 200 })
    const sync = shelf.sync({ stores, target, wait: 1, onStatus: () => {} })
    const ending = new AbortController()
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const running = sync.run({ signal: ending.signal })
    for (let i = 0; i < 120; i++) {
      fake.fault(
        draw([
          { status: 503, retryAfter: 0 },
          { status: 500 },
          { status: 502 },
          { cut: true },
          { cut: 0 },
          { reset: true },
          { pauseMs: 20 },
          { delayMs: 20 },
          { status: 429, retryAfter: 0 },
        ] as const),
      )
      const store = draw(stores)
      const id = 1 + Math.floor(random() * 510)
      if (random() < 0.3) fake.remove(store, id)
      else fake.put(store, { id, title: `T${random()}`, stock: Math.floor(random() * 9) })
      if (random() < 0.1) fake.announce(store, draw(['price', 'content', 'removed']), id)
      if (i % 40 === 39) fake.restore()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    fake.heal()
    await expect
      .poll(() => stores.map((store) => [...target.products(store).values()].sort((a, b) => a.id - b.id)), {
        timeout: 20_000,
      })
      .toEqual(stores.map((store) => fake.products(store)))
    // equal products are not enough: until its next request the mirror does not know of the last restore
    await expect
      .poll(async () => (await shelf.verify(target, { stores })).map(({ isEqual }) => isEqual), { timeout: 20_000 })
      .toEqual([true, true])
    ending.abort()
    await running
    vi.restoreAllMocks()
  }, 60_000)
})

test('a mirror is verified by digests, and what is changed in it is found and repaired', async () => {
  const fake = new FakeShelfwire({ products: many(3_000) })
  const shelf = open(fake)
  const target = new MemoryTarget()
  await shelf.sync({ stores: ['main'], target }).once()
  const verify = async (repair = false) => (await shelf.verify(target, { stores: ['main'], repair }))[0]
  expect(await verify()).toMatchObject({ isEqual: true, products: 3_000 })
  const products = target.products('main') as Map<number, Product>
  products.set(2_000, { ...products.get(2_000)!, title: 'other' })
  products.delete(7)
  expect((await verify())?.findings).toMatchObject([
    { id: 7, kind: 'missing' },
    { id: 2_000, kind: 'different' },
  ])
  await verify(true)
  expect(await verify()).toMatchObject({ isEqual: true })
})

test('a mirror that has a name tells what it has found of itself, and after a repair how it is then', async () => {
  let now = Date.parse('2026-11-20T14:00:00Z')
  const fake = new FakeShelfwire({ stores: [{ slug: 'de' }, { slug: 'pl' }], products: many(3), now: () => now })
  const shelf = open(fake)
  const target = new MemoryTarget()
  const stores = ['de', 'pl']
  await shelf.sync({ stores, target }).once()
  expect(await shelf.verify(target, { stores })).toMatchObject([{ isTold: null }, { isTold: null }])
  expect(fake.checks).toEqual([])

  now += 180_000
  expect(await shelf.verify(target, { stores, name: 'Medusa' })).toMatchObject([{ isTold: true }, { isTold: true }])
  const equal = { mirror: 'Medusa', differing: 0, as_of: '2026-11-20T14:03:00+00:00', differs_since: null }
  expect(fake.checks).toMatchObject([
    { store: 'de', ...equal },
    { store: 'pl', ...equal },
  ])

  const products = target.products('pl') as Map<number, Product>
  products.set(2, { ...products.get(2)!, title: 'other' })
  products.delete(3)
  now += 60_000
  await shelf.verify(target, { stores, name: 'Medusa' })
  expect(fake.checks).toMatchObject([
    { store: 'de', differing: 0 },
    { store: 'pl', differing: 2, differs_since: '2026-11-20T14:04:00+00:00', equal_as_of: equal.as_of },
  ])
  now += 60_000
  const [, repaired] = await shelf.verify(target, { stores, name: 'Medusa', repair: true })
  expect(repaired).toMatchObject({ isEqual: false, repaired: { written: 2 }, isTold: true })
  expect(fake.checks[1]).toMatchObject({ differing: 0, as_of: '2026-11-20T14:05:00+00:00', differs_since: null })

  // an older service without this route
  fake.fault({ path: '/digest/checks', status: 404, code: 'unknown-route' })
  expect(await shelf.verify(target, { stores: ['de'], name: 'Medusa' })).toMatchObject([
    { isEqual: true, isTold: false },
  ])
})

describe('webhooks', () => {
  const secret = 'whsec_test'

  test('are signed for what receives them, and may come twice', async () => {
    const fake = new FakeShelfwire({ stores: [{ slug: 'de', id: 12 }] })
    const heard: unknown[] = []
    const handler = webhookHandler([secret], (event) => void heard.push(event))
    const delivery = await fake.webhook({ event: 'price', store: 'de', ids: [7], secret })
    for (let i = 0; i < 2; i++) expect((await handler(delivery.request())).status).toBe(204)
    expect(heard).toMatchObject([
      { event: 'price', store_id: 12, product_ids: [7], delivery: delivery.headers['x-service-delivery'] },
      { event: 'price', delivery: delivery.headers['x-service-delivery'] },
    ])
    const everywhere = await fake.webhook({ event: 'removed', store: null, ids: [7], secret })
    expect(await verifyWebhook({ ...everywhere, secrets: [secret] })).toMatchObject({ store_id: null, isTest: false })
    const isTest = await fake.webhook({ event: 'content', store: 'de', ids: [], secret, isTest: true })
    expect((await handler(isTest.request())).status).toBe(204)
    expect(heard).toHaveLength(2)
    await expect(fake.webhook({ event: 'price', store: 'nowhere', ids: [] })).rejects.toThrow('there is no store')
  })

  test('that are not of the secret, late, or signed while it is replaced', async () => {
    const fake = new FakeShelfwire()
    const handler = webhookHandler([secret], () => {})
    const status = async (given: object) =>
      (await handler((await fake.webhook({ event: 'price', store: 'main', ids: [1], ...given })).request())).status
    expect(await status({ secret: 'whsec_other' })).toBe(401)
    expect(await status({ secret, at: Date.now() - 301_000 })).toBe(401)
    expect(await status({ secret: 'whsec_other', nextSecret: secret })).toBe(204)
    expect(await status({ secret: 'whsec_other', previousSecret: secret })).toBe(204)
  })
})

test('waits for a change, and ends with the signal of the client', async () => {
  const fake = new FakeShelfwire({ products: many(2) })
  const shelf = open(fake)
  const { next_since: since, next_id: id } = await shelf.changes({ cursor: 'now' })
  const waiting = shelf.changes({ cursor: { since, since_id: id }, wait: 25 })
  fake.change('main', 2, { stock: 1 })
  expect((await waiting).changes).toMatchObject([{ product_id: 2, change_type: 'price' }])
  const controller = new AbortController()
  const { next_since: later, next_id: next } = await waiting
  const other = shelf.changes({ cursor: { since: later, since_id: next }, wait: 25, signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(other).rejects.toThrow('enough')
  expectTypeOf(fake).toExtend<ClientOptions>()
})
