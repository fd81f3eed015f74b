import type { Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { setLimit } from '../../src/accounts/limits/limits.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { newSecret } from '../../src/people/secrets.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { makeEndpointLink } from '../../src/webhooks/links/links.ts'
import { createAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { dial } from '../harness/raw-request.ts'
import { client, tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import { makeOwner, openBrowser } from '../panel/browser.ts'

// Clients without a token or session cannot keep out those who have one, and no account exceeds its share of the panel: unfinished
// bodies, unknown secrets, and requests of sessions and links.

const MOST = 65_536
Object.assign(LIMITS, {
  // so few that a test can use them up, and for one account far fewer than the strangers below send
  smallBodiesBytesPerAccountMax: 4 * MOST,
  peoplesBodiesBytesPerPersonMax: 4 * MOST,
  strangersBodiesBytesMax: 16 * MOST,
  strangersBodiesBytesPerAddressMax: 4 * MOST,
  linkRequestsPerLinkMax: 2,
})
const OPERATOR_TOKEN = 'the-operators-token-0123456789-abcdef'
const { database, bench, service } = worldOfFile({
  service: {
    roles: ['api'],
    env: { SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8', TRUSTED_PROXIES: '127.0.0.0/8', OPERATOR_TOKEN },
  },
})

const open = new Set<Socket>()
afterEach(() => {
  for (const socket of open) socket.destroy()
  open.clear()
})

const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'X-Forwarded-For': address, ...headers },
})
let people = 0
async function accountWithOwner(name: string) {
  const account = await createAccount(bench, name)
  const { owner, ownerId } = await makeOwner(
    database.db,
    service.url,
    account.accountId,
    `strangers${people++}@example.com`,
  )
  const of = (path: string) => `/panel/api/accounts/${account.accountId}${path}`
  return { ...account, owner, ownerId, of }
}

/** Sends the headers of a body from this address, but not the body. @returns the status of the answer; 0 if there is none yet */
function hold(address: string): { status: () => number } {
  const socket = dial(service.url)
  open.add(socket)
  let heard = ''
  socket.on('data', (data) => (heard += data.toString())).on('error', () => {})
  socket.write(
    `POST /panel/api/sign-in HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: ${MOST}\r\nExpect: 100-continue\r\n\r\n`,
  )
  return { status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? 0) }
}
const held = async (address: string, status: number) => {
  const { status: answered } = hold(address)
  await vi.waitFor(() => expect(answered()).toBe(status), { timeout: 10_000, interval: 5 })
}
const signIn = (address: string) =>
  openBrowser(service.url).post('/panel/api/sign-in', { email: 'nobody@example.com', password: 'wrong' }, from(address))

test('bodies of strangers take none of those of other addresses, of people, of accounts or of the operator (I160)', async () => {
  const { owner, of, accountId } = await accountWithOwner('beside strangers')
  const http = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
  const operator = client(service.url, OPERATOR_TOKEN)
  for (let i = 0; i < 4; i++) await held('192.0.2.1', 100)
  await held('192.0.2.1', 429)
  expect((await signIn('192.0.2.1')).body).toMatchObject({
    code: 'rate-limited',
    detail: expect.stringMatching(/^your address has as many/),
  })
  expect((await signIn('192.0.2.9')).body.code).toBe('sign-in-failed')
  // strangers use up all that they may hold of such bodies
  for (const [address, count] of [
    ['192.0.2.2', 4],
    ['192.0.2.3', 4],
    ['192.0.2.4', 2],
    ['192.0.2.5', 1],
  ] as const)
    for (let i = 0; i < count; i++) await held(address, 100)
  await held('192.0.2.6', 429)
  expect((await signIn('192.0.2.10')).body.code).toBe('sign-in-failed')
  expect((await owner.send('PATCH', '/panel/api/person', { body: { name: 'Olga' } })).status).toBe(200)
  expect((await owner.post(of('/tokens'), { name: 'T', access: 'connector' })).status).toBe(201)
  const json = { 'content-type': 'application/json' }
  const group = { method: 'POST', body: JSON.stringify({ name: 'Dealers' }), headers: json }
  expect((await http('/v1/account/groups', group)).status).toBe(201)
  const limit = { method: 'PUT', body: JSON.stringify({ limit: 5 }), headers: json }
  expect((await operator(`/v1/operator/accounts/${accountId}/limits/stores`, limit)).status).toBeLessThan(300)
})

