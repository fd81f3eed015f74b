import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { PRESENCE_LOCKS, type Presence } from '../../src/db/connections/presence.ts'
import { CommitUnknown } from '../../src/db/connections/connection-errors.ts'
import { openDb } from '../../src/db/open-db.ts'
import type { Db } from '../../src/db/sql.ts'
import { watchOrphans } from '../../src/webhooks/deliver/orphans.ts'
import type { Claim } from '../../src/webhooks/deliver/step.ts'
import { endpointGet } from '../../src/webhooks/endpoints/endpoints.sql.ts'
import { attemptsList } from '../../src/webhooks/log/deliveries.sql.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openWebhooks, type Webhooks } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { startPooler } from '../harness/pooler.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'
import { answered, openStepper, refused, type Stepper } from '../harness/stepping.ts'
import { worldOfFile } from '../harness/world.ts'

// Leases of running and of ended processes. A process is simulated by a session with its advisory lock;
// test/crash/webhook-kill.full.pg.test.ts kills real ones.

const { database, bench } = worldOfFile({ connectionsMax: 20 })

let webhooks: Webhooks
let receiver: Receiver
let account: TestAccount
let endpointId: number
let stepper: Stepper
let presences: Presence[]
beforeEach(async () => {
  webhooks = openWebhooks(bench)
  receiver = await startReceiver()
  account = await createAccount(bench)
  presences = []
  const [productId = 0] = await giveOffers(bench, account, [offer('A')])
  const made = await webhooks.endpoints.create(account.accountId, {
    url: receiver.url,
    kinds: ['price'],
    storeId: account.storeIds[0],
  })
  endpointId = made.endpointId
  await bench.shelf.write(account.accountId, (tx) =>
    setOwnStock(tx, account.accountId, [{ productId, quantity: 9, cost: null }]),
  )
  stepper = openStepper(database.db, account.accountId)
})
afterEach(async () => {
  await Promise.all(presences.map((presence) => presence.stop()))
  await webhooks[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await database.db`delete from endpoint`
})

/** Simulates a process that is alive until its session is stopped. */
async function appear(): Promise<Presence> {
  const presence = database.db.openPresence()
  presences.push(presence)
  await until('its lock is held', async () => presence.isHeld())
  return presence
}

/** Claims the delivery as a process. */
async function claimAs(holder: number | null): Promise<Claim> {
  stepper.holder = holder
  const { claims } = await stepper.step()
  expect(claims).toHaveLength(1)
  return claims[0]!
}

const lease = async () =>
  (
    await database.db<{ id: string | null; holder: number | null; runs: boolean }[]>`
    select lease_id as id, lease_holder as holder, coalesce(leased_until > clock_timestamp(), false) as runs
    from endpoint_state where endpoint_id = ${endpointId}`
  )[0]

const isDelivered = async () => {
  const state = await endpointGet(database.db, account.accountId, endpointId)
  return state?.position === state?.head && (await lease())?.id === null
}

test('deliveries of a process that has ended are sent by another one within 3 seconds', async () => {
  const presence = await appear()
  const claim = await claimAs(presence.number)
  expect(await lease()).toEqual({ id: claim.leaseId, holder: presence.number, runs: true })
  await presence.stop()
  const from = performance.now()
  webhooks.deliver()
  await until('it is delivered', isDelivered)
  expect(performance.now() - from).toBeLessThan(3_000)
  expect(receiver.received).toMatchObject([{ deliveryId: claim.delivery.deliveryId, body: claim.body }])
  expect(await lease()).toEqual({ id: null, holder: null, runs: false })
})

test('deliveries of a process that lives are left to it, however many others there are', async () => {
  const presence = await appear()
  const claim = await claimAs(presence.number)
  webhooks.deliver()
  webhooks.deliver()
  await sleep(3_200)
  expect(receiver.received).toEqual([])
  expect(await lease()).toEqual({ id: claim.leaseId, holder: presence.number, runs: true })
  await stepper.step([stepper.result(claim, answered(200))])
  expect(await lease()).toEqual({ id: null, holder: null, runs: false })
  expect(await isDelivered()).toBe(true)
})

test('what is being sent by a process without a lock of its own waits until the lease has run out', async () => {
  const claim = await claimAs(null)
  webhooks.deliver()
  await sleep(2_200)
  expect(receiver.received).toEqual([])
  expect(await lease()).toEqual({ id: claim.leaseId, holder: null, runs: true })
})

test('a lock that is free for a moment is no sign of an end: it must be free at two looks 0.9 s apart', async () => {
  const NUMBER = 4_711
  const claim = await claimAs(NUMBER)
  let ms = 0
  const look = watchOrphans(database.db, 1, () => ms)
  // one connection is one session
  const process = openDb({ url: database.url, connectionsMax: 1 })
  const hold = () => process`select pg_advisory_lock(${PRESENCE_LOCKS}::int, ${NUMBER}::int)`
  const leave = () => process`select pg_advisory_unlock(${PRESENCE_LOCKS}::int, ${NUMBER}::int)`
  const runsAt = async (at: number) => {
    ms = at
    await look()
    return (await lease())?.runs
  }
  try {
    expect(await runsAt(0)).toBe(true)
    expect(await runsAt(899)).toBe(true)
    await hold()
    expect(await runsAt(1_000)).toBe(true)
    await leave()
    expect(await runsAt(2_000)).toBe(true)
    expect(await runsAt(2_899)).toBe(true)
    expect(await runsAt(2_900)).toBe(false)
  } finally {
    await process.end()
  }
  expect((await lease())?.id).toBe(claim.leaseId)
})

test('a process takes none of its own leases, also while its lock is lost', async () => {
  await claimAs(4_712)
  let ms = 0
  const look = watchOrphans(database.db, 4_712, () => ms)
  for (ms of [0, 1_000, 2_000]) {
    await look()
    expect((await lease())?.runs).toBe(true)
  }
})

test('the result of a process that lost its lock and was taken for ended changes nothing', async () => {
  const first = await claimAs(4_713)
  let ms = 0
  const look = watchOrphans(database.db, 1, () => ms)
  await look()
  ms = 1_000
  await look()
  const presence = await appear()
  stepper = openStepper(database.db, account.accountId)
  stepper.aheadMs = 1_000
  const second = await claimAs(presence.number)
  expect([second.delivery.deliveryId, second.body]).toEqual([first.delivery.deliveryId, first.body])
  await stepper.step([stepper.result(first, refused)])
  expect(await lease()).toEqual({ id: second.leaseId, holder: presence.number, runs: true })
  expect(await endpointGet(database.db, account.accountId, endpointId)).toMatchObject({ failures: 0 })
  await stepper.step([stepper.result(second, answered(200))])
  expect(await isDelivered()).toBe(true)
  const attempts = await attemptsList(database.db, account.accountId, endpointId, { limit: 5 })
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['delivered', 'stale'])
})

