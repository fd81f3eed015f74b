import { Secret, TOTP } from 'otpauth'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { personLock } from '../../src/people/persons.sql.ts'
import { forgetEnded } from '../../src/people/erasure/forget.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, openBench, type TestAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { hold } from '../harness/interleave.ts'
import { openAuthenticator, type Faults, type SoftwareAuthenticator } from './authenticator.ts'
import {
  makeMember,
  makePerson,
  openBrowser,
  PASSWORD,
  signedIn,
  type Browser,
  elsewhere,
  isSignedIn,
  endOf,
} from './browser.ts'
import { worldOfFile } from '../harness/world.ts'

// Codes of authenticator apps, recovery codes, and passkeys.

const { database, service, account } = worldOfFile({
  account: 'acme',
  service: { env: { SECRET_KEY: TEST_KEY, TRUSTED_PROXIES: '127.0.0.0/8' } },
})
let email: string
let personId: number
let browser: Browser
/** The origin by which browsers reach the service; a passkey needs a name, not an IP address. */
let origin: string
let people = 0

beforeAll(async () => {
  origin = service.url.replace('127.0.0.1', 'localhost')
})
beforeEach(async () => {
  email = `person${people++}@example.com`
  personId = await makePerson(database.db, email)
  await makeMember(database.db, account.accountId, personId, email, 'owner')
  browser = await signedIn(database.db, service.url, personId)
})

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret), period: 30, digits: 6 }).generate({
    timestamp: Date.now() + steps * 30_000,
  })

/** Sets up codes. @returns the app's secret and the recovery codes */
async function setUpCodes(of = browser): Promise<{ secret: string; recovery: string[] }> {
  const begun = await of.post('/panel/api/totp', { password: PASSWORD })
  expect(begun.body.data.uri).toMatch(/^otpauth:\/\/totp\/Shelfwire:.*secret=[A-Z2-7]{32}/)
  const { secret } = begun.body.data
  const confirmed = await of.send('PUT', '/panel/api/totp', { body: { code: codeOf(secret, -1) } })
  expect(confirmed.status).toBe(200)
  return { secret, recovery: confirmed.body.data.recovery_codes }
}

/** Signs in by password. @returns the ticket that asks for a code */
async function ticketOf(of: Browser): Promise<string> {
  const answer = await of.post('/panel/api/sign-in', { email, password: PASSWORD }, elsewhere())
  expect(answer.body.data.state).toBe('code-required')
  expect(answer.headers.get('set-cookie')).toBeNull()
  return answer.body.data.ticket
}
const sendCode = (of: Browser, ticket: string, code: string) =>
  of.post('/panel/api/sign-in/code', { ticket, code }, elsewhere())

