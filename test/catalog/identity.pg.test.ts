import { expect, test } from 'vitest'
import { mergeProducts, splitProduct } from '../../src/catalog/products/merge-split.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { readFeed } from '../../src/feed/read.ts'
import {
  createAccount,
  giveOffers,
  offer,
  type TestAccount,
  expectAudited,
  writeAndShelve,
} from '../harness/account.ts'
import { fateOf, hold } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

const { database, bench } = worldOfFile()

const say = <T>(account: TestAccount, work: (tx: Tx) => Promise<T>) => writeAndShelve(bench, account.accountId, work)

async function product(account: TestAccount, productId: number) {
  const [row] = await database.db<{ body: string }[]>`
    select '{' || c.body || ',' || p.body || '}' as body from payload_content c join payload_price p using (account_id, store_id, product_id)
    where account_id = ${account.accountId} and store_id = ${account.storeIds[0]} and product_id = ${productId}`
  return row === undefined
    ? null
    : (JSON.parse(row.body) as {
        title: string
        stock: number
        ean: string | null
        sku: string
        prices: { base_cost: number }[]
      })
}

const kindsSince = async (account: TestAccount) =>
  Object.fromEntries(
    (await readFeed(database.db, account.accountId, account.storeIds[0], { kind: 'beginning' }, 1_000)).changes.map(
      (change) => [change.productId, change.kinds.at(-1)],
    ),
  )

const clean = (account: TestAccount) => expectAudited(database.db, account.accountId)

test('after a merge the winner has all offers and own stock, the loser is removed, and its offers stay with the winner', async () => {
  const account = await createAccount(bench, 'merge')
  const { accountId } = account
  const [winner = 0] = await giveOffers(bench, account, [offer('A', { cost: '10', quantity: 2 })])
  const [loser = 0] = await giveOffers(
    bench,
    account,
    [offer('B', { cost: '20', quantity: 7, eans: ['4006381333931'] })],
    1,
  )
  await say(account, (tx) =>
    setOwnStock(tx, accountId, [
      { productId: winner, quantity: 3, cost: null },
      { productId: loser, quantity: 4, cost: '8' },
    ]),
  )
  await say(account, (tx) =>
    setOverrides(tx, accountId, [{ productId: loser, field: 'title', locale: 'en', value: 'Gone with the loser' }]),
  )
  expect((await say(account, (tx) => mergeProducts(tx, accountId, winner, [loser]))).productIds).toEqual([
    winner,
    loser,
  ])
  // PLN 20 at a rate of 4 is EUR 5, the cheaper offer now; own stock is 3 + 4 with the loser's cost, because the winner had none
  expect(await product(account, winner)).toMatchObject({
    title: 'Article A',
    stock: 7 + 7,
    ean: '4006381333931',
    prices: [{ base_cost: 8 }, { base_cost: 8 }],
  })
  expect(await product(account, loser)).toBeNull()
  expect(await kindsSince(account)).toMatchObject({ [loser]: 'removed' })
  // the next file of the second supplier updates its offer at its new product
  const again = await giveOffers(bench, account, [offer('B', { cost: '16', quantity: 1, eans: ['4006381333931'] })], 1)
  expect(again).toEqual([winner])
  await clean(account)
})

test('after a split the new product has the offers that were moved with their EANs, and the old one keeps what the owner set', async () => {
  const account = await createAccount(bench, 'split')
  const { accountId } = account
  const [south] = account.suppliers.slice(1)
  const [old = 0] = await giveOffers(bench, account, [offer('A', { eans: ['4006381333931'] })])
  expect(
    await giveOffers(
      bench,
      account,
      [offer('B', { cost: '8', quantity: 1, eans: ['4006381333931'], texts: { en: { title: 'Other' } } })],
      1,
    ),
  ).toEqual([old])
  await say(account, (tx) =>
    setOverrides(tx, accountId, [{ productId: old, field: 'title', locale: 'en', value: 'Mine' }]),
  )
  const { value: made } = await say(account, (tx) =>
    splitProduct(tx, accountId, old, [{ supplierId: south!.supplierId, supplierSku: 'B' }]),
  )
  expect(await product(account, made)).toMatchObject({ title: 'Other', sku: 'B', stock: 1, ean: '4006381333931' })
  expect(await product(account, old)).toMatchObject({ title: 'Mine', sku: 'A', stock: 5, ean: '4006381333931' })
  await clean(account)
})

test('products that cannot be merged or split are refused, and nothing is written', async () => {
  const account = await createAccount(bench, 'refused')
  const { accountId } = account
  const [one = 0, two = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  const [north] = account.suppliers
  const key = { supplierId: north!.supplierId, supplierSku: 'A' }
  await expect(say(account, (tx) => mergeProducts(tx, accountId, one, []))).rejects.toThrow(/at least one other/)
  await expect(say(account, (tx) => mergeProducts(tx, accountId, one, [one]))).rejects.toThrow(/at least one other/)
  await expect(say(account, (tx) => mergeProducts(tx, accountId, one, [two, 999_999_999]))).rejects.toThrow(
    /no product 999999999/,
  )
  await expect(say(account, (tx) => splitProduct(tx, accountId, one, [key]))).rejects.toThrow(/leaves at least one/)
  await expect(say(account, (tx) => splitProduct(tx, accountId, one, [{ ...key, supplierSku: 'Z' }]))).rejects.toThrow(
    /no offer "Z"/,
  )
  await expect(say(account, (tx) => splitProduct(tx, accountId, 999_999_999, [key]))).rejects.toThrow(/no product/)
  const other = await createAccount(bench, 'other')
  await expect(say(other, (tx) => mergeProducts(tx, other.accountId, one, [two]))).rejects.toThrow(/no product/)
  expect(await product(account, two)).not.toBeNull()
  await clean(account)
})

test('an offer that is being written while its product is merged away ends with the winner', async () => {
  const account = await createAccount(bench, 'race')
  const { accountId } = account
  const [winner = 0, loser = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  await using writing = await hold(database.db, (tx) =>
    writeOffers(tx, accountId, account.suppliers[0]!, [offer('B', { quantity: 77 })]),
  )
  const merging = inTransaction(database.db, (tx) => mergeProducts(tx, accountId, winner, [loser]))
  expect(await fateOf(database, merging)).toBe('blocked')
  await writing.commit()
  await merging
  await bench.shelf.drain(accountId)
  const [row] = await database.db<{ productId: number; quantity: number }[]>`
    select product_id as "productId", quantity from offer where account_id = ${accountId} and supplier_sku = 'B'`
  expect(row).toEqual({ productId: winner, quantity: 77 })
  await clean(account)
})
