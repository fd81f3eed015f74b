import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NoticeFacts, NoticeKindsAbout } from '../../contract/notice-kinds.ts'
import { createMember } from '../../src/accounts/members.ts'
import { withMigrationLock } from '../../src/db/migrations/migrate.ts'
import { statementsOfScript } from '../../src/db/migrations/sql-script.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openMailer, type Mailer, type MailMessage } from '../../src/outbound/mailer.ts'
import { sendNotices, startNotices } from '../../src/notices/channels/mail/send.ts'
import { deliveryClaim, deliveryFailed, deliverySent, noticesSpread } from '../../src/notices/deliveries.sql.ts'
import { noticesList, type NoticeRow } from '../../src/notices/notices.sql.ts'
import { writeNotices } from '../../src/notices/write-notice.sql.ts'
import { createAccount, openBench, type TestAccount } from '../harness/account.ts'
import { createDatabase } from '../harness/database.ts'
import { hold, until } from '../harness/interleave.ts'
import { startSmtpSink, type SmtpSink } from '../harness/smtp-sink.ts'
import { worldOfFile } from '../harness/world.ts'

// Notices to owners by e-mail, through a real SMTP server; time is moved in the database.

const { database, bench } = worldOfFile({ connectionsMax: 20 })

let sink: SmtpSink
let account: TestAccount
let endpointId: number
beforeEach(async () => {
  await database.db`delete from notice`
  sink = await startSmtpSink()
  account = await createAccount(bench)
  endpointId = await insertEndpoint(account)
})
afterEach(() => sink[Symbol.asyncDispose]())

async function insertEndpoint({ accountId }: TestAccount): Promise<number> {
  const [row] = await database.db<{ id: number }[]>`
    insert into endpoint (account_id, url, kinds, secret) values (${accountId}, 'https://shop.example/hook', '{price}', 'sealed') returning endpoint_id as id`
  return row?.id ?? 0
}

const FROM = 'Shelfwire <no-reply@shelf.example>'
const mailerTo = (url: string) => openMailer({ smtpUrl: url, from: FROM })
const send = (mailer: Mailer | null = mailerTo(sink.url)) => sendNotices(database.db, mailer, silentLog)
const join = (email: string, role = 'owner', of = account) =>
  inTransaction(database.db, (tx) => createMember(tx, of.accountId, { email, role }))
const FACTS: NoticeFacts<'failing'> = {
  url: 'https://bücher.example/zamówienia?key=hush',
  failures: 5,
  last: '503',
  paused_until: null,
  pending_since: '2026-11-20T10:00:00.000Z',
}
const tell = (kind: NoticeKindsAbout<'endpoint'> = 'failing', over: Partial<NoticeFacts<'failing'>> = {}) =>
  inTransaction(database.db, (tx) =>
    writeNotices(tx, account.accountId, [{ endpointId, kind, facts: { ...FACTS, ...over } }]),
  )
/** Creates the deliveries of notices, as the loop does first. */
const spread = () => inTransaction(database.db, (tx) => noticesSpread(tx, account.accountId))
const notices = () => noticesList(database.db, account.accountId, { limit: 100 })
const makeDue = () => database.db`update notice_delivery set next_at = now() where next_at is not null`
/** Seconds from the database's now to the next try. */
async function nextTry(): Promise<number> {
  const [row] = await database.db<{ seconds: number }[]>`
    select extract(epoch from next_at - now())::float8 as seconds from notice_delivery where account_id = ${account.accountId}`
  return row?.seconds ?? Number.NaN
}

