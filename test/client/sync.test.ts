import { afterEach, describe, expect, test, vi } from 'vitest'
import { Shelfwire, VerifyError, type Batch, type ClientOptions, type Status } from '../../client/src/shelfwire.ts'
import { MemoryTarget } from '../../client/src/targets/memory.ts'
import { FakeShelfwire } from '../../client/src/testing/fake-shelfwire.ts'

// A mirror behind a proxy that cuts off exports, sends a Retry-After of a year or answers with a page of its own; and that it
// leaves nothing open.

const many = (count: number) => Array.from({ length: count }, (_, i) => ({ id: i + 1 }))
const open = (fake: FakeShelfwire, more: Partial<ClientOptions> = {}) =>
  new Shelfwire({ url: fake.url, token: fake.token, fetch: fake.fetch, ...more })
const equal = (fake: FakeShelfwire, target: MemoryTarget, store: string) =>
  expect([...target.products(store).values()].sort((a, b) => a.id - b.id)).toEqual(fake.products(store))

afterEach(() => {
  vi.restoreAllMocks()
})

describe('an export that ends early as if it were whole (I158)', () => {
  test.each([700, 3])('takes nothing away of a store of %i products', async (count) => {
    const fake = new FakeShelfwire({ products: many(count) })
    const removed: number[] = []
    class Target extends MemoryTarget {
      override apply(batch: Batch): Promise<boolean> {
        removed.push(...batch.removed)
        return super.apply(batch)
      }
    }
    const target = new Target()
    const sync = open(fake).sync({ stores: ['main'], target })
    fake.fault({ path: '/export', cut: 'unnoticed' })
    await sync.once()
    equal(fake, target, 'main')

    // filled again over existing products, as after a restored backup of the service
    fake.put('main', { id: 1, title: 'later' })
    await sync.once()
    fake.restore()
    fake.fault({ path: '/export', cut: 'unnoticed' })
    await sync.once()
    expect(removed).toEqual([])
    equal(fake, target, 'main')
    expect(fake.requests.filter(({ path }) => path === '/export')).toHaveLength(2)
  })

  test('is whole where it is: one empty page says so', async () => {
    const fake = new FakeShelfwire({ products: many(450) })
    const target = new MemoryTarget()
    await open(fake)
      .sync({ stores: ['main'], target })
      .once()
    const pages = fake.requests.filter(({ path }) => path === '/products')
    expect(pages.map(({ query }) => query['after_id'])).toEqual(['450'])
  })

  test('makes no mirror superfluous that is compared with it, where the service has no digests', async () => {
    const fake = new FakeShelfwire({ products: many(60) })
    const target = new MemoryTarget()
    const shelf = open(fake)
    await shelf.sync({ stores: ['main'], target }).once()
    fake.fault({ path: '/digest', code: 'unknown-route' })
    fake.fault({ path: '/export', cut: 'unnoticed' })
    expect(await shelf.verify(target, { stores: ['main'] })).toMatchObject([
      { isEqual: true, findings: [], products: 60 },
    ])
  })

  test('and a page that does is asked for again', async () => {
    const fake = new FakeShelfwire({ products: many(60) })
    const target = new MemoryTarget()
    fake.fault({ path: '/export', cut: 0 })
    fake.fault({ path: '/products', cut: 'unnoticed' })
    fake.fault({ path: '/changes', cut: 'unnoticed' })
    await open(fake)
      .sync({ stores: ['main'], target })
      .once()
    equal(fake, target, 'main')
  })
})

test('a fill whose target fails, or is another process’s, ends its export', async () => {
  let opened = 0
  let ended = 0
  const fake = new FakeShelfwire({ products: many(5) })
  const watched: typeof fetch = async (...asked) => {
    const response = await fake.fetch(...asked)
    if (fake.requests.at(-1)?.path !== '/export') return response
    opened++
    const body = new ReadableStream<Uint8Array>({ cancel: () => void ended++ })
    return new Response(body, response)
  }
  const shelf = open(fake, { fetch: watched })
  const full = new MemoryTarget()
  vi.spyOn(full, 'apply').mockRejectedValue(new Error('the disk is full'))
  await expect(shelf.sync({ stores: ['main'], target: full }).once()).rejects.toThrow('the disk is full')
  expect([opened, ended]).toEqual([1, 1])

  const ending = new AbortController()
  const taken = new MemoryTarget()
  vi.spyOn(taken, 'apply').mockImplementation(() => {
    ending.abort()
    return Promise.resolve(false)
  })
  await shelf
    .sync({ stores: ['main'], target: taken })
    .once({ signal: ending.signal })
    .catch(() => {})
  expect(opened).toBe(ended)
  expect(opened).toBeGreaterThan(1)
})

