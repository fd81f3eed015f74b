import { afterEach, beforeEach, expect, test } from 'vitest'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { CHANGE_KINDS, type ChangeKind } from '../../src/model/change.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openWebhooks, type Webhooks } from '../harness/delivering.ts'
import { answered, openStepper, type Stepper } from '../harness/stepping.ts'
import { worldOfFile } from '../harness/world.ts'

// The store_id rule: null on an all-store endpoint exactly when a change is of all stores that list the product.

const { database, bench } = worldOfFile()
let webhooks: Webhooks
let account: TestAccount
let stepper: Stepper
let a: number
let b: number
beforeEach(async () => {
  webhooks = openWebhooks(bench)
  account = await createAccount(bench)
  ;[a = 0, b = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  stepper = openStepper(database.db, account.accountId)
})
afterEach(() => webhooks[Symbol.asyncDispose]())

const endpoint = (storeId: number | null, kinds: readonly ChangeKind[] = CHANGE_KINDS) =>
  webhooks.endpoints.create(account.accountId, { url: `http://127.0.0.1:9000/${storeId ?? 'all'}`, kinds, storeId })
const stock = (ids: readonly number[], quantity: number) =>
  bench.shelf.write(account.accountId, (tx) =>
    setOwnStock(
      tx,
      account.accountId,
      ids.map((productId) => ({ productId, quantity, cost: null })),
    ),
  )
const retitle = (productId: number, locale: string, value: string) =>
  bench.shelf.write(account.accountId, (tx) =>
    setOverrides(tx, account.accountId, [{ productId, field: 'title', locale, value }]),
  )
const list = (storeId: number, ids: readonly number[], isListed: boolean) =>
  bench.shelf.write(account.accountId, (tx) => setListing(tx, account.accountId, storeId, ids, isListed))

/** Everything that is due, as [event, store, products]. */
async function sent(): Promise<[string, number | null, number[]][]> {
  const all: [string, number | null, number[]][] = []
  for (;;) {
    const { claims, dueInMs, isMore } = await stepper.step()
    if (claims.length === 0 && dueInMs === null && !isMore) return all
    for (const claim of claims) {
      const said = JSON.parse(claim.body) as { event: string; store_id: number | null; product_ids: number[] }
      all.push([said.event, said.store_id, said.product_ids])
      await stepper.step([stepper.result(claim, answered(200))])
    }
    stepper.aheadMs += Math.max(250, dueInMs ?? 0)
  }
}

test('an endpoint of one store always names it, whatever changed elsewhere', async () => {
  await endpoint(account.storeIds[1])
  await stock([a, b], 9)
  await retitle(a, 'pl-PL', 'Nowy')
  expect(await sent()).toEqual([['price', account.storeIds[1], [a, b]]])
})

test('a change of all stores names none; a change of one names it', async () => {
  await endpoint(null)
  await stock([a], 9)
  expect(await sent()).toEqual([['price', null, [a]]])
  await retitle(b, 'de', 'Neu')
  expect(await sent()).toEqual([['content', account.storeIds[1], [b]]])
  await stock([b], 9)
  await retitle(a, 'pl-PL', 'Nowy')
  expect(await sent()).toEqual([
    ['price', null, [b]],
    ['content', account.storeIds[2], [a]],
  ])
})

test('store_id is decided product by product: all stores, two of three, one', async () => {
  await endpoint(null, ['price'])
  await list(account.storeIds[2], [b], false)
  expect(await sent()).toEqual([])
  await stock([a, b], 9)
  // the third store does not list b, so the other two are all stores that list it
  expect(await sent()).toEqual([['price', null, [a, b]]])
  await list(account.storeIds[1], [b], false)
  await stock([a, b], 10)
  expect(await sent()).toEqual([
    ['price', null, [a]],
    ['price', account.storeIds[0], [b]],
  ])
})

test('removed from all at once names none; from one by one each is named', async () => {
  await endpoint(null, ['removed'])
  for (const storeId of account.storeIds) await list(storeId, [a], false)
  await list(account.storeIds[1], [b], false)
  expect(await sent()).toEqual([
    ['removed', null, [a]],
    ['removed', account.storeIds[1], [b]],
  ])
  await list(account.storeIds[0], [b], false)
  expect(await sent()).toEqual([['removed', account.storeIds[0], [b]]])
})

test('an account with one store names it', async () => {
  for (const storeId of account.storeIds.slice(1))
    await bench.shelf.write(account.accountId, async (tx) => {
      await editStore(tx, account.accountId, storeId, { isActive: false })
      return { productIds: [] }
    })
  await endpoint(null)
  await stock([a], 9)
  expect((await sent()).map(([event, storeId]) => [event, storeId])).toEqual([['price', account.storeIds[0]]])
})

test('every store means the active ones: an inactive one is left out, and its last changes still arrive under its name', async () => {
  const inactive = account.storeIds[2]
  await endpoint(null)
  await retitle(a, 'pl-PL', 'Nowy')
  await bench.shelf.write(account.accountId, async (tx) => {
    await editStore(tx, account.accountId, inactive, { isActive: false })
    return { productIds: [] }
  })
  expect(await sent()).toEqual([['content', inactive, [a]]])
  await stock([a], 9)
  expect(await sent()).toEqual([['price', null, [a]]])
  // changes in the meantime are announced when it is active again
  await bench.shelf.write(account.accountId, async (tx) => {
    await editStore(tx, account.accountId, inactive, { isActive: true })
    return { productIds: [], isForAll: true }
  })
  await bench.shelf.drain(account.accountId)
  expect(await sent()).toEqual([['price', inactive, [a]]])
})

test('a window that ends between two products of a batch still announces each for all stores together', async () => {
  const ids = await giveOffers(
    bench,
    account,
    Array.from({ length: 30 }, (_, i) => offer(`N${i}`)),
  )
  await endpoint(null, ['price'])
  await database.db`update endpoint_state set batch_limit = 7 where account_id = ${account.accountId}`
  await stock(ids, 9)
  const all = await sent()
  expect(all.map(([, storeId]) => storeId)).toEqual(Array.from({ length: 5 }, () => null))
  expect(all.flatMap(([, , products]) => products)).toEqual(ids)
})
