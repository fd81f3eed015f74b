import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Db, type Tx } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { scanAhead } from '../../src/webhooks/deliver/scan.sql.ts'
import { step, type Claim } from '../../src/webhooks/deliver/step.ts'
import { endpointGet } from '../../src/webhooks/endpoints/endpoints.sql.ts'
import { attemptsList } from '../../src/webhooks/log/deliveries.sql.ts'
import { paceOf } from '../../src/webhooks/schedule/pace.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { isCluster } from '../harness/database.ts'
import { openWebhooks, type Webhooks } from '../harness/delivering.ts'
import { countRoundTrips, type RoundTripCounter } from '../harness/round-trips.ts'
import { answered, openStepper } from '../harness/stepping.ts'
import { worldOfFile } from '../harness/world.ts'

// The round trips of a step of the delivery loop, and the state after a failed one: its last statements are sent with the commit.

const { database, bench } = worldOfFile()
const ENDPOINTS = 3

let webhooks: Webhooks
let account: TestAccount
let endpointIds: number[]
let productId: number
let counter: RoundTripCounter
let counted: Db
beforeAll(async () => {
  counter = await countRoundTrips(database.url)
  counted = openDb({ url: counter.url, connectionsMax: 1 })
})
afterAll(async () => {
  await counted.end()
  await counter[Symbol.asyncDispose]()
})
beforeEach(async () => {
  webhooks = openWebhooks(bench)
  account = await createAccount(bench)
  ;[productId = 0] = await giveOffers(bench, account, [offer('A')])
  endpointIds = []
  for (let i = 0; i < ENDPOINTS; i++) {
    const made = await webhooks.endpoints.create(account.accountId, {
      url: `http://127.0.0.1:9000/hook${i}`,
      kinds: ['price'],
      storeId: account.storeIds[0],
    })
    endpointIds.push(made.endpointId)
  }
  await change(7)
})
afterEach(() => webhooks[Symbol.asyncDispose]())

const change = (quantity: number) =>
  bench.shelf.write(account.accountId, (tx) =>
    setOwnStock(tx, account.accountId, [{ productId, quantity, cost: null }]),
  )
const states = () => Promise.all(endpointIds.map((id) => endpointGet(database.db, account.accountId, id)))
const attempts = async () =>
  (await Promise.all(endpointIds.map((id) => attemptsList(database.db, account.accountId, id, { limit: 9 })))).flat()

test('a step waits for the database twice, however many endpoints it records and claims for', async () => {
  const stepper = openStepper(counted, account.accountId)
  let { claims } = await stepper.step()
  for (let quantity = 20; quantity < 24; quantity++) {
    expect(claims).toHaveLength(ENDPOINTS)
    await change(quantity)
    const results = claims.map((claim) => stepper.result(claim, answered(200)))
    stepper.aheadMs += 10_000
    counter.take()
    ;({ claims } = await stepper.step(results))
  }
  const waits = counter.take()
  const shown = waits.map((texts, i) => texts.map((text) => `${i + 1} ${text.replaceAll(/\s+/g, ' ').slice(0, 90)}`))
  // one round trip for the locks and all reads, the log included, and one for the writes with the commit
  expect(waits.length, shown.flat().join('\n')).toBe(2)
  // on a cluster its writes are four statements
  expect(waits.flat().length, shown.flat().join('\n')).toBe(isCluster() ? 10 : 7)
  // data that is read before the locks may have changed when they are taken
  expect(
    waits[0]?.map((text) => text.includes('for update skip locked')),
    shown.flat().join('\n'),
  ).toEqual([false, true, false, false, false])
  expect(waits.at(-1)?.at(-1)).toBe('commit')
})

test('endpoints that are at different places are each told what comes next, without another wait', async () => {
  const productIds = [
    productId,
    ...(await giveOffers(
      bench,
      account,
      ['B', 'C', 'D'].map((key) => offer(key)),
    )),
  ]
  await database.db`update endpoint_state set batch_limit = 1 where account_id = ${account.accountId}`
  const stepper = openStepper(counted, account.accountId)
  const [first, ...others] = endpointIds
  const sent = new Map(endpointIds.map((id) => [id, [] as number[]]))
  let claims: Claim[] = []
  const next = async (of: readonly Claim[]) => {
    const results = of.map((claim) => stepper.result(claim, answered(200)))
    stepper.aheadMs += 10_000
    counter.take()
    const { claims: claimed } = await stepper.step(results)
    expect(counter.take()).toHaveLength(2)
    claims = [...claims.filter((claim) => !of.includes(claim)), ...claimed]
    for (const { endpointId, body } of claimed)
      sent.get(endpointId)?.push(...(JSON.parse(body) as { product_ids: number[] }).product_ids)
  }
  await next([])
  for (let i = 0; i < 2; i++) {
    await next(claims.filter(({ endpointId }) => endpointId === first))
    await next(claims)
  }
  const order = sent.get(first ?? 0) ?? []
  expect(order.toSorted((a, b) => a - b)).toEqual(productIds.toSorted((a, b) => a - b))
  for (const id of others) expect(sent.get(id)).toEqual(order.slice(0, 3))
})