describe('run', () => {
  /** Runs until `count` statuses were reported. */
  async function statusesOf(fake: FakeShelfwire, count: number): Promise<Status[]> {
    const told: Status[] = []
    const ending = new AbortController()
    const sync = open(fake, { attempts: 1 }).sync({
      stores: ['main'],
      target: new MemoryTarget(),
      onStatus(status) {
        told.push(status)
        if (told.length === count) ending.abort()
      },
    })
    await sync.run({ signal: ending.signal })
    return told
  }

  test('asks again after an hour at most, and not at once, where a page asks it to wait for a year', async () => {
    const fake = new FakeShelfwire({ products: many(1) })
    fake.fault({ status: 503, retryAfter: 31_536_000, times: 100 })
    const [status] = await statusesOf(fake, 1)
    expect(status).toMatchObject({ state: 'retrying', pauseMs: 3_600_000 })
    expect(fake.requests).toHaveLength(1)
  })

  test('goes on after a page of a proxy whose service is away', async () => {
    const fake = new FakeShelfwire({ products: many(1) })
    const fetched: typeof fetch = async (...asked) => {
      const response = await fake.fetch(...asked)
      return response.status === 504
        ? new Response('<h1>Web server is down</h1>', { status: 522, headers: { 'content-type': 'text/html' } })
        : response
    }
    fake.fault({ status: 504 })
    const ending = new AbortController()
    const told: string[] = []
    const sync = open(fake, { attempts: 1, fetch: fetched }).sync({
      stores: ['main'],
      target: new MemoryTarget(),
      onStatus({ state }) {
        told.push(state)
        if (state === 'current') ending.abort()
      },
    })
    await sync.run({ signal: ending.signal })
    expect(told).toEqual(['retrying', 'filling', 'current'])
  })
})

test('once brings the other stores up to date where one is not active, and says so then', async () => {
  const fake = new FakeShelfwire({ stores: [{ slug: 'a' }, { slug: 'b' }, { slug: 'c' }], products: many(450) })
  const target = new MemoryTarget()
  const told: Status[] = []
  const shelf = open(fake)
  const stores = ['b', 'a', 'c']
  await shelf.sync({ stores, target }).once()
  fake.change(['a', 'b', 'c'], 7, { title: 'other' })
  fake.deactivate('b')
  const sync = shelf.sync({ stores, target, onStatus: (status) => told.push(status) })
  await expect(sync.once()).rejects.toMatchObject({ code: 'unknown-store' })
  equal(fake, target, 'a')
  equal(fake, target, 'c')
  expect(told.filter(({ state }) => state === 'unknown-store')).toEqual([{ store: 'b', state: 'unknown-store' }])
  expect(target.products('b').size).toBe(450)
  fake.activate('b')
  await sync.once()
  equal(fake, target, 'b')
})

test('what was announced before its store was deactivated is read when the store is active again, though nothing names it twice', async () => {
  const fake = new FakeShelfwire({ stores: [{ slug: 'a' }, { slug: 'b' }], products: many(5) })
  const target = new MemoryTarget()
  let isLeaving = false
  // an older service without `expand`: products need a second request, and the store is deleted by then
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await fake.fetch(input, init)
    if (!answer.ok || !new Request(input).url.includes('/changes')) return answer
    const { products: _products, ...window } = (await answer.json()) as { products?: unknown }
    if (isLeaving) fake.deactivate('b')
    return Response.json(window)
  }
  const sync = open(fake, { fetch }).sync({ stores: ['b'], target })
  await sync.once()
  fake.change(['b'], 3, { title: 'other' })
  isLeaving = true
  await expect(sync.once()).rejects.toMatchObject({ code: 'unknown-store' })
  expect(target.products('b').get(3)?.title).not.toBe('other')
  expect(target.products('b').size).toBe(5)
  isLeaving = false
  fake.activate('b')
  await sync.once()
  expect(target.products('b').get(3)?.title).toBe('other')
  equal(fake, target, 'b')
})

test('what verify throws can be told by its class', async () => {
  const fake = new FakeShelfwire()
  const found = await open(fake)
    .verify(new MemoryTarget(), { stores: ['main'] })
    .catch((error: unknown) => error)
  expect(found).toBeInstanceOf(VerifyError)
  expect(found).toMatchObject({ code: 'not-filled' })
})
