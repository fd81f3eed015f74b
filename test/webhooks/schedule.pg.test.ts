import { afterEach, beforeEach, expect, test } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import type { Exchange } from '../../src/outbound/client.ts'
import { endpointGet } from '../../src/webhooks/endpoints/endpoints.sql.ts'
import { attemptsList } from '../../src/webhooks/log/deliveries.sql.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openWebhooks, type Webhooks } from '../harness/delivering.ts'
import { answered, openStepper, ourFault, refused, type Stepper } from '../harness/stepping.ts'
import { worldOfFile } from '../harness/world.ts'

// The exact schedule, notices, pause, probe and recovery on the real tables, with a clock of the test's own.

const { database, bench } = worldOfFile()
let webhooks: Webhooks

/** The time of the clock at the start. */
const FROZEN = new Date(Math.ceil(Date.now() / 1_000) * 1_000)

let account: TestAccount
let endpointId: number
let stepper: Stepper
let productId: number
beforeEach(async () => {
  webhooks = openWebhooks(bench)
  account = await createAccount(bench)
  ;[productId = 0] = await giveOffers(bench, account, [offer('A')])
  const made = await webhooks.endpoints.create(account.accountId, {
    url: 'http://127.0.0.1:9000/hook',
    kinds: ['price'],
    storeId: account.storeIds[0],
  })
  endpointId = made.endpointId
  stepper = openStepper(database.db, account.accountId, FROZEN)
  await change(7)
})
afterEach(() => webhooks[Symbol.asyncDispose]())

const change = (quantity: number) =>
  bench.shelf.write(account.accountId, (tx) =>
    setOwnStock(tx, account.accountId, [{ productId, quantity, cost: null }]),
  )
const now = () => endpointGet(database.db, account.accountId, endpointId)
const notices = async () =>
  (
    await database.db<{ kind: string }[]>`
    select kind from notice where account_id = ${account.accountId} and endpoint_id = ${endpointId} order by notice_id`
  ).map((row) => row.kind)

/** Claims the one due delivery and records its result. @returns milliseconds until the next check. */
async function attempt(exchange: Exchange): Promise<number | null> {
  const { claims } = await stepper.step()
  expect(claims).toHaveLength(1)
  const { dueInMs, claims: more } = await stepper.step(claims.map((claim) => stepper.result(claim, exchange)))
  expect(more).toEqual([])
  return dueInMs
}

/** Moves the clock by `ms`, and expects that nothing is sent one millisecond earlier. */
async function passes(ms: number): Promise<void> {
  stepper.aheadMs += ms - 1
  expect((await stepper.step()).claims).toEqual([])
  stepper.aheadMs += 1
}

const MINUTE = 60_000

test('ten attempts at exactly the documented times, then a pause of an hour and one probe at its end', async () => {
  const delays = []
  for (let i = 1; i <= 10; i++) {
    const delay = (await attempt(refused)) ?? Number.NaN
    delays.push(delay)
    expect(await now()).toMatchObject({ failures: i, position: 2 * 3 })
    expect((await now())?.pausedUntil === null).toBe(i < 10)
    expect(await notices()).toEqual([...(i >= 5 ? ['failing'] : []), ...(i >= 10 ? ['paused'] : [])])
    await passes(delay)
  }
  expect(delays).toEqual([10_000, MINUTE, 4 * MINUTE, ...Array(6).fill(10 * MINUTE), 60 * MINUTE])
  // the probe is the real delivery; it fails: another hour, without another notice
  expect(await attempt(answered(503))).toBe(60 * MINUTE)
  await change(8)
  await passes(60 * MINUTE)
  expect(await attempt(refused)).toBe(60 * MINUTE)
  expect(await notices()).toEqual(['failing', 'paused'])
  await passes(60 * MINUTE)
  // the probe succeeds: the endpoint is healthy, the backlog is delivered in order at the usual pace, and owners get a notice
  await attempt(answered(204))
  expect(await now()).toMatchObject({ failures: 0, pausedUntil: null, retryAt: null })
  expect(await notices()).toEqual(['failing', 'paused', 'recovered'])
  await passes(250)
  await attempt(answered(200))
  const head = await now()
  expect(head?.position).toBe(head?.head)
  stepper.aheadMs += MINUTE
  expect(await stepper.step()).toMatchObject({ claims: [], dueInMs: null })
})

test('the same body under the same id at every attempt, which jitter makes later by a fifth at most', async () => {
  stepper.chance = 0.999_999
  const delays: number[] = []
  const bodies = new Set<string>()
  const ids = new Set<string>()
  for (let i = 0; i < 6; i++) {
    await change(20 + i)
    const {
      claims: [claim],
    } = await stepper.step()
    if (claim === undefined) throw new Error('nothing is claimed')
    bodies.add(claim.body)
    ids.add(claim.delivery.deliveryId)
    delays.push((await stepper.step([stepper.result(claim, refused)])).dueInMs ?? 0)
    stepper.aheadMs += 12 * MINUTE
  }
  expect([bodies.size, ids.size]).toEqual([1, 1])
  for (const [i, promised] of [10_000, MINUTE, 4 * MINUTE, ...Array(3).fill(10 * MINUTE)].entries()) {
    expect(delays[i]).toBeGreaterThan(promised * 1.19)
    expect(delays[i]).toBeLessThanOrEqual(promised * 1.2)
  }
})

