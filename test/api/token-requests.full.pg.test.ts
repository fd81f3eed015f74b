import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { GET_PRODUCT } from '../../contract/routes/catalog.ts'
import { createToken } from '../../src/accounts/create-token.ts'
import { tokenRequestsInsert, tokenRequestsPage } from '../../src/accounts/token-requests.sql.ts'
import { TokenRequests, type AnsweredRequest } from '../../src/accounts/token-requests.ts'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { isCluster } from '../harness/database.ts'
import { until } from '../harness/interleave.ts'
import { client, startTestService } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import { makeMember, makePerson, signedIn, type Browser } from '../panel/browser.ts'

// The log of requests of each token, over HTTP and the panel's API, and its bounds.

const { database, bench, service, account, ids } = worldOfFile({ service: {}, account: 'acme', products: ['A'] })
let other: TestAccount
let owner: Browser
let token: { tokenId: number; token: string }
let people = 0

const newTokenOf = ({ accountId }: TestAccount) =>
  inTransaction(database.db, (tx) => createToken(tx, { accountId, access: 'full' }))
const ownerOf = async ({ accountId }: TestAccount) => {
  const email = `owner${people++}@example.com`
  const personId = await makePerson(database.db, email)
  await makeMember(database.db, accountId, personId, email, 'owner')
  return signedIn(database.db, service.url, personId)
}
const pathOf = (tokenId: number, query = '') =>
  `/panel/api/accounts/${account.accountId}/tokens/${tokenId}/requests${query}`
const logged = async (tokenId: number, query = '') => (await owner.get(pathOf(tokenId, query))).body.data
// read from the database: requests to the panel's API count for the account's rate limit, and polling would exceed it
const written = (tokenId: number, { accountId }: TestAccount = account) =>
  tokenRequestsPage(database.db, accountId, tokenId, { before: undefined, failed: false, limit: 50 })
const isLogged = (tokenId: number, count: number) =>
  until(`${count} requests are logged`, async () => (await written(tokenId)).length >= count)

beforeAll(async () => {
  other = await createAccount(bench, 'other')
  owner = await ownerOf(account)
})
beforeEach(async () => {
  token = await newTokenOf(account)
})

test('has what was asked and answered, newest first, whoever answers it', async () => {
  const http = client(service.url, token.token)
  const answers: { id: string | null; status: number; code: unknown }[] = []
  const ask = async (path: string, init: RequestInit = {}) => {
    const { status, headers, body } = await http(path, init)
    answers.push({ id: headers.get('x-request-id'), status, code: status < 400 ? null : body?.code })
    return headers
  }
  const [id] = ids
  const product = `/v1/products/${id}?store=main`
  const etag = (await ask(product)).get('etag')!
  await ask(product, { headers: { 'If-None-Match': etag, 'X-Request-Id': 'of-the-client/1' } })
  await ask('/v1/products/999999999?store=main')
  await ask('/v1/nothing/here?a=1')
  await ask(`/v1/account/products/${id}/stock`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"quantity":"many"}',
  })
  await ask('/v1/account/nothing', { method: 'DELETE' })
  await ask('/v1/stores')
  await isLogged(token.tokenId, answers.length)
  const rows = (await logged(token.tokenId)).toReversed()
  expect(
    rows.map((row: { request_id: string; status: number; code: unknown }) => ({
      id: row.request_id,
      status: row.status,
      code: row.code,
    })),
  ).toEqual(answers)
  expect(
    rows.map((row: { method: string; route: string; address: string }) => [row.method, row.route, row.address]),
  ).toEqual([
    ['GET', '/v1/products/{id}', product],
    ['GET', '/v1/products/{id}', product],
    ['GET', '/v1/products/{id}', '/v1/products/999999999?store=main'],
    ['GET', null, '/v1/nothing/here?a=…'],
    ['PUT', '/v1/account/products/{id}/stock', `/v1/account/products/${id}/stock`],
    ['DELETE', null, '/v1/account/nothing'],
    ['GET', '/v1/stores', '/v1/stores'],
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 304, 404, 404, 422, 404, 200])
  expect(answers[1]?.id).toBe('of-the-client/1')
  for (const row of rows) {
    expect(Math.abs(Date.now() - Date.parse(row.at))).toBeLessThan(60_000)
    expect(row.duration_ms).toBeLessThan(60_000)
    expect(row.left_out).toBe(0)
  }
  // only failures, page by page
  const first = (await owner.get(pathOf(token.tokenId, '?failed=true&per_page=3'))).body
  expect(first.data.map((row: { status: number }) => row.status)).toEqual([404, 422, 404])
  const second = await logged(token.tokenId, `?failed=true&per_page=3&before=${first.meta.next_before}`)
  expect(second.map((row: { address: string }) => row.address)).toEqual(['/v1/products/999999999?store=main'])
})