test('what a claim remembers of its endpoint counts only as long as it is so', async () => {
  const stepper = openStepper(database.db, account.accountId)
  const { claims } = await stepper.step()
  const [first, ...others] = endpointIds
  await database.db`
    update endpoint set kinds = '{content}' where account_id = ${account.accountId} and endpoint_id = ${first ?? 0}`
  await change(8)
  stepper.aheadMs += 10_000
  const { claims: next } = await stepper.step(claims.map((claim) => stepper.result(claim, answered(200))))
  // the other endpoints still get the price change, to which this one no longer subscribes
  expect(next.map(({ endpointId }) => endpointId).toSorted((a, b) => a - b)).toEqual(others)
  expect(new Set((await states()).map((state) => state?.position)).size).toBe(2)
})

test('where no slot is free nothing is scanned, and of an endpoint whose deliveries wait neither', async () => {
  const { accountId } = account
  const stepper = openStepper(counted, accountId)
  stepper.isFull = true
  counter.take()
  expect(await stepper.step()).toMatchObject({ claims: [], isStarved: true })
  expect(
    counter
      .take()
      .flat()
      .filter((text) => text.includes('change_counter where account_id')).length,
  ).toBe(0)
  const ahead = () => inTransaction(database.db, (tx) => scanAhead(tx, accountId, [], [], 0, null))
  expect((await ahead()).size).toBe(1)
  stepper.isFull = false
  await stepper.step()
  // as if their leases had expired: their deliveries wait, and are sent first
  await database.db`
    update endpoint_state set lease_id = null, leased_until = null, due_at = null, position = 0 where account_id = ${accountId}`
  expect((await ahead()).size).toBe(0)
})

test('a step says when the rest of the endpoints is due, of which it reads nothing', async () => {
  const stepper = openStepper(database.db, account.accountId)
  const { claims } = await stepper.step()
  const [first, ...others] = claims.map((claim) => stepper.result(claim, answered(claim === claims[0] ? 200 : 500)))
  expect((await stepper.step(others)).dueInMs).toBe(10_000)
  expect((await stepper.step(first === undefined ? [] : [first])).dueInMs).toBe(10_000)
  expect((await stepper.step()).dueInMs).toBe(10_000)
})

test('when a result is recorded a second time, its delivery is sent again before anything newer', async () => {
  const stepper = openStepper(database.db, account.accountId)
  const { claims } = await stepper.step()
  const results = claims.map((claim) => stepper.result(claim, answered(500)))
  expect((await stepper.step(results)).claims).toEqual([])
  await change(8)
  stepper.aheadMs += 60_000
  // as after a commit whose answer was lost
  expect(await stepper.step(results)).toMatchObject({ claims: [], dueInMs: 0 })
  const again = await stepper.step()
  const ids = (of: typeof claims) => of.map(({ delivery }) => delivery.deliveryId).toSorted()
  expect(ids(again.claims)).toEqual(ids(claims))
  expect(again.claims.map(({ body }) => body)).toEqual(claims.map(({ body }) => body))
  expect((await attempts()).map(({ outcome }) => outcome).toSorted()).toEqual([
    ...endpointIds.map(() => 'failed'),
    ...endpointIds.map(() => 'stale'),
  ])
})

test.skipIf(isCluster())(
  'a step whose last statement fails has recorded and claimed nothing, and is taken again with the same results',
  async () => {
    const stepper = openStepper(database.db, account.accountId)
    const { claims } = await stepper.step()
    expect(claims).toHaveLength(ENDPOINTS)
    const results = claims.map((claim) => stepper.result(claim, answered(200)))
    await change(8)
    const before = await states()
    stepper.aheadMs += 10_000
    await database.db.unsafe(`
      create function refuse_states() returns trigger language plpgsql as $$ begin raise exception 'no state is written'; end $$;
      create trigger refuse_states before update on endpoint_state for each row execute function refuse_states()`)
    try {
      await expect(stepper.step(results)).rejects.toThrow('no state is written')
    } finally {
      await database.db.unsafe('drop trigger refuse_states on endpoint_state; drop function refuse_states()')
    }
    expect(await states()).toEqual(before)
    expect(await attempts()).toEqual([])
    const again = await stepper.step(results)
    expect(again.claims.map((claim) => claim.endpointId).toSorted((a, b) => a - b)).toEqual(endpointIds)
    expect((await attempts()).map(({ outcome }) => outcome)).toEqual(endpointIds.map(() => 'delivered'))
  },
)

