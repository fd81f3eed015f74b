import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { request, type IncomingHttpHeaders } from 'node:http'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, expect, test, vi } from 'vitest'
import { ROUTES } from '../../contract/routes.ts'
import { tokenRevoke, tokensList } from '../../src/accounts/tokens.sql.ts'
import { createProducts } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { createDatabase } from '../harness/database.ts'
import { rawRequest } from '../harness/raw-request.ts'
import { client, startTestService, tokenFor, type Answer } from '../harness/service.ts'
import { catalogRoutes } from './documented.ts'
import { strictDocument } from './strict-document.ts'
import { worldOfFile } from '../harness/world.ts'

const { database, service, account } = worldOfFile({ service: {}, account: 'acme' })
let ids: number[]
let groupId: number
let token: string
let get: (path: string, init?: RequestInit) => Promise<Answer>
beforeAll(async () => {
  ids = await giveOffers(
    service.runtime,
    account,
    Array.from({ length: 40 }, (_, i) =>
      offer(`A${i}`, { group: { key: `G${i % 4}`, title: {}, options: [], position: i } }),
    ),
  )
  token = await tokenFor(service.runtime, account.accountId)
  get = client(service.url, token)
  groupId = (await get('/v1/groups')).body.data[0].id
})

const everyPath = () =>
  catalogRoutes.map(({ path }) => path.replace('{id}', String(path.startsWith('/v1/groups/') ? groupId : ids[0])))

function expectProblem(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body?.status, answer.body?.code]).toEqual([status, status, code])
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.body.type).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/docs/problems#${code}$`))
}

const raw = (bytes: string) => rawRequest(service.url, bytes)

/** Sends a request without decoding its answer, as fetch would. */
async function plain(
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined
    headers: IncomingHttpHeaders
    bytes: Buffer
  }>()
  request(service.url + path, { headers: { authorization: `Bearer ${token}`, ...headers } }, (answer) => {
    const parts: Buffer[] = []
    answer.on('data', (part: Buffer) => parts.push(part)).on('error', reject)
    answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(parts) }))
  })
    .on('error', reject)
    .end()
  return await promise
}

test('401 with WWW-Authenticate for whatever is no valid token, on every route and on unknown ones', async () => {
  const checksumOff = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
  const wrong: [string, string | null, string][] = [
    ['missing', null, 'missing-token'],
    ['empty', '', 'missing-token'],
    ['scheme alone', 'Bearer', 'invalid-token'],
    ['basic', `Basic ${token}`, 'invalid-token'],
    ['no scheme', token, 'invalid-token'],
    ['two tokens', `Bearer ${token} ${token}`, 'invalid-token'],
    ['not ours', 'Bearer abc', 'invalid-token'],
    ['bad checksum', `Bearer ${checksumOff}`, 'invalid-token'],
    ['too long', `Bearer ${token}x`, 'invalid-token'],
    ['huge', `Bearer ${'x'.repeat(9_000)}`, 'invalid-token'],
  ]
  for (const path of [...everyPath(), '/v1/nothing', '/v1']) {
    for (const [name, authorization, code] of wrong) {
      const answer = await client(service.url, null)(path, authorization === null ? {} : { headers: { authorization } })
      expect([name, answer.status]).toEqual([name, 401])
      expectProblem(answer, 401, code)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    }
  }
})

test('a revoked, an expired and an unknown token are 401; one tied to no account is 403; full reads like connector', async () => {
  const { runtime } = service
  const full = await tokenFor(runtime, account.accountId, 'full')
  const lower = await client(service.url, null)('/v1/stores', { headers: { authorization: `bearer ${full}` } })
  expect(lower.status).toBe(200)
  for (const path of everyPath()) expect((await client(service.url, full)(path)).text).toBe((await get(path)).text)

  const unbound = await client(service.url, await tokenFor(runtime, null))('/v1/stores')
  expectProblem(unbound, 403, 'token-without-account')
  expectProblem(
    await client(
      service.url,
      await tokenFor(runtime, account.accountId, 'connector', new Date(Date.now() - 1_000)),
    )('/v1/stores'),
    401,
    'invalid-token',
  )
  // a well-formed token, but of another database
  await using elsewhere = await createDatabase()
  await using other = await startTestService(elsewhere)
  const { accountId } = await createAccount(other.runtime)
  expectProblem(
    await get('/v1/stores', { headers: { authorization: `Bearer ${await tokenFor(other.runtime, accountId)}` } }),
    401,
    'invalid-token',
  )

  const list = await tokensList(runtime.db, account.accountId)
  // the newest: the file's own client may also have a full token
  const made = Math.max(...list.filter((row) => row.access === 'full').map(({ tokenId }) => tokenId))
  await inTransaction(runtime.db, (tx) => tokenRevoke(tx, made))
  await vi.waitFor(async () => expectProblem(await client(service.url, full)('/v1/stores'), 401, 'invalid-token'), {
    timeout: 4_000,
  })
})

