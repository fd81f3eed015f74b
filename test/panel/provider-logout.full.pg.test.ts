import { generateKeyPairSync, randomUUID, sign as signBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createAccount, openBench } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { signOutAtProvider } from '../harness/identity-provider.ts'
import { startTestService } from '../harness/service.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openProvider } from '../../src/people/provider/provider.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { must } from '../../src/platform/must.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { makeInvitation } from '../../src/people/links.ts'
import { openAtProvider, SIGN_IN_AT_PROVIDER } from './at-provider.ts'
import { elsewhere, isSignedIn, openBrowser, type Browser, type PanelAnswer } from './browser.ts'

// Signing out at an OpenID provider that runs here (oidc-provider), and forged logout tokens.

const { database } = worldOfFile()
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const at = ofFile(() => openAtProvider(database, { OIDC_SIGN_OUT: 'provider' }))
let people = 0
let email: string

beforeEach(async () => {
  const { accountId } = await createAccount(openBench(database.db), `Nordlicht ${people}`)
  email = `anna${people++}@example.com`
  at.become(email)
  await inTransaction(database.db, (tx) => makeInvitation(tx, accountId, { email, role: 'member', createdBy: null }))
})
/** Signs in at the provider and follows its redirect. */
async function comeBack(cookies = new Map<string, string>()): Promise<{ browser: Browser; answer: PanelAnswer }> {
  const browser = openBrowser(at.service.url)
  const returned = await at.comeBack(browser, { cookies })
  return { browser, answer: await browser.post(SIGN_IN_AT_PROVIDER, returned, elsewhere()) }
}

async function signIn(cookies?: Map<string, string>): Promise<Browser> {
  const { browser, answer } = await comeBack(cookies)
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return browser
}

/** Adds claims to the provider's tokens from now on. */
const says = (more: Record<string, unknown>) => {
  at.provider.tamper = ({ claims: signed }) => void Object.assign(signed, more)
}

const APP = 'JBSWY3DPEHPK3PXP'
/** Sets up codes of an authenticator app for the person. */
async function setUpCodes(): Promise<void> {
  const [row] = await database.db<{ id: number }[]>`select person_id as id from person where email = ${email}`
  const sealed = at.service.runtime.seal.close(APP, `totp ${row!.id}`)
  await database.db`update person set totp_secret = ${sealed} where person_id = ${row!.id}`
}
async function giveCode({ browser, answer }: Awaited<ReturnType<typeof comeBack>>): Promise<number> {
  expect(answer.body.data.state).toBe('code-required')
  // makes the code of the current half minute valid again
  await database.db`update person set totp_step = 0 where email = ${email}`
  const code = new TOTP({ secret: Secret.fromBase32(APP) }).generate()
  const { ticket } = answer.body.data
  return (await browser.post('/panel/api/sign-in/code', { ticket, code }, elsewhere())).status
}

const send = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${at.service.url}/panel/api/sign-in/provider/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...elsewhere().headers, ...headers },
    body,
  })
