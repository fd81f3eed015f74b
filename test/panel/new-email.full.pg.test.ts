import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { openMailer } from '../../src/outbound/mailer.ts'
import { mailTake } from '../../src/people/mails/link-mails.sql.ts'
import { startLinkMails } from '../../src/people/mails/link-mails.ts'
import { openPeople } from '../../src/people/people.ts'
import { newSecret, secretHash } from '../../src/people/secrets.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createAccount, openBench, type TestAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startTestService } from '../harness/service.ts'
import { startSmtpSink } from '../harness/smtp-sink.ts'
import { makeMember, makePerson, openBrowser, PASSWORD, type Browser, elsewhere, makeOwner } from './browser.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'

// Changing the e-mail address, and mails with links that cannot be delivered.

const sink = ofFile(startSmtpSink)
const { database, service } = worldOfFile(() => ({
  service: {
    env: { SECRET_KEY: TEST_KEY, TRUSTED_PROXIES: '127.0.0.0/8', SMTP_URL: sink.url },
  },
}))
let account: TestAccount
let owner: Browser
let ownerId: number
let email: string
let people = 0

beforeEach(async () => {
  account = await createAccount(openBench(database.db), 'Acme')
  email = `owner${people++}@example.com`
  ;({ ownerId, owner } = await makeOwner(database.db, service.url, account.accountId, email, 'Olga'))
  sink.mails.length = 0
  sink.manner = 'take'
})

const newAddress = () => `new${people++}@example.com`
const ask = (address: string, password = PASSWORD, by = owner) =>
  by.post('/panel/api/email', { email: address, password }, elsewhere())
const confirm = (token: string) =>
  openBrowser(service.url).post('/panel/api/links/confirm-email', { token }, elsewhere())
const read = (token: string) => openBrowser(service.url).post('/panel/api/links/read', { token }, elsewhere())
const signIn = (address: string) =>
  openBrowser(service.url).post('/panel/api/sign-in', { email: address, password: PASSWORD }, elsewhere())
const mailsTo = (address: string) => sink.mails.filter(({ recipients }) => recipients.includes(address))
async function tokenTo(address: string, count = 1): Promise<string> {
  await expect.poll(() => mailsTo(address).length, { timeout: 5_000 }).toBe(count)
  return /\/panel\/link#(swl_\S+)/.exec(mailsTo(address).at(-1)?.mail.text ?? '')?.[1] ?? ''
}
const of = (path: string) => `/panel/api/accounts/${account.accountId}${path}`

