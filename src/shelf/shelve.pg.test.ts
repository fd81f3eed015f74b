import { afterAll, beforeAll, expect, test } from 'vitest'
import { clearOwnStock, deleteProducts, setOverrides, setOwnStock } from '../catalog/products/products.ts'
import { clearListing, setListing } from '../../test/harness/product-edits.ts'
import { createRule, deleteRule } from '../catalog/settings/pricing-rules.ts'
import { deleteGroup } from '../catalog/settings/groups.ts'
import { deleteRate } from '../catalog/settings/rates.ts'
import { makeDefaultStore } from '../catalog/settings/stores.ts'
import { storesList } from '../catalog/settings/stores.sql.ts'
import type { Tx } from '../db/sql.ts'
import {
  createAccount,
  giveOffers,
  offer,
  openBench,
  type Bench,
  productIdsOf,
  type Said,
} from '../../test/harness/account.ts'
import { createDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { auditAccount } from './audit.ts'

let database: TestDatabase
let bench: Bench
beforeAll(async () => {
  database = await createDatabase()
  bench = openBench(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())

interface ChangeRow {
  storeId: number
  productId: number
  price: number | null
  content: number | null
  removed: number | null
}

async function changes(accountId: number): Promise<ChangeRow[]> {
  return await database.db<ChangeRow[]>`
    select store_id as "storeId", product_id as "productId", price_id as price, content_id as content,
      removed_id as removed
    from change where account_id = ${accountId} order by change_id`
}

async function payload(accountId: number, storeId: number, productId: number): Promise<Record<string, unknown>> {
  const [row] = await database.db<{ body: string }[]>`
    select '{' || c.body || ',' || p.body || '}' as body
    from payload_content c join payload_price p using (account_id, store_id, product_id)
    where account_id = ${accountId} and store_id = ${storeId} and product_id = ${productId}`
  return row === undefined ? {} : (JSON.parse(row.body) as Record<string, unknown>)
}

test('a new product is price then content in every store, with the payload that the rules give', async () => {
  const account = await createAccount(bench)
  const [productId = 0] = await giveOffers(bench, account, [offer('A1')])
  const rows = await changes(account.accountId)
  expect(rows).toEqual(
    account.storeIds.map((storeId, i) => ({ storeId, productId, price: 2 * i + 1, content: 2 * i + 2, removed: null })),
  )
  expect(await payload(account.accountId, account.storeIds[2], productId)).toMatchObject({
    id: productId,
    sku: 'A1',
    title: 'Article A1',
    store: 'pl',
    excluded: false,
    stock: 5,
    prices: [
      { customer_group: 'Retail', base_cost: 40, computed_price: 50, currency: 'PLN' },
      { customer_group: 'Wholesale', base_cost: 40, computed_price: 50, currency: 'PLN' },
    ],
  })
  expect(await auditAccount(database.db, account.accountId)).toMatchObject({
    products: 1,
    payloads: 3,
    differencesTotal: 0,
  })
})

test('an equal write changes nothing; each half changes alone', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  const [productId = 0] = await giveOffers(bench, account, [offer('A1')])
  const before = await changes(accountId)
  await giveOffers(bench, account, [offer('A1')])
  expect(await changes(accountId)).toEqual(before)
  await giveOffers(bench, account, [offer('A1', { cost: '11' })])
  const priced = await changes(accountId)
  expect(priced.map((row) => row.price)).toEqual([7, 8, 9])
  expect(priced.map((row) => row.content)).toEqual([2, 4, 6])
  await bench.shelf.write(accountId, (tx) =>
    setOverrides(tx, accountId, [{ productId, field: 'title', locale: 'de', value: 'Artikel' }]),
  )
  const texted = await changes(accountId)
  expect(texted.map((row) => row.content)).toEqual([2, 6, 10])
  expect((await payload(accountId, account.storeIds[1], productId))['title']).toBe('Artikel')
  expect(await auditAccount(database.db, accountId)).toMatchObject({ differencesTotal: 0 })
})

test('leaving removes the pending kinds, coming back removes the tombstone', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  const [productId = 0, other = 0] = await giveOffers(bench, account, [offer('A1'), offer('A2')])
  await bench.shelf.write(accountId, (tx) => setListing(tx, accountId, account.storeIds[0], [productId], false))
  const gone = (await changes(accountId)).find(
    (row) => row.productId === productId && row.storeId === account.storeIds[0],
  )
  expect(gone).toMatchObject({ price: null, content: null, removed: 13 })
  await bench.shelf.write(accountId, (tx) => setListing(tx, accountId, account.storeIds[0], [productId], true))
  const back = (await changes(accountId)).find(
    (row) => row.productId === productId && row.storeId === account.storeIds[0],
  )
  expect(back).toMatchObject({ price: 14, content: 15, removed: null })
  await bench.shelf.write(accountId, (tx) => deleteProducts(tx, accountId, [other]))
  const deleted = (await changes(accountId)).filter((row) => row.productId === other)
  expect(deleted.map((row) => row.removed)).toEqual([16, 17, 18])
  expect(await auditAccount(database.db, accountId)).toMatchObject({ differencesTotal: 0 })
})

test('a rule sweeps the whole account and changes only prices', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  await giveOffers(
    bench,
    account,
    Array.from({ length: 1_200 }, (_, i) => offer(`S${i}`)),
  )
  await bench.shelf.write(accountId, async (tx) => {
    await createRule(tx, accountId, { name: 'Wholesale', percent: '10', groupIds: [account.groupId] })
    return { productIds: [] }
  })
  const total = await bench.shelf.drain(accountId)
  expect(total).toMatchObject({ products: 1_200, changes: 3_600 })
  const audit = await auditAccount(database.db, accountId)
  expect(audit).toMatchObject({ products: 1_200, payloads: 3_600, differencesTotal: 0, isStale: false })
})

