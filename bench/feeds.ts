import { createReadStream, openAsBlob } from 'node:fs'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openPrinter } from '../src/commands/console/print.ts'
import { readerNodeArgs } from '../src/file-readers/reader.ts'
import { runImport, type ImportReport } from '../src/imports/run.ts'
import { LIMITS } from '../src/platform/limits.ts'
import { readMappingDocument } from '../src/supplier-files/mapping-document.ts'
import { readOfferPages } from '../src/supplier-files/read-offers.ts'
import { processesBelow } from './cpu.ts'
import { openEnvironment, OUTBOUND, type Environment } from './environment.ts'
import { FEEDS, writeFeed, type FeedFormat } from './feed-files.ts'
import { createFilledAccount } from './fill.ts'
import { firstLine, median, memoryOf, start } from './processes.ts'
import type { Report } from './report.ts'
import { openAccount, startService, stopService } from './tree-turn.ts'

// A supplier's file in every format, compared with the library that parses the format and does nothing else. Processor seconds are
// compared, because other work on the machine does not change them. BENCH_ROWS sets another size, BENCH_FEEDS selects formats, and with
// BENCH_ROUNDS=0 only memory is measured.

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const FORMATS = (process.env['BENCH_FEEDS'] ?? Object.keys(FEEDS).join(',')).split(',') as FeedFormat[]
/** Files with which memory is compared. */
const MEMORY_ROWS = [ROWS, ROWS * 10] as const
/** Those of a process that reads files, for the parsers alone, too. */
const FLAGS = readerNodeArgs(LIMITS.fileReaderMegabytes)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MEMORY_GOAL_MB = 300
const CHANGED_EVERY = 100

/** A run of an import, as far as it is read. */
interface Run {
  id: number
  state: string
  rows: number
  ended_at: string | null
}

type Filled = Awaited<ReturnType<typeof createFilledAccount>>

interface Measured {
  rows: number
  /** Processor seconds. */
  seconds: number
  wallSeconds: number
}

/** The benchmark of reading and importing supplier files. */
export async function feeds(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  for (const format of ROUNDS === 0 ? [] : FORMATS) {
    const small = join(environment.directory, `small.${format}`)
    await writeFeed(format, small, ROWS)
    await compare(environment, format, small, report)
    await rm(small)
  }
  await compareMemory(report)
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
  const child = start([...FLAGS, ...args], { DATABASE_URL: databaseUrl, ...OUTBOUND })
  return JSON.parse(await firstLine(child, () => true)) as Measured
}

/** Reads a file in a process of its own. */
async function read(how: 'bare' | 'ours', format: FeedFormat, file: string): Promise<Measured> {
  const child = start([...FLAGS, 'bench/feed-reader.ts', how, format, file], {})
  return JSON.parse(await firstLine(child, () => true)) as Measured
}

/**
 * The peak of memory of the process that reads the files of an installed service, for files of different sizes. Each file has a process of its own.
 */
async function compareMemory(report: Report): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-bench-'))
  // the database server may run as another user
  await chmod(directory, 0o755)
  const env = { ...process.env, ...OUTBOUND, DATA_DIR: directory, RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'error' }
  const service = await startService(ROOT, env)
  try {
    const { ask: request } = await openAccount(ROOT, env, service)
    const ask = async (method: string, path: string, body?: object) =>
      ((await request(method, `/v1/account${path}`, body)) as { data: Run }).data
    for (const format of FORMATS) {
      const peaks: number[] = []
      await ask('POST', '/suppliers', { code: format.replace('.', '-'), name: format, currency: 'EUR' })
      for (const rows of MEMORY_ROWS) {
        const file = join(directory, `memory.${format}`)
        await writeFeed(format, file, rows)
        const form = new FormData()
        form.set('mapping', JSON.stringify(FEEDS[format].mapping))
        form.set('file', await openAsBlob(file), `memory.${format}`)
        let run = await ask('POST', `/suppliers/${format.replace('.', '-')}/imports?dry_run=true`, form)
        while (run.ended_at === null) {
          await sleep(200)
          run = await ask('GET', `/imports/${run.id}`)
        }
        if (run.rows !== rows) throw new Error(`${format}: ${run.state}, ${run.rows} of ${rows} rows`)
        await rm(file)
        const [reader] = await processesBelow(service.child.pid ?? 0, 'reader')
        if (reader === undefined) throw new Error('no process has read the file')
        peaks.push((await memoryOf(reader)).peakMb)
        // it waits for other files
        process.kill(reader, 'SIGKILL')
      }
      const [few = 0, many = 0] = peaks
      report.goal(
        `${format}, peak of memory of the reading process, ${MEMORY_ROWS[1].toLocaleString('en')} rows`,
        `${many} MB, ${few} MB for ${MEMORY_ROWS[0].toLocaleString('en')} rows`,
        `${MEMORY_GOAL_MB} MB`,
        many <= MEMORY_GOAL_MB,
      )
    }
  } finally {
    await stopService(service)
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}