const now = () => Math.floor(Date.now() / 1_000)
const claims = (more: Record<string, unknown> = {}) => ({
  iss: at.provider.issuer,
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
  at.provider.sign({ header: { ...HEADER, ...header }, claims: claims(more) })
const logOut = async (token: string) => (await send(`logout_token=${token}`)).status

test('who signs out here is led to the provider, which signs out and sends back', async () => {
  const cookies = new Map<string, string>()
  const browser = await signIn(cookies)
  const out = await browser.send('DELETE', '/panel/api/session')
  const url = new URL(out.body.data.provider_url)
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(at.redirectUri)
  expect(url.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
  expect(await isSignedIn(browser)).toBe(false)

  expect(await signOutAtProvider(url.href, cookies)).toBe(at.redirectUri)
})

test('a logout token of one session of the provider ends what was opened in that one', async () => {
  const inSession = (sid: string) => {
    says({ sid })
    return signIn()
  }
  const [one, other] = [await inSession('s1'), await inSession('s2')]
  expect(await logOut(tokenOf({ sid: 's1' }))).toBe(200)
  expect([await isSignedIn(one), await isSignedIn(other)]).toEqual([false, true])
  expect((await one.get('/panel/api/sign-in')).body.data.ended).toBe('provider')
  expect(await logOut(tokenOf({ sub: undefined, sid: 's2' }))).toBe(200)
  expect(await isSignedIn(other)).toBe(false)
})

test('and also where a code was asked for', async () => {
  await signIn()
  await setUpCodes()
  const inSession = async (sid: string) => {
    says({ sid })
    const back = await comeBack()
    expect(await giveCode(back)).toBe(200)
    return back.browser
  }
  const one = await inSession('c 1 ü')
  expect(await logOut(tokenOf({ sub: undefined, sid: 'c 1 ü' }))).toBe(200)
  expect(await isSignedIn(one)).toBe(false)
  const others = [await inSession('c2'), await inSession('c3')]
  expect(await logOut(tokenOf({ sid: 'c3' }))).toBe(200)
  expect(await Promise.all(others.map(isSignedIn))).toEqual([true, false])
})

test('a sign-in that is under way when its person or its session is signed out there is not finished', async () => {
  await signIn()
  await setUpCodes()
  const after = async (sid: string, token: string) => {
    says({ sid })
    const back = await comeBack()
    expect(await logOut(token)).toBe(200)
    return giveCode(back)
  }
  expect(await after('u1', tokenOf())).toBe(401)
  expect(await after('u2', tokenOf({ sid: 'u2' }))).toBe(401)
  expect(await after('u3', tokenOf({ sub: undefined, sid: 'u3' }))).toBe(401)
  expect(await after('u4', tokenOf({ sid: 'another' }))).toBe(200)
})

test('nor one of which the provider has said before that it goes on', async () => {
  await signIn()
  const whenSaid = async (sid: string, secondsAgo: number) => {
    says({ sid, iat: now() - secondsAgo })
    return (await comeBack()).answer.status
  }
  expect(await logOut(tokenOf({ sid: 'w1' }))).toBe(200)
  expect([await whenSaid('w1', 5), await whenSaid('w2', 20), await whenSaid('w1', -5)]).toEqual([403, 200, 200])
  expect(await logOut(tokenOf({ sub: undefined, sid: 'w3' }))).toBe(200)
  expect([await whenSaid('w3', 5), await whenSaid('w4', 20)]).toEqual([403, 200])
})

describe('a provider that is away', () => {
  /** Starts a server that accepts connections and never answers. */
  async function startSilent() {
    const asked = new Set<Socket>()
    const server = createServer((socket) => void asked.add(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const env = { SECRET_KEY: TEST_KEY, TRUSTED_PROXIES: '127.0.0.0/8', OIDC_SIGN_OUT: 'provider' }
    const silent = await startTestService(database, {
      env: { ...env, ...at.provider.settings(at.service.url), OIDC_ISSUER: url },
    })
    onTestFinished(async () => {
      for (const socket of asked) socket.destroy()
      server.close()
      await silent[Symbol.asyncDispose]()
    })
    return { silent, asked }
  }

  test('keeps nobody signed in who signs out here', { retry: 2 }, async () => {
    const browser = await signIn()
    const { silent, asked } = await startSilent()
    const there = openBrowser(silent.url)
    there.cookie = browser.cookie
    there.csrf = browser.csrf
    const began = performance.now()
    const { status, body } = await there.send('DELETE', '/panel/api/session')
    expect([status, body, asked.size]).toEqual([200, { data: { provider_url: null } }, 1])
    expect(performance.now() - began).toBeLessThan(LIMITS.providerTimeoutMs / 2)
    expect(await isSignedIn(browser)).toBe(false)

    // invalid tokens do not make the service send requests, and count against the sender's address
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...elsewhere().headers }
    const answers: number[] = []
    for (let i = 0; i <= LIMITS.signInsPerAddressAtOnce; i++) {
      const token = i % 2 === 0 ? 'x' : tokenOf({ iss: silent.url })
      const url = `${silent.url}/panel/api/sign-in/provider/logout`
      answers.push((await fetch(url, { method: 'POST', headers, body: `logout_token=${token}` })).status)
    }
    expect([answers.filter((one) => one === 400).length, answers.at(-1), asked.size]).toEqual([
      LIMITS.signInsPerAddressAtOnce,
      429,
      1,
    ])
  })

  test('is not counted as a sender of forged tokens if its keys cannot be read: it may send them again', async () => {
    const settings = must(readSettings({ SECRET_KEY: TEST_KEY, ...at.provider.settings(at.service.url) }).provider)
    // an address that does not exist, and one with something else
    for (const path of ['none', '.well-known/openid-configuration']) {
      at.provider.tamperDescription = (description) => void (description['jwks_uri'] = `${at.provider.issuer}/${path}`)
      const asked = openProvider(settings, at.service.runtime.providerOutbound, silentLog)
      await expect(asked.loggedOut(tokenOf())).rejects.toMatchObject({ code: 'provider-unavailable' })
    }
  })
})

describe('a logout token', () => {
  test('ends all sessions that the person has opened at the provider, and counts once', async () => {
    const browsers = [await signIn(), await signIn()]
    const others = email
    email = `berta${people++}@example.com`
    at.provider.people.set(email, { email, email_verified: true })
    at.provider.signsIn = email
    const { accountId } = await createAccount(openBench(database.db), `Other ${people}`)
    await inTransaction(database.db, (tx) => makeInvitation(tx, accountId, { email, role: 'member', createdBy: null }))
    const berta = await signIn()
    const token = tokenOf({ sub: others })
    expect(await logOut(token)).toBe(200)
    expect(await Promise.all([...browsers, berta].map(isSignedIn))).toEqual([false, false, true])
    // a replayed token does not end sessions that were opened since
    at.provider.signsIn = others
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
    // a form of another site is refused by the browser's Sec-Fetch-Site
    expect((await send(`logout_token=${tokenOf()}`, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'email=a' }
    expect((await fetch(`${at.service.url}/panel/api/sign-in`, form)).status).toBe(415)
    // these attempts do not affect the provider
    expect([await logOut(tokenOf()), await isSignedIn(browser)]).toEqual([200, false])
  })
})

test('the database alone does not have the id_token of a session', async () => {
  await signIn()
  const [row] = await database.db<{ kept: Buffer }[]>`
    select provider_id_token as kept from session where provider_id_token is not null order by session_id desc limit 1`
  expect(row!.kept.includes('eyJ')).toBe(false)
})
