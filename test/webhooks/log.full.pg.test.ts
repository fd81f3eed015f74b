import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { attemptsList, deliveriesIn, logTrim, type AttemptRow } from '../../src/webhooks/log/deliveries.sql.ts'
import { trimLogs } from '../harness/trim.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { isCluster } from '../harness/database.ts'
import { openWebhooks, type Webhooks } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

// The delivery log: how owners read it, and its retention.

const { database, bench } = worldOfFile()
let webhooks: Webhooks
let account: TestAccount
let endpointId: number
beforeEach(async () => {
  webhooks = openWebhooks(bench)
  account = await createAccount(bench)
  ;({ endpointId } = await webhooks.endpoints.create(account.accountId, {
    url: 'http://127.0.0.1:9000/hook',
    kinds: ['price'],
    storeId: null,
  }))
})
afterEach(() => webhooks[Symbol.asyncDispose]())

interface Filled {
  attempts: number
  daysOld?: number
  state?: string
  perDelivery?: number
  endpoint?: number
}

/** Writes deliveries of the past with their attempts, oldest first. @returns the deliveries' ids. */
async function fill({
  attempts,
  daysOld = 0,
  state = 'delivered',
  perDelivery = 1,
  endpoint = endpointId,
}: Filled): Promise<string[]> {
  const ids = Array.from({ length: Math.ceil(attempts / perDelivery) || 1 }, () => randomUUID())
  await database.db`
    insert into delivery (account_id, endpoint_id, delivery_id, origin, state, event, products, product_ids, created_at)
    select ${account.accountId}, ${endpoint}, g.id, 'log', ${state}, 'price', 2, '{1,2}', now() - make_interval(days => ${daysOld})
    from unnest(${ids}::uuid[]) with ordinality as g (id, place) order by place`
  await database.db`
    insert into attempt (account_id, endpoint_id, delivery_id, began_at, duration_ms, outcome, status)
    select ${account.accountId}, ${endpoint}, (${ids}::uuid[])[1 + (n - 1) / ${perDelivery}::int], now() - make_interval(days => ${daysOld}), 5, 'delivered', 200
    from generate_series(1, ${attempts}::int) n order by n`
  return ids
}
const page = (over: { before?: number; after?: number; limit: number }) =>
  attemptsList(database.db, account.accountId, endpointId, over)
const ids = (rows: readonly AttemptRow[]) => rows.map((row) => row.attemptId)
const attemptIds = async (endpoint = endpointId) =>
  (
    await database.db<
      { id: number }[]
    >`select attempt_id as id from attempt where account_id = ${account.accountId} and endpoint_id = ${endpoint} order by attempt_id`
  ).map((row) => row.id)
const deliveryIds = async () =>
  (
    await database.db<
      { id: string }[]
    >`select delivery_id as id from delivery where account_id = ${account.accountId} and endpoint_id = ${endpointId} order by number`
  ).map((row) => row.id)
const trim = () => trimLogs(database.db, new AbortController().signal)

describe('pages', () => {
  test('back and forward while rows are added skip and repeat nothing, newest first', async () => {
    await fill({ attempts: 25 })
    const all = (await attemptIds()).reverse()
    const first = await page({ limit: 10 })
    expect(ids(first)).toEqual(all.slice(0, 10))
    await fill({ attempts: 7 })
    const second = await page({ before: first.at(-1)?.attemptId ?? 0, limit: 10 })
    expect(ids(second)).toEqual(all.slice(10, 20))
    await fill({ attempts: 3 })
    const third = await page({ before: second.at(-1)?.attemptId ?? 0, limit: 10 })
    expect(ids(third)).toEqual(all.slice(20))
    // forward again: the entries after the position, ending with those that were added meanwhile
    const back = await page({ after: third[0]?.attemptId ?? 0, limit: 10 })
    expect(ids(back)).toEqual(all.slice(10, 20))
    const forward: number[][] = []
    for (let after = back[0]?.attemptId ?? 0; ;) {
      const rows = await page({ after, limit: 8 })
      if (rows.length === 0) break
      forward.push(ids(rows))
      after = rows[0]?.attemptId ?? after
    }
    expect(forward.map((rows) => rows.length)).toEqual([8, 8, 4])
    expect(forward.reverse().flat()).toEqual((await attemptIds()).reverse().slice(0, 20))
    expect(await page({ before: all.at(-1) ?? 0, limit: 10 })).toEqual([])
  })

  test('an attempt names its delivery, event, store and number of products', async () => {
    const [delivery] = await fill({ attempts: 3, perDelivery: 3 })
    const rows = await page({ limit: 9 })
    expect(rows).toHaveLength(3)
    expect(rows[0]).toMatchObject({
      deliveryId: delivery,
      origin: 'log',
      event: 'price',
      storeId: null,
      products: 2,
      outcome: 'delivered',
      status: 200,
      fault: null,
      answer: null,
      durationMs: 5,
    })
  })
})

