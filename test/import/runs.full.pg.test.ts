import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { takeImportLease } from '../../src/imports/lease/import-lease.ts'
import { leaseTake } from '../../src/imports/lease/import-leases.sql.ts'
import { runClaim, runsDue } from '../../src/imports/runs/loop/claims.sql.ts'
import { cancelRun, confirmRun, enqueueRun } from '../../src/imports/runs/runs.ts'
import { changesAfter, runGet, runGroups, runsAfter } from '../../src/imports/runs/runs.sql.ts'
import { removeSupplier } from '../../src/operations/removal.ts'
import { accountStep } from '../../src/operations/step.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { must } from '../../src/platform/must.ts'
import { namesOfRun, runNames } from '../../src/serve/account/imports/import-members.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createAccount, type Bench, type TestAccount } from '../harness/account.ts'
import type { TestDatabase } from '../harness/database.ts'
import { hold, until } from '../harness/interleave.ts'
import { fetchedFile, MAPPING, offersOf, openRunBench, openRuns, stopped } from './run-bench.ts'
import { ofFile } from '../harness/world.ts'

// Stored import runs: their records, their order, and concurrent work.

let database: TestDatabase
let bench: Bench
const runs = ofFile(openRunBench)
beforeAll(async () => {
  ;({ database, bench } = runs)
})
const limits = { ...LIMITS }
afterEach(() => void Object.assign(LIMITS, limits))

const rows = (count: number, cost: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `K${String(from + i).padStart(4, '0')},${cost},5`).join('\n')
const file = (count: number, cost: number) => `sku,cost,qty\n${rows(count, cost)}\n`
const stateOf = async (account: TestAccount, runId: number) => (await runs.run(account, runId)).state
const costsOf = async ({ accountId }: TestAccount) =>
  database.db<{ cost: number; count: number }[]>`
    select cost::float, count(*)::int as count from offer where account_id = ${accountId} group by 1 order by 1`

