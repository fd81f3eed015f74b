import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { hostRest, slotsInsert, slotsTake, type Slot } from '../../src/images/mirror/claims.sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
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
