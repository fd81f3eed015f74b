import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { marksAppend } from '../../src/catalog/stale/marks.sql.ts'
import { stalePosition } from '../../src/catalog/stale/stale.sql.ts'
import { sweepAppend } from '../../src/catalog/stale/sweeps.sql.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openWake } from '../../src/db/wake.ts'
import { prng } from '../../src/demo/catalog/prng.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import type { BulkKind } from '../../src/operations/bulk/write.ts'
import { cancelOperation, openOperations, startOperations, trimOperations } from '../../src/operations/operations.ts'
import { spool } from '../../src/operations/spool.ts'
import { accountStep } from '../../src/operations/step.ts'
import {
  operationErrors,
  operationGet,
  operationsAfter,
  type OperationRow,
} from '../../src/operations/operations.sql.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { Shelf } from '../../src/shelf/shelf.ts'
import { isCluster } from '../harness/database.ts'
import { inGate } from '../harness/gate.ts'
import { hold, until } from '../harness/interleave.ts'
import { filled, skuOf } from './filled.ts'
import { worldOfFile } from '../harness/world.ts'
import { expectAudited } from '../harness/account.ts'

const { database, bench } = worldOfFile({ connectionsMax: 20 })

const send = (accountId: number, rows: readonly unknown[], kind: BulkKind = 'bulk_stock', isDryRun = false) =>
  inTransaction(database.db, (tx) => spool(tx, accountId, kind, rows, isDryRun))
const read = async (accountId: number, operationId: number): Promise<OperationRow> =>
  (await operationGet(database.db, accountId, operationId))!
const cancel = (accountId: number, operationId: number) =>
  inTransaction(database.db, (tx) => cancelOperation(tx, accountId, operationId))
const step = (accountId: number) => accountStep(database.db, silentLog, accountId, new Map())
const finish = async (accountId: number, operationId: number) => {
  while ((await step(accountId)).isMarked);
  await bench.shelf.drain(accountId)
  await step(accountId)
  await expectAudited(database.db, accountId)
  return read(accountId, operationId)
}
const stockRows = (count: number, quantity: (n: number) => unknown) =>
  Array.from({ length: count }, (_, i) => ({ sku: skuOf(i + 1), quantity: quantity(i + 1) }))
const quantities = async (accountId: number) =>
  new Map(
    (
      await database.db<{ sku: string; quantity: number }[]>`
    select p.sku, s.quantity from own_stock s join product p using (account_id, product_id) where account_id = ${accountId}`
    ).map((row) => [row.sku, row.quantity]),
  )

/** A second process from the database's point of view: a pool, two shelving workers and the operations' loop. */
async function startProcess(): Promise<AsyncDisposable> {
  const db = openDb({ url: database.url, connectionsMax: 6 })
  const wake = openWake(db, silentLog)
  await wake.start()
  const shelf = new Shelf(db, wake, silentLog)
  const loops = [shelf.startWorker('a'), shelf.startWorker('b'), startOperations(db, wake, silentLog)]
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(loops.map((loop) => loop.stop()))
      await wake.stop()
      await db.end({ timeout: 5 })
    },
  }
}

const MANY = inGate(4_000, 20_000)

