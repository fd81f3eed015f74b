import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { leaveHost, type Leaving } from '../../src/images/mirror/leave-host.ts'
import { hostRest, slotsInsert, slotsTake, type Slot } from '../../src/images/mirror/claims.sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { must } from '../../src/platform/must.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

// The slots of hosts: when they may be taken, and in which order transactions lock them.

const { database } = worldOfFile()
const SLOTS = 2

/** A host with its slots, all of them free. */
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
  // as written by a clock that was a day ahead
  await setFree(host, 86_400)
  expect(await take(host)).toHaveLength(1)
  // what fails then rests with all its slots
  const restMs = await inTransaction(database.db, (tx) =>
    hostRest(tx, host, { firstMs: 60_000, maxMs: 60_000, askedMs: null }),
  )
  expect(restMs).toBe(60_000)
  expect(await take(host)).toEqual([])
  const rows = await database.db<{ seconds: number }[]>`
    select extract(epoch from free_at - now())::float8 as seconds from image_host where host = ${host} order by slot`
  // the one that was taken keeps its lease, which is longer
  expect(rows.map(({ seconds }) => Math.round(seconds / 10) * 10)).toEqual([LIMITS.mirrorLeaseMs / 1_000, 60])
})

/** Takes all slots of a new host. */
async function busyHost(): Promise<{ host: string; slots: Slot[] }> {
  const host = await newHost()
  return { host, slots: [...(await take(host)), ...(await take(host))].toSorted((a, b) => a.slot - b.slot) }
}

const FAILED: Leaving = { slotPauseMs: 0, restMs: 0, hasAnswered: false }
const WELL: Leaving = { slotPauseMs: 0, restMs: null, hasAnswered: true }

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
  const left = leaveHost(own.db, second, leaving)
  expect(await own.fate(left)).toBe('blocked')
  // whoever has the first slot can have the second one, too
  await inTransaction(database.db, (tx) => slotLock(tx, second))
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
