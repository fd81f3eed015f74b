import { afterAll, beforeAll, expect, test } from 'vitest'
import { setOverrides, setOwnStock } from '../catalog/products/products.ts'
import { setListing } from '../../test/harness/product-edits.ts'
import { inTransaction } from '../db/sql.ts'
import { counterFence, counterGet } from '../shelf/change-counter.sql.ts'
import {
  createAccount,
  giveOffers,
  offer,
  openBench,
  type Bench,
  type TestAccount,
} from '../../test/harness/account.ts'
import { createDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { readFeed, type Cursor, type FeedWindow } from './read.ts'

let database: TestDatabase
let bench: Bench
beforeAll(async () => {
  database = await createDatabase()
  bench = openBench(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())

const read = (account: TestAccount, cursor: Cursor, limit = 500) =>
  readFeed(database.db, account.accountId, account.storeIds[0], cursor, limit)
const ids = (window: FeedWindow) => window.changes.map((change) => change.productId)
const after = (window: FeedWindow): Cursor => ({ kind: 'pair', ...window.next })

/** The account's counter as a cursor. */
async function counter({ accountId }: TestAccount): Promise<{ since: Date; id: number }> {
  const head = await counterGet(database.db, accountId)
  return { since: head?.lastAt ?? new Date(Number.NaN), id: head?.lastId ?? -1 }
}

const offers = (count: number) => Array.from({ length: count }, (_, i) => offer(`A${i}`))

async function stock(account: TestAccount, productId: number, quantity: number): Promise<void> {
  await bench.shelf.write(account.accountId, (tx) =>
    setOwnStock(tx, account.accountId, [{ productId, quantity, cost: null }]),
  )
}

test('an account without changes returns its counter as the cursor, which shows later writes', async () => {
  const account = await createAccount(bench)
  const empty = await read(account, { kind: 'beginning' })
  expect(empty).toEqual({ changes: [], next: await counter(account), hasMore: false })
  expect(empty.next.id).toBe(0)
  expect(await read(account, after(empty))).toEqual(empty)
  const written = await giveOffers(bench, account, offers(2))
  expect(ids(await read(account, after(empty)))).toEqual(written)
})

test('an account that does not exist is an error, not an empty feed', async () => {
  await expect(readFeed(database.db, 987_654_321, 1, { kind: 'beginning' }, 5)).rejects.toMatchObject({
    code: 'unknown-account',
  })
})

test('`now` returns the head and no changes; from there exactly the one later write is shown', async () => {
  const account = await createAccount(bench)
  const [, second = 0] = await giveOffers(bench, account, offers(3))
  const now = await read(account, { kind: 'now' })
  expect(now).toEqual({ changes: [], next: await counter(account), hasMore: false })
  await stock(account, second, 7)
  const later = await read(account, after(now))
  expect(later.changes).toMatchObject([{ productId: second, kinds: ['price'] }])
})

test('`since` alone shows all changes at or after that second', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  const [first = 0, second = 0] = await giveOffers(bench, account, offers(2))
  await database.db`update change_counter set last_at = (last_at at time zone 'UTC' + interval '10 seconds') at time zone 'UTC' where account_id = ${accountId}`
  const { since } = await counter(account)
  await stock(account, second, 7)
  expect(ids(await read(account, { kind: 'second', since }))).toEqual([second])
  expect(ids(await read(account, { kind: 'second', since: new Date(since.getTime() - 11_000) }))).toEqual([
    first,
    second,
  ])
  // between the last change and the head: nothing, and the cursor stays where it is
  const quiet = new Date(since.getTime() + 1_000)
  await database.db`update change_counter set last_at = ${new Date(since.getTime() + 5_000)} where account_id = ${accountId}`
  expect(await read(account, { kind: 'second', since: quiet })).toEqual({
    changes: [],
    next: { since: quiet, id: 0 },
    hasMore: false,
  })
})

test('`since` beyond the head shows nothing and returns the head as the cursor, which shows later writes', async () => {
  const account = await createAccount(bench)
  const [first = 0] = await giveOffers(bench, account, offers(1))
  const future = await read(account, { kind: 'second', since: new Date(Date.now() + 86_400_000) })
  expect(future).toEqual({ changes: [], next: await counter(account), hasMore: false })
  await stock(account, first, 7)
  expect(ids(await read(account, after(future)))).toEqual([first])
})

test('hasMore is exact at the edges of a window, and windows within one second neither repeat nor skip a change', async () => {
  const account = await createAccount(bench)
  const written = await giveOffers(bench, account, offers(30))
  expect((await read(account, { kind: 'beginning' }, 29)).hasMore).toBe(true)
  expect((await read(account, { kind: 'beginning' }, 30)).hasMore).toBe(false)
  expect((await read(account, { kind: 'beginning' }, 31)).hasMore).toBe(false)
  const seen: number[] = []
  const sizes: number[] = []
  let cursor: Cursor = { kind: 'beginning' }
  for (let isMore = true; isMore;) {
    const window: FeedWindow = await read(account, cursor, 10)
    seen.push(...ids(window))
    sizes.push(window.changes.length)
    cursor = after(window)
    isMore = window.hasMore
  }
  expect(sizes).toEqual([10, 10, 10])
  expect(seen).toEqual(written)
  const end = await read(account, cursor, 10)
  expect(end).toEqual({
    changes: [],
    next: { since: 'since' in cursor ? cursor.since : null, id: 'id' in cursor ? cursor.id : null },
    hasMore: false,
  })
})

test('a product is shown once, at its latest position, with every kind that changed after the cursor', async () => {
  const account = await createAccount(bench)
  const { accountId, storeIds } = account
  const [first = 0, second = 0] = await giveOffers(bench, account, offers(2))
  const start = await read(account, { kind: 'now' })
  await bench.shelf.write(accountId, (tx) =>
    setOverrides(tx, accountId, [{ productId: first, field: 'title', locale: 'en', value: 'New' }]),
  )
  const between = await read(account, after(start))
  await stock(account, first, 7)
  expect((await read(account, { kind: 'beginning' })).changes).toMatchObject([
    { productId: second, kinds: ['price', 'content'] },
    { productId: first, kinds: ['content', 'price'] },
  ])
  expect((await read(account, after(start))).changes).toMatchObject([{ productId: first, kinds: ['content', 'price'] }])
  expect((await read(account, after(between))).changes).toMatchObject([{ productId: first, kinds: ['price'] }])
  const list = (isListed: boolean) =>
    bench.shelf.write(accountId, (tx) => setListing(tx, accountId, storeIds[0], [first], isListed))
  await list(false)
  expect((await read(account, after(start))).changes).toMatchObject([{ productId: first, kinds: ['removed'] }])
  await list(true)
  expect((await read(account, after(start))).changes).toMatchObject([{ productId: first, kinds: ['price', 'content'] }])
})

test('a cursor beyond the head by number or by time is refused; the head itself is not', async () => {
  const account = await createAccount(bench)
  await giveOffers(bench, account, offers(1))
  const head = await counter(account)
  expect(await read(account, { kind: 'pair', ...head })).toEqual({ changes: [], next: head, hasMore: false })
  const ahead = { code: 'cursor-ahead' }
  await expect(read(account, { kind: 'pair', since: head.since, id: head.id + 1 })).rejects.toMatchObject(ahead)
  await expect(
    read(account, { kind: 'pair', since: new Date(head.since.getTime() + 1_000), id: head.id }),
  ).rejects.toMatchObject(ahead)
})

test('after fence-restore lost cursors are refused for ever; older and newer ones are accepted', async () => {
  const account = await createAccount(bench)
  const [first = 0] = await giveOffers(bench, account, offers(1))
  const kept = await counter(account)
  await inTransaction(database.db, (tx) => counterFence(tx, account.accountId))
  await stock(account, first, 7)
  const lost: Cursor = { kind: 'pair', since: kept.since, id: kept.id + 3 }
  await expect(read(account, lost)).rejects.toMatchObject({ code: 'cursor-ahead' })
  const accepted = await read(account, { kind: 'pair', ...kept })
  expect(ids(accepted)).toEqual([first])
  expect(accepted.next.id).toBeGreaterThan(1_000_000_000)
  expect((await read(account, after(accepted))).changes).toEqual([])
})
