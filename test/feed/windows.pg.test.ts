import { expect, test } from 'vitest'
import { readFeed, type Cursor } from '../../src/feed/read.ts'
import { openWindows } from '../../src/feed/windows.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

const { database, bench } = worldOfFile()

/** Statements that are sent while `work` runs. */
async function statementsOf<T>(work: () => Promise<T>): Promise<{ value: T; count: number }> {
  let count = 0
  database.db.onStatement = () => count++
  try {
    return { value: await work(), count }
  } finally {
    database.db.onStatement = null
  }
}

test('windows of one turn share a statement per account, and each is what it is alone', async () => {
  const accounts = []
  for (const name of ['one', 'two']) {
    const account = await createAccount(bench, name)
    await giveOffers(
      bench,
      account,
      ['A', 'B', 'C', 'D'].map((sku) => offer(sku)),
    )
    await giveOffers(bench, account, [offer('A', { cost: '11' })])
    accounts.push(account)
  }
  const asked: [accountId: number, storeId: number, cursor: Cursor, limit: number][] = []
  for (const { accountId, storeIds } of accounts) {
    const { next } = await readFeed(database.db, accountId, storeIds[0], { kind: 'beginning' }, 2)
    const { next: head } = await readFeed(database.db, accountId, storeIds[0], { kind: 'now' }, 1)
    for (const storeId of storeIds)
      for (const cursor of [
        { kind: 'beginning' },
        { kind: 'now' },
        { kind: 'pair', ...next },
        { kind: 'pair', ...head },
      ] satisfies Cursor[])
        asked.push([accountId, storeId, cursor, 3])
    asked.push([accountId, storeIds[1], { kind: 'beginning' }, 1_000])
  }
  const alone = []
  for (const each of asked) alone.push(await readFeed(database.db, ...each))
  const windows = openWindows(database.db)
  const { value: together, count } = await statementsOf(() =>
    Promise.all(asked.map((each) => readFeed(database.db, ...each, windows))),
  )
  expect(together).toEqual(alone)
  expect(alone.some(({ changes }) => changes.length === 0) && alone.some(({ hasMore }) => hasMore)).toBe(true)
  expect(count).toBe(accounts.length)
})

test('more windows than one statement reads are read by several', async () => {
  const account = await createAccount(bench, 'three')
  const [, last = 0] = await giveOffers(
    bench,
    account,
    ['A', 'B'].map((sku) => offer(sku)),
  )
  const windows = openWindows(database.db)
  const many = 2 * LIMITS.feedWindowsMax + 1
  const { value, count } = await statementsOf(() =>
    Promise.all(
      Array.from({ length: many }, () =>
        readFeed(database.db, account.accountId, account.storeIds[0], { kind: 'beginning' }, 10, windows),
      ),
    ),
  )
  expect(count).toBe(3)
  for (const { changes } of value) expect(changes.at(-1)?.productId).toBe(last)
})

test('a cursor that is ahead, and an account that there is not, fail alone', async () => {
  const account = await createAccount(bench, 'four')
  const windows = openWindows(database.db)
  const read = (accountId: number, cursor: Cursor) =>
    readFeed(database.db, accountId, account.storeIds[0], cursor, 5, windows)
  const outcomes = await Promise.allSettled([
    read(account.accountId, { kind: 'beginning' }),
    read(account.accountId, { kind: 'pair', since: new Date('2030-01-01'), id: 9 }),
    read(987_654_321, { kind: 'beginning' }),
    read(987_654_321, { kind: 'now' }),
  ])
  expect(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'read' : (outcome.reason as { code: string }).code)),
  ).toEqual(['read', 'cursor-ahead', 'unknown-account', 'unknown-account'])
})
