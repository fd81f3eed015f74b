import { Agent, request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { zstdDecompressSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { createProducts, deleteProducts, setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { createStore } from '../../src/catalog/settings/stores/stores.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, giveOffers, offer, productIdsOf, type Said } from '../harness/account.ts'
import { inGate } from '../harness/gate.ts'
import { client, startTestService, tokenFor, type Answer } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// The whole catalog of a store in one answer, and the cursor at which the feed continues it.

const PRODUCTS = 10_000
const { database, service, account } = worldOfFile({ service: {}, account: 'acme' })
let token: string
let get: (path: string, init?: RequestInit) => Promise<Answer>
beforeAll(async () => {
  token = await tokenFor(service.runtime, account.accountId)
  get = client(service.url, token)
  for (let i = 0; i < PRODUCTS; i += 1_000) {
    await giveOffers(
      service.runtime,
      account,
      Array.from({ length: 1_000 }, (_, j) =>
        offer(`A${i + j}`, { texts: { en: { title: `Article ${i + j} «\u001e»\n`, description: 'x'.repeat(500) } } }),
      ),
    )
  }
})

interface Product {
  id: number
}
const write = (work: (tx: Tx) => Promise<Said>) =>
  service.runtime.shelf.write(account.accountId, async (tx) => ({
    productIds: productIdsOf(await work(tx)),
  }))
const LINES = { accept: 'application/x-ndjson' }

/** Starts an export and returns its unread answer, for a client that reads slowly or hangs up. */
async function open(
  headers: Record<string, string> = {},
  path = '/v1/export',
  method = 'GET',
  agent?: Agent,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(
    service.url + path,
    { method, agent: agent ?? false, headers: { authorization: `Bearer ${token}`, ...headers } },
    resolve,
  )
    .on('error', reject)
    .end()
  return await promise
}
async function bytesOf(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
/** The served products of a store by id, read from the payload tables. */
async function shop(storeId: number): Promise<Map<number, string>> {
  const rows = await database.db<{ id: number; body: string }[]>`
    select product_id as id, '{' || c.body || ',' || p.body || '}' as body
    from payload_content c join payload_price p using (account_id, store_id, product_id)
    where account_id = ${account.accountId} and store_id = ${storeId}`
  return new Map(rows.map((row) => [row.id, row.body]))
}
const sorted = (products: ReadonlyMap<number, string>) => [...products].sort(([a], [b]) => a - b)
test('a JSON array of all products by id, byte for byte as each is served', async () => {
  const answer = await get('/v1/export')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const ids = (answer.body as Product[]).map(({ id }) => id)
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
  const lines = answer.text
    .split('\n')
    .filter((line) => line.length > 1)
    .map((line) => line.replace(/,$/, ''))
  expect(lines).toEqual(sorted(await shop(account.storeIds[0])).map(([, body]) => body))
  const one = await get(`/v1/products/${ids[4_321]}`)
  expect(one.text).toBe(`{"data":${lines[4_321]}}`)
})

test('a product a line, where Accept names it and only there', async () => {
  for (const accept of [
    'application/x-ndjson',
    'text/plain;q=0.5, Application/X-NDJSON; q=0.9',
    'application/json, application/x-ndjson',
  ]) {
    const answer = await open({ accept }, '/v1/export?store=pl')
    expect(answer.headers['content-type']).toBe('application/x-ndjson')
    const text = (await bytesOf(answer)).toString()
    expect(text.endsWith('}\n')).toBe(true)
    const lines = text.slice(0, -1).split('\n')
    expect(lines).toHaveLength(PRODUCTS)
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ store: 'pl' })
  }
  for (const accept of ['*/*', 'application/*', 'application/x-ndjson;q=0', 'application/x-ndjsonp']) {
    expect((await get('/v1/export', { method: 'HEAD', headers: { accept } })).headers.get('content-type')).toBe(
      'application/json; charset=utf-8',
    )
  }
})

test('the export and the changes since its cursor are the shop, while everything moves', async () => {
  const { accountId, storeIds } = account
  const ids = [...(await shop(storeIds[0])).keys()].sort((a, b) => a - b)
  const end = new AbortController()
  let round = 0
  const writer = async () => {
    while (!end.signal.aborted) {
      const pick = (n: number) => Array.from({ length: n }, (_, i) => ids[(round * 7_919 + i * 1_237) % ids.length]!)
      await write((tx) =>
        setOwnStock(
          tx,
          accountId,
          pick(20).map((productId) => ({ productId, quantity: round + 1, cost: null })),
        ),
      )
      await write((tx) =>
        setOverrides(
          tx,
          accountId,
          pick(5).map((productId) => ({ productId, field: 'title', locale: 'en', value: `Round ${round}` })),
        ),
      )
      await write((tx) => setListing(tx, accountId, storeIds[0], pick(10), round % 2 === 0))
      await write((tx) => createProducts(tx, accountId, [{ sku: `N${round}` }]))
      if (round % 5 === 0) {
        const [gone] = ids.splice((round * 31) % ids.length, 1)
        await write((tx) => deleteProducts(tx, accountId, [gone!]))
      }
      round++
    }
  }
  const writing = writer()
  const exports: { cursor: Record<'since' | 'id', string>; moved: number; products: Map<number, string> }[] = []
  const isQuiet = () => exports.every(({ moved }) => moved === 0)
  // on a busy machine an export can end between two writes
  for (let i = 0; i < inGate(2, 4) || (i < 20 && isQuiet()); i++) {
    // a slow client, so that much changes meanwhile
    const answer = await open({ ...LINES, 'accept-encoding': 'identity' })
    const cursor = {
      since: String(answer.headers['shelfwire-next-since']),
      id: String(answer.headers['shelfwire-next-id']),
    }
    const began = round
    const parts: Buffer[] = []
    for await (const part of answer) {
      parts.push(part as Buffer)
      if (parts.length % 20 === 0) await sleep(5)
    }
    const lines = Buffer.concat(parts).toString().trimEnd().split('\n')
    exports.push({
      cursor,
      moved: round - began,
      products: new Map(lines.map((line) => [(JSON.parse(line) as Product).id, line])),
    })
  }
  end.abort()
  await writing
  await service.runtime.shelf.drain(accountId)
  const now = sorted(await shop(storeIds[0]))
  expect(
    exports.some(({ moved }) => moved > 0),
    'something was written during an export',
  ).toBe(true)
  expect(
    exports.some(({ products }) => JSON.stringify(sorted(products)) !== JSON.stringify(now)),
    'no export alone is the shop',
  ).toBe(true)
  for (const { cursor, products } of exports) {
    for (let at = cursor; ;) {
      const window = await get(`/v1/changes?since=${encodeURIComponent(at.since)}&since_id=${at.id}&limit=200`)
      expect(window.status).toBe(200)
      const named = window.body.changes.map((change: { product_id: number }) => change.product_id) as number[]
      const read = named.length === 0 ? [] : ((await get(`/v1/products?ids=${named.join(',')}`)).body.data as Product[])
      for (const id of named) products.delete(id)
      for (const product of read) products.set(product.id, (await shopOf(product.id))!)
      if (!window.body.has_more) break
      at = { since: window.body.next_since, id: String(window.body.next_id) }
    }
    expect(sorted(products)).toEqual(now)
  }
  async function shopOf(id: number): Promise<string | undefined> {
    return (await get(`/v1/products/${id}`)).text.slice('{"data":'.length, -1)
  }
}, 120_000)

test('HEAD tells the cursor and walks over nothing', async () => {
  await database.db`alter table payload_content rename to payload_content_away`
  let head
  try {
    head = await get('/v1/export', { method: 'HEAD', headers: LINES })
  } finally {
    await database.db`alter table payload_content_away rename to payload_content`
  }
  expect([head.status, head.text, head.headers.get('content-type'), head.headers.get('content-length')]).toEqual([
    200,
    '',
    'application/x-ndjson',
    null,
  ])
  const now = await get('/v1/changes?since=now')
  expect([head.headers.get('shelfwire-next-since'), head.headers.get('shelfwire-next-id')]).toEqual([
    now.body.next_since,
    String(now.body.next_id),
  ])
})

test('an export that would be the same again is not sent, until anything changes', async () => {
  const tag = (await get('/v1/export', { method: 'HEAD' })).headers.get('etag') ?? ''
  expect(tag).toMatch(/^W\/"/)
  const again = (headers: Record<string, string> = {}) =>
    get('/v1/export', { method: 'HEAD', headers: { 'if-none-match': tag, ...headers } })
  expect([
    (await again()).status,
    (await get('/v1/export', { headers: { 'if-none-match': tag } })).status,
    (await again(LINES)).status,
  ]).toEqual([304, 304, 200])
  await write((tx) => createProducts(tx, account.accountId, [{ sku: 'one more' }]))
  const after = await again()
  expect([after.status, after.headers.get('etag') === tag]).toEqual([200, false])
})

test('a store of none', async () => {
  await inTransaction(database.db, (tx) =>
    createStore(tx, account.accountId, {
      slug: 'none',
      name: 'None',
      locale: 'en',
      currency: 'EUR',
      listsByDefault: false,
    }),
  )
  await service.runtime.shelf.drain(account.accountId)
  expect((await get('/v1/export?store=none')).text).toBe('[]\n')
  const lines = await open(LINES, '/v1/export?store=none')
  expect([lines.statusCode, (await bytesOf(lines)).length, lines.headers['shelfwire-next-id'] !== undefined]).toEqual([
    200,
    0,
    true,
  ])
})

test.each([1, LIMITS.exportPageProducts - 1, LIMITS.exportPageProducts, LIMITS.exportPageProducts + 1])(
  'a store of %i products',
  async (count) => {
    const small = await createAccount(service.runtime, `small-${count}`)
    await giveOffers(
      service.runtime,
      small,
      Array.from({ length: count }, (_, i) => offer(`S${i}`)),
    )
    const answer = await client(service.url, await tokenFor(service.runtime, small.accountId, 'full'))('/v1/export')
    expect(answer.body).toHaveLength(count)
  },
)

test('codings are streamed, the body the same', async () => {
  const plain = (await bytesOf(await open({ 'accept-encoding': 'identity' }))).toString()
  for (const coding of ['gzip', 'br']) {
    const answer = await get('/v1/export', { headers: { 'accept-encoding': coding } })
    expect([answer.headers.get('content-encoding'), answer.text === plain]).toEqual([coding, true])
  }
  const zstd = await open({ 'accept-encoding': 'zstd' })
  expect(zstd.headers['content-encoding']).toBe('zstd')
  expect(zstdDecompressSync(await bytesOf(zstd)).toString() === plain).toBe(true)
})

test('what is wrong before the first byte is a problem', async () => {
  expect(await get('/v1/export?store=nowhere')).toMatchObject({ status: 404, body: { code: 'unknown-store' } })
  expect(await get('/v1/export?store=a&store=b')).toMatchObject({ status: 400, body: { code: 'invalid-parameters' } })
  expect(await client(service.url, null)('/v1/export')).toMatchObject({ status: 401 })
  expect(await get('/v1/export', { method: 'POST' })).toMatchObject({ status: 405 })
  await database.db`alter table payload_content rename to payload_content_away`
  try {
    const answer = await get('/v1/export', { headers: LINES })
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('shelfwire-next-id')).toBeNull()
  } finally {
    await database.db`alter table payload_content_away rename to payload_content`
  }
  // the places of failed exports are free again
  for (let i = 0; i <= LIMITS.exportsPerAccountMax; i++) expect((await get('/v1/export?store=none')).status).toBe(200)
})

test('so many at once, and no more; whoever hangs up gives its place back', async () => {
  const taken = await Promise.all(
    Array.from({ length: LIMITS.exportsPerAccountMax }, () => open({ 'accept-encoding': 'identity' })),
  )
  for (const answer of taken) {
    expect(answer.statusCode).toBe(200)
    answer.pause()
  }
  const refused = await get('/v1/export')
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await get('/v1/export', { method: 'HEAD' })).status).toBe(200)
  const other = await createAccount(service.runtime, 'beside')
  expect((await client(service.url, await tokenFor(service.runtime, other.accountId))('/v1/export')).status).toBe(200)
  for (const answer of taken) answer.destroy()
  await expect.poll(async () => (await get('/v1/export?store=none')).status, { timeout: 5_000 }).toBe(200)
})

