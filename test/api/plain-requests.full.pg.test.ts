import type { Socket } from 'node:net'
import process from 'node:process'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { offer } from '../harness/account.ts'
import { inGate } from '../harness/gate.ts'
import { hold, until } from '../harness/interleave.ts'
import { dial } from '../harness/raw-request.ts'
import { startTestService, tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// The first requests of a connection may be answered without the framework and without Node's HTTP server, up to the first
// request that is not plain. Both ways must give the same bytes.

const SEED = Number(process.env['SEED'] ?? 20_261_126)
const long = Array.from({ length: 300 }, (_, i) => `Feature ${i} of a kettle: Größe, zażółć.`).join(' ')
const { database, service, account, ids } = worldOfFile({
  service: { env: { RATE_LIMIT_PER_SECOND: '100000', ACCOUNT_LIMITS: 'requests_per_second=none' } },
  account: 'acme',
  products: ['A', 'B', 'C', offer('LONG', { texts: { en: { title: 'Kettle', description: long } } })],
})

let token: string
/** The number of requests that reached Node's HTTP server. */
let seen = 0
beforeAll(async () => {
  token = await tokenFor(service.runtime, account.accountId)
  service.service.app!.server.on('request', () => seen++)
})

/** Reads one answer and any bytes after it, until the service is quiet or closes the connection. */
async function hear(socket: Socket): Promise<string> {
  let heard = ''
  const isWhole = () => {
    const end = heard.indexOf('\r\n\r\n')
    if (end === -1) return false
    const length = /\r\ncontent-length: (\d+)/i.exec(heard.slice(0, end + 2))?.[1]
    const isBodiless = heard.startsWith('HTTP/1.1 304')
    return isBodiless || (length !== undefined && heard.length >= end + 4 + Number(length))
  }
  await new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      heard += data.toString('latin1')
      if (isWhole()) resolve()
    })
    socket.on('close', resolve).on('error', () => resolve())
    // for an answer to HEAD, which has no body, and an incomplete one
    setTimeout(resolve, 2_000).unref()
  })
  return heard
}

/** An answer without the parts that differ between two answers to the same request. */
const comparable = (answer: string) =>
  answer
    .replaceAll(/\r\nDate: [^\r]*/g, '\r\nDate: …')
    .replaceAll(/\r\nratelimit: [^\r]*/g, '\r\nratelimit: …')
    .replaceAll(/\r\n(x-request-id): [0-9a-f]{8}-[0-9a-f-]{27}/gi, '\r\n$1: …')

const OPENING = 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n'

/** @param first a request that is sent and answered before; if it is not plain, Node's HTTP server takes over the connection */
async function ask(
  bytes: string,
  first?: string,
  { url }: { url: string } = service,
): Promise<{ answer: string; isPlain: boolean }> {
  const socket = dial(url)
  if (first !== undefined) {
    const opening = hear(socket)
    socket.write(first)
    await opening
    socket.removeAllListeners()
  }
  const before = seen
  const heard = hear(socket)
  socket.write(bytes, 'latin1')
  const answer = comparable(await heard)
  socket.destroy()
  return { answer, isPlain: seen === before && /^HTTP\/1\.1 (?:200|304) /.test(answer) }
}

/** Sends the same bytes both ways. @returns the answer, and whether the first was given without Node's HTTP server */
async function both(bytes: string): Promise<{ answer: string; isPlain: boolean }> {
  const plain = await ask(bytes)
  const apart = await ask(bytes, OPENING)
  expect(apart.isPlain, bytes).toBe(false)
  expect(plain.answer, bytes).toBe(apart.answer)
  return plain
}

const head = (target: string, ...lines: string[]) =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`

/** Locks a table so that reads of single products wait. */
const lockPayloads = () => hold(database.db, (tx) => tx.unsafe('lock table payload_content in access exclusive mode'))
const waitsForLock = () =>
  until('a read waits for the lock', async () => {
    const [row] = await database.db<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_locks
      where not granted and relation = 'payload_content'::regclass`
    return (row?.waiting ?? 0) > 0
  })

const etagOf = (answer: string) => /\r\netag: ([^\r]*)/.exec(answer)?.[1] ?? ''

