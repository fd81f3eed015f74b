import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { client, startTestService } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Who may read /metrics: by default only clients on the same machine, and none that come through a proxy.

const { database } = worldOfFile()

const METRICS_TOKEN = 'scrape-me-1234567890'
const figures = /^shelfwire_process_cpu_seconds_total /m

/** An address of this machine that is not loopback. */
const elsewhere = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry !== undefined && !entry.internal && entry.family === 'IPv4')?.address

test('without settings this machine reads the figures, and nobody through a proxy', async () => {
  await using service = await startTestService(database, { env: { HOST: '0.0.0.0' } })
  const get = client(service.url, null)
  const direct = await get('/metrics')
  expect(direct.status).toBe(200)
  expect(direct.text).toMatch(figures)
  expect(direct.headers.get('cache-control')).toBe('no-store')
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-proto']) {
    const answer = await get('/metrics', { headers: { [header]: '127.0.0.1' } })
    expect([header, answer.status, answer.body.code]).toEqual([header, 403, 'forbidden'])
    expect(answer.body.detail).toContain('METRICS_TOKEN')
  }
})

test.skipIf(elsewhere === undefined)('without settings nobody reads them from another address', async () => {
  await using service = await startTestService(database, { env: { HOST: '0.0.0.0' } })
  const { port } = new URL(service.url)
  const answer = await client(`http://${elsewhere}:${port}`, null)('/metrics')
  expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
})

test.each([
  ['PUBLIC_URL', 'https://api.example.com'],
  ['TRUSTED_PROXIES', '10.0.0.0/8'],
])('where %s says that a proxy stands in front, nobody reads them without a token', async (name, value) => {
  await using service = await startTestService(database, { env: { [name]: value } })
  const answer = await client(service.url, null)('/metrics')
  expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
})

test('with METRICS_TOKEN it is needed, from everywhere, and no token of an account will do', async () => {
  await using service = await startTestService(database, {
    env: { METRICS_TOKEN, PUBLIC_URL: 'https://api.example.com' },
  })
  const ask = async (authorization?: string) => {
    const answer = await client(service.url, null)(
      '/metrics',
      authorization === undefined ? {} : { headers: { authorization } },
    )
    return [answer.status, answer.body?.code, answer.headers.get('www-authenticate')]
  }
  expect(await ask()).toEqual([401, 'missing-token', 'Bearer'])
  expect(await ask(`Bearer ${METRICS_TOKEN}x`)).toEqual([401, 'invalid-token', 'Bearer'])
  expect(await ask(`Bearer ${METRICS_TOKEN.slice(1)}`)).toEqual([401, 'invalid-token', 'Bearer'])
  expect(await ask(`Basic ${METRICS_TOKEN}`)).toEqual([401, 'invalid-token', 'Bearer'])
  expect(await ask(`Bearer ${METRICS_TOKEN}`)).toEqual([200, undefined, null])
  // the token of /metrics gives access to nothing else
  expect((await client(service.url, METRICS_TOKEN)('/v1/stores')).status).toBe(401)
})

test('with METRICS_PORT they are there alone, for whoever reaches it, or with the token', async () => {
  await using service = await startTestService(database, { env: { METRICS_PORT: '0' } })
  expect((await client(service.url, null)('/metrics')).body.code).toBe('unknown-route')
  const apart = client(service.service.metricsUrl!, null)
  const read = await apart('/metrics', { headers: { 'x-forwarded-for': '192.0.2.1' } })
  expect([read.status, read.headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
  expect(read.text).toMatch(figures)
  expect(read.text).toMatch(/^shelfwire_long_polls 0$/m)
  expect(read.text).toMatch(/^shelfwire_request_seconds_count\{route="\/metrics",status="404"\} 1$/m)
  for (const path of ['/', '/v1/stores', '/docs', '/openapi.json'])
    expect([path, (await apart(path)).body.code]).toEqual([path, 'unknown-route'])
  expect((await apart('/metrics', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD')

  await using guarded = await startTestService(database, { env: { METRICS_PORT: '0', METRICS_TOKEN } })
  expect((await client(guarded.service.metricsUrl!, null)('/metrics')).status).toBe(401)
  expect((await client(guarded.service.metricsUrl!, METRICS_TOKEN)('/metrics')).status).toBe(200)
})

test('a process that only works has its figures at METRICS_PORT, too', async () => {
  await using service = await startTestService(database, { roles: ['work'], env: { METRICS_PORT: '0' } })
  expect(service.service.url).toBe(null)
  const { text } = await client(service.service.metricsUrl!, null)('/metrics')
  expect(text).toMatch(figures)
  expect(text).toContain('shelfwire_webhook_deliveries_total')
})

test('a port that is taken is named', async () => {
  await using service = await startTestService(database)
  const { port } = new URL(service.url)
  await expect(startTestService(database, { env: { METRICS_PORT: port } })).rejects.toMatchObject({
    code: 'settings-invalid',
    message: expect.stringContaining('METRICS_PORT'),
  })
})
