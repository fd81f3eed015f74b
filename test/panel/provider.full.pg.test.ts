import { createHmac } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAccount, openBench } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { type IdentityProvider } from '../harness/identity-provider.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { startSmtpSink } from '../harness/smtp-sink.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { makeInvitation, makeMemberLink } from '../../src/people/links.ts'
import { emailProvenUpdate } from '../../src/people/persons.sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { openAtProvider, SIGN_IN_AT_PROVIDER } from './at-provider.ts'
import { elsewhere, makeMember, makePerson, openBrowser, PASSWORD, signedIn, type Browser } from './browser.ts'

// Signing in at an OpenID provider that runs here: oidc-provider, over HTTP. For false claims its answer is rewritten and signed with its own key.

const { database } = worldOfFile()
const sink = ofFile(startSmtpSink)
const at = ofFile(() => openAtProvider(database, { SMTP_URL: sink.url, OUTBOUND_ALLOW: '127.0.0.0/8' }))
let mute: TestService
let accountId: number
let email: string
let people = 0

const BEGIN = `${SIGN_IN_AT_PROVIDER}/begin`
const FINISH = SIGN_IN_AT_PROVIDER

beforeAll(async () => {
  // a second process behind the same PUBLIC_URL, without mail and with strict settings
  mute = await startTestService(database, {
    env: {
      ...at.env,
      LOCAL_SIGN_IN: 'off',
      OIDC_EMAIL_DOMAINS: 'example.com',
      OIDC_SECOND_FACTOR: 'always',
      OIDC_NEW_PEOPLE: 'any',
      OIDC_ISSUER: `${at.provider.issuer}/`,
    },
  })
}, 60_000)
beforeEach(async () => {
  ;({ accountId } = await createAccount(openBench(database.db), `Nordlicht ${people}`))
  email = `anna${people++}@example.com`
  at.become(email)
})
afterAll(() => mute[Symbol.asyncDispose]())

const comeBack = (browser: Browser, again = false, from = elsewhere()) => at.comeBack(browser, { again, from })

async function signIn(browser = openBrowser(at.service.url)) {
  const { body, status } = await browser.post(FINISH, await comeBack(browser), elsewhere())
  return { browser, status, body, code: body.code ?? body.data?.state }
}

const invite = (of = accountId, to = email, role: 'owner' | 'member' = 'member') =>
  inTransaction(database.db, (tx) => makeInvitation(tx, of, { email: to, role, createdBy: null }))
const member = async () => {
  const personId = await makePerson(database.db, email, 'Anna')
  // the password is proven to be hers, because a mailed link has set it
  await inTransaction(database.db, (tx) => emailProvenUpdate(tx, personId, true))
  await makeMember(database.db, accountId, personId, email, 'owner')
  return personId
}
const identities = async () => (await database.db`select 1 from person_identity where email = ${email}`).length