describe('answers without the framework', () => {
  const TARGETS: Readonly<Record<string, () => string>> = {
    'a product': () => `/v1/products/${ids[0]}`,
    'a long product': () => `/v1/products/${ids[3]}`,
    'a product in a store': () => `/v1/products/${ids[0]}?store=de`,
    'members of a product': () => `/v1/products/${ids[0]}?fields=id,title`,
    'prices of a product': () => `/v1/prices/${ids[0]}`,
    'a page': () => '/v1/products?per_page=2&page=1',
    'a page after an id': () => `/v1/products?after_id=${ids[0]}`,
    'products by id': () => `/v1/products?ids=${ids[0]}%2C${ids[1]}`,
    'products by EAN': () => '/v1/products?ean=4006381333931',
    'a page of prices': () => '/v1/prices',
    'changes from the beginning': () => '/v1/changes',
    'changes with products': () => '/v1/changes?expand=products&limit=2',
    'changes after now': () => '/v1/changes?since=now&wait=5',
    'changes after a second': () => '/v1/changes?since=2026-11-20T10%3A00%3A00%2B00%3A00',
  }
  for (const [what, target] of Object.entries(TARGETS))
    test(`${what}: whole, known, packed, with an id`, async () => {
      const whole = await both(head(target()))
      expect(whole.answer).toMatch(/^HTTP\/1\.1 200 OK\r\nx-request-id: …\r\n/)
      expect(whole.isPlain).toBe(true)
      const etag = etagOf(whole.answer)
      const lines: Readonly<Record<string, string[]>> = {
        known: [`If-None-Match: ${etag}`],
        'known weakly, among others': [`if-none-match: "a", W/${etag}`],
        'not known': ['If-None-Match: "a"'],
        packed: ['Accept-Encoding: gzip, deflate, br'],
        'packed at any rate': ['Accept-Encoding: gzip, identity;q=0'],
        'with an id': ['X-Request-Id: order-7'],
        'with an id that is not well formed': ['X-Request-Id: a b'],
        'as a browser or a proxy sends it': [
          'User-Agent: shop/1.0',
          'Accept: application/json',
          'Connection: keep-alive',
          'X-Forwarded-For: 192.0.2.7',
          'traceparent: 00-1',
        ],
      }
      for (const [how, more] of Object.entries(lines)) {
        const { answer, isPlain } = await both(head(target(), ...more))
        expect(isPlain, how).toBe(true)
        expect(answer.startsWith(how.startsWith('known') ? 'HTTP/1.1 304' : 'HTTP/1.1 200'), how).toBe(true)
      }
    })

  test('refusals: no such product or store, a cursor that is ahead', async () => {
    for (const [target, status] of [
      ['/v1/products/999999', 404],
      ['/v1/products/0', 404],
      ['/v1/prices/999999', 404],
      [`/v1/products/${ids[0]}?store=none`, 404],
      ['/v1/products?store=none', 404],
      ['/v1/changes?since=2026-01-01T00:00:00Z&since_id=99999999', 410],
    ] as const) {
      const { answer } = await both(head(target))
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(answer).toContain('content-type: application/problem+json\r\n')
    }
  })

  test('a token that sees no costs reads none', async () => {
    const { token: without } = await inTransaction(database.db, (tx) =>
      createToken(tx, { accountId: account.accountId, access: 'connector', seesCosts: false }),
    )
    const asOthers = await both(head(`/v1/products/${ids[0]}`))
    const bytes = head(`/v1/products/${ids[0]}`).replace(token, without)
    await both(bytes)
    const { answer, isPlain } = await both(bytes)
    expect(isPlain).toBe(true)
    expect(asOthers.answer).toContain('"base_cost"')
    expect(answer).not.toContain('"base_cost"')
  })
})