test('a run reports its counts, its refused rows with reasons, and its changes', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  const words = Array.from({ length: 7 }, (_, i) => `W${i},1,perhaps\n`).join('')
  const others = Array.from({ length: 30 }, (_, i) => `V${i},${i}x\u0000,1\n`).join('')
  const run = await runs.bring(account, `sku,cost,qty\nA,1,1\nB,2,2\n${words}${others}`, { isConfirmed: true })
  expect(run).toMatchObject({
    state: 'succeeded',
    trigger: 'upload',
    rows: 39,
    created: 2,
    changed: 0,
    unchanged: 0,
    refused: 37,
    total: 2,
    written: 2,
    products: 2,
    problem: null,
    fileName: 'offers.csv',
    fileHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(run.startedAt).not.toBeNull()
  expect(run.endedAt).not.toBeNull()
  const { refusals: groups } = await runGroups(database.db, accountId, run.runId)
  expect(groups).toMatchObject([
    { field: 'cost', count: 30, reason: expect.stringContaining('not "…"') },
    { field: 'quantity', count: 7, reason: expect.stringContaining('"perhaps"') },
  ])
  expect(groups[1]?.examples).toHaveLength(LIMITS.importRefusalExamples)
  expect(groups[1]?.examples[0]).toEqual({ line: 4, sku: 'W0', value: 'perhaps' })
  const list = await text((await runs.context.files.read(run.refusalsKey!))!)
  const listed = list
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(listed).toHaveLength(37)
  expect(listed[0]).toEqual({ line: 4, sku: 'W0', faults: [{ name: 'quantity', reason: expect.any(String) }] })
  expect(await changesAfter(database.db, accountId, run.runId, '', 10)).toMatchObject([
    { supplierSku: 'A', kind: 'created', before: null },
    { supplierSku: 'B', kind: 'created', before: null },
  ])
  // the file as it was sent
  expect(await text((await runs.context.files.read(run.fileKey!))!)).toContain('A,1,1\nB,2,2\n')

  const next = await runs.bring(account, 'sku,cost,qty\nA,9,1\nC,2,2\n')
  expect(next).toMatchObject({ created: 1, changed: 1, unchanged: 0, zeroed: 1 })
  expect(await changesAfter(database.db, accountId, next.runId, '', 10)).toMatchObject([
    { supplierSku: 'A', kind: 'changed', before: { cost: '1', quantity: 1 }, afterHash: expect.any(String) },
    { supplierSku: 'B', kind: 'zeroed', before: { cost: '2', quantity: 2 } },
    { supplierSku: 'C', kind: 'created' },
  ])
  // only what differs is kept
  const [changed] = await changesAfter(database.db, accountId, next.runId, '', 1)
  expect(Object.keys(changed?.before ?? {}).sort()).toEqual(['absentSince', 'cost', 'currency', 'feedHash', 'quantity'])
  const listedRuns = await runsAfter(database.db, accountId, { limit: 10 })
  expect(listedRuns.map(({ runId }) => runId)).toEqual([next.runId, run.runId])
})

test('a dry run counts what the run counts, and changes nothing', async () => {
  const account = await createAccount(bench)
  await runs.bring(account, file(20, 1))
  const content = `sku,cost,qty\n${rows(15, 2)}\nNEW,1,1\n`
  const dry = await runs.bring(account, content, { isDryRun: true })
  expect(await costsOf(account)).toEqual([{ cost: 1, count: 20 }])
  const listed = await changesAfter(database.db, account.accountId, dry.runId, '', 100)
  expect(Map.groupBy(listed, ({ kind }) => kind).size).toBe(3)
  const run = await runs.bring(account, content)
  const counts = ({ rows: read, created, changed, unchanged, zeroed, refused, total }: typeof run) => ({
    read,
    created,
    changed,
    unchanged,
    zeroed,
    refused,
    total,
  })
  expect(run).toMatchObject({ created: 1, changed: 15, unchanged: 0, zeroed: 5 })
  expect({ ...counts(dry), total: null }).toEqual({ ...counts(run), total: null })
})

test('a held run is imported when it is confirmed, unless a newer one has been imported', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  await runs.bring(account, file(10, 1))
  const held = await runs.bring(account, file(2, 1))
  expect(held).toMatchObject({
    state: 'held',
    problem: { code: 'import-refused', errors: [{ name: 'zeroed' }] },
    excesses: [{ kind: 'zeroed', limit: 0.5, text: expect.stringMatching(/^the file would set/) }],
    zeroed: 0,
  })
  const other = await runs.bring(account, file(1, 1))
  expect(await costsOf(account)).toEqual([{ cost: 1, count: 10 }])
  await inTransaction(database.db, (tx) => confirmRun(tx, accountId, held.runId))
  await runs.work(account)
  expect(await runs.run(account, held.runId)).toMatchObject({
    state: 'succeeded',
    zeroed: 8,
    isConfirmed: true,
    problem: null,
  })
  await runs.bring(account, file(3, 1))
  const confirm = (runId: number) => inTransaction(database.db, (tx) => confirmRun(tx, accountId, runId))
  await expect(confirm(other.runId)).rejects.toThrow(/is newer and has been imported/)
  await expect(confirm(held.runId)).rejects.toThrow('not held, but succeeded')
  await inTransaction(database.db, (tx) => cancelRun(tx, accountId, other.runId))
  expect(await stateOf(account, other.runId)).toBe('canceled')
})

test('runs of a supplier run one at a time and in their order, whatever number of processes there is', async () => {
  Object.assign(LIMITS, { importPageRows: 10, importRunsAtOnce: 8 })
  const account = await createAccount(bench)
  const other = await createAccount(bench)
  const ids: number[] = []
  for (let cost = 1; cost <= 5; cost++) ids.push(await runs.ask(account, file(40, cost)))
  const theirs = await runs.ask(other, file(10, 3))
  let together = 0
  const watch = async () => {
    const [row] = await database.db<{ count: number }[]>`
      select count(*)::int as count from import_run
      where account_id = ${account.accountId} and state in ('fetching', 'reading', 'writing')`
    together = Math.max(together, row?.count ?? 0)
  }
  {
    await using first = stopped(runs.start())
    await using second = stopped(runs.start())
    await until('all runs are done', async () => {
      await watch()
      first.poke()
      second.poke()
      await bench.shelf.drain(account.accountId)
      await bench.shelf.drain(other.accountId)
      return (await openRuns(database.db, account.accountId)) + (await openRuns(database.db, other.accountId)) === 0
    })
  }
  expect(together).toBe(1)
  expect(await costsOf(account)).toEqual([{ cost: 5, count: 40 }])
  const all = await Promise.all(ids.map((runId) => runs.run(account, runId)))
  expect(all.map(({ state, created, changed, unchanged }) => [state, created, changed, unchanged])).toEqual([
    ['succeeded', 40, 0, 0],
    ...[2, 3, 4, 5].map(() => ['succeeded', 0, 40, 0]),
  ])
  // each began after the one before had written everything
  const begun = all.map(({ startedAt }) => startedAt!.getTime())
  expect(begun).toEqual(begun.toSorted((a, b) => a - b))
  expect(await stateOf(other, theirs)).toBe('succeeded')
})