describe('what a receiver answers', () => {
  let server: Server
  let answer: { headers?: Record<string, string>; body: Buffer } = { body: Buffer.alloc(0) }
  beforeEach(async () => {
    server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(500, answer.headers).end(answer.body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const [productId = 0] = await giveOffers(bench, account, [offer('A')])
    await webhooks.endpoints.edit(account.accountId, endpointId, {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    })
    await bench.shelf.write(account.accountId, (tx) =>
      setOwnStock(tx, account.accountId, [{ productId, quantity: 77, cost: null }]),
    )
  })
  afterEach(() => new Promise((resolve) => server.close(resolve)))

  /** The text that the log stores of an answer with this body. */
  async function kept(body: Buffer, headers: Record<string, string> = {}): Promise<string> {
    answer = { body, headers }
    webhooks.deliver()
    await until('an attempt is in the log', async () => (await attemptIds()).length > 0)
    const [row] = await page({ limit: 1 })
    expect(row).toMatchObject({ outcome: 'failed', status: 500, fault: null })
    return row?.answer ?? ''
  }

  test('is cut at 4 kB', async () => {
    expect(await kept(Buffer.from(`${'0123456789abcdef'.repeat(256)}X${'y'.repeat(9_000)}`))).toBe(
      '0123456789abcdef'.repeat(256),
    )
  })

  test('of exactly 4 kB is whole', async () => {
    expect(await kept(Buffer.from('z'.repeat(4_096)))).toBe('z'.repeat(4_096))
  })

  test('of 100 MB costs no more than its beginning', async () => {
    expect(await kept(Buffer.alloc(100_000_000, 'a'))).toBe('a'.repeat(4_096))
  })

  test('with NUL bytes is stored without them', async () => {
    const text = await kept(Buffer.from('a\0b\0'))
    expect(text).not.toContain('\0')
    expect(text).toMatch(/^a.b.$/u)
  })

  test('that is not UTF-8 is stored as well-formed text', async () => {
    const text = await kept(Buffer.from([0x6f, 0x6b, 0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x21]))
    expect(text.isWellFormed()).toBe(true)
    expect(text).toMatch(/^ok.*\(.*!$/)
  })

  test('cut within a character stays well-formed', async () => {
    const text = await kept(Buffer.from(`a${'😀'.repeat(2_000)}`))
    expect(text.isWellFormed()).toBe(true)
    expect(text.startsWith(`a${'😀'.repeat(1_023)}`)).toBe(true)
    expect(text.length).toBeLessThanOrEqual(4_096)
  })

  test('in HTML is stored unchanged', async () => {
    const html = `<script>alert('x')</script><img src=x onerror="alert(1)">'; drop table attempt; --`
    expect(await kept(Buffer.from(html), { 'content-type': 'text/html' })).toBe(html)
  })

  test('that is compressed without being asked for is not shown as text', async () => {
    const text = await kept(Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]), { 'content-encoding': 'gzip' })
    expect(text).toContain('gzip')
    expect(text).not.toContain('\u001f')
  })
})