test('a token that expires while it is in use stops at its time', async () => {
  const expiresAt = new Date(Date.now() + 1_200)
  const shortLived = client(service.url, await tokenFor(service.runtime, account.accountId, 'connector', expiresAt))
  expect((await shortLived('/v1/stores')).status).toBe(200)
  await vi.waitFor(async () => expectProblem(await shortLived('/v1/stores'), 401, 'invalid-token'), {
    timeout: 3_000,
    interval: 100,
  })
  expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime())
})

test('unknown addresses are 404, wrong methods 405 with Allow, all as problems', async () => {
  for (const path of [
    '/',
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/products/1/2',
    '/v1/stores/1',
    '/V1/products',
    '/v2/products',
  ]) {
    expectProblem(await get(path), 404, 'unknown-route')
  }
  for (const path of [...everyPath(), '/healthz', '/openapi.json']) {
    const isTold = path === '/v1/digest/checks'
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY']) {
      if (isTold && method === 'POST') continue
      const answer = await get(path, { method })
      expectProblem(answer, 405, 'method-not-allowed')
      expect(answer.headers.get('allow')).toBe(isTold ? 'GET, HEAD, POST' : 'GET, HEAD')
    }
  }
  expectProblem(
    await get('/v1/products', {
      method: 'POST',
      body: 'x'.repeat(1_100_000),
      headers: { 'content-type': 'application/json' },
    }),
    413,
    'payload-too-large',
  )
  expectProblem(await get('/v1/products/%zz'), 400, 'bad-request')
})

