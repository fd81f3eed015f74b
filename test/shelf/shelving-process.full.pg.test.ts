import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createFilledAccount, fillProducts, type FilledAccount } from '../../bench/fill.ts'
import { suspend } from '../../src/accounts/suspensions.ts'
import { sweepAppend } from '../../src/catalog/stale/sweeps.sql.ts'
import { isStale } from '../../src/catalog/stale/stale.sql.ts'
import { editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openBench, expectAudited } from '../harness/account.ts'
import { until } from '../harness/interleave.ts'
import { isCluster } from '../harness/database.ts'
import { startTestService, tokenFor, client, type TestService } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Long shelving moves to a process of its own while requests are answered, and returns to the service when that process ends.

const PRODUCTS = 20_000

const { database } = worldOfFile({})
let account: FilledAccount
let percent = 20

beforeAll(async () => {
  const { db } = database
  account = await createFilledAccount(db, 'apart', 1)
  await fillProducts(db, account, PRODUCTS)
  await inTransaction(db, (tx) => sweepAppend(tx, account.accountId, 'filled'))
  await openBench(db).shelf.drain(account.accountId)
}, 120_000)
afterEach(() => void vi.unstubAllEnvs())

/** Process ids of the shelving processes that this process has started. */
function shelvingProcesses(): number[] {
  return readdirSync('/proc/self/task')
    .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim().split(' '))
    .filter((pid) => pid !== '')
    .filter((pid) => /shelf\/apart\/process|shelving\.mjs/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')))
    .map(Number)
}

/** Starts a service with both roles under constant requests, with a rule for every product, and runs `work`. */
async function besideRequests(env: Record<string, string>, work: (service: TestService) => Promise<void>) {
  await using service = await startTestService(database, { roles: ['api', 'work'], env })
  const { accountId, defaultRuleId } = account
  const call = client(service.url, await tokenFor(service.runtime, accountId, 'connector'))
  const ending = new AbortController()
  const statuses = new Set<number>()
  const asking = (async () => {
    while (!ending.signal.aborted) {
      statuses.add((await call('/v1/products?store=main&per_page=1')).status)
      await sleep(20)
    }
  })()
  try {
    await inTransaction(database.db, (tx) => editRule(tx, accountId, defaultRuleId, { percent: String(percent++) }))
    service.runtime.wake.notify('mark', accountId)
    await work(service)
  } finally {
    ending.abort()
    await asking
  }
  expect(statuses).toEqual(new Set([200]))
}

const current = () =>
  until('every product is current', async () => !(await isStale(database.db, account.accountId)), 120_000)
/** The connections of shelving processes to this database. */
const connections = async () =>
  (
    await database.db<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where application_name = 'shelfwire shelving' and datname = current_database()`
  )[0]?.count

test('it takes over what lasts, and ends when nothing is left (I184)', { timeout: 180_000 }, async () => {
  // products of a suspended account are not shelved there either (I102)
  const { db } = database
  const suspended = await createFilledAccount(db, 'suspended', 1)
  await fillProducts(db, suspended, 100)
  await inTransaction(db, async (tx) => {
    await sweepAppend(tx, suspended.accountId, 'filled')
    await suspend(tx, suspended.accountId, null)
  })
  vi.stubEnv('NODE_USE_SYSTEM_CA', '1')
  await besideRequests({ SHELVING_PROCESS: 'on' }, async ({ runtime }) => {
    expect(shelvingProcesses()).toEqual([])
    await until('it works', async () => (await connections()) !== 0 && shelvingProcesses().length === 1, 30_000)
    expect(runtime.shelvingProcess?.isWorking).toBe(true)
    // its connections need the certificates that the service trusts
    const [pid] = shelvingProcesses()
    expect(readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')).toContain('NODE_USE_SYSTEM_CA=1')
    // from now on this process shelves nothing itself
    const shelvedAt = runtime.shelf.shelvedAt
    await current()
    expect(runtime.shelf.shelvedAt - shelvedAt).toBeLessThan(1_000)
    const isGone = async () => shelvingProcesses().length === 0 && (await connections()) === 0
    await until('it has ended', async () => runtime.shelvingProcess?.isWorking === false && (await isGone()), 60_000)
    const [payloads] = await db`select 1 from payload_price where account_id = ${suspended.accountId} limit 1`
    expect([payloads, await isStale(db, suspended.accountId)]).toEqual([undefined, true])
    // requests alone start no shelving process
    for (let look = 0; look < 50; look++) {
      expect(shelvingProcesses()).toEqual([])
      await sleep(100)
    }
  })
  await expectAudited(database.db, account.accountId)
})

// skipped on a cluster, whose log would have errors of the terminated connections
test.skipIf(isCluster())(
  'what it was at when it was killed is shelved by the service (I184)',
  { timeout: 180_000 },
  async () => {
    await besideRequests({ SHELVING_PROCESS: 'on' }, async ({ runtime }) => {
      await until('it works', async () => (await connections()) !== 0 && shelvingProcesses().length === 1, 30_000)
      for (const pid of shelvingProcesses()) process.kill(pid, 'SIGKILL')
      await until('that is known', async () => runtime.shelvingProcess?.isWorking === false, 10_000)
      await current()
      // none is started for a minute, because whatever ended the first may end the next one too
      expect(shelvingProcesses()).toEqual([])
    })
    await expectAudited(database.db, account.accountId)
  },
)

test('it ends with the service, and what it was at is shelved later', { timeout: 180_000 }, async () => {
  await besideRequests({ SHELVING_PROCESS: 'on' }, async () => {
    await until('it works', async () => (await connections()) !== 0 && shelvingProcesses().length === 1, 30_000)
  })
  expect(shelvingProcesses()).toEqual([])
  await until('its connections have ended', async () => (await connections()) === 0)
  await openBench(database.db).shelf.drain(account.accountId)
  await expectAudited(database.db, account.accountId)
})

test('with SHELVING_PROCESS=off there is none', { timeout: 180_000 }, async () => {
  await besideRequests({}, async ({ runtime }) => {
    expect(runtime.shelvingProcess).toBeNull()
    await current()
    expect(await connections()).toBe(0)
  })
})
