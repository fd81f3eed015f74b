import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFilledAccount, fillProducts } from '../../bench/fill.ts'
import { editRule } from '../../src/catalog/settings/pricing-rules.ts'
import { isStale, stalePosition, type StalePosition } from '../../src/catalog/stale/stale.sql.ts'
import { sweepAppend } from '../../src/catalog/stale/sweeps.sql.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { openCompiledAccounts } from '../../src/shelf/compiled-inputs.ts'
import { sweepStep } from '../../src/shelf/sweep.ts'
import { openBench, type Bench } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'

// Sweeps that are made faster than they are processed: each waits for one walk over the products, however many follow it.

const PRODUCTS = 300
const BATCH = 20
const STEPS_OF_A_WALK = PRODUCTS / BATCH + 1
Object.assign(LIMITS, { shelveBatchProducts: BATCH })

const accounts = openCompiledAccounts()
let database: TestDatabase
let bench: Bench
beforeAll(async () => {
  database = await createDatabase()
  bench = openBench(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())

/** An account whose default rule is edited; `read` says by which edit each product is priced, in id order. */
async function many(name: string) {
  const account = await createFilledAccount(database.db, name, 1)
  const { accountId, defaultRuleId } = account
  await fillProducts(database.db, account, PRODUCTS)
  const edit = (percent: number) =>
    inTransaction(database.db, (tx) => editRule(tx, accountId, defaultRuleId, { percent: String(percent) }))
  await edit(0)
  await inTransaction(database.db, (tx) => sweepAppend(tx, accountId, 'filled'))
  await bench.shelf.drain(accountId)
  const read = async () => {
    const rows = await database.db<{ body: string }[]>`
      select body from payload_price where account_id = ${accountId} order by product_id`
    return rows.map(({ body }) => {
      const { prices } = JSON.parse(`{${body}}`) as { prices: { base_cost: number; computed_price: number }[] }
      const [price] = prices
      return Math.round(((price?.computed_price ?? 0) / (price?.base_cost ?? 1) - 1) * 100)
    })
  }
  return { accountId, edit, read, step: () => sweepStep(database.db, accounts, accountId) }
}
const open = (accountId: number) => database.db<{ sweepId: number; start: number; finish: number }[]>`
  select sweep_id as "sweepId", next_product_id as start, end_product_id as finish from sweep where account_id = ${accountId} order by 1, 2`

test('with a new sweep before every batch no product waits longer than one walk, and few sweeps are open', async () => {
  const { accountId, edit, read, step } = await many('without end')
  const asked: StalePosition[] = []
  const late: string[] = []
  let opened = 0
  for (let at = 1; at <= 3 * STEPS_OF_A_WALK; at++) {
    await edit(at)
    asked.push(await stalePosition(database.db, accountId))
    await step()
    const due = at - STEPS_OF_A_WALK
    const oldest = Math.min(...(await read()))
    if (oldest < due) late.push(`after edit ${at} a product has the price of edit ${oldest}`)
    const position = asked[due - 1]
    if (position !== undefined && (await isStale(database.db, accountId, position)))
      late.push(`after edit ${at} the operation of edit ${due} has not ended`)
    opened = Math.max(opened, (await open(accountId)).length)
  }
  expect(late).toEqual([])
  expect(opened).toBeLessThanOrEqual(STEPS_OF_A_WALK + 1)
  await bench.shelf.drain(accountId)
  expect(new Set(await read())).toEqual(new Set([3 * STEPS_OF_A_WALK]))
  expect(await auditAccount(database.db, accountId)).toMatchObject({ differencesTotal: 0, isStale: false })
})
