import { once } from 'node:events'
import { beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { openLog } from '../../src/platform/log.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { openRuntime } from '../../src/runtime.ts'
import { startService } from '../../src/service.ts'
import { createAccount } from '../harness/account.ts'
import { dial, parsedAnswer, rawRequest } from '../harness/raw-request.ts'
import { client, startTestService, tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Requests that reach no route because Node's parser refuses them, they are late, or they contradict themselves; and the
// headers that every answer must have, these included. Over sockets, because fetch cannot send such requests.

const { database, service } = worldOfFile({ service: {} })
let token: string
beforeAll(async () => {
  const { accountId } = await createAccount(service.runtime)
  token = await tokenFor(service.runtime, accountId)
})

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const head = (target: string, ...fields: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...fields, '', ''].join('\r\n')

/** Fails unless the bytes are a complete problem with the headers that every answer has. */
function expectRefusal(text: string, status: number, code: string, allow?: string): void {
  const { headers, body, ...answer } = parsedAnswer(text)
  expect([answer.status, headers.get('content-type')], text).toEqual([status, 'application/problem+json'])
  const problem = JSON.parse(body) as { status: number; code: string }
  expect([problem.status, problem.code]).toEqual([status, code])
  expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(body))
  expect(headers.get('allow')).toBe(allow)
  expect(headers.get('x-request-id')).toMatch(UUID)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
}

test('an address that is too long is 414, headers that are too large are 431', async () => {
  const long = LIMITS.requestUrlBytesMax
  for (const target of [
    `/v1/products?x=${'y'.repeat(long)}`,
    `/${'y'.repeat(long)}`,
    `/v1/products/${'1'.repeat(long)}`,
  ])
    expectRefusal(await rawRequest(service.url, head(target)), 414, 'uri-too-long')
  expectRefusal(await rawRequest(service.url, head(`/v1/products?x=${'y'.repeat(60_000)}`)), 414, 'uri-too-long')
  // the parser stops reading before the end of the URL, so the fault may be either that or the headers
  const endless = parsedAnswer(await rawRequest(service.url, head(`/v1/products?x=${'y'.repeat(1_000_000)}`)))
  expect([414, 431]).toContain(endless.status)
  expect(endless.body).toMatch(/"code":"(uri-too-long|headers-too-large)"/)
  expectRefusal(
    await rawRequest(service.url, head('/v1/stores', `Cookie: ${'y'.repeat(60_000)}`)),
    431,
    'headers-too-large',
  )
  expectRefusal(
    await rawRequest(
      service.url,
      head('/v1/stores', ...Array.from({ length: 900 }, (_, i) => `X-${i}: ${'y'.repeat(40)}`)),
    ),
    431,
    'headers-too-large',
  )
  // within the limits the parameter is ignored, as any unknown one is
  const read = await rawRequest(
    service.url,
    head(`/v1/stores?x=${'y'.repeat(long - 100)}`, `Authorization: Bearer ${token}`),
  )
  expect(parsedAnswer(read).status).toBe(200)
})

test('methods that Node does not know are 405 with Allow where there is something, and 501 elsewhere', async () => {
  const ask = (line: string) => rawRequest(service.url, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  expectRefusal(await ask('BREW /v1/products'), 405, 'method-not-allowed', 'GET, HEAD')
  expectRefusal(await ask('get /v1/products?page=1'), 405, 'method-not-allowed', 'GET, HEAD')
  expectRefusal(await ask('FOO http://elsewhere/healthz'), 405, 'method-not-allowed', 'GET, HEAD')
  expectRefusal(await ask('BREW /v1/account/stores/main'), 405, 'method-not-allowed', 'GET, HEAD, PUT, PATCH, DELETE')
  expectRefusal(await ask('BREW /v1/nothing'), 501, 'method-not-implemented')
  expectRefusal(await ask('CONNECT example.com:443'), 501, 'method-not-implemented')
  // the second request of a connection
  const two = await rawRequest(
    service.url,
    'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nBREW /v1/stores HTTP/1.1\r\nHost: x\r\n\r\n',
  )
  expectRefusal(two.slice(two.lastIndexOf('HTTP/1.1 ')), 405, 'method-not-allowed', 'GET, HEAD')
  for (const line of ['BREW', 'BREW /v1/products x', 'BRE\u0001W /v1/products', '{"a": 1}'])
    expectRefusal(await ask(line), 400, 'bad-request')
})

test('an expectation other than 100-continue is 417; that one is met', async () => {
  expectRefusal(
    await rawRequest(service.url, head('/v1/stores', `Authorization: Bearer ${token}`, 'Expect: a-miracle')),
    417,
    'expectation-failed',
  )
  const expecting = 'Expect: 100-continue'
  const read = await rawRequest(service.url, head('/v1/stores', `Authorization: Bearer ${token}`, expecting))
  expect(read).toMatch(/^HTTP\/1\.1 200 /)
  // a route that reads a body sends 100 Continue
  const full = `Authorization: Bearer ${await tokenFor(service.runtime, 1, 'full')}`
  const type = 'Content-Type: application/json'
  const write = `POST /v1/account/stores HTTP/1.1\r\nHost: x\r\n${full}\r\n${type}\r\nContent-Length: 2\r\n${expecting}\r\nConnection: close\r\n\r\n{}`
  expect(await rawRequest(service.url, write)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 422 /)
})

test('a request that does not arrive in time is 408', async () => {
  await using slow = await startTestService(database)
  const { server, arrival } = slow.service.app!
  server.headersTimeout = 200
  arrival.timeoutMs = 400
  expectRefusal(await rawRequest(slow.url, 'GET /v1/stores HT'), 408, 'request-timeout')
  // the same for a body that is late
  expectRefusal(
    await rawRequest(
      slow.url,
      `POST /v1/account/stores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await tokenFor(slow.runtime, 1, 'full')}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    ),
    408,
    'request-timeout',
  )
})

test('two Host or two Authorization headers are refused, and a request without Host', async () => {
  const authorization = `Authorization: Bearer ${token}`
  for (const target of ['/v1/stores', '/healthz', '/nothing']) {
    for (const fields of [
      ['Host: y'],
      ['hOST: x'],
      [authorization, authorization],
      [authorization, 'authorization: Bearer other'],
      ['AUTHORIZATION:', authorization],
    ]) {
      const text = await rawRequest(service.url, head(target, ...fields))
      expectRefusal(text, 400, 'bad-request')
      expect(text).toMatch(/more than one (Host|Authorization) header/)
    }
    expectRefusal(
      await rawRequest(service.url, `GET ${target} HTTP/1.1\r\nConnection: close\r\n${authorization}\r\n\r\n`),
      400,
      'bad-request',
    )
  }
  expect(parsedAnswer(await rawRequest(service.url, head('/v1/stores', authorization))).status).toBe(200)
  const old = await rawRequest(service.url, `GET /v1/stores HTTP/1.0\r\n${authorization}\r\n\r\n`)
  expect(parsedAnswer(old).status).toBe(200)
})

test('a client that keeps sending what cannot be read, or does not read the answer, loses its connection', async () => {
  const socket = dial(service.url)
  const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve))
  socket.pause()
  await once(socket, 'connect')
  const from = performance.now()
  const noise = setInterval(() => socket.write('\u0001 nonsense\r\n\r\n'), 50)
  await closed
  clearInterval(noise)
  expect(performance.now() - from).toBeLessThan(10_000)
})

test('every answer has the request’s id: the client’s own where it is well formed, else a new one', async () => {
  const get = client(service.url, token)
  const paths = [
    '/v1/stores',
    '/v1/stores?store=x',
    '/v1/changes?since=x',
    '/v1/nothing',
    '/nothing',
    '/healthz',
    '/docs',
  ]
  for (const path of [...paths, '/openapi.json', '/readyz', '/metrics', '/v1/products/%zz', '/v1/export']) {
    const [own, other] = [await get(path), await get(path)]
    expect([path, own.headers.get('x-request-id')]).toEqual([path, expect.stringMatching(UUID)])
    expect(other.headers.get('x-request-id')).not.toBe(own.headers.get('x-request-id'))
    for (const id of [
      'a',
      '4bf92f3577b34da6a3ce929d0e0e4736',
      'Root=1-67891233-abcdef012345678912345678',
      'x'.repeat(128),
    ]) {
      const answer = await get(path, { headers: { 'x-request-id': id } })
      expect([path, answer.headers.get('x-request-id')]).toEqual([path, id])
    }
  }
  for (const id of ['', 'two words', 'x'.repeat(129), 'a"b', '<script>', 'a,b', '{}', 'ä'])
    expect((await get('/v1/stores', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toMatch(UUID)
  const twice = await rawRequest(service.url, head('/healthz', 'X-Request-Id: a', 'X-Request-Id: b'))
  expect(parsedAnswer(twice).headers.get('x-request-id')).toMatch(UUID)
})

test('the request’s id is in the log: of answers at debug, of refusals too', async () => {
  const lines: string[] = []
  const log = openLog('debug', { write: (line: string) => void lines.push(line) })
  const settings = readSettings({ DATABASE_URL: database.url, PORT: '0', RATE_LIMIT_PER_SECOND: '0' })
  await using runtime = await openRuntime(settings, log)
  await using logging = await startService(runtime, ['api'])
  const read = client(logging.url!, token)
  const logged = (id: string) =>
    lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['request_id'] === id)
      .map(({ status }) => status)
  for (const [path, status] of [
    ['/v1/stores', 200],
    ['/v1/changes?since=x', 400],
    ['/v1/nothing', 404],
  ] as const) {
    await read(path, { headers: { 'x-request-id': `req-${status}` } })
    await expect.poll(() => logged(`req-${status}`)).toEqual([status])
  }
  const refused = parsedAnswer(await rawRequest(logging.url!, 'nonsense\r\n\r\n'))
  await expect.poll(() => logged(refused.headers.get('x-request-id') ?? '')).toEqual([400])
})

test('no answer may be sniffed, framed or run, and the readable page runs only what the service sends', async () => {
  const get = client(service.url, token)
  for (const path of [
    '/v1/stores',
    '/v1/nothing',
    '/nothing',
    '/healthz',
    '/metrics',
    '/openapi.json',
    '/v1/export',
    '/channels/x',
  ]) {
    const { headers } = await get(path)
    expect([path, headers.get('content-security-policy')]).toEqual([path, "default-src 'none'; frame-ancestors 'none'"])
  }
  const page = await get('/docs/api/listStores')
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; .*; script-src 'self'; /)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  for (const path of ['/docs', '/docs/guides.css', '/v1/stores', '/nothing', '/v1/stores?store=x']) {
    const { headers } = await get(path, { headers: { 'if-none-match': '*' } })
    expect([path, headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual([
      path,
      'nosniff',
      'no-referrer',
    ])
  }
})