test('when the cooldown ends and nothing is pending, the next change is the probe', async () => {
  for (let i = 0; i < 10; i++) await passes((await attempt(refused)) ?? 0)
  // while it is paused, its products are deleted, and with them the pending price changes
  await database.db`update endpoint_state set position = (select last_id from change_counter c where c.account_id = ${account.accountId})
    where account_id = ${account.accountId}`
  await database.db`update delivery set state = 'void' where account_id = ${account.accountId}`
  expect(await stepper.step()).toMatchObject({ claims: [], dueInMs: null })
  stepper.aheadMs += 24 * 60 * MINUTE
  expect((await stepper.step()).claims).toEqual([])
  expect((await now())?.pausedUntil).not.toBeNull()
  await change(99)
  await attempt(answered(200))
  expect(await now()).toMatchObject({ failures: 0, pausedUntil: null })
  expect(await notices()).toEqual(['failing', 'paused', 'recovered'])
})

test('Retry-After lengthens a delay up to an hour and never shortens one', async () => {
  const cases: [Exchange, number][] = [
    [answered(503, '5'), 10_000],
    [answered(429, '120'), 120_000],
    [answered(503, new Date(FROZEN.getTime() + 30 * MINUTE).toUTCString()), 0],
    [answered(503, '31536000'), 60 * MINUTE],
    [answered(500, '3000'), 10 * MINUTE],
    [answered(429, 'soon'), 10 * MINUTE],
    [answered(429, '-60'), 10 * MINUTE],
  ]
  for (const [exchange, expected] of cases) {
    const until = 30 * MINUTE - stepper.aheadMs
    const delay = await attempt(exchange)
    expect(delay).toBe(expected === 0 ? until : expected)
    await passes(delay ?? 0)
  }
})

test('our own faults are logged, tried again and never counted', async () => {
  for (let i = 0; i < 12; i++) {
    expect(await attempt(ourFault)).toBe(30_000)
    stepper.aheadMs += 30_000
  }
  expect(await now()).toMatchObject({ failures: 0, pausedUntil: null })
  expect(await notices()).toEqual([])
  const attempts = await attemptsList(database.db, account.accountId, endpointId, { limit: 50 })
  expect(attempts.map(({ outcome, fault }) => [outcome, fault])).toEqual(
    Array.from({ length: 12 }, () => ['own_fault', 'resolver']),
  )
})

test('a result that comes after the lease ran out and another took over changes nothing', async () => {
  const {
    claims: [slow],
  } = await stepper.step()
  if (slow === undefined) throw new Error('nothing is claimed')
  stepper.aheadMs += 24_000
  expect((await stepper.step()).claims).toEqual([])
  stepper.aheadMs += 2_000
  const {
    claims: [other],
  } = await stepper.step()
  expect(other).toMatchObject({ delivery: { deliveryId: slow.delivery.deliveryId }, body: slow.body })
  const before = await now()
  await stepper.step([stepper.result(slow, answered(200))])
  expect(await now()).toEqual(before)
  await stepper.step([stepper.result(slow, refused)])
  expect(await now()).toEqual(before)
  if (other !== undefined) await stepper.step([stepper.result(other, answered(200))])
  expect(await now()).toMatchObject({ failures: 0, position: (await now())?.head })
  const outcomes = (await attemptsList(database.db, account.accountId, endpointId, { limit: 9 })).map(
    (row) => row.outcome,
  )
  expect(outcomes).toEqual(['delivered', 'stale', 'stale'])
})

test('a body that was frozen more than 72 hours ago is not sent: its window is read again', async () => {
  const {
    claims: [old],
  } = await stepper.step()
  if (old === undefined) throw new Error('nothing is claimed')
  await stepper.step([stepper.result(old, refused)])
  await database.db`update delivery set created_at = ${FROZEN} where account_id = ${account.accountId}`
  stepper.aheadMs += 72 * 60 * MINUTE
  expect((await stepper.step()).claims).toMatchObject([{ delivery: { deliveryId: old.delivery.deliveryId } }])
  await database.db`update endpoint_state set lease_id = null, leased_until = null where account_id = ${account.accountId}`
  stepper.aheadMs += MINUTE
  const {
    claims: [fresh],
  } = await stepper.step()
  expect(fresh?.delivery.deliveryId).not.toBe(old.delivery.deliveryId)
  expect(JSON.parse(fresh?.body ?? '')).toMatchObject({ event: 'price', product_ids: [productId] })
  expect([
    ...(await database.db`select state from delivery where account_id = ${account.accountId} order by number`),
  ]).toEqual([{ state: 'expired' }, { state: 'waiting' }])
})

test('when the clock is set back by an hour, a delivery in flight stays the only one, a retry keeps its delay, and the pace is kept', async () => {
  stepper.aheadMs += 2 * 60 * MINUTE
  const {
    claims: [first],
  } = await stepper.step()
  if (first === undefined) throw new Error('nothing is claimed')
  stepper.aheadMs -= 60 * MINUTE
  expect((await stepper.step()).claims).toEqual([])
  expect((await stepper.step([stepper.result(first, refused)])).dueInMs).toBe(10_000)
  stepper.aheadMs -= 60 * MINUTE
  expect(await stepper.step()).toMatchObject({ claims: [], dueInMs: 10_000 })
  stepper.aheadMs += 10_000
  await attempt(answered(200))
  await change(50)
  await passes(250)
  await attempt(answered(200))
})