/** With shorter timeouts than the service's, for which a test cannot wait. */
async function withPatience(
  limit: 'exportStallMs' | 'shutdownDrainMs',
  milliseconds: number,
  work: () => Promise<void>,
): Promise<void> {
  const limits: Record<typeof limit, number> = LIMITS
  const before = limits[limit]
  limits[limit] = milliseconds
  try {
    await work()
  } finally {
    limits[limit] = before
  }
}

test(
  'a client that stalls is hung up on; one that is slow is not, nor what follows on its connection',
  () =>
    withPatience('exportStallMs', 700, async () => {
      const stalled = await open({ 'accept-encoding': 'identity' })
      // checked at the end, long after its timeout
      stalled.pause()

      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const slow = await open({ 'accept-encoding': 'identity' }, '/v1/export', 'GET', agent)
      const port = slow.socket.localPort
      const from = performance.now()
      let size = 0
      for await (const part of slow) {
        if (Math.floor(size / 1_000_000) < Math.floor((size += (part as Buffer).length) / 1_000_000)) await sleep(200)
      }
      expect(performance.now() - from).toBeGreaterThan(1_400)
      // a long poll may wait for longer than an export may stall
      const now = await get('/v1/changes?since=now')
      const poll = await open(
        {},
        `/v1/changes?since=${encodeURIComponent(now.body.next_since)}&since_id=${now.body.next_id}&wait=2`,
        'GET',
        agent,
      )
      expect([poll.statusCode, poll.socket.localPort]).toEqual([200, port])
      await bytesOf(poll)
      agent.destroy()
      await expect(bytesOf(stalled)).rejects.toThrow()
    }),
  30_000,
)

test('a walk that fails on its way, and a shutdown, break the connection: what was cut off does not look complete', async () => {
  const own = await startTestService(database)
  const begin = async (headers: Record<string, string>) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    request(`${own.url}/v1/export`, { headers: { authorization: `Bearer ${token}`, ...headers } }, resolve)
      .on('error', reject)
      .end()
    const answer = await promise
    answer.pause()
    return answer
  }
  const answers = await Promise.all([
    begin({ 'accept-encoding': 'identity' }),
    begin({ ...LINES, 'accept-encoding': 'identity' }),
  ])
  await sleep(300)
  await database.db`alter table payload_content rename to payload_content_away`
  try {
    for (const answer of answers) await expect(bytesOf(answer)).rejects.toThrow()
  } finally {
    await database.db`alter table payload_content_away rename to payload_content`
  }
  const cut = await begin({ 'accept-encoding': 'identity' })
  await withPatience('shutdownDrainMs', 500, async () => own[Symbol.asyncDispose]())
  await expect(bytesOf(cut)).rejects.toThrow()
}, 30_000)