describe('a new e-mail address', () => {
  test('counts once its link was opened, in every account; the old one is told before and after', async () => {
    const other = await createAccount(openBench(database.db), 'Other')
    await makeMember(database.db, other.accountId, ownerId, email, 'member')
    const address = newAddress()
    expect((await ask(address)).body.data).toEqual({ state: 'accepted' })
    const token = await tokenTo(address)
    // the button has the same link as the text
    const { html = '', text = '' } = mailsTo(address)[0]!.mail
    expect(text.split('\n')).toContain(/href="([^"]*)"/.exec(html)?.[1])
    expect((await read(token)).body.data).toMatchObject({ kind: 'email-change', email: address, account_name: null })
    await expect.poll(() => mailsTo(email).length).toBe(1)
    expect(mailsTo(email)[0]!.mail.text).toContain(address)
    expect(mailsTo(email)[0]!.mail.text).not.toContain('swl_')
    expect([(await signIn(email)).status, (await signIn(address)).status]).toEqual([200, 401])
    expect((await confirm(token)).body.data).toEqual({ email: address })
    expect((await confirm(token)).body.code).toBe('link-ended')
    expect([(await signIn(email)).status, (await signIn(address)).status]).toEqual([401, 200])
    expect((await owner.get('/panel/api/session')).body.data.person.email).toBe(address)
    await expect.poll(() => mailsTo(email).length).toBe(2)
    // notices go to the new address as well
    const rows = await database.db<{ email: string }[]>`select email from member where person_id = ${ownerId}`
    expect(rows.map((row) => row.email)).toEqual([address, address])
    expect((await owner.get(of('/audit'))).body.data[0]).toMatchObject({ action: 'confirmEmail' })
    expect((await owner.get('/panel/api/person/events')).body.data.map((row: { kind: string }) => row.kind)).toEqual(
      expect.arrayContaining(['email-asked', 'email-changed']),
    )
  })

  test('needs the password, and an address that is one and is another', async () => {
    expect((await ask(newAddress(), 'wrong password')).body.code).toBe('sign-in-failed')
    for (const address of ['', 'x', email, email.toUpperCase()])
      expect((await ask(address)).body.code).toBe('invalid-input')
    expect(sink.mails).toEqual([])
  })

  test('that somebody has is answered alike, and not mailed to', async () => {
    const known = newAddress()
    await makePerson(database.db, known)
    const free = newAddress()
    const [one, two] = [await ask(known), await ask(free)]
    expect([one.status, one.text]).toEqual([two.status, two.text])
    await tokenTo(free)
    expect(mailsTo(known)).toEqual([])
  })

  test('that somebody else took meanwhile is refused, and nothing changes', async () => {
    const address = newAddress()
    await ask(address)
    const token = await tokenTo(address)
    await makePerson(database.db, address.toUpperCase())
    expect((await confirm(token)).body.code).toBe('conflict')
    expect((await signIn(email)).status).toBe(200)
  })

  test('is not confirmed after a newer request, a new password, or with a link of another kind; its link sets no password', async () => {
    const [first, second] = [newAddress(), newAddress()]
    await ask(first)
    const token = await tokenTo(first)
    await ask(second)
    const newer = await tokenTo(second)
    expect((await confirm(token)).body.code).toBe('link-ended')
    const body = { token: newer, password: 'another good one 9' }
    const post = (path: string) => openBrowser(service.url).post(path, body, elsewhere())
    expect((await post('/panel/api/links/reset-password')).body.code).toBe('link-ended')
    await owner.post('/panel/api/password', { current: PASSWORD, password: 'another good one 9' })
    expect((await confirm(newer)).body.code).toBe('link-ended')
    const { data } = (await owner.post(of('/invitations'), { email: newAddress(), role: 'member' })).body
    expect((await confirm(await tokenTo(data.email))).body.code).toBe('link-ended')
  })

  test('confirmed twice at the same time counts once', async () => {
    const address = newAddress()
    await ask(address)
    const token = await tokenTo(address)
    const answers = await Promise.all([confirm(token), confirm(token), confirm(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410])
  })

  test('cannot be requested if no mail server is set', async () => {
    await using quiet = await startTestService(database, { env: { SECRET_KEY: TEST_KEY } })
    const browser = Object.assign(openBrowser(quiet.url), { cookie: owner.cookie, csrf: owner.csrf })
    expect((await ask(newAddress(), PASSWORD, browser)).body.code).toBe('conflict')
  })
})

