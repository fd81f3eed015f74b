import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRule, deleteRule, editRule } from '../../src/catalog/settings/pricing-rules.ts'
import { deleteProducts, setListing, setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { createGroup, deleteGroup } from '../../src/catalog/settings/groups.ts'
import { deleteRate, setRates } from '../../src/catalog/settings/rates.ts'
import { editStore } from '../../src/catalog/settings/stores.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { RESOLVER_VERSION } from '../../src/resolve/resolve.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { priceHistory } from '../../src/shelf/price-history.ts'
import { isDueForTrimming } from '../../src/shelf/price-history.sql.ts'
import { createAccount, giveOffers, offer, openBench, type Bench, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'

// Prices as they were: one row each time that a client would read another price, and none for anything else.

const DAY_MS = 86_400_000
let database: TestDatabase
let bench: Bench
let names = 0
beforeAll(async () => {
  database = await createDatabase()
  bench = openBench(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())

interface Subject {
  account: TestAccount
  id: number
  groups: [number, number]
}

/** A product at 10 EUR, sold at 12.5 (50 PLN) to both groups. */
async function subject(): Promise<Subject> {
  const account = await createAccount(bench, `history-${names++}`)
  const [id = 0] = await giveOffers(bench, account, [offer('A', { cost: '10' })])
  const groups = await database.db<
    { id: number }[]
  >`select group_id as id from customer_group where account_id = ${account.accountId} order by 1`
  return { account, id, groups: [groups[0]!.id, groups[1]!.id] }
}
async function write(account: TestAccount, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await inTransaction(database.db, work)
  await bench.shelf.drain(account.accountId)
}
const shownIn = async ({ account, id }: Subject, store = 0) =>
  (
    await database.db<{ shown: string | null }[]>`
    select shown from price_history where account_id = ${account.accountId} and product_id = ${id} and store_id = ${account.storeIds[store]!}
    order by history_id`
  ).map((row) => row.shown)
const rowsOf = async (accountId: number) =>
  (
    await database.db<
      { count: number }[]
    >`select count(*)::int as count from price_history where account_id = ${accountId}`
  )[0]!.count

/** What the payloads of an account say of prices, put together from their JSON; equal to what stands beside them. */
async function consistent(accountId: number): Promise<void> {
  const rows = await database.db<{ body: string; shown: string | null; last: string | null }[]>`
    select p.body, p.shown, (
      select h.shown from price_history h where h.account_id = p.account_id and h.product_id = p.product_id and h.store_id = p.store_id
      order by history_id desc limit 1) as last
    from payload_price p where p.account_id = ${accountId}`
  for (const { body, shown, last } of rows) {
    const { prices } = JSON.parse(`{${body}}`) as {
      prices: { customer_group_id: number; computed_price: number; currency: string }[]
    }
    const text =
      prices.length === 0
        ? ''
        : [prices[0]!.currency, ...prices.map((entry) => `${entry.customer_group_id}:${entry.computed_price}`)].join(
            ' ',
          )
    expect([shown, last]).toEqual([text, text])
  }
  expect(await auditAccount(database.db, accountId)).toMatchObject({ differencesTotal: 0, isStale: false })
}

test('every move of a price is one row, whatever moved it', async () => {
  const it = await subject()
  const {
    account,
    id,
    groups: [retail, wholesale],
  } = it
  const { accountId } = account
  const expected = [`EUR ${retail}:12.5 ${wholesale}:12.5`]
  expect(await shownIn(it)).toEqual(expected)
  const moves: [string, () => Promise<unknown>, string][] = [
    [
      'the supplier’s cost',
      () => giveOffers(bench, account, [offer('A', { cost: '20' })]),
      `EUR ${retail}:25 ${wholesale}:25`,
    ],
    [
      'own cost',
      () => write(account, (tx) => setOwnStock(tx, accountId, [{ productId: id, quantity: 1, cost: '8' }])),
      `EUR ${retail}:10 ${wholesale}:10`,
    ],
    [
      'own stock that is sold',
      () => write(account, (tx) => setOwnStock(tx, accountId, [{ productId: id, quantity: 0, cost: '8' }])),
      `EUR ${retail}:25 ${wholesale}:25`,
    ],
    [
      'a rule',
      () => write(account, (tx) => createRule(tx, accountId, { name: 'W', percent: '10', groupIds: [wholesale] })),
      `EUR ${retail}:25 ${wholesale}:22`,
    ],
    [
      'a rule edited',
      async () => {
        const [rule] = await database.db<
          { id: number }[]
        >`select rule_id as id from pricing_rule where account_id = ${accountId} and name = 'W'`
        await write(account, (tx) => editRule(tx, accountId, rule!.id, { percent: '5' }))
      },
      `EUR ${retail}:25 ${wholesale}:21`,
    ],
    [
      'a rule deleted',
      async () => {
        const [rule] = await database.db<
          { id: number }[]
        >`select rule_id as id from pricing_rule where account_id = ${accountId} and name = 'W'`
        await write(account, (tx) => deleteRule(tx, accountId, rule!.id))
      },
      `EUR ${retail}:25 ${wholesale}:25`,
    ],
    ['a group', () => write(account, (tx) => createGroup(tx, accountId, 'Third')), ''],
    [
      'a group deleted',
      async () => {
        const [group] = await database.db<
          { id: number }[]
        >`select group_id as id from customer_group where account_id = ${accountId} and name = 'Third'`
        expected[expected.length - 1] = `EUR ${retail}:25 ${wholesale}:25 ${group!.id}:25`
        await write(account, (tx) => deleteGroup(tx, accountId, group!.id))
      },
      `EUR ${retail}:25 ${wholesale}:25`,
    ],
    [
      'the store’s currency',
      () => write(account, (tx) => editStore(tx, accountId, account.storeIds[0], { currency: 'USD' })),
      `USD ${retail}:31.25 ${wholesale}:31.25`,
    ],
    [
      'the rate',
      () => write(account, (tx) => setRates(tx, accountId, [{ currency: 'USD', rate: '1.2' }])),
      `USD ${retail}:30 ${wholesale}:30`,
    ],
    ['the rate that goes', () => write(account, (tx) => deleteRate(tx, accountId, 'USD')), ''],
    [
      'the rate that comes back',
      () => write(account, (tx) => setRates(tx, accountId, [{ currency: 'USD', rate: '1.2' }])),
      `USD ${retail}:30 ${wholesale}:30`,
    ],
  ]
  for (const [what, move, shown] of moves) {
    await move()
    expected.push(shown)
    if (what !== 'a group') expect(await shownIn(it), what).toEqual(expected)
    await consistent(accountId)
  }
  // in the same breath for the store in złoty: one row a move, the dollar's left out
  expect(await shownIn(it, 2)).toEqual(
    [50, 100, 40, 100, 100, 100, 100, 100, 100].map((price, i) =>
      expect.stringMatching(new RegExp(`^PLN ${retail}:${price} ${wholesale}:${i === 4 ? 88 : i === 5 ? 84 : price}`)),
    ),
  )
})

test('stock, cost behind a fixed price, rules, names and texts append nothing', async () => {
  const it = await subject()
  const { account, id } = it
  const { accountId } = account
  await write(account, (tx) =>
    createRule(tx, accountId, { name: 'Fixed', action: 'fixed', fixedPrice: '99', percent: null }),
  )
  const before = await rowsOf(accountId)
  const bodies = () =>
    database.db<{ body: string }[]>`select body from payload_price where account_id = ${accountId} order by store_id`
  const first = await bodies()
  await giveOffers(bench, account, [offer('A', { cost: '10', quantity: 4 })])
  const restocked = await bodies()
  expect(restocked).not.toEqual(first)
  await giveOffers(bench, account, [offer('A', { cost: '11', quantity: 4 })])
  expect(await bodies()).not.toEqual(restocked)
  await write(account, (tx) =>
    createRule(tx, accountId, { name: 'Same', action: 'fixed', fixedPrice: '99', percent: null, priority: -1 }),
  )
  await write(account, (tx) =>
    setOverrides(tx, accountId, [{ productId: id, field: 'title', locale: 'en', value: 'Other' }]),
  )
  await write(account, (tx) => setOwnStock(tx, accountId, [{ productId: id, quantity: 7, cost: null }]))
  expect(await rowsOf(accountId)).toBe(before)
  await consistent(accountId)
})

test('a product that leaves is a row without prices, one that comes back a row with them', async () => {
  const it = await subject()
  const {
    account,
    id,
    groups: [retail, wholesale],
  } = it
  const { accountId, storeIds } = account
  const price = `EUR ${retail}:12.5 ${wholesale}:12.5`
  await write(account, (tx) => setListing(tx, accountId, storeIds[1], [id], false))
  await write(account, (tx) => setListing(tx, accountId, storeIds[1], [id], true))
  expect(await shownIn(it, 1)).toEqual([price, null, price])
  expect(await shownIn(it, 0)).toEqual([price])
  await write(account, (tx) => deleteProducts(tx, accountId, [id]))
  expect(await shownIn(it, 1)).toEqual([price, null, price, null])
  expect(await shownIn(it, 0)).toEqual([price, null])
  await consistent(accountId)
})

test('a price that is held back is none; confirmed or not, what is shown is what is kept', async () => {
  const it = await subject()
  const { account } = it
  const { accountId } = account
  await write(account, (tx) => editAccount(tx, accountId, { priceJumpFactor: '2' }))
  const before = await shownIn(it)
  await giveOffers(bench, account, [offer('A', { cost: '1000' })])
  expect(await shownIn(it)).toEqual(before)
  await giveOffers(bench, account, [offer('A', { cost: '12' })])
  expect(await shownIn(it)).toHaveLength(2)
  await consistent(accountId)
})

test('an older resolver’s rewrite appends only where nothing was kept before, or prices differ', async () => {
  const it = await subject()
  const { account } = it
  const { accountId, storeIds } = account
  const age = async () => {
    await database.db`update payload_price set resolver = ${RESOLVER_VERSION - 1} where account_id = ${accountId}`
    await write(account, (tx) => tx`insert into sweep (account_id, reason) values (${accountId}, 'test')`)
    const [row] = await database.db<
      { count: number }[]
    >`select count(*)::int as count from payload_price where account_id = ${accountId} and resolver = ${RESOLVER_VERSION}`
    expect(row?.count).toBe(3)
  }
  await age()
  expect(await rowsOf(accountId)).toBe(3)
  // as a release without a history left it
  await database.db`update payload_price set shown = null where account_id = ${accountId} and store_id = ${storeIds[0]}`
  await database.db`delete from price_history where account_id = ${accountId} and store_id = ${storeIds[0]}`
  await giveOffers(bench, account, [offer('A', { cost: '10' })])
  expect(await shownIn(it), 'nothing was written, so nothing begins').toEqual([])
  await age()
  expect(await shownIn(it)).toHaveLength(1)
  expect(await rowsOf(accountId)).toBe(3)
  await consistent(accountId)
  // stock alone, where there is no history yet
  await database.db`update payload_price set shown = null where account_id = ${accountId}`
  await giveOffers(bench, account, [offer('A', { cost: '10', quantity: 77 })])
  expect(await shownIn(it)).toHaveLength(2)
  await giveOffers(bench, account, [offer('A', { cost: '10', quantity: 78 })])
  expect(await shownIn(it)).toHaveLength(2)
})

/** Rows as they would have been written so many days ago. */
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
  // 2 is part of 21 and of 12, and no group of these
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
  const account = await createAccount(bench, `history-${names++}`)
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
  // more than go at once
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
