import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { bytesLockShared } from '../../src/images/mirror/records.sql.ts'
import { openDiskStore } from '../../src/images/store/disk-store.ts'
import type { ImageStore, StoredImage } from '../../src/images/store/image-store.ts'
import { removeUnused } from '../../src/images/unused/remove.ts'
import { forgetVariants } from '../../src/images/variants/forget.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { pictureOf, recordAs, turnMirrorOn } from '../harness/images.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import { fileOf } from './pictures.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// The removal of unused stored pictures: not too early, and never one that is just being used again.

const DAY = 86_400_000
const LATER = new Date(Date.now() + (LIMITS.imageUnusedDays + 1) * DAY)

const directory = directoryOfFile('unused')
const { database, bench } = worldOfFile()
let store: ImageStore
beforeAll(async () => {
  store = openDiskStore(join(directory, 'images'))
})

const hashOf = (content: string) => (pictureOf(content) as { hash: string }).hash

async function put(content: string): Promise<string> {
  await store.put(hashOf(content), fileOf(directory, 'file', content), 'image/png')
  return hashOf(content)
}

/** An account with a product that shows this picture. */
async function showing(content: string): Promise<TestAccount & { url: string }> {
  const account = await createAccount(bench)
  await turnMirrorOn(database.db, account.accountId)
  const url = `https://images.example.com/${content}.png`
  await giveOffers(bench, account, [offer('P', { images: [url] })])
  await put(content)
  await inTransaction(database.db, (tx) => recordAs(tx, account.accountId, url, pictureOf(content)))
  return { ...account, url }
}

const isStored = async (content: string) => (await store.stat(hashOf(content))) !== undefined
async function listed(): Promise<StoredImage[]> {
  const all: StoredImage[] = []
  for await (const one of store.list()) all.push(one)
  return all
}
const remove = async (now = LATER) => removeUnused(database.db, store, await listed(), now)

test('bytes that were put and never recorded, as a crash leaves them, are removed when they are old', async () => {
  await put('orphan')
  await remove(new Date())
  expect(await isStored('orphan')).toBe(true)
  await remove()
  expect(await isStored('orphan')).toBe(false)
})

test('bytes stay while any account uses them, and a while longer, for a restored backup', async () => {
  const first = await showing('shared')
  const second = await showing('shared')
  const drop = ({ accountId, url }: { accountId: number; url: string }) =>
    inTransaction(database.db, (tx) => recordAs(tx, accountId, url, { kind: 'lost', hasSource: false }))
  await drop(first)
  await remove()
  expect(await isStored('shared')).toBe(true)
  await drop(second)
  // old bytes whose use has only just ended
  await remove()
  expect(await isStored('shared')).toBe(true)
  const longAgo = new Date(Date.now() - (LIMITS.imageUnusedDays + 1) * DAY)
  for (const { accountId } of [first, second])
    await database.db`update image_unused set since = ${longAgo} where account_id = ${accountId}`
  await remove()
  expect(await isStored('shared')).toBe(false)
})

test('bytes that somebody is about to use are not removed', async () => {
  const account = await showing('old')
  await put('wanted')
  await using a = openNamed(database)
  // it has checked that the bytes exist, but not yet recorded that it uses them
  await using recording = await hold(database.db, async (tx) => {
    await bytesLockShared(tx, [hashOf('wanted')])
    const isThere = await isStored('wanted')
    await recordAs(tx, account.accountId, account.url, pictureOf('wanted'))
    return isThere
  })
  expect(recording.value).toBe(true)
  const removing = removeUnused(a.db, store, await listed(), LATER)
  expect(await a.fate(removing)).toBe('blocked')
  await recording.commit()
  await removing
  expect(await isStored('wanted')).toBe(true)
})

test('sizes that were made of a picture are removed once nobody uses it, and those of others stay', async () => {
  const root = join(directory, 'image-variants')
  const first = await showing('sized')
  await showing('kept')
  const nameOf = (content: string, size: string) => `${hashOf(content)}-${size}-1.webp`
  const places = new Set(['sized', 'kept'].map((content) => Number.parseInt(hashOf(content).slice(0, 2), 16)))
  for (const content of ['sized', 'kept'])
    for (const size of ['100x100', '200x200']) {
      const place = join(root, hashOf(content).slice(0, 2))
      mkdirSync(place, { recursive: true })
      fileOf(place, nameOf(content, size), content)
    }
  const forget = async () => {
    let removed = 0
    for (const place of places) removed += await forgetVariants(database.db, root, place)
    return removed
  }
  const left = (content: string) =>
    readdirSync(join(root, hashOf(content).slice(0, 2))).filter((name) => name.startsWith(hashOf(content))).length
  expect(await forget()).toBe(0)
  // as after the erasure of an account: no row says that the picture was used
  await database.db`
    delete from product_image where account_id = ${first.accountId} and url_hash in (
      select url_hash from image where account_id = ${first.accountId})`
  await database.db`delete from image where account_id = ${first.accountId}`
  expect(await forget()).toBe(1)
  expect([left('sized'), left('kept')]).toEqual([0, 2])
})
