import { setLimit } from '../../src/accounts/limits/limits.ts'
import { countUse } from '../../src/accounts/limits/use.ts'
import { usesOf } from '../../src/accounts/limits/use.sql.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../src/db/open-db.ts'
import type { Db } from '../../src/db/sql.ts'
import { MIRROR_LANE, openDecoders, type Decoders } from '../../src/images/decode/decoders.ts'
import { startMirror, type Mirror, type MirrorOptions } from '../../src/images/mirror/loop.ts'
import { openUnfinished } from '../../src/objects/unfinished.ts'
import { openRoom } from '../../src/images/mirror/room.ts'
import { openDiskStore } from '../../src/images/store/disk-store.ts'
import { openOutbound, type Outbound } from '../../src/outbound/client.ts'
import { silentLog } from '../../src/platform/log.ts'
import { noticesList } from '../../src/notices/notices.sql.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { turnMirrorOn } from '../harness/images.ts'
import { until } from '../harness/interleave.ts'
import { plainPicture } from './pictures.ts'
import { sendFile, startPictureServer } from './picture-server.ts'
import { directoryOfFile, ofFile, worldOfFile } from '../harness/world.ts'

// The pace of requests to hosts, over accounts and processes, and a full disk. A process is simulated by a loop of its own.

const directory = directoryOfFile('pace')
const { database, bench } = worldOfFile({ connectionsMax: 20 })
const server = ofFile(startPictureServer)
let outbound: Outbound
let decoders: Decoders
beforeAll(async () => {
  outbound = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'Shelfwire/test' })
  decoders = openDecoders(MIRROR_LANE, silentLog)
})
afterAll(async () => {
  await decoders.close()
  await outbound.close()
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

/** An account with this many pictures at a host. */
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
  // two slots start at once, then each sends a request every 200 ms; timers may be a little early
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
  // nothing listens there
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

test('above an account’s budget of pictures its originals stay, and another account’s are mirrored', async () => {
  const account = await withPictures('127.0.3.6', 'budget', 5)
  const other = await withPictures('127.0.3.7', 'beside', 5)
  const { accountId } = account
  const setPictures = (amount: number) =>
    inTransaction(database.db, (tx) => setLimit(tx, accountId, { budget: 'pictures', amount }))
  await setPictures(2)
  const mirror = mirrorOf({ perSecond: 1_000 })
  await until('the rest waits for room', async () => {
    const [row] = await database.db<{ count: number }[]>`
      select count(*)::int as count from image where account_id = ${accountId} and reason = 'no_room'`
    return row?.count === 3 && (await countOf(database.db, other, 'mirrored')) === 5
  })
  expect(await countOf(database.db, account, 'mirrored')).toBe(2)
  const uses = new Map((await usesOf(database.db, accountId)).map(({ budget, used }) => [budget, used]))
  const [stored] = await database.db<{ bytes: number }[]>`
    select sum(bytes)::int as bytes from image where account_id = ${accountId}`
  expect([uses.get('pictures'), uses.get('picture_bytes')]).toEqual([2, stored?.bytes])
  await setPictures(5)
  await database.db`update image set next_fetch_at = now() where account_id = ${accountId} and state = 'pending'`
  await until('all are mirrored', async () => (await countOf(database.db, account, 'mirrored')) === 5)
  await mirror.stop()
  expect(await countUse(database.db, accountId)).not.toHaveProperty('pictures')
})
