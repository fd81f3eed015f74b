import { beforeEach, expect, test } from 'vitest'
import { marksAppend } from '../../src/catalog/stale/marks.sql.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { prng } from '../../src/demo/catalog/prng.ts'
import { bulkNow, type BulkKind } from '../../src/operations/bulk/write.ts'
import { removeStore } from '../../src/operations/removal.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { isCluster } from '../harness/database.ts'
import { inGate } from '../harness/gate.ts'
import { openWebhooks } from '../harness/delivering.ts'
import { deadlocksSince, deadlocksSoFar, fateOf, hold } from '../harness/interleave.ts'
import { client, tokenFor, type Answer } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Concurrent writes of the same resources. No worker runs: every payload that can be read was shelved by the requests themselves.

const SEED = Number(process.env['SEED'] ?? 20_261_121)
const { database, service } = worldOfFile({ service: { roles: ['api'] } })
let account: TestAccount
let accounts = 0
let http: (path: string, init?: RequestInit) => Promise<Answer>
let id: number
beforeEach(async () => {
  account = await createAccount(service.runtime, `t${accounts++}`)
  http = client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))
  ;[id = 0] = await giveOffers(service.runtime, account, [offer('A-1')])
})

const json = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  http(path, { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
const bulk = (kind: string, rows: unknown[], headers: Record<string, string> = {}) =>
  json('POST', `/v1/account/bulk/${kind}`, { rows }, headers)
const stock = () => `/v1/account/products/${id}/stock`
/** Writes the rows of a bulk in a transaction that is not committed yet. */
const bulkHeld = (kind: BulkKind, rows: unknown[]) =>
  hold(service.runtime.db, (tx) => bulkNow(tx, account.accountId, kind, rows, { atomic: false, isDryRun: false }))
/** Sends a request while the bulk is not committed, checks that it waits, and commits. @returns its answer. */
async function beside(held: Awaited<ReturnType<typeof bulkHeld>>, request: () => Promise<Answer>): Promise<Answer> {
  const answer = request()
  expect(await fateOf(database, answer)).toBe('blocked')
  await held.commit()
  return answer
}

test('If-Match is held against what a bulk is just writing: of a product', async () => {
  const tag = (await json('PATCH', `/v1/account/products/${id}`, { title: { en: 'old' } })).headers.get('etag') ?? ''
  const held = await bulkHeld('bulk_overrides', [
    { product_id: id, field: 'title', locale: 'en', value: 'by the bulk' },
  ])
  const answer = await beside(held, () =>
    json('PATCH', `/v1/account/products/${id}`, { title: { en: 'by the patch' } }, { 'if-match': tag }),
  )
  expect(answer.status).toBe(412)
})

test('If-Match is held against what a bulk is just writing: of own stock, replaced or deleted', async () => {
  for (const send of [
    (tag: string) => json('PUT', stock(), { quantity: 5 }, { 'if-match': tag }),
    (tag: string) => http(stock(), { method: 'DELETE', headers: { 'if-match': tag } }),
  ]) {
    const tag = (await json('PUT', stock(), { quantity: 1, cost: '1' })).headers.get('etag') ?? ''
    expect(
      (await beside(await bulkHeld('bulk_stock', [{ product_id: id, quantity: 7, cost: '9' }]), () => send(tag)))
        .status,
    ).toBe(412)
  }
})

test('a patch of the quantity keeps the cost that a bulk is just writing', async () => {
  await json('PUT', stock(), { quantity: 1, cost: '1' })
  const held = await bulkHeld('bulk_stock', [{ product_id: id, quantity: 7, cost: '9' }])
  expect((await beside(held, () => json('PATCH', stock(), { quantity: 5 }))).status).toBe(200)
  expect((await http(stock())).body.data).toMatchObject({ quantity: 5, cost: '9' })
})

test(`bulks that set and take away in any order never deadlock (SEED=${SEED})`, { timeout: 60_000 }, async () => {
  const ids = await giveOffers(
    service.runtime,
    account,
    Array.from({ length: 40 }, (_, i) => offer(`B-${i}`)),
  )
  const until = performance.now() + 4_000
  let made = 0
  const value = (random: () => number) => (random() < 0.5 ? null : `t${made}`)
  const writer = async (random: () => number) => {
    while (performance.now() < until && made < inGate(60, Infinity)) {
      const order = ids.map((product_id) => ({ product_id, at: random() })).sort((a, b) => a.at - b.at)
      const rows = order.flatMap(({ product_id }) => [
        { product_id, field: 'title', locale: 'en', value: value(random) },
        { product_id, field: 'attribute', key: 'k', value: value(random) },
      ])
      const answers = [
        await bulk('overrides', rows),
        await bulk(
          'stock',
          order.map(({ product_id }) => ({ product_id, quantity: random() < 0.5 ? null : made })),
        ),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      made += 2
    }
  }
  const before = await deadlocksSoFar(database.db)
  await Promise.all([1, 2, 3, 4, 5, 6].map((n) => writer(prng(SEED + n))))
  expect(await deadlocksSince(database.db, before)).toBe(0)
  expect(made).toBeGreaterThan(20)
})

test('a bulk neither waits for other people’s products nor follows them, and a dry run for none', async () => {
  const [other = 0] = await giveOffers(service.runtime, account, [offer('A-2')])
  await using _import = await hold(
    database.db,
    (tx) => tx`select from product where account_id = ${account.accountId} and product_id = ${other} for no key update`,
  )
  await inTransaction(database.db, (tx) => marksAppend(tx, account.accountId, [other]))
  for (const query of ['stock', 'stock?dry_run=true']) {
    const { status, headers } = await bulk(query, [{ product_id: id, quantity: 4 }])
    expect([status, headers.get('operation-location')]).toEqual([200, null])
  }
})

test.skipIf(isCluster())('one product that cannot be shelved fails no write of another', async () => {
  const [other = 0] = await giveOffers(service.runtime, account, [offer('A-2')])
  // a trigger simulates a failure of shelving one product
  await database.db
    .unsafe(`create function refuse() returns trigger language plpgsql as $$ begin if new.product_id = ${other} then raise exception 'no'; end if; return new; end $$;
    create trigger refuse before insert or update on payload_price for each row execute function refuse()`)
  await inTransaction(database.db, (tx) => marksAppend(tx, account.accountId, [other]))
  const answers = [
    await bulk('stock', [{ product_id: id, quantity: 9 }]),
    await json('PUT', '/v1/account/rates/PLN', { rate: '5' }),
  ]
  await database.db.unsafe('drop function refuse cascade')
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

test('a write is answered as written while a newer release is at work', async () => {
  await database.db`update account_inputs set resolver = 999 where account_id = ${account.accountId}`
  const answers = [
    await json('PUT', stock(), { quantity: 3 }),
    await json('PUT', '/v1/account/rates/PLN', { rate: '5' }),
    await bulk('stock', [{ product_id: id, quantity: 4 }]),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200])
  expect((await http(stock())).body.data.quantity).toBe(4)
})

test('the second of two requests under one key is not answered before what the first wrote can be read', async () => {
  const held = await hold(
    database.db,
    (tx) => tx`select from product where account_id = ${account.accountId} and product_id = ${id} for key share`,
  )
  const taken = await hold(
    database.db,
    (tx) => tx`select from product where account_id = ${account.accountId} and product_id = ${id} for key share`,
  )
  await taken.commit()
  const send = () => bulk('stock', [{ product_id: id, quantity: 44 }], { 'idempotency-key': 'k1', prefer: 'wait=20' })
  const answers = await Promise.all([send(), send(), held.commit()])
  expect(
    answers
      .slice(0, 2)
      .map((answer) => (answer as Answer).headers.get('idempotent-replayed'))
      .sort(),
  ).toEqual([null, 'true'])
  expect((await http(`/v1/prices/${id}`)).body.data.stock).toBeGreaterThanOrEqual(44)
})

test('a merge of more products than a batch can be read when it is answered', { timeout: 60_000 }, async () => {
  const [winner = 0, ...losers] = await giveOffers(
    service.runtime,
    account,
    Array.from({ length: 501 }, (_, i) => offer(`M-${i}`)),
  )
  const merged = await json(
    'POST',
    `/v1/account/products/${winner}/merge`,
    { product_ids: losers },
    { prefer: 'wait=25' },
  )
  expect([merged.status, merged.headers.get('operation-location')]).toEqual([200, null])
  expect((await http(`/v1/products/${losers.at(-1)}`)).status).toBe(404)
})

test('no endpoint comes to be for a store that is being deleted', async () => {
  await using webhooks = openWebhooks(service.runtime)
  const deleting = await hold(database.db, (tx) => removeStore(tx, account.accountId, account.storeIds[1]))
  const making = webhooks.endpoints.create(account.accountId, {
    url: 'http://127.0.0.1:8123/',
    kinds: ['price'],
    storeId: account.storeIds[1],
  })
  expect(await fateOf(database, making)).toBe('blocked')
  await deleting.commit()
  await expect(making).rejects.toMatchObject({ code: 'unknown-store' })
})
