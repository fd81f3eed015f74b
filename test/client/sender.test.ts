import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Shelfwire, ShelfwireError, type ClientOptions } from '../../client/src/shelfwire.ts'

// A client whose service refuses, is unreachable, is cut off, or does not answer, simulated by an HTTP server.

type Answering = (request: IncomingMessage, response: ServerResponse) => void
/** The answers in order; the last one is repeated. */
let answers: Answering[] = []
let seen: {
  method: string | undefined
  url: string | undefined
  key: string | undefined
  headers: IncomingMessage['headers']
  at: number
}[] = []
const server = createServer((request, response) => {
  seen.push({
    method: request.method,
    url: request.url,
    key: request.headers['idempotency-key'] as string | undefined,
    headers: request.headers,
    at: performance.now(),
  })
  const answer = answers.length > 1 ? answers.shift() : answers[0]
  answer?.(request, response)
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  seen = []
})

const shelf = (options: Partial<ClientOptions> = {}) =>
  new Shelfwire({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't', ...options })
const sendJson =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answering =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const STORES = sendJson(200, { data: [] })
const hangUp: Answering = (request) => void request.socket.destroy()
const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  sendJson(status, { code, detail: 'because' }, { 'x-request-id': 'r-1', ...headers })

test('what passes is asked for again: no answer, a proxy that has none, 503; never sooner than Retry-After says', async () => {
  answers = [
    hangUp,
    (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    problem(503, 'unavailable', { 'retry-after': '1' }),
    STORES,
  ]
  expect(await shelf().stores()).toEqual([])
  expect(seen.map(({ url }) => url)).toEqual(Array(4).fill('/v1/stores'))
  expect(seen[3]!.at - seen[2]!.at).toBeGreaterThanOrEqual(995)
})

test('what is refused is an error with the code, the request and what is at fault, and is not asked for again', async () => {
  const errors = [{ name: 'page', reason: 'must be a whole number' }]
  answers = [sendJson(400, { code: 'invalid-parameters', detail: 'look', errors }, { 'x-request-id': 'r-2' })]
  const refused = await shelf()
    .stores()
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ShelfwireError)
  expect(refused).toMatchObject({ code: 'invalid-parameters', status: 400, requestId: 'r-2', retryAfter: null, errors })
  expect((refused as Error).message).toBe('invalid-parameters: look (request r-2)')
  expect(seen).toHaveLength(1)
})

test('a Retry-After that is longer than the client waits ends at once, in an error that has it', async () => {
  answers = [problem(429, 'quota-exceeded', { 'retry-after': '1800' })]
  await expect(shelf().stores()).rejects.toMatchObject({ code: 'quota-exceeded', retryAfter: 1_800, isPassing: true })
  expect(seen).toHaveLength(1)
})

test('attempts are counted, and the last error is the one that is thrown', async () => {
  answers = [hangUp]
  await expect(shelf({ attempts: 3, pauseMaxMs: 10 }).stores()).rejects.toMatchObject({ code: 'no-answer', status: 0 })
  expect(seen).toHaveLength(3)
})

test.each(['POST', 'PATCH', 'PUT', 'DELETE'] as const)(
  'every attempt of a %s has the same Idempotency-Key, of two writes each its own',
  async (method) => {
    answers = [hangUp, sendJson(201, { data: { id: 1 } })]
    const write = { method, path: '/account/groups', body: { name: 'A' } } as const
    expect(await shelf().request(write)).toMatchObject({ status: 201, data: { data: { id: 1 } } })
    await shelf().request(write)
    const [first, second, third] = seen.map(({ key }) => key)
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  },
)

test('a caller’s own headers are sent as they are, once each, however their names are written', async () => {
  answers = [STORES]
  const write = { method: 'POST', path: '/account/orders', body: {} } as const
  await shelf().request({ ...write, headers: { 'Idempotency-Key': 'order-7' } })
  await shelf().request({ ...write, headers: { 'idempotency-key': 'order-8', accept: 'text/csv' } })
  await shelf().request({ ...write, idempotencyKey: 'order-9', headers: { 'idempotency-key': 'order-8' } })
  await shelf().request({ ...write, headers: { 'content-type': 'application/merge-patch+json' } })
  await shelf().request({ path: '/stores', headers: { authorization: 'Bearer of-another' } })
  expect(seen.slice(0, 3).map(({ key }) => key)).toEqual(['order-7', 'order-8', 'order-9'])
  expect(seen.map(({ headers }) => headers.accept)).toEqual([
    'application/json',
    'text/csv',
    'application/json',
    'application/json',
    'application/json',
  ])
  expect(seen.map(({ headers }) => headers['content-type'])).toEqual([
    ...Array(3).fill('application/json'),
    'application/merge-patch+json',
    undefined,
  ])
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(Array(5).fill('Bearer t'))
  // a read has no Idempotency-Key
  expect(seen[4]?.key).toBeUndefined()
})

