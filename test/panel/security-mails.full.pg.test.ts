import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { openMailer } from '../../src/outbound/mailer.ts'
import { startLinkMails } from '../../src/people/mails/link-mails.ts'
import { openPeople } from '../../src/people/people.ts'
import { securityMailTake } from '../../src/people/mails/security-mails.sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { startSmtpSink } from '../harness/smtp-sink.ts'
import { makeMember, makePerson, PASSWORD, signedIn, type Browser } from './browser.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'

// Mails to people and owners about actions that a thief would take: stored in the action's transaction, and sent whatever happens afterwards.

const sink = ofFile(startSmtpSink)
const { database, service } = worldOfFile(() => ({ service: { env: { SECRET_KEY: TEST_KEY, SMTP_URL: sink.url } } }))
let accountId: number
let owner: Browser
let ownerId: number
let email: string
let other: string
let otherMember: number
let people = 0

beforeEach(async () => {
  ;({ accountId } = await createAccount(openBench(database.db), 'Acme'))
  email = `owner${people}@example.com`
  other = `other${people++}@example.com`
  ownerId = await makePerson(database.db, email)
  await makeMember(database.db, accountId, ownerId, email, 'owner')
  otherMember = await makeMember(database.db, accountId, await makePerson(database.db, other), other, 'owner')
  owner = await signedIn(database.db, service.url, ownerId)
  await database.db`delete from security_mail`
  sink.mails.length = 0
  sink.manner = 'take'
})

const of = (path: string) => `/panel/api/accounts/${accountId}${path}`
const kept = () => database.db<{ mailId: string; tries: number }[]>`
  select mail_id as "mailId", tries from security_mail`
const makeDue = () => database.db`update security_mail set due_at = now()`

/** Runs two loops until `isDone`, like two processes. */
async function whileMailing(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const mailer = openMailer({ smtpUrl: sink.url, from: 'x@localhost' })
  const { seal } = service.runtime
  const context = openPeople({ db: database.db, log: silentLog, seal, mailer, publicUrl: () => service.url })
  const loops = [startLinkMails(context, 20), startLinkMails(context, 20)]
  try {
    await expect.poll(isDone, { timeout: 5_000 }).toBe(true)
  } finally {
    await Promise.all(loops.map((loop) => loop.stop()))
    mailer.close()
  }
}

test(
  'a process that is killed after the act leaves the mail to the next one, which tells whoever was an owner then',
  { timeout: 60_000 },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'shelfwire-mails-'))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(directory, { recursive: true, force: true }))
    const commands = openCommands(database, directory)
    const child = commands.start(['serve', '--roles', 'api'], {
      SECRET_KEY: TEST_KEY,
      SMTP_URL: sink.url,
      PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'info',
      SHELFWIRE_KILL_AT: 'security-mail:before-send',
    })
    const ended = once(child, 'exit')
    let printed = ''
    for (const stream of [child.stderr, child.stdout])
      stream.on('data', (bytes: Buffer) => (printed += bytes.toString()))
    const url = () => /"url":"(http[^"]+)"/.exec(printed)?.[1]
    await until('it has started', async () => url() !== undefined, 30_000)
    const thief = await signedIn(database.db, url()!, ownerId)
    // the answer may be lost with the process
    await thief.post(of('/tokens'), { name: 'mine', access: 'full' }).catch(() => undefined)
    expect((await ended)[1]).toBe('SIGKILL')
    expect(sink.mails).toEqual([])
    // meanwhile the other owner is removed
    await database.db`delete from member where account_id = ${accountId} and member_id = ${otherMember}`
    await makeDue()
    await whileMailing(async () => (await kept()).length === 0)
    expect(sink.mails.map(({ recipients }) => recipients.toSorted())).toEqual([[email, other].toSorted()])
    expect(sink.mails[0]!.mail.text).toContain(`${email} has created a token with full access in your account.`)
  },
)

test('an act that is not done tells nobody', async () => {
  expect((await owner.post(of('/tokens'), { name: '', access: 'full' })).body.code).toBe('invalid-input')
  expect((await owner.send('DELETE', '/panel/api/passkeys/1')).status).toBe(404)
  expect(await kept()).toHaveLength(0)
})

test('one that the mail server refuses for now is sent again under the same Message-ID, and one that it refuses for good is given up', async () => {
  sink.manner = 451
  const changed = await owner.post('/panel/api/password', { current: PASSWORD, password: 'a better one 12' })
  expect(changed.status).toBe(200)
  await until('the first try', async () => sink.mails.length === 1)
  sink.manner = 'take'
  await until('the try is recorded', async () => (await kept())[0]?.tries === 1)
  await makeDue()
  await whileMailing(async () => (await kept()).length === 0)
  const [first, second, ...more] = sink.mails.map(({ mail }) => mail)
  expect([second!.messageId, more]).toEqual([first!.messageId, []])
  expect(second!.text).toContain(`${email} has a new password.`)

  sink.manner = 550
  expect((await owner.post(of('/tokens'), { name: 'shop', access: 'full' })).status).toBe(201)
  await until('it is given up', async () => sink.mails.length === 3 && (await kept()).length === 0)
})

test('it is tried for almost a day, and then given up', async () => {
  sink.manner = 451
  await owner.post(of('/tokens'), { name: 'shop', access: 'full' })
  const triesMax = LIMITS.securityMailRetrySeconds.length
  for (let tries = 1; tries < triesMax; tries++) {
    await until(`try ${tries}`, async () => sink.mails.length === tries)
    await makeDue()
    await whileMailing(() => sink.mails.length > tries)
  }
  await until('it is given up', async () => (await kept()).length === 0)
  expect(sink.mails).toHaveLength(triesMax)
})

test('of two processes one takes a try', async () => {
  sink.manner = 451
  await owner.post(of('/tokens'), { name: 'shop', access: 'full' })
  await until('the first try', async () => (await kept())[0]?.tries === 1)
  await makeDue()
  const [entry] = await kept()
  const take = () => inTransaction(database.db, (tx) => securityMailTake(tx, entry!))
  const taken = await Promise.all([take(), take(), take()])
  expect(taken.filter((row) => row !== undefined)).toHaveLength(1)
})
