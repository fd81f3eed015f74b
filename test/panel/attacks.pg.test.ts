import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, openBench, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { startSmtpSink, type SmtpSink } from '../harness/smtp-sink.ts'
import {
  makeMember,
  makePerson,
  openBrowser,
  PASSWORD,
  signedIn,
  type Browser,
  elsewhere,
  tokenOf,
  isSignedIn,
} from './browser.ts'

// What somebody tries who wants into an account, or back into it.

const PUBLIC_URL = 'https://panel.example.com'

let database: TestDatabase
let sink: SmtpSink
let service: TestService
/** Behind https, with a mail server. */
let secure: TestService
let account: TestAccount
let owner: Browser
let ownerId: number
let email: string
let people = 0

beforeAll(async () => {
  database = await createDatabase()
  sink = await startSmtpSink()
  const env = { SECRET_KEY: TEST_KEY, TRUSTED_PROXIES: '127.0.0.0/8', OUTBOUND_ALLOW: '127.0.0.0/8' }
  service = await startTestService(database, { env })
  secure = await startTestService(database, { env: { ...env, SMTP_URL: sink.url, PUBLIC_URL } })
})
beforeEach(async () => {
  account = await createAccount(openBench(database.db), 'Acme')
  email = `owner${people++}@example.com`
  ;[ownerId, owner] = await join(email, 'owner')
  sink.mails.length = 0
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await secure[Symbol.asyncDispose]()
  await sink[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const of = (path: string) => `/panel/api/accounts/${account.accountId}${path}`
const read = (token: string) => openBrowser(service.url).post('/panel/api/links/read', { token }, elsewhere())

/** Makes a person a member of the account, and signs in. */
async function join(address: string, role: 'owner' | 'member'): Promise<[number, Browser, number]> {
  const personId = await makePerson(database.db, address)
  const memberId = await makeMember(database.db, account.accountId, personId, address, role)
  return [personId, await signedIn(database.db, service.url, personId), memberId]
}

/** Posts with any Host: fetch sets its own. */
async function sendAs(
  url: string,
  path: string,
  body: object | undefined,
  headers: Record<string, string>,
  // oxlint-disable-next-line typescript/no-explicit-any
): Promise<any> {
  const sent = request(url + path, {
    method: 'POST',
    headers: {
      ...elsewhere().headers,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
  })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return JSON.parse(await text(answer))
}

describe('a page of another address', () => {
  test('neither signs in nor uses a passkey where PUBLIC_URL is set: not of another port, nor by another name of the service', async () => {
    const attempt = (origin: string, path: string, body?: object) =>
      sendAs(secure.url, path, body, { Origin: origin, Host: new URL(origin).host })
    const wrong = { email, password: 'wrong password' }
    for (const origin of [`${PUBLIC_URL}:8443`, 'https://internal.example.com', 'https://evil.example', secure.url])
      for (const [path, body] of [
        ['/panel/api/sign-in', wrong],
        ['/panel/api/sign-in/passkey/options', undefined],
      ] as const)
        expect([origin, (await attempt(origin, path, body)).code]).toEqual([origin, 'csrf-refused'])
    expect((await attempt(PUBLIC_URL, '/panel/api/sign-in', wrong)).code).toBe('sign-in-failed')
  })

  test('does not lead links in mails to itself', async () => {
    const path = '/panel/api/password-resets'
    const forged = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' }
    expect((await sendAs(secure.url, path, { email }, forged)).data).toEqual({ state: 'accepted' })
    await expect.poll(() => sink.mails.length).toBe(1)
    expect(sink.mails[0]!.raw).not.toContain('evil.example')
    expect(sink.mails[0]!.mail.text).toContain(`${PUBLIC_URL}/panel/link#swl_`)
    // nor where PUBLIC_URL is not set
    const session = { Cookie: `shelfwire_session=${owner.cookie}`, 'X-CSRF-Token': owner.csrf! }
    const invited = { email: 'x@example.com', role: 'member' }
    const { link } = (await sendAs(service.url, of('/invitations'), invited, { ...forged, ...session })).data
    expect(link).toContain(`${service.url}/panel/link#`)
  })
})

describe('a stolen session', () => {
  test('is worth nothing once its person has set up codes or changed the password', async () => {
    const thief = Object.assign(openBrowser(service.url), { cookie: owner.cookie, csrf: owner.csrf })
    const { secret } = (await owner.post('/panel/api/totp', { password: PASSWORD })).body.data
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    expect((await owner.send('PUT', '/panel/api/totp', { body: { code } })).status).toBe(200)
    expect([await isSignedIn(owner), await isSignedIn(thief)]).toEqual([true, false])
    // and the CSRF token came with the answer
    expect((await owner.send('PATCH', '/panel/api/person', { body: { name: 'Olga' } })).status).toBe(200)
    const next = Object.assign(openBrowser(service.url), { cookie: owner.cookie, csrf: owner.csrf })
    await owner.post('/panel/api/password', { current: PASSWORD, password: 'another good one 9' })
    expect([await isSignedIn(owner), await isSignedIn(next)]).toEqual([true, false])
  })

  test('joins no account without its CSRF token, also when a password is sent', async () => {
    const address = `known${people++}@example.com`
    const known = await signedIn(database.db, service.url, await makePerson(database.db, address))
    const { link } = (await owner.post(of('/invitations'), { email: address, role: 'owner' })).body.data
    const body = { token: tokenOf(link), name: 'x', password: PASSWORD }
    const answer = await known.post('/panel/api/links/accept-invitation', body, { ...elsewhere(), isBare: true })
    expect(answer.body.code).toBe('not-signed-in')
    expect((await known.get('/panel/api/session')).body.data.accounts).toEqual([])
  })
})

test('strangers who try an address do not keep its owner, who is signed in, from changing the password', async () => {
  for (let i = 0; i <= LIMITS.signInsPerEmailAtOnce; i++)
    await openBrowser(service.url).post('/panel/api/sign-in', { email, password: 'wrong password' }, elsewhere())
  expect(
    (await openBrowser(service.url).post('/panel/api/sign-in', { email, password: PASSWORD }, elsewhere())).status,
  ).toBe(429)
  expect((await owner.post('/panel/api/password', { current: PASSWORD, password: 'another good one 9' })).status).toBe(
    200,
  )
  // whoever has the session only cannot guess without end
  const statuses: number[] = []
  for (let i = 0; i < LIMITS.signInsPerEmailAtOnce; i++)
    statuses.push((await owner.post('/panel/api/totp', { password: 'wrong password' })).status)
  expect(statuses.at(-1)).toBe(429)
})

test('strangers who try an address do not keep its owner from a mailed reset, which signs in', async () => {
  for (let i = 0; i <= LIMITS.signInsPerEmailAtOnce; i++)
    await openBrowser(secure.url).post('/panel/api/sign-in', { email, password: 'wrong password' }, elsewhere())
  await openBrowser(secure.url).post('/panel/api/password-resets', { email }, elsewhere())
  await expect.poll(() => sink.mails.length, { timeout: 5_000 }).toBe(1)
  const token = /\/panel\/link#(swl_\S+)/.exec(sink.mails[0]!.mail.text ?? '')?.[1] ?? ''
  const body = { token, password: 'another good one 9' }
  const answer = await openBrowser(secure.url).post('/panel/api/links/reset-password', body, elsewhere())
  expect(answer.body.data.state).toBe('signed-in')
})

describe('whoever is removed from an account', () => {
  test('does not come back by an invitation or a link to an endpoint that was made before', async () => {
    const [, leaving, memberId] = await join(`leaving${people}@example.com`, 'owner')
    const { data: invited } = (
      await leaving.post(of('/invitations'), { email: `alias${people}@example.com`, role: 'owner' })
    ).body
    const { data: kept } = (await owner.post(of('/invitations'), { email: `new${people}@example.com`, role: 'member' }))
      .body
    const { data: endpoint } = (
      await owner.post(of('/endpoints'), { url: 'http://127.0.0.1:9000/hook', events: ['price'] })
    ).body
    const { data: link } = (await leaving.post(of(`/endpoints/${endpoint.id}/links`), { name: 'me', hours: 168 })).body
    const opened = () =>
      openBrowser(service.url).get('/panel/api/linked-endpoint', {
        headers: { Authorization: `Bearer ${tokenOf(link.link)}` },
      })
    expect((await opened()).status).toBe(200)
    expect((await owner.send('DELETE', of(`/members/${memberId}`))).status).toBe(204)
    expect((await read(tokenOf(invited.link))).body.code).toBe('link-ended')
    expect((await opened()).body.code).toBe('link-ended')
    expect((await read(tokenOf(kept.link))).status).toBe(200)
  })

  test('and who is an owner no more, has no invitation left that makes owners', async () => {
    const [, demoted, memberId] = await join(`demoted${people}@example.com`, 'owner')
    const { data: invited } = (
      await demoted.post(of('/invitations'), { email: `alias${people}@example.com`, role: 'owner' })
    ).body
    await owner.send('PATCH', of(`/members/${memberId}`), { body: { role: 'member' } })
    expect((await read(tokenOf(invited.link))).body.code).toBe('link-ended')
  })
})

test('an endpoint has an address of http, whatever else browsers would open', async () => {
  const bad = ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'java\nscript:alert(1)', 'blob:x']
  const { data } = (await owner.post(of('/endpoints'), { url: 'http://127.0.0.1:9000/hook', events: ['price'] })).body
  for (const url of bad) {
    expect((await owner.post(of('/endpoints'), { url, events: ['price'] })).body.code).toBe('invalid-input')
    expect((await owner.send('PATCH', of(`/endpoints/${data.id}`), { body: { url } })).body.code).toBe('invalid-input')
  }
})

test('what is no address is refused before anybody is looked up', async () => {
  const path = '/panel/api/password-resets'
  for (const address of ['', 'x', 'a@b, c@d', 'a b@c.example'])
    expect((await openBrowser(secure.url).post(path, { email: address }, elsewhere())).body.code).toBe('invalid-input')
  expect(ownerId).toBeGreaterThan(0)
})

test('a page is not framed, runs no script that was written into it, and each answer has a nonce of its own', async () => {
  const policies = await Promise.all(
    ['/panel', '/panel/sign-in', '/panel/1/tokens', '/panel/link'].map(async (path) => {
      const response = await fetch(service.url + path)
      expect([path, response.headers.get('x-frame-options')]).toEqual([path, 'DENY'])
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy).not.toMatch(/unsafe-|\*/)
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ])
        expect(policy.split('; ')).toContain(part)
      const html = await response.text()
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
      expect(html).not.toMatch(/__CSP_NONCE__|<script(?![^>]* src=)/)
      return nonce
    }),
  )
  expect(new Set(policies).size).toBe(4)
  expect(policies.every((nonce) => nonce.length >= 22)).toBe(true)
})
