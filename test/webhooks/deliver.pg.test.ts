import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { setListing, setOverrides, setOwnStock } from '../../src/catalog/products/write.ts'
import { parseTimestamp } from '../../src/ground/timestamp.ts'
import { CHANGE_KINDS } from '../../src/model/change.ts'
import { verifies } from '../../src/webhooks/signature.ts'
import { createAccount, giveOffers, offer, openBench, type Bench, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { openWebhooks, type Webhooks } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'

let database: TestDatabase
let bench: Bench
let webhooks: Webhooks
let receiver: Receiver
beforeAll(async () => {
  database = await createDatabase()
  bench = openBench(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  webhooks = openWebhooks(bench)
  receiver = await startReceiver()
})
afterEach(async () => {
  await webhooks[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const stock = (account: TestAccount, productIds: readonly number[], quantity: number) =>
  bench.shelf.write(account.accountId, async (tx) => ({
    productIds: await setOwnStock(tx, account.accountId, productIds.map((productId) => ({ productId, quantity, cost: null }))),
  }))
const list = (account: TestAccount, storeId: number, productIds: readonly number[], isListed: boolean) =>
  bench.shelf.write(account.accountId, async (tx) => ({ productIds: await setListing(tx, account.accountId, storeId, productIds, isListed) }))
const retitle = (account: TestAccount, productId: number, locale: string, value: string) =>
  bench.shelf.write(account.accountId, async (tx) => ({
    productIds: await setOverrides(tx, account.accountId, [{ productId, field: 'title', locale, value }]),
  }))
const heard = () => receiver.received.map(({ event, storeId, productIds }) => ({ event, storeId, productIds }))
/** Until nothing is pending at any endpoint of the account. */
const quiet = (account: TestAccount) =>
  until('everything is delivered', async () => {
    const [row] = await database.db<{ busy: number }[]>`
      select count(*)::int as busy from endpoint_state s join change_counter c using (account_id)
      where s.account_id = ${account.accountId} and (s.position < c.last_id or s.lease_id is not null
        or exists (select from delivery d where d.account_id = s.account_id and d.endpoint_id = s.endpoint_id and d.state = 'waiting'))`
    return row?.busy === 0
  }, 20_000)

test('a change is delivered as the contract says: method, headers, body, signature', async () => {
  const account = await createAccount(bench)
  const [first = 0, second = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  const { secret } = await webhooks.endpoints.create(account.accountId, { url: `${receiver.url}/hook?x=1`, kinds: ['price'], storeId: account.storeIds[1] })
  webhooks.deliver()
  const before = Date.now()
  await stock(account, [first, second], 9)
  await quiet(account)
  expect(heard()).toEqual([{ event: 'price', storeId: account.storeIds[1], productIds: [first, second] }])
  const [delivery] = receiver.received
  if (delivery === undefined) throw new Error('nothing was received')
  expect(delivery.path).toBe('/hook?x=1')
  expect(delivery.headers['content-type']).toBe('application/json')
  const body = JSON.parse(delivery.body) as Record<string, unknown>
  expect(Object.keys(body)).toEqual(['event', 'store_id', 'product_ids', 'occurred_at'])
  const occurredAt = parseTimestamp(String(body['occurred_at']))?.getTime() ?? 0
  expect(Math.abs(occurredAt - before)).toBeLessThan(5_000)
  const timestamp = String(delivery.headers['x-service-timestamp'])
  expect(Math.abs(Number(timestamp) * 1_000 - before)).toBeLessThan(5_000)
  expect(verifies(secret, timestamp, delivery.body, String(delivery.headers['x-service-signature']))).toBe(true)
  expect(delivery.deliveryId).toMatch(/^[0-9a-f-]{36}$/)
  expect(delivery.headers['x-service-signature-previous']).toBeUndefined()
  expect(delivery.headers['x-service-test']).toBeUndefined()
})

test('a new endpoint begins at the head: what was there before is not told', async () => {
  const account = await createAccount(bench)
  const [first = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  await webhooks.endpoints.create(account.accountId, { url: receiver.url, kinds: CHANGE_KINDS, storeId: null })
  webhooks.deliver()
  await retitle(account, first, 'pl-PL', 'Nowy')
  await quiet(account)
  expect(heard()).toEqual([{ event: 'content', storeId: account.storeIds[2], productIds: [first] }])
})

test('kinds that nobody listens to are passed over, and do not hide those that are', async () => {
  const account = await createAccount(bench)
  const [first = 0] = await giveOffers(bench, account, [offer('A')])
  await webhooks.endpoints.create(account.accountId, { url: receiver.url, kinds: ['price'], storeId: account.storeIds[0] })
  await stock(account, [first], 9)
  await retitle(account, first, 'en', 'New')
  webhooks.deliver()
  await quiet(account)
  expect(heard()).toEqual([{ event: 'price', storeId: account.storeIds[0], productIds: [first] }])
})

test('price and content of one product are both told, removed after content comes last', async () => {
  const account = await createAccount(bench)
  const [first = 0] = await giveOffers(bench, account, [offer('A')])
  const storeId = account.storeIds[0]
  await webhooks.endpoints.create(account.accountId, { url: receiver.url, kinds: CHANGE_KINDS, storeId })
  await stock(account, [first], 9)
  await retitle(account, first, 'en', 'New')
  webhooks.deliver()
  await quiet(account)
  await retitle(account, first, 'en', 'Newer')
  await list(account, storeId, [first], false)
  await quiet(account)
  expect(heard().map(({ event }) => event)).toEqual(expect.arrayContaining(['price', 'content']))
  expect(heard().at(-1)).toEqual({ event: 'removed', storeId, productIds: [first] })
})

test('an idle endpoint is sent to at once, then at most four times a second, and what changes meanwhile is told together', async () => {
  const account = await createAccount(bench)
  const [first = 0] = await giveOffers(bench, account, [offer('A')])
  await webhooks.endpoints.create(account.accountId, { url: receiver.url, kinds: ['price'], storeId: account.storeIds[0] })
  webhooks.deliver()
  for (let i = 0; i < 60; i++) await stock(account, [first], 10 + i)
  await quiet(account)
  const times = receiver.received.map(({ at }) => at)
  const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0))
  expect(times.length).toBeLessThan(20)
  expect(Math.min(...gaps)).toBeGreaterThan(200)
})
