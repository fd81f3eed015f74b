import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { createTaxClass } from '../../src/catalog/settings/prices/tax-classes.ts'
import { inTransaction } from '../../src/db/sql.ts'
import type { FaultPoint } from '../../src/platform/process/fault-point.ts'
import { takeImportLease } from '../../src/imports/lease/import-lease.ts'
import { ShelfwireError } from '../../src/platform/errors.ts'
import { counterGet } from '../../src/shelf/payloads/change-counter.sql.ts'
import { entries, Mirror, oracle } from '../feed/mirror.ts'
import { createAccount, giveOffers, offer, type TestAccount, expectAudited } from '../harness/account.ts'
import { bundleOfFile } from '../harness/child-bundle.ts'
import { startProcess } from '../harness/child-process.ts'
import { inTurn } from '../harness/gate.ts'
import { until } from '../harness/interleave.ts'
import { SMALL, type Job } from './child.ts'
import { OPERATION_POINTS } from '../operations/operation-points.ts'
import { ARCHIVE_POINTS } from './archive-points.ts'
import { ERASE_POINTS } from './erase-points.ts'
import { MIRROR_POINTS } from './mirror-points.ts'
import { REKEY_POINTS } from './rekey-points.ts'
import { RUN_POINTS } from './run-points.ts'
import { WEBHOOK_POINTS } from './webhook-points.ts'
import { worldOfFile } from '../harness/world.ts'

const { database, bench } = worldOfFile()
let temporary: string
beforeAll(async () => {
  // for the temporary files of killed processes
  temporary = await mkdtemp(join(tmpdir(), 'shelfwire-crash-'))
})
afterAll(() => rm(temporary, { recursive: true, force: true }))

/** Every fault point, with the jobs that pass it and the passes at which the process is killed. */
const CASES = {
  'import:page-before-commit': [{ kind: 'import', passes: [1, 3] }],
  'import:page-after-commit': [{ kind: 'import', passes: [1, 3] }],
  'import:before-absent': [{ kind: 'import', passes: [1] }],
  'shelve:after-lock': [
    { kind: 'import', passes: [2] },
    { kind: 'write', passes: [1] },
  ],
  'shelve:before-commit': [
    { kind: 'import', passes: [3] },
    { kind: 'write', passes: [1] },
  ],
  'shelve:after-commit': [
    { kind: 'import', passes: [3] },
    { kind: 'write', passes: [1] },
  ],
  'sweep:after-merge': [{ kind: 'sweep', passes: [1] }],
  'sweep:after-cut': [
    { kind: 'sweep', passes: [1] },
    { kind: 'day', passes: [1] },
  ],
  'sweep:before-progress': [
    { kind: 'sweep', passes: [1, 3] },
    { kind: 'day', passes: [1, 3] },
  ],
  'sweep:after-progress': [
    { kind: 'sweep', passes: [1, 3] },
    { kind: 'day', passes: [1, 3] },
  ],
  'sweep:after-commit': [
    { kind: 'sweep', passes: [1, 3] },
    { kind: 'day', passes: [1, 3] },
  ],
} satisfies Record<
  Exclude<
    FaultPoint,
    | `webhook:${string}`
    | `notice:${string}`
    | `security-mail:${string}`
    | `operation:${string}`
    | `run:${string}`
    | `rekey:${string}`
    | `erase:${string}`
    | `archive:${string}`
    | (typeof MIRROR_POINTS)[number]
  >,
  { kind: Job['kind']; passes: number[] }[]
>

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))
const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
bundleOfFile(CHILD)