test(
  `${MANY} stock rows of which one in a hundred is bad: the good ones written and readable, the bad ones named, by two processes`,
  { timeout: 120_000 },
  async () => {
    const count = MANY
    const { accountId } = await filled(bench, 'many', count)
    const isBad = (n: number) => n % 100 === 7
    const rows = stockRows(count, (n) => (isBad(n) ? 'seven' : n % 500))
    const before = await database.db<
      { last_id: number }[]
    >`select last_id from change_counter where account_id = ${accountId}`
    let operationId = 0
    {
      await using _one = await startProcess()
      await using _two = await startProcess()
      operationId = await send(accountId, rows)
      bench.wake.notify('operation', accountId)
      await until(
        'the operation has succeeded',
        async () => (await read(accountId, operationId)).endedAt !== null,
        90_000,
      )
    }
    // when an operation has succeeded, no product waits to be shelved
    expect(await auditAccount(database.db, accountId)).toMatchObject({
      isStale: false,
      waiting: 0,
      differences: [],
      differencesTotal: 0,
    })
    expect(await read(accountId, operationId)).toMatchObject({
      state: 'succeeded',
      total: count,
      done: count,
      changed: count * 0.99,
      unchanged: 0,
      failed: count / 100,
      message: null,
    })
    expect(await quantities(accountId)).toEqual(
      new Map(rows.filter((_, i) => !isBad(i + 1)).map((row) => [row.sku, row.quantity])),
    )
    const errors = await operationErrors(database.db, accountId, operationId, -1, 1_000)
    expect(errors.map(({ row }) => row)).toEqual(Array.from({ length: count / 100 }, (_, i) => i * 100 + 6))
    expect(errors.every(({ faults }) => faults.length === 1 && faults[0]?.name === 'quantity')).toBe(true)
    expect(
      (await operationErrors(database.db, accountId, operationId, errors[4]!.row, 2)).map(({ row }) => row),
    ).toEqual([506, 606])
    // each chunk was written once: a second write would have counted its rows as unchanged
    const [left] =
      await database.db`select count(*)::int as chunks from operation_chunk where account_id = ${accountId}`
    expect(left).toEqual({ chunks: 0 })
    const after = await database.db<
      { last_id: number }[]
    >`select last_id from change_counter where account_id = ${accountId}`
    expect(after[0]!.last_id - before[0]!.last_id).toBeLessThanOrEqual(count * 0.99)
    // only the price half changed
    const [moved] = await database.db`
    select count(*)::int as moved from change where account_id = ${accountId} and content_id > ${before[0]!.last_id}`
    expect(moved).toEqual({ moved: 0 })
  },
)

