import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openDiskStore } from '../../src/images/store/disk-store.ts'
import { checkImages } from '../../src/images/unused/check.ts'
import type { OfferRecord } from '../../src/model/offer.ts'
import { bundleOfFile } from '../harness/child-bundle.ts'
import { createAccount, offer, type TestAccount, expectAudited } from '../harness/account.ts'
import { IMAGE_BASE, turnMirrorOn } from '../harness/images.ts'
import { everyNth, thirdOnCluster } from '../harness/gate.ts'
import { until } from '../harness/interleave.ts'
import { plainPicture } from '../images/pictures.ts'
import { sendFile, startPictureServer } from '../images/picture-server.ts'
import { MIRROR_CHILD, startMirrorChild } from './mirror-child.ts'
import { MIRROR_POINTS } from './mirror-points.ts'
import { directoryOfFile, ofFile, worldOfFile } from '../harness/world.ts'

// A process that mirrors and shelves is killed between any two of the steps claim, fetch, put, record, commit and shelve. No
// payload ever names a picture that is not in the store, and in the end every picture is stored.

const PRODUCTS = 12

const directory = directoryOfFile('mirror-kill')
const { database, bench } = worldOfFile()
const server = ofFile(startPictureServer)
bundleOfFile(MIRROR_CHILD)

/** The hashes of all mirrored pictures that any payload names. */
async function namedHashes(accountId: number): Promise<string[]> {
  const rows = await database.db<{ body: string }[]>`select body from payload_content where account_id = ${accountId}`
  return rows.flatMap(({ body }) =>
    (JSON.parse(`{${body}}`) as { images: string[] }).images
      .filter((url) => url.startsWith(IMAGE_BASE))
      .map((url) => /([0-9a-f]{64})/.exec(url)?.[1] ?? 'not a hash'),
  )
}

let run = 0

/** Products with a picture each and one common picture, marked but not shelved yet. */
async function products(): Promise<TestAccount> {
  const account = await createAccount(bench)
  await turnMirrorOn(database.db, account.accountId)
  run += 1
  const offers: OfferRecord[] = []
  for (let i = 0; i < PRODUCTS; i++) {
    const path = `/${run}-${i}.png`
    server.answers.set(path, sendFile(await plainPicture(100 * run + i + 1, 7)))
    const at = `http://127.0.2.${run}:${server.port}`
    offers.push(offer(`M${i}`, { images: [`${at}${path}`, `${at}/${run}-0.png`, `${at}/none-${i % 2}`] }))
  }
  await inTransaction(database.db, (tx) => writeOffers(tx, account.accountId, account.suppliers[0]!, offers))
  return account
}

// a gate kills at the first pass of every point, and at the third of two points, which may never be reached
test.each(
  thirdOnCluster([
    ...MIRROR_POINTS.map((at) => ({ at, pass: 1 })),
    ...everyNth(MIRROR_POINTS, 3).map((at) => ({ at, pass: 3 })),
  ]),
)('killed at $at, pass $pass', async ({ at, pass }) => {
  const { accountId } = await products()
  const store = openDiskStore(join(directory, 'images'))
  const work = { url: database.url, directory }
  // the third pass may never be reached: a batch is registered once, and a host's pictures are claimed and recorded once
  const killed = startMirrorChild(work, `${at}#${pass}`)
  const isSettled = async () => {
    const [row] = await database.db<{ open: number; marks: number }[]>`
        select (select count(*)::int from image where account_id = ${accountId} and state = 'pending') as open,
          (select count(*)::int from mark where account_id = ${accountId}) + (select count(*)::int from sweep where account_id = ${accountId}) as marks`
    const [known] = await database.db<{ images: number }[]>`
        select count(*)::int as images from image where account_id = ${accountId}`
    return row?.open === 0 && row.marks === 0 && known?.images === PRODUCTS + 2
  }
  const watched: string[][] = []
  const watch = async () => {
    // payloads are read first: a picture that one names must still be there afterwards
    const hashes = await namedHashes(accountId)
    for (const hash of hashes) if ((await store.stat(hash)) === undefined) watched.push([hash])
  }
  let hasEnded = false
  void killed.ended.then(() => (hasEnded = true))
  await until('the process is killed, or has nothing to do', async () => {
    await watch()
    return hasEnded || (await isSettled())
  })
  if (hasEnded) expect((await killed.ended).signal).toBe('SIGKILL')
  else await killed.stop()
  if (pass === 1) expect(hasEnded).toBe(true)
  await watch()
  const second = startMirrorChild(work)
  await until('all pictures are known, and all products shelved', async () => {
    await watch()
    return isSettled()
  })
  await second.stop()
  expect(watched).toEqual([])
  // each product's own picture and the common one, which is the first product's own
  expect(new Set(await namedHashes(accountId)).size).toBe(PRODUCTS)
  await expectAudited(database.db, accountId)
  expect(await checkImages(database.db, store, [accountId], { repair: false })).toMatchObject({
    pictures: PRODUCTS,
    lostTotal: 0,
  })
})
