import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createToken } from '../src/accounts/create-token.ts'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { editRule } from '../src/catalog/settings/rules/pricing-rules.ts'
import { openPrinter } from '../src/commands/console/print.ts'
import { inTransaction, type Db } from '../src/db/sql.ts'
import { readFeed, type Cursor } from '../src/feed/read.ts'
import { formatTimestamp } from '../src/platform/time/timestamp.ts'
import { runImport } from '../src/imports/run.ts'
import { readOfferPages } from '../src/supplier-files/read-offers.ts'
import { SUPPLIER_FILE_MAPPING, writeSupplierFile } from './supplier-file.ts'
import { createFilledAccount, fillProducts, type FilledAccount } from './fill.ts'
import {
  maintain,
  openEnvironment,
  PROFILE_DIRECTORY,
  startService,
  type Environment,
  type RunningService,
} from './environment.ts'
import { writePlans } from './plans.ts'
import { load, median, memoryOf } from './processes.ts'
import type { Report } from './report.ts'
import { watchShelving, shelvingText } from './shelving.ts'
import { statementTimes } from './statements.ts'
import { openClient, walk } from './walk.ts'

// A catalog of a million products in three stores, beside one of 10,000 in the same database. Costs that must not grow
// with the catalog (a page, a read, a poll, an import with few changes) are compared with those of the small one or with
// a fixed goal. BENCH_PRODUCTS sets a smaller size; BENCH_PLANS names a file for the plans of the hot queries.

const PRODUCTS = Number(process.env['BENCH_PRODUCTS'] ?? 1_000_000)
const FEW = Math.min(10_000, PRODUCTS)
const STORES = 3
const ROUNDS = 3
const SECONDS = 4
const CONNECTIONS = 64
const FEED_READS = 300
const CHANGED_EVERY = 100
/** Pause of a client between two requests. */
const REST_MS = 5
const MS = (value: number) => `${value.toFixed(2)} ms`

interface Catalog {
  account: FilledAccount
  products: number
  token: string
  /** `@FILE` with the paths of random products, for load.ts. */
  paths: string
}

/** The benchmark of a large catalog; takes half an hour at a million products. */
export async function million(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  let service = await startService(environment)
  const idle = await memoryOf(service.pid)
  const few = await makeCatalog(environment, service, 'few', FEW, report)
  const many = await makeCatalog(environment, service, 'many', PRODUCTS, report)
  await maintain(environment, ['vacuum analyze', 'checkpoint'])
  const label = (catalog: Catalog) => `at ${catalog.products.toLocaleString('en')}`

  await readPages(service, many, report, label(many))
  await walkAll(service, many, report, label(many))
  for (const catalog of [few, many]) await readFeeds(environment.runtime.db, service, catalog, report, label(catalog))
  await readSingles(service, few, many, report)
  const busy = await memoryOf(service.pid)

  if (PROFILE_DIRECTORY !== '') {
    await service.stop()
    service = await startService(environment, true)
  }
  await changeRule(environment, service, many, report, label(many))
  if (PROFILE_DIRECTORY !== '') {
    await service.stop()
    service = await startService(environment)
  }
  await reimport(environment, many, report, label(many))
  const after = await memoryOf(service.pid)
  report.goal(
    'memory of the service process without PostgreSQL',
    `${idle.nowMb} MB after start, ${busy.nowMb} MB after the reads (peak ${busy.peakMb} MB), ${after.nowMb} MB after reshelving (peak ${after.peakMb} MB)`,
    '150 MB',
    Math.max(busy.nowMb, after.nowMb) <= 150,
  )
  await measureDisk(environment.runtime.db, few.products + many.products, report)

  const file = process.env['BENCH_PLANS'] ?? ''
  if (file !== '') {
    await maintain(environment, ['vacuum analyze'])
    using progress = openPrinter(false).progress('Explaining')
    await writePlans(
      environment,
      { accountId: many.account.accountId, supplierId: many.account.suppliers[0].supplierId },
      file,
      progress.update,
    )
  }
  await service.stop()
  report.print(environment.server)
}

async function makeCatalog(
  environment: Environment,
  service: RunningService,
  name: string,
  products: number,
  report: Report,
): Promise<Catalog> {
  const { db, shelf, wake } = environment.runtime
  const account = await createFilledAccount(db, name, STORES)
  const { accountId } = account
  await shelf.drain(accountId)
  const from = performance.now()
  {
    using progress = openPrinter(false).progress(`Filling ${name}`)
    await fillProducts(db, account, products, (done) => progress.update(done, products))
  }
  await maintain(environment, ['analyze'])
  report.figure(
    `fill of ${products.toLocaleString('en')} products by SQL`,
    `${((performance.now() - from) / 1_000).toFixed(1)} s`,
  )
  await inTransaction(db, (tx) => sweepAppend(tx, accountId, 'filled'))
  wake.notify('mark', accountId)
  const shelving = await watchShelving(db, accountId, service.pid, products * STORES, `Shelving ${name}`)
  report.figure(`first shelving of ${(products * STORES).toLocaleString('en')} payloads`, shelvingText(shelving))
  const { token } = await inTransaction(db, (tx) => createToken(tx, { accountId, access: 'connector' }))
  const [store] = account.storeIds
  const sample = await db<{ id: number }[]>`
    select product_id as id from payload_price where account_id = ${accountId} and store_id = ${store ?? 0} order by hashint8(product_id) limit 100000`
  const paths = join(environment.directory, `${name}.paths`)
  await writeFile(paths, sample.map((row) => `/v1/products/${row.id}`).join('\n'))
  return { account, products, token, paths: `@${paths}` }
}