describe('signing in at a provider', () => {
  test('takes an invited person in, who joins by it, and again by issuer and subject whatever the address has become', async () => {
    await invite()
    const { browser, body } = await signIn()
    expect(body.data).toMatchObject({
      state: 'signed-in',
      session: { person: { email, name: 'Anna Berg' }, accounts: [{ id: accountId, role: 'member' }] },
    })
    const audit = await database.db<
      { action: string }[]
    >`select action from audit_entry where account_id = ${accountId}`
    expect(audit.map(({ action }) => action)).toContain('acceptInvitation')
    const events = await browser.get('/panel/api/person/events')
    expect(events.body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['signed-in', 'provider-linked'])
    // a new address there, which is not verified: it is the same person
    at.provider.people.set(email, { email: 'boss@example.com', email_verified: false })
    expect((await signIn()).body.data.session.person).toMatchObject({ email, id: body.data.session.person.id })
  })

  test('asks for the codes that the person has set up here', async () => {
    const personId = await member()
    const sealed = at.service.runtime.seal.close('JBSWY3DPEHPK3PXP', `totp ${personId}`)
    await database.db`update person set totp_secret = ${sealed} where person_id = ${personId}`
    expect((await signIn()).body.data).toMatchObject({ state: 'code-required' })
  })

  test('counts as a second factor where the provider says so, or the operator', async () => {
    await invite()
    await database.db`update account set requires_second_factor = true where account_id = ${accountId}`
    const needs = async (service: TestService = at.service) =>
      (await signIn(openBrowser(service.url))).body.data.session.accounts[0].needs_second_factor
    expect(await needs()).toBe(true)
    at.provider.amr = ['pwd', 'mfa']
    expect(await needs()).toBe(false)
    at.provider.amr = ['pwd']
    expect(await needs(mute)).toBe(false)
  })

  test('lets people do what outlives a session only shortly after the provider has asked them, which `again` makes it do', async () => {
    await invite(accountId, email, 'owner')
    at.provider.tamper = ({ claims }) =>
      void (claims['auth_time'] = Math.floor(Date.now() / 1_000) - LIMITS.reauthenticatedMinutes * 60 - 5)
    const { browser } = await signIn()
    const change = () => browser.post(`/panel/api/accounts/${accountId}/tokens`, { name: 'T', access: 'connector' })
    expect((await change()).body.code).toBe('confirmation-required')
    at.provider.tamper = null
    const begun = await browser.post(BEGIN, { again: true }, elsewhere())
    expect(new URL(begun.body.data.url).searchParams.get('prompt')).toBe('login')
    expect((await browser.post(FINISH, await comeBack(browser, true), elsewhere())).status).toBe(200)
    expect((await change()).body.code).not.toBe('confirmation-required')
  })

  test.each(['at once', 'by a code afterwards'])(
    'confirms nothing where the provider does not say when it has asked the person, %s',
    async (how) => {
      const personId = await member()
      const sealed = at.service.runtime.seal.close('JBSWY3DPEHPK3PXP', `totp ${personId}`)
      if (how !== 'at once') await database.db`update person set totp_secret = ${sealed} where person_id = ${personId}`
      const confirms = async () => {
        const { browser, body } = await signIn()
        if (body.data.state === 'code-required') {
          await database.db`update person set totp_step = 0 where person_id = ${personId}`
          const code = new TOTP({ secret: Secret.fromBase32('JBSWY3DPEHPK3PXP') }).generate()
          const { ticket } = body.data
          expect((await browser.post('/panel/api/sign-in/code', { ticket, code }, elsewhere())).status).toBe(200)
        }
        const change = { name: 'T', access: 'connector' }
        const answer = await browser.post(`/panel/api/accounts/${accountId}/tokens`, change)
        return answer.body.code !== 'confirmation-required'
      }
      expect(await confirms()).toBe(true)
      at.provider.tamper = ({ claims }) => void delete claims['auth_time']
      expect(await confirms()).toBe(false)
    },
  )

  test('has the provider say when it has asked the person, also whom it does not ask again', async () => {
    const begun = await openBrowser(at.service.url).post(BEGIN, { again: false }, elsewhere())
    expect(new URL(begun.body.data.url).searchParams.get('max_age')).toBe('31536000')
  })

  test('knows people by the spelling of the issuer that the provider has, also where OIDC_ISSUER has a slash more', async () => {
    const personId = await member()
    for (const { url } of [at.service, mute])
      expect((await signIn(openBrowser(url))).body.data.session.person.id).toBe(personId)
    expect(await identities()).toBe(1)
  })

  test('is behind PUBLIC_URL: the provider sends browsers there, whatever name they used', async () => {
    const { url } = (await openBrowser(mute.url).post(BEGIN, { again: false }, elsewhere())).body.data
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(at.redirectUri)
    expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256')
  })

  test('asks the provider what it is, and for its keys, once', async () => {
    await invite()
    await signIn()
    at.provider.asked = []
    await signIn()
    expect(at.provider.asked).toEqual(['/token'])
  })

  test('keeps nobody waiting for an answer that another sign-in waits for', async () => {
    await invite()
    const { promise, resolve } = Promise.withResolvers<void>()
    at.provider.asked = []
    at.provider.waitsFor = promise
    const slow = signIn()
    await expect.poll(() => at.provider.asked.at(-1)).toBe('/token')
    at.provider.waitsFor = null
    expect((await signIn()).status).toBe(200)
    resolve()
    expect((await slow).status).toBe(200)
  })
})