test('a fetch of the caller’s own adds a header by a spread', async () => {
  answers = [STORES]
  const adding: typeof fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), 'X-Shop': 'mine' } })
  await shelf({ fetch: adding }).request({ method: 'PUT', path: '/stores', body: {}, headers: { 'if-match': '"a"' } })
  expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer t', 'if-match': '"a"', 'x-shop': 'mine' })
})

test('an answer of HEAD has no data, and is none of something else', async () => {
  answers = [(_, response) => response.writeHead(200, { 'content-type': 'application/json', etag: '"a"' }).end()]
  expect(await shelf().request({ method: 'HEAD', path: '/export' })).toMatchObject({ data: undefined, etag: '"a"' })
})

test.each([500, 520, 522, 530, 408])(
  'a page of status %i is of a proxy whose service is away: it passes',
  async (status) => {
    answers = [
      (_, response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Down</h1>'),
      STORES,
    ]
    expect(await shelf().stores()).toEqual([])
    expect(seen).toHaveLength(2)
  },
)

test('a page that refuses does not pass, and neither does an error of the service itself', async () => {
  answers = [(_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Nothing</h1>')]
  await expect(shelf().stores()).rejects.toMatchObject({ code: 'not-shelfwire', isPassing: false })
  answers = [problem(500, 'internal')]
  await expect(shelf().stores()).rejects.toMatchObject({ code: 'internal', isPassing: false })
  expect(seen).toHaveLength(2)
})

test('an answer of JSON that ends in its middle is asked for again, though its transfer says that it is whole', async () => {
  const half: Answering = (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end('{"data":[{"slug":"de","na')
  answers = [half, STORES]
  expect(await shelf().stores()).toEqual([])
  answers = [half]
  await expect(shelf({ attempts: 1 }).stores()).rejects.toMatchObject({ code: 'no-answer', message: /cut off/ })
})

test('a Retry-After may be a date, and one that has passed asks for nothing', async () => {
  answers = [problem(429, 'rate-limited', { 'retry-after': new Date(Date.now() + 120_000).toUTCString() })]
  await expect(shelf().stores()).rejects.toSatisfy(
    ({ retryAfter }: ShelfwireError) => retryAfter !== null && retryAfter > 110 && retryAfter <= 120,
  )
  const past = new Date(Date.now() - 120_000).toUTCString()
  for (const [text, retryAfter] of [
    [past, 0],
    ['-5', 0],
    ['soon', null],
  ] as const) {
    answers = [problem(429, 'rate-limited', { 'retry-after': text })]
    await expect(shelf({ attempts: 1 }).stores()).rejects.toMatchObject({ retryAfter })
  }
})

test('a pause that no timer has is as long as one can be', async () => {
  answers = [problem(429, 'rate-limited', { 'retry-after': '31536000' })]
  const leaving = new AbortController()
  const waiting = shelf({ pauseMaxMs: Infinity }).stores({ signal: leaving.signal })
  await expect.poll(() => seen.length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(seen).toHaveLength(1)
  leaving.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})

test('a limit of time that no timer has is none', async () => {
  answers = [(request, response) => void setTimeout(() => STORES(request, response), 50)]
  expect(await shelf({ timeoutMs: Infinity, attempts: 1 }).stores()).toEqual([])
})

test('an answer that keeps coming is not silent, however long it takes', async () => {
  const bytes = Buffer.from(JSON.stringify({ data: [{ slug: 'de', name: 'Größe' }] }))
  answers = [
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      let at = 0
      const timer = setInterval(() => {
        if (at === bytes.length) {
          clearInterval(timer)
          response.end()
        } else response.write(bytes.subarray(at, ++at))
      }, 10)
    },
  ]
  const from = performance.now()
  expect(await shelf({ timeoutMs: 150, attempts: 1 }).stores()).toEqual([{ slug: 'de', name: 'Größe' }])
  expect(performance.now() - from).toBeGreaterThan(150)
  answers = [
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    },
  ]
  await expect(shelf({ timeoutMs: 100, attempts: 1 }).stores()).rejects.toMatchObject({
    code: 'no-answer',
    message: /nothing came for 0.1 seconds/,
  })
})

test('what the caller’s own code does wrong is thrown at once, and is no answer that was lost', async () => {
  answers = [STORES]
  const loop: { self?: object } = {}
  loop.self = loop
  await expect(shelf().request({ method: 'POST', path: '/account/groups', body: loop })).rejects.toThrow(TypeError)
  expect(seen).toHaveLength(0)
  const onResponse = () => {
    throw new Error('of the log')
  }
  await expect(shelf({ onResponse }).stores()).rejects.toThrow('of the log')
  expect(seen).toHaveLength(1)
})

test('a page of something else is named as such: the wrong address', async () => {
  answers = [(_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')]
  await expect(shelf().stores()).rejects.toMatchObject({ code: 'not-shelfwire', message: /Welcome/ })
})

test('what is known is answered without data', async () => {
  answers = [(_, response) => response.writeHead(304, { etag: '"a"' }).end()]
  expect(await shelf().request({ path: '/stores', ifNoneMatch: '"a"' })).toMatchObject({
    status: 304,
    data: undefined,
    etag: '"a"',
  })
})

test('an address with and without /v1 is the same', async () => {
  answers = [STORES]
  const { port } = server.address() as AddressInfo
  for (const path of ['', '/', '/v1', '/v1/', '/catalog', '/catalog/v1'])
    await new Shelfwire({ url: `http://127.0.0.1:${port}${path}`, token: 't' }).stores()
  expect(seen.map(({ url }) => url)).toEqual([
    ...Array(4).fill('/v1/stores'),
    '/catalog/v1/stores',
    '/catalog/v1/stores',
  ])
})

test('a service that says nothing is given up after the limit of time, and a caller who aborts is obeyed at once', async () => {
  answers = [() => {}]
  await expect(shelf({ timeoutMs: 100, attempts: 1 }).stores()).rejects.toMatchObject({
    code: 'no-answer',
    message: /nothing came for 0.1 seconds/,
  })
  const leaving = new AbortController()
  const left = shelf().stores({ signal: leaving.signal })
  leaving.abort(new Error('the shop closes'))
  await expect(left).rejects.toThrow('the shop closes')
  expect(seen.length).toBeLessThanOrEqual(2)
})

const CURSOR = { 'shelfwire-next-since': '2026-11-20T10:00:00+00:00', 'shelfwire-next-id': '7' }

async function exported(answer: Answering, options: Partial<ClientOptions> = {}): Promise<number[]> {
  answers = [answer]
  const ids: number[] = []
  const { cursor, products } = await shelf(options).export()
  expect(cursor).toEqual({ since: '2026-11-20T10:00:00+00:00', since_id: 7 })
  for await (const { id } of products) ids.push(id)
  return ids
}

test('an export comes as it is read, lines across chunks and letters across bytes', async () => {
  const bytes = Buffer.from('{"id":1,"title":"Größe"}\n{"id":2,"title":"…"}\n')
  const ids = await exported((_, response) => {
    response.writeHead(200, CURSOR)
    for (const byte of bytes) response.write(Buffer.of(byte))
    response.end()
  })
  expect(ids).toEqual([1, 2])
})

test.each([
  ['hangs up', (response: ServerResponse) => void response.destroy()],
  ['falls silent', () => {}],
])('an export whose server %s ends in an error, not in a shorter catalog', async (_, end) => {
  const cut = exported(
    (__, response) => {
      response.writeHead(200, CURSOR)
      response.write('{"id":1}\n{"id":2}\n', () => end(response))
    },
    { timeoutMs: 200 },
  )
  await expect(cut).rejects.toMatchObject({ code: 'no-answer', message: /cut off/ })
})

test('an export that ends within a product is not a catalog: it was cut off, which passes', async () => {
  const cut = exported((_, response) => void response.writeHead(200, CURSOR).end('{"id":1}\n{"id":2'))
  await expect(cut).rejects.toMatchObject({ code: 'no-answer', isPassing: true })
})

test('an export that nobody reads is ended by its cancel', async () => {
  let isClosed = false
  answers = [
    (_, response) => {
      response.writeHead(200, CURSOR).write('{"id":1}\n')
      response.on('close', () => (isClosed = true))
    },
  ]
  const { cancel } = await shelf().export()
  cancel()
  await expect.poll(() => isClosed).toBe(true)
})

test('a refusal that is cut off is asked for again: nobody knows what it would have said', async () => {
  answers = [
    (request, response) => {
      response.writeHead(410, { 'content-type': 'application/problem+json', 'content-length': '100' }).write('{"code":')
      setTimeout(() => request.socket.destroy(), 20)
    },
    problem(410, 'cursor-ahead'),
  ]
  await expect(shelf().stores()).rejects.toMatchObject({ code: 'cursor-ahead', status: 410 })
  expect(seen).toHaveLength(2)
})

test.each([
  { url: undefined },
  { url: '' },
  { url: 'catalog.example' },
  { url: 'catalog.example:443' },
  { url: 'localhost:8080' },
  { url: 'ftp://catalog.example' },
  { token: undefined },
  { token: '' },
  { token: '  ' },
  { token: 'sw_secret\nsw_other' },
  { token: 'sw_sec ret' },
  { token: 'sw_secrét' },
])('an address or a token that is none is said when the client is made, and the token is not: %j', (part) => {
  const options = { url: 'https://catalog.example', token: 'sw_t', ...part } as ClientOptions
  expect(() => new Shelfwire(options)).toThrow(/^`(?:url|token)` must be (?!.*secr)/)
})

test('blanks around a token, as of a file, are not sent', async () => {
  answers = [STORES]
  await shelf({ token: 'sw_t\n' }).stores()
  expect(seen[0]?.headers.authorization).toBe('Bearer sw_t')
})
