import { expect, test } from 'vitest'
import { doubtfulSales } from '../../src/shelf/findings/sale-findings.ts'
import { advanceAccount } from '../../src/catalog/settings/days.ts'
import { setOverrides } from '../../src/catalog/products/products.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import type { OfferRecord } from '../../src/model/offer.ts'
import { compiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { shelveIn } from '../../src/shelf/shelve.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { RESOLVER_VERSION } from '../../src/resolve/resolve.ts'
import { createAccount, expectAudited, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

// Sales begin and end with the account's day: each price is right, announced once, and the same when resolved again. Cost 10 and 25 % give 12.50.

const { database, bench } = worldOfFile()

interface Shown {
  computed_price: number
  compare_at_price?: number
  lowest_price_30_days?: number
  sale_begins_on?: string
  sale_ends_on?: string
}
async function price({ accountId, storeIds }: TestAccount, productId: number): Promise<Shown> {
  const [row] = await database.db<{ body: string }[]>`
    select body from payload_price where account_id = ${accountId} and store_id = ${storeIds[0]} and product_id = ${productId}`
  const { computed_price, compare_at_price, lowest_price_30_days, sale_begins_on, sale_ends_on } = (
    JSON.parse(`{${row!.body}}`) as { prices: [Shown] }
  ).prices[0]
  return JSON.parse(
    JSON.stringify({ computed_price, compare_at_price, lowest_price_30_days, sale_begins_on, sale_ends_on }),
  ) as Shown
}
/** The number of the last change of a product's prices in the first store's feed. */
const announced = async ({ accountId, storeIds }: TestAccount, productId: number) =>
  (
    await database.db<{ id: number | null }[]>`
      select price_id as id from change
      where account_id = ${accountId} and store_id = ${storeIds[0]} and product_id = ${productId}`
  )[0]?.id ?? null
const turn = (accountId: number, today: string) =>
  inTransaction(database.db, (tx) => advanceAccount(tx, accountId, RESOLVER_VERSION, today))
const marked = async (accountId: number) =>
  (
    await database.db<{ id: number }[]>`select product_id as id from mark where account_id = ${accountId} order by 1`
  ).map(({ id }) => id)
/** Moves the history to the account's simulated day, because rows are written with the current time. */
const age = (accountId: number, day: string) => database.db`
  update price_history set from_at = ${day}::text::timestamp at time zone 'UTC' + interval '1 hour'
  where account_id = ${accountId} and from_at < '2998-01-01' and from_at > '2000-01-01'`
const give = (account: TestAccount, records: (Partial<OfferRecord> & { sku: string })[]) =>
  bench.shelf.write(account.accountId, (tx) => writeOffers(tx, account.accountId, account.suppliers[0]!, records))

test('a sale begins and ends with the account’s day: of its products alone, each once, with the lowest price before it', async () => {
  const account = await createAccount(bench, 'sales')
  const { accountId } = account
  await bench.shelf.write(accountId, (tx) => editAccount(tx, accountId, { priceJumpFactor: '3' }))
  const [a = 0, b = 0, c = 0] = await giveOffers(bench, account, [
    offer('A', { cost: '8', sale_price: '9', sale_begins_on: '2998-11-23', sale_ends_on: '2998-11-29' }),
    offer('B', { cost: '10' }),
    offer('C', { cost: '10' }),
  ])
  await bench.shelf.write(accountId, (tx) =>
    setOverrides(tx, accountId, [
      { productId: b, field: 'sale_price', locale: '', value: '2' },
      { productId: b, field: 'sale_ends_on', locale: '', value: '2998-11-22' },
    ]),
  )
  expect(await price(account, b)).toMatchObject({ computed_price: 2, compare_at_price: 12.5 })
  await age(accountId, '2998-10-01')
  await give(account, [{ sku: 'A', cost: '10' }])
  await age(accountId, '2998-11-01')
  expect(await price(account, a)).toEqual({ computed_price: 12.5 })
  await turn(accountId, '2998-11-22')
  expect(await marked(accountId)).toEqual([])
  // work that is killed before its commit is done again completely
  const killed = (work: (tx: Tx) => Promise<unknown>) =>
    expect(
      inTransaction(database.db, async (tx) => {
        await work(tx)
        throw new Error('killed')
      }),
    ).rejects.toThrow('killed')
  await killed((tx) => advanceAccount(tx, accountId, RESOLVER_VERSION, '2998-11-23'))
  expect(await marked(accountId)).toEqual([])
  await turn(accountId, '2998-11-23')
  expect(await marked(accountId)).toEqual([a, b])
  await killed((tx) => shelveIn(tx, compiledAccounts(database.db), accountId, [a], {}))
  expect(await marked(accountId)).toEqual([a, b])
  expect(await price(account, a)).toEqual({ computed_price: 12.5 })
  // in one step, because the second step of a drain would find the sale's price in the history of today, long before the account's day
  await inTransaction(database.db, (tx) => shelveIn(tx, compiledAccounts(database.db), accountId, [a, b], {}))
  expect(await marked(accountId)).toEqual([])
  // the end of a sale is no jump, although the price rises by more than the factor
  expect(await price(account, b)).toEqual({ computed_price: 12.5 })
  expect(await price(account, c)).toEqual({ computed_price: 12.5 })
  const sale = {
    computed_price: 9,
    compare_at_price: 12.5,
    lowest_price_30_days: 10,
    sale_begins_on: '2998-11-23',
    sale_ends_on: '2998-11-29',
  }
  expect(await price(account, a)).toEqual(sale)
  await age(accountId, '2998-11-23')
  await expectAudited(database.db, accountId)
  const [ofA, ofC] = [await announced(account, a), await announced(account, c)]
  await turn(accountId, '2998-11-24')
  await bench.shelf.drain(accountId)
  expect([await announced(account, a), await announced(account, c)]).toEqual([ofA, ofC])
  await give(account, [{ sku: 'A', quantity: 77 }])
  expect(await price(account, a)).toEqual(sale)
  await turn(accountId, '2998-11-30')
  expect(await marked(accountId)).toEqual([a])
  await bench.shelf.drain(accountId)
  expect(await price(account, a)).toEqual({ computed_price: 12.5 })
  await expectAudited(database.db, accountId)
})

test('a supplier’s absurd sale price is not shown; a sale that is taken away is no jump, a cost that slips beneath it is one', async () => {
  const account = await createAccount(bench, 'guarded')
  const { accountId } = account
  await bench.shelf.write(accountId, (tx) => editAccount(tx, accountId, { priceJumpFactor: '3' }))
  const [a = 0] = await giveOffers(bench, account, [offer('A', { cost: '10' })])
  await give(account, [{ sku: 'A', sale_price: '0.01' }])
  expect(await price(account, a)).toEqual({ computed_price: 12.5 })
  const own = (value: string | null) =>
    bench.shelf.write(accountId, (tx) =>
      setOverrides(tx, accountId, [{ productId: a, field: 'sale_price', locale: '', value }]),
    )
  await own('1')
  const sale = { computed_price: 1, compare_at_price: 12.5, lowest_price_30_days: 12.5 }
  expect(await price(account, a)).toEqual(sale)
  await give(account, [{ sku: 'A', quantity: 3 }])
  expect(await price(account, a)).toEqual(sale)
  await give(account, [{ sku: 'A', cost: '1000' }])
  expect(await price(account, a)).toEqual(sale)
  await own(null)
  expect(await price(account, a)).toEqual({ computed_price: 12.5 })
  await give(account, [{ sku: 'A', cost: '11' }])
  expect(await price(account, a)).toEqual({ computed_price: 13.75 })
  await expectAudited(database.db, accountId)
})

test('the price of a sale without days, of a product that had no other, is not what the product costs when that ends', async () => {
  const account = await createAccount(bench, 'undated')
  const { accountId } = account
  const [a = 0] = await giveOffers(bench, account, [offer('A', { cost: '10', sale_price: '1' })])
  expect(await price(account, a)).toEqual({ computed_price: 1, compare_at_price: 12.5 })
  // with the new factor the supplier's sale price is too far below
  await bench.shelf.write(accountId, (tx) => editAccount(tx, accountId, { priceJumpFactor: '3' }))
  await give(account, [{ sku: 'A', quantity: 3 }])
  await bench.shelf.drain(accountId)
  expect(await price(account, a)).toEqual({ computed_price: 12.5 })
  await expectAudited(database.db, accountId)
})

test('a sale of one’s own that ends before it begins is refused by name, with the day that stays', async () => {
  const account = await createAccount(bench, 'backward')
  const { accountId } = account
  const [a = 0] = await giveOffers(bench, account, [offer('A', { cost: '10' })])
  const set = (field: 'sale_begins_on' | 'sale_ends_on', value: string | null) =>
    bench.shelf.write(accountId, (tx) => setOverrides(tx, accountId, [{ productId: a, field, locale: '', value }]))
  await set('sale_begins_on', '2998-11-20')
  await expect(set('sale_ends_on', '2998-11-19')).rejects.toMatchObject({
    code: 'invalid-input',
    faults: [{ name: `${a}.sale_ends_on` }],
  })
  await set('sale_ends_on', '2998-11-20')
  await expect(set('sale_ends_on', 'soon')).rejects.toMatchObject({ code: 'invalid-input' })
})

test('findings name sales without end, those that end before they begin, and those that are in force and not shown', async () => {
  const account = await createAccount(bench, 'doubtful')
  const { accountId } = account
  await bench.shelf.write(accountId, (tx) => editAccount(tx, accountId, { priceJumpFactor: '3' }))
  const [a = 0, b = 0, c = 0] = await giveOffers(bench, account, [offer('A'), offer('B'), offer('C'), offer('D')])
  expect(await doubtfulSales(database.db, accountId, 10)).toEqual([])
  const days = { sale_begins_on: '2020-01-01', sale_ends_on: '2998-01-01' }
  await give(account, [
    { sku: 'A', sale_price: '1000', ...days },
    { sku: 'B', sale_price: '0.01', ...days },
    { sku: 'C', sale_price: '1', sale_begins_on: '2020-01-01', sale_ends_on: '2019-01-01' },
    { sku: 'D', sale_price: '9', ...days },
  ])
  await bench.shelf.write(accountId, (tx) =>
    setOverrides(tx, accountId, [{ productId: c, field: 'sale_price', locale: '', value: '9' }]),
  )
  const { supplierId } = account.suppliers[0]!
  expect(await doubtfulSales(database.db, accountId, 10)).toEqual([
    { productId: c, supplierId: null, reason: 'no_end' },
    { productId: c, supplierId, reason: 'ends_before_it_begins' },
    { productId: a, supplierId, reason: 'not_below_price' },
    { productId: b, supplierId, reason: 'too_far_below_price' },
  ])
})
