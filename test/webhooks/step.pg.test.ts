import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { openDb } from '../../src/db/open-db.ts'
import type { Db } from '../../src/db/sql.ts'
import { endpointGet } from '../../src/webhooks/endpoints/endpoints.sql.ts'
import { attemptsList } from '../../src/webhooks/log/deliveries.sql.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { isCluster } from '../harness/database.ts'
import { openWebhooks, type Webhooks } from '../harness/delivering.ts'
import { countRoundTrips, type RoundTripCounter } from '../harness/round-trips.ts'
import { answered, openStepper } from '../harness/stepping.ts'
import { worldOfFile } from '../harness/world.ts'

// What a step of the delivery loop costs, and what is left of one that fails: its last statements are answered with its commit.

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

test('a step waits for the database three times, however many endpoints it records and claims for', async () => {
  const stepper = openStepper(counted, account.accountId)
  let { claims } = await stepper.step()
  for (let quantity = 20; quantity < 24; quantity++) {
    expect(claims).toHaveLength(ENDPOINTS)
    await change(quantity)
    stepper.aheadMs += 10_000
    counter.take()
    ;({ claims } = await stepper.step(claims.map((claim) => stepper.result(claim, answered(200)))))
  }
  const waits = counter.take()
  const shown = waits.map((texts, i) => texts.map((text) => `${i + 1} ${text.replaceAll(/\s+/g, ' ').slice(0, 90)}`))
  // the locks with what is read behind them; the log; what is written, with the commit
  expect(waits.length, shown.flat().join('\n')).toBe(3)
  expect(waits.at(-1)?.at(-1)).toBe('commit')
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