describe('refused is', () => {
  const refused = async (code: string, browser?: Browser) => {
    const answer = await signIn(browser)
    expect([answer.code, answer.browser.cookie]).toEqual([code, null])
  }

  test('who was not invited, unless anybody may come', async () => {
    await refused('person-not-invited')
    expect(await identities()).toBe(0)
    expect((await signIn(openBrowser(mute.url))).body.data.session.accounts).toEqual([])
  })

  test.each([false, undefined, 'true', 1])(
    'an address that is not verified (%j), which links nobody',
    async (verified) => {
      await member()
      at.provider.people.set(email, { email, ...(verified === undefined ? {} : { email_verified: verified }) })
      await refused('email-not-verified')
      expect(await identities()).toBe(0)
    },
  )

  test('an address of another domain, also of somebody who is linked', async () => {
    await invite()
    await signIn()
    at.provider.people.set(email, { email: `${email}.evil.example`, email_verified: true })
    await refused('email-domain-refused', openBrowser(mute.url))
  })

  test('another identity with the same address, until the operator lets the first one go', async () => {
    const personId = await member()
    await signIn()
    at.provider.signsIn = 'another subject'
    at.provider.people.set('another subject', { email, email_verified: true })
    await refused('identity-differs')
    const [row] = await database.db<{ id: number }[]>`select member_id as id from member where person_id = ${personId}`
    await inTransaction(database.db, (tx) => makeMemberLink(tx, accountId, row?.id ?? 0, true))
    expect((await signIn()).body.data.session.person.id).toBe(personId)
  })

  test('who gives up at the provider', async () => {
    at.provider.signsIn = null
    await refused('provider-refused')
  })

  const hmac = (text: string) =>
    createHmac('sha256', 'a secret of the client, 32 letters').update(text).digest('base64url')
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  test.each<[string, NonNullable<IdentityProvider['tamper']>]>([
    ['of another sign-in', ({ claims }) => void (claims['nonce'] = 'another')],
    ['without nonce', ({ claims }) => void delete claims['nonce']],
    ['for another client', ({ claims }) => void (claims['aud'] = 'another')],
    [
      'for others as well, handed to another',
      ({ claims }) => void Object.assign(claims, { aud: ['shelfwire', 'another'], azp: 'another' }),
    ],
    ['of another provider', ({ claims }) => void (claims['iss'] = 'https://another.example')],
    ['that has expired', ({ claims }) => void Object.assign(claims, { iat: 1_700_000_000, exp: 1_700_000_300 })],
    ['without signature', ({ header, claims }) => `${part({ ...header, alg: 'none' })}.${part(claims)}.`],
    [
      'that the client secret signs',
      ({ header, claims }) => {
        const text = `${part({ ...header, alg: 'HS256' })}.${part(claims)}`
        return `${text}.${hmac(text)}`
      },
    ],
    [
      'whose claims were changed after signing',
      ({ header, claims }) => {
        const [head = '', , signature = ''] = at.provider.sign({ header, claims }).split('.')
        return `${head}.${part({ ...claims, sub: 'another' })}.${signature}`
      },
    ],
    ['of a key that nobody knows', ({ header }) => void (header['kid'] = 'k2')],
  ])('an id_token %s', async (_what, tamper) => {
    await invite()
    at.provider.tamper = tamper
    await refused('provider-refused')
    expect(await identities()).toBe(0)
    at.provider.tamper = null
    expect((await signIn()).status).toBe(200)
  })

  test('an answer in another browser, or to what another one has asked', async () => {
    await invite()
    const [victim, attacker] = [openBrowser(at.service.url), openBrowser(at.service.url)]
    const own = await comeBack(attacker)
    const begun = await victim.post(BEGIN, { again: false }, elsewhere())
    // the attacker's answer, opened in the browser of the victim
    const answer = await victim.post(FINISH, { ticket: begun.body.data.ticket, answer: own.answer }, elsewhere())
    expect(answer.body.code).toBe('provider-refused')
    // with the state of the victim, the code was still given for another challenge
    const again = await victim.post(BEGIN, { again: false }, elsewhere())
    const state = new URL(again.body.data.url).searchParams.get('state') ?? ''
    const parameters = new URLSearchParams(own.answer)
    parameters.set('state', state)
    const injected = await victim.post(
      FINISH,
      { ticket: again.body.data.ticket, answer: String(parameters) },
      elsewhere(),
    )
    expect([injected.body.code, victim.cookie]).toEqual(['provider-refused', null])
  })

  test('an answer for the second time, with the same ticket and with another one', async () => {
    await invite()
    const browser = openBrowser(at.service.url)
    const given = await comeBack(browser)
    expect((await browser.post(FINISH, given, elsewhere())).status).toBe(200)
    const thief = openBrowser(at.service.url)
    expect((await thief.post(FINISH, given, elsewhere())).body.code).toBe('provider-refused')
    expect(thief.cookie).toBeNull()
  })

  test('an answer that names another provider (RFC 9207)', async () => {
    const browser = openBrowser(at.service.url)
    const { ticket, answer } = await comeBack(browser)
    const parameters = new URLSearchParams(answer)
    parameters.set('iss', 'https://another.example')
    expect((await browser.post(FINISH, { ticket, answer: String(parameters) }, elsewhere())).body.code).toBe(
      'provider-refused',
    )
  })

  test('what comes too late', async () => {
    const browser = openBrowser(at.service.url)
    const given = await comeBack(browser)
    await database.db`update sign_in_step set expires_at = now() where kind = 'provider-sign-in'`
    expect((await browser.post(FINISH, given, elsewhere())).body.code).toBe('provider-refused')
  })

  test('what another site sends', async () => {
    const { body } = await openBrowser(at.service.url).post(
      BEGIN,
      { again: false },
      { headers: { 'Sec-Fetch-Site': 'cross-site' } },
    )
    expect(body.code).toBe('csrf-refused')
  })

  test('everybody, while the provider does not answer, with what to do', async () => {
    await using down = await startTestService(database, {
      env: { ...at.provider.settings(at.service.url), SECRET_KEY: TEST_KEY },
    })
    at.provider.isDown = true
    try {
      const answer = await openBrowser(down.url).post(BEGIN, { again: false })
      expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
        503,
        'provider-unavailable',
        '10',
      ])
    } finally {
      at.provider.isDown = false
    }
    for (const endpoint of [undefined, 'javascript:alert(1)', 'ftp://127.0.0.1/']) {
      at.provider.tamperDescription = (description) => void (description['authorization_endpoint'] = endpoint)
      const answer = await openBrowser(down.url).post(BEGIN, { again: false })
      expect([answer.status, answer.body.code]).toEqual([503, 'provider-unavailable'])
    }
    at.provider.tamperDescription = null
    // the provider's configuration is requested again
    expect((await openBrowser(down.url).post(BEGIN, { again: false })).status).toBe(200)
  })

  test('an address that tries too often, which counts a sign-in once, and keeps nobody out whose browser is known', async () => {
    await invite()
    const known = (await signIn()).browser
    const from = elsewhere()
    for (let i = 1; i < LIMITS.signInsPerAddressAtOnce; i++)
      expect((await openBrowser(at.service.url).post(BEGIN, { again: false }, from)).status).toBe(200)
    const last = openBrowser(at.service.url)
    expect((await last.post(FINISH, await comeBack(last, false, from), from)).status).toBe(200)
    expect((await openBrowser(at.service.url).post(BEGIN, { again: false }, from)).status).toBe(429)
    expect((await openBrowser(at.service.url).post(FINISH, { ticket: 'swt_1', answer: '' }, from)).status).toBe(429)
    expect((await known.post(FINISH, await comeBack(known, false, from), from)).status).toBe(200)
  })
})

