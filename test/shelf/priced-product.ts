import { afterAll, beforeAll } from 'vitest'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { createAccount, giveOffers, offer, openBench, type Bench, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'

// Shared by the tests of price histories.
// setUp() makes a database for the test file that calls it and drops it at the end.

export const DAY_MS = 86_400_000
export let database: TestDatabase
export let bench: Bench
let names = 0
/** Registers what begins before the tests of a file, and ends after them. */
export function setUp(): void {
  beforeAll(async () => {
    database = await createDatabase()
    bench = openBench(database.db)
  })
  afterAll(() => database[Symbol.asyncDispose]())
}

export interface Subject {
  account: TestAccount
  id: number
  groups: [number, number]
}

/** A product at 10 EUR, sold at 12.5 (50 PLN) to both groups. */
export async function subject(): Promise<Subject> {
  const account = await createAccount(bench, `history-${names++}`)
  const [id = 0] = await giveOffers(bench, account, [offer('A', { cost: '10' })])
  const groups = await database.db<
    { id: number }[]
  >`select group_id as id from customer_group where account_id = ${account.accountId} order by 1`
  return { account, id, groups: [groups[0]!.id, groups[1]!.id] }
}
export async function write(account: TestAccount, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await inTransaction(database.db, work)
  await bench.shelf.drain(account.accountId)
}
export const shownIn = async ({ account, id }: Subject, store = 0) =>
  (
    await database.db<{ shown: string | null }[]>`
    select shown from price_history where account_id = ${account.accountId} and product_id = ${id} and store_id = ${account.storeIds[store]!}
    order by history_id`
  ).map((row) => row.shown)
export const rowsOf = async (accountId: number) =>
  (
    await database.db<
      { count: number }[]
    >`select count(*)::int as count from price_history where account_id = ${accountId}`
  )[0]!.count
