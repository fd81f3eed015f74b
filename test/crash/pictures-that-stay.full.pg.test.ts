import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { installMovedClock } from '../../src/db/connections/moved-clock.sql.ts'
import { openDb } from '../../src/db/open-db.ts'
import { openDiskStore } from '../../src/images/store/disk-store.ts'
import type { StoredImage } from '../../src/images/store/image-store.ts'
import { removeUnused } from '../../src/images/unused/remove.ts'
import { bundleOfFile } from '../harness/child-bundle.ts'
import { createAccount, giveOffers, offer, openBench, expectAudited } from '../harness/account.ts'
import { IMAGE_BASE, turnMirrorOn } from '../harness/images.ts'
import { until } from '../harness/interleave.ts'
import { plainPicture } from '../images/pictures.ts'
import { sendFile, sendStatus, startPictureServer } from '../images/picture-server.ts'
import { MIRROR_CHILD, startMirrorChild } from './mirror-child.ts'
import { MIRROR_POINTS } from './mirror-points.ts'
import { directoryOfFile, ofFile, worldOfFile } from '../harness/world.ts'

// Three picture servers fail for 20, 29 and 60 days of a moved clock, in every way in which a server can fail. Every day until the
// copies of the third are dropped, and then every third day, the mirroring process is started and killed, sometimes while it works.

const DAY = 86_400_000
/** The day of the first recheck of all pictures, at which their servers are found to be down. */
const DEAD_FROM = 9
const PICTURES = 4
const SERVERS = [
  { days: 20, host: 1 },
  { days: 29, host: 2 },
  { days: 60, host: 3 },
]

const directory = directoryOfFile('stay')
const { database } = worldOfFile()
const server = ofFile(startPictureServer)
bundleOfFile(MIRROR_CHILD)
beforeAll(async () => {
  await installMovedClock(database.db)
})

const parked = Buffer.from('<!doctype html><title>This domain is for sale</title>')
const FAILURES = [
  sendStatus(404),
  sendFile(parked, 'text/html', '"parked"'),
  sendStatus(500),
  sendStatus(200),
  sendStatus(403),
]

test('copies stay while their server is away for 20 and 29 days, leave on the 30th day of 60, and all come back', async () => {
  const { db, url } = database
  const bench = openBench(db)
  const account = await createAccount(bench)
  const { accountId } = account
  await turnMirrorOn(db, accountId)
  const bytes = new Map<string, Buffer>()
  const pathsOf = ({ host }: (typeof SERVERS)[number]) => Array.from({ length: PICTURES }, (_, i) => `/${host}-${i}`)
  const productOf = new Map<number, number>()
  for (const one of SERVERS) {
    for (const [i, path] of pathsOf(one).entries()) bytes.set(path, await plainPicture(10 * one.host + i, 9))
    const images = pathsOf(one).map((path) => `http://127.0.3.${one.host}:${server.port}${path}`)
    const [productId] = await giveOffers(bench, account, [offer(`S${one.host}`, { images })])
    productOf.set(one.host, productId ?? 0)
  }
  const set = (day: number) => {
    for (const one of SERVERS) {
      const isDead = day >= DEAD_FROM && day < DEAD_FROM + one.days
      for (const [i, path] of pathsOf(one).entries())
        server.answers.set(
          path,
          isDead ? (FAILURES[(day + i) % FAILURES.length] ?? sendStatus(404)) : sendFile(bytes.get(path) ?? parked),
        )
    }
  }
  /** How many mirrored pictures the product of each server shows. */
  const shown = async () => {
    const rows = await db<{ productId: number; body: string }[]>`
      select product_id as "productId", body from payload_content
      where account_id = ${accountId} and store_id = ${account.storeIds[0]}`
    return SERVERS.map(({ host }) => {
      const row = rows.find(({ productId }) => productId === productOf.get(host))
      const { images } = JSON.parse(`{${row?.body ?? ''}}`) as { images: string[] }
      return images.filter((image) => image.startsWith(IMAGE_BASE)).length
    })
  }
  const isSettled = async (day: number) => {
    const [row] = await db<{ due: number; marks: number }[]>`
      select (select count(*)::int from image where account_id = ${accountId}
          and next_fetch_at <= now() + make_interval(secs => ${(day * DAY) / 1_000} + 20)) as due,
        (select count(*)::int from mark where account_id = ${accountId}) as marks`
    return row?.due === 0 && row.marks === 0
  }
  let kills = 0
  /** A day's work of the mirror, in a process that is then killed; on every third day also once while it works. */
  const live = async (day: number) => {
    set(day)
    const work = { url, directory, clockOffsetMs: day * DAY }
    const at = MIRROR_POINTS[day % MIRROR_POINTS.length] ?? 'mirror:before-commit'
    for (const killAt of day % 3 === 0 ? [`${at}#1`, undefined] : [undefined]) {
      const child = startMirrorChild(work, killAt)
      let hasEnded = false
      void child.ended.then(() => (hasEnded = true))
      await until(`day ${day} is over`, async () => hasEnded || (await isSettled(day)), 60_000)
      if (hasEnded) expect((await child.ended).signal).toBe('SIGKILL')
      else child.process.kill('SIGKILL')
      await child.ended
      kills += 1
    }
  }
  const told = async () => {
    const rows = await db<{ host: string }[]>`
      select facts ->> 'host' as host from notice where account_id = ${accountId} and kind = 'images_failing' order by notice_id`
    return rows.map(({ host }) => host.split(':')[0]).toSorted()
  }
  const store = openDiskStore(join(directory, 'images'))
  /** Removes unused pictures as of a day. @returns how many pictures are then stored. */
  const storedOn = async (day: number) => {
    const moved = openDb({ url, connectionsMax: 2, clockOffsetMs: day * DAY })
    const list = async () => {
      const stored: StoredImage[] = []
      for await (const one of store.list()) stored.push(one)
      return stored
    }
    await removeUnused(moved, store, await list(), new Date(Date.now() + day * DAY))
    await moved.end()
    return (await list()).length
  }

  await live(0)
  expect(await shown()).toEqual([4, 4, 4])
  for (let day = DEAD_FROM; day < DEAD_FROM + 60; day++) {
    const dead = day - DEAD_FROM
    // once the copies of the third server are dropped, every third day is enough
    if (dead > 31 && dead % 3 !== 1) continue
    await live(day)
    expect([day, await shown()]).toEqual([day, [4, 4, dead < 30 ? 4 : 0]])
    if (dead < 2) expect(await told()).toEqual([])
    // a process that is killed right after recording its checks sends no notice; checks of one of the next days do
    if (dead === 6) expect(await told()).toEqual(['127.0.3.1', '127.0.3.2', '127.0.3.3'])
    if (dead === 29 || dead === 43) expect(await storedOn(day)).toBe(12)
    if (dead === 46) expect(await storedOn(day)).toBe(8)
  }
  const [healed] = await db`
    select count(*)::int as count from image where account_id = ${accountId} and failures = 0 and failing_ms = 0 and told_at is null`
  expect(healed).toEqual({ count: 8 })
  for (let day = DEAD_FROM + 60; day <= DEAD_FROM + 96; day += 6) await live(day)
  expect(await shown()).toEqual([4, 4, 4])
  expect(await told()).toHaveLength(3)
  expect(kills).toBeGreaterThan(60)
  await expectAudited(db, accountId)
}, 1_200_000)
