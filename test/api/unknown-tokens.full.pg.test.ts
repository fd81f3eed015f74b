import { request } from 'node:http'
import { beforeEach, expect, test } from 'vitest'
import { newToken, tokenHash } from '../../src/accounts/token.ts'
import { tokenRevoke } from '../../src/accounts/tokens.sql.ts'
import { createToken } from '../../src/accounts/create-token.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { parsedAnswer, rawRequest } from '../harness/raw-request.ts'
import { client, startTestService, tokenFor, type TestService } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// The cost of requests with unknown tokens, and that other clients do not pay for it.

const { database } = worldOfFile()
let account: TestAccount
let service: TestService
let token: string
beforeEach(async () => {
  service = await startTestService(database, { env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
  account ??= await createAccount(service.runtime)
  token = await tokenFor(service.runtime, account.accountId)
  return () => service[Symbol.asyncDispose]()
})

/** Counts the statements that look tokens up. */
function countLookups({ runtime: { db } }: TestService): () => number {
  let count = 0
  db.onStatement = (text) => {
    if (text.includes('from token') && text.includes('token_hash')) count++
  }
  return () => count
}

/** A request from a client behind the trusted proxy. */
async function from(
  address: string,
  bearer: string,
  url = service.url,
): Promise<{ status: number; retryAfter: string | null }> {
  const answer = await client(url, bearer)('/v1/stores', { headers: { 'x-forwarded-for': address } })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
}

const unknown = () => newToken('connector')

/** Sends `count` unknown tokens, ten at a time. @returns how many get 429. */
async function refusedAmong(count: number, address: string, url = service.url): Promise<number> {
  let refused = 0
  for (let sent = 0; sent < count; sent += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => from(address, unknown(), url)))
    refused += answers.filter(({ status }) => status === 429).length
  }
  return refused
}

/** Sends unknown tokens from an address until they are refused. */
async function exhaust(address: string, url = service.url): Promise<void> {
  while ((await refusedAmong(60, address, url)) === 0);
}

test('an unknown token costs one look-up, however often it comes, and however it is written', async () => {
  const lookups = countLookups(service)
  const missing = unknown()
  for (let i = 0; i < 50; i++) expect((await from('192.0.2.1', missing)).status).toBe(401)
  expect(lookups()).toBe(1)
  // a valid token is cached by its own text, not by the whole header
  const before = lookups()
  for (let i = 1; i <= 30; i++) {
    const answer = await client(service.url, null)('/v1/stores', {
      headers: { authorization: `${i % 2 === 0 ? 'bearer' : 'BEARER'}${' '.repeat(i)}${token}` },
    })
    expect(answer.status).toBe(200)
  }
  expect(lookups()).toBe(before + 1)
})

