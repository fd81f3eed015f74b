import { expect, test, vi } from 'vitest'
import { setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { counterFence } from '../../src/shelf/payloads/change-counter.sql.ts'
import { openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { shelveBatch } from '../../src/shelf/shelve.ts'
import { createAccount, giveOffers, offer, openBench } from '../harness/account.ts'
import { client, tokenFor, type Answer } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

const accounts = openCompiledAccounts()

const { database, service } = worldOfFile({ service: {} })

interface Change {
  product_id: number
  change_type: string
  change_types: string[]
  created_at: string
}
interface Window {
  changes: Change[]
  next_since: string
  next_id: number
  has_more: boolean
}

const pair = (cursor: Pick<Window, 'next_since' | 'next_id'>) =>
  `since=${encodeURIComponent(cursor.next_since)}&since_id=${cursor.next_id}`
const idsOf = (window: Window) => window.changes.map((change) => change.product_id)
const later = (timestamp: string, seconds: number) => new Date(Date.parse(timestamp) + seconds * 1_000).toISOString()

/** An account of the test's own, its feed over HTTP, and writes that change either half of a product. */
async function open() {
  const { runtime } = service
  const account = await createAccount(runtime)
  const { accountId, storeIds } = account
  const token = await tokenFor(runtime, accountId)
  const get = client(service.url, token)
  const write = (
    productId: number,
    work: Parameters<typeof runtime.shelf.write<{ productIds: readonly number[] }>>[1],
  ) => runtime.shelf.write(accountId, work).then(() => productId)
  return {
    account,
    token,
    get,
    give: (skus: readonly string[]) =>
      giveOffers(
        runtime,
        account,
        skus.map((sku) => offer(sku)),
      ),
    async feed(query = '', init: RequestInit = {}): Promise<Window> {
      const answer = await get(`/v1/changes?${query}`, init)
      expect([query, answer.status]).toEqual([query, 200])
      return answer.body
    },
    /** Changes the price half. */
    price: (id: number, quantity: number) =>
      write(id, (tx) => setOwnStock(tx, accountId, [{ productId: id, quantity, cost: null }])),
    /** Changes the content half in the stores of one locale (en: in all stores that have no better text). */
    title: (id: number, value: string, locale = 'en') =>
      write(id, (tx) => setOverrides(tx, accountId, [{ productId: id, field: 'title', locale, value }])),
    list: (id: number, isListed: boolean) => write(id, (tx) => setListing(tx, accountId, storeIds[0], [id], isListed)),
  }
}

function expectAhead(answer: Answer): void {
  expect([answer.status, answer.body.code]).toEqual([410, 'cursor-ahead'])
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.body.detail).toContain('without since')
}

const longPolls = async () =>
  Number(/^shelfwire_long_polls (\d+)$/m.exec((await client(service.url, null)('/metrics')).text)?.[1])

test('2,500 changes in one second: windows of 100 show each product once, also where products move under the walk', async () => {
  const { account, feed, give, price } = await open()
  // the counter's time never decreases: after a clock has stepped back an hour, all changes get the same second
  await database.db`update change_counter set last_at = (last_at at time zone 'UTC' + interval '1 hour') at time zone 'UTC' where account_id = ${account.accountId}`
  const ids = await give(Array.from({ length: 2_500 }, (_, i) => `S${i}`))
  const seen: Change[] = []
  let cursor = ''
  for (let windows = 1; ; windows++) {
    const window: Window = await feed(`limit=100${cursor}`)
    seen.push(...window.changes)
    cursor = `&${pair(window)}`
    expect([windows, window.changes.length, window.has_more]).toEqual([windows, 100, windows < 25])
    if (!window.has_more) break
  }
  expect(new Set(seen.map((change) => change.created_at)).size).toBe(1)
  // each product once, in the order in which two workers committed their batches
  const order = seen.map((change) => change.product_id)
  expect(order.toSorted((a, b) => a - b)).toEqual([...ids].sort((a, b) => a - b))

  const [early = 0, late = 0] = [order[3], order[2_400]]
  const again: number[] = []
  cursor = ''
  for (let windows = 1; ; windows++) {
    const window: Window = await feed(`limit=100${cursor}`)
    again.push(...idsOf(window))
    cursor = `&${pair(window)}`
    if (windows === 5) for (const id of [early, late]) await price(id, 9)
    if (!window.has_more) break
  }
  // a product that was already read is read again, one that was not moves to the end; none is lost
  expect(again.slice(-2)).toEqual([early, late])
  expect([again.length, new Set(again).size]).toEqual([2_501, 2_500])
})

test('an account without changes starts at its counter; a cursor is good any number of times', async () => {
  const { feed, give, price } = await open()
  const empty = await feed()
  expect(empty).toMatchObject({ changes: [], next_id: 0, has_more: false, store: 'main' })
  expect(await feed('since=now')).toEqual(empty)
  expect(await feed(pair(empty))).toEqual(empty)
  const [a = 0, b = 0] = await give(['A', 'B'])
  const first = await feed(`${pair(empty)}&limit=2`)
  expect([idsOf(first), first.has_more]).toEqual([[a, b], false])
  const end = await feed(pair(first))
  expect(end).toEqual({ ...first, changes: [] })
  for (let i = 0; i < 300; i++) expect(await feed(pair(end))).toEqual(end)
  expect(await feed(`${pair(empty)}&limit=2`)).toEqual(first)
  await price(a, 5)
  expect(idsOf(await feed(pair(end)))).toEqual([a])
  await price(a, 5)
  expect(idsOf(await feed(pair(end)))).toEqual([a])
  expect((await feed(pair(await feed(pair(end))))).changes).toEqual([])
})

test('since=now and a future since give the head, and the next write is exactly what is seen', async () => {
  const { feed, give, price } = await open()
  const [a = 0, b = 0] = await give(['A', 'B'])
  const now = await feed('since=now')
  const future = await feed(`since=${later(now.next_since, 3_600)}`)
  expect(future).toEqual(now)
  expect([now.changes, now.has_more]).toEqual([[], false])
  await price(b, 3)
  expect(idsOf(await feed(pair(now)))).toEqual([b])
  // `since` alone: everything in or after that second, so no change of that second is lost
  expect(idsOf(await feed(`since=${encodeURIComponent(now.next_since)}`)).sort()).toEqual([a, b].sort())
  expect(idsOf(await feed(`since=${later(now.next_since, -60)}`)).sort()).toEqual([a, b].sort())
})

test('change_types holds every kind after the cursor, the latest last', async () => {
  const { feed, give, price, title } = await open()
  const [a = 0] = await give(['A'])
  const kinds = async (cursor: Window) =>
    (await feed(pair(cursor))).changes.map(({ product_id, change_type, change_types }) => [
      product_id,
      change_type,
      change_types,
    ])
  const born = await feed()
  expect(born.changes).toMatchObject([{ change_type: 'content', change_types: ['price', 'content'] }])
  await title(a, 'New')
  expect(await kinds(born)).toEqual([[a, 'content', ['content']]])
  const titled = await feed('since=now')
  await price(a, 4)
  expect(await kinds(born)).toEqual([[a, 'price', ['content', 'price']]])
  expect(await kinds(titled)).toEqual([[a, 'price', ['price']]])
  await title(a, 'Newer')
  expect(await kinds(titled)).toEqual([[a, 'content', ['price', 'content']]])
  await title(a, 'Newer')
  expect(await kinds(await feed('since=now'))).toEqual([])
  // `since` of one cursor and `since_id` of another: every product that is shown has all its kinds
  const mixed = await feed(`since=${later(born.next_since, -60)}&since_id=${(await feed('since=now')).next_id}`)
  expect(mixed.changes).toMatchObject([{ product_id: a, change_type: 'content', change_types: ['price', 'content'] }])
})

test('a reader that was away sees the tombstone, then the product that came back; other stores see nothing of it', async () => {
  const { feed, get, give, list, title } = await open()
  const [a = 0, b = 0] = await give(['A', 'B'])
  const away = await feed('since=now')
  await title(a, 'Changed before it left')
  const german = await feed('since=now&store=de')
  await list(a, false)
  expect((await feed(pair(away))).changes).toMatchObject([
    { product_id: a, change_type: 'removed', change_types: ['removed'] },
  ])
  expect((await get(`/v1/products/${a}`)).status).toBe(404)
  expect((await feed()).changes.map((change) => [change.product_id, change.change_type])).toEqual([
    [b, 'content'],
    [a, 'removed'],
  ])
  expect((await feed(`${pair(german)}&store=de`)).changes).toEqual([])
  await list(a, true)
  expect((await feed(pair(away))).changes).toMatchObject([
    { product_id: a, change_type: 'content', change_types: ['price', 'content'] },
  ])
  expect((await get(`/v1/products/${a}`)).status).toBe(200)
  await title(a, 'Nur hier', 'de')
  expect(idsOf(await feed(`${pair(german)}&store=de`))).toEqual([a])
  expect((await feed(pair(await feed(pair(away))))).changes).toEqual([])
})

test('a cursor ahead of the head is 410, by either half; after a restore and its fence the lost ones stay so', async () => {
  const { account, feed, get, give, price } = await open()
  const [a = 0] = await give(['A'])
  const kept = await feed('since=now')
  expectAhead(await get(`/v1/changes?${pair({ ...kept, next_id: kept.next_id + 1 })}`))
  expectAhead(await get(`/v1/changes?since=${later(kept.next_since, 1)}&since_id=1`))
  expectAhead(await get(`/v1/changes?since=2020-01-01T00:00:00Z&since_id=${kept.next_id + 1}`))
  expectAhead(await get(`/v1/changes?wait=25&${pair({ ...kept, next_id: kept.next_id + 1 })}`))

  await give(['B', 'C', 'D'])
  const lost = await feed('since=now')
  const [counter] =
    await database.db`select last_id, last_at from change_counter where account_id = ${account.accountId}`
  expect(lost.next_id).toBe(counter!['last_id'])
  await inTransaction(database.db, async (tx) => {
    await tx`delete from change where account_id = ${account.accountId} and change_id > ${kept.next_id}`
    await tx`update change_counter set last_id = ${kept.next_id}, last_at = ${new Date(kept.next_since)} where account_id = ${account.accountId}`
  })
  expectAhead(await get(`/v1/changes?${pair(lost)}`))
  expect((await feed(pair(kept))).changes).toEqual([])
  await inTransaction(service.runtime.db, (tx) => counterFence(tx, account.accountId))
  for (let i = 0; i < 8; i++) await price(a, 20 + i)
  for (const id of [kept.next_id + 1, lost.next_id, lost.next_id + 5_000]) {
    expectAhead(await get(`/v1/changes?${pair({ ...kept, next_id: id })}`))
  }
  const after = await feed(pair(kept))
  expect(idsOf(after)).toEqual([a])
  expect(after.next_id).toBeGreaterThan(LIMITS.fenceJump)
  expect(await feed(pair(after))).toEqual({ ...after, changes: [] })
  expect(idsOf(await feed())).toContain(a)
  expect((await feed(pair({ ...kept, next_id: 1 }))).has_more).toBe(false)
})

test('a long poll wakes within a second of a commit, with that change', { retry: 2 }, async () => {
  const { account, feed, give, price } = await open()
  const [a = 0] = await give(['A'])
  const cursor = await feed('since=now')
  // as another process: a pool and notifications of its own
  const elsewhere = openBench(database.db)
  for (const writer of [service.runtime, elsewhere]) {
    const waiting = feed(`${pair(cursor)}&wait=20`).then((window) => ({ window, at: performance.now() }))
    await vi.waitFor(async () => expect(await longPolls()).toBe(1), { timeout: 5_000 })
    await giveOffers(writer, account, [offer('A', { cost: writer === elsewhere ? '11' : '12' })])
    const committed = performance.now()
    const { window, at } = await waiting
    expect(at - committed).toBeLessThan(1_000)
    expect(idsOf(window)).toEqual([a])
  }
  await elsewhere.wake.stop()
  // a change that is already there is answered at once
  await price(a, 6)
  const started = performance.now()
  expect(idsOf(await feed(`${pair(cursor)}&wait=25`))).toEqual([a])
  expect(performance.now() - started).toBeLessThan(1_000)
})

test('a long poll survives a lost notification, and news of another store or account does not end it', async () => {
  const { account, feed, give, title } = await open()
  const other = await open()
  const [a = 0] = await give(['A'])
  const cursor = await feed('since=now')
  const waiting = feed(`${pair(cursor)}&wait=20`)
  await vi.waitFor(async () => expect(await longPolls()).toBe(1), { timeout: 5_000 })
  await title(a, 'Nur dort', 'de')
  await other.give(['X'])
  expect(await longPolls()).toBe(1)
  // written and shelved without a notification
  await inTransaction(database.db, (tx) =>
    setOwnStock(tx, account.accountId, [{ productId: a, quantity: 77, cost: null }]),
  )
  await shelveBatch(database.db, accounts, account.accountId, [a])
  const committed = performance.now()
  const window = await waiting
  expect(performance.now() - committed).toBeLessThan(2_500)
  expect(window.changes).toMatchObject([{ product_id: a, change_types: ['price'] }])
})

test('a long poll is empty at its timeout, with the cursor that was sent', { retry: 2 }, async () => {
  const { feed, give } = await open()
  await give(['A'])
  const cursor = await feed('since=now')
  const started = performance.now()
  expect(await feed(`${pair(cursor)}&wait=1`)).toEqual(cursor)
  const elapsed = performance.now() - started
  expect(elapsed).toBeGreaterThanOrEqual(990)
  expect(elapsed).toBeLessThan(2_500)
})

test('a long poll ends at its timeout while another store of the account goes on changing', async () => {
  const { feed, give, title } = await open()
  const [a = 0] = await give(['A'])
  const cursor = await feed('since=now')
  const started = performance.now()
  const end = new AbortController()
  const waiting = feed(`${pair(cursor)}&wait=1`).finally(() => end.abort())
  for (let i = 0; !end.signal.aborted && performance.now() - started < 10_000; i++)
    await title(a, `Nur dort ${i}`, 'de')
  expect(performance.now() - started).toBeLessThan(5_000)
  expect(await waiting).toEqual(cursor)
})

test('waiters are bounded per token, hold no connection, and a client that hangs up frees its slot', async () => {
  const { account, feed, get, give } = await open()
  await give(['A'])
  const cursor = await feed('since=now')
  const most = LIMITS.longPollWaitersPerTokenMax
  const hangUp = new AbortController()
  const waiting = Array.from({ length: most }, () => feed(`${pair(cursor)}&wait=25`, { signal: hangUp.signal }))
  const outcomes = Promise.allSettled(waiting)
  await vi.waitFor(async () => expect(await longPolls()).toBe(most), { timeout: 5_000 })
  // one more waiter is refused at once, and although there are more waiters than connections, reads are answered
  const started = performance.now()
  const refused = await get(`/v1/changes?${pair(cursor)}&wait=25`)
  expect([refused.status, refused.body.code]).toEqual([429, 'rate-limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await feed(pair(cursor))).toEqual(cursor)
  const otherToken = client(service.url, await tokenFor(service.runtime, account.accountId))
  const accepted = otherToken(`/v1/changes?${pair(cursor)}&wait=25`)
  await vi.waitFor(async () => expect(await longPolls()).toBe(most + 1), { timeout: 5_000 })
  expect((await otherToken('/v1/products')).status).toBe(200)
  expect(performance.now() - started).toBeLessThan(5_000)
  hangUp.abort()
  expect((await outcomes).every((outcome) => outcome.status === 'rejected')).toBe(true)
  await vi.waitFor(async () => expect(await longPolls()).toBe(1), { timeout: 5_000 })
  const [b = 0] = await give(['B'])
  expect(idsOf((await accepted).body)).toEqual([b])
  await vi.waitFor(async () => expect(await longPolls()).toBe(0), { timeout: 5_000 })
})

test('waiters are bounded per account: many tokens do not take the places of other accounts', async () => {
  const { account, feed } = await open()
  const other = await open()
  const cursor = await feed('since=now')
  const tokens = await Promise.all(
    Array.from({ length: LIMITS.longPollWaitersPerAccountMax / LIMITS.longPollWaitersPerTokenMax + 1 }, () =>
      tokenFor(service.runtime, account.accountId),
    ),
  )
  const hangUp = new AbortController()
  const poll = (token: string) =>
    client(service.url, token)(`/v1/changes?${pair(cursor)}&wait=25`, { signal: hangUp.signal })
  const outcomes = Promise.allSettled(
    tokens.slice(1).flatMap((token) => Array.from({ length: LIMITS.longPollWaitersPerTokenMax }, () => poll(token))),
  )
  await vi.waitFor(async () => expect(await longPolls()).toBe(LIMITS.longPollWaitersPerAccountMax), { timeout: 10_000 })
  const refused = await poll(tokens[0]!)
  expect([refused.status, refused.body.code]).toEqual([429, 'rate-limited'])
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  const start = await other.feed('since=now')
  const accepted = other.feed(`${pair(start)}&wait=25`)
  await vi.waitFor(async () => expect(await longPolls()).toBe(LIMITS.longPollWaitersPerAccountMax + 1), {
    timeout: 5_000,
  })
  const [id = 0] = await other.give(['A'])
  expect(idsOf(await accepted)).toEqual([id])
  hangUp.abort()
  await outcomes
  await vi.waitFor(async () => expect(await longPolls()).toBe(0), { timeout: 5_000 })
})

test('change_types after since alone names what lies at or after that second', async () => {
  const { account, feed, give, price, title } = await open()
  const [a = 0, b = 0, c = 0] = await give(['A', 'B', 'C'])
  const past = (seconds: number) =>
    database.db`update change_counter set last_at = (last_at at time zone 'UTC' + make_interval(secs => ${seconds})) at time zone 'UTC' where account_id = ${account.accountId}`
  await past(10)
  await price(a, 4)
  const { next_since: second } = await feed('since=now')
  const kindsSince = async (since: string) =>
    (await feed(`since=${encodeURIComponent(since)}`)).changes.map((change) => [change.product_id, change.change_types])
  expect(await kindsSince(second)).toEqual([[a, ['price']]])
  expect(await kindsSince(later(second, -1))).toEqual([[a, ['price']]])
  expect(await kindsSince(later(second, -60))).toEqual([
    [b, ['price', 'content']],
    [c, ['price', 'content']],
    [a, ['content', 'price']],
  ])
  await price(b, 4)
  await past(10)
  await title(a, 'New')
  const { next_since: third } = await feed('since=now')
  expect(await kindsSince(third)).toEqual([[a, ['content']]])
  expect(await kindsSince(second)).toEqual([
    [b, ['price']],
    [a, ['price', 'content']],
  ])
  // when the price changed before that second is no longer known, since the content change replaced its entry: `price` is named to be safe
  await past(10)
  // between the last change and the head: no changes, and the cursor is returned unchanged
  const quiet = later(third, 5)
  expect(await feed(`since=${encodeURIComponent(quiet)}`)).toMatchObject({
    changes: [],
    next_since: quiet.replace('.000Z', '+00:00'),
    next_id: 0,
    has_more: false,
  })
  await price(c, 4)
  await past(10)
  await title(c, 'New')
  expect(await kindsSince((await feed('since=now')).next_since)).toEqual([[c, ['price', 'content']]])
  // a since_id of 0 is the same as none
  expect(await feed(`since=${encodeURIComponent(third)}&since_id=0`)).toEqual(
    await feed(`since=${encodeURIComponent(third)}`),
  )
  expect((await feed('since_id=0')).changes).toEqual((await feed()).changes)
})

test('expand=products has the products of the changes, as a look-up by ids has them; those that left are left out', async () => {
  const { get, give, list, price, feed } = await open()
  const ids = await give(Array.from({ length: 205 }, (_, i) => `E${i}`))
  const [first = 0, second = 0] = ids
  await list(first, false)
  const read = async (query: string) => {
    const answer = await get(`/v1/changes?expand=products&${query}`)
    expect([query, answer.status]).toEqual([query, 200])
    return answer
  }
  const walked = new Map<number, unknown>()
  let window = (await read('')).body
  expect(window.changes).toHaveLength(200)
  for (;;) {
    const { data } = (await get(`/v1/products?ids=${idsOf(window).join()}&per_page=200`)).body
    const byId = new Map(data.map((product: { id: number }) => [product.id, product]))
    expect(window.products).toEqual(idsOf(window).flatMap((id) => byId.get(id) ?? []))
    for (const product of window.products) walked.set(product.id, product)
    if (!window.has_more) break
    window = (await read(pair(window))).body
  }
  expect([...walked.keys()].toSorted((a, b) => a - b)).toEqual(ids.slice(1))

  const before = await read(pair(window))
  expect(before.body.products).toEqual([])
  await price(second, 7)
  const after = await read(`${pair(window)}&wait=5`)
  expect(after.body.products).toMatchObject([{ id: second, stock: expect.any(Number) }])
  const tag = (answer: Answer) => answer.headers.get('etag') ?? ''
  expect(tag(await read(pair(window)))).toBe(tag(after))
  expect(
    await get(`/v1/changes?expand=products&${pair(window)}`, { headers: { 'if-none-match': tag(after) } }),
  ).toMatchObject({ status: 304 })
  await price(second, 8)
  const again = await read(pair(window))
  expect(again.body.products[0].stock).toBe(after.body.products[0].stock + 1)
  expect(tag(again)).not.toBe(tag(after))

  expect(await feed('limit=1')).not.toHaveProperty('products')
  const refused = await get('/v1/changes?expand=products&limit=201')
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [{ name: 'limit', reason: 'must be at most 200 with expand' }],
  ])
  expect((await get('/v1/changes?expand=everything')).status).toBe(400)
  expect((await read('per_page=1000')).body.changes).toHaveLength(200)
})
