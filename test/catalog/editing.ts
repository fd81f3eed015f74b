import { afterAll, beforeAll, expect } from 'vitest'
import { editProduct, type ProductChanges } from '../../src/catalog/products/edit-product.ts'
import { productSources } from '../../src/catalog/products/product-resource.sql.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { openBench, type Bench, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { refusal } from '../harness/refusal.ts'

// What the tests of edits of one product share.
// Importing this module makes a database for the importing test file and drops it at the end.

export let database: TestDatabase
export let bench: Bench
beforeAll(async () => {
  database = await createDatabase()
  bench = openBench(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())

export const NONE: ProductChanges = {
  overrides: [],
  attributeOverrides: [],
  attributeResets: [],
  listings: [],
  exclusions: [],
}
export const edit = (tx: Tx, account: TestAccount, productId: number, changes: Partial<ProductChanges>) =>
  editProduct(tx, account.accountId, productId, { ...NONE, ...changes })

/** Edits as a request does: what is changed can be read when this resolves. @returns the ids that the edit names. */
export async function say(
  account: TestAccount,
  productId: number,
  changes: Partial<ProductChanges>,
): Promise<readonly number[]> {
  const { productIds } = await bench.shelf.write(account.accountId, (tx) => edit(tx, account, productId, changes))
  return productIds
}
export const refused = (account: TestAccount, productId: number, changes: Partial<ProductChanges>) =>
  refusal(inTransaction(database.db, (tx) => edit(tx, account, productId, changes)))
export const sourcesOf = async (account: TestAccount, productId: number) =>
  (await productSources(database.db, account.accountId, [productId]))[0]
export const marks = async (account: TestAccount) =>
  (await database.db`select from mark where account_id = ${account.accountId}`).length
export const clean = async (account: TestAccount) =>
  expect(await auditAccount(database.db, account.accountId)).toMatchObject({ differencesTotal: 0, isStale: false })

export async function content(account: TestAccount, productId: number, store = 0) {
  const [row] = await database.db<{ body: string }[]>`
    select '{' || body || '}' as body from payload_content
    where account_id = ${account.accountId} and store_id = ${account.storeIds[store]!} and product_id = ${productId}`
  return row === undefined ? null : (JSON.parse(row.body) as Record<string, unknown>)
}
