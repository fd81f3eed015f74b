import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { forgetFiles, forgetRuns, forgetUnnamedFiles } from '../../src/imports/runs/forget.ts'
import { runGet } from '../../src/imports/runs/runs.sql.ts'
import { repeatRun } from '../../src/imports/runs/runs.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, type Bench, type TestAccount } from '../harness/account.ts'
import type { TestDatabase } from '../harness/database.ts'
import { hold } from '../harness/interleave.ts'
import { chunks, openRunBench } from './run-bench.ts'
import { ofFile } from '../harness/world.ts'

// The retention of runs and their files.

let database: TestDatabase
let bench: Bench
const runs = ofFile(openRunBench)
beforeAll(async () => {
  ;({ database, bench } = runs)
})
const limits = { ...LIMITS }
afterEach(() => void Object.assign(LIMITS, limits))

const { signal } = new AbortController()
/** Moves the end of all ended runs back by some days. In two statements, because a cluster computes no times in an UPDATE. */
async function age(days: number): Promise<void> {
  const rows = await database.db<{ accountId: number; runId: number; at: Date }[]>`
    select account_id as "accountId", run_id as "runId", ended_at - make_interval(days => ${days}) as at from import_run
    where ended_at is not null`
  for (const { accountId, runId, at } of rows)
    await database.db`
      update import_run set ended_at = ${at.toISOString()}::text::timestamptz where account_id = ${accountId} and run_id = ${runId}`
}
const filesOf = ({ accountId }: TestAccount) =>
  readdir(join(runs.directory, 'imports', String(accountId))).catch(() => [])

test('files are kept for a week, and runs with what they changed for a month; the last full one that can be undone for longer', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  const first = await runs.bring(account, 'sku,cost,qty\nA,1,1\nB,x,1\n')
  const second = await runs.bring(account, 'sku,cost,qty\nA,2,1\n')
  const delta = await runs.bring(account, 'sku,cost\nA,3\n', { mode: 'delta' })
  const refused = await runs.bring(account, 'nothing of the kind\n')
  expect([first, second, delta, refused].map(({ state }) => state)).toEqual([
    'succeeded',
    'succeeded',
    'succeeded',
    'refused',
  ])
  // four files, and the list of the first one's refused row
  expect(await filesOf(account)).toHaveLength(5)
  await age(LIMITS.importFileDaysMax - 1)
  await forgetFiles(database.db, runs.context.files, signal)
  expect(await filesOf(account)).toHaveLength(5)
  await age(2)
  await forgetFiles(database.db, runs.context.files, signal)
  expect(await filesOf(account)).toEqual([])
  expect(await runGet(database.db, accountId, first.runId)).toMatchObject({ fileKey: null, refusalsKey: null })

  Object.assign(LIMITS, { importRunsDeletedPerStep: 1 })
  await forgetRuns(database.db, signal)
  await age(LIMITS.importRunDaysMax)
  await forgetRuns(database.db, signal)
  const left = await database.db<{ id: number }[]>`select run_id as id from import_run where account_id = ${accountId}`
  expect(left.map(({ id }) => id)).toEqual([second.runId])
  const changes = await database.db`select from import_run_change where account_id = ${accountId}`
  expect(changes).toHaveLength(1)
  // not undone: the later delta changed it
  expect(await runs.undo(account, second.runId)).toMatchObject({ state: 'succeeded', changed: 0, refused: 1 })
  await age(LIMITS.importRunDaysMax + 1)
  await forgetRuns(database.db, signal)
  expect(await database.db`select from import_run where account_id = ${accountId}`).toEqual([])
})

test('files that no run names are removed after a day, and others never', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  const { files } = runs.context
  const run = await runs.bring(account, 'sku,cost,qty\nA,1,1\nB,x,1\n')
  const waiting = await runs.ask(account, 'sku,cost,qty\nA,1,1\n')
  const stray = await files.keep(accountId, chunks('half an upload'), 'x')
  await forgetUnnamedFiles(database.db, files, signal)
  expect(await filesOf(account)).toHaveLength(4)
  Object.assign(LIMITS, { importFileUnnamedHours: 0 })
  await forgetUnnamedFiles(database.db, files, signal)
  expect(await filesOf(account)).toHaveLength(3)
  expect(await files.read(stray.key)).toBeUndefined()
  for (const key of [run.fileKey, run.refusalsKey, (await runs.run(account, waiting)).fileKey])
    expect(await files.read(key ?? '')).toBeDefined()
})

test('the file of a run that is about to be imported again is not removed', async () => {
  const account = await createAccount(bench)
  const run = await runs.bring(account, 'sku,cost,qty\nA,1,1\n')
  await age(LIMITS.importFileDaysMax + 1)
  await using repeat = await hold(database.db, (tx) =>
    repeatRun(tx, account.accountId, run.runId, { isDryRun: true, isConfirmed: false }),
  )
  await forgetFiles(database.db, runs.context.files, signal)
  await repeat.commit()
  expect(await filesOf(account)).toHaveLength(1)
  await runs.work(account)
  expect(await runs.run(account, repeat.value)).toMatchObject({
    state: 'succeeded',
    unchanged: 1,
    fileHash: run.fileHash,
  })
  await age(LIMITS.importFileDaysMax + 1)
  await forgetFiles(database.db, runs.context.files, signal)
  expect(await filesOf(account)).toEqual([])
})
