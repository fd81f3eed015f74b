import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { sendThroughChannels, startNoticeChannels } from '../../src/notices/deliver.ts'
import { createNoticeChannel, deleteNoticeChannel } from '../../src/notices/notice-channels.ts'
import { noticeChannelsList } from '../../src/notices/notice-channels.sql.ts'
import { writeNotices } from '../../src/notices/write-notice.sql.ts'
import { openOutbound } from '../../src/outbound/client.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openSeal } from '../../src/platform/secrets/seal.ts'
import { createAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'
import { startSender } from './channels-child.ts'
import { worldOfFile } from '../harness/world.ts'

// Notices through channels while processes die, several of them run and receivers do not answer.

const { database, bench } = worldOfFile({ connectionsMax: 20 })

let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  await database.db`delete from notice`
  await receiver[Symbol.asyncDispose]()
})

const seal = openSeal([TEST_KEY])
const outbound = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'Shelfwire/test' })
afterAll(() => outbound.close())
const context = () => ({ db: database.db, log: silentLog, outbound, seal, publicUrl: () => '' })
const tools = { seal, outbound, publicUrl: () => '' }

/** An account with a channel. */
async function open(path: string) {
  const { accountId } = await createAccount(bench)
  const channel = {
    name: 'Team',
    kind: 'webhook' as const,
    url: `${receiver.url}${path}`,
    noticeKinds: null,
    isPaused: false,
  }
  const { channelId } = await inTransaction(database.db, (tx) => createNoticeChannel(tx, accountId, channel, tools))
  const tell = (times = 1) =>
    inTransaction(database.db, (tx) =>
      writeNotices(
        tx,
        accountId,
        Array.from({ length: times }, (_, i) => ({
          endpointId: null,
          kind: 'images_failing' as const,
          facts: { host: `h${i}.example`, pictures: 1, failed_since: '2026-11-20T10:00:00Z', adopts: false },
        })),
      ),
    )
  return { accountId, channelId, tell }
}
const states = () =>
  database.db<{ state: string; tries: number }[]>`select state, tries from notice_delivery where channel_id > 0`
const sent = async (count: number) =>
  until(`${count} are sent`, async () => (await states()).filter(({ state }) => state === 'sent').length === count)

test('two loops that race for 30 notices of three accounts send each once', async () => {
  for (const path of ['/a', '/b', '/c']) await (await open(path)).tell(10)
  receiver.answer = { status: 200, delayMs: 5 }
  const loops = [1, 2].map(() => startNoticeChannels(context(), { idleMs: 5 }))
  await sent(30)
  await Promise.all(loops.map((loop) => loop.stop()))
  expect(receiver.received).toHaveLength(30)
  expect(new Set(receiver.received.map(({ deliveryId }) => deliveryId)).size).toBe(30)
  expect((await states()).every(({ tries }) => tries === 1)).toBe(true)
})

test.each([
  ['notice:before-send', 0],
  ['notice:after-send', 1],
] as const)(
  'a process that is killed at %s leaves a lease; after it the same is sent with the same id',
  async (at, before) => {
    const { tell } = await open('/in')
    await tell()
    const first = await startSender({ url: database.url, key: TEST_KEY }, at)
    expect((await first.ended).signal).toBe('SIGKILL')
    expect(receiver.received).toHaveLength(before)
    expect(await sendThroughChannels(context())).toBe('idle')
    expect(receiver.received).toHaveLength(before)
    await database.db`update notice_delivery set next_at = now() where next_at is not null`
    const second = await startSender({ url: database.url, key: TEST_KEY })
    await sent(1)
    await second.stop()
    expect(receiver.received).toHaveLength(before + 1)
    expect(new Set(receiver.received.map(({ deliveryId, body }) => `${deliveryId} ${body}`)).size).toBe(1)
  },
)

test('a receiver that never answers keeps no other account waiting, and is tried again', async () => {
  const silent = await open('/silent')
  await silent.tell(2)
  const other = await open('/other')
  await other.tell(5)
  receiver.answer = ({ path }) => ({ status: 200, delayMs: path === '/silent' ? 60_000 : 0 })
  const before = performance.now()
  const sending = sendThroughChannels(context())
  await sent(5)
  expect(performance.now() - before).toBeLessThan(3_000)
  await sending
  expect(receiver.at('/silent').length).toBeLessThanOrEqual(2)
  const [channel] = await noticeChannelsList(database.db, silent.accountId)
  expect(channel).toMatchObject({ waiting: 2, failure: 'the answer was not complete in time' })
})

test('a loop that is stopped gives up what is not answered within seconds, and it is tried again', async () => {
  const { tell } = await open('/silent')
  await tell()
  receiver.answer = { status: 200, delayMs: 60_000 }
  const loop = startNoticeChannels(context(), { idleMs: 5 })
  await until('it is sent', () => Promise.resolve(receiver.received.length === 1))
  const before = performance.now()
  await loop.stop()
  expect(performance.now() - before).toBeLessThan(8_000)
  expect(await states()).toMatchObject([{ state: 'waiting', tries: 1 }])
})

test('a notice that was tried for 72 hours is given up; a channel that is deleted while it is sent loses nothing else', async () => {
  const { accountId, channelId, tell } = await open('/in')
  await tell()
  receiver.answer = { status: 500 }
  await database.db`update notice set created_at = now() - interval '71 hours 59 minutes 30 seconds'`
  await sendThroughChannels(context())
  expect(await states()).toMatchObject([{ state: 'kept', tries: 1 }])
  receiver.answer = async () => {
    await inTransaction(database.db, (tx) => deleteNoticeChannel(tx, accountId, channelId))
    return { status: 200 }
  }
  await tell()
  expect(await sendThroughChannels(context())).toBe('idle')
  expect(await states()).toHaveLength(0)
})

test('without its key a channel says so, and is tried again for when the key is back', async () => {
  const { accountId, tell } = await open('/in')
  await tell()
  await sendThroughChannels({ ...context(), seal: openSeal(['another key of at least thirty-two']) })
  expect(receiver.received).toHaveLength(0)
  const [channel] = await noticeChannelsList(database.db, accountId)
  expect(channel).toMatchObject({ waiting: 1, failure: expect.stringContaining('SECRET_KEY') })
  await database.db`update notice_delivery set next_at = now() where next_at is not null`
  await sendThroughChannels(context())
  expect(receiver.received).toHaveLength(1)
})

test('an address that is not public is never connected to, whatever its name resolves to later', async () => {
  const { tell } = await open('/in')
  await tell()
  const strict = openOutbound({ allow: [], userAgent: 'Shelfwire/test' })
  await sendThroughChannels({ ...context(), outbound: strict })
  await strict.close()
  expect(receiver.received).toHaveLength(0)
  expect(await database.db`select error from notice_delivery where channel_id > 0`).toMatchObject([
    { error: 'the address is not a public one' },
  ])
})
