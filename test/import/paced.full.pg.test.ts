import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setLimit } from '../../src/accounts/limits/limits.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { cancelRun } from '../../src/imports/runs/runs.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { hold, until } from '../harness/interleave.ts'
import { openRunBench, stopped } from './run-bench.ts'
import { ofFile } from '../harness/world.ts'

// Imports within the account's budget of rows per minute: they wait, show that they wait, and never fail because of it.

const runs = ofFile(openRunBench)
const limits = { ...LIMITS }
beforeEach(() => void Object.assign(LIMITS, { directoryTtlMs: 50, importPaceLookMs: 50, importRunsAtOnce: 1 }))
afterEach(() => void Object.assign(LIMITS, limits))

const file = (rows: number, cost: number) =>
  `sku,cost,qty\n${Array.from({ length: rows }, (_, i) => `A${i},${cost},1\n`).join('')}`

/** An account with this budget of rows per minute, which its process has loaded. */
async function accountWith(rows: number): Promise<TestAccount> {
  const account = await createAccount(runs.bench, `of ${rows} rows`)
  await allow(account, rows)
  return account
}
async function allow({ accountId }: TestAccount, amount: number): Promise<void> {
  await inTransaction(runs.database.db, (tx) => setLimit(tx, accountId, { budget: 'rows_per_minute', amount }))
  const paged = Math.min(1_000, Math.floor(amount / 4))
  await until('the limit is known', async () => runs.context.rates.pacedRows(accountId, 1_000) === paged)
}
const waits = async (account: TestAccount, runId: number) =>
  until('it waits', async () => (await runs.run(account, runId)).problem?.code === 'quota-exceeded')

test('an import waits for room in the budget, says why, leaves its place and a part of the budget to others, and goes on', async () => {
  const account = await accountWith(1_200)
  await using loop = stopped(runs.start())
  const runId = await runs.ask(account, file(2_000, 1))
  await waits(account, runId)
  const waiting = await runs.run(account, runId)
  // three pages, each a quarter of the budget; the last quarter is reserved for other writes
  expect(waiting).toMatchObject({ state: 'writing', total: 2_000, written: 900 })
  expect(waiting.problem?.detail).toContain('rows_per_minute')
  runs.context.rates.takeRows(account.accountId, 10)
  // meanwhile the account's only place for an import is free
  const dry = await runs.ask(account, file(10, 5), {
    supplierId: account.suppliers[1]!.supplierId,
    isDryRun: true,
  })
  await until('another import of the account', async () => (await runs.run(account, dry)).state === 'succeeded')
  expect((await runs.run(account, runId)).state).toBe('writing')

  await allow(account, 10_000_000)
  await until('it is written', async () => {
    await runs.bench.shelf.drain(account.accountId)
    loop.poke()
    return (await runs.run(account, runId)).endedAt !== null
  })
  expect(await runs.run(account, runId)).toMatchObject({
    state: 'succeeded',
    created: 2_000,
    written: 2_000,
    problem: null,
  })
})

test('beside a writer that uses the whole budget an import goes on, a page at a time', async () => {
  Object.assign(LIMITS, { importPaceWaitMs: 500 })
  const perMinute = 60_000
  const account = await accountWith(perMinute)
  const { rates } = runs.context
  const { accountId } = account
  const from = performance.now()
  let taken = 0
  let isRefused = false
  const write = (rows: number) => {
    try {
      rates.takeRows(accountId, rows)
      taken += rows
    } catch (error) {
      expect(error).toMatchObject({ code: 'quota-exceeded' })
      isRefused = true
    }
  }
  write(perMinute)
  const writing = setInterval(() => {
    for (let i = 0; i < 100; i++) write(1)
  }, 5)
  await using _writes = { [Symbol.asyncDispose]: async () => clearInterval(writing) }
  await until('the budget is used up', async () => isRefused)
  await using _loop = stopped(runs.start())
  // each page has 1,000 rows, or as many as the budget allows in a second
  const runId = await runs.ask(account, file(1_500, 1))
  await until('it is written', async () => (await runs.run(account, runId)).written === 1_500)
  const before = taken
  await until('the other writer goes on', async () => taken > before)
  const seconds = (performance.now() - from) / 1_000
  // both together stay within the budget: its burst, its refill since, and one page
  expect(taken + 1_500).toBeLessThan(perMinute + (seconds * perMinute) / 60 + 2_000)
})

test('one that waits can be canceled: what was written before stays', async () => {
  const account = await accountWith(400)
  await using _loop = stopped(runs.start())
  const runId = await runs.ask(account, file(1_000, 1))
  await waits(account, runId)
  await inTransaction(runs.database.db, (tx) => cancelRun(tx, account.accountId, runId))
  // its supplier can import again
  const next = await runs.ask(account, file(300, 1), { isDryRun: true, isConfirmed: true })
  await until('the next import', async () => (await runs.run(account, next)).state === 'succeeded')
  expect(await runs.run(account, runId)).toMatchObject({ state: 'canceled', created: 300 })
})

test('one that waits for its place can be canceled, too: it does not keep its supplier until there is one', async () => {
  const account = await accountWith(400)
  await using _loop = stopped(runs.start())
  const runId = await runs.ask(account, file(1_000, 1))
  await waits(account, runId)
  // other accounts' runs take all places, and are blocked before they compare
  await using obstacle = await hold(runs.database.db, (tx) => tx`lock table import_run_change in exclusive mode`)
  const others = await Promise.all(Array.from({ length: availableParallelism() }, () => createAccount(runs.bench)))
  const asked = await Promise.all(others.map((other) => runs.ask(other, file(10, 1), { isDryRun: true })))
  await until('they are judged', async () => {
    const found = await Promise.all(others.map((other, i) => runs.run(other, asked[i] ?? 0)))
    return found.every(({ state }) => state === 'reading')
  })
  await allow(account, 10_000_000)
  // it has budget, but waits for a place
  await sleep(500)
  await inTransaction(runs.database.db, (tx) => cancelRun(tx, account.accountId, runId))
  await until('its supplier is free', async () => {
    const leases = await runs.database.db`select from import_lease where account_id = ${account.accountId}`
    return leases.length === 0
  })
  await obstacle.commit()
})

test('the process ends while it waits: another one goes on, and each offer counts once', async () => {
  const account = await accountWith(400)
  const runId = await runs.ask(account, file(1_000, 1))
  {
    await using _first = stopped(runs.start())
    await waits(account, runId)
  }
  expect((await runs.run(account, runId)).state).toBe('waiting')
  await allow(account, 10_000_000)
  await runs.work(account)
  expect(await runs.run(account, runId)).toMatchObject({ state: 'succeeded', created: 1_000, problem: null })
})

test('the undoing of an import is paced as well', async () => {
  const account = await accountWith(10_000_000)
  const { runId } = await runs.bring(account, file(1_000, 1))
  await allow(account, 400)
  await using loop = stopped(runs.start())
  const undone = runs.undo(account, runId)
  await until('the undoing waits', async () => {
    const run = await runs.run(account, runId)
    return run.undoneByRunId !== null && (await runs.run(account, run.undoneByRunId)).problem !== null
  })
  await allow(account, 10_000_000)
  loop.poke()
  expect(await undone).toMatchObject({ state: 'succeeded', zeroed: 1_000, problem: null })
})
