import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb, type Db } from '../../src/db/sql.ts'
import { openDecoders, type Decoders } from '../../src/images/decode/decoders.ts'
import { startMirror, type Mirror, type MirrorOptions } from '../../src/images/mirror/loop.ts'
import { openUnfinished } from '../../src/objects/unfinished.ts'
import { openRoom } from '../../src/images/mirror/room.ts'
import { openDiskStore } from '../../src/images/store/disk-store.ts'
import { openOutbound, type Outbound } from '../../src/outbound/client.ts'
import { silentLog } from '../../src/platform/log.ts'
import { noticesList } from '../../src/webhooks/notices/notices.sql.ts'
import { createAccount, giveOffers, offer, openBench, type Bench, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { turnMirrorOn } from '../harness/images.ts'
import { until } from '../harness/interleave.ts'
import { plainPicture } from './pictures.ts'
import { sendFile, startPictureServer, type PictureServer } from './picture-server.ts'

// How hosts are treated, over accounts and processes, and what happens when there is no room. A process is a loop of its own here.

let database: TestDatabase
let bench: Bench
let server: PictureServer
let directory: string
let outbound: Outbound
let decoders: Decoders
beforeAll(async () => {
  database = await createDatabase({ connectionsMax: 20 })
  bench = openBench(database.db)
  server = await startPictureServer()
  directory = await mkdtemp(join(tmpdir(), 'shelfwire-pace-'))
  outbound = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'Shelfwire/test' })
  decoders = openDecoders(1, silentLog)
})
afterAll(async () => {
  await decoders.close()
  await outbound.close()
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

function mirrorOf(over: Partial<MirrorOptions> = {}): Mirror {
  return startMirror({
    db: database.db,
    wake: bench.wake,
    log: silentLog,
    outbound,
    decoders,
    store: openDiskStore(join(directory, 'images')),
    unfinished: openUnfinished(join(directory, 'fetching')),
    room: openRoom(database.db, null),
    ...over,
  })
}

/** An account with so many pictures at a host. */
async function withPictures(host: string, name: string, count: number): Promise<TestAccount> {
  const account = await createAccount(bench)
  await turnMirrorOn(database.db, account.accountId)
  const urls = Array.from({ length: count }, (_, i) => `http://${host}:${server.port}/${name}-${i}.png`)
  for (const [i, url] of urls.entries())
    server.answers.set(new URL(url).pathname, sendFile(await plainPicture(50 + i, 10)))
  const offers = urls.map((url, i) => offer(`${name}${i}`, { images: [url] }))
  await giveOffers(bench, account, offers)
  return account
}

const countOf = async (db: Db, { accountId }: TestAccount, state: string) => {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from image where account_id = ${accountId} and state = ${state}`
  return row?.count ?? 0
}

test('a host is asked at its pace, whatever number of accounts and processes ask it', async () => {
  const host = '127.0.3.1'
  const accounts = [await withPictures(host, 'pace-a', 15), await withPictures(host, 'pace-b', 15)]
  const other = openDb({ url: database.url, connectionsMax: 6 })
  const mirrors = [mirrorOf({ perSecond: 10 }), mirrorOf({ perSecond: 10, db: other })]
  await until('all are mirrored', async () => {
    const counts = await Promise.all(accounts.map((account) => countOf(database.db, account, 'mirrored')))
    return counts.every((count) => count === 15)
  })
  await Promise.all(mirrors.map((mirror) => mirror.stop()))
  await other.end({ timeout: 5 })
  const times = server.requests.filter((request) => request.host.startsWith(host)).map(({ at }) => at)
  expect(times).toHaveLength(30)
  // two slots begin at once, and each then asks every 200 ms; timers may be a little early
  for (const [i, at] of times.entries()) {
    const later = times[i + 12]
    if (later !== undefined) expect(later - at).toBeGreaterThan(950)
  }
})

test('an account with few pictures does not wait until one with many is done', async () => {
  const host = '127.0.3.2'
  const large = await withPictures(host, 'large', 120)
  const mirror = mirrorOf({ perSecond: 20 })
  await until('the large one is being fetched', async () => (await countOf(database.db, large, 'mirrored')) > 0)
  const small = await withPictures(host, 'small', 1)
  await until('the small one is done', async () => (await countOf(database.db, small, 'mirrored')) === 1)
  expect(await countOf(database.db, large, 'pending')).toBeGreaterThan(0)
  await mirror.stop()
})

test('a host that does not answer is rested, and others are not kept waiting', async () => {
  const dead = await createAccount(bench)
  await turnMirrorOn(database.db, dead.accountId)
  // nobody listens there
  const images = Array.from({ length: 50 }, (_, i) => `http://127.0.3.3:1/${i}.png`.replace(':1/', ':47123/'))
  await giveOffers(
    bench,
    dead,
    images.map((url, i) => offer(`DEAD${i}`, { images: [url] })),
  )
  const alive = await withPictures('127.0.3.4', 'alive', 3)
  const mirror = mirrorOf({ perSecond: 1_000 })
  await until('the others are mirrored', async () => (await countOf(database.db, alive, 'mirrored')) === 3)
  await until('the failures are recorded', async () => {
    const [row] = await database.db<{ count: number }[]>`
      select count(*)::int as count from image where account_id = ${dead.accountId} and reason = 'refused'`
    return (row?.count ?? 0) >= 20
  })
  await mirror.stop()
  const [host] = await database.db<{ rest: number; failures: number }[]>`
    select min(extract(epoch from free_at - now()))::float8 as rest, max(failures) as failures from image_host
    where host = '127.0.3.3:47123'`
  expect(host?.rest).toBeGreaterThan(5)
  expect(host?.failures).toBeGreaterThan(0)
  expect(await countOf(database.db, dead, 'pending')).toBe(50)
})

test('without room originals stay, owners are told once, and once more when there is room again', async () => {
  const account = await withPictures('127.0.3.5', 'room', 5)
  const kinds = async () => (await noticesList(database.db, account.accountId, { limit: 10 })).map(({ kind }) => kind)
  const full = mirrorOf({ perSecond: 1_000, room: openRoom(database.db, 1) })
  await until('all wait for room', async () => {
    const [row] = await database.db<{ count: number }[]>`
      select count(*)::int as count from image where account_id = ${account.accountId} and reason = 'no_room'`
    return row?.count === 5
  })
  await full.stop()
  expect(await kinds()).toEqual(['images_full'])
  expect(server.requests.filter(({ host }) => host.startsWith('127.0.3.5'))).toEqual([])
  await database.db`update image set next_fetch_at = now() where account_id = ${account.accountId}`
  const again = mirrorOf({ perSecond: 1_000 })
  await until('all are mirrored', async () => (await countOf(database.db, account, 'mirrored')) === 5)
  await until('owners are told', async () => (await kinds()).length === 2)
  await again.stop()
  expect(await kinds()).toEqual(['images_resumed', 'images_full'])
})
