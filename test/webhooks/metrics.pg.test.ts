import { afterEach, beforeEach, expect, test } from 'vitest'
import { setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { createAccount, giveOffers, offer, type Bench, type TestAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Metrics of webhooks at /metrics of a whole service.

const { database } = worldOfFile()
let service: TestService
let receiver: Receiver
let bench: Bench
let account: TestAccount
let productId: number
beforeEach(async () => {
  service = await startTestService(database, {
    roles: ['api', 'work'],
    env: { OUTBOUND_ALLOW: '127.0.0.0/8,::1/128', SECRET_KEY: TEST_KEY },
  })
  receiver = await startReceiver()
  const { db, wake, shelf } = service.runtime
  bench = { db, wake, shelf }
  account = await createAccount(bench)
  ;[productId = 0] = await giveOffers(bench, account, [offer('A')])
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

/** The values at /metrics, by name and labels. */
async function figures(): Promise<Map<string, number>> {
  const response = await fetch(`${service.url}/metrics`)
  expect(response.status).toBe(200)
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('shelfwire_webhook'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}
const DELIVERED = 'shelfwire_webhook_deliveries_total{outcome="delivered"}'
const FAILED = 'shelfwire_webhook_deliveries_total{outcome="5xx"}'
const LAG = 'shelfwire_webhook_lag_seconds_count'
const LAG_SUM = 'shelfwire_webhook_lag_seconds_sum'
const pending = (endpointId: number) =>
  `shelfwire_webhook_oldest_pending_seconds{account="${account.accountId}",endpoint="${endpointId}"}`
const figure = async (name: string) => (await figures()).get(name)
const change = (quantity: number) =>
  bench.shelf.write(account.accountId, (tx) =>
    setOwnStock(tx, account.accountId, [{ productId, quantity, cost: null }]),
  )
const create = async (path: string) =>
  (
    await service.runtime.endpoints.create(account.accountId, {
      url: `${receiver.url}${path}`,
      kinds: ['price'],
      storeId: null,
    })
  ).endpointId

test('deliveries by outcome, their lag, and the oldest pending change until it is acknowledged', async () => {
  const endpointId = await create('/hook')
  expect([...(await figures()).keys()].filter((name) => name.includes('oldest_pending'))).toEqual([])
  await change(11)
  await until('the first delivery is counted', async () => (await figure(DELIVERED)) === 1)
  expect(await figure(FAILED)).toBeUndefined()
  expect(await figure(LAG)).toBe(1)
  await until('nothing is pending', async () => (await figure(pending(endpointId))) === undefined)

  receiver.answer = { status: 500 }
  await change(12)
  await until('a failure is counted', async () => (await figure(FAILED)) === 1)
  expect(await figure(DELIVERED)).toBe(1)
  expect(await figure(LAG)).toBe(2)
  // the failure is recorded, and the change waits for its retry
  await until('something is pending', async () => (await figure(pending(endpointId))) !== undefined)
  await database.db`update endpoint_state set pending_since = now() - interval '90 seconds' where endpoint_id = ${endpointId}`
  const age = (await figure(pending(endpointId))) ?? 0
  expect(age).toBeGreaterThanOrEqual(90)
  expect(age).toBeLessThan(100)

  receiver.answer = { status: 204 }
  await service.runtime.endpoints.resume(account.accountId, endpointId)
  await until('it has recovered', async () => (await figure(DELIVERED)) === 2)
  await until('nothing is pending any more', async () => (await figure(pending(endpointId))) === undefined)
  expect(await figure(LAG)).toBe(3)
  // it was sent soon after it was requested
  expect(await figure(LAG_SUM)).toBeLessThan(5)
  expect(receiver.received.map(({ productIds }) => productIds)).toEqual([[productId], [productId], [productId]])
})

test('other outcomes are labelled by class or fault, and each endpoint has one age', async () => {
  const { port } = new URL(receiver.url)
  receiver.answer = ({ path }) => ({
    status: path === '/moved' ? 301 : path === '/gone' ? 404 : 200,
    headers: { location: `http://127.0.0.1:${port}/target` },
  })
  const moved = await create('/moved')
  const gone = await create('/gone')
  await create('/fine')
  const silent = await startReceiver()
  const left = (
    await service.runtime.endpoints.create(account.accountId, { url: silent.url, kinds: ['price'], storeId: null })
  ).endpointId
  await silent[Symbol.asyncDispose]()
  await change(13)
  const total = async () =>
    [...(await figures())]
      .filter(([name]) => name.startsWith('shelfwire_webhook_deliveries_total'))
      .reduce((sum, [, value]) => sum + value, 0)
  await until('each was tried once', async () => (await total()) === 4)
  const now = await figures()
  expect(
    Object.fromEntries(
      [...now]
        .filter(([name]) => name.startsWith('shelfwire_webhook_deliveries_total'))
        .map(([name, value]) => [/outcome="(.*)"/.exec(name)?.[1], value]),
    ),
  ).toEqual({
    delivered: 1,
    '3xx': 1,
    '4xx': 1,
    refused: 1,
  })
  expect(now.get(LAG)).toBe(4)
  await until('those that failed wait, and they alone', async () => {
    const names = [...(await figures()).keys()].filter((name) => name.includes('oldest_pending'))
    return names.length === 3 && [moved, gone, left].every((id) => names.includes(pending(id)))
  })
  expect(receiver.at('/target')).toEqual([])
  // a disabled endpoint has nothing pending, a deleted one has no metrics
  await service.runtime.endpoints.setEnabled(account.accountId, moved, false)
  await service.runtime.endpoints.remove(account.accountId, gone)
  const names = [...(await figures()).keys()].filter((name) => name.includes('oldest_pending'))
  expect(names).toEqual([pending(left)])
})

test("an endpoint of one store has nothing pending for another store's changes, not even while it is paused", async () => {
  const retitle = (locale: string, value: string) =>
    bench.shelf.write(account.accountId, (tx) =>
      setOverrides(tx, account.accountId, [{ productId, field: 'title', locale, value }]),
    )
  const create = async (storeId: number) =>
    (
      await service.runtime.endpoints.create(account.accountId, {
        url: `${receiver.url}/${storeId}`,
        kinds: ['content'],
        storeId,
      })
    ).endpointId
  const [english, , polish] = account.storeIds
  const [mine, theirs] = [await create(english), await create(polish)]
  // both are paused, with nothing pending
  await database.db`
    update endpoint_state set failures = 10, paused_until = now() + interval '1 hour', retry_at = now() + interval '1 hour', due_at = now() + interval '1 hour'
    where account_id = ${account.accountId}`
  await retitle('pl-PL', 'Nowy')
  await until('the other one waits', async () => (await figure(pending(theirs))) !== undefined)
  expect(await figure(pending(mine))).toBeUndefined()
  await retitle('en', 'New')
  await until('this one waits, too', async () => (await figure(pending(mine))) !== undefined)
  expect(receiver.received).toEqual([])
})