test('requests of the panel and of links count in the account’s requests, and in no other account’s', async () => {
  const { owner, ownerId, of, accountId } = await accountWithOwner('busy in the panel')
  const beside = await accountWithOwner('beside the busy one')
  const made = await owner.post(of('/endpoints'), {
    url: 'http://127.0.0.1:8123/hook',
    events: ['price', 'content', 'removed'],
  })
  expect([made.status, made.text]).toEqual([201, made.text])
  const { token } = await inTransaction(database.db, (tx) =>
    makeEndpointLink(tx, accountId, made.body.data.id, { name: 'Dev', hours: 1, createdBy: ownerId }),
  )
  const linked = () =>
    openBrowser(service.url).get('/panel/api/linked-endpoint', from('192.0.2.20', { Authorization: `Bearer ${token}` }))
  expect((await linked()).status).toBe(200)
  await inTransaction(database.db, (tx) => setLimit(tx, accountId, { budget: 'requests_per_second', amount: 1 }))
  service.runtime.wake.notify('directory', accountId)
  await vi.waitFor(async () => expect((await owner.get(of('/audit'))).status).toBe(429), {
    timeout: 10_000,
    interval: 1,
  })
  expect((await owner.get(of('/audit'))).body).toMatchObject({
    code: 'quota-exceeded',
    quota: { budget: 'requests_per_second', limit: 1 },
  })
  expect((await linked()).body.code).toBe('quota-exceeded')
  expect((await beside.owner.get(beside.of('/audit'))).status).toBe(200)
})

test('a link waits for few answers at once, also where its client goes away', async () => {
  const { owner, ownerId, of, accountId } = await accountWithOwner('waiting links')
  const made = await owner.post(of('/endpoints'), {
    url: 'http://127.0.0.1:8123/hook',
    events: ['price', 'content', 'removed'],
  })
  expect([made.status, made.text]).toEqual([201, made.text])
  const { token } = await inTransaction(database.db, (tx) =>
    makeEndpointLink(tx, accountId, made.body.data.id, { name: 'Dev', hours: 1, createdBy: ownerId }),
  )
  const headers = { Authorization: `Bearer ${token}` }
  const waits = () => {
    const leaving = new AbortController()
    const sent = fetch(`${service.url}/panel/api/linked-endpoint/test?wait=3`, {
      method: 'POST',
      headers,
      signal: leaving.signal,
    })
    return { sent, leave: () => (leaving.abort(), sent.catch(() => undefined)) }
  }
  const linked = () => openBrowser(service.url).get('/panel/api/linked-endpoint', { headers })
  const [one, two] = [waits(), waits()]
  await vi.waitFor(async () => expect((await linked()).body?.code).toBe('rate-limited'), {
    timeout: 10_000,
    interval: 5,
  })
  await one.leave()
  expect((await linked()).body?.code).toBe('rate-limited')
  expect((await owner.get(of('/endpoints'))).status).toBe(200)
  expect((await two.sent).status).toBe(202)
  await vi.waitFor(async () => expect((await linked()).status).toBe(200), { timeout: 10_000, interval: 50 })
})

