import { once } from 'node:events'
import postgres from 'postgres'
import { isStale, stalePosition } from '../src/catalog/stale/stale.sql.ts'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { productIdsAfter } from '../src/catalog/products/products.sql.ts'
import { openPrinter } from '../src/commands/console/print.ts'
import { inTransaction } from '../src/db/sql.ts'
import { silentLog } from '../src/platform/log.ts'
import { LIMITS } from '../src/platform/limits.ts'
import { bulkNow } from '../src/operations/bulk/write.ts'
import { startOperations } from '../src/operations/operations.ts'
import { spool } from '../src/operations/spool.ts'
import { accountStep } from '../src/operations/step.ts'
import { operationGet } from '../src/operations/operations.sql.ts'
import { auditAccount } from '../src/shelf/audit.ts'
import { createFilledAccount, fillProducts } from './fill.ts'
import { maintain, openEnvironment, type Environment } from './environment.ts'
import { median } from './processes.ts'
import type { Report } from './report.ts'

// Changes the own stock of a hundred thousand products by a plain COPY and UPDATE, and by our bulk. The bulk is measured
// twice: until the rows are written, and until all payloads and the feed are up to date. The variants alternate in one run;
// all rows are prepared before, and HTTP is left out on both sides. BENCH_PRODUCTS sets a smaller size; BENCH_BULK=now runs
// only the synchronous calls.

const PRODUCTS = Number(process.env['BENCH_PRODUCTS'] ?? 100_000)
const ROUNDS = 3
const CALLS = 50
const WORKERS = 2

interface StockRow {
  product_id: number
  quantity: number
}

/** The benchmark of bulk writes. */
export async function bulk(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const { db, shelf } = environment.runtime
  const account = await createFilledAccount(db, 'bulk', 1)
  const { accountId } = account
  {
    using progress = openPrinter(false).progress('Filling')
    await fillProducts(db, account, PRODUCTS, (done) => progress.update(done, PRODUCTS))
  }
  const ids = await productIdsAfter(db, accountId, 0, PRODUCTS)
  await db`insert into own_stock (account_id, product_id, quantity) select ${accountId}, unnest(${ids}::bigint[]), 1`
  await db.unsafe('create table bare_stock (like own_stock including all)')
  await db`insert into bare_stock select account_id, product_id, quantity, cost from own_stock where account_id = ${accountId}`
  await maintain(environment, ['analyze'])
  await inTransaction(db, (tx) => sweepAppend(tx, accountId, 'filled'))
  {
    using progress = openPrinter(false).progress('Shelving')
    await shelf.drain(accountId, ({ products }) => progress.update(products, PRODUCTS))
  }
  let quantity = 10
  const rows = (): StockRow[] => {
    quantity++
    return ids.map((id) => ({ product_id: id, quantity: quantity + (id % 50) }))
  }
  const parts = (process.env['BENCH_BULK'] ?? 'spooled,now').split(',')
  if (parts.includes('spooled')) await spooled(environment, accountId, rows, report)
  if (parts.includes('now')) await now(environment, accountId, rows, report)
  const audit = await auditAccount(db, accountId)
  report.figure(
    'audit of every payload afterwards',
    `${audit.payloads} payloads, ${audit.differencesTotal} differences, ${audit.isStale ? 'stale' : 'nothing stale'}`,
  )
  report.print(environment.server)
}

