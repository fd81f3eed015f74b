import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { Reader } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { walkStore } from '../../src/shelf/reads/payload-walk.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

// Reading all payloads of a store in pages, and how far that reads ahead.

const { database, bench } = worldOfFile({})
const PAGES = 3
let small: TestAccount
let large: TestAccount
beforeAll(async () => {
  small = await createAccount(bench, 'small')
  large = await createAccount(bench, 'large')
  const count = LIMITS.exportPageProducts * (PAGES - 1) + 1
  const description = 'x'.repeat(LIMITS.exportPageReadAheadCharacters / LIMITS.exportPageProducts)
  await giveOffers(
    bench,
    small,
    Array.from({ length: count }, (_, i) => offer(`S${i}`)),
  )
  await giveOffers(
    bench,
    large,
    Array.from({ length: count }, (_, i) => offer(`L${i}`, { texts: { en: { title: 'Large', description } } })),
  )
})

/** A reader that counts the statements for pages, and makes the one with this number fail. */
function counting(failing = Infinity) {
  const asked = { pages: 0 }
  const reader = new Proxy(database.db, {
    apply(db, self, args: [string | TemplateStringsArray, ...unknown[]]) {
      const [texts] = args
      // the statement for a page is an empty template around another with the whole text
      const isPage = typeof texts !== 'string' && texts.join('').trim() === ''
      if (isPage && ++asked.pages === failing) return Promise.reject(new Error('no connection'))
      return Reflect.apply(db, self, args) as unknown
    },
  }) as Reader
  return { reader, asked }
}
const walk = (reader: Reader, { accountId, storeIds }: TestAccount) =>
  walkStore(reader, accountId, storeIds[0], { shape: 'products', seesCosts: true })

test.each(['small', 'large'])('every %s product is there once, in the order of ids', async (size) => {
  const account = size === 'small' ? small : large
  const { reader, asked } = counting()
  const pages: (readonly string[])[] = []
  for await (const page of walk(reader, account)) pages.push(page)
  const ids = pages.flat().map((product) => (JSON.parse(product) as { id: number }).id)
  expect([pages.length, asked.pages, new Set(ids).size]).toEqual([PAGES, PAGES, ids.length])
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(ids).toHaveLength(LIMITS.exportPageProducts * (PAGES - 1) + 1)
})

test('the next page of small products is read while one is sent; that of large ones is read after it', async () => {
  for (const [account, pages] of [
    [small, 2],
    [large, 1],
  ] as const) {
    const { reader, asked } = counting()
    const walking = walk(reader, account)
    await walking.next()
    await sleep(50)
    expect(asked.pages).toBe(pages)
    await walking.return(undefined)
    await sleep(50)
    expect(asked.pages).toBe(pages)
  }
})

test('a page that could not be read ahead fails when it is asked for, and harms nobody who stops before', async () => {
  const read = walk(counting(2).reader, small)
  expect((await read.next()).done).toBe(false)
  await expect(read.next()).rejects.toThrow('no connection')
  // an unhandled rejection would fail the run
  const left = walk(counting(2).reader, small)
  await left.next()
  await left.return(undefined)
  await sleep(50)
})
