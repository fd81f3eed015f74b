import { afterEach, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { takeImportLease } from '../../src/imports/lease/import-lease.ts'
import { leaseTake } from '../../src/imports/lease/import-leases.sql.ts'
import { runImport } from '../../src/imports/run.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import type { ReadRow } from '../../src/supplier-files/reading.ts'
import { createAccount, offer, type TestAccount } from '../harness/account.ts'
import { hold, openNamed, until } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'
import { refusalText } from '../harness/refusal.ts'

// One import per supplier at a time, by a lease: with running, suspended and ended processes.

const { database, bench } = worldOfFile()

const { importLeaseMs, importLeaseRenewMs, importPageRows } = LIMITS
const limits = (over: Partial<Record<'importLeaseMs' | 'importLeaseRenewMs' | 'importPageRows', number>>) =>
  Object.assign(LIMITS, over)
afterEach(() => void limits({ importLeaseMs, importLeaseRenewMs, importPageRows }))

const row = (sku: string, cost: string): ReadRow => ({ line: 2, offer: offer(sku, { cost }) })
async function* rows(...given: ReadRow[]): AsyncGenerator<ReadRow[]> {
  yield given
}

function start(account: TestAccount, pages: AsyncIterable<readonly ReadRow[]>, db = database.db) {
  const { accountId, suppliers } = account
  return runImport(db, bench.wake, { accountId, supplier: suppliers[0]!, mode: 'full', isConfirmed: true }, pages)
}

async function costs(account: TestAccount): Promise<string> {
  const found = await database.db<{ text: string }[]>`
    select supplier_sku || '=' || cost::float || case when absent_since is null then '' else ' absent' end as text
    from offer where account_id = ${account.accountId} order by supplier_sku`
  return found.map(({ text }) => text).join(', ')
}

const leases = async (account: TestAccount) =>
  (await database.db`select from import_lease where account_id = ${account.accountId}`).length

test('an import that was suspended until another one took its lease writes no further page', async () => {
  // it renews no lease, like a suspended process
  limits({ importLeaseMs: 1, importLeaseRenewMs: 3_600_000, importPageRows: 1 })
  const account = await createAccount(bench)
  const reading = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  async function* suspended() {
    reading.resolve()
    await resumed.promise
    yield [row('A', '1'), row('B', '1')]
  }
  const first = start(account, suspended())
  await reading.promise
  await until('its lease has run out', async () => (await expired(account)) === 1)
  expect(await start(account, rows(row('A', '2'), row('C', '2')))).toMatchObject({ created: 2 })
  resumed.resolve()
  expect(await refusalText(first)).toMatch(/^import-running: another import of this supplier began/)
  expect(await costs(account)).toBe('A=2, C=2')

  // also while the other process still runs, after its first page
  limits({ importLeaseMs: 1 })
  await using named = openNamed(database, 4)
  await using obstacle = await hold(
    database.db,
    (tx) => tx`select from offer where account_id = ${account.accountId} and supplier_sku = 'C' for update`,
  )
  const second = start(account, rows(row('A', '3'), row('C', '3')), named.db)
  expect(await named.fate(second)).toBe('blocked')
  expect(await costs(account)).toBe('A=3, C=2')
  // while the transaction of a page is open, the lease cannot be taken, even if it has expired
  expect(await refusalText(start(account, rows(row('A', '4'))))).toMatch(/^import-running: .* is running/)
  await obstacle.commit()
  expect(await second).toMatchObject({ changed: 2 })
  expect(await costs(account)).toBe('A=3, C=3')
  expect(await leases(account)).toBe(0)
})

const expired = async (account: TestAccount) =>
  (await database.db`select from import_lease where account_id = ${account.accountId} and expires_at <= now()`).length

test('the lease of an import whose process was killed runs out, and until then the refusal says when', async () => {
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  limits({ importLeaseMs: 3_000 })
  const holder = '00000000-0000-4000-8000-000000000001'
  expect(await inTransaction(database.db, (tx) => leaseTake(tx, accountId, suppliers[0]!.supplierId, holder))).toBe(
    null,
  )
  const before = Date.now()
  const refusal = await refusalText(start(account, rows(row('A', '1'))))
  expect(refusal).toMatch(/^import-running: another import of this supplier is running; wait for it to end\. If /)
  const at = Date.parse(/may start at (\S+)$/.exec(refusal)?.[1] ?? '')
  expect(at).toBeGreaterThanOrEqual(before)
  expect(at).toBeLessThanOrEqual(before + 5_000)
  await until('the next import may start', async () => Date.now() >= at + 100, 6_000)
  expect(await start(account, rows(row('A', '1')))).toMatchObject({ created: 1 })
  expect(await leases(account)).toBe(0)
})

test('an import that reads for longer than its lease keeps it', async () => {
  const account = await createAccount(bench)
  limits({ importLeaseMs: 2_000, importLeaseRenewMs: 100 })
  const reading = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  async function* slow() {
    reading.resolve()
    await resumed.promise
    yield [row('A', '1')]
  }
  const first = start(account, slow())
  await reading.promise
  for (const end = performance.now() + 4_000; performance.now() < end;)
    expect(await refusalText(start(account, rows(row('B', '1'))))).toMatch(/^import-running: /)
  resumed.resolve()
  expect(await first).toMatchObject({ created: 1 })
  expect(await costs(account)).toBe('A=1')
})

test('one of many imports that start at once, or take over a lease that has run out, goes on', async () => {
  const { accountId, suppliers } = await createAccount(bench)
  const { supplierId } = suppliers[0]!
  for (const isOver of [false, true]) {
    if (isOver) {
      limits({ importLeaseMs: 1 })
      await inTransaction(database.db, (tx) =>
        leaseTake(tx, accountId, supplierId, '00000000-0000-4000-8000-000000000002'),
      )
      limits({ importLeaseMs })
      await until(
        'it has run out',
        async () => (await database.db`select from import_lease where expires_at <= now()`).length === 1,
      )
    }
    const taken = await Promise.allSettled(
      Array.from({ length: 8 }, () => takeImportLease(database.db, accountId, supplierId)),
    )
    const held = taken.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(held).toHaveLength(1)
    await held[0]![Symbol.asyncDispose]()
  }
})