test('a run that is canceled while it writes writes no further page, and what is written stays', async () => {
  Object.assign(LIMITS, { importPageRows: 10 })
  const account = await createAccount(bench)
  const { accountId } = account
  await runs.bring(account, file(30, 1))
  // the second page waits for a lock on one of its offers
  await using obstacle = await hold(
    database.db,
    (tx) => tx`select from offer where account_id = ${accountId} and supplier_sku = 'K0015' for update`,
  )
  const runId = await runs.ask(account, file(30, 2))
  await using loop = stopped(runs.start())
  loop.poke()
  await until('the first page is written', async () => (await runs.run(account, runId)).written === 10)
  await inTransaction(database.db, (tx) => cancelRun(tx, accountId, runId))
  await obstacle.rollback()
  await until('the lease is given back', async () => {
    const leases = await database.db`select from import_lease where account_id = ${accountId}`
    return leases.length === 0
  })
  expect(await runs.run(account, runId)).toMatchObject({
    state: 'canceled',
    changed: 10,
    written: 10,
    problem: { detail: 'canceled: what was written before stays' },
  })
  expect(await costsOf(account)).toEqual([
    { cost: 1, count: 20 },
    { cost: 2, count: 10 },
  ])
  expect(await changesAfter(database.db, accountId, runId, '', 100)).toHaveLength(10)
  // this can be undone as well
  expect(await runs.undo(account, runId)).toMatchObject({ state: 'succeeded', changed: 10 })
  expect(await costsOf(account)).toEqual([{ cost: 1, count: 30 }])
})

test('a run whose supplier is deleted ends, and nothing of it is left', async () => {
  Object.assign(LIMITS, { importPageRows: 10 })
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  await runs.bring(account, file(30, 1))
  await using obstacle = await hold(
    database.db,
    (tx) => tx`select from offer where account_id = ${accountId} and supplier_sku = 'K0015' for update`,
  )
  const running = await runs.ask(account, file(30, 2))
  const waiting = await runs.ask(account, file(30, 3))
  await using loop = stopped(runs.start())
  await until('the first page is written', async () => (await runs.run(account, running)).written === 10)
  const removed = inTransaction(database.db, (tx) => removeSupplier(tx, accountId, suppliers[0]!.supplierId))
  await obstacle.rollback()
  await removed
  await until('the deletion has ended', async () => {
    loop.poke()
    await accountStep(database.db, silentLog, accountId, new Map())
    await bench.shelf.drain(accountId)
    const left = await database.db`
      select run_id from import_run where account_id = ${accountId}
      union all select run_id from import_run_change where account_id = ${accountId}
      union all select supplier_id from import_lease where account_id = ${accountId}`
    return left.length === 0
  })
  expect(await runGet(database.db, accountId, waiting)).toBeUndefined()
  expect(await offersOf(database.db, accountId)).toEqual([])
  await expect(runs.ask(account, file(1, 1))).rejects.toMatchObject({ code: 'unknown-supplier' })
})

test('a run of a supplier that is being deleted names no supplier, alone as in the list', async () => {
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  const [{ supplierId } = { supplierId: 0 }] = suppliers
  const runId = await runs.ask(account, file(1, 1))
  const codes = async () => {
    const run = must(await runGet(database.db, accountId, runId))
    const names = [await namesOfRun(database.db, accountId, run), await runNames(database.db, accountId)]
    return names.map((each) => each.suppliers.get(supplierId))
  }
  expect(await codes()).toEqual([expect.any(String), expect.any(String)])
  await inTransaction(database.db, (tx) => removeSupplier(tx, accountId, supplierId))
  expect(await codes()).toEqual([undefined, undefined])
})

