import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, openBench, type TestAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { startSmtpSink } from '../harness/smtp-sink.ts'
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
import { ofFile, worldOfFile } from '../harness/world.ts'

// Attempts to get into an account, or back into it.

const PUBLIC_URL = 'https://panel.example.com'

const { database } = worldOfFile()
const sink = ofFile(startSmtpSink)
let service: TestService
/** Behind https, with a mail server. */
let secure: TestService
let account: TestAccount
let owner: Browser
let ownerId: number
let email: string
let people = 0

beforeAll(async () => {
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
    // the same without PUBLIC_URL
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
    // the answer contains the CSRF token
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
    expect(answer.body.code).toBe('sign-in-failed')
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
  // somebody with only the session cannot guess the password without limit
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

describe('a thief of an owner’s cookie', () => {
  /** Moves the last confirmation of the password some minutes back. */
  const waitAWhile = (personId = ownerId) =>
    database.db`update session set reauthenticated_at = now() - interval '11 minutes' where person_id = ${personId}`

  test('makes nothing that outlives the session, and removes nobody and no passkey', async () => {
    const [, , memberId] = await join(`other${people}@example.com`, 'owner')
    const made = await owner.post(of('/tokens'), { name: 'shop', access: 'full' })
    expect(made.status).toBe(201)
    const url = 'http://127.0.0.1:9000/hook'
    const { data: endpoint } = (await owner.post(of('/endpoints'), { url, events: ['price'] })).body
    await waitAWhile()
    const acts: [string, string, object?][] = [
      ['POST', of('/tokens'), { name: 'mine', access: 'full' }],
      ['POST', of('/tokens'), { name: 'mine', access: 'connector' }],
      ['POST', of(`/tokens/${made.body.data.id}/rotate`), { overlap_hours: 0 }],
      ['POST', of('/invitations'), { email: 'thief@example.com', role: 'owner' }],
      ['POST', of('/invitations'), { email: 'thief@example.com', role: 'member' }],
      ['PATCH', of(`/members/${memberId}`), { role: 'member' }],
      ['DELETE', of(`/members/${memberId}`)],
      ['POST', of(`/endpoints/${endpoint.id}/links`), { name: 'mine', hours: 168 }],
      ['DELETE', '/panel/api/passkeys/1'],
    ]
    for (const [method, path, body] of acts)
      expect([path, (await owner.send(method, path, body === undefined ? {} : { body })).body.code]).toEqual([
        path,
        'confirmation-required',
      ])
    expect((await owner.get(of('/members'))).body.data).toHaveLength(2)
    expect((await owner.get(of('/tokens'))).body.data).toHaveLength(1)
    expect((await owner.get(of('/invitations'))).body.data).toEqual([])
    // writes that end something need no confirmation
    expect((await owner.send('DELETE', of(`/tokens/${made.body.data.id}`))).status).toBe(204)
  })

  test('gets no address of a channel file, which would give the catalog away without it; a token is asked nothing', async () => {
    const headers = { 'Shelfwire-Account': String(account.accountId) }
    const channel = { name: 'mine', store: 'main', format: 'csv' }
    const create = () => owner.post('/v1/account/channels', channel, { headers })
    const { data: made } = (await create()).body
    const rotate = () => owner.post(`/v1/account/channels/${made.id}/rotate`, undefined, { headers })
    await waitAWhile()
    expect([(await create()).body.code, (await rotate()).body.code]).toEqual([
      'confirmation-required',
      'confirmation-required',
    ])
    expect((await fetch(made.url)).status).toBe(200)
    // writes that grant nothing need no confirmation
    const renamed = { body: { name: 'ours' }, headers: { ...headers, 'Content-Type': 'application/merge-patch+json' } }
    expect((await owner.send('PATCH', `/v1/account/channels/${made.id}`, renamed)).status).toBe(200)
    const { token } = await inTransaction(database.db, (tx) =>
      createToken(tx, { accountId: account.accountId, access: 'full' }),
    )
    const byToken = { headers: { Authorization: `Bearer ${token}` } }
    expect((await openBrowser(service.url).post('/v1/account/channels', channel, byToken)).status).toBe(201)
    await owner.post('/panel/api/session/confirm', { password: PASSWORD })
    expect((await rotate()).status).toBe(200)
    expect((await create()).status).toBe(201)
  })

  test('is told apart by the password, which counts for ten minutes and for this session alone', async () => {
    const other = await signedIn(database.db, service.url, ownerId)
    await waitAWhile()
    const create = (by: Browser) => by.post(of('/tokens'), { name: 'shop', access: 'full' })
    expect((await owner.post('/panel/api/session/confirm', { password: 'wrong password' })).body.code).toBe(
      'sign-in-failed',
    )
    expect((await create(owner)).body.code).toBe('confirmation-required')
    expect((await owner.post('/panel/api/session/confirm', { password: PASSWORD })).status).toBe(204)
    expect((await create(owner)).status).toBe(201)
    expect((await create(other)).body.code).toBe('confirmation-required')
    await waitAWhile()
    expect((await create(owner)).body.code).toBe('confirmation-required')
    // a clock that is set back does not extend it
    await database.db`update session set reauthenticated_at = now() + interval '1 hour' where person_id = ${ownerId}`
    expect((await create(owner)).body.code).toBe('confirmation-required')
  })

  test('loses what was made with it: a new password offers to end all of it, and nobody ends what is another’s', async () => {
    const url = 'http://127.0.0.1:9000/hook'
    const { data: endpoint } = (await owner.post(of('/endpoints'), { url, events: ['price'] })).body
    const token = (await owner.post(of('/tokens'), { name: 'of a thief', access: 'full' })).body.data
    const rotated = (await owner.post(of(`/tokens/${token.id}/rotate`), { overlap_hours: 0 })).body.data
    const invited = (await owner.post(of('/invitations'), { email: `x${people}@example.com`, role: 'owner' })).body.data
    const link = (await owner.post(of(`/endpoints/${endpoint.id}/links`), { name: 'me', hours: 168 })).body.data
    const made = async (by = owner) =>
      (await by.get('/panel/api/person/made')).body.data.map((row: { kind: string; id: number }) => [row.kind, row.id])
    const all = [
      ['token', rotated.id],
      ['invitation', invited.id],
      ['endpoint-link', link.id],
    ]
    expect(await made()).toEqual(all)
    const body = { tokens: [rotated.id], invitations: [invited.id], endpoint_links: [link.id] }
    const [, other] = await join(`other${people}@example.com`, 'owner')
    expect(await made(other)).toEqual([])
    expect((await other.post('/panel/api/person/made/revoke', body)).status).toBe(204)
    expect(await made()).toEqual(all)
    await owner.post('/panel/api/password', { current: PASSWORD, password: 'another good one 9' })
    expect((await owner.post('/panel/api/person/made/revoke', body)).status).toBe(204)
    expect(await made()).toEqual([])
    const call = () => fetch(`${service.url}/v1/account`, { headers: { Authorization: `Bearer ${rotated.token}` } })
    await expect.poll(async () => (await call()).status, { timeout: 5_000 }).toBe(401)
    expect((await read(tokenOf(invited.link))).body.code).toBe('link-ended')
    const audit = (await owner.get(of('/audit'))).body.data.slice(0, 4)
    expect(audit.map(({ action }: { action: string }) => action)).toEqual([
      'revokeEndpointLink',
      'withdrawInvitation',
      'revokeToken',
      'changePassword',
    ])
  })

  test('does not use up the tries of another session', async () => {
    const other = await signedIn(database.db, service.url, ownerId)
    const confirm = (by: Browser, password: string) => by.post('/panel/api/session/confirm', { password })
    for (let i = 0; i < LIMITS.signInsPerEmailAtOnce; i++) await confirm(other, 'wrong password')
    expect((await confirm(other, PASSWORD)).status).toBe(429)
    expect((await confirm(owner, PASSWORD)).status).toBe(204)
  })
})

describe('ten wrong passwords of strangers', () => {
  const attempt = (browser: Browser, password: string, sent = elsewhere(), as = email) =>
    browser.post('/panel/api/sign-in', { email: as, password }, sent)
  const exhaust = async (sent?: ReturnType<typeof elsewhere>) => {
    for (let i = 0; i <= LIMITS.signInsPerAddressAtOnce; i++)
      await attempt(openBrowser(service.url), 'wrong password', sent)
  }

  test('keep nobody out whose browser is known, also at the same address; others wait', async () => {
    const known = openBrowser(service.url)
    const signedInHere = await attempt(known, PASSWORD)
    expect(signedInHere.headers.getSetCookie()[1]).toMatch(
      /^shelfwire_device=swd_[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Strict$/,
    )
    await known.send('DELETE', '/panel/api/session')
    expect([known.cookie, known.device !== null]).toEqual([null, true])
    const sent = elsewhere()
    await exhaust(sent)
    expect((await attempt(openBrowser(service.url), PASSWORD)).status).toBe(429)
    const device = known.device
    expect((await attempt(known, PASSWORD, sent)).status).toBe(200)
    // the browser keeps its device secret
    expect(known.device).toBe(device)
  })

  test('count apart from those of a known browser, which are limited too', async () => {
    const known = openBrowser(service.url)
    await attempt(known, PASSWORD)
    const statuses: number[] = []
    for (let i = 0; i <= LIMITS.signInsPerEmailAtOnce; i++)
      statuses.push((await attempt(known, 'wrong password')).status)
    expect(statuses.at(-1)).toBe(429)
  })

  test('are not helped by the browser of somebody else, nor by one that is made up', async () => {
    const thief = openBrowser(service.url)
    await join(`thief${people}@example.com`, 'member')
    await attempt(thief, PASSWORD, elsewhere(), `thief${people}@example.com`)
    expect(thief.device).not.toBeNull()
    await exhaust()
    expect((await attempt(thief, PASSWORD)).status).toBe(429)
    thief.device = `swd_${'x'.repeat(43)}`
    expect((await attempt(thief, PASSWORD)).status).toBe(429)
  })
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
