import { generateKeyPairSync, randomUUID, sign as signBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAccount, openBench } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { freePort } from '../harness/free-port.ts'
import { followProvider, startIdentityProvider, type IdentityProvider } from '../harness/identity-provider.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { makeInvitation } from '../../src/people/links.ts'
import { elsewhere, isSignedIn, openBrowser, type Browser } from './browser.ts'

// Signing out at an OpenID provider that runs here (oidc-provider), and what somebody else sends in its name.

const { database } = worldOfFile()
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
let provider: IdentityProvider
let service: TestService
let redirectUri: string
let people = 0
let email: string

beforeAll(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  redirectUri = `${url}/panel/sign-in`
  provider = await startIdentityProvider(redirectUri)
  service = await startTestService(database, {
    env: {
      SECRET_KEY: TEST_KEY,
      TRUSTED_PROXIES: '127.0.0.0/8',
      PORT: String(port),
      OIDC_SIGN_OUT: 'provider',
      ...provider.settings(url),
    },
  })
}, 60_000)
beforeEach(async () => {
  const { accountId } = await createAccount(openBench(database.db), `Nordlicht ${people}`)
  email = `anna${people++}@example.com`
  provider.people.set(email, { email, email_verified: true, name: 'Anna' })
  provider.signsIn = email
  await inTransaction(database.db, (tx) => makeInvitation(tx, accountId, { email, role: 'member', createdBy: null }))
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

async function signIn(cookies = new Map<string, string>()): Promise<Browser> {
  const browser = openBrowser(service.url)
  const begun = await browser.post('/panel/api/sign-in/provider/begin', { again: false }, elsewhere())
  const { ticket, url } = begun.body.data
  const answer = new URL(await followProvider(url, redirectUri, cookies)).search.slice(1)
  const { status, text } = await browser.post('/panel/api/sign-in/provider', { ticket, answer }, elsewhere())
  expect([status, text]).toEqual([200, text])
  return browser
}

const send = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/panel/api/sign-in/provider/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...elsewhere().headers, ...headers },
    body,
  })
