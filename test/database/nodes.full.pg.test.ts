import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { marksAppend } from '../../src/catalog/stale/marks.sql.ts'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { shardHash } from '../../src/db/distribution/shard-hash.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import type { Wake } from '../../src/db/wake.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openLookup } from '../../src/shelf/reads/payload-lookup.ts'
import { Shelf } from '../../src/shelf/shelf.ts'
import { createAccount, giveOffers, offer, type Bench, type TestAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'
import { client, startTestService, tokenFor, type TestService } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// A service on one server that behaves like a coordinator of two nodes, one of which is down: statements for its accounts fail,
// and so do those for all accounts. test/citus/node-down.full.pg.test.ts has a real cluster.

const { database } = worldOfFile()
let admin: Db
beforeAll(async () => {
  admin = openDb({ url: database.url, connectionsMax: 4 })
  for (const statement of [
    // account ids that occur nowhere else
    'alter table account alter column account_id restart with 7000001',
    `create table pg_dist_node as select 1 as groupid, 'first' as nodename, 1 as nodeport, 'primary' as noderole, true as isactive
      union all select 2, 'second', 2, 'primary', true`,
    `create table pg_dist_shard as select 'product'::regclass as logicalrelid, 1 as shardid, '-2147483648' as shardminvalue, '-1' as shardmaxvalue
      union all select 'product'::regclass, 2, '0', '2147483647'`,
    'create table pg_dist_placement as select 1 as shardid, 1 as groupid union all select 2, 2',
    'create table node_away (name text)',
    "create function worker_hash(bigint) returns int language sql as 'select hashint8($1)'",
    "create function citus_check_connection_to_node(text, int) returns boolean language sql as 'select not exists (select from node_away where name = $1)'",
  ])
    await admin.unsafe(statement)
})
afterAll(() => admin.end())

interface Shop {
  account: TestAccount
  productIds: number[]
  token: string
}
let service: TestService
let receiver: Receiver
let [lost, kept]: Shop[] = []
/** Whether statements for the lost account fail, and whether those for all accounts do. */
let failing = { ofLost: false, ofAll: false }
/** The number of failed statements for the lost account. */
let tries = 0
/** A Wake that sends no notifications. */
let mute: Wake

/** Statements that read all accounts. */
const OF_ALL = /\b(?:from|join|update) (?:mark|sweep|endpoint|endpoint_state|account_inputs|offer|operation|notice)\b/
const isList = (value: unknown, id: number) =>
  typeof value === 'string' && /^\{[\d,]+\}$/.test(value) && value.slice(1, -1).split(',').includes(String(id))

beforeEach(async () => {
  failing = { ofLost: false, ofAll: false }
  await admin`delete from node_away`
  service = await startTestService(database, {
    roles: ['api', 'work'],
    env: { OUTBOUND_ALLOW: '127.0.0.0/8,::1/128', SECRET_KEY: TEST_KEY },
  })
  receiver = await startReceiver()
  const { runtime } = service
  mute = { ...runtime.wake, notify: () => {} }
  const bench: Bench = { db: runtime.db, wake: runtime.wake, shelf: runtime.shelf }
  const open = async (isLost: boolean): Promise<Shop> => {
    for (;;) {
      const account = await createAccount(bench)
      if (shardHash(account.accountId) < 0 !== isLost) continue
      const productIds = await giveOffers(bench, account, [offer('A'), offer('B')])
      await runtime.endpoints.create(account.accountId, {
        url: `${receiver.url}/${account.accountId}`,
        kinds: ['price', 'content', 'removed'],
        storeId: null,
      })
      return { account, productIds, token: await tokenFor(runtime, account.accountId, 'full') }
    }
  }
  ;[lost, kept] = [await open(true), await open(false)]
  const lostId = lost.account.accountId
  runtime.db.onStatement = (text, values) => {
    const isOfLost = values.some((value) => value === lostId || isList(value, lostId))
    if (!(isOfLost ? failing.ofLost : failing.ofAll && OF_ALL.test(text) && !/account_id = (?:any\()?\$/.test(text)))
      return
    if (isOfLost) tries++
    throw Object.assign(new Error('connection to the remote node first:1 failed'), {
      code: '08006',
      routine: 'ReportConnectionError',
    })
  }
})
afterEach(async () => {
  service.runtime.db.onStatement = null
  await service[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const goAway = async () => {
  await admin`insert into node_away values ('first')`
  failing = { ofLost: true, ofAll: true }
  await expect.poll(() => service.runtime.db.nodes.away(), { timeout: 10_000 }).toEqual(['first:1'])
}
const wait = { timeout: 15_000 }

test('while a node is away, work of the other accounts is found without notifications, and what waits is done on its return', async () => {
  const { account, productIds } = kept!
  const { accountId } = account
  const [product = 0] = productIds
  await inTransaction(admin, (tx) => marksAppend(tx, lost!.account.accountId, lost!.productIds))
  await goAway()
  const marks = (id: number) => async () =>
    (await admin<{ left: number }[]>`select count(*)::int as left from mark where account_id = ${id}`)[0]?.left
  await inTransaction(admin, (tx) => marksAppend(tx, accountId, productIds))
  for (let i = 0; i < 75 && (await marks(accountId)()) !== 0; i++) await sleep(200)
  expect(await marks(accountId)()).toBe(0)
  const before = receiver.at(`/${accountId}`).length
  await new Shelf(admin, mute, silentLog).write(accountId, (tx) =>
    setOwnStock(tx, accountId, [{ productId: product, quantity: 77, cost: null }]),
  )
  await expect.poll(() => receiver.at(`/${accountId}`).length, wait).toBeGreaterThan(before)
  await admin`update account_inputs set ends_at = now() - interval '1 second', day = day - 1 where account_id = ${accountId}`
  await expect
    .poll(
      async () => await admin`select from account_inputs where account_id = ${accountId} and ends_at <= now()`,
      wait,
    )
    .toHaveLength(0)
  const answer = await client(service.url, null)('/metrics')
  expect(answer.status).toBe(200)
  expect(answer.text).toMatch(/^shelfwire_database_nodes_away 1$/m)
  expect((await client(service.url, null)('/readyz')).status).toBe(200)
  await inTransaction(admin, (tx) => marksAppend(tx, lost!.account.accountId, lost!.productIds))

  failing = { ofLost: false, ofAll: false }
  await admin`delete from node_away`
  await expect.poll(marks(lost!.account.accountId), wait).toBe(0)
  expect((await client(service.url, lost!.token)('/v1/products')).status).toBe(200)
})

test('an account whose node is known to be away is asked for by nothing: not by its requests, not by its notifications', async () => {
  const call = client(service.url, lost!.token)
  await goAway()
  await sleep(300)
  tries = 0
  for (let i = 0; i < 20; i++) {
    service.runtime.wake.notify('mark', lost!.account.accountId)
    service.runtime.wake.notify('operation', lost!.account.accountId)
    service.runtime.wake.notify('endpoint', lost!.account.accountId)
    const answer = await call(i % 2 === 0 ? '/v1/products' : '/v1/changes?wait=5')
    expect({ status: answer.status, code: answer.body?.code, after: answer.headers.get('retry-after') }).toEqual({
      status: 503,
      code: 'database-unavailable',
      after: '5',
    })
    await sleep(50)
  }
  expect(tries).toBe(0)
  expect((await client(service.url, kept!.token)('/v1/products')).status).toBe(200)
})

test('a node that fails a statement and answers again costs that request, which says when to come again, and is asked once', async () => {
  const call = client(service.url, lost!.token)
  expect((await call('/v1/products')).status).toBe(200)
  // wait until the shelvers' own round is over
  await sleep(300)
  failing = { ofLost: true, ofAll: false }
  tries = 0
  const answer = await call('/v1/products')
  const asked = tries
  failing = { ofLost: false, ofAll: false }
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('5')
  expect(asked).toBe(1)
  expect((await call('/v1/products')).status).toBe(200)
  expect(service.runtime.db.nodes.away()).toEqual([])
})

test('reads of two accounts that share a turn fail apart', async () => {
  failing = { ofLost: true, ofAll: false }
  const lookup = openLookup(service.runtime.db)
  const read = ({ account, productIds }: Shop) => lookup.payload(account.accountId, account.storeIds[0], productIds[0]!)
  const [ofLost, ofKept] = await Promise.allSettled([read(lost!), read(kept!)])
  expect({ ofLost: ofLost.status, ofKept: ofKept.status }).toEqual({ ofLost: 'rejected', ofKept: 'fulfilled' })
})