describe('people of the provider, who may have no password,', () => {
  const setUp = async (browser: Browser) => {
    const begun = await browser.post('/panel/api/totp', {})
    if (begun.status !== 200) return begun
    const code = new TOTP({ secret: Secret.fromBase32(begun.body.data.secret) }).generate()
    return browser.send('PUT', '/panel/api/totp', { body: { code } })
  }
  const askedLongAgo = () =>
    database.db`update session set reauthenticated_at = now() - interval '1 day' from person p where p.person_id = session.person_id and p.email = ${email}`

  test.each(['on', 'off'])(
    'set codes up, renew and remove them, having confirmed that it is them (LOCAL_SIGN_IN=%s)',
    async (local) => {
      const { url } = local === 'on' ? at.service : mute
      await invite()
      await database.db`update account set requires_second_factor = true where account_id = ${accountId}`
      const { browser, body } = await signIn(openBrowser(url))
      expect(body.data.session.person).toMatchObject({ has_totp: false, at_provider: true })
      await askedLongAgo()
      expect((await setUp(browser)).body.code).toBe('confirmation-required')
      expect((await browser.post(FINISH, await comeBack(browser, true), elsewhere())).status).toBe(200)
      const { data } = (await setUp(browser)).body
      expect(data.session).toMatchObject({ person: { has_totp: true }, accounts: [{ needs_second_factor: false }] })
      expect((await browser.post('/panel/api/totp/recovery-codes', {})).body.data.recovery_codes).toHaveLength(10)
      const passkey = await browser.post('/panel/api/passkeys/options', {}, { headers: { Origin: at.service.url } })
      expect([passkey.status, passkey.body.code]).toEqual(
        local === 'on' ? [200, undefined] : [403, 'local-sign-in-off'],
      )
      await askedLongAgo()
      for (const path of ['/panel/api/totp/recovery-codes', '/panel/api/totp/remove'])
        expect((await browser.post(path, {})).body.code).toBe('confirmation-required')
    },
  )

  test('and nobody else: a session alone does not change how somebody with a password signs in', async () => {
    const personId = await member()
    const browser = await signedIn(database.db, at.service.url, personId)
    const answer = await browser.post('/panel/api/totp', {})
    expect(answer.body).toMatchObject({ code: 'invalid-input', errors: [{ name: 'password' }] })
  })
})

