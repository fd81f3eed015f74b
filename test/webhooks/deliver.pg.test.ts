import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { parseTimestamp } from '../../src/platform/time/timestamp.ts'
import { CHANGE_KINDS } from '../../src/model/change.ts'
import { verifies } from '../../src/outbound/signature.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { inGate } from '../harness/gate.ts'
import { openWebhooks, type Webhooks } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'
import { worldOfFile } from '../harness/world.ts'

const { database, bench } = worldOfFile()
let webhooks: Webhooks
let receiver: Receiver
beforeEach(async () => {
  webhooks = openWebhooks(bench)
  receiver = await startReceiver()
})
afterEach(async () => {
  await webhooks[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const stock = (account: TestAccount, productIds: readonly number[], quantity: number) =>
  bench.shelf.write(account.accountId, (tx) =>
    setOwnStock(
      tx,
      account.accountId,
      productIds.map((productId) => ({ productId, quantity, cost: null })),
    ),
  )
const list = (account: TestAccount, storeId: number, productIds: readonly number[], isListed: boolean) =>
  bench.shelf.write(account.accountId, (tx) => setListing(tx, account.accountId, storeId, productIds, isListed))
const retitle = (account: TestAccount, productId: number, locale: string, value: string) =>
  bench.shelf.write(account.accountId, (tx) =>
    setOverrides(tx, account.accountId, [{ productId, field: 'title', locale, value }]),
  )
const heard = () => receiver.received.map(({ event, storeId, productIds }) => ({ event, storeId, productIds }))
/** Waits until nothing is pending at any endpoint of the account. */
const quiet = (account: TestAccount) =>
  until(
    'everything is delivered',
    async () => {
      const [row] = await database.db<{ busy: number }[]>`
      select count(*)::int as busy from endpoint_state s join change_counter c using (account_id)
      where s.account_id = ${account.accountId} and (s.position < c.last_id or s.lease_id is not null
        or exists (select from delivery d where d.account_id = s.account_id and d.endpoint_id = s.endpoint_id and d.state = 'waiting'))`
      return row?.busy === 0
    },
    20_000,
  )

test('a change is delivered as the contract says: method, headers, body, signature', async () => {
  const account = await createAccount(bench)
  const [first = 0, second = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  const { secret } = await webhooks.endpoints.create(account.accountId, {
    url: `${receiver.url}/hook?x=1`,
    kinds: ['price'],
    storeId: account.storeIds[1],
  })
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
  expect(delivery.headers['x-service-signature-next']).toBeUndefined()
  expect(delivery.headers['x-service-signature-previous']).toBeUndefined()
  expect(delivery.headers['x-service-test']).toBeUndefined()
})

test('a new endpoint starts at the head: earlier changes are not delivered', async () => {
  const account = await createAccount(bench)
  const [first = 0] = await giveOffers(bench, account, [offer('A'), offer('B')])
  await webhooks.endpoints.create(account.accountId, { url: receiver.url, kinds: CHANGE_KINDS, storeId: null })
  webhooks.deliver()
  await retitle(account, first, 'pl-PL', 'Nowy')
  await quiet(account)
  expect(heard()).toEqual([{ event: 'content', storeId: account.storeIds[2], productIds: [first] }])
})

test('kinds that the endpoint does not subscribe to are skipped and do not hide the others', async () => {
  const account = await createAccount(bench)
  const [first = 0] = await giveOffers(bench, account, [offer('A')])
  await webhooks.endpoints.create(account.accountId, {
    url: receiver.url,
    kinds: ['price'],
    storeId: account.storeIds[0],
  })
  await stock(account, [first], 9)
  await retitle(account, first, 'en', 'New')
  webhooks.deliver()
  await quiet(account)
  expect(heard()).toEqual([{ event: 'price', storeId: account.storeIds[0], productIds: [first] }])
})

test('price and content of one product are both delivered, and removed after content comes last', async () => {
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

test('an idle endpoint gets a change at once, then at most four deliveries a second, with what changed meanwhile together', async () => {
  const account = await createAccount(bench)
  const [first = 0] = await giveOffers(bench, account, [offer('A')])
  await webhooks.endpoints.create(account.accountId, {
    url: receiver.url,
    kinds: ['price'],
    storeId: account.storeIds[0],
  })
  webhooks.deliver()
  const from = performance.now()
  for (let i = 0; performance.now() - from < 2_500; i++) await stock(account, [first], 10 + i)
  await quiet(account)
  const times = receiver.received.map(({ at }) => at)
  expect(times[0]! - from).toBeLessThan(2_000)
  expect(times.length).toBeLessThanOrEqual(4 + ((performance.now() - from) / 1_000) * 4)
  const ofFive = times.slice(4).map((at, i) => at - (times[i] ?? 0))
  expect(Math.min(...ofFive)).toBeGreaterThanOrEqual(1_000)
})

const THOUSANDS = inGate(2, 10)

test(`after an outage of 24 hours with ${THOUSANDS},000 changed products every id arrives, in at most ${2 * THOUSANDS + 1} deliveries, in the order of the log`, async () => {
  const account = await createAccount(bench)
  const storeId = account.storeIds[0]
  const ids: number[] = []
  for (let i = 0; i < THOUSANDS; i++)
    ids.push(
      ...(await giveOffers(
        bench,
        account,
        Array.from({ length: 1_000 }, (_, n) => offer(`${i}-${n}`)),
      )),
    )
  const { endpointId } = await webhooks.endpoints.create(account.accountId, {
    url: receiver.url,
    kinds: ['price'],
    storeId,
  })
  receiver.answer = { status: 503 }
  const loop = webhooks.deliver()
  await stock(account, ids.slice(0, 500), 7)
  // ten failures and their pauses, without waiting, by moving time in the database
  for (let failures = 1; failures <= 10; failures++) {
    await until(`failure ${failures}`, async () => {
      const [row] =
        await database.db`select failures, paused_until from endpoint_state where account_id = ${account.accountId}`
      return row?.['failures'] === failures
    })
    if (failures < 10) await webhooks.endpoints.resume(account.accountId, endpointId)
  }
  for (let i = 0; i < THOUSANDS; i++) await stock(account, ids.slice(i * 1_000, (i + 1) * 1_000), 20 + i)
  await bench.shelf.drain(account.accountId)
  await stock(account, ids.slice(0, 3), 99)
  await loop.stop()
  await database.db`update endpoint_state set retry_at = (retry_at at time zone 'UTC' - interval '1 day') at time zone 'UTC', due_at = (due_at at time zone 'UTC' - interval '1 day') at time zone 'UTC' where account_id = ${account.accountId}`
  await database.db`update delivery set created_at = (created_at at time zone 'UTC' - interval '1 day') at time zone 'UTC' where account_id = ${account.accountId}`
  receiver.received.length = 0
  receiver.answer = { status: 200 }
  webhooks.deliver()
  await quiet(account)
  expect(receiver.received.length).toBeLessThanOrEqual(2 * THOUSANDS + 1)
  expect(
    receiver.received.every(
      (delivery) => delivery.event === 'price' && delivery.storeId === storeId && delivery.productIds.length <= 500,
    ),
  ).toBe(true)
  const known = receiver.received.flatMap(({ productIds }) => productIds)
  expect(new Set(known)).toEqual(new Set(ids))
  // first the unchanged probe, then the log in its order, with the latest change last
  const log = await database.db<{ product_id: number }[]>`
    select product_id from change where account_id = ${account.accountId} and store_id = ${storeId} order by price_id`
  expect(known.slice(500)).toEqual(log.map((row) => row.product_id))
  expect(known.slice(-3)).toEqual(ids.slice(0, 3))
  expect(
    (await database.db`select kind from notice where account_id = ${account.accountId} order by notice_id`).map(
      (row) => row['kind'],
    ),
  ).toEqual(['failing', 'paused', 'recovered'])
}, 120_000)

test('deliveries are verified by third-party tools', async () => {
  const account = await createAccount(bench)
  const [first = 0] = await giveOffers(bench, account, [offer('A')])
  const { endpointId, secret } = await webhooks.endpoints.create(account.accountId, {
    url: receiver.url,
    kinds: ['price'],
    storeId: account.storeIds[0],
  })
  const rotated = await webhooks.endpoints.rotate(account.accountId, endpointId, 24)
  webhooks.deliver()
  await stock(account, [first], 9)
  await quiet(account)
  const [delivery] = receiver.received
  const signed = `${String(delivery?.headers['x-service-timestamp'])}.${delivery?.body}`
  for (const [key, header] of [
    [secret, 'x-service-signature'],
    [rotated.secret, 'x-service-signature-next'],
  ] as const) {
    const openssl = execFileSync('openssl', ['dgst', '-sha256', '-hmac', key, '-r'], { input: signed })
      .toString()
      .split(' ')[0]
    const script =
      'import hashlib, hmac, sys; print(hmac.new(sys.argv[1].encode(), sys.stdin.buffer.read(), hashlib.sha256).hexdigest())'
    const python = execFileSync('python3', ['-c', script, key], { input: signed }).toString().trim()
    expect([`sha256=${openssl}`, `sha256=${python}`]).toEqual([delivery?.headers[header], delivery?.headers[header]])
  }
})

test('ten endpoints that answer only after 3 seconds and ten that are dead do not slow the others', async () => {
  const slow = await createAccount(bench)
  const quick = await createAccount(bench)
  const [first = 0] = await giveOffers(bench, quick, [offer('A')])
  const [other = 0] = await giveOffers(bench, slow, [offer('B')])
  for (let i = 0; i < 10; i++) {
    await webhooks.endpoints.create(slow.accountId, {
      url: `${receiver.url}/slow${i}`,
      kinds: ['price'],
      storeId: null,
    })
    await webhooks.endpoints.create(slow.accountId, {
      url: `http://127.0.0.1:1024/dead${i}`,
      kinds: ['price'],
      storeId: null,
    })
  }
  await webhooks.endpoints.create(quick.accountId, { url: `${receiver.url}/quick`, kinds: ['price'], storeId: null })
  receiver.answer = ({ path }) => (path.startsWith('/slow') ? { status: 200, delayMs: 3_000 } : { status: 200 })
  webhooks.deliver()
  await stock(slow, [other], 9)
  await until('the slow ones are at it', async () => receiver.received.length >= 10)
  const from = performance.now()
  await stock(quick, [first], 9)
  await until('the quick one has it', async () => receiver.at('/quick').length === 1)
  expect(performance.now() - from).toBeLessThan(1_000)
})