test('has what was refused because it was too much, of a plain read and of others', async () => {
  await using slow = await startTestService(database, { env: { RATE_LIMIT_PER_SECOND: '1' } })
  // an account of its own, because the owner's requests are refused as well once its rate is used up
  const busy = await createAccount(bench, 'busy')
  const { tokenId, token: text } = await newTokenOf(busy)
  const http = client(slow.url, text)
  const statuses: number[] = []
  for (const path of ['/v1/products', '/v1/products', '/v1/products', '/v1/stores', '/v1/nothing'])
    statuses.push((await http(path)).status)
  expect(statuses.slice(-2)).toEqual([429, 429])
  await until('all are written', async () => (await written(tokenId, busy)).length === statuses.length)
  const rows = await written(tokenId, busy)
  expect(rows.map(({ status }) => status).toReversed()).toEqual(statuses)
  const refused = rows.filter(({ status }) => status === 429)
  for (const row of refused) expect(row.code).toBe('rate-limited')
})

test('is that of one token of one account, and has nothing that was asked with a session', async () => {
  const [second, theirs] = [await newTokenOf(account), await newTokenOf(other)]
  for (const { token: text } of [token, second, theirs])
    expect((await client(service.url, text)('/v1/stores')).status).toBe(200)
  await owner.get('/v1/account', { headers: { 'Shelfwire-Account': String(account.accountId) } })
  for (const { tokenId } of [token, second]) {
    await isLogged(tokenId, 1)
    expect(await logged(tokenId)).toHaveLength(1)
  }
  await until('theirs is written', async () => (await written(theirs.tokenId, other)).length === 1)
  const refused = await owner.get(pathOf(theirs.tokenId))
  expect(refused.body).toMatchObject({ status: 404, code: 'unknown-reference' })
  const stranger = await ownerOf(other)
  expect((await stranger.get(pathOf(token.tokenId))).body.code).toBe('unknown-account')
  const [sessions] = await database.db<{ count: number }[]>`
    select count(*)::int as count from token_request where account_id = ${account.accountId} and token_id <= 0`
  expect(sessions?.count).toBe(0)
})

test('no secret is in it', async () => {
  const http = client(service.url, token.token)
  for (const path of [
    `/v1/products?access_token=${token.token}`,
    `/v1/stores?password=hush-hush`,
    `/v1/stores?hush-hush`,
    `/v1/${token.token}/products`,
    `/v1/products/${ids[0]}?store=${token.token}`,
  ])
    await http(path, { headers: { 'X-Request-Id': token.token, Cookie: 'a=hush-hush' } })
  await isLogged(token.tokenId, 5)
  const [row] = await database.db<{ text: string }[]>`
    select string_agg(t::text, ' ') as text from token_request t where account_id = ${account.accountId} and token_id = ${token.tokenId}`
  expect(row?.text).toContain('access_token=…')
  expect(row?.text).not.toMatch(/sw_|hush/)
})

