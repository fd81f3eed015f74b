import { beforeAll, expect, test } from 'vitest'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { until } from '../harness/interleave.ts'
import { wholeDatabase } from '../harness/refusal.ts'
import { client, tokenFor } from '../harness/service.ts'
import { serveFiles } from './sources-bench.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// A source, set up over HTTP, from its creation to the offers of its runs, in the whole service.

const directory = directoryOfFile('source-runs')
const { database, service } = worldOfFile({
  service: { roles: ['api', 'work'], env: { OUTBOUND_ALLOW: '127.0.0.1/32', DATA_DIR: directory } },
})
let account: TestAccount
let send: (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => ReturnType<ReturnType<typeof client>>
beforeAll(async () => {
  account = await createAccount(service.runtime)
  const http = client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))
  send = (method, path, body, headers = {}) =>
    http(`/v1/account/suppliers/north/sources${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
})

const runs = () => database.db<{ state: string; detail: string | null }[]>`
  select state, problem ->> 'detail' as detail from import_run where account_id = ${account.accountId} order by run_id`
const costs = async () =>
  (
    await database.db<{ text: string }[]>`
    select supplier_sku || '=' || cost::float || ' x' || coalesce(quantity, 0) as text from offer
    where account_id = ${account.accountId} order by supplier_sku`
  ).map(({ text }) => text)
/** Makes the source due, and waits until this many runs have ended. */
async function fall(count: number): Promise<string | undefined> {
  await database.db`update supplier_source set next_run_at = now() where account_id = ${account.accountId}`
  await until(
    `the end of run ${count}`,
    async () =>
      (await runs()).filter(({ state }) => !/waiting|fetching|reading|writing|resolving/.test(state)).length >= count,
  )
  return (await runs()).at(-1)?.state
}

test('a source is fetched when it is due, and what its server says of the file and of failures is followed', async () => {
  let content = 'sku,cost,stock\nA-1,10,3\nA-2,11.5,4\n'
  let etag = '"v1"'
  let status = 200
  await using server = await serveFiles(({ headers }, response) => {
    if (status !== 200) response.writeHead(status).end()
    else if (headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.writeHead(200, { etag, 'content-type': 'text/csv' }).end(content)
  })
  const made = await send('POST', '', {
    name: 'stock',
    kind: 'http',
    url: `${server.url}/stock.csv`,
    credentials: { kind: 'bearer', token: 'hush-token-of-north' },
    mapping: { format: 'csv', fields: { sku: 'sku', cost: 'cost', quantity: 'stock' } },
    every_minutes: 60,
  })
  expect([made.status, made.body.data.credentials]).toEqual([201, { kind: 'bearer' }])
  expect(await fall(1)).toBe('succeeded')
  expect(await costs()).toEqual(['A-1=10 x3', 'A-2=11.5 x4'])
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer hush-token-of-north'])

  expect(await fall(2)).toBe('unchanged')
  expect(server.requests.at(-1)?.headers['if-none-match']).toBe('"v1"')

  content = 'sku,cost,stock\nA-1,12,3\nA-2,11.5,4\n'
  etag = '"v2"'
  expect(await fall(3)).toBe('succeeded')
  expect(await costs()).toEqual(['A-1=12 x3', 'A-2=11.5 x4'])

  content = '<!DOCTYPE html><html><head><title>Sign in</title></head><body><p>Please sign in</p></body></html>'
  etag = '"v3"'
  expect(await fall(4)).toBe('refused')
  expect((await runs()).at(-1)?.detail).toMatch(/HTML/)
  status = 404
  expect(await fall(5)).toBe('failed')
  expect((await send('GET', '/stock')).body.data.status).toMatchObject({
    failures: 1,
    failure: expect.stringContaining('(404)'),
  })
  expect(await costs()).toEqual(['A-1=12 x3', 'A-2=11.5 x4'])
  const stored = await wholeDatabase(database.db)
  expect(stored).toContain('stock.csv')
  expect(stored).not.toContain('hush')
})

test('what changes by itself has no part in If-Match, and an answer that differs has another ETag', async () => {
  const before = await send('GET', '/stock')
  const tag = before.headers.get('etag') ?? ''
  await database.db`update supplier_source set failures = failures + 1 where account_id = ${account.accountId}`
  const after = await send('GET', '/stock', undefined, { 'if-none-match': tag })
  expect([after.status, after.headers.get('etag') === tag]).toEqual([200, false])
  // the body of a read can be sent back although members that the service assigns have changed since
  const edited = await send('PUT', '/stock', before.body.data, { 'if-match': tag })
  expect([edited.status, edited.body.data.credentials]).toEqual([200, { kind: 'bearer' }])
  const patched = await send('PATCH', '/stock', { every_minutes: 90 }, { 'if-match': edited.headers.get('etag') ?? '' })
  expect(patched.status).toBe(200)
  expect((await send('PATCH', '/stock', { every_minutes: 60 }, { 'if-match': tag })).status).toBe(412)
})

test('a source of another supplier, or of an unknown one, is not found', async () => {
  const http = client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))
  expect((await http('/v1/account/suppliers/south/sources/stock')).body.code).toBe('unknown-reference')
  expect((await http('/v1/account/suppliers/nobody/sources')).body.code).toBe('unknown-supplier')
})
