import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { MIRROR_LANE, openDecoders, type Decoders } from '../../src/images/decode/decoders.ts'
import { releaseHost, type HostRelease } from '../../src/images/mirror/release-host.ts'
import { hostPause, slotsInsert, slotsTake, type Slot } from '../../src/images/mirror/claims.sql.ts'
import { startMirror, type Mirror } from '../../src/images/mirror/loop.ts'
import { openRoom } from '../../src/images/mirror/room.ts'
import { urlHashOf } from '../../src/images/register/url-hash.ts'
import { openDiskStore } from '../../src/images/store/disk-store.ts'
import { openUnfinished } from '../../src/objects/unfinished.ts'
import { openOutbound, type Outbound } from '../../src/outbound/client.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { must } from '../../src/platform/must.ts'
import { createAccount } from '../harness/account.ts'
import { turnMirrorOn } from '../harness/images.ts'
import { hold, openNamed, until } from '../harness/interleave.ts'
import { recordStatements } from '../harness/plans.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// The slots of picture hosts: when they may be taken, and the order in which transactions lock them.

const { database, bench } = worldOfFile()
const directory = directoryOfFile('hosts')
const SLOTS = 2
let outbound: Outbound
let decoders: Decoders
beforeAll(() => {
  outbound = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'Shelfwire/test' })
  decoders = openDecoders(MIRROR_LANE, silentLog)
})
afterAll(async () => {
  await decoders.close()
  await outbound.close()
})

const openMirror = (): Mirror =>
  startMirror({
    db: database.db,
    wake: bench.wake,
    log: silentLog,
    outbound,
    decoders,
    store: openDiskStore(join(directory, 'images')),
    unfinished: openUnfinished(join(directory, 'fetching')),
    room: openRoom(database.db, null),
  })

/** A new host with all its slots free. */
async function newHost(): Promise<string> {
  const host = `${randomUUID()}.example`
  await inTransaction(database.db, (tx) => slotsInsert(tx, [host], SLOTS))
  return host
}

const take = (host: string): Promise<Slot[]> =>
  inTransaction(database.db, (tx) => slotsTake(tx, [host], SLOTS, randomUUID(), LIMITS.mirrorLeaseMs, 1))

const setFree = (host: string, inSeconds: number) =>
  database.db`update image_host set free_at = now() + make_interval(secs => ${inSeconds}) where host = ${host}`

test('a host rests as long as it can have asked for, and no longer because the clock was set back', async () => {
  const host = await newHost()
  await setFree(host, LIMITS.imageRetryAfterMs / 1_000 - 60)
  expect(await take(host)).toEqual([])
  // as if written by a clock that was a day ahead
  await setFree(host, 86_400)
  expect(await take(host)).toHaveLength(1)
  // after a failure all slots of the host are paused
  const restMs = await inTransaction(database.db, (tx) =>
    hostPause(tx, host, { firstMs: 60_000, maxMs: 60_000, askedMs: null }),
  )
  expect(restMs).toBe(60_000)
  expect(await take(host)).toEqual([])
  const rows = await database.db<{ seconds: number }[]>`
    select extract(epoch from free_at - now())::float8 as seconds from image_host where host = ${host} order by slot`
  // the slot in use keeps its longer lease
  expect(rows.map(({ seconds }) => Math.round(seconds / 10) * 10)).toEqual([LIMITS.mirrorLeaseMs / 1_000, 60])
})

/** Takes all slots of a new host. */
async function busyHost(): Promise<{ host: string; slots: Slot[] }> {
  const host = await newHost()
  return { host, slots: [...(await take(host)), ...(await take(host))].toSorted((a, b) => a.slot - b.slot) }
}

const FAILED: HostRelease = { slotPauseMs: 0, restMs: 0, hasAnswered: false }
const WELL: HostRelease = { slotPauseMs: 0, restMs: null, hasAnswered: true }

const slotLock = (tx: Tx, { host, slot }: Slot) =>
  tx`select from image_host where host = ${host} and slot = ${slot} for update nowait`

