import { expect, test } from 'vitest'
import { createGroup } from '../../src/catalog/settings/stores/groups.ts'
import { editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { setListing } from '../harness/product-edits.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { counterGet } from '../../src/shelf/payloads/change-counter.sql.ts'
import { findFindings } from '../../src/shelf/findings/findings.ts'
import { confirmAllPrices, confirmPrices } from '../../src/shelf/confirm-prices.ts'
import {
  createAccount,
  giveOffers,
  offer,
  type TestAccount,
  productIdsOf,
  type Said,
  expectAudited,
} from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

// Prices that jump by more than the account's factor are held back and reported until they are confirmed.

const { database, bench } = worldOfFile()

async function guarded(name: string): Promise<{ account: TestAccount; id: number }> {
  const account = await createAccount(bench, name)
  await say(account, (tx) => editAccount(tx, account.accountId, { priceJumpFactor: '2' }))
  const [id = 0] = await giveOffers(bench, account, [offer('A', { cost: '8' })])
  return { account, id }
}
async function say(account: TestAccount, work: (tx: Tx) => Promise<Said>): Promise<void> {
  await bench.shelf.write(account.accountId, async (tx) => ({ productIds: productIdsOf(await work(tx)) }))
  await bench.shelf.drain(account.accountId)
  await expectAudited(database.db, account.accountId)
}
/** Prices of the main store by group, and its stock. */
async function shown(account: TestAccount, productId: number) {
  const [row] = await database.db<{ body: string }[]>`
    select body from payload_price where account_id = ${account.accountId} and store_id = ${account.storeIds[0]} and product_id = ${productId}`
  const half = JSON.parse(`{${row!.body}}`) as {
    prices: { computed_price: number; base_cost: number }[]
    stock: number
  }
  return {
    prices: half.prices.map((price) => price.computed_price),
    costs: half.prices.map((price) => price.base_cost),
    stock: half.stock,
  }
}
const held = async (account: TestAccount) => (await findFindings(database.db, account.accountId)).pricesHeld
const give = (account: TestAccount, cost: string, quantity = 5) =>
  giveOffers(bench, account, [offer('A', { cost, quantity })])

test('exactly the factor passes; beyond it the old price stays and is reported, while the stock still changes', async () => {
  const { account, id } = await guarded('factor')
  await give(account, '16')
  expect(await shown(account, id)).toMatchObject({ prices: [20, 20] })
  await give(account, '7.9', 3)
  expect(await shown(account, id)).toEqual({ prices: [20, 20], costs: [7.9, 7.9], stock: 3 })
  const found = await held(account)
  expect(found).toHaveLength(6)
  expect(found[0]).toMatchObject({
    productId: id,
    storeId: account.storeIds[0],
    currency: 'EUR',
    shownPrice: '20',
    wantedPrice: '9.88',
  })
  expect(await auditAccount(database.db, account.accountId)).toMatchObject({ differencesTotal: 0 })
  // a held price is no change: shelving it again writes and announces nothing
  const head = await counterGet(database.db, account.accountId)
  await say(account, (tx) => editAccount(tx, account.accountId, { name: 'again' }))
  expect(await counterGet(database.db, account.accountId)).toEqual(head)
})

test('a confirmed price is shown, and later ones are compared with it', async () => {
  const { account, id } = await guarded('confirm')
  await give(account, '80')
  expect(await shown(account, id)).toMatchObject({ prices: [10, 10] })
  const wanted = (await held(account))[0]!
  // the confirmed price is no longer the computed one, so nothing is confirmed
  await say(account, (tx) =>
    confirmPrices(tx, account.accountId, [id], { storeId: wanted.storeId, groupId: wanted.groupId, price: '99' }),
  )
  expect(await shown(account, id)).toMatchObject({ prices: [10, 10] })
  await say(account, (tx) =>
    confirmPrices(tx, account.accountId, [id], {
      storeId: wanted.storeId,
      groupId: wanted.groupId,
      price: wanted.wantedPrice,
    }),
  )
  expect(await shown(account, id)).toMatchObject({ prices: [100, 10] })
  await say(account, async (tx) => void (await confirmAllPrices(tx, account.accountId)))
  expect(await shown(account, id)).toMatchObject({ prices: [100, 100] })
  expect(await held(account)).toEqual([])
  await give(account, '8')
  expect(await shown(account, id)).toMatchObject({ prices: [100, 100] })
})

test('a price that comes back within the factor is no longer held', async () => {
  const { account, id } = await guarded('back')
  await give(account, '800')
  expect(await shown(account, id)).toMatchObject({ prices: [10, 10] })
  await give(account, '9')
  expect(await shown(account, id)).toMatchObject({ prices: [11.25, 11.25] })
  expect(await held(account)).toEqual([])
})

test('jumps by a rate or a rule are held like those by a cost; not with a new currency, a new product or the guard off', async () => {
  const { account, id } = await guarded('causes')
  const { accountId, storeIds } = account
  const polish = async () => {
    const [row] = await database.db<
      { body: string }[]
    >`select body from payload_price where account_id = ${accountId} and store_id = ${storeIds[2]} and product_id = ${id}`
    return (JSON.parse(`{${row!.body}}`) as { prices: { computed_price: number; currency: string }[] }).prices[0]
  }
  expect(await polish()).toMatchObject({ computed_price: 40, currency: 'PLN' })
  await say(account, (tx) => setRates(tx, accountId, [{ currency: 'PLN', rate: '40' }]))
  expect(await polish()).toMatchObject({ computed_price: 40 })
  await say(account, (tx) => setRates(tx, accountId, [{ currency: 'PLN', rate: '4' }]))
  expect(await held(account)).toEqual([])
  const [row] = await database.db<
    { id: number }[]
  >`select rule_id as id from pricing_rule where account_id = ${accountId} and is_default`
  await say(account, (tx) => editRule(tx, accountId, row!.id, { percent: '900' }))
  expect(await polish()).toMatchObject({ computed_price: 40 })
  await say(account, (tx) => editStore(tx, accountId, storeIds[2], { currency: 'USD' }))
  expect(await polish()).toMatchObject({ computed_price: 100, currency: 'USD' })
  const [fresh = 0] = await giveOffers(bench, account, [offer('N', { cost: '1' })])
  expect(await shown(account, fresh)).toMatchObject({ prices: [10, 10] })
  await say(account, (tx) => editAccount(tx, accountId, { priceJumpFactor: null }))
  expect(await shown(account, id)).toMatchObject({ prices: [80, 80] })
  expect(await held(account)).toEqual([])
})

test('a product that leaves a store or is deleted leaves no held price behind', async () => {
  const { account, id } = await guarded('leaves')
  await give(account, '80')
  await say(account, (tx) => setListing(tx, account.accountId, account.storeIds[0], [id], false))
  expect((await held(account)).map((row) => row.storeId)).not.toContain(account.storeIds[0])
  await say(account, (tx) => setListing(tx, account.accountId, account.storeIds[0], [id], true))
  expect(await shown(account, id)).toMatchObject({ prices: [100, 100] })
})

test('confirming and shelving at the same time lose neither', async () => {
  const { account, id } = await guarded('race')
  await give(account, '80')
  await Promise.all([
    inTransaction(database.db, (tx) => confirmAllPrices(tx, account.accountId)),
    give(account, '90'),
    inTransaction(database.db, (tx) => confirmPrices(tx, account.accountId, [id])),
  ])
  await bench.shelf.drain(account.accountId)
  await expectAudited(database.db, account.accountId)
  expect([10, 100, 112.5]).toContain((await shown(account, id)).prices[0])
})

test('a new group takes no prices away: where it would have none, it is held at the default group’s price until that is confirmed', async () => {
  const { account, id } = await guarded('groups')
  await give(account, '0')
  // a fall to 0 is held
  expect(await shown(account, id)).toMatchObject({ prices: [10, 10] })
  const { value: trade } = await bench.shelf.write(account.accountId, (tx) =>
    createGroup(tx, account.accountId, 'Partners'),
  )
  await say(account, () => Promise.resolve([]))
  expect(await shown(account, id)).toMatchObject({ prices: [10, 10, 10] })
  const found = (await held(account)).filter(({ groupId }) => groupId === trade)
  expect(found.map(({ shownPrice, wantedPrice }) => [shownPrice, wantedPrice])).toEqual(
    account.storeIds.map((_, i) => [found[i]!.shownPrice, '0']),
  )
  const [content] = await database.db<{ body: string }[]>`
    select body from payload_content
    where account_id = ${account.accountId} and store_id = ${account.storeIds[0]} and product_id = ${id}`
  expect(content!.body).toContain('"excluded":false')
  // the cost returns to its old value, and so does the group's own price
  await give(account, '8.8')
  expect(await shown(account, id)).toMatchObject({ prices: [11, 11, 11] })
  expect(await held(account)).toEqual([])
  // once a price of 0 is confirmed, even for the new group alone, there is no price
  await give(account, '0')
  const own = (await held(account)).find(
    ({ groupId, storeId }) => groupId === trade && storeId === account.storeIds[0],
  )!
  await say(account, (tx) =>
    confirmPrices(tx, account.accountId, [id], { storeId: own.storeId, groupId: own.groupId, price: '0' }),
  )
  expect(await shown(account, id)).toMatchObject({ prices: [] })
})
