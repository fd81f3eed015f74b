import { describe, expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { inTransaction } from '../../src/db/sql.ts'
import { passkeyInsert } from '../../src/people/sign-in/passkeys.sql.ts'
import { totpContext } from '../../src/people/sign-in/sign-in.ts'
import { newTotp } from '../../src/people/sign-in/totp.ts'
import { openSeal } from '../../src/platform/secrets/seal.ts'
import { type TestAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { type TestService } from '../harness/service.ts'
import {
  makeMember,
  makePerson,
  openBrowser,
  PASSWORD,
  type Browser,
  elsewhere,
  tokenOf,
  isSignedIn,
  endOf,
} from './browser.ts'
import { peopleOfFile } from './people-bench.ts'

// Password resets by a mailed link.

let account: TestAccount
let owner: Browser
let ownerId: number
let email: string
const { database, service, mailing, sink, of, newcomer, invite, accept, read } = peopleOfFile(
  (ground) => ({ account, owner, ownerId, email } = ground),
)

describe('a password reset', () => {
  const request = (address: string, at: TestService = mailing) =>
    openBrowser(at.url).post('/panel/api/password-resets', { email: address }, elsewhere())
  const linkIn = (text = '') => /\/panel\/link#(swl_\S+)/.exec(text)?.[1] ?? ''
  const reset = (browser: Browser, token: string, password = 'another good one 9') =>
    browser.post('/panel/api/links/reset-password', { token, password }, elsewhere())
  /** The link of the mail to this owner: mails of other tests may still arrive. */
  const toOwner = () => sink.mails.filter(({ recipients }) => recipients.includes(email))
  const mailed = async (count = 1) => {
    await expect.poll(() => toOwner().length).toBe(count)
    return linkIn(toOwner().at(-1)!.mail.text)
  }

  test('by mail sets a new password once, ends every session, and signs in', async () => {
    expect((await request(email)).body.data).toEqual({ state: 'accepted' })
    const token = await mailed()
    expect((await read(token)).body.data).toMatchObject({
      kind: 'password-reset',
      email,
      account_name: null,
    })
    // an invalid password does not use the link up
    expect((await reset(openBrowser(service.url), token, 'short')).body.code).toBe('invalid-input')
    const browser = openBrowser(service.url)
    expect((await reset(browser, token)).body.data.state).toBe('signed-in')
    expect([await isSignedIn(browser), await isSignedIn(owner)]).toEqual([true, false])
    expect([await endOf(browser), await endOf(owner)]).toEqual([null, 'password-reset'])
    expect((await reset(openBrowser(service.url), token)).body.code).toBe('link-ended')
    expect(
      (await openBrowser(service.url).post('/panel/api/sign-in', { email, password: PASSWORD }, elsewhere())).status,
    ).toBe(401)
  })

  test('of an unknown address is answered alike, and mails nobody', async () => {
    const address = newcomer()
    const [unknown, known] = [await request(address), await request(email)]
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
    await mailed()
    await mailing.runtime.db`select 1 as settled`
    expect(sink.mails.filter(({ recipients }) => recipients.includes(address))).toEqual([])
  })

  test('sends one address no more than three mails', async () => {
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push((await request(email)).status)
    expect(statuses).toEqual([202, 202, 202, 429])
    // an unknown address has the same limit
    const address = newcomer()
    for (let i = 0; i < 3; i++) await request(address)
    expect((await request(address)).status).toBe(429)
  })

  test('ends within the hour, with a newer password, and when another link was used', async () => {
    await request(email)
    const token = await mailed()
    await request(email)
    const second = await mailed(2)
    await database.db`update one_time_link set expires_at = now() where person_id = ${ownerId} and link_id = (select max(link_id) from one_time_link)`
    expect((await reset(openBrowser(service.url), second)).body.code).toBe('link-ended')
    await owner.post('/panel/api/password', { current: PASSWORD, password: 'a newer password 3' })
    expect((await reset(openBrowser(service.url), token)).body.code).toBe('link-ended')
  })

  test('used twice at the same time works once', async () => {
    await request(email)
    const token = await mailed()
    const answers = await Promise.all(
      [1, 2, 3].map((n) => reset(openBrowser(service.url), token, `another good one ${n}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410])
  })

  test('a link of one kind does nothing of the other, and neither is a session', async () => {
    await request(email)
    const token = await mailed()
    expect((await accept(openBrowser(service.url), token)).body.code).toBe('link-ended')
    const invitation = tokenOf((await invite(newcomer())).link)
    expect((await reset(openBrowser(service.url), invitation)).body.code).toBe('link-ended')
    const thief = Object.assign(openBrowser(service.url), { cookie: token })
    expect(await isSignedIn(thief)).toBe(false)
    expect((await reset(openBrowser(service.url), token)).status).toBe(200)
  })

  test('without a mail server is accepted and does nothing; the page can say so', async () => {
    expect((await openBrowser(service.url).get('/panel/api/sign-in')).body.data.sends_mail).toBe(false)
    expect((await openBrowser(mailing.url).get('/panel/api/sign-in')).body.data.sends_mail).toBe(true)
    expect((await request(email, service)).status).toBe(202)
    const rows = await database.db`select 1 as link from one_time_link where person_id = ${ownerId}`
    expect(rows).toHaveLength(0)
  })

  test('removes the passkeys that are not kept, forgets known browsers, and says so to the person and to other owners', async () => {
    const other = newcomer()
    await makeMember(database.db, account.accountId, await makePerson(database.db, other), other, 'owner')
    const insert = (name: string) =>
      inTransaction(database.db, (tx) =>
        passkeyInsert(tx, {
          personId: ownerId,
          credentialId: randomUUID(),
          publicKey: Buffer.from([1]),
          counter: 0,
          transports: [],
          name,
        }),
      )
    const [mine, theirs] = [await insert('Laptop'), await insert('Of a squatter evil.example')]
    const squatter = openBrowser(service.url)
    await squatter.post('/panel/api/sign-in', { email, password: PASSWORD }, elsewhere())
    await request(email)
    const token = await mailed()
    const { factors } = (await read(token)).body.data
    expect([factors.has_codes, factors.passkeys.map(({ name }: { name: string }) => name)]).toEqual([
      false,
      ['Laptop', 'Of a squatter evil.example'],
    ])
    const browser = openBrowser(mailing.url)
    const body = { token, password: 'another good one 9', keep_passkeys: [mine.passkeyId] }
    const answer = await browser.post('/panel/api/links/reset-password', body, elsewhere())
    expect(answer.body.data.session.person.passkeys).toBe(1)
    // over https its cookie has another name
    const headers = { Cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! }
    expect((await browser.get('/panel/api/passkeys', { headers })).body.data).toMatchObject([{ id: mine.passkeyId }])
    const events = (await browser.get('/panel/api/person/events', { headers })).body.data.map(
      (row: { kind: string }) => row.kind,
    )
    expect(events).toEqual(expect.arrayContaining(['password-reset', 'passkey-removed']))
    expect((await browser.get(of('/audit'), { headers })).body.data[0]).toMatchObject({ action: 'resetPassword' })
    const told = () => sink.mails.filter(({ mail }) => mail.subject === 'Security of your Shelfwire account')
    await expect.poll(() => told().length).toBe(1)
    expect(told()[0]!.recipients.toSorted()).toEqual([email, other].toSorted())
    const { text = '' } = told()[0]!.mail
    expect(text).toContain(`${email} has a new password, set by a link that was mailed.`)
    expect(text).toContain('Of a squatter evil. example')
    expect(text).not.toContain('Laptop')
    expect(theirs.passkeyId).toBeGreaterThan(0)
    const [row] = await database.db<{ devices: number }[]>`
      select count(*)::int as devices from known_device where person_id = ${ownerId}`
    // the one that has just signed in
    expect(row!.devices).toBe(1)
  })

  test('without the codes ends them after a day, unless somebody signs in with one before', async () => {
    const seal = openSeal([TEST_KEY])
    const { secret } = newTotp(email)
    await database.db`update person set totp_secret = ${seal.close(secret, totpContext(ownerId))} where person_id = ${ownerId}`
    const codeOf = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
    const password = 'another good one 9'
    const signIn = async () =>
      (await openBrowser(service.url).post('/panel/api/sign-in', { email, password }, elsewhere())).body.data
    const resetWithout = async (count: number) => {
      await request(email)
      const body = { token: await mailed(count), password, keep_codes: false }
      return (await openBrowser(mailing.url).post('/panel/api/links/reset-password', body, elsewhere())).body.data.state
    }
    expect(await resetWithout(1)).toBe('code-required')
    const { ticket } = await signIn()
    const answer = await openBrowser(service.url).post(
      '/panel/api/sign-in/code',
      { ticket, code: codeOf(-1) },
      elsewhere(),
    )
    expect(answer.body.data.state).toBe('signed-in')
    const later = () =>
      database.db`update person set totp_ends_at = now() - interval '1 second' where person_id = ${ownerId} and totp_ends_at is not null`
    await later()
    expect((await signIn()).state).toBe('code-required')
    // one mail to the owner told of the reset
    await expect.poll(() => toOwner().length).toBe(2)
    expect(toOwner()[1]!.mail.text).toContain('stop working in 24 hours')
    expect(await resetWithout(3)).toBe('code-required')
    expect((await signIn()).state).toBe('code-required')
    await later()
    expect((await signIn()).session.person).toMatchObject({ has_totp: false, recovery_codes_left: 0 })
  })

  test('does not get around codes', async () => {
    await database.db`update person set totp_secret = 'sealed' where person_id = ${ownerId}`
    await request(email)
    const browser = openBrowser(service.url)
    const answer = await reset(browser, await mailed())
    expect(answer.body.data).toMatchObject({ state: 'code-required' })
    expect([answer.headers.get('set-cookie'), await isSignedIn(browser)]).toEqual([null, false])
  })
})