describe('recipients and content of a notice', () => {
  test("an owner gets one mail, without the URL's query", async () => {
    await join('anna@example.com')
    await tell('paused', { failures: 10, paused_until: '2026-11-21T11:30:00.000Z' })
    await send()
    const [notice] = await notices()
    expect(notice).toMatchObject({ mail: 'sent', mailNextAt: null, mailError: null, mailTries: 1 })
    expect(sink.mails).toHaveLength(1)
    const { recipients, mail, raw } = sink.mails[0]!
    expect(recipients).toEqual(['anna@example.com'])
    expect(mail.from).toMatchObject({ name: 'Shelfwire', address: 'no-reply@shelf.example' })
    expect(mail.to?.map((to) => to.address)).toEqual(['anna@example.com'])
    expect(mail.messageId).toBe(`<notice-${account.accountId}-${notice!.noticeId}@shelf.example>`)
    expect(Math.abs(Date.parse(mail.date!) - notice!.createdAt.getTime())).toBeLessThan(1_000)
    expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
    expect(mail.html).toContain(`resume --account ${account.accountId} --endpoint ${endpointId}</pre>`)
    expect(mail.subject).toBe('Deliveries to https://xn--bcher-kva.example/zam%C3%B3wienia are paused')
    for (const words of [
      '10 deliveries in a row have failed',
      'until 2026-11-21 11:30 UTC',
      'status 503',
      'Nothing is lost',
      'since 2026-11-20 10:00 UTC',
      `endpoint resume --account ${account.accountId} --endpoint ${endpointId}`,
    ]) {
      expect(mail.text).toContain(words)
    }
    expect(raw).not.toContain('hush')
    await makeDue()
    await send()
    expect(sink.mails).toHaveLength(1)
  })

  test('several owners get one mail and do not see each other; members and owners of other accounts get none', async () => {
    const other = await createAccount(bench)
    await join('anna@example.com')
    await join('bert@example.com')
    await join('carl@example.com', 'member')
    await join('dora@example.com', 'owner', other)
    await tell()
    await send()
    expect(sink.mails.map(({ recipients }) => recipients.sort())).toEqual([['anna@example.com', 'bert@example.com']])
    expect(sink.mails[0]!.raw).not.toMatch(/anna|bert|carl|dora/)
    expect(sink.mails[0]!.raw).toMatch(/^To: "?undisclosed-recipients"?:;\r$/m)
  })

  test.for([
    [
      'en',
      'A file of the source stock of the supplier north was held back',
      /^Reason: +the file would set 79 of 80 offers in stock to 0, more than half: look whether it is complete; a file of changes alone is imported as delta; nothing was written\. Confirm it if that is intended$/m,
    ],
    [
      'de-CH',
      'Eine Datei der Quelle stock des Lieferanten north wurde zurückgehalten',
      /^Grund: +die Datei würde 79 von 80 lieferbaren Angeboten auf 0 setzen, mehr als 50 %\. Prüfen Sie, ob sie vollständig ist; /m,
    ],
    [
      'pl',
      'Plik ze źródła stock dostawcy north został wstrzymany',
      /^Powód: +plik nadałby 79 z 80 dostępnych ofert stan 0, więcej niż 50 %\. Sprawdź, czy jest pełny; /m,
    ],
  ] as const)('a notice and its reason are in the language of the account: %s', async ([locale, subject, reason]) => {
    await join('anna@example.com')
    await database.db`update account set locale = ${locale} where account_id = ${account.accountId}`
    const facts = {
      source_id: 1,
      source: 'stock',
      supplier: 'north',
      run_id: 12,
      state: 'held',
      failure:
        'the file would set 79 of 80 offers in stock to 0, more than half: look whether it is complete; a file of changes alone is imported as delta; nothing was written. Confirm it if that is intended',
      failed_since: '2026-11-20T10:00:30.000Z',
    }
    await inTransaction(database.db, (tx) =>
      writeNotices(tx, account.accountId, [{ endpointId: null, kind: 'source_held', facts }]),
    )
    await send()
    expect(sink.mails.map(({ mail }) => mail.subject)).toEqual([subject])
    expect(sink.mails[0]!.mail.text).toMatch(reason)
  })

  test('the others get the mail when one recipient is refused, and that is recorded', async () => {
    await join('anna@example.com')
    await join('gone@example.com')
    sink.refused.set('gone@example.com', 550)
    await tell()
    await send()
    expect(sink.mails.map(({ recipients }) => recipients)).toEqual([['anna@example.com']])
    const [notice] = await notices()
    expect(notice?.mail).toBe('sent')
    expect(notice?.mailError).toMatch(/^not accepted for gone@example\.com: .*550/)
  })

  test('subject and body arrive in UTF-8, and neither can add a header', async () => {
    const message: MailMessage = {
      to: ['żółw@example.com'],
      subject: 'Łódź «ü» 🛒\r\nBcc: eve@example.com',
      text: 'Zażółć\n.\nBcc: eve@example.com\n🛒\n',
      link: null,
      language: 'en',
      messageId: '<a@b>\r\nBcc: eve@example.com',
      date: new Date(),
    }
    expect(await mailerTo(sink.url).send(message)).toBe('sent')
    const { recipients, mail } = sink.mails[0]!
    expect(recipients).toEqual(['żółw@example.com'])
    expect(mail.subject).toBe('Łódź «ü» 🛒 Bcc: eve@example.com')
    expect(mail.text?.trimEnd()).toBe(message.text.trimEnd())
    // the same text again
    expect(mail.html).toMatch(
      /<h1 [^>]*>Łódź «ü» 🛒 Bcc: eve@example\.com<\/h1>\s*<p [^>]*>Zażółć \. Bcc: eve@example\.com 🛒<\/p>/,
    )
    expect(mail.bcc).toBeUndefined()
    expect(mail.headers.map((header) => header.key)).not.toContain('bcc')
  })

  test('a line break in the facts adds no header', async () => {
    await join('anna@example.com')
    await tell('failing', { url: 'no URL\r\nBcc: eve@example.com', last: '503\r\nBcc: eve@example.com' })
    await send()
    expect(sink.mails.map(({ recipients }) => recipients)).toEqual([['anna@example.com']])
    expect(sink.mails[0]!.raw).not.toMatch(/^bcc:/im)
  })
})