test.each([
  ['fails', FAILED],
  ['answers again', WELL],
])('a run whose host %s holds no slot of it while it waits for a lower one', async (_, leaving) => {
  const { host, slots } = await busyHost()
  const [first, second] = [must(slots[0]), must(slots[1])]
  await database.db`update image_host set failures = 1 where host = ${host}`
  await using own = openNamed(database)
  await using other = await hold(database.db, (tx) => slotLock(tx, first))
  const left = releaseHost(own.db, second, leaving)
  expect(await own.fate(left)).toBe('blocked')
  // the transaction that has the first slot can also lock the second
  await expect(inTransaction(database.db, (tx) => slotLock(tx, second))).resolves.toHaveLength(1)
  await other.commit()
  await left
  const rows = await database.db<{ failures: number; isLeased: boolean; isFree: boolean }[]>`
    select failures, lease_id is not null as "isLeased", free_at <= now() as "isFree" from image_host where host = ${host} order by slot`
  const failures = leaving === FAILED ? 2 : 0
  expect(rows).toEqual([
    { failures, isLeased: true, isFree: false },
    { failures, isLeased: false, isFree: leaving === WELL },
  ])
})

/** Limits the number of hosts and pictures that the mirror reads in a step, during `work`. */
async function withLooked(few: { mirrorHostsLooked: number; mirrorDueLooked: number }, work: () => Promise<void>) {
  const { mirrorHostsLooked, mirrorDueLooked } = LIMITS
  Object.assign(LIMITS, few)
  try {
    await work()
  } finally {
    Object.assign(LIMITS, { mirrorHostsLooked, mirrorDueLooked })
  }
}

interface Looked {
  /** The last byte of its IP address. */
  host: number
  /** For how many seconds it has been due; negative if it will be due later. */
  dueSince: number
}

/** An account with pictures that failed before. Nothing listens at their hosts. */
async function withLookedAt(pictures: readonly Looked[]): Promise<number> {
  const { accountId } = await createAccount(bench)
  await turnMirrorOn(database.db, accountId)
  for (const [i, { host, dueSince }] of pictures.entries()) {
    const url = `http://${hostAt(host)}/${accountId}-${i}.png`
    await database.db`
      insert into image (account_id, url_hash, url, host, failures, failed_since, next_fetch_at)
      values (${accountId}, ${urlHashOf(url)}, ${url}, ${hostAt(host)}, 1, now(), now() - make_interval(secs => ${dueSince}))`
  }
  return accountId
}

const hostAt = (last: number) => `127.0.7.${last}:47321`

async function restHost(last: number): Promise<void> {
  await inTransaction(database.db, (tx) => slotsInsert(tx, [hostAt(last)], LIMITS.mirrorSlotsMax))
  await setFree(hostAt(last), 600)
}

test('the mirror rests while an account has many hosts and the only due picture is of one that rests', async () => {
  const hosts = Array.from({ length: 30 }, (_, i) => ({ host: i + 1, dueSince: i === 20 ? 60 : -600 }))
  const accountId = await withLookedAt(hosts)
  await restHost(21)
  await withLooked({ mirrorHostsLooked: 4, mirrorDueLooked: 4 }, async () => {
    const mirror = openMirror()
    const statements = await recordStatements(database.db, () => sleep(2_500))
    await mirror.stop()
    // at the beginning and once a second
    const steps = statements.filter(({ text }) => text.includes('from account_inputs a')).length
    expect(steps).toBeGreaterThan(1)
    expect(steps).toBeLessThan(6)
  })
  await database.db`delete from image where account_id = ${accountId}`
})

test('a due picture is found behind any number of older ones of hosts that rest', async () => {
  const resting = Array.from({ length: 10 }, () => ({ host: 101, dueSince: 600 }))
  const others = Array.from({ length: 5 }, (_, i) => ({ host: 102 + i, dueSince: -600 }))
  const accountId = await withLookedAt([...resting, ...others, { host: 110, dueSince: 60 }])
  await restHost(101)
  await withLooked({ mirrorHostsLooked: 4, mirrorDueLooked: 4 }, async () => {
    const mirror = openMirror()
    // no product names the picture: it is deleted when its host is next processed
    await until('its host had its turn', async () => {
      const rows = await database.db`select from image where account_id = ${accountId} and host = ${hostAt(110)}`
      return rows.length === 0
    })
    await mirror.stop()
  })
  await database.db`delete from image where account_id = ${accountId}`
})
