import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NoticeKind, NoticeSubject } from '../../contract/notice-kinds.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { sendNotices } from '../../src/notices/channels/mail/send.ts'
import { noticesList } from '../../src/notices/notices.sql.ts'
import { writeNotices } from '../../src/notices/write-notice.sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createAccount } from '../harness/account.ts'
import { isCluster } from '../harness/database.ts'
import { trimLogs } from '../harness/trim.ts'
import { worldOfFile } from '../harness/world.ts'

// Old notices are deleted, whatever they are about.

const { database, bench } = worldOfFile({})
const { noticesPerAccountMax, noticesDeletedPerStep } = LIMITS
let accountId: number
beforeEach(async () => {
  accountId = (await createAccount(bench)).accountId
})
afterEach(async () => {
  Object.assign(LIMITS, { noticesPerAccountMax, noticesDeletedPerStep })
  await database.db`delete from notice`
})

const trim = () => trimLogs(database.db, new AbortController().signal)
const RATES: NoticeSubject = {
  endpointId: null,
  kind: 'rates_held',
  facts: { day: '2026-11-27', own: 'EUR', rates: [{ currency: 'PLN', rate: '4.2', held_rate: '9.9' }] },
}
const ofSpace = (kind: 'images_full' | 'images_resumed'): NoticeSubject => ({
  endpointId: null,
  kind,
  facts: { used_bytes: 1 },
})
/** Writes a notice of the past. @returns how many were written: 0 for a repeat */
async function tell(subject: NoticeSubject, daysOld: number, account = accountId): Promise<number> {
  const { db } = database
  const written = await inTransaction(db, (tx) => writeNotices(tx, account, [subject]))
  if (written > 0)
    await db`
      update notice set created_at = now() - make_interval(days => ${daysOld})
      where account_id = ${account} and notice_id = (select max(notice_id) from notice where account_id = ${account})`
  return written
}
/** Prepares what was written, and gives up mails: there is no server for them. */
const spread = () => sendNotices(database.db, null, silentLog)
const ids = async (account = accountId) =>
  (await noticesList(database.db, account, { limit: 100 })).map(({ noticeId }) => noticeId).reverse()
const kinds = async (): Promise<NoticeKind[]> =>
  (await noticesList(database.db, accountId, { limit: 100 })).map(({ kind }) => kind).reverse()

test('notices of an account without endpoints are deleted after 90 days, like those about an endpoint (I194)', async () => {
  const other = (await createAccount(bench)).accountId
  const [endpoint] = await database.db<{ id: number }[]>`
    insert into endpoint (account_id, url, kinds, secret) values (${other}, 'https://shop.example/h', '{price}', 'sealed')
    returning endpoint_id as id`
  const facts = {
    url: 'https://shop.example/h',
    failures: 5,
    last: '503',
    paused_until: null,
    pending_since: null,
  }
  for (const days of [91, 89]) {
    await tell(RATES, days)
    await tell({ endpointId: endpoint!.id, kind: 'failing', facts }, days, other)
  }
  await spread()
  const [ofRates, ofEndpoint] = [await ids(), await ids(other)]
  await trim()
  expect([await ids(), await ids(other)]).toEqual([ofRates.slice(1), ofEndpoint.slice(1)])
})

test('an account keeps its newest notices, and more are deleted in small transactions (I194)', async () => {
  Object.assign(LIMITS, { noticesPerAccountMax: 3, noticesDeletedPerStep: 2 })
  const other = (await createAccount(bench)).accountId
  for (let i = 0; i < 8; i++) await tell(RATES, 0)
  for (let i = 0; i < 3; i++) await tell(RATES, 0, other)
  await spread()
  const [before, ofOther] = [await ids(), await ids(other)]
  await trim()
  expect([await ids(), await ids(other)]).toEqual([before.slice(5), ofOther])
})

test('the newest notice of a kind whose repeats are left out stays, so that none is repeated (I194)', async () => {
  const told: number[] = []
  for (const kind of ['images_full', 'images_resumed', 'images_full'] as const)
    told.push(await tell(ofSpace(kind), 200))
  await tell(RATES, 200)
  expect(told).toEqual([1, 1, 1])
  await spread()
  await trim()
  expect(await kinds()).toEqual(['images_resumed', 'images_full'])
  expect(await tell(ofSpace('images_full'), 0)).toBe(0)
  expect(await tell(ofSpace('images_resumed'), 0)).toBe(1)
  await spread()
  await trim()
  expect(await kinds()).toEqual(['images_full', 'images_resumed'])
})

test('a notice that is still to be sent stays, however old it is (I194)', async () => {
  Object.assign(LIMITS, { noticesPerAccountMax: 1 })
  await tell(RATES, 91)
  const [unspread] = await ids()
  await tell(RATES, 0)
  await trim()
  expect(await ids()).toHaveLength(2)
  await spread()
  await database.db`
    insert into notice_delivery (account_id, notice_id, channel_id) values (${accountId}, ${unspread!}, 7)`
  await trim()
  expect(await ids()).toHaveLength(2)
  await database.db`
    update notice_delivery set state = 'sent', next_at = null where account_id = ${accountId} and channel_id = 7`
  await trim()
  expect(await ids()).not.toContain(unspread)
})

// triggers are not created on distributed tables
test.skipIf(isCluster())('the notices of other accounts are deleted if those of one cannot be (I194)', async () => {
  const other = (await createAccount(bench)).accountId
  await tell(RATES, 91)
  await tell(RATES, 91, other)
  await spread()
  await database.db.unsafe(`
    create function refuse_trimming() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger refuse_trimming before delete on notice for each row when (old.account_id = ${accountId})
    execute function refuse_trimming()`)
  try {
    await trim()
  } finally {
    await database.db.unsafe('drop trigger refuse_trimming on notice; drop function refuse_trimming()')
  }
  expect([(await ids()).length, (await ids(other)).length]).toEqual([1, 0])
})