describe('each is mailed once', () => {
  test('by two loops that race for 20 notices of two accounts', async () => {
    const first = account
    const firstEndpoint = endpointId
    for (const of of [first, await createAccount(bench)]) {
      account = of
      endpointId = of === first ? firstEndpoint : await insertEndpoint(of)
      await join(`owner-${of.accountId}@example.com`)
      for (let i = 0; i < 10; i++) await tell('failing', { failures: 5 + i })
    }
    sink.delayMs = 10
    const loops = [1, 2].map(() => startNotices(database.db, mailerTo(sink.url), silentLog, { idleMs: 5 }))
    await until(
      '20 notices are sent',
      async () => (await database.db`select from notice_delivery where state = 'sent'`).length === 20,
    )
    await Promise.all(loops.map((loop) => loop.stop()))
    expect(sink.mails).toHaveLength(20)
    expect(new Set(sink.mails.map(({ mail }) => mail.messageId)).size).toBe(20)
    expect(
      new Set(sink.mails.map(({ recipients, mail }) => `${recipients.join()} ${mail.messageId?.split('-')[1]}`)).size,
    ).toBe(2)
    expect((await database.db`select from notice_delivery where tries <> 1`).length).toBe(0)
  })

  test('one that another transaction has locked is left to it', async () => {
    await join('anna@example.com')
    await tell()
    await spread()
    await using other = await hold(database.db, (tx) => deliveryClaim(tx, account.accountId, 'mail'))
    expect(other.value).toMatchObject({ tries: 1 })
    expect(await inTransaction(database.db, (tx) => deliveryClaim(tx, account.accountId, 'mail'))).toBeUndefined()
    await other.commit()
    expect(await send()).toBe('idle')
    expect(sink.mails).toHaveLength(0)
    expect(await nextTry()).toBeGreaterThan(100)
    expect(await nextTry()).toBeLessThanOrEqual(120)
  })

  test('after a kill between mailing and recording it, the same mail is sent again', async () => {
    await join('anna@example.com')
    await tell()
    await send()
    // as left by a process that was killed after the server accepted the mail
    await database.db`update notice_delivery set state = 'waiting', next_at = now() - interval '1 second' where account_id = ${account.accountId}`
    await send()
    expect(sink.mails).toHaveLength(2)
    const [first, second] = sink.mails
    expect(second!.mail.messageId).toBe(first!.mail.messageId)
    expect(second!.raw).toBe(first!.raw)
    expect(await notices()).toMatchObject([{ mail: 'sent', mailTries: 2 }])
  })

  test('a result that comes after the lease changes only that it was sent', async () => {
    await tell()
    await spread()
    const { accountId } = account
    const claim = async () => (await inTransaction(database.db, (tx) => deliveryClaim(tx, accountId, 'mail')))!
    const late = await claim()
    await makeDue()
    const current = await claim()
    const failed = (claimed: typeof late) =>
      inTransaction(database.db, (tx) => deliveryFailed(tx, accountId, claimed, { error: 'late', retryMs: null }))
    expect(await failed(late)).toBeUndefined()
    expect(await notices()).toMatchObject([{ mail: 'waiting', mailError: null }])
    await inTransaction(database.db, (tx) => deliverySent(tx, accountId, late, null))
    expect(await failed(current)).toBeUndefined()
    expect(await notices()).toMatchObject([{ mail: 'sent', mailError: null }])
  })
})