test('own stock sells first, and its cost is the base cost', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  const [productId = 0] = await giveOffers(bench, account, [offer('A1')])
  await bench.shelf.write(accountId, (tx) => setOwnStock(tx, accountId, [{ productId, quantity: 3, cost: '7.005' }]))
  expect(await payload(accountId, account.storeIds[0], productId)).toMatchObject({
    stock: 8,
    prices: [{ base_cost: 7.01, computed_price: 8.76 }, {}],
  })
})

test('removing an override or a rule restores the state before; what an account must have cannot be removed', async () => {
  const account = await createAccount(bench)
  const { accountId, groupId, storeIds } = account
  const [main, , polish] = storeIds
  const [productId = 0] = await giveOffers(bench, account, [offer('A1')])
  const before = await payload(accountId, main, productId)
  const say = async (work: (tx: Tx) => Promise<Said>) => {
    await bench.shelf.write(accountId, async (tx) => ({ productIds: productIdsOf(await work(tx)) }))
    await bench.shelf.drain(accountId)
    return payload(accountId, main, productId)
  }
  expect(await say((tx) => setOwnStock(tx, accountId, [{ productId, quantity: 2, cost: null }]))).toMatchObject({
    stock: 7,
  })
  expect(await say((tx) => clearOwnStock(tx, accountId, [productId]))).toEqual(before)
  expect(
    await say((tx) =>
      setOverrides(tx, accountId, [{ productId, field: 'attribute', key: 'color', locale: '', value: 'blue' }]),
    ),
  ).not.toEqual(before)
  expect(
    await say((tx) =>
      setOverrides(tx, accountId, [{ productId, field: 'attribute', key: 'color', locale: null, value: null }]),
    ),
  ).toEqual(before)
  expect(await say((tx) => setListing(tx, accountId, main, [productId], false))).toEqual({})
  expect(await say((tx) => clearListing(tx, accountId, main, [productId]))).toEqual(before)
  let ruleId = 0
  const ruled = await say(
    async (tx) => void (ruleId = (await createRule(tx, accountId, { name: 'More', percent: '90' })).value),
  )
  expect(ruled).toMatchObject({ prices: [{ computed_price: 19, applied_rule_id: ruleId }, { computed_price: 19 }] })
  expect(await say((tx) => deleteRule(tx, accountId, ruleId))).toEqual(before)
  expect(await say((tx) => deleteGroup(tx, accountId, groupId))).toMatchObject({
    prices: [{ customer_group: 'Retail' }],
  })
  await say((tx) => deleteRate(tx, accountId, 'PLN'))
  expect(await payload(accountId, polish, productId)).toMatchObject({
    prices: [],
    excluded: true,
    exclusion_reason: 'no_price',
  })
  await say((tx) => makeDefaultStore(tx, accountId, polish))
  expect((await storesList(database.db, accountId)).map((row) => [row.storeId, row.isDefault])[0]).toEqual([
    polish,
    true,
  ])

  const prices = before['prices'] as { customer_group_id: number; applied_rule_id: number }[]
  await expect(say((tx) => deleteGroup(tx, accountId, prices[0]!.customer_group_id))).rejects.toThrow(/can be deleted/)
  await expect(say((tx) => deleteRule(tx, accountId, prices[0]!.applied_rule_id))).rejects.toThrow(/can be deleted/)
  expect(await auditAccount(database.db, accountId)).toMatchObject({ differencesTotal: 0 })
})
