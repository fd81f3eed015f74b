import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openPrinter } from '../src/commands/console/print.ts'
import { runImport, type ImportReport } from '../src/imports/run.ts'
import { readMappingDocument } from '../src/supplier-files/mapping-document.ts'
import { readOfferPages } from '../src/supplier-files/read-offers.ts'
import { openEnvironment, OUTBOUND, type Environment } from './environment.ts'
import { FEEDS, writeFeed, type FeedFormat } from './feed-files.ts'
import { createFilledAccount } from './fill.ts'
import { firstLine, median, start } from './processes.ts'
import type { Report } from './report.ts'

// A supplier's file in every format, compared with the library that parses the format and does nothing else. Processor seconds are
// compared, because other work on the machine does not change them. BENCH_ROWS sets another size, BENCH_FEEDS selects formats.

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const FORMATS = (process.env['BENCH_FEEDS'] ?? Object.keys(FEEDS).join(',')).split(',') as FeedFormat[]
/** Factor by which the file is larger with which memory is compared. */
const LARGER = 10
const MEMORY_GOAL_MB = 300
const CHANGED_EVERY = 100

type Filled = Awaited<ReturnType<typeof createFilledAccount>>

interface Measured {
  rows: number
  /** Processor seconds. */
  seconds: number
  wallSeconds: number
  peakMb: number
}

/** The benchmark of reading and importing supplier files. */
export async function feeds(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  for (const format of FORMATS) {
    const small = join(environment.directory, `small.${format}`)
    await writeFeed(format, small, ROWS)
    await compare(environment, format, small, report)
    await compareMemory(environment, format, small, report)
    await rm(small)
  }
  report.print(environment.server)
}

async function compare(environment: Environment, format: FeedFormat, file: string, report: Report): Promise<void> {
  const times: Record<'bare' | 'ours' | 'unchanged', number[]> = { bare: [], ours: [], unchanged: [] }
  const account = await createFilledAccount(environment.runtime.db, format, 1)
  const walls: number[] = []
  const first = await timed(() => importFeed(environment, account, format, file))
  for (let round = 0; round < ROUNDS; round++) {
    times.bare.push((await read('bare', format, file)).seconds)
    times.ours.push((await read('ours', format, file)).seconds)
    const unchanged = await importUnchanged(environment, account, format, file)
    times.unchanged.push(unchanged.seconds)
    walls.push(unchanged.wallSeconds)
  }
  const perSecond = (kind: keyof typeof times) => ROWS / median(times[kind])
  const text = (kind: 'ours' | 'unchanged') =>
    `${(perSecond(kind) / perSecond('bare')).toFixed(2)}x: ${Math.round(perSecond(kind))} against ${Math.round(perSecond('bare'))} rows per processor second`
  const { size } = await stat(file)
  const what = `${format}, ${ROWS.toLocaleString('en')} rows (${(size / 1e6).toFixed(0)} MB)`
  report.figure(`${what}, read and mapped, against its parser alone`, text('ours'))
  report.goal(
    `${what}, imported unchanged, against its parser alone`,
    `${text('unchanged')}; ${perRow(median(walls))} with the database`,
    'at least 0.5x',
    perSecond('unchanged') / perSecond('bare') >= 0.5,
  )
  await writeFeed(format, file, ROWS, (n) => n % CHANGED_EVERY === 0)
  const changed = await timed(() => importFeed(environment, account, format, file))
  report.figure(
    `${what}, end to end`,
    `first import ${perRow(first.seconds)}, with 1 % of the costs changed ${perRow(changed.seconds)} (${changed.value.changed} offers)`,
  )
}

const perRow = (seconds: number) => `${seconds.toFixed(1)} s (${Math.round(ROWS / seconds)} rows/s)`

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; seconds: number }> {
  const from = performance.now()
  const value = await work()
  return { value, seconds: (performance.now() - from) / 1_000 }
}

/** Imports a file and waits until its products can be read. */
async function importFeed(
  { runtime: { db, wake, shelf } }: Environment,
  { accountId, suppliers: [supplier] }: Filled,
  format: FeedFormat,
  file: string,
): Promise<ImportReport> {
  using progress = openPrinter(false).progress(`Importing ${format}`)
  const result = await runImport(
    db,
    wake,
    { accountId, supplier, mode: 'full' },
    readOfferPages(createReadStream(file, { highWaterMark: 1_048_576 }), readMappingDocument(FEEDS[format].mapping)),
    ({ phase, done, total }) => progress.update(done, total ?? ROWS, phase),
  )
  if (result.refusedTotal > 0) throw new Error(JSON.stringify(result.refused[0]))
  await shelf.drain(accountId)
  return result
}

async function importUnchanged(
  { databaseUrl }: Environment,
  { accountId, suppliers: [{ supplierId }] }: Filled,
  format: FeedFormat,
  file: string,
): Promise<Measured> {
  const args = ['bench/feed-reader.ts', 'import', format, file, String(accountId), String(supplierId)]
  const child = start(args, { DATABASE_URL: databaseUrl, ...OUTBOUND })
  return JSON.parse(await firstLine(child, () => true)) as Measured
}

/** Reads a file in a process of its own. */
async function read(how: 'bare' | 'ours', format: FeedFormat, file: string): Promise<Measured> {
  const child = start(['bench/feed-reader.ts', how, format, file], {})
  return JSON.parse(await firstLine(child, () => true)) as Measured
}

async function compareMemory(
  environment: Environment,
  format: FeedFormat,
  small: string,
  report: Report,
): Promise<void> {
  const large = join(environment.directory, `large.${format}`)
  await writeFeed(format, large, ROWS * LARGER)
  const [few, many] = [await read('ours', format, small), await read('ours', format, large)]
  await rm(large)
  report.goal(
    `${format}, peak of memory while ${(ROWS * LARGER).toLocaleString('en')} rows are read`,
    `${many.peakMb} MB, ${few.peakMb} MB for ${ROWS.toLocaleString('en')} rows`,
    `${MEMORY_GOAL_MB} MB`,
    many.peakMb <= MEMORY_GOAL_MB,
  )
}