async function readPages(
  service: RunningService,
  { token, products }: Catalog,
  report: Report,
  label: string,
): Promise<void> {
  const first = ['/v1/products?per_page=200&page=1']
  const last = [`/v1/products?per_page=200&page=${Math.ceil(products / 200)}`]
  const times: { first: number; last: number }[] = []
  await load(service.url, token, 1, 1, [...first, ...last])
  for (let i = 0; i < ROUNDS; i++) {
    times.push({
      first: (await load(service.url, token, 1, SECONDS, first)).p50Ms,
      last: (await load(service.url, token, 1, SECONDS, last)).p50Ms,
    })
  }
  const ratio = median(times.map((time) => time.last / time.first))
  report.goal(
    `last page of 200 against the first, ${label}`,
    `${ratio.toFixed(2)}x (${MS(median(times.map((time) => time.last)))} against ${MS(median(times.map((time) => time.first)))} p50)`,
    'at most 1.3x',
    ratio <= 1.3,
  )
}

async function walkAll(
  service: RunningService,
  { token, products }: Catalog,
  report: Report,
  label: string,
): Promise<void> {
  const get = openClient(service.url, token)
  for (const by of ['page', 'after_id'] as const) {
    using progress = openPrinter(false).progress(`Walking by ${by}`)
    const { total, seconds, bytes } = await walk(get, by, (pages) => progress.update(pages * 200, products))
    report.figure(
      `walk over one store by ${by} in pages of 200, ${label}`,
      `${Math.round(total / seconds)} products/s, ${seconds.toFixed(1)} s, ${(bytes / 1e6).toFixed(0)} MB`,
    )
  }
}

async function readFeeds(
  db: Db,
  service: RunningService,
  { account, token }: Catalog,
  report: Report,
  label: string,
): Promise<void> {
  const {
    accountId,
    storeIds: [storeId = 0],
  } = account
  const cursors = await db<{ since: Date; id: number }[]>`
    select since, id from (
      select changed_at as since, change_id as id, row_number() over (order by changed_at, change_id) as n, count(*) over () as total
      from change where account_id = ${accountId} and store_id = ${storeId}) numbered
    where n between total * 0.4 and total * 0.6 order by hashint8(n) limit ${FEED_READS}`
  const { next } = await readFeed(db, accountId, storeId, { kind: 'now' }, 1)
  const middle = cursors.map((row): Cursor => ({ kind: 'pair', ...row }))
  const head: Cursor[] = middle.map(() => ({ kind: 'pair', ...next }))
  const path = ({ since, id }: { since: Date; id: number }) =>
    `/v1/changes?limit=500&since=${encodeURIComponent(formatTimestamp(since))}&since_id=${id}`
  for (const [what, goal, list, paths] of [
    ['feed window of 500 in the middle of the log', 3, middle, cursors.map(path)],
    ['empty poll at the head', 0.5, head, [path(next)]],
  ] as const) {
    const times: number[] = []
    for (const cursor of list) {
      const from = performance.now()
      await readFeed(db, accountId, storeId, cursor, 500)
      times.push(performance.now() - from)
    }
    const http = await load(service.url, token, 1, SECONDS, paths)
    if (http.failures > 0) throw new Error('the feed answered with errors')
    report.goal(
      `${what}, ${label}`,
      `${MS(median(times))} p50 in the room, ${MS(http.p50Ms)} through HTTP`,
      `${goal} ms`,
      median(times) <= goal,
    )
  }
}

