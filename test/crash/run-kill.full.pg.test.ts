import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { forgetUnnamedFiles } from '../../src/imports/runs/forget.ts'
import { undoRun } from '../../src/imports/runs/runs.ts'
import { changesAfter, runsAfter } from '../../src/imports/runs/runs.sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { bundleOfFile } from '../harness/child-bundle.ts'
import { createAccount, type Bench, type TestAccount, expectAudited } from '../harness/account.ts'
import type { TestDatabase } from '../harness/database.ts'
import { inTurn, thirdOnCluster } from '../harness/gate.ts'
import { until } from '../harness/interleave.ts'
import { fetchedFile, offersOf, openRunBench, openRuns, payloadsOf, stopped } from '../import/run-bench.ts'
import { RUN_CHILD, startRunChild, type RunWork } from './run-child.ts'
import { RUN_POINTS } from './run-points.ts'
import { ofFile } from '../harness/world.ts'

// A process that does import runs is killed at each step, while two others continue. In the end the offers are those of the file
// (or the earlier ones, after an undo), the counts are right, nothing is partial, and no two runs ran at the same time.

let database: TestDatabase
let bench: Bench
const runs = ofFile(openRunBench)
bundleOfFile(RUN_CHILD)
beforeAll(async () => {
  ;({ database, bench } = runs)
})

const row = (i: number, cost: number) => `K${String(i).padStart(4, '0')},${cost},5,Article ${i} ${'x'.repeat(20)}\n`
const file = (from: number, to: number, cost: number) =>
  `sku,cost,qty,title\n${Array.from({ length: to - from }, (_, i) => row(from + i, cost)).join('')}`
/** The new file: 20 offers are missing, 80 have another cost, 20 are new. */
const AFTER = file(20, 120, 2)

const offers = async ({ accountId }: TestAccount) =>
  database.db<{ text: string }[]>`
    select supplier_sku || ' ' || cost::float || ' ' || quantity as text from offer
    where account_id = ${accountId} and dropped_at is null order by supplier_sku`

const EXPECTED = [
  ...Array.from({ length: 20 }, (_, i) => `K${String(i).padStart(4, '0')} 1 0`),
  ...Array.from({ length: 100 }, (_, i) => `K${String(20 + i).padStart(4, '0')} 2 5`),
]

/** Expects the recorded changes of a run to equal the differences from before, however much was written. */
async function expectChangesKept({ accountId }: TestAccount, runId: number): Promise<void> {
  const changes = await changesAfter(database.db, accountId, runId, '', 1_000)
  const written = await database.db<{ sku: string }[]>`
    select supplier_sku as sku from offer where account_id = ${accountId} and (cost = 2 or quantity = 0) order by 1`
  expect(changes.map(({ supplierSku }) => supplierSku)).toEqual(written.map(({ sku }) => sku))
  const run = await runs.run({ accountId } as TestAccount, runId)
  expect(run.created + run.changed + run.zeroed).toBe(changes.length)
}