describe('a notice that cannot be mailed', () => {
  test('is tried again after 1, 5, 15 and 60 minutes, then every hour, and sent when the server accepts it', async () => {
    await join('anna@example.com')
    await tell()
    sink.manner = 451
    for (const [i, minutes] of [1, 5, 15, 60, 60].entries()) {
      await makeDue()
      await send()
      expect(await nextTry()).toBeGreaterThan(minutes * 60 - 10)
      expect(await nextTry()).toBeLessThanOrEqual(minutes * 60)
      const [notice] = await notices()
      expect(notice).toMatchObject({ mail: 'waiting', mailTries: i + 1 })
      expect(notice?.mailError).toContain('451')
      // no control characters, because it is shown on terminals
      expect(notice?.mailError).toMatch(/^\P{C}*$/u)
      // not before its time
      await send()
      expect((await notices())[0]?.mailTries).toBe(i + 1)
    }
    sink.manner = 'take'
    sink.mails.length = 0
    await makeDue()
    await send()
    expect(sink.mails).toHaveLength(1)
    expect(await notices()).toMatchObject([{ mail: 'sent', mailTries: 6, mailError: null }])
  })

  test('is kept after 72 hours, with the last error', async () => {
    await join('anna@example.com')
    await tell()
    sink.manner = 451
    await database.db`update notice set mail_tries = 10, created_at = now() - interval '70 hours 59 minutes'`
    await send()
    expect(await notices()).toMatchObject([{ mail: 'waiting' }])
    await database.db`update notice set created_at = now() - interval '71 hours 1 minute'`
    await makeDue()
    await send()
    expect(await notices()).toMatchObject([
      { mail: 'kept', mailNextAt: null, mailError: expect.stringContaining('451') },
    ])
  })

  test.for([
    ['refused for good', 550, '550'],
    ['refused for good at its recipient', 'recipient', '553'],
  ] as const)('%s it is kept with the reason', async ([, how, code]) => {
    await join('anna@example.com')
    await tell()
    if (how === 'recipient') sink.refused.set('anna@example.com', 553)
    else sink.manner = how
    await send()
    expect(await notices()).toMatchObject([
      { mail: 'kept', mailNextAt: null, mailTries: 1, mailError: expect.stringContaining(code) },
    ])
    sink.manner = 'take'
    await send()
    expect(sink.mails).toHaveLength(how === 'recipient' ? 0 : 1)
  })

  test('is stored, but not sent, without SMTP_URL', async () => {
    await join('anna@example.com')
    await tell()
    await tell('paused')
    expect(await send(null)).toBe('idle')
    expect(await notices()).toMatchObject([
      { kind: 'paused', mail: 'kept', mailError: 'SMTP_URL is not set', mailTries: 0, facts: FACTS },
      { kind: 'failing', mail: 'kept' },
    ])
  })

  test('is kept if the account has no owner, and those of other accounts are mailed', async () => {
    const ownerless = account
    await join('carl@example.com', 'member')
    await tell()
    account = await createAccount(bench)
    endpointId = await insertEndpoint(account)
    await join('dora@example.com')
    await tell()
    await send()
    expect(sink.mails.map(({ recipients }) => recipients)).toEqual([['dora@example.com']])
    expect(await notices()).toMatchObject([{ mail: 'sent' }])
    account = ownerless
    expect(await notices()).toMatchObject([{ mail: 'kept', mailError: 'the account has no owner' }])
  })

  test.for([
    ['down', 'smtp://127.0.0.1:1', 'take'],
    ['silent from the beginning', '/?greetingTimeout=200', 'mute'],
    ['silent at the end of the mail', '/?socketTimeout=200', 'silent'],
    ['closing the connection before it answers', '', 'drop'],
    ['not to be found', 'smtp://mail.invalid', 'take'],
  ] as const)('while the server is %s it is tried again later, and nothing else is begun', async ([, url, manner]) => {
    await join('anna@example.com')
    await tell()
    await tell('paused')
    sink.manner = manner
    const mailer = mailerTo(url.startsWith('smtp:') ? url : `${sink.url}${url}`)
    expect(await send(mailer)).toBe('idle')
    const [second, first] = await notices()
    expect(first).toMatchObject({ mail: 'waiting', mailTries: 1, mailError: expect.stringMatching(/./) })
    expect(second).toMatchObject({ mail: 'waiting', mailTries: 0, mailError: null })
    sink.manner = 'take'
    sink.mails.length = 0
    await makeDue()
    await send()
    expect(sink.mails).toHaveLength(2)
    expect((await notices()).map((row) => row.mail)).toEqual(['sent', 'sent'])
  })
})