describe('LOCAL_SIGN_IN=off', () => {
  test('refuses passwords and passkeys also to confirm that it is the same person, and to change how one signs in', async () => {
    const personId = await member()
    const browser = await signedIn(database.db, mute.url, personId)
    for (const [path, body] of [
      ['/panel/api/session/confirm', { password: PASSWORD }],
      ['/panel/api/session/confirm/passkey/options', undefined],
      ['/panel/api/session/confirm/passkey', { ticket: 'swt_1', response: {} }],
      ['/panel/api/totp', { password: PASSWORD }],
      ['/panel/api/passkeys/options', { password: PASSWORD }],
      ['/panel/api/password', { current: PASSWORD, password: 'a newer password 3' }],
      ['/panel/api/email', { email: `other-${email}`, password: PASSWORD }],
    ] as const)
      expect([path, (await browser.post(path, body)).body.code]).toEqual([path, 'local-sign-in-off'])
  })

  test('refuses passwords, passkeys, resets and invitations by password, and says so on the sign-in page', async () => {
    await member()
    const { token } = await invite(accountId, `new-${email}`)
    const browser = openBrowser(mute.url)
    for (const [path, body] of [
      ['/panel/api/sign-in', { email, password: PASSWORD }],
      ['/panel/api/sign-in/passkey/options', undefined],
      ['/panel/api/sign-in/passkey', { ticket: 'swt_1', response: {} }],
      ['/panel/api/password-resets', { email }],
      ['/panel/api/links/reset-password', { token, password: PASSWORD }],
      ['/panel/api/links/accept-invitation', { token, name: 'N', password: PASSWORD }],
    ] as const)
      expect([path, (await browser.post(path, body, elsewhere())).body.code]).toEqual([path, 'local-sign-in-off'])
    expect((await browser.get('/panel/api/sign-in')).body.data).toMatchObject({
      local: false,
      provider: { label: 'Acme Login' },
    })
  })
})