test('a process whose connection is terminated holds its lock again under the same number', async () => {
  const presence = await appear()
  const holders = () => database.db<{ pid: number }[]>`
    select pid from pg_locks where locktype = 'advisory' and classid = ${PRESENCE_LOCKS} and objid = ${presence.number} and granted`
  const [before] = await holders()
  await database.db`select pg_terminate_backend(${before?.pid ?? 0}::int)`
  await until('another session holds it', async () => {
    const [now] = await holders()
    return now !== undefined && now.pid !== before?.pid && presence.isHeld()
  })
  await presence.stop()
  await until('nobody holds it', async () => (await holders()).length === 0)
})

test('behind a pooler nothing is told by a lock, because its connections are not those of the process', async () => {
  await using pooler = await startPooler(database.url)
  const db = openDb({ url: pooler.url, connectionsMax: 2 })
  const presence = db.openPresence()
  try {
    await until('the session has been opened', async () => pooler.statements() >= 1)
    expect([...(await db`select 1 as one`)]).toEqual([{ one: 1 }])
    await sleep(300)
    expect(presence.isHeld()).toBe(false)
    expect([
      ...(await database.db`select from pg_locks where classid = ${PRESENCE_LOCKS} and objid = ${presence.number}`),
    ]).toEqual([])
  } finally {
    await presence.stop()
    await db.end({ timeout: 5 })
  }
})

test('a lease whose commit was not answered is not waited for by the process that took it', async () => {
  let lost = 0
  // the connection breaks after the commit has arrived and before its answer
  const db = new Proxy(database.db, {
    get(target, name, self) {
      if (name !== 'begin') return Reflect.get(target, name, self) as unknown
      const begin: Db['begin'] = async (mode, work) => {
        const result = await target.begin(mode, work)
        const [leased] =
          await target`select lease_id from endpoint_state where endpoint_id = ${endpointId} and lease_id is not null`
        if (leased === undefined || lost > 0) return result
        lost++
        throw new CommitUnknown('the answer is lost')
      }
      return begin
    },
  })
  const from = performance.now()
  webhooks.deliver({ db })
  await until('it is delivered', async () => receiver.received.length > 0, 30_000)
  expect(lost).toBe(1)
  // only the pause after a failed step, not the 25 s of the lease
  expect(performance.now() - from).toBeLessThan(8_000)
  await until('it is recorded', async () => {
    const [state] = await database.db`
      select lease_id is null and s.position = c.last_id as done
      from endpoint_state s join change_counter c using (account_id) where s.endpoint_id = ${endpointId}`
    return state?.['done'] === true
  })
  expect(receiver.received).toHaveLength(1)
})