test('requests whose clients leave while it is found out who calls keep no places', async () => {
  const { owner, ownerId, of, accountId } = await accountWithOwner('leaving clients')
  const made = await owner.post(of('/endpoints'), {
    url: 'http://127.0.0.1:8123/hook',
    events: ['price', 'content', 'removed'],
  })
  const { token } = await inTransaction(database.db, (tx) =>
    makeEndpointLink(tx, accountId, made.body.data.id, { name: 'Dev', hours: 1, createdBy: ownerId }),
  )
  const headers = { Authorization: `Bearer ${token}` }
  const linked = () => openBrowser(service.url).get('/panel/api/linked-endpoint', { headers })
  expect((await linked()).status).toBe(200)
  const leave = (method: string, path: string, header: string) =>
    new Promise<void>((resolve) => {
      const socket = dial(service.url)
      socket.on('close', () => resolve()).on('error', () => {})
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`, () =>
        setImmediate(() => socket.destroy()),
      )
    })
  const session = `Cookie: shelfwire_session=${owner.cookie}`
  const write = `${session}\r\nX-CSRF-Token: ${owner.csrf}\r\nContent-Type: application/json\r\nContent-Length: ${MOST}`
  for (let i = 0; i < 20; i++) {
    await leave('GET', '/panel/api/linked-endpoint', `Authorization: Bearer ${token}`)
    await leave('GET', of('/audit'), session)
    await leave('POST', of('/tokens'), write)
    await leave('PATCH', '/panel/api/person', write)
  }
  const http = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
  const used = async () =>
    ((await http('/v1/account/limits')).body.data as { budget: string; used: number }[]).find(
      ({ budget }) => budget === 'concurrent_requests',
    )?.used
  // this request itself
  await vi.waitFor(async () => expect(await used()).toBe(1), { timeout: 10_000, interval: 50 })
  expect((await linked()).status).toBe(200)
  // the bytes of members' bodies are not affected either
  expect((await owner.send('PATCH', '/panel/api/person', { body: { name: 'Olga' } })).status).toBe(200)
})

test('sessions that nobody knows are looked up until an address has named too many; others there keep theirs', async () => {
  const { owner, of, accountId } = await accountWithOwner('known session')
  let lookups = 0
  service.runtime.db.onStatement = (text) => {
    if (/from session\b/.test(text)) lookups++
  }
  try {
    expect((await owner.get(of('/audit'), from('192.0.2.30'))).status).toBe(200)
    const stranger = (address: string, path = '/panel/api/session', cookie = newSecret('session')) =>
      openBrowser(service.url).get(path, from(address, { Cookie: `shelfwire_session=${cookie}` }))
    lookups = 0
    // the same secret is looked up only once
    const again = newSecret('session')
    const same = await Promise.all(Array.from({ length: 20 }, () => stranger('192.0.2.31', undefined, again)))
    expect([new Set(same.map(({ status }) => status)), lookups]).toEqual([new Set([401]), 1])
    const answers = await Promise.all(
      Array.from({ length: LIMITS.unknownTokensAtOnce + 40 }, (_, i) =>
        stranger('192.0.2.30', i % 2 === 0 ? '/panel/api/session' : of('/audit')),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]))
    expect(lookups).toBeLessThan(LIMITS.unknownTokensAtOnce + 30)
    const ofApi = async () => {
      const session = { cookie: `shelfwire_session=${newSecret('session')}`, 'shelfwire-account': String(accountId) }
      const answer = await fetch(`${service.url}/v1/account`, {
        headers: { ...session, 'x-forwarded-for': '192.0.2.30' },
      })
      return answer.status
    }
    // the tries that were regained during the look-ups are soon used up: far fewer than an address has at first
    const tries: number[] = []
    while (tries.at(-1) !== 429 && tries.length < LIMITS.unknownTokensAtOnce / 3) tries.push(await ofApi())
    expect(tries.at(-1)).toBe(429)
    // not affected: people who are signed in at that address, and everybody elsewhere
    expect((await owner.get(of('/audit'), from('192.0.2.30'))).status).toBe(200)
    expect((await stranger('192.0.2.32')).status).toBe(401)
  } finally {
    service.runtime.db.onStatement = null
  }
})

test('addresses of channel files that nobody has are looked up until too many were named; a file is read as often as it may be', async () => {
  const { accountId } = await accountWithOwner('channel files')
  const http = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
  const { body } = await http('/v1/account/channels', {
    method: 'POST',
    body: JSON.stringify({ name: 'F', store: 'main', format: 'csv' }),
    headers: { 'content-type': 'application/json' },
  })
  expect(body.data, JSON.stringify(body)).toBeDefined()
  const path = new URL((body.data as { url: string }).url).pathname
  const get = async (of: string, address: string) =>
    (await fetch(service.url + of, { method: 'HEAD', headers: { 'x-forwarded-for': address } })).status
  expect(await get(path, '192.0.2.40')).toBe(200)
  const unknown = () =>
    `/channels/swf_${newSecret('link')
      .replaceAll(/[^0-9A-Za-z]/g, '0')
      .slice(0, 40)}.csv`
  const statuses = await Promise.all(
    Array.from({ length: LIMITS.unknownTokensAtOnce + 40 }, () => get(unknown(), '192.0.2.40')),
  )
  expect(new Set(statuses)).toEqual(new Set([404, 429]))
  expect([await get(unknown(), '192.0.2.41'), await get(path, '192.0.2.40')]).toEqual([404, 200])
  const reads = await Promise.all(Array.from({ length: LIMITS.channelReadsAtOnce + 20 }, () => get(path, '192.0.2.42')))
  expect(new Set(reads)).toEqual(new Set([200, 429]))
})

test('who is not signed in asks the panel for so much, by address', async () => {
  const get = async (address: string) =>
    (await openBrowser(service.url).get('/panel/api/sign-in', from(address))).status
  const statuses = await Promise.all(
    Array.from({ length: LIMITS.visitorRequestsAtOnce + 100 }, () => get('192.0.2.50')),
  )
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(await get('192.0.2.51')).toBe(200)
})