describe('codes', () => {
  test('count once one was confirmed; other sessions, which were opened without one, end', async () => {
    const other = await signedIn(database.db, service.url, personId)
    await browser.post('/panel/api/totp', { password: PASSWORD })
    expect(
      (await openBrowser(service.url).post('/panel/api/sign-in', { email, password: PASSWORD }, elsewhere())).body.data
        .state,
    ).toBe('signed-in')
    const { secret } = await setUpCodes()
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
    expect([await endOf(browser), await endOf(other)]).toEqual([null, 'codes-set-up'])
    const next = openBrowser(service.url)
    const ticket = await ticketOf(next)
    expect(await isSignedIn(next)).toBe(false)
    expect(
      (await sendCode(next, ticket, ` ${codeOf(secret).slice(0, 3)} ${codeOf(secret).slice(3)}`)).body.data.state,
    ).toBe('signed-in')
    expect((await next.get('/panel/api/session')).body.data.person).toMatchObject({
      has_totp: true,
      recovery_codes_left: 10,
    })
  })

  test('need the password to be set up, renewed and removed, and a right code to count', async () => {
    for (const path of ['/panel/api/totp', '/panel/api/passkeys/options'])
      expect((await browser.post(path, { password: 'wrong password' })).body.code).toBe('sign-in-failed')
    const { secret } = (await browser.post('/panel/api/totp', { password: PASSWORD })).body.data
    for (const code of ['', '000000', codeOf(secret, -3), codeOf(secret, 3), 'abcdef', '12345'])
      expect((await browser.send('PUT', '/panel/api/totp', { body: { code } })).body.code).toBe('sign-in-failed')
    expect((await browser.get('/panel/api/session')).body.data.person.has_totp).toBe(false)
    await browser.send('PUT', '/panel/api/totp', { body: { code: codeOf(secret) } })
    for (const path of ['/panel/api/totp/recovery-codes', '/panel/api/totp/remove'])
      expect((await browser.post(path, { password: 'wrong password' })).body.code).toBe('sign-in-failed')
    expect((await browser.post('/panel/api/totp', { password: PASSWORD })).body.code).toBe('conflict')
    expect((await browser.post('/panel/api/totp/remove', { password: PASSWORD })).body.data.person).toMatchObject({
      has_totp: false,
      recovery_codes_left: 0,
    })
    expect((await browser.post('/panel/api/totp/remove', { password: PASSWORD })).body.code).toBe('conflict')
  })

  test('no code works twice, nor one of an earlier step after a later one', async () => {
    const { secret } = await setUpCodes()
    // the code that confirmed the setup cannot be used again
    expect(
      (await sendCode(openBrowser(service.url), await ticketOf(openBrowser(service.url)), codeOf(secret, -1))).status,
    ).toBe(401)
    const later = codeOf(secret, 1)
    expect((await sendCode(openBrowser(service.url), await ticketOf(openBrowser(service.url)), later)).status).toBe(200)
    for (const code of [later, codeOf(secret)])
      expect((await sendCode(openBrowser(service.url), await ticketOf(openBrowser(service.url)), code)).body.code).toBe(
        'sign-in-failed',
      )
  })

  test('one of two requests with the same code at the same time signs in', async () => {
    const { secret } = await setUpCodes()
    const tickets = [await ticketOf(openBrowser(service.url)), await ticketOf(openBrowser(service.url))]
    const code = codeOf(secret)
    const answers = await Promise.all(tickets.map((ticket) => sendCode(openBrowser(service.url), ticket, code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('a ticket is used once, ends with too many wrong codes, and is no session', async () => {
    const { secret } = await setUpCodes()
    const ticket = await ticketOf(openBrowser(service.url))
    const thief = openBrowser(service.url)
    thief.cookie = ticket
    expect(await isSignedIn(thief)).toBe(false)
    for (let i = 0; i < LIMITS.signInCodesMax; i++)
      expect((await sendCode(openBrowser(service.url), ticket, '000000')).status).toBe(401)
    expect((await sendCode(openBrowser(service.url), ticket, codeOf(secret))).status).toBe(401)
    const next = await ticketOf(openBrowser(service.url))
    expect((await sendCode(openBrowser(service.url), next, codeOf(secret))).status).toBe(200)
    expect((await sendCode(openBrowser(service.url), next, codeOf(secret, 1))).status).toBe(401)
  })

  test('a person’s codes can not be guessed from many clients', async () => {
    const { secret } = await setUpCodes()
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) {
      const ticket = await ticketOf(openBrowser(service.url))
      for (let j = 0; j < LIMITS.signInCodesMax; j++)
        statuses.push((await sendCode(openBrowser(service.url), ticket, '000000')).status)
    }
    // the confirmation of the setup counts as one of them
    expect(statuses.indexOf(429)).toBe(LIMITS.signInCodesAtOnce - 1)
    expect(
      (await sendCode(openBrowser(service.url), await ticketOf(openBrowser(service.url)), codeOf(secret))).status,
    ).toBe(429)
  })

  test('a recovery code signs in once; new ones end the old', async () => {
    const { recovery } = await setUpCodes()
    expect(new Set(recovery).size).toBe(LIMITS.recoveryCodes)
    const [first = '', second = ''] = recovery
    expect(first).toMatch(/^(?:[2-9a-hjkmnp-z]{4}-){3}[2-9a-hjkmnp-z]{4}$/)
    expect(
      (
        await sendCode(
          openBrowser(service.url),
          await ticketOf(openBrowser(service.url)),
          first.toUpperCase().replaceAll('-', ' '),
        )
      ).status,
    ).toBe(200)
    expect((await sendCode(openBrowser(service.url), await ticketOf(openBrowser(service.url)), first)).status).toBe(401)
    const renewed = (await browser.post('/panel/api/totp/recovery-codes', { password: PASSWORD })).body.data
      .recovery_codes
    expect((await sendCode(openBrowser(service.url), await ticketOf(openBrowser(service.url)), second)).status).toBe(
      401,
    )
    expect(
      (await sendCode(openBrowser(service.url), await ticketOf(openBrowser(service.url)), renewed[0])).status,
    ).toBe(200)
  })

  test('recovery codes need no key: they sign in where the one of the codes is lost', async () => {
    const { secret, recovery } = await setUpCodes()
    await database.db`update person set totp_secret = regexp_replace(totp_secret, '^v1[.][0-9a-f]+', 'v1.00000000') where person_id = ${personId}`
    const ticket = await ticketOf(openBrowser(service.url))
    expect((await sendCode(openBrowser(service.url), ticket, codeOf(secret))).body).toMatchObject({
      code: 'sign-in-failed',
      detail: expect.stringContaining('a fault of this service'),
    })
    expect((await sendCode(openBrowser(service.url), ticket, recovery[0]!)).status).toBe(200)
  })

  test('are stored sealed, and recovery codes hashed', async () => {
    const { secret, recovery } = await setUpCodes()
    const rows = await database.db<{ row: string }[]>`
      select p::text as row from person p where person_id = ${personId}
      union all select r::text from recovery_code r where person_id = ${personId}`
    const stored = rows.map(({ row }) => row).join()
    expect(rows).toHaveLength(1 + LIMITS.recoveryCodes)
    for (const text of [secret, ...recovery, ...recovery.map((code) => code.replaceAll('-', ''))])
      expect(stored).not.toContain(text)
  })
})

describe('passkeys', () => {
  const withOrigin = (at = origin) => ({ headers: { Origin: at, Host: new URL(at).host } })
  const page = () => openBrowser(origin)
  const add = async (authenticator: SoftwareAuthenticator, faults: Faults = {}, of = browser) => {
    const here = Object.assign(page(), { cookie: of.cookie, csrf: of.csrf })
    const begun = await here.post('/panel/api/passkeys/options', { password: PASSWORD }, withOrigin())
    expect(begun.status).toBe(200)
    const { ticket, options } = begun.body.data
    return here.post(
      '/panel/api/passkeys',
      { ticket, name: 'Laptop', response: authenticator.register(options, origin, faults) },
      withOrigin(),
    )
  }
  const both = () => ({ headers: { ...elsewhere().headers, ...withOrigin().headers } })
  const begin = async (here = page()) =>
    (await here.post('/panel/api/sign-in/passkey/options', undefined, both())).body.data
  const signIn = async (authenticator: SoftwareAuthenticator, faults: Faults = {}, here = page()) => {
    const { ticket, options } = await begin(here)
    const response = authenticator.authenticate(options, origin, faults)
    return here.post('/panel/api/sign-in/passkey', { ticket, response }, both())
  }

  test('is added with the password, signs in without a code, and is removed', async () => {
    await setUpCodes()
    const authenticator = openAuthenticator()
    const added = await add(authenticator)
    expect([added.status, added.body.data]).toMatchObject([201, { name: 'Laptop', used_at: null }])
    const here = page()
    const { body } = await signIn(authenticator, {}, here)
    expect(body.data).toMatchObject({ state: 'signed-in', session: { person: { id: personId, passkeys: 1 } } })
    expect(await isSignedIn(here)).toBe(true)
    const [listed] = (await here.get('/panel/api/passkeys')).body.data
    expect(listed.used_at).not.toBeNull()
    // another person cannot find it
    const otherId = await makePerson(database.db, `other${people}@example.com`)
    const other = await signedIn(database.db, service.url, otherId)
    expect((await other.send('DELETE', `/panel/api/passkeys/${listed.id}`)).body.code).toBe('unknown-reference')
    expect((await browser.send('DELETE', `/panel/api/passkeys/${listed.id}`)).status).toBe(204)
    expect((await signIn(authenticator)).body.code).toBe('sign-in-failed')
  })

  test.each<[string, Faults]>([
    ['made for another site', { origin: 'https://evil.example', rpId: 'evil.example' }],
    ['of a page of another site', { origin: 'https://evil.example' }],
    ['for another name', { rpId: 'evil.example' }],
    ['to another challenge', { challenge: 'AAAA' }],
    ['that is none of signing in', { type: 'webauthn.create' }],
    ['without finger or PIN', { isUnverified: true }],
    ['by another key', { isForged: true }],
    ['of a copy, which counts from where it was copied', { counter: 1 }],
  ])('refuses an answer %s', async (_name, faults) => {
    const authenticator = openAuthenticator()
    await add(authenticator)
    expect((await signIn(authenticator)).status).toBe(200)
    expect((await signIn(authenticator, faults)).body).toMatchObject({ status: 401, code: 'sign-in-failed' })
    expect((await signIn(authenticator)).status).toBe(200)
  })

  test('confirms that it is still the same person, and that of another person does not', async () => {
    const [own, foreign] = [openAuthenticator(), openAuthenticator()]
    await add(own)
    const other = await signedIn(database.db, service.url, await makePerson(database.db, `else${people}@example.com`))
    await add(foreign, {}, other)
    await database.db`update session set reauthenticated_at = null where person_id = ${personId}`
    const here = Object.assign(page(), { cookie: browser.cookie, csrf: browser.csrf })
    const confirm = async (authenticator: SoftwareAuthenticator, by = here) => {
      const { ticket, options } = (await by.post('/panel/api/session/confirm/passkey/options', undefined, withOrigin()))
        .body.data
      const response = authenticator.authenticate(options, origin)
      return here.post('/panel/api/session/confirm/passkey', { ticket, response }, withOrigin())
    }
    const create = () => here.post(`/panel/api/accounts/${account.accountId}/tokens`, { name: 'x', access: 'full' })
    expect((await confirm(foreign)).status).toBe(401)
    const theirs = Object.assign(page(), { cookie: other.cookie, csrf: other.csrf })
    expect((await confirm(own, theirs)).status).toBe(401)
    expect((await confirm(foreign, theirs)).status).toBe(401)
    expect((await create()).body.code).toBe('confirmation-required')
    expect((await confirm(own)).status).toBe(204)
    expect((await create()).status).toBe(201)
  })

  test.each<[string, Faults]>([
    ['made for another site', { origin: 'https://evil.example', rpId: 'evil.example' }],
    ['to another challenge', { challenge: 'AAAA' }],
    ['without finger or PIN', { isUnverified: true }],
  ])('refuses to add one %s', async (_name, faults) => {
    expect((await add(openAuthenticator(), faults)).body).toMatchObject({ status: 401, code: 'sign-in-failed' })
    expect((await browser.get('/panel/api/passkeys')).body.data).toEqual([])
  })

  test('an answer is used once, also one that counts nothing, and only with its own ticket', async () => {
    const authenticator = openAuthenticator(false)
    await add(authenticator)
    const [one, two] = [await begin(), await begin()]
    const response = authenticator.authenticate(one.options, origin)
    const send = (ticket: string) => page().post('/panel/api/sign-in/passkey', { ticket, response }, both())
    expect((await send(two.ticket)).status).toBe(401)
    const answers = await Promise.all([send(one.ticket), send(one.ticket)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await send(one.ticket)).status).toBe(401)
  })

  test('is not added by a session that is ended at the same moment', async () => {
    await using held = await hold(database.db, (tx) => personLock(tx, personId))
    const adding = add(openAuthenticator())
    await expect.poll(() => database.isBlocked()).toBe(true)
    await database.db`delete from session where person_id = ${personId}`
    await held.commit()
    expect((await adding).body.code).toBe('not-signed-in')
    expect(await database.db`select 1 from passkey where person_id = ${personId}`).toEqual([])
  })

  test('the ticket of one person adds none for another, and one of signing in adds none', async () => {
    const authenticator = openAuthenticator()
    const { ticket, options } = (
      await Object.assign(page(), { cookie: browser.cookie, csrf: browser.csrf }).post(
        '/panel/api/passkeys/options',
        { password: PASSWORD },
        withOrigin(),
      )
    ).body.data
    const evil = await signedIn(database.db, service.url, await makePerson(database.db, `evil${people}@example.com`))
    const answer = await evil.post('/panel/api/passkeys', {
      ticket,
      name: 'x',
      response: authenticator.register(options, origin),
    })
    expect(answer.body.code).toBe('sign-in-failed')
    const other = await begin()
    const response = authenticator.register({ challenge: other.options.challenge, rp: { id: 'localhost' } }, origin)
    expect((await browser.post('/panel/api/passkeys', { ticket: other.ticket, name: 'x', response })).body.code).toBe(
      'sign-in-failed',
    )
  })

  test('one that somebody has can not be added again, by anybody', async () => {
    const authenticator = openAuthenticator()
    expect((await add(authenticator)).status).toBe(201)
    const other = await signedIn(database.db, service.url, await makePerson(database.db, `twice${people}@example.com`))
    expect((await add(authenticator, {}, other)).body.code).toBe('conflict')
  })

  test('answers that are no answers are refused', async () => {
    for (const response of [{}, { id: 1 }, { id: 'x', response: {} }, { id: 'x'.repeat(2_000) }]) {
      const { ticket } = await begin()
      const answer = await page().post('/panel/api/sign-in/passkey', { ticket, response }, elsewhere())
      expect(answer.body).toMatchObject({ status: 401, code: 'sign-in-failed' })
    }
  })
})

describe('an account', () => {
  const rulesPath = () => `/panel/api/accounts/${own.accountId}/sign-in-rules`
  const NONE = { requires_second_factor: false, session_idle_minutes: null, session_hours: null }
  const set = (rules: object, by = browser) => by.send('PUT', rulesPath(), { body: { ...NONE, ...rules } })
  const members = (of: Browser) => of.get(`/panel/api/accounts/${own.accountId}/members`)
  const api = (of: Browser) => of.get('/v1/account', { headers: { 'Shelfwire-Account': String(own.accountId) } })
  let own: TestAccount
  let other: Browser
  let otherId: number
  beforeEach(async () => {
    own = await createAccount(openBench(database.db), `Strict ${people}`)
    await makeMember(database.db, own.accountId, personId, email, 'owner')
    const address = `member${people}@example.com`
    otherId = await makePerson(database.db, address)
    await makeMember(database.db, own.accountId, otherId, address, 'member')
    other = await signedIn(database.db, service.url, otherId)
  })

  test('that asks for a second factor shows nothing to sessions without one, and all once it is set up', async () => {
    // an owner without a second factor cannot require one of others
    expect((await set({ requires_second_factor: true })).body.code).toBe('conflict')
    await setUpCodes()
    expect((await set({ requires_second_factor: true }, other)).body.code).toBe('owner-required')
    expect((await set({ requires_second_factor: true })).body.data.requires_second_factor).toBe(true)
    expect((await members(browser)).status).toBe(200)
    for (const answer of [await members(other), await api(other)])
      expect(answer.body.code).toBe('second-factor-required')
    const needs = async () =>
      (await other.get('/panel/api/session')).body.data.accounts.map(
        (row: { needs_second_factor: boolean }) => row.needs_second_factor,
      )
    expect(await needs()).toEqual([true])
    await setUpCodes(other)
    expect([await needs(), (await members(other)).status, (await api(other)).status]).toEqual([[false], 200, 200])
    // and no access again after removing them
    await other.post('/panel/api/totp/remove', { password: PASSWORD })
    expect((await members(other)).body.code).toBe('second-factor-required')
    const audit = (await browser.get(`/panel/api/accounts/${own.accountId}/audit`)).body.data
    expect(audit.map(({ action }: { action: string }) => action)).toContain('putSignInRules')
  })

  test('that asks for a second factor is opened by a passkey, not by the password of somebody who has one', async () => {
    await database.db`update account set requires_second_factor = true where account_id = ${own.accountId}`
    await database.db`insert into passkey (person_id, credential_id, public_key, counter, name)
      values (${otherId}, ${`key-${otherId}`}, '', 0, 'key')`
    expect((await members(other)).body.code).toBe('second-factor-required')
    await database.db`update session set passkey_at = now() where person_id = ${otherId}`
    expect((await members(other)).status).toBe(200)
    await database.db`delete from passkey where person_id = ${otherId}`
    expect((await members(other)).body.code).toBe('second-factor-required')
  })

  test('has shorter sessions: those that have opened it end, wherever they are used next', async () => {
    expect((await set({ session_idle_minutes: 15, session_hours: 8 })).status).toBe(200)
    expect((await set({ session_idle_minutes: 1 })).body.code).toBe('invalid-input')
    const before = (await other.get('/panel/api/session')).body.data
    await members(other)
    const { data } = (await other.get('/panel/api/session')).body
    const hours = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 3_600_000
    expect([hours(before.created_at, before.expires_at), hours(data.created_at, data.expires_at)]).toEqual([720, 8])
    expect(hours(data.created_at, data.idle_until)).toBeLessThan(0.3)
    await database.db`update session set seen_at = now() - interval '16 minutes' where person_id = ${otherId}`
    expect([await isSignedIn(other), await endOf(other)]).toEqual([false, 'account-rule'])
    // a session that is already older is refused at once
    const old = await signedIn(database.db, service.url, otherId)
    await database.db`update session set created_at = now() - interval '9 hours' where person_id = ${otherId}`
    expect((await members(old)).body.code).toBe('not-signed-in')
    expect(await isSignedIn(old)).toBe(false)
    // also after its row is deleted
    await database.db`update session set seen_at = now() - interval '80 hours' where person_id = ${otherId}`
    await forgetEnded(database.db)
    expect([await endOf(other), await endOf(old)]).toEqual(['account-rule', 'account-rule'])
  })
})
