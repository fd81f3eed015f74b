import { expect, test } from 'vitest'
import { createExclusionRule } from '../../src/catalog/settings/rules/exclusion-rules.ts'
import { createRule, editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { createProducts } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { deleteRate, setRates } from '../../src/catalog/settings/prices/rates.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { readFeed } from '../../src/feed/read.ts'
import { openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { sweepStep } from '../../src/shelf/sweep.ts'
import { createAccount, giveOffers, offer, type TestAccount, expectAudited } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

// A sweep of prices resolves only price halves, and whole products if that is not enough.

const accounts = openCompiledAccounts()
const { database, bench } = worldOfFile()

async function ruled(name: string): Promise<{ account: TestAccount; ids: number[]; ruleId: number }> {
  const account = await createAccount(bench, name)
  const ids = await giveOffers(bench, account, [
    offer('A', { cost: '10' }),
    offer('B', { cost: '100', manufacturer: 'Bolt' }),
  ])
  const { value: ruleId } = await inTransaction(database.db, (tx) =>
    createRule(tx, account.accountId, { name: 'All', percent: '10' }),
  )
  await bench.shelf.drain(account.accountId)
  return { account, ids, ruleId }
}
const write = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(database.db, work)
const versions = async (accountId: number) => {
  const [row] = await database.db<{ contents: string; prices: string }[]>`
    select (select string_agg(xmin::text, ' ' order by store_id, product_id) from payload_content where account_id = ${accountId}) as contents,
      (select string_agg(xmin::text, ' ' order by store_id, product_id) from payload_price where account_id = ${accountId}) as prices`
  return row!
}
const clean = async (accountId: number) => {
  await bench.shelf.drain(accountId)
  await expectAudited(database.db, accountId)
}

test('a pricing rule rewrites price halves and no content half', async () => {
  const { account, ruleId } = await ruled('halves')
  const before = await versions(account.accountId)
  await write((tx) => editRule(tx, account.accountId, ruleId, { percent: '20' }))
  expect(await sweepStep(database.db, accounts, account.accountId)).toMatchObject({ products: 2, changes: 6 })
  const after = await versions(account.accountId)
  expect(after.contents).toBe(before.contents)
  expect(after.prices).not.toBe(before.prices)
  await clean(account.accountId)
})

test('prices that exclude a product, or no longer do, change its content too', async () => {
  const {
    account,
    ids: [a],
    ruleId,
  } = await ruled('bounds')
  const { accountId, storeIds } = account
  await write((tx) => createExclusionRule(tx, accountId, { name: 'Cheap', kind: 'price_below', amount: '15' }))
  await clean(accountId)
  const kindsAfter = async (cursor: { since: Date; id: number }) =>
    (await readFeed(database.db, accountId, storeIds[0], { kind: 'pair', ...cursor }, 100)).changes.find(
      (change) => change.productId === a,
    )?.kinds
  const excluded = async () => {
    const [row] = await database.db<
      { body: string }[]
    >`select body from payload_content where account_id = ${accountId} and store_id = ${storeIds[0]} and product_id = ${a!}`
    return (JSON.parse(`{${row!.body}}`) as { excluded: boolean }).excluded
  }
  expect(await excluded()).toBe(true)
  const { next } = await readFeed(database.db, accountId, storeIds[0], { kind: 'now' }, 1)
  await write((tx) => editRule(tx, accountId, ruleId, { percent: '60' }))
  await sweepStep(database.db, accounts, accountId)
  expect(await excluded()).toBe(false)
  expect(await kindsAfter(next)).toEqual(['price', 'content'])
  await write((tx) => editRule(tx, accountId, ruleId, { percent: '10' }))
  await sweepStep(database.db, accounts, accountId)
  expect(await excluded()).toBe(true)
  await clean(accountId)
})

test('a removed rate removes the prices and excludes; adding it again restores both', async () => {
  const { account } = await ruled('rate')
  const { accountId, storeIds } = account
  const polish = () => database.db<{ excluded: boolean; prices: number }[]>`
    select ('{' || c.body || '}')::json ->> 'excluded' = 'true' as excluded, json_array_length(('{' || p.body || '}')::json -> 'prices') as prices
    from payload_content c join payload_price p using (account_id, store_id, product_id) where account_id = ${accountId} and store_id = ${storeIds[2]}`
  await write((tx) => deleteRate(tx, accountId, 'PLN'))
  await clean(accountId)
  expect(await polish()).toEqual([
    { excluded: true, prices: 0 },
    { excluded: true, prices: 0 },
  ])
  await write((tx) => setRates(tx, accountId, [{ currency: 'PLN', rate: '4' }]))
  await clean(accountId)
  expect(await polish()).toEqual([
    { excluded: false, prices: 2 },
    { excluded: false, prices: 2 },
  ])
})

test('with a rule that reads content, new products and products that are not listed, nothing is missed', async () => {
  const {
    account,
    ids: [a, b],
    ruleId,
  } = await ruled('fallbacks')
  const { accountId, storeIds } = account
  await write((tx) => createExclusionRule(tx, accountId, { name: 'No EAN', kind: 'no_ean', reason: 'no ean' }))
  await write((tx) => setListing(tx, accountId, storeIds[1], [a!], false))
  await clean(accountId)
  // marked, but not shelved before the sweep of prices: products that are created, listed again and removed
  await write((tx) => createProducts(tx, accountId, [{ sku: 'N', ean: '4006381333931' }]))
  await write((tx) => setListing(tx, accountId, storeIds[1], [a!], true))
  await write((tx) => setListing(tx, accountId, storeIds[0], [b!], false))
  await write((tx) => editRule(tx, accountId, ruleId, { percent: '33' }))
  while ((await sweepStep(database.db, accounts, accountId)) !== null);
  await clean(accountId)
})