test('a run is begun again when the file store fails, and fails in the end', async () => {
  Object.assign(LIMITS, { importRunRetrySeconds: [0], importRunAttemptsMax: 3 })
  const account = await createAccount(bench)
  const runId = await runs.ask(account, file(10, 1))
  let asked = 0
  const files = {
    ...runs.context.files,
    readStored: async () => {
      asked++
      throw new Error('connect ECONNREFUSED')
    },
  }
  {
    await using loop = stopped(runs.start({ files }))
    await until('the run has failed', async () => {
      loop.poke()
      return (await stateOf(account, runId)) === 'failed'
    })
  }
  expect(asked).toBe(3)
  expect(await runs.run(account, runId)).toMatchObject({ problem: { code: 'internal', detail: /it failed 3 times/ } })

  // a process that fails in the middle of a file reads it again
  const second = await runs.ask(account, file(3_000, 1))
  const broken = {
    ...runs.context.files,
    readStored: async (key: string) => {
      const stored = await runs.context.files.readStored(key)
      if (asked++ === 3) setTimeout(() => stored?.stream.destroy(new Error('socket hang up')), 1)
      return stored
    },
  }
  await using loop = stopped(runs.start({ files: broken }))
  await until('the run has ended', async () => {
    loop.poke()
    await bench.shelf.drain(account.accountId)
    return (await runs.run(account, second)).endedAt !== null
  })
  expect(await runs.run(account, second)).toMatchObject({ state: 'succeeded', created: 3_000, unchanged: 0 })
})

test('a run ends as failed when its file is not in the store', async () => {
  const account = await createAccount(bench)
  const runId = await runs.ask(account, file(10, 1))
  const { fileKey } = await runs.run(account, runId)
  await runs.context.files.remove(fileKey!)
  await runs.work(account)
  expect(await runs.run(account, runId)).toMatchObject({
    state: 'failed',
    problem: { detail: /not in the file store/ },
  })
})

test('a shutdown gives a run back, which another process ends with the right counts', async () => {
  Object.assign(LIMITS, { importPageRows: 10 })
  const account = await createAccount(bench)
  const { accountId } = account
  await runs.bring(account, file(40, 1))
  const runId = await runs.ask(account, file(45, 2))
  {
    await using obstacle = await hold(
      database.db,
      (tx) => tx`select from offer where account_id = ${accountId} and supplier_sku = 'K0015' for update`,
    )
    const loop = runs.start()
    await until('the first page is written', async () => (await runs.run(account, runId)).written === 10)
    const stopping = loop.stop()
    await obstacle.rollback()
    await stopping
  }
  expect(await runs.run(account, runId)).toMatchObject({ state: 'waiting', endedAt: null })
  // somebody changes one of the written offers: the run writes it again, and counts it once
  await database.db`update offer set cost = 7, feed_hash = null where account_id = ${accountId} and supplier_sku = 'K0003'`
  await runs.work(account)
  expect(await runs.run(account, runId)).toMatchObject({ state: 'succeeded', created: 5, changed: 40, unchanged: 0 })
  expect(await changesAfter(database.db, accountId, runId, '', 100)).toHaveLength(45)
  // an undo restores its values from before the run
  await runs.undo(account, runId)
  expect(await costsOf(account)).toEqual([
    { cost: 1, count: 40 },
    { cost: null, count: 5 },
  ])
})

test('a run whose process has ended is due again when its lease has run out, and not before', async () => {
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  const { supplierId } = suppliers[0]!
  const runId = await runs.ask(account, file(3, 1))
  const holderId = randomUUID()
  await inTransaction(database.db, async (tx) => {
    await leaseTake(tx, accountId, supplierId, holderId)
    await runClaim(tx, accountId, runId, holderId)
  })
  expect(await stateOf(account, runId)).toBe('reading')
  expect([...(await runsDue(database.db, accountId))]).toEqual([])
  await database.db`update import_lease set expires_at = now() - interval '1 second' where account_id = ${accountId}`
  expect([...(await runsDue(database.db, accountId))]).toEqual([{ runId, supplierId, isFetch: false }])
  await runs.work(account)
  expect(await runs.run(account, runId)).toMatchObject({ state: 'succeeded', created: 3 })
})