describe('what is left to the framework', () => {
  const CASES: Readonly<Record<string, () => string>> = {
    'another method': () => head(`/v1/products/${ids[0]}`).replace('GET', 'HEAD'),
    'a method in lower case': () => head(`/v1/products/${ids[0]}`).replace('GET', 'get'),
    'no token': () => head('/v1/products').replace(/Authorization[^\n]*\n/, ''),
    'a token that nobody knows': () => head('/v1/products').replace(token, `${token.slice(0, -1)}x`),
    'two tokens': () => head('/v1/products', `Authorization: Bearer ${token}`),
    'two hosts': () => head('/v1/products', 'Host: y'),
    'no host': () => head('/v1/products').replace('Host: x\r\n', ''),
    'HTTP/1.0': () => head('/v1/products').replace('HTTP/1.1', 'HTTP/1.0'),
    'a connection that is closed': () => head('/v1/products', 'Connection: close'),
    'a body': () => `${head('/v1/products', 'Content-Length: 2').slice(0, -2)}\r\n{}`,
    chunks: () => `${head('/v1/products', 'Transfer-Encoding: chunked').slice(0, -2)}\r\n0\r\n\r\n`,
    'an expectation': () => head('/v1/products', 'Expect: 100-continue'),
    'a header that nobody knows': () => head('/v1/products', 'X-Unheard-Of: 1'),
    'a field that goes on': () => head('/v1/products', 'Accept: a', ' b'),
    'a byte above ASCII': () => head('/v1/products', 'User-Agent: \u00e9'),
    'a tab': () => head('/v1/products', 'User-Agent:\tx'),
    'a blank before the colon': () => head('/v1/products', 'User-Agent : x'),
    'a whole URL': () => head('http://x/v1/products'),
    'a wrong parameter': () => head('/v1/products?page=0'),
    'an unknown parameter': () => head('/v1/products?utm_source=x'),
    'a misspelled parameter': () => head('/v1/products?per-page=1'),
    'a parameter given twice': () => head('/v1/products?ids=1&ids=2'),
    'a list with brackets': () => head('/v1/products?ids[]=1'),
    'a plus': () => head('/v1/products?sku=a+b'),
    'an escape that is not UTF-8': () => head('/v1/products?sku=%ff'),
    'an escaped path': () => head('/v1/%70roducts'),
    'a slash at the end': () => head('/v1/products/'),
    'an id of letters': () => head('/v1/products/abc'),
    'an id that is too long': () => head('/v1/products/99999999999999999999'),
    'another case': () => head('/v1/Products'),
    'another route': () => head('/v1/stores'),
    'line feeds alone': () => head('/v1/products').replaceAll('\r\n', '\n'),
  }
  for (const [what, bytes] of Object.entries(CASES))
    test(what, async () => {
      expect((await both(bytes())).isPlain).toBe(false)
    })
})

test('requests that are put together at random are answered alike', { timeout: 120_000 }, async () => {
  const field = fc.oneof(
    fc.constantFrom(
      'Accept: */*',
      'Accept-Encoding: gzip',
      'accept-encoding: br;q=0.5, *;q=0',
      'If-None-Match: *',
      'Connection: Keep-Alive',
      'Connection: upgrade',
      'Upgrade: h2c',
      'Cookie: a=b',
      'Range: bytes=0-3',
      'X-Request-Id: 1',
      'Content-Length: 0',
      'Accept-Language: de',
      'If-Modified-Since: Thu, 26 Nov 2026 00:00:00 GMT',
      '',
      'nonsense',
    ),
    fc
      .tuple(fc.stringMatching(/^[A-Za-z-]{1,12}$/), fc.stringMatching(/^[ -~]{0,12}$/))
      .map((parts) => parts.join(':')),
  )
  const query = fc.array(
    fc.oneof(
      fc.constantFrom(
        'page=1',
        'per_page=1',
        'ids=1,2',
        'store=',
        'after_id=0',
        'since=now',
        'limit=1',
        'sku=A',
        'fields=id',
        '',
      ),
      fc.stringMatching(/^[a-z_]{1,8}=[!-~]{0,6}$/),
    ),
    { maxLength: 3 },
  )
  const path = fc.oneof(
    fc.constantFrom('/v1/products', '/v1/prices', '/v1/changes', '/v1/products/', '/v1/stores', '/v1', '/'),
    fc.nat(5).map((id) => `/v1/products/${id}`),
    fc.stringMatching(/^\/v1\/[!-~]{0,8}$/),
  )
  const method = fc.oneof(
    { weight: 6, arbitrary: fc.constant('GET') },
    fc.constantFrom('POST', 'OPTIONS', 'G\u00cbT', 'BREW'),
  )
  await fc.assert(
    fc.asyncProperty(method, path, query, fc.array(field, { maxLength: 3 }), async (verb, where, asked, fields) => {
      const target = asked.length === 0 ? where : `${where}?${asked.join('&')}`
      await both(head(target, ...fields).replace('GET', verb))
    }),
    { seed: SEED, numRuns: inGate(60, 400), endOnFailure: true },
  )
})

