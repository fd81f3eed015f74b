import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { stalePosition } from '../../src/catalog/stale/stale.sql.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { prng } from '../../src/demo/catalog/prng.ts'
import { readFeed } from '../../src/feed/read.ts'
import type { OfferGroup, OfferRecord } from '../../src/model/offer.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { counterGet } from '../../src/shelf/payloads/change-counter.sql.ts'
import { shelveBatch } from '../../src/shelf/shelve.ts'
import {
  createAccount,
  expectAudited,
  giveOffers,
  offer,
  openBench,
  type Bench,
  type TestAccount,
} from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { deadlocksSince, deadlocksSoFar, seedFor } from '../harness/interleave.ts'

// A write that joins or separates groups of variants also changes products that it does not write.

let database: TestDatabase
let bench: Bench
beforeAll(async () => {
  database = await createDatabase({ connectionsMax: 16 })
  bench = openBench(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())

const EANS = ['4006381333931', '96385074', '4000539002502', '5901234123457'] as const
const group = (key: string): OfferGroup => ({ key, title: { en: `Group ${key}` }, options: [], position: null })

/** Writes offers as a request does. @returns what is shelved when it is answered */
const write = (account: TestAccount, supplier: 0 | 1, offers: readonly OfferRecord[], waitMs = 0) =>
  bench.shelf.write(
    account.accountId,
    async (tx) => ({
      ...(await writeOffers(tx, account.accountId, account.suppliers[supplier]!, offers)),
      isForAll: false,
    }),
    waitMs,
  )

/** The product ids of each group in the first store. */
async function members(account: TestAccount): Promise<number[][]> {
  const rows = await database.db<{ productId: number; groupId: number }[]>`
    select product_id as "productId", (('{' || body || '}')::jsonb -> 'group' ->> 'id')::float8 as "groupId" from payload_content
    where account_id = ${account.accountId} and store_id = ${account.storeIds[0]} order by product_id`
  const found = Map.groupBy(
    rows.filter(({ groupId }) => groupId !== null),
    ({ groupId }) => groupId,
  )
  return [...found.values()].map((each) => each.map(({ productId }) => productId))
}

const NOTHING_WAITS = { markId: 0, sweepId: 0 }

/** Two groups of two suppliers, and an offer of the second for a product of the first's that is in no group of the second's. */
async function twoGroups(name: string, count = 3) {
  const account = await createAccount(bench, name)
  const first = await giveOffers(bench, account, [
    offer('A', { eans: [EANS[0]], group: group('tee') }),
    offer('B', { group: group('tee') }),
  ])
  await giveOffers(bench, account, [offer('1', { eans: [EANS[0]] })], 1)
  const second = await giveOffers(
    bench,
    account,
    Array.from({ length: count }, (_, i) => offer(`X-${i}`, { group: group('9') })),
    1,
  )
  return { account, first, second }
}

test('a write that joins two groups, and one that separates them, is answered when all of their products show it and are in the feed', async () => {
  const { account, first, second } = await twoGroups('answered')
  const { accountId, storeIds } = account
  const head = (await counterGet(database.db, accountId))!
  expect(await members(account)).toEqual([first, second])
  expect((await write(account, 1, [{ sku: '1', group: group('9') }])).unshelved).toEqual([])
  expect(await members(account)).toEqual([[...first, ...second]])
  expect(await stalePosition(database.db, accountId)).toEqual(NOTHING_WAITS)
  const since = { kind: 'pair', since: head.lastAt, id: head.lastId } as const
  const { changes } = await readFeed(database.db, accountId, storeIds[0], since, 1_000)
  // the older group keeps its id, and its products their payloads
  expect(changes.map(({ productId }) => productId).toSorted((a, b) => a - b)).toEqual(second)
  expect((await write(account, 1, [{ sku: '1', group: null }])).unshelved).toEqual([])
  expect((await members(account)).toSorted((a, b) => a[0]! - b[0]!)).toEqual([first, second])
  expect(await stalePosition(database.db, accountId)).toEqual(NOTHING_WAITS)
  await expectAudited(database.db, accountId)
})

test('whoever shelves the product that joins two groups shelves the others with it', async () => {
  const { account, first, second } = await twoGroups('stolen')
  const { accountId } = account
  // after the commit a worker shelves before the writer does
  const { productIds } = await inTransaction(database.db, (tx) =>
    writeOffers(tx, accountId, account.suppliers[1]!, [{ sku: '1', group: group('9') }]),
  )
  await shelveBatch(database.db, openCompiledAccounts(), accountId, productIds, {
    skipLocked: true,
    limit: 500,
  })
  expect(await members(account)).toEqual([[...first, ...second]])
  expect(await stalePosition(database.db, accountId)).toEqual(NOTHING_WAITS)
})

test('others that are more than a batch are shelved as far as the time of the write allows, and the workers are told of the rest', async () => {
  const count = Math.floor(LIMITS.shelveBatchPayloads / 3)
  const account = await createAccount(bench, 'many')
  const { accountId } = account
  const many = Array.from({ length: count }, (_, i) => offer(`A-${i}`, i === 0 ? { eans: [EANS[0]] } : {}))
  const first = await giveOffers(
    bench,
    account,
    many.map((each) => ({ ...each, group: group('tee') })),
  )
  await giveOffers(bench, account, [offer('1', { eans: [EANS[0]] })], 1)
  const second = await giveOffers(
    bench,
    account,
    many.map((each) => ({ ...each, eans: [], sku: `X${each.sku}`, group: group('9') })),
    1,
  )
  const all = [[...first, ...second]]
  const told: number[] = []
  bench.wake.on('mark', (id) => void told.push(id))
  await bench.wake.start()
  const joined = await write(account, 1, [{ sku: '1', group: group('9') }])
  expect(joined.productIds).toEqual([first[0]])
  expect(joined.unshelved).toHaveLength(count)
  await expect.poll(() => told).toContain(accountId)
  await bench.shelf.drain(accountId)
  expect(await members(account)).toEqual(all)
  const apart = await write(account, 1, [{ sku: '1', group: null }], 60_000)
  expect(apart.unshelved).toEqual([])
  expect(await stalePosition(database.db, accountId)).toEqual(NOTHING_WAITS)
  expect((await members(account)).toSorted((a, b) => a[0]! - b[0]!)).toEqual([first, second])
  await bench.wake.stop()
  await expectAudited(database.db, accountId)
}, 120_000)

test('writes that join and separate the same groups at the same time neither deadlock nor are answered too early', async () => {
  const account = await createAccount(bench, 'together')
  const { accountId } = account
  const random = prng(seedFor('joined groups'))
  const keys = ['A', 'B', 'C', 'D']
  await giveOffers(
    bench,
    account,
    keys.map((sku, i) => offer(sku, { eans: [EANS[i]!], group: group(sku) })),
  )
  await giveOffers(
    bench,
    account,
    keys.map((sku, i) => offer(`S${sku}`, { eans: [EANS[i]!] })),
    1,
  )
  const before = await deadlocksSoFar(database.db)
  for (let round = 0; round < 25; round++) {
    const said = keys.map((sku) => ({
      sku: `S${sku}`,
      group: random() < 0.3 ? null : group(random() < 0.5 ? 'left' : 'right'),
    }))
    await Promise.all(said.map((each) => write(account, 1, [each])))
    expect(await stalePosition(database.db, accountId), `round ${round}`).toEqual(NOTHING_WAITS)
    await expectAudited(database.db, accountId, `round ${round}`)
  }
  expect(await deadlocksSince(database.db, before)).toBe(0)
}, 60_000)
