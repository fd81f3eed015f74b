import { beforeEach, describe, expect, test } from 'vitest'
import { createAccount, openBench } from '../harness/account.ts'
import { isCluster } from '../harness/database.ts'
import { hold } from '../harness/interleave.ts'
import { startSmtpSink } from '../harness/smtp-sink.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { makeInvitation, makeMemberLink } from '../../src/people/links.ts'
import { setOwner } from '../../src/people/owner.ts'
import { passwordHash } from '../../src/people/sign-in/passwords.ts'
import { personByEmail, personLock } from '../../src/people/persons.sql.ts'
import { openAuthenticator } from './authenticator.ts'
import { openAtProvider, SIGN_IN_AT_PROVIDER } from './at-provider.ts'
import { elsewhere, isSignedIn, makeOwner, openBrowser, PASSWORD, type Browser } from './browser.ts'

// The person to whom the first sign-in at a provider is linked. Credentials of that person whose owner is not proven end.

const { database } = worldOfFile()
const sink = ofFile(startSmtpSink)
const at = ofFile(() => openAtProvider(database, { SMTP_URL: sink.url, OUTBOUND_ALLOW: '127.0.0.0/8' }, 'localhost'))
let accountId: number
let owner: Browser
let email: string
let people = 0

beforeEach(async () => {
  ;({ accountId } = await createAccount(openBench(database.db), `Nordlicht ${people}`))
  ;({ owner } = await makeOwner(database.db, at.service.url, accountId, `mallory${people}@example.com`))
  become(`anna${people++}@example.com`)
  sink.mails.length = 0
})
/** Makes the next sign-in at the provider one with this address. */
function become(address: string): void {
  email = address
  at.become(email)
}

const INVITATIONS = () => `/panel/api/accounts/${accountId}/invitations`

