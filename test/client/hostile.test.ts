import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { Shelfwire, type ClientOptions, type Status } from '../../client/src/shelfwire.ts'
import { MemoryTarget } from '../../client/src/targets/memory.ts'
import { FakeShelfwire } from '../../client/src/testing/fake-shelfwire.ts'

// A client of a broken service, or of another one: unexpected JSON, pages and lines that never end, redirected writes.

type Answering = (url: URL, response: ServerResponse) => void
const opened: ReturnType<typeof createServer>[] = []

async function serve(answer: Answering): Promise<string> {
  const server = createServer((request, response) => answer(new URL(request.url ?? '', 'http://service'), response))
  opened.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

afterEach(() => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const open = (url: string, more: Partial<ClientOptions> = {}) =>
  new Shelfwire({ url, token: 'sw_1', attempts: 1, ...more })
const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const exported = (response: ServerResponse) =>
  response.writeHead(200, {
    'content-type': 'application/x-ndjson',
    'shelfwire-next-since': '2026-01-01T00:00:00.000000Z',
    'shelfwire-next-id': '1',
  })
const FEED = { changes: [], next_since: '2026-01-01T00:00:00.000000Z', next_id: 1, has_more: false, store: 'main' }

/** Writes pieces for as long as the client reads. @returns the number of bytes so far */
function endless(response: ServerResponse, piece: Buffer): { bytes: number } {
  const sent = { bytes: 0 }
  const write = () => {
    while (!response.destroyed) {
      sent.bytes += piece.length
      if (response.write(piece)) continue
      response.once('drain', write)
      return
    }
  }
  write()
  return sent
}

describe('JSON of something else is not-shelfwire, and no error of the client', () => {
  test.each([[{ status: 'ok' }], [null], [[]], [{ data: {} }], ['ok']])('%j', async (body) => {
    const shelf = open(await serve((_, response) => json(response, body)))
    const notShelfwire = { name: 'ShelfwireError', code: 'not-shelfwire' }
    await expect(shelf.stores()).rejects.toMatchObject(notShelfwire)
    await expect(shelf.customerGroups()).rejects.toMatchObject(notShelfwire)
    await expect(shelf.categories()).rejects.toMatchObject(notShelfwire)
    await expect(shelf.products.list()).rejects.toMatchObject(notShelfwire)
    await expect(shelf.products.walk().next()).rejects.toMatchObject(notShelfwire)
    await expect(shelf.groups().next()).rejects.toMatchObject(notShelfwire)
    await expect(shelf.changes()).rejects.toMatchObject(notShelfwire)
    await expect(shelf.digest()).rejects.toMatchObject(notShelfwire)
    await expect(shelf.productTags()).rejects.toMatchObject(notShelfwire)
  })
})

test('pages that lead back end in an error', async () => {
  let asked = 0
  const shelf = open(
    await serve((_, response) => {
      asked++
      json(response, { data: [{ id: 7 }], meta: { next_after_id: 7 } })
    }),
  )
  const seen: number[] = []
  const walk = async () => {
    for await (const { id } of shelf.products.walk()) seen.push(id)
  }
  await expect(walk()).rejects.toMatchObject({ code: 'not-shelfwire' })
  expect([asked, seen]).toEqual([2, [7, 7]])
  const groups = async () => {
    for await (const { id } of shelf.groups()) seen.push(id)
  }
  await expect(groups()).rejects.toMatchObject({ code: 'not-shelfwire' })
})

test.each([[{ data: [] }], [{ data: [], meta: {} }], [{ data: [], meta: { current_page: 1 } }]])(
  'pages that do not say that they have ended remove nothing: %j',
  async (page) => {
    const fake = new FakeShelfwire({ products: Array.from({ length: 30 }, (_, i) => ({ id: i + 1 })) })
    let isOther = false
    const fetched: typeof fetch = async (...asked) => {
      const response = await fake.fetch(...asked)
      const { path = '' } = fake.requests.at(-1) ?? {}
      return isOther && (path === '/products' || path === '/groups') ? Response.json(page) : response
    }
    const shelf = new Shelfwire({ url: fake.url, token: fake.token, fetch: fetched })
    const target = new MemoryTarget()
    const sync = shelf.sync({ stores: ['main'], target })
    await sync.once()
    fake.put('main', { id: 31 })
    await sync.once()
    fake.restore()
    // the export fails at its first byte, so only pages can be read
    fake.fault({ path: '/export', cut: 0 })
    isOther = true
    await expect(sync.once()).rejects.toMatchObject({ code: 'not-shelfwire' })
    expect(target.products('main').size).toBe(31)
    await expect(shelf.groups().next()).rejects.toMatchObject({ code: 'not-shelfwire' })
    isOther = false
    await sync.once()
    expect([...target.products('main').values()]).toEqual(fake.products('main'))
  },
)

test.each([
  {},
  { next_since: null },
  { next_id: undefined },
  { next_id: '1' },
  { next_id: 2 ** 60 },
  { has_more: undefined },
  { has_more: 0 },
])('a feed without a cursor saves no position: %j', async (more) => {
  const answer = Object.keys(more).length === 0 ? { changes: [] } : { ...FEED, next_id: 2, ...more }
  const url = await serve(({ pathname }, response) => {
    if (pathname === '/v1/export') exported(response).end('{"id":5,"stock":1}\n')
    else if (pathname === '/v1/products') json(response, { data: [], meta: { next_after_id: null } })
    else json(response, answer)
  })
  const target = new MemoryTarget()
  const sync = open(url).sync({ stores: ['main'], target })
  await expect(sync.once()).rejects.toMatchObject({ code: 'not-shelfwire' })
  expect(JSON.parse((await target.position('main')) ?? '')).toEqual({
    kind: 'following',
    since: FEED.next_since,
    since_id: 1,
  })
  await expect(open(url).changes()).rejects.toMatchObject({ code: 'not-shelfwire' })
})

test('a feed that has more and does not move ends a comparison', async () => {
  let asked = 0
  let hasMore = false
  const url = await serve(({ pathname }, response) => {
    if (pathname === '/v1/export') exported(response).end()
    else if (pathname === '/v1/products') json(response, { data: [], meta: { next_after_id: null } })
    else if (hasMore && asked++ > 50) json(response, { code: 'unavailable', detail: 'asked for ever' }, 500)
    else json(response, { ...FEED, changes: hasMore ? [{ product_id: 5 }] : [], has_more: hasMore })
  })
  const target = new MemoryTarget()
  const shelf = open(url)
  await shelf.sync({ stores: ['main'], target }).once()
  hasMore = true
  const noAnswer = { code: 'no-answer', message: expect.stringContaining('no cursor after 1') as string }
  await expect(shelf.verify(target, { stores: ['main'] })).rejects.toMatchObject(noAnswer)
  expect(asked).toBe(1)
  // a mirror does not write the same changes for ever either
  await expect(shelf.sync({ stores: ['main'], target }).once()).rejects.toMatchObject(noAnswer)
  expect(asked).toBe(2)
})

test('a feed that has more and does not move is asked again with pauses, not at once for ever', async () => {
  let asked = 0
  const url = await serve(({ pathname }, response) => {
    if (pathname === '/v1/export') exported(response).end()
    else if (pathname === '/v1/products') json(response, { data: [], meta: { next_after_id: null } })
    else {
      asked++
      json(response, { ...FEED, has_more: true })
    }
  })
  const ending = new AbortController()
  const told: Status[] = []
  const sync = open(url).sync({
    stores: ['main'],
    target: new MemoryTarget(),
    onStatus: (status) => {
      told.push(status)
      if (status.state === 'retrying') ending.abort()
    },
  })
  await sync.run({ signal: ending.signal })
  expect(told.at(-1)).toMatchObject({ state: 'retrying', error: { code: 'no-answer' } })
  expect(asked).toBe(1)
  await expect(sync.once()).rejects.toMatchObject({ code: 'no-answer' })
})

test('products that are not in the order of their IDs fill nothing: what is passed over would be removed or lost', async () => {
  const target = new MemoryTarget()
  const url = await serve(({ pathname }, response) => {
    if (pathname === '/v1/export') exported(response).end('{"id":5,"stock":1}\n{"id":3,"stock":1}\n')
    else if (pathname === '/v1/products') json(response, { data: [{ id: 4 }], meta: { next_after_id: null } })
    else json(response, FEED)
  })
  await expect(
    open(url)
      .sync({ stores: ['main'], target })
      .once(),
  ).rejects.toThrow('product 3 came after product 5')
  expect(target.products('main').size).toBe(0)
})

test('a line without end is given up, and so is an answer', { timeout: 60_000 }, async () => {
  const sent: { bytes: number }[] = []
  const url = await serve(({ pathname }, response) => {
    const piece = Buffer.alloc(2 ** 20, 'a')
    if (pathname === '/v1/export') exported(response)
    else response.writeHead(200, { 'content-type': 'application/json' })
    sent.push(endless(response, piece))
  })
  const shelf = open(url)
  const { lines } = await shelf.export()
  await expect(lines[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'not-shelfwire' })
  await expect(shelf.stores()).rejects.toMatchObject({ code: 'not-shelfwire' })
  for (const { bytes } of sent) expect(bytes).toBeLessThan(2 ** 29)
})

test('a page of an error that never ends is read to no end', async () => {
  const url = await serve((_, response) => {
    response.writeHead(500, { 'content-type': 'text/html' })
    endless(response, Buffer.alloc(2 ** 16, '<'))
  })
  await expect(open(url, { timeoutMs: 20_000 }).stores()).rejects.toMatchObject({ code: 'not-shelfwire', status: 500 })
})

test.each([301, 302, 303, 307, 308])(
  'a write that is sent on with %i is refused, with the address; a read follows',
  async (status) => {
    let written = 0
    const there = await serve((_, response) => {
      written++
      json(response, { data: [] })
    })
    const url = await serve(({ pathname }, response) =>
      response.writeHead(status, { location: `${there}${pathname}` }).end(),
    )
    const shelf = open(url)
    await expect(
      shelf.request({ method: 'PUT', path: '/account/stores/de', body: { name: 'Deutsch' } }),
    ).rejects.toMatchObject({
      code: 'not-shelfwire',
      status,
      message: expect.stringContaining(`${there}/v1`) as string,
    })
    expect(written).toBe(0)
    expect(await shelf.stores()).toEqual([])
  },
)

test('a Retry-After that is a date is one of the clock that sent it', async () => {
  const url = await serve((_, response) =>
    response
      .writeHead(503, {
        'content-type': 'application/json',
        date: 'Wed, 01 Jan 2020 00:00:00 GMT',
        'retry-after': 'Wed, 01 Jan 2020 00:01:30 GMT',
      })
      .end(JSON.stringify({ code: 'unavailable', detail: 'because' })),
  )
  await expect(open(url).stores()).rejects.toMatchObject({ code: 'unavailable', retryAfter: 90 })
})