// a gate kills at every point, at one of its passes
test.each(
  thirdOnCluster(RUN_POINTS.flatMap(({ kind, at, passes }) => inTurn(passes).map((pass) => ({ kind, at, pass })))),
)('$kind: killed at $at, pass $pass', async ({ kind, at, pass }) => {
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  const { supplierId } = suppliers[0]!
  await runs.bring(account, file(0, 100, 1))
  const before = {
    offers: await offersOf(database.db, accountId),
    payloads: await payloadsOf(database.db, accountId),
  }
  const source = join(runs.directory, `source-${accountId}.csv`)
  await writeFile(source, AFTER)
  const work: RunWork = { url: database.url, directory: runs.directory, source, command: null }
  let runId = 0
  if (kind === 'undo') {
    const done = await runs.bring(account, AFTER, { isConfirmed: true })
    runId = await inTransaction(database.db, (tx) => undoRun(tx, accountId, done.runId))
  } else if (kind === 'source') {
    runId = await runs.ask(account, '', { file: null, sourceId: accountId, trigger: 'request', isConfirmed: true })
  }
  const command = kind === 'command' ? { accountId, supplierId } : null
  const killed = startRunChild({ ...work, command }, `${at}#${pass}`)
  expect((await killed.ended).signal).toBe('SIGKILL')
  const [newest] = await runsAfter(database.db, accountId, { limit: 1 })
  runId = newest?.runId ?? 0
  expect(newest?.endedAt).toBeNull()
  if (kind !== 'undo') await expectChangesKept(account, runId)

  const others = [startRunChild(work), startRunChild(work)]
  const together = new Set<number>()
  await until(
    'the run has ended',
    async () => {
      const running = await database.db`
        select from import_run where account_id = ${accountId} and state in ('fetching', 'reading', 'writing')`
      together.add(running.length)
      return (await openRuns(database.db, accountId)) === 0
    },
    45_000,
  )
  await Promise.all(others.map((child) => child.stop()))
  expect(Math.max(...together)).toBeLessThanOrEqual(1)

  const run = await runs.run(account, runId)
  const isLost = kind === 'command' && at === 'run:while-fetching'
  if (isLost) {
    expect(run).toMatchObject({ state: 'failed', problem: { detail: /^interrupted before its file/ } })
    expect(await offersOf(database.db, accountId)).toEqual(before.offers)
  } else if (kind === 'undo') {
    expect(run).toMatchObject({ state: 'succeeded', changed: 100, zeroed: 20, refused: 0, written: 120, total: 120 })
    expect(await offersOf(database.db, accountId)).toEqual(before.offers)
    const known = new Set(before.payloads.map((payload) => JSON.stringify(payload)))
    const after = (await payloadsOf(database.db, accountId)).filter((payload) => known.has(JSON.stringify(payload)))
    expect(after).toHaveLength(known.size)
  } else {
    expect(run).toMatchObject({ state: 'succeeded', rows: 100, created: 20, changed: 80, unchanged: 0, zeroed: 20 })
    expect((await offers(account)).map((each) => each.text)).toEqual(EXPECTED)
    await expectChangesKept(account, runId)
  }
  await expectAudited(database.db, accountId)
  // a file that a killed process stored but did not record is removed
  const { importFileUnnamedHours } = LIMITS
  Object.assign(LIMITS, { importFileUnnamedHours: 0 })
  await forgetUnnamedFiles(database.db, runs.context.files, new AbortController().signal)
  Object.assign(LIMITS, { importFileUnnamedHours })
  const named = await database.db`select from import_run where account_id = ${accountId} and file_key is not null`
  expect(await readdir(join(runs.directory, 'imports', String(accountId)))).toHaveLength(named.length)
})

test(
  'a run that has written a page, and whose reading ends its process each time, is set aside; what it wrote is whole, and can be undone',
  { timeout: 180_000 },
  async () => {
    const account = await createAccount(bench)
    const { accountId } = account
    await runs.bring(account, file(0, 100, 1))
    const before = await offersOf(database.db, accountId)
    const source = join(runs.directory, `source-${accountId}.csv`)
    await writeFile(source, AFTER)
    const work: RunWork = { url: database.url, directory: runs.directory, source, command: null }
    const over = { file: null, sourceId: accountId, trigger: 'schedule' } as const
    const runId = await runs.ask(account, '', { ...over, isConfirmed: true })
    for (const at of [
      'import:page-after-commit#1',
      ...Array<string>(LIMITS.importRunAttemptsMax - 1).fill('run:while-reading#1'),
    ])
      expect((await startRunChild(work, at).ended).signal).toBe('SIGKILL')
    // it would be killed if it read the file
    const last = startRunChild(work, 'run:while-reading#1')
    await Promise.race([
      last.ended,
      until('the run has ended', async () => (await openRuns(database.db, accountId)) === 0, 30_000),
    ])
    await last.stop()
    expect((await last.ended).signal).not.toBe('SIGKILL')
    expect(await runs.run(account, runId)).toMatchObject({
      state: 'failed',
      problem: {
        detail: expect.stringMatching(
          /^set aside: it was begun 6 times, and never came to its end; check the file .*; what was written before stays$/,
        ),
      },
    })
    await expectChangesKept(account, runId)
    await expectAudited(database.db, accountId)
    // its source does not fetch the same file again
    const { fileHash } = await runs.run(account, runId)
    runs.fetch.next = () => fetchedFile(runs, AFTER, fileHash ?? '')
    const again = await runs.ask(account, '', over)
    {
      await using _loop = stopped(runs.start())
      await until('the next run has ended', async () => (await runs.run(account, again)).endedAt !== null)
    }
    expect(await runs.run(account, again)).toMatchObject({
      state: 'unchanged',
      warnings: [expect.stringContaining(`that of run ${runId}, which was set aside`)],
    })
    expect(await runs.undo(account, runId)).toMatchObject({ state: 'succeeded', refused: 0 })
    expect(await offersOf(database.db, accountId)).toEqual(before)
    await expectAudited(database.db, accountId)
  },
)
