import { expect, test } from 'vitest'
import { createMember } from '../../src/accounts/members.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { sendNotices } from '../../src/notices/channels/mail/send.ts'
import { writeNotices } from '../../src/notices/write-notice.sql.ts'
import { openMailer } from '../../src/outbound/mailer.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createAccount } from '../harness/account.ts'
import { isCluster } from '../harness/database.ts'
import { startSmtpSink } from '../harness/smtp-sink.ts'
import { worldOfFile } from '../harness/world.ts'

// Notices of several accounts that are prepared and mailed in one step, through a real SMTP server.

const { database, bench } = worldOfFile({})

/** An account with an owner and a notice. @returns its id */
async function withNotice(email: string): Promise<number> {
  const { accountId } = await createAccount(bench)
  await inTransaction(database.db, (tx) => createMember(tx, accountId, { email, role: 'owner' }))
  const [row] = await database.db<{ id: number }[]>`
    insert into endpoint (account_id, url, kinds, secret) values (${accountId}, 'https://shop.example/hook', '{price}', 'sealed')
    returning endpoint_id as id`
  await inTransaction(database.db, (tx) =>
    writeNotices(tx, accountId, [
      {
        endpointId: row!.id,
        kind: 'failing',
        facts: {
          url: 'https://shop.example/hook',
          failures: 5,
          last: '503',
          paused_until: null,
          pending_since: '2026-11-20T10:00:00.000Z',
        },
      },
    ]),
  )
  return accountId
}

// triggers are not created on distributed tables
test.skipIf(isCluster())('the notices of other accounts do not wait for those of one that fail', async () => {
  await using sink = await startSmtpSink()
  const mailer = openMailer({ smtpUrl: sink.url, from: 'Shelfwire <no-reply@shelf.example>' })
  const failing = await withNotice('anna@example.com')
  await withNotice('berta@example.com')
  const recipients = () => sink.mails.flatMap((mail) => mail.recipients)
  await database.db.unsafe(`
    create function refuse_delivery() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse_delivery before insert on notice_delivery for each row when (new.account_id = ${failing})
    execute function refuse_delivery()`)
  try {
    await expect(sendNotices(database.db, mailer, silentLog)).resolves.toBe('idle')
    expect(recipients()).toEqual(['berta@example.com'])
  } finally {
    await database.db.unsafe('drop trigger refuse_delivery on notice_delivery; drop function refuse_delivery()')
  }
  // it is tried again in the next step
  await sendNotices(database.db, mailer, silentLog)
  expect(recipients()).toEqual(['berta@example.com', 'anna@example.com'])
})