test('a header with anything but the scheme, blanks and one token is refused without a look-up', async () => {
  const lookups = countLookups(service)
  for (const value of [
    `Bearer\t${token}`,
    `Bearer ${token} x`,
    `Bearer ${token},`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer "${token}"`,
    `Bearer token=${token}`,
    `Bearer ${token};`,
    `Bearer\u00a0${token}`,
    `Basic ${token}`,
  ]) {
    const text = await rawRequest(
      service.url,
      `GET /v1/stores HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${value}\r\n\r\n`,
    )
    expect([value, parsedAnswer(text).status]).toEqual([value, 401])
  }
  expect(lookups()).toBe(0)
})

test('an address that names many unknown tokens gets 429; other addresses and tokens that were valid do not notice', async () => {
  const lookups = countLookups(service)
  const fresh = await tokenFor(service.runtime, account.accountId)
  expect((await from('192.0.2.7', token)).status).toBe(200)
  const answers: Awaited<ReturnType<typeof from>>[] = []
  while (answers.filter(({ status }) => status === 429).length < 50)
    answers.push(...(await Promise.all(Array.from({ length: 50 }, () => from('192.0.2.7', unknown())))))
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(LIMITS.unknownTokensAtOnce)
  for (const { retryAfter } of refused) expect(retryAfter).toMatch(/^[1-9]\d*$/)
  expect(lookups()).toBeLessThan(answers.length)
  // from that address valid tokens still work, even if they are no longer cached; unknown ones are not looked up any more
  service.runtime.wake.notify('directory', account.accountId)
  expect((await from('192.0.2.7', token)).status).toBe(200)
  expect(await refusedAmong(40, '192.0.2.7')).toBeGreaterThan(0)
  // other addresses are not affected
  expect((await from('192.0.2.8', fresh)).status).toBe(200)
  expect((await from('192.0.2.8', unknown())).status).toBe(401)
  // and the refusal ends after a while
  await expect
    .poll(async () => (await from('192.0.2.7', unknown())).status, { timeout: 25_000, interval: 500 })
    .toBe(401)
})

test('valid tokens cost an address nothing', async () => {
  for (let i = 0; i < LIMITS.unknownTokensAtOnce + 20; i++) {
    service.runtime.wake.notify('directory', account.accountId)
    expect((await from('192.0.2.9', token)).status).toBe(200)
  }
  // more tokens to look up at once than may be unknown, as after a restart behind one proxy
  const tokens: string[] = []
  while (tokens.length < LIMITS.unknownTokensAtOnce + 50) tokens.push(await tokenFor(service.runtime, null))
  const rounds = await Promise.all(tokens.map((entry) => from('192.0.2.9', entry)))
  expect(new Set(rounds.map(({ status }) => status))).toEqual(new Set([403]))
  expect((await from('192.0.2.9', unknown())).status).toBe(401)
})

test('clients are told apart by address, of IPv6 by the /64, and through trusted proxies only', async () => {
  // more than the address regains while they are sent
  const isSame = async (address: string, url?: string) => (await refusedAmong(40, address, url)) > 0
  await exhaust('2001:db8:1:2::1')
  expect(await isSame('2001:db8:1:2:ffff::9')).toBe(true)
  expect(await isSame('[2001:db8:1:2::77]:443')).toBe(true)
  expect(await isSame('2001:db8:1:3::1')).toBe(false)
  await exhaust('198.51.100.1')
  expect(await isSame('::ffff:198.51.100.1')).toBe(true)
  expect(await isSame('198.51.100.1:5123')).toBe(true)
  // a client can write what it likes before the address that the proxy appends
  expect(await isSame('203.0.113.5, 198.51.100.1')).toBe(true)
  expect(await isSame('198.51.100.1, 203.0.113.5')).toBe(false)
  // without the setting anybody can write the header, so the connection's address is used
  await using direct = await startTestService(database)
  await exhaust('203.0.113.1', direct.url)
  expect(await isSame('203.0.113.2', direct.url)).toBe(true)
})

test('a token works as soon as it was created, by whichever process, and a revoked one is unknown', async () => {
  // a token that another process created, without a notification to this one
  for (let i = 0; i < 20; i++) {
    const [flood] = [Promise.all(Array.from({ length: 5 }, () => from('192.0.2.20', unknown())))]
    const { token: created, tokenId } = await inTransaction(database.db, (tx) =>
      createToken(tx, { accountId: account.accountId, access: 'connector' }),
    )
    expect((await from('192.0.2.21', created)).status).toBe(200)
    await inTransaction(database.db, (tx) => tokenRevoke(tx, tokenId))
    await flood
  }
  // a token that exists again, as after restoring a backup: it works once the cached refusal expires, or at a notification
  const lost = unknown()
  expect((await from('192.0.2.22', lost)).status).toBe(401)
  await database.db`insert into token (account_id, name, access, token_hash) values (${account.accountId}, 'back', 'connector', ${tokenHash(lost)})`
  service.runtime.wake.notify('directory', account.accountId)
  expect((await from('192.0.2.22', lost)).status).toBe(200)
})

test('under a flood of unknown tokens from everywhere, statements stay few and another token reads on', async () => {
  const lookups = countLookups(service)
  const agentless = (address: string, bearer: string) =>
    new Promise<number>((resolve, reject) => {
      request(
        `${service.url}/v1/stores`,
        { headers: { authorization: `Bearer ${bearer}`, 'x-forwarded-for': address } },
        (answer) => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
      )
        .on('error', reject)
        .end()
    })
  const many = 1_000
  const flood = Promise.all(
    Array.from({ length: many }, (_, i) => agentless(`10.${i % 250}.${Math.floor(i / 250)}.1`, unknown())),
  )
  const read = client(service.url, token)
  for (let i = 0; i < 20; i++) expect((await read('/v1/stores')).status).toBe(200)
  expect(new Set(await flood)).toEqual(new Set([401]))
  expect(lookups()).toBeLessThan(many / 4)
})
