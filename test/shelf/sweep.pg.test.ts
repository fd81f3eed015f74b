import { expect, test } from 'vitest'
import { sweepAppend } from '../../src/catalog/stale/sweeps.sql.ts'
import { createRule, editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { createProducts, setOwnStock } from '../../src/catalog/products/products.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { sweepStep } from '../../src/shelf/sweep.ts'
import { createAccount, type TestAccount, expectAudited } from '../harness/account.ts'
import { hold } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

// Sweeps over many products are divided into parts; small limits here, so that a few hundred products are many.
Object.assign(LIMITS, { sweepPartIds: 64, shelveBatchProducts: 20 })

const accounts = openCompiledAccounts()
const { database, bench } = worldOfFile()

async function many(name: string): Promise<{ account: TestAccount; ids: number[]; ruleId: number }> {
  const account = await createAccount(bench, name)
  const { accountId } = account
  const ids = await inTransaction(database.db, async (tx) => {
    const made = (
      await createProducts(
        tx,
        accountId,
        Array.from({ length: 300 }, (_, i) => ({ sku: `S${i}` })),
      )
    ).value
    await setOwnStock(
      tx,
      accountId,
      made.map((productId) => ({ productId, quantity: 1, cost: '10' })),
    )
    return made
  })
  const { value: ruleId } = await inTransaction(database.db, (tx) =>
    createRule(tx, accountId, { name: 'All', percent: '10' }),
  )
  await bench.shelf.drain(accountId)
  return { account, ids, ruleId }
}
const parts = (accountId: number) => database.db<{ sweepId: number; start: number; finish: number }[]>`
  select sweep_id as "sweepId", next_product_id as start, end_product_id as finish from sweep where account_id = ${accountId} order by sweep_id, finish`
const prices = (accountId: number) => database.db<{ price: number; count: number }[]>`
  select (('{' || body || '}')::json -> 'prices' -> 0 ->> 'computed_price')::float as price, count(*)::int from payload_price
  where account_id = ${accountId} and store_id = (select min(store_id) from store where account_id = ${accountId}) group by 1`

test('a large sweep is cut into parts that meet without a gap, and two workers take different ones', async () => {
  const { account, ids, ruleId } = await many('parts')
  const { accountId } = account
  await inTransaction(database.db, (tx) => editRule(tx, accountId, ruleId, { percent: '20' }))
  expect(await sweepStep(database.db, accounts, accountId)).toMatchObject({ products: 0 })
  const cut = await parts(accountId)
  expect(cut.length).toBeGreaterThan(3)
  expect(cut[0]!.start).toBe(0)
  expect(cut.at(-1)!.finish).toBe(Number.MAX_SAFE_INTEGER)
  for (const [i, part] of cut.slice(1).entries()) expect(part.start).toBe(cut[i]!.finish)
  // one worker waits in the first part; the other continues with the next
  await using obstacle = await hold(
    database.db,
    (tx) => tx`select from sweep where account_id = ${accountId} and end_product_id = ${cut[0]!.finish} for update`,
  )
  expect(await sweepStep(database.db, accounts, accountId)).toMatchObject({ products: 20, lastId: cut[0]!.finish + 20 })
  await obstacle.commit()
  await bench.shelf.drain(accountId)
  expect(await prices(accountId)).toEqual([{ price: 12, count: ids.length }])
  await expectAudited(database.db, accountId)
})

test('later sweeps are shelved by the parts of earlier ones, and what those have behind them is swept again', async () => {
  const { account, ids, ruleId } = await many('along')
  const { accountId } = account
  await inTransaction(database.db, (tx) => editRule(tx, accountId, ruleId, { percent: '20' }))
  await sweepStep(database.db, accounts, accountId)
  await sweepStep(database.db, accounts, accountId)
  await inTransaction(database.db, (tx) => editRule(tx, accountId, ruleId, { percent: '30' }))
  await inTransaction(database.db, (tx) => sweepAppend(tx, accountId, 'one store', { storeId: account.storeIds[0] }))
  let resolved = 0
  for (
    let step = await sweepStep(database.db, accounts, accountId);
    step !== null;
    step = await sweepStep(database.db, accounts, accountId)
  )
    resolved += step.products
  expect(await prices(accountId)).toEqual([{ price: 13, count: ids.length }])
  // three sweeps take little more than one pass over the products
  expect(resolved).toBeGreaterThanOrEqual(ids.length)
  expect(resolved).toBeLessThan(2 * ids.length)
  expect(await parts(accountId)).toEqual([])
  await expectAudited(database.db, accountId)
})

test('drained by parallel workers while rules are edited, every payload equals what its inputs resolve to', async () => {
  const { account, ids, ruleId } = await many('side by side')
  const { accountId } = account
  const workers = [bench.shelf.startWorker('a'), bench.shelf.startWorker('b')]
  for (let percent = 40; percent < 60; percent++) {
    await bench.shelf.write(accountId, async (tx) => {
      await editRule(tx, accountId, ruleId, { percent: String(percent) })
      return { productIds: [] }
    })
  }
  await bench.shelf.drain(accountId)
  await Promise.all(workers.map((worker) => worker.stop()))
  expect(await prices(accountId)).toEqual([{ price: 15.9, count: ids.length }])
  await expectAudited(database.db, accountId)
})