test('a process that is only slow stops when another one has taken its run up', async () => {
  // it renews no lease, like a suspended process
  Object.assign(LIMITS, {
    importPageRows: 10,
    importLeaseMs: 1,
    importLeaseRenewMs: 3_600_000,
    importRunProgressMs: 3_600_000,
  })
  const account = await createAccount(bench)
  const { accountId } = account
  await runs.bring(account, file(40, 1))
  const runId = await runs.ask(account, file(40, 2))
  const resumed = Promise.withResolvers<void>()
  const suspended = Promise.withResolvers<void>()
  const files = {
    ...runs.context.files,
    async readStored(key: string) {
      suspended.resolve()
      await resumed.promise
      return runs.context.files.readStored(key)
    },
  }
  await using first = stopped(runs.start({ files }))
  first.poke()
  await suspended.promise
  Object.assign(LIMITS, limits, { importPageRows: 10 })
  await using obstacle = await hold(
    database.db,
    (tx) => tx`select from offer where account_id = ${accountId} and supplier_sku = 'K0015' for update`,
  )
  await using second = stopped(runs.start())
  second.poke()
  await until('the second one has written its first page', async () => (await runs.run(account, runId)).written === 10)
  resumed.resolve()
  await first.stop()
  expect(await runs.run(account, runId)).toMatchObject({ state: 'writing', written: 10, changed: 10 })
  await obstacle.rollback()
  await until('the run has ended', async () => {
    second.poke()
    await bench.shelf.drain(accountId)
    return (await openRuns(database.db, accountId)) === 0
  })
  expect(await runs.run(account, runId)).toMatchObject({ state: 'succeeded', changed: 40, written: 40 })
  expect(await costsOf(account)).toEqual([{ cost: 2, count: 40 }])
})

test('a lease of a clock that was set back does not keep imports waiting', async () => {
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  const { supplierId } = suppliers[0]!
  await using _lease = await takeImportLease(database.db, accountId, supplierId)
  await expect(takeImportLease(database.db, accountId, supplierId)).rejects.toMatchObject({ code: 'import-running' })
  await database.db`update import_lease set expires_at = now() + interval '1 hour' where account_id = ${accountId}`
  const run = await runs.bring(account, file(2, 1))
  expect(run.state).toBe('succeeded')
})

test('a source that has a run gets no second one, and a supplier has a bounded number', async () => {
  Object.assign(LIMITS, { importRunsOpenPerSupplierMax: 3 })
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  const request = {
    supplierId: suppliers[0]!.supplierId,
    sourceId: 7,
    trigger: 'schedule' as const,
    mode: 'full' as const,
    mapping: MAPPING,
    file: null,
    isDryRun: false,
    isConfirmed: false,
  }
  const enqueue = (over = {}) => inTransaction(database.db, (tx) => enqueueRun(tx, accountId, { ...request, ...over }))
  const [first, second] = await Promise.all([enqueue(), enqueue()])
  expect(first).toBe(second)
  expect(await enqueue({ sourceId: 8 })).not.toBe(first)
  await enqueue({ sourceId: 9 })
  await expect(enqueue({ sourceId: 10 })).rejects.toThrow('3 imports of this supplier wait or run')
  await runs.work(account)
  // the reason is the answer of the source
  expect(await runs.run(account, first)).toMatchObject({ state: 'failed', problem: { detail: 'nothing here' } })
})

test('the schedule does not import a file again that is what was imported last, or was undone', async () => {
  const account = await createAccount(bench)
  const bring = async (content: string, hash: string, trigger: 'schedule' | 'request' = 'schedule') => {
    runs.fetch.next = () => fetchedFile(runs, content, hash)
    const over = { file: null, sourceId: 7, trigger, isConfirmed: true } as const
    return runs.bring(account, '', over)
  }
  const good = 'sku,cost,qty\nA,1,1\n'
  const bad = 'sku,cost,qty\nA,100,1\n'
  const first = await bring(good, 'aa')
  expect(first).toMatchObject({ state: 'succeeded', created: 1, fileHash: expect.any(String) })
  expect(await bring(good, first.fileHash!)).toMatchObject({ state: 'unchanged', warnings: [] })
  expect(await bring(good, first.fileHash!, 'request')).toMatchObject({ state: 'succeeded', unchanged: 1 })
  const worse = await bring(bad, 'bb')
  expect(worse).toMatchObject({ state: 'succeeded', changed: 1 })
  await runs.undo(account, worse.runId)
  expect(await bring(bad, worse.fileHash!)).toMatchObject({ state: 'unchanged', warnings: [/which was undone/] })
  expect(await costsOf(account)).toEqual([{ cost: 1, count: 1 }])
  expect(await bring(bad, worse.fileHash!, 'request')).toMatchObject({ state: 'succeeded', changed: 1 })
  runs.fetch.next = async () => ({ kind: 'unchanged' })
  expect(await runs.bring(account, '', { file: null, sourceId: 7, trigger: 'schedule' })).toMatchObject({
    state: 'unchanged',
  })
})