describe('beside a process of an older release, which mails what is due in `notice` itself', () => {
  test('a mail that it is sending is left to it until its lease ends, and none is sent twice', async () => {
    await join('anna@example.com')
    await tell()
    // as a process of the earlier release claims it
    await database.db`update notice set mail_tries = 1, mail_next_at = now() + interval '120 seconds'`
    await send()
    expect(sink.mails).toHaveLength(0)
    expect(await notices()).toMatchObject([{ mail: 'waiting', mailTries: 1 }])
    // and as it records the result
    await database.db`update notice set mail = 'sent', mail_next_at = null`
    await send()
    expect(sink.mails).toHaveLength(0)
    expect(await notices()).toMatchObject([{ mail: 'sent', mailTries: 1, mailNextAt: null }])
  })

  test('the migration moves what is settled, and leaves what waits to whoever claims it first', async () => {
    await using older = await createDatabase()
    const { db } = older
    const { accountId } = await createAccount(openBench(db))
    await db`drop table notice_delivery`
    await db`drop table notice_channel`
    await db`alter table notice drop column is_spread`
    await db`
      insert into notice (account_id, kind, facts, mail, mail_next_at, mail_tries, mail_error)
      select ${accountId}, 'images_full', '{"used_bytes":1}', mail, due, tries, error
      from (values ('sent', null::timestamptz, 1, null), ('kept', null, 2, '550'), ('waiting', now() + interval '1 minute', 3, '451'),
        ('waiting', now() - interval '1 second', 0, null)) v (mail, due, tries, error)`
    const before = await db`select mail, mail_tries, mail_error from notice order by notice_id`
    const migration = readFileSync(new URL('../../migrations/050-notice-channels.sql', import.meta.url), 'utf8')
    await withMigrationLock(db, async (tx) => {
      for (const statement of statementsOfScript(migration)) await tx.unsafe(statement)
    })
    expect(await db`select mail, mail_tries, mail_error from notice order by notice_id`).toEqual(before)
    const moved = await db`select state, tries, error, next_at from notice_delivery order by notice_id`
    expect([...moved]).toEqual([
      { state: 'sent', tries: 1, error: null, next_at: null },
      { state: 'kept', tries: 2, error: '550', next_at: null },
    ])
    const member = { email: 'anna@example.com', role: 'owner' as const }
    await inTransaction(db, (tx) => createMember(tx, accountId, member))
    await sendNotices(db, mailerTo(sink.url), silentLog)
    expect(sink.mails).toHaveLength(1)
    const listed = await noticesList(db, accountId, { limit: 10 })
    expect(listed.map((row) => [row.mail, row.mailTries, row.mailError])).toEqual([
      ['sent', 1, null],
      ['waiting', 3, '451'],
      ['kept', 2, '550'],
      ['sent', 1, null],
    ])
  })

  test('what it left behind is taken over with its tries, and it finds nothing to mail any more', async () => {
    await join('anna@example.com')
    await tell()
    await database.db`update notice set mail_tries = 3, mail_error = '451', mail_next_at = now() - interval '1 second'`
    await send()
    expect(sink.mails).toHaveLength(1)
    expect(await notices()).toMatchObject([{ mail: 'sent', mailTries: 4, mailError: null }])
    expect(await database.db`select from notice where mail_next_at is not null`).toHaveLength(0)
  })
})