async function readSingles(service: RunningService, few: Catalog, many: Catalog, report: Report): Promise<void> {
  const rounds: { what: string; ratio: number; few: number; many: number }[] = []
  const read = async (catalog: Catalog, connections: number) => {
    const result = await load(service.url, catalog.token, connections, SECONDS, [catalog.paths])
    if (result.failures > 0) throw new Error('single reads failed')
    return result
  }
  for (const catalog of [few, many]) await read(catalog, CONNECTIONS)
  for (let i = 0; i < ROUNDS; i++) {
    const [small, large] = [await read(few, CONNECTIONS), await read(many, CONNECTIONS)]
    rounds.push({
      what: 'throughput',
      ratio: small.perSecond / large.perSecond,
      few: small.perSecond,
      many: large.perSecond,
    })
    const [quick, slow] = [await read(few, 1), await read(many, 1)]
    rounds.push({ what: 'latency', ratio: slow.p50Ms / quick.p50Ms, few: quick.p50Ms, many: slow.p50Ms })
  }
  for (const [what, unit] of [
    ['throughput', '/s at 64 connections'],
    ['latency', ' ms p50 at one connection'],
  ] as const) {
    const own = rounds.filter((round) => round.what === what)
    const ratio = median(own.map((round) => round.ratio))
    const figure = (pick: 'few' | 'many') => median(own.map((round) => round[pick])).toFixed(what === 'latency' ? 3 : 0)
    report.goal(
      `single reads of random products, ${what}: ${many.products.toLocaleString('en')} against ${few.products.toLocaleString('en')}`,
      `${ratio.toFixed(2)}x worse (${figure('many')} against ${figure('few')}${unit})`,
      'at most 1.3x',
      ratio <= 1.3,
    )
  }
}

async function changeRule(
  environment: Environment,
  service: RunningService,
  { account, token, products, paths }: Catalog,
  report: Report,
  label: string,
): Promise<void> {
  const { db, wake } = environment.runtime
  const quiet = () => load(service.url, token, 1, SECONDS * 2, [paths], REST_MS)
  const before = await quiet()
  const counted = await statementTimes(db)
  await inTransaction(db, (tx) => editRule(tx, account.accountId, account.defaultRuleId, { percent: '31' }))
  wake.notify('mark', account.accountId)
  const watching = watchShelving(db, account.accountId, service.pid, products * STORES, 'Reshelving')
  const meanwhile = await quiet()
  const shelving = await watching
  await counted()
  report.goal(
    `a rule that moves all ${(products * STORES).toLocaleString('en')} payloads`,
    shelvingText(shelving),
    '15,000 per processor second',
    shelving.payloadsPerCpuSecond >= 15_000,
  )
  const ratio = meanwhile.p99Ms / before.p99Ms
  report.goal(
    `quiet single reads meanwhile, ${label}`,
    `p99 ${ratio.toFixed(2)}x: p50 ${MS(meanwhile.p50Ms)} against ${MS(before.p50Ms)} idle, p99 ${MS(meanwhile.p99Ms)} against ${MS(before.p99Ms)}`,
    'at most 2x',
    ratio <= 2,
  )
}

async function reimport(
  environment: Environment,
  { account, products }: Catalog,
  report: Report,
  label: string,
): Promise<void> {
  const { db, wake, shelf } = environment.runtime
  const [supplier] = account.suppliers
  const file = join(environment.directory, 'supplier.ndjson')
  for (const [what, isChanged] of [
    ['the whole file of the first supplier, rows without hashes', () => false],
    ['the same file, unchanged', () => false],
    ['the same file, 1 % of the costs changed', (n: number) => n % CHANGED_EVERY === 0],
  ] as const) {
    {
      using progress = openPrinter(false).progress('Writing the file')
      await writeSupplierFile(db, account, file, isChanged, (rows) => progress.update(rows, products))
    }
    const from = performance.now()
    let readSeconds = 0
    using progress = openPrinter(false).progress('Importing')
    const result = await runImport(
      db,
      wake,
      { accountId: account.accountId, supplier, mode: 'full' },
      readOfferPages(createReadStream(file, { highWaterMark: 1_048_576 }), SUPPLIER_FILE_MAPPING),
      ({ phase, done, total }) => {
        if (phase === 'reading') readSeconds = (performance.now() - from) / 1_000
        progress.update(done, total ?? products, phase)
      },
    )
    const written = (performance.now() - from) / 1_000
    await shelf.drain(account.accountId)
    const seconds = (performance.now() - from) / 1_000
    report.figure(
      `import of ${what}, ${label}`,
      `${seconds.toFixed(1)} s end to end (${Math.round(result.rows / seconds)} rows/s): reading ${readSeconds.toFixed(1)} s, the rest of the import ${(written - readSeconds).toFixed(1)} s, shelving after it ${(seconds - written).toFixed(1)} s; ${result.changed} rows changed, ${result.products} products marked, ${result.refusedTotal} refused`,
    )
  }
}

async function measureDisk(db: Db, products: number, report: Report): Promise<void> {
  const tables = await db<{ name: string; heap: number; indexes: number; total: number }[]>`
    select relname as name, pg_table_size(oid) as heap, pg_indexes_size(oid) as indexes, pg_total_relation_size(oid) as total
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_total_relation_size(oid) desc`
  const each = (bytes: number) => Math.round(bytes / products)
  const listed = tables
    .filter((table) => each(table.total) >= 5)
    .map((table) => `${table.name} ${each(table.total)} (${each(table.indexes)} of it indexes)`)
  report.figure(
    'disk per product in three stores, after the runs above',
    `${each(tables.reduce((sum, table) => sum + table.total, 0))} bytes: ${listed.join(', ')}`,
  )
}