// skipped on a cluster, whose log must have no errors
test.skipIf(isCluster())(
  'a step that only claims what is tried again, and whose last statement fails, is told of it by its commit and ends no process',
  async () => {
    const unhandled: unknown[] = []
    const hear = (error: unknown) => void unhandled.push(error)
    const stepper = openStepper(database.db, account.accountId)
    const { claims } = await stepper.step()
    await stepper.step(claims.map((claim) => stepper.result(claim, answered(500))))
    const before = await states()
    stepper.aheadMs += 100_000
    process.on('unhandledRejection', hear)
    await database.db`alter table endpoint_state add constraint refused check (lease_id is null) not valid`
    try {
      await expect(stepper.step()).rejects.toThrow('refused')
      await new Promise((resolve) => setTimeout(resolve, 10))
    } finally {
      await database.db`alter table endpoint_state drop constraint refused`
      process.off('unhandledRejection', hear)
    }
    expect(unhandled).toEqual([])
    expect(await states()).toEqual(before)
    expect((await stepper.step()).claims.map(({ endpointId }) => endpointId).toSorted((a, b) => a - b)).toEqual(
      endpointIds,
    )
  },
)

test('the ends of deliveries are kept, the newest first, of those that were accepted and of others', async () => {
  const frozenAt = new Date(Date.now() + 1_000)
  const stepper = openStepper(database.db, account.accountId, frozenAt)
  const ends: Date[] = []
  let { claims } = await stepper.step()
  for (let i = 0; i < LIMITS.webhookRecentEndsMax + 3; i++) {
    expect(claims).toHaveLength(ENDPOINTS)
    await change(20 + i)
    stepper.aheadMs += 10_000
    ends.unshift(new Date(frozenAt.getTime() + stepper.aheadMs))
    const exchange = answered(i % 4 === 2 ? 500 : 200)
    ;({ claims } = await stepper.step(claims.map((claim) => stepper.result(claim, exchange))))
    const rows = await database.db<{ ends: Date[] }[]>`
      select recent_ends as ends from endpoint_state where account_id = ${account.accountId}`
    for (const row of rows) expect(row.ends).toEqual(ends.slice(0, LIMITS.webhookRecentEndsMax))
    if (claims.length > 0) continue
    // the time at which the refused delivery is retried
    stepper.aheadMs += 100_000
    ;({ claims } = await stepper.step())
  }
})

/** Statistics of this transaction: updates of endpoint states, updates without HOT, and scans of an endpoint's deliveries. */
async function written(tx: Tx) {
  const [row] = await tx<{ updated: number; onPage: number; ordered: number }[]>`
    select pg_stat_get_xact_tuples_updated('endpoint_state'::regclass)::int as updated,
      pg_stat_get_xact_tuples_hot_updated('endpoint_state'::regclass)::int as "onPage",
      pg_stat_get_xact_numscans('delivery_order'::regclass)::int as ordered`
  return row ?? { updated: 0, onPage: 0, ordered: 0 }
}

test.skipIf(isCluster())(
  'from one delivery to the next no index of endpoint_state is written, and what an endpoint was ever sent is not read',
  async () => {
    await giveOffers(
      bench,
      account,
      ['B', 'C', 'D', 'E'].map((key) => offer(key)),
    )
    await database.db`update endpoint_state set batch_limit = 1 where account_id = ${account.accountId}`
    // so that no earlier row versions take the space of new ones
    await database.db.unsafe('vacuum endpoint_state')
    const began = Math.ceil(Date.now() / 5_000) * 5_000 + 1_000
    await inTransaction(database.db, async (tx) => {
      const stepper = openStepper(database.db, account.accountId, new Date(began))
      let claims: Claim[] = []
      const next = async (aheadMs: number) => {
        const results = claims.map((claim) => stepper.result(claim, answered(200)))
        ;({ claims } = await step(tx, account.accountId, results, {
          pace: paceOf(Infinity),
          chance: () => 0,
          holder: null,
          clock: () => new Date(began + aheadMs),
          take: () => true,
          giveBack: () => {},
        }))
        expect(claims).toHaveLength(ENDPOINTS)
      }
      await next(0)
      const before = await written(tx)
      for (let i = 1; i <= 3; i++) await next(i * 10)
      const after = await written(tx)
      expect(after.updated - before.updated).toBe(3 * ENDPOINTS)
      expect(after.onPage - before.onPage).toBe(3 * ENDPOINTS)
      expect(after.ordered - before.ordered).toBe(0)
    })
  },
)