/** The token of the link that was mailed to the address. */
async function mailed(): Promise<string> {
  const token = () =>
    sink.mails
      .filter(({ recipients }) => recipients.includes(email))
      .map(({ mail }) => /\/panel\/link#(swl_\S+)/.exec(mail.text ?? '')?.[1])
      .find((found) => found !== undefined)
  await expect.poll(token).toBeDefined()
  return token() ?? ''
}
const shown = async (role: 'owner' | 'member' = 'member') =>
  (await inTransaction(database.db, (tx) => makeInvitation(tx, accountId, { email, role, createdBy: null }))).token

/** Signs up by an invitation, with PASSWORD. */
async function accept(token: string, browser = openBrowser(at.service.url)): Promise<Browser> {
  const answer = await browser.post(
    '/panel/api/links/accept-invitation',
    { token, name: 'Anna', password: PASSWORD },
    elsewhere(),
  )
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return browser
}

async function signIn(browser = openBrowser(at.service.url)) {
  const { body, status } = await browser.post(SIGN_IN_AT_PROVIDER, await at.comeBack(browser), elsewhere())
  return { browser, body, status }
}

const signsInBy = async (password: string) =>
  (await openBrowser(at.service.url).post('/panel/api/sign-in', { email, password }, elsewhere())).status === 200
/** Signs in at the provider. @returns whether the password still works afterwards */
async function keepsPassword(password = PASSWORD): Promise<boolean> {
  const { body } = await signIn()
  expect(body.data.state).toBe('signed-in')
  const keeps = await signsInBy(password)
  expect(body.data.took_over ?? false).toBe(!keeps)
  return keeps
}

describe('the first sign-in at a provider ends every other way in, and says so', () => {
  test('to a person who has signed up by a link that was shown, also where mails are sent by now', async () => {
    // somebody who saw the link has used it
    const squatter = await accept(await shown('owner'), openBrowser(at.origin))
    const from = { headers: { Origin: at.origin, Host: new URL(at.origin).host } }
    const authenticator = openAuthenticator()
    const { ticket, options } = (await squatter.post('/panel/api/passkeys/options', { password: PASSWORD }, from)).body
      .data
    const response = authenticator.register(options, at.origin)
    expect((await squatter.post('/panel/api/passkeys', { ticket, name: 'Mine', response }, from)).status).toBe(201)
    const token = await squatter.post(`/panel/api/accounts/${accountId}/tokens`, { name: 'Kept', access: 'connector' })
    expect(token.status).toBe(201)
    await database.db`update token set created_at = now() - interval '200 days' where created_by is not null and name = 'Kept'`
    // another account, of which the person was not a member
    const { accountId: otherId } = await createAccount(openBench(database.db), 'Other')
    await inTransaction(database.db, (tx) => makeInvitation(tx, otherId, { email, role: 'member', createdBy: null }))

    const { browser, body } = await signIn()
    expect(body.data).toMatchObject({ state: 'signed-in', took_over: true, session: { person: { passkeys: 0 } } })
    expect(body.data.session.accounts.map(({ id }: { id: number }) => id)).toEqual([accountId, otherId])
    expect([await isSignedIn(squatter), await signsInBy(PASSWORD)]).toEqual([false, false])
    const begun = await openBrowser(at.origin).post('/panel/api/sign-in/passkey/options', undefined, elsewhere())
    const passkey = authenticator.authenticate(begun.body.data.options, at.origin)
    expect(
      (
        await openBrowser(at.origin).post(
          '/panel/api/sign-in/passkey',
          { ticket: begun.body.data.ticket, response: passkey },
          { headers: { ...elsewhere().headers, ...from.headers } },
        )
      ).body.code,
    ).toBe('sign-in-failed')
    // existing tokens and links still work, and are named in the profile, in the audit trail and in mails
    expect((await browser.get('/panel/api/person/made')).body.data).toMatchObject([
      { kind: 'token', name: 'Kept', may_be_of_others: true },
    ])
    const events = (await browser.get('/panel/api/person/events')).body.data
    expect(events.map(({ kind }: { kind: string }) => kind)).toContain('provider-took-over')
    expect(
      await database.db`select 1 from audit_entry where account_id = ${accountId} and action = 'takeOverByProvider'`,
    ).toHaveLength(1)
    const told = () => sink.mails.filter(({ mail }) => mail.text?.includes('tokens: 1') === true)
    await expect.poll(() => told().flatMap(({ recipients }) => recipients)).toContain(email)
    // only once: credentials that the person sets up now are her own
    expect((await signIn()).body.data.took_over).toBeUndefined()
  })

  test.each<[string, () => Promise<void>]>([
    ['by the operator', () => setOwner(database.db, accountId, { email, name: 'Anna', password: PASSWORD })],
    [
      'by the operator, over one that a mailed link had set',
      async () => {
        await inviteByMail()
        await setOwner(database.db, accountId, { email, name: 'Anna', password: PASSWORD })
      },
    ],
    [
      'by a link of the operator, over one that a mailed link had set',
      async () => {
        await inviteByMail()
        const [row] = await database.db<{ id: number }[]>`
          select member_id as id from member where account_id = ${accountId} and email = ${email}`
        const { token } = await inTransaction(database.db, (tx) => makeMemberLink(tx, accountId, row?.id ?? 0, false))
        expect(
          (
            await openBrowser(at.service.url).post(
              '/panel/api/links/reset-password',
              { token, password: PASSWORD },
              elsewhere(),
            )
          ).status,
        ).toBe(200)
      },
    ],
  ])('to a person whose password was set %s', async (_how, set) => {
    await set()
    expect(await keepsPassword()).toBe(false)
  })

  test('to a person who was given the address by a link that somebody else has opened', async () => {
    const earlier = email
    const squatter = await inviteByMail()
    become(`boss${people}@example.com`)
    await squatter.post('/panel/api/email', { email, password: PASSWORD })
    const token = await mailed()
    const answer = await openBrowser(at.service.url).post('/panel/api/links/confirm-email', { token }, elsewhere())
    expect(answer.body.data).toEqual({ email })
    expect(earlier).not.toBe(email)
    expect(await keepsPassword()).toBe(false)
  })

  test('to a person whom an earlier release has linked without asking, once', async () => {
    await accept(await shown())
    expect((await signIn()).body.data.took_over).toBe(true)
    // as left by that earlier release
    const stored = await passwordHash(PASSWORD)
    await database.db`update person set password_hash = ${stored}, email_proven_at = null where email = ${email}`
    await database.db`update person_identity set is_checked = false where email = ${email}`
    const answers = await Promise.all([signIn(), signIn()])
    expect(answers.map(({ body }) => body.data.took_over ?? false).sort()).toEqual([false, true])
    expect(await signsInBy(PASSWORD)).toBe(false)
    // a password that the operator gives afterwards stays
    await setOwner(database.db, accountId, { email, name: 'Anna', password: PASSWORD })
    expect(await keepsPassword()).toBe(true)
  })

  test('again, when the operator has let the identity go: the next one may be of somebody else', async () => {
    await inviteByMail()
    expect(await keepsPassword()).toBe(true)
    const [row] = await database.db<{ id: number }[]>`
      select member_id as id from member where account_id = ${accountId} and email = ${email}`
    await inTransaction(database.db, (tx) => makeMemberLink(tx, accountId, row?.id ?? 0, true))
    at.provider.people.set('a successor', { email, email_verified: true })
    at.provider.signsIn = 'a successor'
    expect(await keepsPassword()).toBe(false)
  })
})

/** Invites by mail, and accepts the invitation. */
async function inviteByMail(): Promise<Browser> {
  const answer = await owner.post(INVITATIONS(), { email, role: 'owner' })
  expect(answer.body.data).toMatchObject({ mail: 'sent', link: null })
  return accept(await mailed())
}

describe('the first sign-in at a provider leaves the password, and the person is told,', () => {
  test('where a mailed invitation has set it', async () => {
    await inviteByMail()
    expect(await keepsPassword()).toBe(true)
    const told = () =>
      sink.mails.find(
        ({ recipients, mail: { text } }) =>
          recipients.includes(email) && text?.includes('signs in at the identity provider from now on.'),
      )
    await expect.poll(told).toBeDefined()
    expect(
      await database.db`select 1 from audit_entry where account_id = ${accountId} and action = 'linkProvider'`,
    ).toHaveLength(1)
  })

  test('where a mailed link has set it anew', async () => {
    await accept(await shown())
    await openBrowser(at.service.url).post('/panel/api/password-resets', { email }, elsewhere())
    const token = await mailed()
    const password = 'a newer password 7'
    await openBrowser(at.service.url).post('/panel/api/links/reset-password', { token, password }, elsewhere())
    expect(await keepsPassword(password)).toBe(true)
  })

  test('where the person has confirmed another address in a session', async () => {
    const browser = await inviteByMail()
    become(`anna.new${people}@example.com`)
    await browser.post('/panel/api/email', { email, password: PASSWORD })
    const token = await mailed()
    expect((await browser.post('/panel/api/links/confirm-email', { token }, elsewhere())).status).toBe(200)
    expect(await keepsPassword()).toBe(true)
  })
})

describe('at the same moment as the first sign-in', () => {
  test('a mailed link sets a password: it stays', async () => {
    await accept(await shown())
    await openBrowser(at.service.url).post('/panel/api/password-resets', { email }, elsewhere())
    const token = await mailed()
    const personId = (await personByEmail(database.db, email))?.personId ?? 0
    await using held = await hold(database.db, (tx) => personLock(tx, personId))
    const password = 'a newer password 8'
    const reset = openBrowser(at.service.url).post('/panel/api/links/reset-password', { token, password }, elsewhere())
    await expect.poll(() => database.isBlocked()).toBe(true)
    const linked = signIn()
    await held.commit()
    const [{ status }, { body }] = await Promise.all([reset, linked])
    // whichever comes first: a password that was set before is kept, and a link that comes second has ended
    expect([status === 200, body.data.took_over ?? false]).toEqual([await signsInBy(password), status !== 200])
  })

  // skipped on a cluster, which locks a whole reference table, so that the session also waits for the lock on the person
  test.skipIf(isCluster())('somebody who was signed in asks for another address: no link is made', async () => {
    const squatter = await accept(await shown())
    const personId = (await personByEmail(database.db, email))?.personId ?? 0
    await using held = await hold(database.db, (tx) => personLock(tx, personId))
    expect(
      (await squatter.post('/panel/api/email', { email: `evil${people}@example.com`, password: PASSWORD })).status,
    ).toBe(202)
    await expect.poll(() => database.isBlocked()).toBe(true)
    // as the take-over does, under the same lock
    await database.db`delete from session where person_id = ${personId}`
    await held.commit()
    // which is mailed after it
    const asked = () => sink.mails.some(({ mail: { subject } }) => subject?.includes('is to change') === true)
    await expect.poll(asked).toBe(true)
    expect(await database.db`select 1 from one_time_link where person_id = ${personId}`).toEqual([])
  })

  test('the same identity signs in twice: one links, and one finds it', async () => {
    await accept(await shown())
    const answers = await Promise.all([signIn(), signIn()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.filter(({ body }) => body.data.took_over === true)).toHaveLength(1)
  })
})

test('an invitation to an account that is being erased keeps nobody out', async () => {
  const { accountId: erased } = await createAccount(openBench(database.db), 'Erased')
  await inTransaction(database.db, (tx) => makeInvitation(tx, erased, { email, role: 'member', createdBy: null }))
  await inTransaction(database.db, (tx) => makeInvitation(tx, accountId, { email, role: 'member', createdBy: null }))
  // the state of an erasure just before it deletes the account row
  await database.db`delete from account_inputs where account_id = ${erased}`
  const { body } = await signIn()
  expect(body.data.session.accounts.map(({ id }: { id: number }) => id)).toEqual([accountId])
})