test('every fault point in src has a case', async () => {
  const names = await readdir(SOURCE, { recursive: true })
  const texts = await Promise.all(
    names.filter((name) => name.endsWith('.ts')).map((name) => readFile(join(SOURCE, name), 'utf8')),
  )
  const points = texts.flatMap((text) => [...text.matchAll(/faultPoint\('([^']+)'\)/g)].map((match) => match[1]))
  const elsewhere = [
    ...WEBHOOK_POINTS.map(({ at }) => at),
    ...ERASE_POINTS,
    ...ARCHIVE_POINTS,
    ...OPERATION_POINTS,
    ...MIRROR_POINTS,
    ...REKEY_POINTS,
    ...RUN_POINTS.map(({ at }) => at),
    // test/notices/channels and test/panel/security-mails
    'notice:before-send',
    'notice:after-send',
    'security-mail:before-send',
  ]
  expect([...new Set(points)].sort()).toEqual([...new Set([...Object.keys(CASES), ...elsewhere])].sort())
})

/** Runs the job in a process of its own, until it ends. */
const runChild = (job: Job, killAt?: string) => startProcess(CHILD, job, killAt, { TMPDIR: temporary }).ended

/** Expects no change without a readable payload and no payload without a change, which must hold at any moment. */
async function expectAnnouncedIsReadable(accountId: number): Promise<void> {
  const rows = await database.db`
    select coalesce(c.product_id, p.product_id, t.product_id) as product, coalesce(c.store_id, p.store_id, t.store_id) as store,
      c.removed_id, p.product_id is not null as has_price, t.product_id is not null as has_content
    from (select * from change where account_id = ${accountId}) c
    full join (select * from payload_price where account_id = ${accountId}) p
      on p.store_id = c.store_id and p.product_id = c.product_id
    full join (select * from payload_content where account_id = ${accountId}) t
      on t.store_id = coalesce(c.store_id, p.store_id) and t.product_id = coalesce(c.product_id, p.product_id)
    where c.product_id is null or (c.removed_id is null) <> (p.product_id is not null and t.product_id is not null)
      or (p.product_id is null) <> (t.product_id is null)`
  expect([...rows]).toEqual([])
}

/** Expects that the server has closed the killed process's connections, and so released its locks and rolled it back. */
async function expectGone(account: TestAccount): Promise<void> {
  await until(
    'the server drops the connections of a killed process',
    async () => {
      const rows = await database.db`
      select from pg_stat_activity where application_name = 'crash-child' and datname = current_database()`
      return rows.length === 0
    },
    2_000,
  )
  // wait until the lease of a killed import expires
  await until(
    'the next import may start',
    async () => {
      const lease = await takeImportLease(database.db, account.accountId, account.suppliers[0]!.supplierId).catch(
        (error: unknown) => {
          if (error instanceof ShelfwireError && error.code === 'import-running') return null
          throw error
        },
      )
      await lease?.[Symbol.asyncDispose]()
      return lease !== null
    },
    SMALL.importLeaseMs + 2_000,
  )
}

// a gate kills every job at every point, at one of the passes
const runs = Object.entries(CASES).flatMap(([point, jobs]) =>
  jobs.flatMap(({ kind, passes }) => inTurn(passes).map((pass) => ({ at: `${point}#${pass}`, kind }))),
)

test.for(runs)(
  'a process killed at $at ($kind) and run again loses no change and announces none that cannot be read',
  async ({ at, kind }) => {
    const account = await createAccount(bench, at)
    const { accountId, storeIds } = account
    const known = Array.from({ length: 80 }, (_, i) => offer(`K${String(i).padStart(4, '0')}`, { cost: '10' }))
    const productIds = await giveOffers(bench, account, known)
    if (kind === 'day') await showTax(account)
    const job: Job = {
      url: database.url,
      accountId,
      kind,
      supplier: account.suppliers[0]!,
      rate: '4.4',
      day: RAISED.validFrom,
      // only one batch, so that shelf.write shelves it itself
      productIds: productIds.slice(0, SMALL.shelveBatchProducts),
      quantity: 9,
      // ten are removed, seventy cost more, fifty are new
      articles: { from: 10, to: 130, cost: '11' },
    }
    const before = await Promise.all(
      storeIds.map((storeId) => new Mirror(database.db, accountId, storeId).readAll(() => 50)),
    )
    const start = await counterGet(database.db, accountId)
    const first = await runChild(job, at)
    expect(first, first.said).toMatchObject({ code: null, signal: 'SIGKILL' })
    await expectGone(account)
    await expectAnnouncedIsReadable(accountId)
    // mirrors that read right after the crash and continue later
    const between = await Promise.all(
      before.map(async (mirror) => {
        const reader = new Mirror(database.db, accountId, mirror.storeId)
        reader.restore(mirror.save())
        return reader.readAll(() => 7)
      }),
    )
    const second = await runChild(job)
    expect(second, second.said).toMatchObject({ code: 0, signal: null })
    await expectAudited(database.db, accountId)
    await expectAnnouncedIsReadable(accountId)
    // a product whose price has another tax is announced once, whether it was priced before the kill or after it
    if (kind === 'day') expect((await counterGet(database.db, accountId))!.lastId - start!.lastId).toBe(80)
    for (const [i, storeId] of storeIds.entries()) {
      const expected = entries(await oracle(database.db, accountId, storeId))
      expect(expected.length).toBe(kind === 'import' ? 130 : 80)
      expect(expected.every(([, body]) => isDone(kind, i, body))).toBe(true)
      for (const mirror of [new Mirror(database.db, accountId, storeId), before[i]!, between[i]!]) {
        expect(entries((await mirror.readAll(() => 33)).products)).toEqual(expected)
      }
    }
  },
)

/** The tax rate that begins with the new day. */
const RAISED = { country: 'DE', validFrom: '2998-01-02', percent: '20' }

/** Makes the first store show prices with tax, at 19 % until the rate is raised. */
async function showTax({ accountId, storeIds: [main] }: TestAccount): Promise<void> {
  await inTransaction(database.db, async (tx) => {
    const rates = [{ country: 'DE', validFrom: '2021-01-01', percent: '19' }, RAISED]
    await createTaxClass(tx, accountId, { key: 'standard', name: 'Standard', isDefault: true, codes: [], rates })
    await editStore(tx, accountId, main, { taxCountry: 'DE', pricesIncludeTax: true })
  })
  await bench.shelf.drain(accountId)
}

interface ShownPrice {
  base_cost: number
  computed_price: number
  tax_rate?: number
}

/** Whether a payload shows the result of the job. */
function isDone(kind: Job['kind'], store: number, body: string): boolean {
  const product = JSON.parse(`{${body}}`) as { sku: string; stock: number; prices: ShownPrice[] }
  const { base_cost: cost, computed_price: price, tax_rate: tax } = product.prices[0]!
  if (kind === 'write') return product.stock === (product.sku < 'K0020' ? 14 : 5)
  // the default rule's 25 % on the cost, and the tax
  if (kind === 'day') return store === 0 ? tax === 20 && price === 15 : tax === undefined
  if (kind === 'sweep') return cost === (store === 2 ? 44 : 10)
  const isAbsent = product.sku < 'K0010'
  return product.stock === (isAbsent ? 0 : 5) && cost === (isAbsent ? 10 : 11) * (store === 2 ? 4 : 1)
}
