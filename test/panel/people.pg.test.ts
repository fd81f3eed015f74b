import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { removeMember } from '../../src/people/members.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, openBench, type Bench, type TestAccount } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { hold, openNamed } from '../harness/interleave.ts'
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
  makeOwner,
} from './browser.ts'

// Members, invitations and password resets.

let database: TestDatabase
let bench: Bench
/** Without a mail server. */
let service: TestService
/** With one. */
let mailing: TestService
let sink: SmtpSink
let account: TestAccount
let owner: Browser
let ownerId: number
let email: string
let people = 0

beforeAll(async () => {
  database = await createDatabase()
  bench = openBench(database.db)
  sink = await startSmtpSink()
  const env = { SECRET_KEY: TEST_KEY, TRUSTED_PROXIES: '127.0.0.0/8' }
  service = await startTestService(database, { env })
  mailing = await startTestService(database, {
    env: { ...env, SMTP_URL: sink.url, PUBLIC_URL: 'https://panel.example.com' },
  })
})
beforeEach(async () => {
  account = await createAccount(bench, 'Acme')
  email = `owner${people++}@example.com`
  ;({ ownerId, owner } = await makeOwner(database.db, service.url, account.accountId, email, 'Olga'))
  sink.mails.length = 0
  sink.manner = 'take'
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await mailing[Symbol.asyncDispose]()
  await sink[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const of = (path: string, accountId = account.accountId) => `/panel/api/accounts/${accountId}${path}`
const newcomer = () => `new${people++}@example.com`
const invite = async (address: string, role = 'member', by = owner) => {
  const answer = await by.post(of('/invitations'), { email: address, role })
  expect([answer.status, answer.text]).toEqual([201, answer.text])
  return answer.body.data
}
const accept = (
  browser: Browser,
  token: string,
  body: object = { name: 'Nina', password: PASSWORD },
  sent = elsewhere(),
) => browser.post('/panel/api/links/accept-invitation', { token, ...body }, sent)
const read = (token: string) => openBrowser(service.url).post('/panel/api/links/read', { token }, elsewhere())
/** The session of a browser of one service, in the other one: over https its cookie has another name. */
const httpsCookie = (browser: Browser) => ({ Cookie: `__Host-shelfwire_session=${browser.cookie}` })

describe('an invitation', () => {
  test('makes a person and a member, once; its role is the member’s', async () => {
    const address = newcomer()
    const made = await invite(address, 'member')
    expect(made).toMatchObject({ email: address, role: 'member', mail: 'off', invited_by: 'Olga' })
    expect(made.link).toMatch(new RegExp(`^${service.url}/panel/link#swl_[\\w-]{43}$`))
    const token = tokenOf(made.link)
    expect((await read(token)).body.data).toMatchObject({
      kind: 'invitation',
      email: address,
      account_name: 'Acme',
      role: 'member',
      has_password: false,
    })
    const browser = openBrowser(service.url)
    const accepted = await accept(browser, token)
    expect(accepted.body.data).toMatchObject({
      state: 'signed-in',
      session: { person: { email: address, name: 'Nina' }, accounts: [{ id: account.accountId, role: 'member' }] },
    })
    expect(await isSignedIn(browser)).toBe(true)
    // the link is spent
    expect((await read(token)).body.code).toBe('link-ended')
    expect((await accept(openBrowser(service.url), token)).body.code).toBe('link-ended')
    const members = (await owner.get(of('/members'))).body.data
    expect(
      members.map((row: { email: string; role: string; is_you: boolean }) => [row.email, row.role, row.is_you]),
    ).toEqual([
      [email, 'owner', true],
      [address, 'member', false],
    ])
    expect((await owner.get(of('/invitations'))).body.data).toEqual([])
    expect((await openBrowser(service.url).signIn(address)).accounts).toHaveLength(1)
  })

  test('is mailed where there is a mail server, and then shown to nobody else', async () => {
    const address = newcomer()
    const csrf = owner.csrf!
    const headers = { ...httpsCookie(owner), 'X-CSRF-Token': csrf }
    const answer = await openBrowser(mailing.url).post(
      of('/invitations'),
      { email: address, role: 'owner' },
      { headers },
    )
    expect(answer.body.data).toMatchObject({ mail: 'sent', mail_error: null, link: null })
    expect(sink.mails.map(({ recipients }) => recipients)).toEqual([[address]])
    const { text = '', subject } = sink.mails[0]!.mail
    expect(subject).toBe('Invitation to Acme on Shelfwire')
    const token = /https:\/\/panel\.example\.com\/panel\/link#(swl_\S+)/.exec(text)?.[1] ?? ''
    expect(answer.text).not.toContain(token)
    expect((await accept(openBrowser(service.url), token)).status).toBe(200)
    // refused by the mail server: the owner is told, and may invite again; the link is still not shown
    sink.manner = 550
    const failed = await openBrowser(mailing.url).post(
      of('/invitations'),
      { email: newcomer(), role: 'member' },
      { headers },
    )
    expect(failed.body.data).toMatchObject({ mail: 'failed', link: null })
    expect(failed.body.data.mail_error).toContain('refused by the sink')
  })

  test('again to the same address ends the earlier one; it can be withdrawn', async () => {
    const address = newcomer()
    const first = tokenOf((await invite(address)).link)
    const second = await invite(address.toUpperCase())
    expect((await read(first)).body.code).toBe('link-ended')
    expect((await owner.get(of('/invitations'))).body.data).toHaveLength(1)
    expect((await owner.send('DELETE', of(`/invitations/${second.id}`))).status).toBe(204)
    expect((await accept(openBrowser(service.url), tokenOf(second.link))).body.code).toBe('link-ended')
    expect((await owner.send('DELETE', of(`/invitations/${second.id}`))).body.code).toBe('unknown-reference')
  })

  test('ends after seven days', async () => {
    const { id, link } = await invite(newcomer())
    await database.db`update one_time_link set expires_at = now() where link_id = ${id}`
    expect((await read(tokenOf(link))).body.code).toBe('link-ended')
    expect((await accept(openBrowser(service.url), tokenOf(link))).body.code).toBe('link-ended')
    expect((await owner.get(of('/invitations'))).body.data).toEqual([])
  })

  test('of somebody who has a password is accepted by signing in: the link alone changes nothing', async () => {
    const address = newcomer()
    const personId = await makePerson(database.db, address, 'Petra')
    const token = tokenOf((await invite(address, 'owner')).link)
    expect((await read(token)).body.data.has_password).toBe(true)
    const thief = openBrowser(service.url)
    expect((await accept(thief, token, { name: 'Thief', password: 'a password of a thief' })).body.code).toBe(
      'not-signed-in',
    )
    expect(
      (await thief.post('/panel/api/sign-in', { email: address, password: 'a password of a thief' }, elsewhere()))
        .status,
    ).toBe(401)
    // signed in as somebody else
    expect((await accept(owner, token, {})).body.code).toBe('not-signed-in')
    const petra = await signedIn(database.db, service.url, personId)
    expect((await accept(Object.assign(openBrowser(service.url), { cookie: petra.cookie }), token, {})).body.code).toBe(
      'csrf-refused',
    )
    const cookie = petra.cookie
    expect((await accept(petra, token, {})).body.data.session).toMatchObject({
      person: { name: 'Petra' },
      accounts: [{ role: 'owner' }],
    })
    expect(petra.cookie).toBe(cookie)
  })

  test('needs a name and a good password, and can be used again after a refusal', async () => {
    const token = tokenOf((await invite(newcomer())).link)
    for (const [body, name] of [
      [{}, 'name'],
      [{ name: 'Nina' }, 'password'],
      [{ name: 'Nina', password: 'short' }, 'password'],
      [{ name: ' ', password: PASSWORD }, 'name'],
    ] as const)
      expect((await accept(openBrowser(service.url), token, body)).body).toMatchObject({
        code: 'invalid-input',
        errors: expect.arrayContaining([expect.objectContaining({ name })]),
      })
    expect((await accept(openBrowser(service.url), token)).status).toBe(200)
  })

  test('used by two at the same time makes one person', async () => {
    const token = tokenOf((await invite(newcomer())).link)
    const answers = await Promise.all([1, 2, 3].map(() => accept(openBrowser(service.url), token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await owner.get(of('/members'))).body.data).toHaveLength(2)
  })

  test('makes the person of a member who was only mailed until then', async () => {
    const address = newcomer()
    await database.db`insert into member (account_id, email, role) values (${account.accountId}, ${address}, 'owner')`
    const [before] = (await owner.get(of('/members'))).body.data.slice(1)
    expect(before).toMatchObject({ email: address, name: null })
    await accept(openBrowser(service.url), tokenOf((await invite(address, 'member')).link))
    const [after] = (await owner.get(of('/members'))).body.data.slice(1)
    expect(after).toMatchObject({ id: before.id, name: 'Nina', role: 'member' })
    expect((await owner.post(of('/invitations'), { email: address, role: 'owner' })).body.code).toBe('conflict')
  })

  test('to what is no address, or beyond the members of an account, is refused', async () => {
    for (const address of ['', 'nobody', 'a@b@c', 'a@example.com,b@example.com'])
      expect((await owner.post(of('/invitations'), { email: address, role: 'member' })).body).toMatchObject({
        code: 'invalid-input',
        errors: [{ name: 'email' }],
      })
    expect((await owner.post(of('/invitations'), { email: newcomer(), role: 'king' })).body.code).toBe('invalid-input')
    await database.db`insert into member (account_id, email, role)
      select ${account.accountId}, 'm' || n || '@example.com', 'member' from generate_series(1, ${LIMITS.membersPerAccountMax - 1}) n`
    expect((await owner.post(of('/invitations'), { email: newcomer(), role: 'member' })).body.code).toBe('conflict')
  })
})

describe('a person in two accounts', () => {
  test('is in each what that account made of them, and loses one without the other', async () => {
    const other = await createAccount(bench, 'Other')
    const otherOwnerId = await makePerson(database.db, newcomer())
    await makeMember(database.db, other.accountId, otherOwnerId, `o${people}@example.com`, 'owner')
    const address = newcomer()
    const personId = await makePerson(database.db, address)
    const memberId = await makeMember(database.db, account.accountId, personId, address, 'member')
    await makeMember(database.db, other.accountId, personId, address, 'owner')
    const browser = await signedIn(database.db, service.url, personId)
    const { accounts } = (await browser.get('/panel/api/session')).body.data
    expect(accounts.map((row: { id: number; role: string }) => [row.id, row.role])).toEqual([
      [account.accountId, 'member'],
      [other.accountId, 'owner'],
    ])
    const token = { name: 'x', access: 'connector' }
    expect((await browser.post(of('/tokens'), token)).body.code).toBe('owner-required')
    expect((await browser.post(of('/tokens', other.accountId), token)).status).toBe(201)
    // each account's tokens are its own
    expect((await browser.get(of('/tokens'))).body.data).toEqual([])
    expect((await owner.send('DELETE', of(`/members/${memberId}`))).status).toBe(204)
    expect((await browser.get(of('/tokens'))).body.code).toBe('unknown-account')
    expect((await browser.get(of('/tokens', other.accountId))).status).toBe(200)
  })

  test('of no account any more still signs in, and sees none', async () => {
    const personId = await makePerson(database.db, newcomer())
    expect(
      (await (await signedIn(database.db, service.url, personId)).get('/panel/api/session')).body.data.accounts,
    ).toEqual([])
  })
})

describe('members', () => {
  const second = async (role: 'owner' | 'member') => {
    const address = newcomer()
    const personId = await makePerson(database.db, address)
    const memberId = await makeMember(database.db, account.accountId, personId, address, role)
    return { browser: await signedIn(database.db, service.url, personId), memberId }
  }
  const ownMemberId = async () =>
    (await owner.get(of('/members'))).body.data.find((row: { is_you: boolean }) => row.is_you).id as number

  test('may leave, and may not remove others or change roles', async () => {
    const { browser, memberId } = await second('member')
    const ownerMember = await ownMemberId()
    expect((await browser.send('DELETE', of(`/members/${ownerMember}`))).body.code).toBe('owner-required')
    expect((await browser.send('PATCH', of(`/members/${memberId}`), { body: { role: 'owner' } })).body.code).toBe(
      'owner-required',
    )
    expect((await browser.post(of('/invitations'), { email: newcomer(), role: 'owner' })).body.code).toBe(
      'owner-required',
    )
    expect((await browser.get(of('/audit'))).body.code).toBe('owner-required')
    expect((await browser.send('DELETE', of(`/members/${memberId}`))).status).toBe(204)
    expect((await browser.get(of('/members'))).body.code).toBe('unknown-account')
  })

  test('a role counts at the next request', async () => {
    const { browser, memberId } = await second('member')
    const token = { name: 'x', access: 'connector' }
    expect((await browser.post(of('/tokens'), token)).status).toBe(403)
    expect((await owner.send('PATCH', of(`/members/${memberId}`), { body: { role: 'owner' } })).body.data.role).toBe(
      'owner',
    )
    expect((await browser.post(of('/tokens'), token)).status).toBe(201)
    await owner.send('PATCH', of(`/members/${memberId}`), { body: { role: 'member' } })
    expect((await browser.post(of('/tokens'), token)).status).toBe(403)
  })

  test('a change on what somebody else has changed meanwhile is refused', async () => {
    const { memberId } = await second('member')
    const [, { revision }] = (await owner.get(of('/members'))).body.data
    const change = (role: string) =>
      owner.send('PATCH', of(`/members/${memberId}`), { body: { role }, headers: { 'If-Match': `"${revision}"` } })
    expect((await change('owner')).status).toBe(200)
    expect((await change('member')).body.code).toBe('precondition-failed')
  })

  test('the last owner who can sign in stays an owner', async () => {
    const memberId = await ownMemberId()
    await database.db`insert into member (account_id, email, role) values (${account.accountId}, ${newcomer()}, 'owner')`
    const { memberId: otherId } = await second('member')
    expect((await owner.send('DELETE', of(`/members/${memberId}`))).body.code).toBe('conflict')
    expect((await owner.send('PATCH', of(`/members/${memberId}`), { body: { role: 'member' } })).body.code).toBe(
      'conflict',
    )
    await owner.send('PATCH', of(`/members/${otherId}`), { body: { role: 'owner' } })
    expect((await owner.send('DELETE', of(`/members/${memberId}`))).status).toBe(204)
  })

  test('of two owners who remove each other at the same moment one stays', async () => {
    const { memberId: otherId } = await second('owner')
    const memberId = await ownMemberId()
    const remove = (of: number) => (tx: Parameters<typeof removeMember>[0]) =>
      removeMember(tx, account.accountId, of, () => {})
    await using one = openNamed(database)
    await using first = await hold(database.db, remove(otherId))
    const later = inTransaction(one.db, remove(memberId))
    expect(await one.fate(later)).toBe('blocked')
    await first.commit()
    await expect(later).rejects.toMatchObject({ code: 'conflict' })
    expect((await owner.get(of('/members'))).body.data).toHaveLength(1)
  })
})

describe('a password reset', () => {
  const request = (address: string, at: TestService = mailing) =>
    openBrowser(at.url).post('/panel/api/password-resets', { email: address }, elsewhere())
  const linkIn = (text = '') => /\/panel\/link#(swl_\S+)/.exec(text)?.[1] ?? ''
  const reset = (browser: Browser, token: string, password = 'another good one 9') =>
    browser.post('/panel/api/links/reset-password', { token, password }, elsewhere())
  /** The link of the mail to this owner: mails of other tests may still arrive. */
  const mailed = async (count = 1) => {
    const toOwner = () => sink.mails.filter(({ recipients }) => recipients.includes(email))
    await expect.poll(() => toOwner().length).toBe(count)
    return linkIn(toOwner().at(-1)!.mail.text)
  }

  test('by mail sets a new password once, ends every session, and signs in', async () => {
    expect((await request(email)).body.data).toEqual({ state: 'accepted' })
    const token = await mailed()
    expect((await read(token)).body.data).toMatchObject({
      kind: 'password-reset',
      email,
      has_password: true,
      account_name: null,
    })
    // what is no good password does not use the link up
    expect((await reset(openBrowser(service.url), token, 'short')).body.code).toBe('invalid-input')
    const browser = openBrowser(service.url)
    expect((await reset(browser, token)).body.data.state).toBe('signed-in')
    expect([await isSignedIn(browser), await isSignedIn(owner)]).toEqual([true, false])
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
    // and no more to one that nobody has
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

  test('does not get around codes', async () => {
    await database.db`update person set totp_secret = 'sealed' where person_id = ${ownerId}`
    await request(email)
    const browser = openBrowser(service.url)
    const answer = await reset(browser, await mailed())
    expect(answer.body.data).toMatchObject({ state: 'code-required' })
    expect([answer.headers.get('set-cookie'), await isSignedIn(browser)]).toEqual([null, false])
  })
})

describe('commands', () => {
  test('make the first owner of an account, who signs in by the printed link', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'shelfwire-people-'))
    const commands = openCommands(database.url, directory)
    const fresh = await createAccount(bench, 'Fresh')
    const of = ['--account', String(fresh.accountId)]
    const address = newcomer()
    const made = await commands.json(['member', 'create', ...of, '--email', address])
    const browser = openBrowser(service.url)
    const first = await accept(browser, tokenOf(made.link))
    expect(first.body.data.session.accounts).toMatchObject([{ id: fresh.accountId, role: 'owner' }])
    // a forgotten password, and a lost device
    await database.db`update person set totp_secret = 'sealed' where lower(email) = ${address}`
    const again = await commands.json(['member', 'link', ...of, '--member', String(made.member_id), '--remove-codes'])
    expect(again.kind).toBe('password-reset')
    expect(await isSignedIn(browser)).toBe(false)
    const reset = await openBrowser(service.url).post(
      '/panel/api/links/reset-password',
      { token: tokenOf(again.link), password: 'another good one 9' },
      elsewhere(),
    )
    expect(reset.body.data.state).toBe('signed-in')
    // who was never signed in gets another invitation, which ends the first; a deleted member's link is worth nothing
    const second = await commands.json(['member', 'create', ...of, '--email', newcomer(), '--role', 'member'])
    const other = await commands.json(['member', 'link', ...of, '--member', String(second.member_id)])
    expect(other.kind).toBe('invitation')
    expect((await read(tokenOf(second.link))).body.code).toBe('link-ended')
    await commands.json(['member', 'delete', ...of, '--member', String(second.member_id)])
    expect((await accept(openBrowser(service.url), tokenOf(other.link))).body.code).toBe('link-ended')
    expect(await commands.refusal(['member', 'link', ...of, '--member', '999999'])).toContain('no member 999999')
    await rm(directory, { recursive: true })
  })
})

test('links are stored as hashes only', async () => {
  const { link } = await invite(newcomer())
  const rows = await database.db<{ row: string }[]>`select l::text as row from one_time_link l`
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map(({ row }) => row).join()).not.toContain(tokenOf(link))
})