/** Runs `work` and returns the seconds that it took. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1_000
}

async function spooled(
  environment: Environment,
  accountId: number,
  rows: () => StockRow[],
  report: Report,
): Promise<void> {
  const { shelf } = environment.runtime
  const [bare, written, shelved]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    await maintain(environment, ['vacuum analyze own_stock', 'vacuum analyze bare_stock', 'vacuum mark', 'checkpoint'])
    const given = rows()
    bare.push(await timed(() => copyAndUpdate(environment, accountId, given)))
    const first = rows()
    written.push(await timed(() => write(environment, accountId, first)))
    await shelf.drain(accountId)
    await maintain(environment, [
      'vacuum analyze own_stock',
      'vacuum mark',
      'vacuum payload_price',
      'vacuum change',
      'checkpoint',
    ])
    const second = rows()
    shelved.push(await timed(() => writeAndShelve(environment, accountId, second)))
  }
  const perSecond = (seconds: readonly number[]) => PRODUCTS / median(seconds)
  const ratio = (seconds: readonly number[]) => perSecond(seconds) / perSecond(bare)
  const text = (seconds: readonly number[]) =>
    `${ratio(seconds).toFixed(2)}x: ${Math.round(perSecond(seconds))} against ${Math.round(perSecond(bare))} rows/s, median of ${ROUNDS} rounds`
  const what = `a bulk of ${PRODUCTS.toLocaleString('en')} stock rows against a bare COPY and UPDATE of the same rows`
  report.goal(`${what}: written`, text(written), 'at least 0.25x', ratio(written) >= 0.25)
  report.goal(`${what}: written, payloads and feed up to date`, text(shelved), 'at least 0.25x', ratio(shelved) >= 0.25)
}

/** The baseline: copies the rows to a temporary table and updates the stock from it, with sequential scans allowed. */
async function copyAndUpdate(
  { runtime: { settings } }: Environment,
  accountId: number,
  rows: readonly StockRow[],
): Promise<void> {
  // with postgres.js, the fastest client, so that the baseline is as fast as possible
  const client = postgres(settings.databaseUrl ?? '', { max: 1 })
  const session = await client.reserve()
  try {
    await session.unsafe('set enable_seqscan = on')
    await session.unsafe('begin')
    await session.unsafe('create temporary table given (product_id bigint, quantity integer) on commit drop')
    const stream = await session`copy given from stdin`.writable()
    const ended = once(stream, 'finish')
    for (let at = 0; at < rows.length; at += 5_000) {
      const text = rows
        .slice(at, at + 5_000)
        .map((row) => `${row.product_id}\t${row.quantity}\n`)
        .join('')
      if (!stream.write(text)) await once(stream, 'drain')
    }
    stream.end()
    await ended
    const updated = await session`
      update bare_stock s set quantity = given.quantity from given where s.account_id = ${accountId} and s.product_id = given.product_id`
    if (updated.count !== rows.length) throw new Error(`the bare update reached ${updated.count} rows`)
    await session.unsafe('commit')
  } finally {
    session.release()
    await client.end()
  }
}

/** Spools and applies the rows, without shelving. */
async function write({ runtime: { db } }: Environment, accountId: number, rows: readonly StockRow[]): Promise<void> {
  const operationId = await inTransaction(db, (tx) => spool(tx, accountId, 'bulk_stock', rows, false))
  while ((await accountStep(db, silentLog, accountId, new Map())).isMarked);
  await expectWritten({ db, accountId, operationId })
}

/** Spools the rows, which the operations' loop applies while two workers shelve, as in a service. */
async function writeAndShelve(
  { runtime: { db, shelf, wake } }: Environment,
  accountId: number,
  rows: readonly StockRow[],
): Promise<void> {
  const loops = [
    startOperations(db, wake, silentLog),
    ...Array.from({ length: WORKERS }, (_, i) => shelf.startWorker(`shelve-${i}`)),
  ]
  const operationId = await inTransaction(db, (tx) => spool(tx, accountId, 'bulk_stock', rows, false))
  wake.notify('operation', accountId)
  for (;;) {
    const operation = await operationGet(db, accountId, operationId)
    const isWritten = operation?.state === 'resolving' || operation?.state === 'succeeded'
    if (isWritten && !(await isStale(db, accountId))) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await Promise.all(loops.map((loop) => loop.stop()))
  await expectWritten({ db, accountId, operationId })
}

async function expectWritten({
  db,
  accountId,
  operationId,
}: {
  db: Environment['runtime']['db']
  accountId: number
  operationId: number
}): Promise<void> {
  const operation = await operationGet(db, accountId, operationId)
  if (operation?.changed !== PRODUCTS) throw new Error(`of ${PRODUCTS} rows ${operation?.changed} changed something`)
}

/** Synchronous calls of a thousand rows, measured until the rows are written, and until their products can be read. */
async function now(
  { runtime: { db, shelf } }: Environment,
  accountId: number,
  rows: () => StockRow[],
  report: Report,
): Promise<void> {
  const size = LIMITS.bulkRowsAtOnceMax
  const calls = Math.min(CALLS, Math.floor(PRODUCTS / size))
  const options = { atomic: false, isDryRun: false }
  const parts = (given: readonly StockRow[]) =>
    Array.from({ length: calls }, (_, i) => given.slice(i * size, (i + 1) * size))
  const written: number[] = []
  for (const part of parts(rows()))
    written.push(await timed(() => inTransaction(db, (tx) => bulkNow(tx, accountId, 'bulk_stock', part, options))))
  await shelf.drain(accountId)
  const shelved: number[] = []
  for (const part of parts(rows())) {
    shelved.push(
      await timed(async () => {
        await inTransaction(db, (tx) => bulkNow(tx, accountId, 'bulk_stock', part, options))
        await shelf.drain(accountId, undefined, { upTo: await stalePosition(db, accountId) })
      }),
    )
  }
  const text = (seconds: readonly number[]) =>
    `${Math.round(size / median(seconds))} rows/s, ${(median(seconds) * 1_000).toFixed(0)} ms a call, median of ${calls}`
  report.figure(`calls of ${size} stock rows, one after the other: written`, text(written))
  report.figure(
    `calls of ${size} stock rows, one after the other: written, payloads and feed up to date`,
    text(shelved),
  )
}