const now = () => Math.floor(Date.now() / 1_000)
const claims = (more: Record<string, unknown> = {}) => ({
  iss: provider.issuer,
  aud: 'shelfwire',
  iat: now(),
  exp: now() + 120,
  jti: randomUUID(),
  sub: email,
  events: EVENTS,
  ...more,
})
const HEADER = { alg: 'RS256', kid: 'k1', typ: 'logout+jwt' }
const tokenOf = (more: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
  provider.sign({ header: { ...HEADER, ...header }, claims: claims(more) })
const logOut = async (token: string) => (await send(`logout_token=${token}`)).status

test('who signs out here is led to the provider, which signs out and sends back', async () => {
  const cookies = new Map<string, string>()
  const browser = await signIn(cookies)
  const out = await browser.send('DELETE', '/panel/api/session')
  const url = new URL(out.body.data.provider_url)
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(redirectUri)
  expect(url.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
  expect(await isSignedIn(browser)).toBe(false)

  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const page = await fetch(url, { headers: { Cookie: cookie() } })
  for (const set of page.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
    cookies.set(name, value)
  }
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
  const confirmed = await fetch(`${provider.issuer}/session/end/confirm`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookie() },
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
  expect(confirmed.headers.get('location')).toBe(redirectUri)
})

test('a logout token of one session of the provider ends what was opened in that one', async () => {
  const inSession = async (sid: string) => {
    provider.tamper = ({ claims: signed }) => void (signed['sid'] = sid)
    const browser = await signIn()
    provider.tamper = null
    return browser
  }
  const [one, other] = [await inSession('s1'), await inSession('s2')]
  expect(await logOut(tokenOf({ sid: 's1' }))).toBe(200)
  expect([await isSignedIn(one), await isSignedIn(other)]).toEqual([false, true])
  expect((await one.get('/panel/api/sign-in')).body.data.ended).toBe('provider')
  expect(await logOut(tokenOf({ sub: undefined, sid: 's2' }))).toBe(200)
  expect(await isSignedIn(other)).toBe(false)
})

describe('a logout token', () => {
  test('ends all sessions that the person has opened at the provider, and counts once', async () => {
    const browsers = [await signIn(), await signIn()]
    const others = email
    email = `berta${people++}@example.com`
    provider.people.set(email, { email, email_verified: true })
    provider.signsIn = email
    const { accountId } = await createAccount(openBench(database.db), `Other ${people}`)
    await inTransaction(database.db, (tx) => makeInvitation(tx, accountId, { email, role: 'member', createdBy: null }))
    const berta = await signIn()
    const token = tokenOf({ sub: others })
    expect(await logOut(token)).toBe(200)
    expect(await Promise.all([...browsers, berta].map(isSignedIn))).toEqual([false, false, true])
    // replayed it ends nothing that was opened since
    provider.signsIn = others
    const again = await signIn()
    expect([await logOut(token), await isSignedIn(again)]).toEqual([400, true])
  })

  test('of somebody whom nobody here knows is accepted, and ends nothing', async () => {
    const browser = await signIn()
    expect(await logOut(tokenOf({ sub: 'nobody' }))).toBe(200)
    expect(await logOut(tokenOf({ sub: undefined, sid: 'unknown' }))).toBe(200)
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('that is forged, for another, of another, too old or none ends nothing', async () => {
    const browser = await signIn()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signedBy = (header: object, by: (text: string) => string) => {
      const text = `${encode(header)}.${encode(claims())}`
      return `${text}.${by(text)}`
    }
    const bad = {
      'signed with another key': signedBy(HEADER, (text) =>
        signBytes('sha256', Buffer.from(text), privateKey).toString('base64url'),
      ),
      'without a signature': signedBy({ ...HEADER, alg: 'none' }, () => ''),
      'an algorithm of shared secrets': signedBy({ ...HEADER, alg: 'HS256' }, () => 'AAAA'),
      'with a key of its own': signedBy({ ...HEADER, kid: 'k2', jwk: privateKey.export({ format: 'jwk' }) }, (text) =>
        signBytes('sha256', Buffer.from(text), privateKey).toString('base64url'),
      ),
      'another issuer': tokenOf({ iss: 'https://evil.example.com' }),
      'another audience': tokenOf({ aud: 'another' }),
      'no audience': tokenOf({ aud: undefined }),
      'too old': tokenOf({ iat: now() - 600, exp: now() + 600 }),
      'of the future': tokenOf({ iat: now() + 600, exp: now() + 900 }),
      over: tokenOf({ exp: now() - 120 }),
      'no time': tokenOf({ iat: undefined }),
      'no jti': tokenOf({ jti: undefined }),
      'no event': tokenOf({ events: undefined }),
      'another event': tokenOf({ events: { 'http://example.com/event': {} } }),
      'an event that is no object': tokenOf({ events: { 'http://schemas.openid.net/event/backchannel-logout': true } }),
      'a nonce, as an id_token has': tokenOf({ nonce: 'n' }),
      'another type': tokenOf({}, { typ: 'at+jwt' }),
      nobody: tokenOf({ sub: undefined }),
      'a person that is no text': tokenOf({ sub: { $ne: '' } }),
      'no token': 'x',
      nothing: '',
    }
    for (const [what, token] of Object.entries(bad)) expect([what, await logOut(token)]).toEqual([what, 400])
    expect(await isSignedIn(browser)).toBe(true)
    // a form of another site does not get in elsewhere, and the browser says where it is from
    expect((await send(`logout_token=${tokenOf()}`, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'email=a' }
    expect((await fetch(`${service.url}/panel/api/sign-in`, form)).status).toBe(415)
    // what was tried keeps the provider from nothing
    expect([await logOut(tokenOf()), await isSignedIn(browser)]).toEqual([200, false])
  })
})

test('the database alone does not have the id_token of a session', async () => {
  await signIn()
  const [row] = await database.db<{ kept: Buffer }[]>`
    select provider_id_token as kept from session where provider_id_token is not null order by session_id desc limit 1`
  expect(row!.kept.includes('eyJ')).toBe(false)
})