describe('with small chunks', () => {
  const chunkRows = LIMITS.operationChunkRows
  beforeAll(() => void Object.assign(LIMITS, { operationChunkRows: 10 }))
  afterAll(() => void Object.assign(LIMITS, { operationChunkRows: chunkRows }))

  test('what was sent later counts, whichever process comes first, and while another has the first operation in hand', async () => {
    const { accountId } = await filled(bench, 'order', 50)
    const first = await send(
      accountId,
      stockRows(50, () => 1),
    )
    const second = await send(accountId, [
      { sku: skuOf(1), quantity: 2 },
      { sku: skuOf(45), quantity: 2 },
    ])
    {
      // a process that works slowly on the first operation
      await using _slow = await hold(
        database.db,
        (tx) => tx`select from operation where account_id = ${accountId} and operation_id = ${first} for update`,
      )
      expect(await step(accountId)).toEqual({ isProductive: false, isMarked: false })
    }
    await Promise.all(
      [1, 2, 3].map(async () => {
        while ((await read(accountId, second)).state === 'queued') await step(accountId)
      }),
    )
    expect(await finish(accountId, second)).toMatchObject({ state: 'succeeded', changed: 2 })
    expect(await read(accountId, first)).toMatchObject({ state: 'succeeded', done: 50, changed: 50 })
    const found = await quantities(accountId)
    expect([found.get(skuOf(1)), found.get(skuOf(45)), found.get(skuOf(2))]).toEqual([2, 2, 1])
  })

  test('the later row of a product counts, within a chunk and across chunks', async () => {
    const { accountId, ids } = await filled(bench, 'twice', 30)
    const rows = [
      ...stockRows(15, (n) => n),
      { product_id: ids[0], quantity: 99 },
      { product_id: ids[12], quantity: 98 },
      { sku: skuOf(13), quantity: 97 },
    ]
    const operation = await finish(accountId, await send(accountId, rows))
    expect(operation).toMatchObject({ state: 'succeeded', done: 18, changed: 18, failed: 0 })
    const found = await quantities(accountId)
    expect([found.get(skuOf(1)), found.get(skuOf(13))]).toEqual([99, 97])
  })

  test('a dry run writes nothing and names the same faults and counts as the run', async () => {
    const { accountId } = await filled(bench, 'dry', 40)
    const random = prng(7)
    const rows = Array.from({ length: 45 }, (_, i) => ({
      supplier: random() < 0.9 ? 'north' : 'nobody',
      sku: skuOf(i + 1),
      cost: random() < 0.8 ? `${i}.5` : 'dear',
      quantity: i,
    }))
    const dump = async () => {
      const tables = [
        'offer',
        'offer_content',
        'product',
        'product_ean',
        'mark',
        'change',
        'payload_price',
        'product_id_block',
        'account_inputs',
      ]
      const rows = await Promise.all(
        tables.map(
          (table) =>
            database.db`select xmin::text, ctid::text from ${database.db(table)} where account_id = ${accountId} order by 2`,
        ),
      )
      return rows.map((list) => [...list])
    }
    const before = await dump()
    const dryId = await send(accountId, rows, 'bulk_offers', true)
    while ((await step(accountId)).isMarked);
    const dry = await read(accountId, dryId)
    expect(dry).toMatchObject({ state: 'succeeded', isDryRun: true, done: 45 })
    expect(dry.failed).toBeGreaterThan(5)
    expect(await dump()).toEqual(before)
    const wet = await finish(accountId, await send(accountId, rows, 'bulk_offers'))
    const counts = ({ total, done, changed, unchanged, failed }: OperationRow) => ({
      total,
      done,
      changed,
      unchanged,
      failed,
    })
    expect(counts(dry)).toEqual(counts(wet))
    const errors = (id: number) => operationErrors(database.db, accountId, id, -1, 100)
    expect([...(await errors(dryId))]).toEqual([...(await errors(wet.operationId))])
  })

  test('after a cancellation what was written stays and the rest is not written; what follows from a write cannot be canceled', async () => {
    const { accountId } = await filled(bench, 'cancel', 30)
    const operationId = await send(
      accountId,
      stockRows(30, () => 5),
    )
    await step(accountId)
    await cancel(accountId, operationId)
    expect(await read(accountId, operationId)).toMatchObject({ state: 'canceled', done: 10, changed: 10 })
    await cancel(accountId, operationId)
    expect(await finish(accountId, operationId)).toMatchObject({ state: 'canceled', done: 10 })
    expect((await quantities(accountId)).size).toBe(10)
    const other = await send(
      accountId,
      stockRows(5, () => 6),
    )
    await step(accountId)
    // its payloads are not shelved yet
    expect(await read(accountId, other)).toMatchObject({ state: 'resolving', done: 5 })
    await expect(cancel(accountId, other)).rejects.toMatchObject({ code: 'conflict' })
    await expect(cancel(accountId, 999_999)).rejects.toMatchObject({ code: 'unknown-operation' })
    expect(await finish(accountId, other)).toMatchObject({ state: 'succeeded' })
    expect((await operationsAfter(database.db, accountId, null, 10)).map((row) => row.operationId)).toEqual([
      other,
      operationId,
    ])
    expect((await operationsAfter(database.db, accountId, other, 10)).map((row) => row.operationId)).toEqual([
      operationId,
    ])
  })

  test.skipIf(isCluster())(
    'rows that fail for a reason of ours are tried some times, then the operation ends and says so; the next goes on',
    async () => {
      const { accountId } = await filled(bench, 'ours', 30)
      const { db } = database
      await db.unsafe(
        `create function refuse() returns trigger language plpgsql as $$ begin if new.quantity = 13 then raise exception 'no thirteen'; end if; return new; end $$`,
      )
      await db.unsafe(
        'create trigger refuse before insert or update on own_stock for each row execute function refuse()',
      )
      const lines: string[] = []
      const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
      const failures = new Map<string, number>()
      const operationId = await send(
        accountId,
        stockRows(30, (n) => n),
      )
      const next = await send(
        accountId,
        stockRows(2, () => 7),
      )
      for (let i = 0; i < 12; i++) await accountStep(db, log, accountId, failures)
      await db.unsafe('drop trigger refuse on own_stock')
      expect(lines).toHaveLength(LIMITS.operationAttemptsMax)
      const ended = await finish(accountId, operationId)
      expect(ended).toMatchObject({ state: 'failed', done: 10, changed: 10 })
      expect(ended.message).toContain('rows 10 to')
      expect(ended.message).not.toContain('thirteen')
      expect(await read(accountId, next)).toMatchObject({ state: 'succeeded', changed: 2 })
      expect([...failures]).toEqual([])
    },
  )

  test('a position of sweeps and marks is followed, with its progress, until nothing up to there waits', async () => {
    const { accountId, ids } = await filled(bench, 'track', 30)
    const operations = openOperations(database.db, bench.wake)
    const position = await inTransaction(database.db, async (tx) => {
      await sweepAppend(tx, accountId, 'edited')
      return stalePosition(tx, accountId)
    })
    const operationId = await operations.track(accountId, { ...position, markId: 0 })
    expect(await read(accountId, operationId)).toMatchObject({
      kind: 'resolve',
      state: 'resolving',
      total: 30,
      done: 0,
    })
    await database.db`update sweep set next_product_id = ${ids[14]!} where account_id = ${accountId}`
    expect(await read(accountId, operationId)).toMatchObject({ state: 'resolving', total: 30, done: 15 })
    await expect(cancel(accountId, operationId)).rejects.toMatchObject({ code: 'conflict' })
    await bench.shelf.drain(accountId)
    // it does not wait for later marks
    await inTransaction(database.db, (tx) => marksAppend(tx, accountId, ids))
    await step(accountId)
    expect(await read(accountId, operationId)).toMatchObject({ state: 'succeeded', total: 30, done: 30 })
    const marked = await operations.track(accountId, await stalePosition(database.db, accountId))
    expect(await read(accountId, marked)).toMatchObject({ state: 'resolving', total: 30, done: 0 })
    expect(await finish(accountId, marked)).toMatchObject({ state: 'succeeded', done: 30 })
  })

  test('the numbers of an account’s open operations and of a bulk’s rows are limited', async () => {
    const { accountId } = await filled(bench, 'full', 1)
    // also for concurrent requests: with ten more than the limit, ten are refused
    const sent = await Promise.allSettled(
      Array.from({ length: LIMITS.operationsOpenPerAccountMax + 10 }, () => send(accountId, [])),
    )
    expect(sent.filter(({ status }) => status === 'rejected')).toHaveLength(10)
    await expect(send(accountId, [])).rejects.toMatchObject({ code: 'conflict' })
    await expect(send(accountId, Array(LIMITS.bulkRowsMax + 1))).rejects.toMatchObject({ code: 'invalid-input' })
    while ((await step(accountId)).isMarked);
    await send(accountId, [])
  })

  test('operations that ended long ago are deleted with their errors, in small steps', async () => {
    const { accountId } = await filled(bench, 'old', 1)
    const limit = LIMITS.operationsDeletedPerStep
    Object.assign(LIMITS, { operationsDeletedPerStep: 4 })
    for (let i = 0; i < 6; i++) await finish(accountId, await send(accountId, [1, 2, 3]))
    await database.db`update operation set ended_at = (ended_at at time zone 'UTC' - interval '31 days') at time zone 'UTC' where account_id = ${accountId} and operation_id <> (select max(operation_id) from operation)`
    await trimOperations(database.db, new AbortController().signal)
    Object.assign(LIMITS, { operationsDeletedPerStep: limit })
    expect(await operationsAfter(database.db, accountId, null, 10)).toHaveLength(1)
    const [left] = await database.db`select count(*)::int as count from operation_error where account_id = ${accountId}`
    expect(left).toEqual({ count: 3 })
  })
})
