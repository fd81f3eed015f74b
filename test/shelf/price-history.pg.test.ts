import { expect, test } from 'vitest'
import { createRule, deleteRule, editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { deleteProducts, setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { createGroup, deleteGroup } from '../../src/catalog/settings/stores/groups.ts'
import { deleteRate, setRates } from '../../src/catalog/settings/prices/rates.ts'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { RESOLVER_VERSION } from '../../src/resolve/resolve.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { giveOffers, offer, expectAudited } from '../harness/account.ts'
import { bench, database, rowsOf, shownIn, subject, write, setUp } from './priced-product.ts'

setUp()

// The price history: one row each time that clients read another price, and none for anything else.

/** Expects the column with shown prices to equal the prices in the JSON of the payloads. */
async function consistent(accountId: number): Promise<void> {
  const rows = await database.db<{ body: string; shown: string | null; last: string | null }[]>`
    select p.body, p.shown, (
      select h.shown from price_history h where h.account_id = p.account_id and h.product_id = p.product_id and h.store_id = p.store_id
      order by history_id desc limit 1) as last
    from payload_price p where p.account_id = ${accountId}`
  for (const { body, shown, last } of rows) {
    const { prices } = JSON.parse(`{${body}}`) as {
      prices: { customer_group_id: number; computed_price: number; currency: string }[]
    }
    const text =
      prices.length === 0
        ? ''
        : [prices[0]!.currency, ...prices.map((entry) => `${entry.customer_group_id}:${entry.computed_price}`)].join(
            ' ',
          )
    expect([shown, last]).toEqual([text, text])
  }
  await expectAudited(database.db, accountId)
}

test('every move of a price is one row, whatever moved it', async () => {
  const it = await subject()
  const {
    account,
    id,
    groups: [retail, wholesale],
  } = it
  const { accountId } = account
  const expected = [`EUR ${retail}:12.5 ${wholesale}:12.5`]
  expect(await shownIn(it)).toEqual(expected)
  const moves: [string, () => Promise<unknown>, string][] = [
    [
      'the supplier’s cost',
      () => giveOffers(bench, account, [offer('A', { cost: '20' })]),
      `EUR ${retail}:25 ${wholesale}:25`,
    ],
    [
      'own cost',
      () => write(account, (tx) => setOwnStock(tx, accountId, [{ productId: id, quantity: 1, cost: '8' }])),
      `EUR ${retail}:10 ${wholesale}:10`,
    ],
    [
      'own stock that is sold',
      () => write(account, (tx) => setOwnStock(tx, accountId, [{ productId: id, quantity: 0, cost: '8' }])),
      `EUR ${retail}:25 ${wholesale}:25`,
    ],
    [
      'a rule',
      () => write(account, (tx) => createRule(tx, accountId, { name: 'W', percent: '10', groupIds: [wholesale] })),
      `EUR ${retail}:25 ${wholesale}:22`,
    ],
    [
      'a rule edited',
      async () => {
        const [rule] = await database.db<
          { id: number }[]
        >`select rule_id as id from pricing_rule where account_id = ${accountId} and name = 'W'`
        await write(account, (tx) => editRule(tx, accountId, rule!.id, { percent: '5' }))
      },
      `EUR ${retail}:25 ${wholesale}:21`,
    ],
    [
      'a rule deleted',
      async () => {
        const [rule] = await database.db<
          { id: number }[]
        >`select rule_id as id from pricing_rule where account_id = ${accountId} and name = 'W'`
        await write(account, (tx) => deleteRule(tx, accountId, rule!.id))
      },
      `EUR ${retail}:25 ${wholesale}:25`,
    ],
    ['a group', () => write(account, (tx) => createGroup(tx, accountId, 'Third')), ''],
    [
      'a group deleted',
      async () => {
        const [group] = await database.db<
          { id: number }[]
        >`select group_id as id from customer_group where account_id = ${accountId} and name = 'Third'`
        expected[expected.length - 1] = `EUR ${retail}:25 ${wholesale}:25 ${group!.id}:25`
        await write(account, (tx) => deleteGroup(tx, accountId, group!.id))
      },
      `EUR ${retail}:25 ${wholesale}:25`,
    ],
    [
      'the store’s currency',
      () => write(account, (tx) => editStore(tx, accountId, account.storeIds[0], { currency: 'USD' })),
      `USD ${retail}:31.25 ${wholesale}:31.25`,
    ],
    [
      'the rate',
      () => write(account, (tx) => setRates(tx, accountId, [{ currency: 'USD', rate: '1.2' }])),
      `USD ${retail}:30 ${wholesale}:30`,
    ],
    ['the rate that goes', () => write(account, (tx) => deleteRate(tx, accountId, 'USD')), ''],
    [
      'the rate that comes back',
      () => write(account, (tx) => setRates(tx, accountId, [{ currency: 'USD', rate: '1.2' }])),
      `USD ${retail}:30 ${wholesale}:30`,
    ],
  ]
  for (const [what, move, shown] of moves) {
    await move()
    expected.push(shown)
    if (what !== 'a group') expect(await shownIn(it), what).toEqual(expected)
    await consistent(accountId)
  }
  // at the same time for the store in złoty: one row per change, without the dollar's
  expect(await shownIn(it, 2)).toEqual(
    [50, 100, 40, 100, 100, 100, 100, 100, 100].map((price, i) =>
      expect.stringMatching(new RegExp(`^PLN ${retail}:${price} ${wholesale}:${i === 4 ? 88 : i === 5 ? 84 : price}`)),
    ),
  )
})

test('stock, cost behind a fixed price, rules, names and texts append nothing', async () => {
  const it = await subject()
  const { account, id } = it
  const { accountId } = account
  await write(account, (tx) =>
    createRule(tx, accountId, { name: 'Fixed', action: 'fixed', fixedPrice: '99', percent: null }),
  )
  const before = await rowsOf(accountId)
  const bodies = () =>
    database.db<{ body: string }[]>`select body from payload_price where account_id = ${accountId} order by store_id`
  const first = await bodies()
  await giveOffers(bench, account, [offer('A', { cost: '10', quantity: 4 })])
  const restocked = await bodies()
  expect(restocked).not.toEqual(first)
  await giveOffers(bench, account, [offer('A', { cost: '11', quantity: 4 })])
  expect(await bodies()).not.toEqual(restocked)
  await write(account, (tx) =>
    createRule(tx, accountId, { name: 'Same', action: 'fixed', fixedPrice: '99', percent: null, priority: -1 }),
  )
  await write(account, (tx) =>
    setOverrides(tx, accountId, [{ productId: id, field: 'title', locale: 'en', value: 'Other' }]),
  )
  await write(account, (tx) => setOwnStock(tx, accountId, [{ productId: id, quantity: 7, cost: null }]))
  expect(await rowsOf(accountId)).toBe(before)
  await consistent(accountId)
})

test('a product that leaves is a row without prices, one that comes back a row with them', async () => {
  const it = await subject()
  const {
    account,
    id,
    groups: [retail, wholesale],
  } = it
  const { accountId, storeIds } = account
  const price = `EUR ${retail}:12.5 ${wholesale}:12.5`
  await write(account, (tx) => setListing(tx, accountId, storeIds[1], [id], false))
  await write(account, (tx) => setListing(tx, accountId, storeIds[1], [id], true))
  expect(await shownIn(it, 1)).toEqual([price, null, price])
  expect(await shownIn(it, 0)).toEqual([price])
  await write(account, (tx) => deleteProducts(tx, accountId, [id]))
  expect(await shownIn(it, 1)).toEqual([price, null, price, null])
  expect(await shownIn(it, 0)).toEqual([price, null])
  await consistent(accountId)
})

test('a price that is held back is none; confirmed or not, what is shown is what is kept', async () => {
  const it = await subject()
  const { account } = it
  const { accountId } = account
  await write(account, (tx) => editAccount(tx, accountId, { priceJumpFactor: '2' }))
  const before = await shownIn(it)
  await giveOffers(bench, account, [offer('A', { cost: '1000' })])
  expect(await shownIn(it)).toEqual(before)
  await giveOffers(bench, account, [offer('A', { cost: '12' })])
  expect(await shownIn(it)).toHaveLength(2)
  await consistent(accountId)
})

test('an older resolver’s rewrite appends only where nothing was kept before, or prices differ', async () => {
  const it = await subject()
  const { account } = it
  const { accountId, storeIds } = account
  const age = async () => {
    await database.db`update payload_price set resolver = ${RESOLVER_VERSION - 1} where account_id = ${accountId}`
    await write(account, (tx) => tx`insert into sweep (account_id, reason) values (${accountId}, 'test')`)
    const [row] = await database.db<
      { count: number }[]
    >`select count(*)::int as count from payload_price where account_id = ${accountId} and resolver = ${RESOLVER_VERSION}`
    expect(row?.count).toBe(3)
  }
  await age()
  expect(await rowsOf(accountId)).toBe(3)
  // as left by a release without a history
  await database.db`update payload_price set shown = null where account_id = ${accountId} and store_id = ${storeIds[0]}`
  await database.db`delete from price_history where account_id = ${accountId} and store_id = ${storeIds[0]}`
  await giveOffers(bench, account, [offer('A', { cost: '10' })])
  expect(await shownIn(it), 'nothing was written, so nothing begins').toEqual([])
  await age()
  expect(await shownIn(it)).toHaveLength(1)
  expect(await rowsOf(accountId)).toBe(3)
  await consistent(accountId)
  // a change of stock alone, without a history yet
  await database.db`update payload_price set shown = null where account_id = ${accountId}`
  await giveOffers(bench, account, [offer('A', { cost: '10', quantity: 77 })])
  expect(await shownIn(it)).toHaveLength(2)
  await giveOffers(bench, account, [offer('A', { cost: '10', quantity: 78 })])
  expect(await shownIn(it)).toHaveLength(2)
})
