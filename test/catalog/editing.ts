import { afterAll, beforeAll } from 'vitest'
import type { ProductChanges } from '../../src/catalog/products/edit-product.ts'
import { editProduct } from '../harness/product-edits.ts'
import { productSources } from '../../src/catalog/products/product-resource.sql.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { openBench, type Bench, type TestAccount, expectAudited } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { refusal } from '../harness/refusal.ts'

// Shared by the tests of edits of one product.
// setUp() makes a database for the test file that calls it and drops it at the end.

export let database: TestDatabase
export let bench: Bench
/** Registers what begins before the tests of a file, and ends after them. */
export function setUp(): void {
  beforeAll(async () => {
    database = await createDatabase()
    bench = openBench(database.db)
  })
  afterAll(() => database[Symbol.asyncDispose]())
}

export const NONE: ProductChanges = {
  overrides: [],
  attributeOverrides: [],
  attributeResets: [],
  listings: [],
  exclusions: [],
}
export const edit = (tx: Tx, account: TestAccount, productId: number, changes: Partial<ProductChanges>) =>
  editProduct(tx, account.accountId, productId, { ...NONE, ...changes })

/** Edits a product as a request does: its change can be read when this resolves. @returns the ids of the changed products. */
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
export const clean = (account: TestAccount) => expectAudited(database.db, account.accountId)

export async function content(account: TestAccount, productId: number, store = 0) {
  const [row] = await database.db<{ body: string }[]>`
    select '{' || body || '}' as body from payload_content
    where account_id = ${account.accountId} and store_id = ${account.storeIds[store]!} and product_id = ${productId}`
  return row === undefined ? null : (JSON.parse(row.body) as Record<string, unknown>)
}
