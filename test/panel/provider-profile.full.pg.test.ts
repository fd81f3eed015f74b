import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { makeMemberLink } from '../../src/people/links.ts'
import { emailProvenUpdate } from '../../src/people/persons.sql.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { freePort } from '../harness/free-port.ts'
import { followProvider, startIdentityProvider, type IdentityProvider } from '../harness/identity-provider.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { startSmtpSink } from '../harness/smtp-sink.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'
import {
  elsewhere,
  endOf,
  isSignedIn,
  makeMember,
  makePerson,
  openBrowser,
  PASSWORD,
  signedIn,
  type Browser,
} from './browser.ts'

// Linking an identity of a provider (oidc-provider) in a session of the panel, where the provider's address does not matter.

const { database } = worldOfFile()
const sink = ofFile(startSmtpSink)
let provider: IdentityProvider
let service: TestService
/** A service with OIDC_EMAIL_DOMAINS. */
let strict: TestService
/** A service with LOCAL_SIGN_IN=off. */
let withoutPasswords: TestService
let redirectUri: string
let accountId: number
let email: string
/** The subject at the provider, without an address or with another one. */
let subject: string
let people = 0

const LINK = '/panel/api/person/provider'

beforeAll(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  redirectUri = `${url}/panel/sign-in`
  provider = await startIdentityProvider(redirectUri)
  const env = {
    SECRET_KEY: TEST_KEY,
    TRUSTED_PROXIES: '127.0.0.0/8',
    SMTP_URL: sink.url,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    ...provider.settings(url),
  }
  service = await startTestService(database, { env: { ...env, PORT: String(port) } })
  strict = await startTestService(database, { env: { ...env, OIDC_EMAIL_DOMAINS: 'example.com' } })
  withoutPasswords = await startTestService(database, { env: { ...env, LOCAL_SIGN_IN: 'off' } })
}, 60_000)
beforeEach(async () => {
  ;({ accountId } = await createAccount(openBench(database.db), `Nordlicht ${people}`))
  email = `anna${people++}@example.com`
  subject = `subject ${people}`
  provider.people.set(subject, { name: 'Anna Berg' })
  Object.assign(provider, { signsIn: subject, tamper: null })
  sink.mails.length = 0
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await strict[Symbol.asyncDispose]()
  await withoutPasswords[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

/** An owner who has just signed in by password. @param isProven whether the password was set by a mailed link */
async function person(isProven: boolean, at = service): Promise<Browser> {
  const personId = await makePerson(database.db, email, 'Anna')
  await inTransaction(database.db, (tx) => emailProvenUpdate(tx, personId, isProven))
  await makeMember(database.db, accountId, personId, email, 'owner')
  return passwordSession(at)
}
async function passwordSession(at = service): Promise<Browser> {
  const browser = openBrowser(at.url)
  const { status } = await browser.post('/panel/api/sign-in', { email, password: PASSWORD }, elsewhere())
  expect(status).toBe(200)
  return browser
}

/** Goes to the provider from the profile, and comes back. */
async function comeBack(browser: Browser, given: object = { password: PASSWORD }) {
  const begun = await browser.post(`${LINK}/begin`, given)
  expect([begun.status, begun.text]).toEqual([200, begun.text])
  const { ticket, url } = begun.body.data
  expect(new URL(url).searchParams.get('prompt')).toBe('login')
  return { ticket, answer: new URL(await followProvider(url, redirectUri)).search.slice(1) }
}
const link = async (browser: Browser) => browser.post(LINK, await comeBack(browser))

async function signIn(at = service) {
  const browser = openBrowser(at.url)
  const begun = await browser.post('/panel/api/sign-in/provider/begin', { again: false }, elsewhere())
  const { ticket, url } = begun.body.data
  const answer = new URL(await followProvider(url, redirectUri)).search.slice(1)
  const { body, status } = await browser.post('/panel/api/sign-in/provider', { ticket, answer }, elsewhere())
  return { browser, body, status, code: body.code ?? body.data?.state }
}

const mailsTo = (to: string, text: string) =>
  sink.mails.filter(({ recipients, mail }) => recipients.includes(to) && mail.text?.includes(text) === true).length

describe('linking in a session', () => {
  test.each([undefined, false])(
    'needs no verified address (%j): the person signs in there from now on, the password goes on, and both are told',
    async (verified) => {
      provider.people.set(subject, {
        email: 'anna@private.example',
        ...(verified === false && { email_verified: false }),
      })
      expect((await signIn()).code).toBe('email-not-verified')
      const browser = await person(true)
      const linked = await link(browser)
      expect(linked.body.data.person).toMatchObject({
        email,
        at_provider: true,
        email_proven: true,
        provider: { email: 'anna@private.example', linked_at: expect.any(String), takes_over: false },
      })
      // repeating it is no error
      expect((await link(browser)).status).toBe(200)

      const there = await signIn()
      expect(there.body.data).toMatchObject({ state: 'signed-in', session: { person: { email } } })
      expect(there.body.data.took_over).toBeUndefined()
      expect(await isSignedIn(await passwordSession())).toBe(true)
      const events = (await browser.get('/panel/api/person/events')).body.data
      expect(events.filter(({ kind }: { kind: string }) => kind === 'provider-linked')).toHaveLength(1)
      expect(
        await database.db`select 1 from audit_entry where account_id = ${accountId} and action = 'linkProvider'`,
      ).toHaveLength(1)
      await expect.poll(() => mailsTo(email, 'signs in at the identity provider from now on')).toBe(1)
    },
  )

  test('by a session alone is refused, also of somebody who has just signed in: it takes the password', async () => {
    const browser = await person(true)
    expect((await browser.post(`${LINK}/begin`, {})).body).toMatchObject({
      code: 'invalid-input',
      errors: [{ name: 'password' }],
    })
    expect((await browser.post(`${LINK}/begin`, { password: 'wrong' })).body.code).toBe('sign-in-failed')
    // nothing was begun
    expect(
      await database.db`
        select 1 from sign_in_step join person using (person_id) where kind = 'provider-link' and email = ${email}`,
    ).toEqual([])
  })

  test('where passwords are off takes a session that was confirmed', async () => {
    const personId = await makePerson(database.db, email, 'Anna')
    await makeMember(database.db, accountId, personId, email, 'owner')
    const browser = await signedIn(database.db, withoutPasswords.url, personId)
    const confirmedAgo = (minutes: number) =>
      database.db`
        update session set reauthenticated_at = now() - make_interval(mins => ${minutes}) where person_id = ${personId}`
    await confirmedAgo(11)
    expect((await browser.post(`${LINK}/begin`, {})).body.code).toBe('confirmation-required')
    await confirmedAgo(1)
    expect((await browser.post(`${LINK}/begin`, { password: PASSWORD })).body.code).toBe('local-sign-in-off')
    expect((await browser.post(LINK, await comeBack(browser, {}))).status).toBe(200)
    // without passwords only the operator can unlink an identity
    provider.people.set('another', {})
    provider.signsIn = 'another'
    expect((await browser.post(LINK, await comeBack(browser, {}))).body).toMatchObject({
      code: 'identity-differs',
      detail: expect.stringContaining('--remove-codes'),
    })
  })

  test.each([
    ['does not say when', () => undefined],
    ['has asked before that', () => Math.floor(Date.now() / 1_000) - 16 * 60],
  ])('is refused where the provider %s it has asked who signs in', async (_, authTime) => {
    const browser = await person(true)
    provider.tamper = ({ claims }) => void (claims['auth_time'] = authTime())
    expect((await link(browser)).body.code).toBe('provider-refused')
    expect(await database.db`select 1 from person_identity where subject = ${subject}`).toEqual([])
  })

  test('takes an answer once, of the person who has asked, in a session that goes on', async () => {
    const browser = await person(true)
    const [mine, own] = [await comeBack(browser), email]
    email = `berta${people}@example.com`
    const other = await person(true)
    expect((await other.post(LINK, mine)).body.code).toBe('provider-refused')
    // the answer is used up
    expect((await browser.post(LINK, mine)).body.code).toBe('provider-refused')
    // the answer to a sign-in cannot be used to link, and vice versa
    const begun = await openBrowser(service.url).post('/panel/api/sign-in/provider/begin', { again: true }, elsewhere())
    const answer = new URL(await followProvider(begun.body.data.url, redirectUri)).search.slice(1)
    expect((await browser.post(LINK, { ticket: begun.body.data.ticket, answer })).body.code).toBe('provider-refused')
    const asked = await comeBack(browser)
    const visitor = await openBrowser(service.url).post('/panel/api/sign-in/provider', asked, elsewhere())
    expect(visitor.body.code).toBe('provider-refused')
    // without the token of the session's pages
    const late = await comeBack(browser)
    expect((await browser.send('POST', LINK, { body: late, isBare: true })).body.code).toBe('csrf-refused')
    await database.db`delete from session where person_id = (select person_id from person where email = ${own})`
    expect((await browser.post(LINK, late)).body.code).toBe('not-signed-in')
    expect(await database.db`select 1 from person_identity where subject = ${subject}`).toEqual([])
  })

  test('refuses an identity of somebody else, and a second one', async () => {
    expect((await link(await person(true))).status).toBe(200)
    email = `carl${people}@example.com`
    const carl = await person(true)
    expect((await link(carl)).body).toMatchObject({ code: 'conflict', status: 409 })
    provider.people.set('of Carl', {})
    provider.signsIn = 'of Carl'
    // both at the same moment: one links, and the other finds it
    expect((await Promise.all([link(carl), link(carl)])).map(({ status }) => status)).toEqual([200, 200])
    provider.people.set('another of Carl', {})
    provider.signsIn = 'another of Carl'
    expect((await link(carl)).body).toMatchObject({
      code: 'identity-differs',
      detail: expect.stringContaining('unlink that one in your profile first'),
    })
  })

  test('keeps to the domains that the operator has named, which need a verified address', async () => {
    const browser = await person(true, strict)
    expect((await link(browser)).body.code).toBe('email-not-verified')
    provider.people.set(subject, { email: 'anna@private.example', email_verified: true })
    expect((await link(browser)).body.code).toBe('email-domain-refused')
    provider.people.set(subject, { email: 'anna@example.com', email_verified: true })
    expect((await link(browser)).status).toBe(200)
  })
})

describe('somebody who has signed up with the address of another and links an identity of their own', () => {
  test('keeps its owner out of nothing: the first verified sign-in ends it with all else', async () => {
    const squatter = await person(false)
    expect((await link(squatter)).status).toBe(200)
    const bySquatter = await signIn()
    expect(bySquatter.status).toBe(200)

    provider.people.set(email, { email, email_verified: true })
    provider.signsIn = email
    expect((await signIn()).body.data).toMatchObject({ state: 'signed-in', took_over: true })
    expect(await Promise.all([squatter, bySquatter.browser].map(isSignedIn))).toEqual([false, false])
    provider.signsIn = subject
    expect((await signIn()).code).toBe('email-not-verified')
  })

  test('loses it by a mailed link that sets a new password, too', async () => {
    await link(await person(false))
    await openBrowser(service.url).post('/panel/api/password-resets', { email }, elsewhere())
    const token = () =>
      sink.mails
        .filter(({ recipients }) => recipients.includes(email))
        .map(({ mail }) => /\/panel\/link#(swl_\S+)/.exec(mail.text ?? '')?.[1])
        .find((found) => found !== undefined)
    await expect.poll(token).toBeDefined()
    const given = { token: token() ?? '', password: 'a newer password 9' }
    expect((await openBrowser(service.url).post('/panel/api/links/reset-password', given, elsewhere())).status).toBe(
      200,
    )
    expect((await signIn()).code).toBe('email-not-verified')
    await expect.poll(() => mailsTo(email, 'The identity provider that was linked in the profile')).toBe(1)
  })

  test('who links an identity with the verified address itself is asked about at the first sign-in there, as without a link', async () => {
    const squatter = await person(false)
    provider.people.set(subject, { email: email.toUpperCase(), email_verified: true })
    // shown before and after linking
    expect((await squatter.get('/panel/api/session')).body.data.person).toMatchObject({
      email_proven: false,
      provider: null,
    })
    expect((await link(squatter)).body.data.person.provider.takes_over).toBe(true)
    const owner = await signIn()
    expect(owner.body.data.took_over).toBe(true)
    expect(owner.body.data.session.person).toMatchObject({ email_proven: true, provider: { takes_over: false } })
    expect(await isSignedIn(squatter)).toBe(false)
  })

  test('whose password a mailed link has set keeps it, also with the verified address', async () => {
    const browser = await person(true)
    provider.people.set(subject, { email, email_verified: true })
    expect((await link(browser)).body.data.person.provider.takes_over).toBe(false)
    expect((await signIn()).body.data.took_over).toBeUndefined()
    expect(await isSignedIn(browser)).toBe(true)
    expect(await isSignedIn(await passwordSession())).toBe(true)
  })
})

test('where a mailed link has set the password, an identity that was linked is the person’s: another one with the address is refused', async () => {
  await link(await person(true))
  provider.people.set(email, { email, email_verified: true })
  provider.signsIn = email
  expect((await signIn()).code).toBe('identity-differs')
  // until the operator unlinks it
  const [row] = await database.db<{ id: number }[]>`
    select member_id as id from member where account_id = ${accountId} and email = ${email}`
  await inTransaction(database.db, (tx) => makeMemberLink(tx, accountId, row?.id ?? 0, true))
  expect((await signIn()).status).toBe(200)
})

test('an identity is let go by the password, which ends all other sessions, and signs nobody in any more', async () => {
  const browser = await person(true)
  await link(browser)
  const there = await signIn()
  expect((await browser.post(`${LINK}/unlink`, { password: 'wrong' })).body.code).toBe('sign-in-failed')
  const unlinked = await browser.post(`${LINK}/unlink`, { password: PASSWORD })
  expect(unlinked.body.data.person.at_provider).toBe(false)
  expect([await isSignedIn(browser), await isSignedIn(there.browser)]).toEqual([true, false])
  expect(await endOf(there.browser)).toBe('elsewhere')
  expect((await signIn()).code).toBe('email-not-verified')
  await expect.poll(() => mailsTo(email, 'no longer signs in at the identity provider')).toBe(1)
  // and may be linked again
  expect((await link(browser)).status).toBe(200)
})