describe('the loop', () => {
  test('finishes a mail that is nearly sent, and starts no other', async () => {
    await join('anna@example.com')
    await tell()
    await tell('paused')
    sink.delayMs = 300
    const loop = startNotices(database.db, mailerTo(sink.url), silentLog, { idleMs: 5 })
    await until('the mail is under way', async () => (await notices()).some((row) => row.mailTries === 1))
    await loop.stop()
    expect((await notices()).map((row) => row.mail)).toEqual(['waiting', 'sent'])
  })

  test('stops soon although the mail server does not answer', async () => {
    await join('anna@example.com')
    await tell()
    sink.manner = 'silent'
    const loop = startNotices(database.db, mailerTo(sink.url), silentLog, { idleMs: 5 })
    await until('the mail is there', () => Promise.resolve(sink.mails.length === 1))
    const before = performance.now()
    await loop.stop()
    expect(performance.now() - before).toBeLessThan(8_000)
    expect(await notices()).toMatchObject([
      { mail: 'waiting', mailTries: 1, mailError: expect.stringMatching(/abort/i) },
    ])
  })

  test('looks at once when it is poked', async () => {
    await join('anna@example.com')
    const loop = startNotices(database.db, mailerTo(sink.url), silentLog, { idleMs: 60_000 })
    await sleep(50)
    await tell()
    loop.poke()
    await until('it is sent', async () => (await notices())[0]?.mail === 'sent')
    await loop.stop()
  })
})

const failuresOf = (row: NoticeRow) => (row.endpointId === null ? null : row.facts.failures)

test('the list shows the account’s own notices, newest first, in pages', async () => {
  for (let i = 0; i < 5; i++) await tell('failing', { failures: i })
  const other = await createAccount(bench)
  const page = await noticesList(database.db, account.accountId, { limit: 2 })
  expect(page.map(failuresOf)).toEqual([4, 3])
  const rest = await noticesList(database.db, account.accountId, { before: page[1]!.noticeId, limit: 100 })
  expect(rest.map(failuresOf)).toEqual([2, 1, 0])
  expect(await noticesList(database.db, other.accountId, { limit: 100 })).toHaveLength(0)
})