describe('the mail of a link', () => {
  const due = () => database.db`update one_time_link set mail_due_at = now() where mail_due_at is not null`
  /** Runs two loops until `isDone`, like two processes. */
  async function whileMailing(isDone: () => boolean | Promise<boolean>): Promise<void> {
    const mailer = openMailer({ smtpUrl: sink.url, from: 'x@example.com' })
    const context = openPeople({
      db: database.db,
      log: silentLog,
      seal: service.runtime.seal,
      mailer,
      publicUrl: () => service.url,
    })
    const loops = [startLinkMails(context, 20), startLinkMails(context, 20)]
    try {
      await expect.poll(isDone, { timeout: 5_000 }).toBe(true)
    } finally {
      await Promise.all(loops.map((loop) => loop.stop()))
      mailer.close()
    }
  }

  test('that failed is sent again, once, with a link that works; what failed is shown until then', async () => {
    sink.manner = 451
    const address = newAddress()
    const made = (await owner.post(of('/invitations'), { email: address, role: 'member' })).body.data
    expect(made).toMatchObject({ mail: 'waiting', link: null })
    expect(made.mail_error).toContain('451')
    const first = await tokenTo(address)
    const listed = async () => (await owner.get(of('/invitations'))).body.data[0]
    expect(await listed()).toMatchObject({ mail_again_at: expect.any(String) })
    sink.manner = 'take'
    await due()
    await whileMailing(() => mailsTo(address).length > 1)
    expect(await listed()).toMatchObject({ email: address, mail_error: null, mail_again_at: null })
    const token = await tokenTo(address, 2)
    expect(token).not.toBe(first)
    expect(mailsTo(address)[1]!.mail.text).toContain('Olga invites you to the account "Acme"')
    expect((await read(first)).body.code).toBe('link-ended')
    expect((await read(token)).body.data).toMatchObject({ kind: 'invitation', email: address })
  })

  test('whose process ended before it was sent is sent', async () => {
    const address = newAddress()
    // as left by a process that was killed after its commit
    await database.db`
      insert into one_time_link (kind, token_hash, email, person_id, expires_at, mail_due_at)
      values ('password-reset', ${secretHash(newSecret('link'))}, ${address}, ${ownerId}, now() + interval '1 hour', now())`
    await whileMailing(() => mailsTo(address).length === 1)
    expect((await read(await tokenTo(address))).body.data.kind).toBe('password-reset')
  })

  test('is tried a few times, at growing intervals, and not when it was refused for good or the link has ended', async () => {
    const address = newAddress()
    sink.manner = 550
    expect((await owner.post(of('/invitations'), { email: address, role: 'member' })).body.data).toMatchObject({
      mail: 'failed',
      mail_again_at: null,
    })
    sink.manner = 451
    const other = newAddress()
    await owner.post(of('/invitations'), { email: other, role: 'member' })
    for (let tries = 1; tries <= LIMITS.linkMailRetrySeconds.length; tries++) {
      await due()
      await whileMailing(() => mailsTo(other).length === tries + 1)
    }
    const row = (await owner.get(of('/invitations'))).body.data.at(-1)
    expect(row).toMatchObject({ email: other, mail_again_at: null })
    expect(row.mail_error).toContain('451')
    expect(mailsTo(address)).toHaveLength(1)
    // an expired link
    const [link] = await database.db<{ id: number }[]>`
      insert into one_time_link (kind, token_hash, email, person_id, expires_at, mail_due_at)
      values ('password-reset', ${secretHash(newSecret('link'))}, ${address}, ${ownerId}, now(), now()) returning link_id as id`
    const entry = { linkId: link!.id, tries: 0 }
    expect(
      await inTransaction(database.db, (tx) => mailTake(tx, entry, secretHash(newSecret('link')), 60)),
    ).toBeUndefined()
  })

  test('of two processes one takes a try', async () => {
    const [link] = await database.db<{ id: number }[]>`
      insert into one_time_link (kind, token_hash, email, person_id, expires_at, mail_due_at)
      values ('password-reset', ${secretHash(newSecret('link'))}, ${email}, ${ownerId}, now() + interval '1 hour', now())
      returning link_id as id`
    const entry = { linkId: link!.id, tries: 0 }
    const take = () => inTransaction(database.db, (tx) => mailTake(tx, entry, secretHash(newSecret('link')), 60))
    const taken = await Promise.all([take(), take(), take()])
    expect(taken.filter((row) => row !== undefined)).toHaveLength(1)
  })

  test('keeps its token in no table', async () => {
    sink.manner = 451
    const address = newAddress()
    await owner.post(of('/invitations'), { email: address, role: 'member' })
    const token = await tokenTo(address)
    const rows = await database.db<{ row: string }[]>`select l::text as row from one_time_link l`
    expect(rows.map(({ row }) => row).join()).not.toContain(token)
  })
})
