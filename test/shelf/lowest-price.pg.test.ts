import { expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { priceHistory } from '../../src/shelf/payloads/price-history.ts'
import { isDueForTrimming } from '../../src/shelf/payloads/price-history.sql.ts'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { bench, database, DAY_MS, shownIn, subject, type Subject, setUp } from './priced-product.ts'

setUp()

// Reads of past prices: the history of a group, and the lowest price of 30 days.

/** Writes rows of the history as if they were written some days ago. */
async function past(
  { account, id }: Subject,
  rows: readonly [daysAgo: number, shown: string | null][],
  now: Date,
): Promise<void> {
  const at = (daysAgo: number) => new Date(now.getTime() - daysAgo * DAY_MS).toISOString()
  await database.db`delete from price_history where account_id = ${account.accountId} and product_id = ${id} and store_id = ${account.storeIds[0]}`
  for (const [daysAgo, shown] of rows) {
    await database.db`insert into price_history (account_id, product_id, store_id, from_at, shown)
      values (${account.accountId}, ${id}, ${account.storeIds[0]}, ${at(daysAgo)}, ${shown})`
  }
}

test('the history of one group: newest first, neighbours differ, other groups’ moves are none', async () => {
  const it = await subject()
  const { account, id } = it
  const now = new Date('2026-11-20T12:00:00Z')
  const read = (groupId: number) => priceHistory(database.db, account.accountId, id, account.storeIds[0], groupId, now)
  await past(
    it,
    [
      [90, 'EUR 1:10 21:9'],
      [80, 'EUR 1:10 21:8'],
      [70, 'EUR 1:12 21:8'],
      [60, null],
      [50, 'EUR 1:12'],
      [40, ''],
      [20, 'USD 1:12 21:7'],
      [10, 'USD 1:12 21:7.5'],
    ],
    now,
  )
  const days = (days: number) => new Date(now.getTime() - days * DAY_MS)
  expect((await read(1)).entries).toEqual([
    { from: days(20), to: null, price: '12', currency: 'USD' },
    { from: days(40), to: days(20), price: null, currency: null },
    { from: days(50), to: days(40), price: '12', currency: 'EUR' },
    { from: days(60), to: days(50), price: null, currency: null },
    { from: days(70), to: days(60), price: '12', currency: 'EUR' },
    { from: days(90), to: days(70), price: '10', currency: 'EUR' },
  ])
  expect((await read(21)).entries.map(({ price, currency }) => [price, currency])).toEqual([
    ['7.5', 'USD'],
    ['7', 'USD'],
    [null, null],
    ['8', 'EUR'],
    ['9', 'EUR'],
  ])
  // group 2 must not match rows of the groups 21 and 12
  expect((await read(2)).entries).toEqual([{ from: days(90), to: null, price: null, currency: null }])
  expect(await priceHistory(database.db, account.accountId, id + 1, account.storeIds[0], 1, now)).toEqual({
    entries: [],
    lowest30Days: null,
    lowestBefore: null,
  })
})

test('the lowest price of 30 days', async () => {
  const it = await subject()
  const { account, id } = it
  const now = new Date('2026-11-20T12:00:00Z')
  const lowest = async (rows: [number, string | null][]) => {
    await past(it, rows, now)
    const found = (await priceHistory(database.db, account.accountId, id, account.storeIds[0], 1, now)).lowest30Days
    return found === null
      ? null
      : [found.price, found.currency, Math.round((now.getTime() - found.from.getTime()) / DAY_MS)]
  }
  expect(
    await lowest([
      [90, 'EUR 1:10'],
      [31, 'EUR 1:12'],
      [5, 'EUR 1:15'],
    ]),
    'what stood when they began counts',
  ).toEqual(['12', 'EUR', 31])
  expect(
    await lowest([
      [90, 'EUR 1:10'],
      [29, 'EUR 1:12'],
      [5, 'EUR 1:15'],
    ]),
    'by whatever had begun it',
  ).toEqual(['10', 'EUR', 90])
  expect(
    await lowest([
      [90, 'EUR 1:10'],
      [30, 'EUR 1:12'],
    ]),
    'what ended as they began does not',
  ).toEqual(['12', 'EUR', 30])
  expect(
    await lowest([
      [90, 'EUR 1:9.5'],
      [20, 'EUR 1:10'],
      [5, 'EUR 1:8'],
    ]),
    'the present price counts',
  ).toEqual(['8', 'EUR', 5])
  expect(
    await lowest([
      [90, 'EUR 1:100'],
      [20, 'EUR 1:9.5'],
      [10, 'EUR 1:20'],
    ]),
    'as numbers, not as texts',
  ).toEqual(['9.5', 'EUR', 20])
  expect(
    await lowest([
      [90, 'EUR 1:9'],
      [9, 'EUR 1:10'],
      [5, 'EUR 1:9'],
      [1, 'EUR 1:10'],
    ]),
    'the latest of equals',
  ).toEqual(['9', 'EUR', 5])
  expect(
    await lowest([
      [90, 'USD 1:1'],
      [20, 'EUR 1:10'],
      [5, 'EUR 1:12'],
    ]),
    'another currency does not count',
  ).toEqual(['10', 'EUR', 20])
  expect(
    await lowest([
      [90, 'EUR 1:8'],
      [20, null],
      [5, 'EUR 1:12'],
    ]),
    'leaving and coming back hides nothing',
  ).toEqual(['8', 'EUR', 90])
  expect(
    await lowest([
      [90, 'EUR 1:0.1'],
      [20, 'EUR 1:0'],
      [5, 'EUR 1:12'],
    ]),
  ).toEqual(['0', 'EUR', 20])
  expect(
    await lowest([
      [90, 'EUR 1:8'],
      [5, null],
    ]),
    'no price now',
  ).toEqual(['8', 'EUR', 90])
  expect(
    await lowest([
      [90, 'EUR 1:8'],
      [5, 'EUR 2:3'],
    ]),
    'no price of this group now',
  ).toEqual(['8', 'EUR', 90])
  expect(await lowest([])).toBeNull()
  expect(
    await lowest([
      [90, 'EUR 1:8'],
      [31, null],
    ]),
    'no price for 30 days',
  ).toBeNull()
})

test('the lowest price of the 30 days before the present one', async () => {
  const it = await subject()
  const { account, id } = it
  const now = new Date('2026-11-20T12:00:00Z')
  const before = async (rows: [number, string | null][]) => {
    await past(it, rows, now)
    const found = (await priceHistory(database.db, account.accountId, id, account.storeIds[0], 1, now)).lowestBefore
    return found === null
      ? null
      : [found.price, found.currency, Math.round((now.getTime() - found.from.getTime()) / DAY_MS)]
  }
  expect(
    await before([
      [90, 'EUR 1:10'],
      [50, 'EUR 1:14'],
      [40, 'EUR 1:12'],
      [2, 'EUR 1:9'],
    ]),
    'the reduced price itself does not count',
  ).toEqual(['12', 'EUR', 40])
  expect(
    await before([
      [90, 'EUR 1:10'],
      [33, 'EUR 1:14'],
      [2, 'EUR 1:9'],
    ]),
    'what ended before those 30 days began does not',
  ).toEqual(['14', 'EUR', 33])
  expect(
    await before([
      [90, 'EUR 1:10'],
      [31, 'EUR 1:14'],
      [2, 'EUR 1:9'],
    ]),
    'what ended within them does',
  ).toEqual(['10', 'EUR', 90])
  expect(
    await before([
      [400, 'EUR 1:10'],
      [200, 'EUR 1:9'],
    ]),
    'however long ago the reduction was',
  ).toEqual(['10', 'EUR', 400])
  expect(
    await before([
      [20, 'EUR 1:10'],
      [10, null],
      [5, 'EUR 1:12'],
    ]),
    'a gap hides nothing',
  ).toEqual(['10', 'EUR', 20])
  expect(
    await before([
      [20, 'USD 1:1'],
      [5, 'EUR 1:12'],
    ]),
    'another currency does not count',
  ).toBeNull()
  expect(await before([[20, 'EUR 1:10']]), 'the first price').toBeNull()
  expect(
    await before([
      [20, 'EUR 1:10'],
      [5, null],
    ]),
    'no price now',
  ).toBeNull()
})

test('more moves than are listed: the newest are, and the lowest of 30 days is among all', async () => {
  const it = await subject()
  const { account, id } = it
  const now = new Date('2026-11-20T12:00:00Z')
  const count = LIMITS.priceHistoryEntriesMax + 500
  await past(it, [], now)
  await database.db`
    insert into price_history (account_id, product_id, store_id, from_at, shown)
    select ${account.accountId}, ${id}, ${account.storeIds[0]}, ${now.toISOString()}::timestamptz - make_interval(mins => ${count} - i), 'EUR 1:' || case i when 3 then 1 else 100 + i end
    from generate_series(1, ${count}::int) as i`
  const { entries, lowest30Days } = await priceHistory(database.db, account.accountId, id, account.storeIds[0], 1, now)
  expect(entries).toHaveLength(LIMITS.priceHistoryEntriesMax)
  expect(entries[0]).toMatchObject({ to: null, price: String(100 + count) })
  expect(lowest30Days?.price).toBe('1')
})

test('rows that are outlived go as new ones come on the product’s day, and are not read meanwhile', async () => {
  const account = await createAccount(bench, 'outlived')
  const skus = Array.from({ length: 16 }, (_, i) => `A${i}`)
  const ids = await giveOffers(
    bench,
    account,
    skus.map((sku) => offer(sku, { cost: '10' })),
  )
  const now = new Date()
  const due = ids.findIndex((id) => isDueForTrimming(id, now))
  const it = { account, id: ids[due]!, groups: [0, 0] as [number, number] }
  const beside = { ...it, id: ids[(due + 1) % 16]! }
  const { id } = it
  const old = LIMITS.priceHistoryDaysMax
  for (const each of [it, beside])
    await past(
      each,
      [
        [old + 50, 'EUR 1:1'],
        [old + 40, 'EUR 1:2'],
        [old + 30, 'EUR 1:3'],
        [old + 20, 'EUR 1:4'],
        [old - 1, 'EUR 1:5'],
      ],
      now,
    )
  const { entries } = await priceHistory(database.db, account.accountId, id, account.storeIds[0], 1, now)
  expect(
    entries.map(({ price }) => price),
    'what lasted into the time that is kept',
  ).toEqual(['5', '4'])
  const prices = async (subject: Subject) =>
    (await shownIn(subject)).map((shown) => shown?.split(' ')[1]?.split(':')[1])
  await giveOffers(
    bench,
    account,
    skus.map((sku) => offer(sku, { cost: '20' })),
  )
  expect(await prices(it), 'the one that lasted into the time that is kept stays').toEqual(['4', '5', '25'])
  expect(await prices(beside), 'has its day tomorrow or later').toEqual(['1', '2', '3', '4', '5', '25'])
  await giveOffers(
    bench,
    account,
    skus.map((sku) => offer(sku, { cost: '30' })),
  )
  expect(await prices(it)).toEqual(['4', '5', '25', '37.5'])
  // more rows than are deleted at once
  const many = LIMITS.priceHistoryDeletedPerKey + 20
  await past(
    it,
    Array.from({ length: many }, (_, i) => [old + many - i, `EUR 1:${i}`]),
    now,
  )
  await giveOffers(
    bench,
    account,
    skus.map((sku) => offer(sku, { cost: '40' })),
  )
  expect((await prices(it))[0]).toBe(String(LIMITS.priceHistoryDeletedPerKey))
  await giveOffers(
    bench,
    account,
    skus.map((sku) => offer(sku, { cost: '50' })),
  )
  expect(await prices(it)).toEqual([String(many - 1), '50', '62.5'])
})

test('a clock that steps back makes no span end before it began', async () => {
  const it = await subject()
  const { account, id } = it
  const now = new Date('2026-11-20T12:00:00Z')
  await past(
    it,
    [
      [10, 'EUR 1:1'],
      [5, 'EUR 1:2'],
      [7, 'EUR 1:3'],
      [3, 'EUR 1:4'],
    ],
    now,
  )
  const { entries } = await priceHistory(database.db, account.accountId, id, account.storeIds[0], 1, now)
  expect(entries.map(({ price }) => price)).toEqual(['4', '3', '2', '1'])
  for (const { from, to } of entries) expect(to === null || to >= from).toBe(true)
})
