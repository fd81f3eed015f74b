import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { PRESENCE_LOCKS } from '../../src/db/connections/presence.ts'
import { setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { endpointGet } from '../../src/webhooks/endpoints/endpoints.sql.ts'
import { verifies } from '../../src/outbound/signature.ts'
import { bundleOfFile } from '../harness/child-bundle.ts'
import type { TestProcess } from '../harness/child-process.ts'
import { createAccount, giveOffers, offer, openBench, type Bench } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { openWebhooks, TEST_KEY, type Webhooks } from '../harness/delivering.ts'
import { thirdOnCluster } from '../harness/gate.ts'
import { until } from '../harness/interleave.ts'
import { startPooler } from '../harness/pooler.ts'
import { startReceiver, type Answer, type Received, type Receiver } from '../harness/receiver.ts'
import { killChild, startChild, WEBHOOK_CHILD } from './webhook-child.ts'
import { WEBHOOK_POINTS } from './webhook-points.ts'

let database: TestDatabase
let bench: Bench
let webhooks: Webhooks
let receiver: Receiver
let children: TestProcess[]
bundleOfFile(WEBHOOK_CHILD)
beforeAll(async () => {
  database = await createDatabase()
  bench = openBench(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  children = []
  webhooks = openWebhooks(bench)
  receiver = await startReceiver()
})
afterEach(async () => {
  await Promise.all(children.map(killChild))
  await webhooks[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  // the processes of the next test must find no endpoints of this one
  await database.db`delete from endpoint`
})

const CHILD = 'webhook-child'

async function start(killAt?: string, url = database.url, directUrl = url): Promise<TestProcess> {
  const child = await startChild({ url, directUrl, name: CHILD, key: TEST_KEY }, killAt)
  children.push(child)
  return child
}

async function isShown(): Promise<boolean> {
  const rows = await database.db`
    select 1 as one from pg_locks where locktype = 'advisory' and classid = ${PRESENCE_LOCKS} and granted
      and database = (select oid from pg_database where datname = current_database())`
  return rows.length > 0
}

/** An endpoint of one store with one product, whose price and content change, so that two deliveries are due. */
async function prepare() {
  const account = await createAccount(bench)
  const { accountId, storeIds } = account
  const [productId = 0] = await giveOffers(bench, account, [offer('A')])
  const made = await webhooks.endpoints.create(accountId, {
    url: receiver.url,
    kinds: ['price', 'content'],
    storeId: storeIds[0],
  })
  await bench.shelf.write(accountId, async (tx) => {
    await setOwnStock(tx, accountId, [{ productId, quantity: 3, cost: null }])
    return {
      productIds: (await setOverrides(tx, accountId, [{ productId, field: 'title', locale: 'en', value: 'New' }]))
        .productIds,
    }
  })
  const { endpointId, secret } = made
  return {
    accountId,
    endpointId,
    productId,
    secret,
    state: async () => (await endpointGet(database.db, accountId, endpointId))!,
    lease: async () =>
      (
        await database.db<
          { lease: string | null }[]
        >`select lease_id as lease from endpoint_state where endpoint_id = ${endpointId}`
      )[0]?.lease ?? null,
    /** Waits until the lease expires. */
    leaseEnds: async () =>
      void (await database.db`
      update endpoint_state set leased_until = now(), due_at = now() where endpoint_id = ${endpointId} and lease_id is not null`),
    outcomes: async () =>
      (
        await database.db<{ outcome: string }[]>`
      select outcome from attempt where endpoint_id = ${endpointId} order by attempt_id`
      ).map((row) => row.outcome),
    waiting: async () =>
      (
        await database.db<{ id: string }[]>`
      select delivery_id as id from delivery where endpoint_id = ${endpointId} and state = 'waiting'`
      ).map((row) => row.id),
    isDone: async () =>
      (
        await database.db`
      select from endpoint_state s join change_counter c using (account_id)
      where endpoint_id = ${endpointId} and s.position = c.last_id and s.lease_id is null`
      ).length === 1,
  }
}

/** How many of the two deliveries the receiver has when the process is killed, by point and pass. */
const SEEN = {
  'webhook:before-commit#1': 0,
  // the result of the first one is lost with the step
  'webhook:before-commit#2': 1,
  'webhook:after-commit#1': 0,
  // the result of the first one is stored
  'webhook:after-commit#2': 1,
  'webhook:before-send#1': 0,
  'webhook:before-send#2': 1,
  'webhook:after-send#1': 1,
  'webhook:after-send#2': 2,
} as const

/** How soon after its start another process sends the deliveries of a killed process again. */
const RETAKEN_MS = 3_000

const runs = WEBHOOK_POINTS.flatMap(({ at, isSeen }) =>
  ([1, 2] as const).map((pass) => ({ at: `${at}#${pass}` as const, pass, isSeen })),
)

test.for(thirdOnCluster(runs))(
  'after a kill at $at another process sends the unfinished deliveries within 3 s, with the same body and id and a new signature',
  async ({ at, pass, isSeen }) => {
    const bed = await prepare()
    const killed = await start(at)
    expect(await killed.ended).toMatchObject({ code: null, signal: 'SIGKILL' })
    await until(
      'the server drops the connections of a killed process',
      async () =>
        (
          await database.db`select from pg_stat_activity where application_name = ${CHILD} and datname = current_database()`
        ).length === 0,
      2_000,
    )
    const before = [...receiver.received]
    if (pass === 1) expect(before.length > 0).toBe(isSeen)
    expect(before).toHaveLength(SEEN[at])
    expect(await bed.state()).toMatchObject({ failures: 0 })
    const waiting = await bed.waiting()
    const isHeld = (await bed.lease()) !== null
    // if the first delivery took longer than the pace, the step that stores its result has already claimed the next one
    if (at !== 'webhook:after-commit#2') expect(isHeld).toBe(at !== 'webhook:before-commit#1')
    await start()
    const startedAt = performance.now()
    await until('the rest is delivered', bed.isDone, 35_000)
    const tookMs = receiver.received[before.length]!.at - startedAt
    expect(tookMs).toBeLessThan(RETAKEN_MS)
    process.stdout.write(`retaken ${Math.round(tookMs)} ms after the start of another process\n`)
    const after = receiver.received.slice(before.length)
    const ids = (list: readonly Received[]) => list.map(({ deliveryId }) => deliveryId)
    // at least once: both deliveries in order, and only those without a stored result are sent again
    expect(new Set([...before, ...after].map(({ event }) => event))).toEqual(new Set(['price', 'content']))
    expect(
      [...before, ...after].every(({ productIds }) => productIds.length === 1 && productIds[0] === bed.productId),
    ).toBe(true)
    if (waiting.length > 0) expect(new Set(ids(after))).toEqual(new Set(waiting))
    expect(new Set(ids([...before, ...after])).size).toBe(2)
    const again = after.filter(({ deliveryId }) => ids(before).includes(deliveryId))
    expect(again).toHaveLength(before.filter(({ deliveryId }) => waiting.includes(deliveryId)).length)
    expect(again.length).toBe(isSeen || at === 'webhook:before-commit#2' ? 1 : 0)
    for (const second of again) {
      const first = before.find(({ deliveryId }) => deliveryId === second.deliveryId)!
      expect(second.body).toBe(first.body)
      for (const { headers, body } of [first, second]) {
        expect(
          verifies(bed.secret, String(headers['x-service-timestamp']), body, String(headers['x-service-signature'])),
        ).toBe(true)
      }
      expect(second.headers['x-service-timestamp']).not.toBe(first.headers['x-service-timestamp'])
      expect(second.headers['x-service-signature']).not.toBe(first.headers['x-service-signature'])
    }
    expect(await bed.state()).toMatchObject({ failures: 0, pausedUntil: null })
    expect(new Set(await bed.outcomes())).toEqual(new Set(['delivered']))
    expect([...(await database.db`select from notice where endpoint_id = ${bed.endpointId}`)]).toEqual([])
  },
)

test(
  'a delivery of a process that lives is not sent by a second one; when the first is killed, it is, within 3 s',
  { retry: 2 },
  async () => {
    const answers: PromiseWithResolvers<Answer>[] = []
    receiver.answer = () => {
      const answer = Promise.withResolvers<Answer>()
      answers.push(answer)
      return answer.promise
    }
    const first = await start()
    // on a busy machine it may claim a delivery before that, which no other process takes before the lease ends
    await until('the first one shows that it lives', isShown)
    const bed = await prepare()
    await until('the first delivery is in flight', async () => answers.length === 1)
    await start()
    await sleep(4_000)
    expect(answers).toHaveLength(1)
    const killedAt = performance.now()
    await killChild(first)
    await until('the second one sends it again', async () => answers.length === 2)
    expect(performance.now() - killedAt).toBeLessThan(RETAKEN_MS)
    const [one, two] = receiver.received
    expect([two?.deliveryId, two?.body]).toEqual([one?.deliveryId, one?.body])
    receiver.answer = { status: 200 }
    answers[1]!.resolve({ status: 200 })
    await until('all is delivered', bed.isDone)
    expect(receiver.received).toHaveLength(3)
    expect(await bed.outcomes()).toEqual(['delivered', 'delivered'])
  },
)

test(
  'behind a pooler and with a direct URL the delivery of a process that was killed is sent again within 3 s',
  { retry: 2 },
  async () => {
    const bed = await prepare()
    await using pooler = await startPooler(database.url)
    const killed = await start('webhook:after-send#1', pooler.url, database.url)
    expect(await killed.ended).toMatchObject({ code: null, signal: 'SIGKILL' })
    await start(undefined, pooler.url, database.url)
    const startedAt = performance.now()
    await until('the rest is delivered', bed.isDone)
    expect(receiver.received[1]!.at - startedAt).toBeLessThan(RETAKEN_MS)
  },
)

test(
  'behind a pooler nobody knows that a process was killed: its delivery is sent again after the lease',
  { retry: 2 },
  async () => {
    const bed = await prepare()
    await using pooler = await startPooler(database.url)
    const killed = await start('webhook:after-send#1', pooler.url)
    expect(await killed.ended).toMatchObject({ code: null, signal: 'SIGKILL' })
    const killedAt = performance.now()
    await start()
    // no process takes a delivery that may still be in flight
    await until('the rest is delivered', bed.isDone, 35_000)
    const tookMs = receiver.received[1]!.at - killedAt
    expect(tookMs).toBeGreaterThan(15_000)
    expect(tookMs).toBeLessThan(30_000)
    expect(new Set(await bed.outcomes())).toEqual(new Set(['delivered']))
  },
)

test.for([500, 200])(
  'a process that was suspended beyond its lease and returns with %i after another has taken over changes nothing',
  async (status) => {
    const bed = await prepare()
    const answers: PromiseWithResolvers<Answer>[] = []
    receiver.answer = () => {
      const answer = Promise.withResolvers<Answer>()
      answers.push(answer)
      return answer.promise
    }
    const sleeper = await start()
    await until('it waits for the answer', async () => answers.length === 1)
    sleeper.process.kill('SIGSTOP')
    answers[0]!.resolve({ status })
    const other = await start()
    // it is suspended, not dead, so it still holds its lock
    await sleep(2_500)
    expect(answers).toHaveLength(1)
    await bed.leaseEnds()
    await until('another has taken over', async () => answers.length === 2)
    const [first, second] = receiver.received
    expect([second?.deliveryId, second?.body]).toEqual([first?.deliveryId, first?.body])
    const state = await bed.state()
    const lease = await bed.lease()
    expect(lease).not.toBeNull()
    sleeper.process.kill('SIGCONT')
    await until('the late result is in the log', async () => (await bed.outcomes()).length > 0)
    // while the other process's delivery is in flight
    expect(await bed.outcomes()).toEqual(['stale'])
    expect(await bed.state()).toEqual(state)
    expect(await bed.lease()).toBe(lease)
    expect(answers).toHaveLength(2)
    answers[1]!.resolve({ status: 200 })
    await until('the next one comes', async () => answers.length === 3)
    expect(receiver.received[2]?.deliveryId).not.toBe(first?.deliveryId)
    answers[2]!.resolve({ status: 200 })
    await until('all is delivered', bed.isDone)
    expect(await bed.outcomes()).toEqual(['stale', 'delivered', 'delivered'])
    expect(await bed.state()).toMatchObject({ failures: 0 })
    expect(receiver.received).toHaveLength(3)
    expect(other.process.exitCode).toBeNull()
  },
)

test('a late result after everything was delivered changes neither the failure count nor the position', async () => {
  const bed = await prepare()
  const late = Promise.withResolvers<Answer>()
  receiver.answer = () => (receiver.received.length === 1 ? late.promise : { status: 200 })
  const sleeper = await start()
  await until('it waits for the answer', async () => receiver.received.length === 1)
  sleeper.process.kill('SIGSTOP')
  late.resolve({ status: 500 })
  await start()
  await bed.leaseEnds()
  await until('another has delivered everything', bed.isDone)
  const state = await bed.state()
  sleeper.process.kill('SIGCONT')
  await until('the late result is in the log', async () => (await bed.outcomes()).length === 3)
  expect(await bed.outcomes()).toEqual(['delivered', 'delivered', 'stale'])
  expect(await bed.state()).toEqual(state)
})