test('requests that are no HTTP get a problem and the connection ends', async () => {
  for (const bytes of [
    '\u0001\u0002 nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /v1/stores HTTP/1.1\r\nConnection: close\r\n\r\n',
    'GET /v1/stores HTTP/1.1\r\nHo st: x\r\n\r\n',
    'GET /v1/stores HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ]) {
    const answer = await raw(bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*Content-Type: application\/problem\+json\r\n.*"code":"bad-request"/is)
  }
  expect((await get('/v1/stores')).status).toBe(200)
})

test('no spelling of an address gets around the token', async () => {
  for (const target of ['/%76%31/stores', 'http://elsewhere/v1/stores', '/v1/store%73']) {
    const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`
    expect(await raw(`${head}\r\n`)).toMatch(/^HTTP\/1\.1 401 /)
    expect(await raw(`${head}Authorization: Bearer ${token}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
  }
  expect(
    await raw(
      `POST http://elsewhere/v1/stores?a=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    ),
  ).toMatch(/^HTTP\/1\.1 405 /)
})

test('HEAD answers like GET without a body', async () => {
  for (const path of [...everyPath(), '/v1/products/1', '/v1/changes?since=x']) {
    const [head, full] = [
      await get(path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } }),
      await get(path, { headers: { 'accept-encoding': 'identity' } }),
    ]
    expect([path, head.status, head.text]).toEqual([path, full.status, ''])
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary'])
      expect(head.headers.get(name)).toBe(full.headers.get(name))
  }
})

test('every GET of /v1 has a strong ETag, answers 304 to it, and tells caches to ask', async () => {
  for (const path of everyPath()) {
    const first = await get(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    expect([first.headers.get('cache-control'), first.headers.get('vary')]).toEqual([
      'private, no-cache',
      'Authorization, Accept-Encoding',
    ])
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
    for (const known of [etag, `W/${etag}`, '*', ` "a" , ${etag},"b"`]) {
      const again = await get(path, { headers: { 'if-none-match': known } })
      expect([path, known, again.status, again.text, again.headers.get('etag')]).toEqual([path, known, 304, '', etag])
      expect(again.headers.get('vary')).toBe('Authorization, Accept-Encoding')
    }
    for (const unknown of ['"x"', etag.slice(1, -1), '', '"*"']) {
      expect([path, unknown, (await get(path, { headers: { 'if-none-match': unknown } })).status]).toEqual([
        path,
        unknown,
        200,
      ])
    }
    // a condition never turns an error into a 304
    expect((await get(`${path}?store=x&store=y`, { headers: { 'if-none-match': '*' } })).status).toBe(
      ['/v1/stores', '/v1/customer-groups', '/v1/digest/checks'].includes(path) ? 304 : 400,
    )
  }
})

test('an ETag changes whenever the body does, also where another product takes the place of a like one', async () => {
  const own = await createAccount(service.runtime, 'tags')
  const read = client(service.url, await tokenFor(service.runtime, own.accountId))
  const [a = 0, b = 0] = (
    await service.runtime.shelf.write(own.accountId, (tx) => createProducts(tx, own.accountId, [{}, {}]))
  ).productIds
  const list = (id: number, isListed: boolean) =>
    service.runtime.shelf.write(own.accountId, (tx) => setListing(tx, own.accountId, own.storeIds[0], [id], isListed))
  await list(b, false)
  for (const route of ['/v1/products', '/v1/prices']) {
    const before = await read(route)
    await list(a, false)
    await list(b, true)
    const after = await read(route)
    expect(after.text).not.toBe(before.text)
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    await list(b, false)
    await list(a, true)
    expect((await read(route)).headers.get('etag')).toBe(before.headers.get('etag'))
  }
})

test('content codings decode to the same bytes, each with a tag of its own', async () => {
  const decoders: Record<string, (bytes: Buffer) => Buffer> = {
    gzip: gunzipSync,
    br: brotliDecompressSync,
    zstd: zstdDecompressSync,
  }
  const bare = await plain('/v1/products', { 'accept-encoding': 'identity' })
  const tags = new Set([bare.headers.etag])
  const cases: [string, string | undefined][] = [
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['GZIP', 'gzip'],
    ['gzip;q=0.5, br;q=0.9', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['zstd;q=0, *', 'gzip'],
    ['*', 'gzip'],
    ['*;q=0.1', 'gzip'],
    ['br, *', 'br'],
    ['br;q=0.2, *', 'gzip'],
    ['gzip;q=0, *', undefined],
    ['gzip;q=0.1, *;q=0.5', undefined],
    ['identity;q=0, *', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['identity;q=1, *;q=0.5', undefined],
    ['gzip, *;q=0', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip; q=1.0, zstd;q=0.1', 'gzip'],
    ['deflate', undefined],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['', undefined],
    [';;,,q=', undefined],
  ]
  for (const [accepted, coding] of cases) {
    const answer = await plain('/v1/products', { 'accept-encoding': accepted })
    expect([accepted, answer.headers['content-encoding']]).toEqual([accepted, coding])
    const bytes = coding === undefined ? answer.bytes : decoders[coding]!(answer.bytes)
    expect(bytes.equals(bare.bytes)).toBe(true)
    tags.add(answer.headers.etag)
    const known = await plain('/v1/products', {
      'accept-encoding': accepted,
      'if-none-match': answer.headers.etag ?? '',
    })
    expect(known.status).toBe(304)
  }
  expect(tags.size).toBe(4)
  expect(
    (await plain('/v1/products', { 'accept-encoding': 'gzip', 'if-none-match': bare.headers.etag ?? '' })).status,
  ).toBe(200)
  // an answer that fits into one packet is not compressed
  expect((await plain('/v1/stores', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined()
  // unless the client refuses that
  const small = await plain('/v1/stores', { 'accept-encoding': 'gzip, identity;q=0' })
  expect(JSON.parse(gunzipSync(small.bytes).toString())).toHaveProperty('data')
})

test('the rate limit is told in headers, refuses with Retry-After, and each token has its own', async () => {
  await using limited = await startTestService(database, { env: { RATE_LIMIT_PER_SECOND: '10' } })
  const read = client(limited.url, token)
  const first = await read('/v1/stores')
  expect(first.headers.get('ratelimit-policy')).toBe('"default";q=20;w=2')
  expect(first.headers.get('ratelimit')).toBe('"default";r=19;t=1')
  const answers = await Promise.all(Array.from({ length: 60 }, () => read('/v1/stores')))
  const refused = answers.filter((answer) => answer.status === 429)
  expect(refused.length).toBeGreaterThan(20)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(19)
  for (const answer of refused) {
    expectProblem(answer, 429, 'rate-limited')
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(answer.headers.get('ratelimit')).toMatch(/^"default";r=0;t=1$/)
  }
  expect((await client(limited.url, await tokenFor(service.runtime, account.accountId))('/v1/stores')).status).toBe(200)
  expect((await client(limited.url, null)('/healthz')).status).toBe(200)
  await vi.waitFor(async () => expect((await read('/v1/stores')).status).toBe(200), { timeout: 3_000, interval: 200 })
})

test('health, readiness and metrics need no token', async () => {
  const open = client(service.url, null)
  expect((await open('/healthz')).body).toEqual({ status: 'ok' })
  expect(await open('/readyz')).toMatchObject({ status: 200, body: { status: 'ready', unready: [] } })
  const metrics = await open('/metrics')
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(metrics.text).toMatch(/^shelfwire_request_seconds_count\{route="\/v1\/products\/:id",status="200"\} \d+$/m)
  expect(metrics.text).toMatch(/^shelfwire_request_seconds_count\{route="[^"]+",status="401"\} \d+$/m)
  expect(metrics.text).toMatch(/^shelfwire_long_polls 0$/m)
})

test('shutting down finishes requests in flight and sends long polls home', async () => {
  await using ending = await startTestService(database)
  const read = client(ending.url, token)
  const polls = [read('/v1/changes?since=now'), read('/v1/changes?since=2999-01-01T00:00:00Z&wait=25')]
  await vi.waitFor(
    async () => expect((await client(ending.url, null)('/metrics')).text).toContain('shelfwire_long_polls 1\n'),
    { timeout: 5_000 },
  )
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const locked = inTransaction(database.db, async (tx) => {
    await tx`lock table payload_block in access exclusive mode`
    await held
  })
  const waits = async () =>
    (
      await database.db<
        { n: number }[]
      >`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    )[0]?.n
  await vi.waitFor(
    async () =>
      expect(
        (
          await database.db`select 1 from pg_locks where mode = 'AccessExclusiveLock' and granted and relation = 'payload_block'::regclass`
        ).length,
      ).toBe(1),
    { timeout: 5_000 },
  )
  const slow = read('/v1/products')
  await vi.waitFor(async () => expect(await waits()).toBe(1), { timeout: 5_000 })
  const unused = connect(Number(new URL(ending.url).port), '127.0.0.1')
  await once(unused, 'connect')
  const started = performance.now()
  const closed = ending.service[Symbol.asyncDispose]()
  expect((await Promise.all(polls)).map((answer) => [answer.status, answer.body.changes.length])).toEqual([
    [200, 0],
    [200, 0],
  ])
  release()
  await locked
  expect(await slow).toMatchObject({ status: 200, body: { meta: { total: 40 } } })
  // kept-alive connections do not delay the stop, whether they were used or not
  await closed
  unused.destroy()
  expect(performance.now() - started).toBeLessThan(LIMITS.shutdownDrainMs / 2)
  await expect(read('/v1/stores')).rejects.toThrow()
})

test('the document is valid OpenAPI, and is sent coded', async () => {
  const open = client(service.url, null)
  const { body } = await open('/openapi.json')
  expect(await new Validator().validate(structuredClone(body))).toEqual({ valid: true })
  expect(Object.keys(strictDocument(body).paths)).toEqual([
    ...new Set(ROUTES.flatMap(({ path, isDocumented }) => (isDocumented ? [path] : []))),
  ])
  expect(body.servers).toEqual([{ url: `${service.url}/v1`, description: 'This service' }])
  // the document is large, and only a release changes it
  const plainDocument = await plain('/openapi.json', {})
  const coded = await plain('/openapi.json', { 'accept-encoding': '*' })
  expect([coded.headers['content-encoding'], coded.headers.vary]).toEqual(['gzip', 'Accept-Encoding'])
  expect(gunzipSync(coded.bytes).equals(plainDocument.bytes)).toBe(true)
  expect(coded.bytes.length).toBeLessThan(plainDocument.bytes.length / 4)
  expect(coded.headers.etag).not.toBe(plainDocument.headers.etag)
  for (const [headers, etag] of [
    [{}, plainDocument.headers.etag],
    [{ 'accept-encoding': 'gzip' }, coded.headers.etag],
  ] as const)
    expect(await plain('/openapi.json', { ...headers, 'if-none-match': etag ?? '' })).toMatchObject({
      status: 304,
      headers: { etag },
    })
})