describe('a connection', () => {
  const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

  test('has its answers in the order of its requests, whoever gives them', async () => {
    const socket = dial(service.url)
    let heard = ''
    socket.on('data', (data) => (heard += data.toString('latin1')))
    const requests = ['/v1/none', '/v1/products/999999', '/v1/stores?x=1', '/v1/changes', '/v1/none']
    {
      await using held = await lockPayloads()
      socket.write(head(`/v1/products/${ids[0]}`))
      await waitsForLock()
      for (const target of requests) socket.write(head(target))
      // by then the requests have arrived, and any that could be answered at once was
      for (let i = 0; i < 3; i++) await ask(OPENING)
      expect(heard).toBe('')
      await held.rollback()
    }
    await until('all are answered', async () => statuses(heard).length > requests.length)
    socket.destroy()
    expect(statuses(heard)).toEqual([200, 404, 404, 200, 200, 404])
  })

  test('whose client has sent all that it wants gets its answer and is closed', async () => {
    const socket = dial(service.url)
    let heard = ''
    socket.on('data', (data) => (heard += data.toString('latin1')))
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.end(head(`/v1/products/${ids[0]}`))
    await closed
    expect(statuses(heard)).toEqual([200])
  })

  test(
    'that is left alone is closed without a word after a request, and with 408 before one',
    { retry: 2 },
    async () => {
      await using other = await startTestService(database)
      const { server } = other.service.app!
      server.headersTimeout = 300
      server.keepAliveTimeout = -700
      const own = await tokenFor(other.runtime, account.accountId)
      await fetch(`${other.url}/v1/products`, { headers: { authorization: `Bearer ${own}` } }).then((it) => it.text())
      const listen = async (bytes: string) => {
        const socket = dial(other.url)
        let heard = ''
        socket.on('data', (data) => (heard += data.toString('latin1')))
        const closed = new Promise((resolve) => socket.on('close', resolve))
        socket.write(bytes)
        await closed
        return statuses(heard)
      }
      expect(await listen('')).toEqual([408])
      expect(await listen(head('/v1/products').replace(token, own))).toEqual([200])
    },
  )
})

describe('what is counted', () => {
  test('a place of the account while it is answered, and the request in the figures', async () => {
    await using other = await startTestService(database)
    const own = await tokenFor(other.runtime, account.accountId, 'full')
    const get = async (path: string) =>
      (await fetch(other.url + path, { headers: { authorization: `Bearer ${own}` } })).text()
    const read = () => ask(head(`/v1/products/${ids[0]}`).replace(token, own), undefined, other)
    const counted = async () =>
      Number(
        /shelfwire_request_seconds_count\{route="\/v1\/products\/:id",status="200"\} (\d+)/.exec(
          await get('/metrics'),
        )?.[1] ?? 0,
      )
    // the account's budgets and their use, which includes this request's own place
    const places = () => get('/v1/account/limits')
    const quiet = await places()
    {
      await using held = await lockPayloads()
      const reading = read()
      await waitsForLock()
      expect(await places()).not.toBe(quiet)
      await held.rollback()
      expect((await reading).answer).toMatch(/^HTTP\/1\.1 200 /)
    }
    expect(await counted()).toBe(1)
    expect(await places()).toBe(quiet)
  })

  test('a request that is in flight at shutdown is answered, and its connection closed', async () => {
    const other = await startTestService(database)
    const own = await tokenFor(other.runtime, account.accountId)
    const bytes = head(`/v1/products/${ids[0]}`).replace(token, own)
    const listen = () => {
      const socket = dial(other.url)
      const connection = { heard: '', closed: new Promise((resolve) => socket.on('close', resolve)) }
      socket.on('data', (data) => (connection.heard += data.toString('latin1')))
      socket.write(bytes)
      return connection
    }
    const idle = listen()
    await until('it is answered', async () => idle.heard.includes('\r\n\r\n'))
    await using held = await lockPayloads()
    const busy = listen()
    await waitsForLock()
    const closing = other[Symbol.asyncDispose]()
    await idle.closed
    expect(busy.heard).toBe('')
    await held.rollback()
    await until('it is answered, too', async () => busy.heard.includes('\r\n\r\n'))
    expect(busy.heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(busy.heard).toContain('\r\nConnection: close\r\n')
    await busy.closed
    await closing
  })
})