describe('trimming', () => {
  test('keeps the newest 1,000 attempts, in transactions that delete no more than 1,000 rows each', async () => {
    await fill({ attempts: 3_500 })
    const before = await attemptIds()
    const left: number[] = []
    for (;;) {
      const isMore = await inTransaction(database.db, (tx) => logTrim(tx, account.accountId, endpointId))
      left.push((await attemptIds()).length)
      if (!isMore) break
      expect(left.length).toBeLessThan(20)
    }
    expect(left.slice(0, 3)).toEqual([2_500, 1_500, 1_000])
    expect(await attemptIds()).toEqual(before.slice(2_500))
    // deliveries were deleted with their attempts
    expect(await deliveryIds()).toHaveLength(1_000)
    await trim()
    expect(await attemptIds()).toEqual(before.slice(2_500))
  })

  test('deletes deliveries in bounded parts, too', async () => {
    await fill({ attempts: 2_500 })
    await database.db`delete from attempt where account_id = ${account.accountId} and attempt_id in (select attempt_id from attempt where account_id = ${account.accountId} order by attempt_id limit 2499)`
    await inTransaction(database.db, (tx) => logTrim(tx, account.accountId, endpointId))
    expect(await deliveryIds()).toHaveLength(1_500)
    await trim()
    expect(await deliveryIds()).toHaveLength(1)
  })

  test('keeps 30 days', async () => {
    await fill({ attempts: 40, daysOld: 31 })
    await fill({ attempts: 5, daysOld: 29 })
    const kept = (await attemptIds()).slice(40)
    await fill({ attempts: 5 })
    await trim()
    expect((await attemptIds()).slice(0, 5)).toEqual(kept)
    expect(await attemptIds()).toHaveLength(10)
    expect(await deliveryIds()).toHaveLength(10)
  })

  test('deletes everything too old, also when it is more than a part', async () => {
    await fill({ attempts: 2_300, daysOld: 40 })
    await fill({ attempts: 1 })
    await trim()
    expect(await attemptIds()).toHaveLength(1)
    expect(await deliveryIds()).toHaveLength(1)
  })

  test('keeps the newest parked deliveries, and ends older ones in bounded parts', async () => {
    const { webhookParkedMax, webhookLogDeletedPerStep } = LIMITS
    Object.assign(LIMITS, { webhookParkedMax: 3, webhookLogDeletedPerStep: 2 })
    try {
      const parked: string[] = []
      for (let i = 0; i < 8; i++) parked.push(...(await fill({ attempts: 0, state: 'parked' })))
      const shown = async () =>
        (await deliveriesIn(database.db, account.accountId, endpointId, 'parked', 10)).map((row) => row.deliveryId)
      expect(await inTransaction(database.db, (tx) => logTrim(tx, account.accountId, endpointId))).toBe(true)
      expect(await shown()).toEqual(parked.slice(2))
      await trim()
      expect(await shown()).toEqual(parked.slice(5))
    } finally {
      Object.assign(LIMITS, { webhookParkedMax, webhookLogDeletedPerStep })
    }
  })

  test('never deletes waiting or parked deliveries, however old, and deletes those without attempts', async () => {
    const waiting = await fill({ attempts: 0, daysOld: 90, state: 'waiting' })
    const parked = await fill({ attempts: 1, daysOld: 90, state: 'parked' })
    const gone = ['void', 'expired', 'empty', 'failed', 'delivered']
    for (const state of gone) await fill({ attempts: 0, daysOld: 90, state })
    const shown = await fill({ attempts: 1 })
    await trim()
    expect(await deliveryIds()).toEqual([...waiting, ...parked, ...shown])
    expect(
      (await deliveriesIn(database.db, account.accountId, endpointId, 'parked', 5)).map((row) => row.deliveryId),
    ).toEqual(parked)
  })

  test('deletes old deliveries of an endpoint that has no attempts left', async () => {
    const waiting = await fill({ attempts: 0, daysOld: 31, state: 'waiting' })
    await fill({ attempts: 0, daysOld: 31, state: 'void' })
    const young = await fill({ attempts: 0, daysOld: 1, state: 'void' })
    await trim()
    expect(await deliveryIds()).toEqual([...waiting, ...young])
  })

  test('never leaves an attempt without its delivery', async () => {
    // one delivery that was tried for weeks, among others that are already deleted
    const [slow = ''] = await fill({ attempts: 1, daysOld: 29 })
    await fill({ attempts: 1_200, daysOld: 2 })
    await database.db`insert into attempt (account_id, endpoint_id, delivery_id, began_at, duration_ms, outcome, status) values (${account.accountId}, ${endpointId}, ${slow}, now(), 5, 'failed', 500)`
    await trim()
    expect(await attemptIds()).toHaveLength(1_000)
    expect(ids(await page({ limit: 2_000 }))).toEqual((await attemptIds()).reverse())
  })

  test('counts each endpoint separately', async () => {
    const { endpointId: other } = await webhooks.endpoints.create(account.accountId, {
      url: 'http://127.0.0.1:9000/other',
      kinds: ['price'],
      storeId: null,
    })
    await fill({ attempts: 900 })
    await fill({ attempts: 1_100, endpoint: other })
    await trim()
    expect([(await attemptIds()).length, (await attemptIds(other)).length]).toEqual([900, 1_000])
  })

  test.skipIf(isCluster())('goes on behind an endpoint whose log cannot be trimmed', async () => {
    const { endpointId: other } = await webhooks.endpoints.create(account.accountId, {
      url: 'http://127.0.0.1:9000/other',
      kinds: ['price'],
      storeId: null,
    })
    await fill({ attempts: 1_100 })
    await fill({ attempts: 1_100, endpoint: other })
    await database.db.unsafe(`
      create function refuse_trimming() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
      create trigger refuse_trimming before delete on attempt for each row when (old.endpoint_id = ${endpointId}) execute function refuse_trimming()`)
    try {
      await trim()
    } finally {
      await database.db.unsafe('drop trigger refuse_trimming on attempt; drop function refuse_trimming()')
    }
    expect([(await attemptIds()).length, (await attemptIds(other)).length]).toEqual([1_100, 1_000])
  })
})