describe('what is put into memory', () => {
  let log: TokenRequests
  let db: Db
  beforeEach(() => {
    db = database.db
    log = new TokenRequests(db, silentLog)
  })
  const request = (over: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
    accountId: account.accountId,
    tokenId: token.tokenId,
    route: GET_PRODUCT,
    method: 'GET',
    target: '/v1/products/1',
    status: 200,
    code: null,
    ms: 1.4,
    requestId: 'x',
    ...over,
  })
  const page = (failed = false, tokenId = token.tokenId) =>
    tokenRequestsPage(database.db, account.accountId, tokenId, { before: undefined, failed, limit: 2_000 })
  const leftOut = async () => (await log.metric.get()).values[0]?.value ?? 0
  const counts = async () => {
    const rows = await database.db<{ tokenId: number; count: number }[]>`
      select token_id as "tokenId", count(*)::int as count from token_request
      where account_id = ${account.accountId} group by token_id`
    return new Map(rows.map((row) => [row.tokenId, row.count]))
  }

  test('is asked of no database where nothing was requested', async () => {
    await new TokenRequests({} as Db, silentLog).flush()
  })

  test('of many within a second ten answers and ten failures are kept, and the last says how many are not', async () => {
    for (let i = 0; i < 35; i++) log.note(request({ requestId: `${i}` }))
    for (let i = 0; i < 15; i++) log.note(request({ requestId: `f${i}`, status: 404, code: 'unknown-product' }))
    await log.flush()
    const rows = await page()
    expect(rows.map(({ requestId }) => requestId).toReversed()).toEqual([
      ...Array.from({ length: 10 }, (_, i) => `${i}`),
      ...Array.from({ length: 10 }, (_, i) => `f${i}`),
    ])
    expect(rows.map((row) => row.leftOut)).toEqual([30, ...Array.from({ length: 19 }, () => 0)])
    expect((await page(true)).every(({ status }) => status === 404)).toBe(true)
    expect(await leftOut()).toBe(30)
    // the next second counts from 0
    log.note(request({ requestId: 'next' }))
    await log.flush()
    expect((await page())[0]).toMatchObject({ requestId: 'next', leftOut: 0 })
  })

  test('is bounded, however many tokens there are', async () => {
    const more = 50
    for (let i = 1; i <= LIMITS.tokenRequestsWaiting + more; i++) log.note(request({ tokenId: 1_000_000 + i }))
    await log.flush()
    const [row] = await database.db<{ count: number }[]>`
      select count(*)::int as count from token_request where account_id = ${account.accountId} and token_id > 1000000`
    expect(row?.count).toBe(LIMITS.tokenRequestsWaiting)
    expect(await leftOut()).toBe(more)
  })

  test('older ones than the last 1,000 are deleted, of no other token', async () => {
    const row = { accountId: account.accountId, at: new Date(), method: 'GET', route: null, address: '/', status: 200 }
    const rows = (tokenId: number) =>
      Array.from({ length: LIMITS.tokenRequestsKept + 150 }, (_, i) => ({
        ...row,
        tokenId,
        code: null,
        durationMs: 1,
        requestId: `${i}`,
        leftOut: 0,
      }))
    const { tokenId: quiet } = await newTokenOf(account)
    await tokenRequestsInsert(database.db, [...rows(token.tokenId), ...rows(quiet)])
    log.note(request({ requestId: 'last' }))
    await log.flush()
    const kept = await counts()
    expect([kept.get(token.tokenId), kept.get(quiet)]).toEqual([
      LIMITS.tokenRequestsKept,
      LIMITS.tokenRequestsKept + 150,
    ])
    const shown = await page()
    expect([shown[0]?.requestId, shown.at(-1)?.requestId]).toEqual(['last', '151'])
    // rows beyond the limit that are not deleted yet are not shown either
    expect(await page(false, quiet)).toHaveLength(LIMITS.tokenRequestsKept)
  })

  // skipped on a cluster, whose log would have the error
  test.skipIf(isCluster())('a database that does not take them costs the log, and no request', async () => {
    await database.db`alter table token_request rename to token_request_away`
    try {
      log.note(request({ requestId: 'lost' }))
      await log.flush()
      expect(await leftOut()).toBe(1)
    } finally {
      await database.db`alter table token_request_away rename to token_request`
    }
    log.note(request({ requestId: 'kept' }))
    await log.flush()
    expect((await page()).map(({ requestId }) => requestId)).toEqual(['kept'])
  })

  test('is not written for an account that rests', async () => {
    db.resting.set([account.accountId])
    try {
      log.note(request())
      await log.flush()
    } finally {
      db.resting.set([])
    }
    expect(await page()).toEqual([])
  })
})
