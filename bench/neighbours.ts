import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createToken } from '../src/accounts/create-token.ts'
import { editRule } from '../src/catalog/settings/rules/pricing-rules.ts'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { isStale } from '../src/catalog/stale/stale.sql.ts'
import { inTransaction } from '../src/db/sql.ts'
import { maintain, openEnvironment, startService, type RunningService } from './environment.ts'
import { createFilledAccount, fillProducts } from './fill.ts'
import { load, median, start, type Load } from './processes.ts'
import type { Report } from './report.ts'

// Latency of reads while a rule changes every payload of a catalog. The payloads are shelved by the process that answers the reads, by the
// shelving process that it starts, or by a process of the work role. In turns, each compared with the same reads while nothing is shelved. The
// floor is what the same reads take beside processes that only compute: a process that shelves keeps a core busy, and so does its database session.

const PRODUCTS = Number(process.env['BENCH_PRODUCTS'] ?? 100_000)
const STORES = 3
const TURNS = 3
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 8)
/** Pause of a reader between two requests. */
const REST_MS = 5
const READERS = 2
/** Arrangements with this word in their names are measured; `floor` measures only the floor. By default everything. */
const WANTED = process.env['BENCH_NEIGHBOURS'] ?? ''

interface Arrangement {
  name: string
  start: (environment: Awaited<ReturnType<typeof openEnvironment>>) => Promise<RunningService[]>
}

const ARRANGEMENTS: readonly Arrangement[] = [
  {
    name: 'by the process that answers',
    start: async (environment) => [await startService(environment, false, { SHELVING_PROCESS: 'off' })],
  },
  { name: 'by a process of its own while that lasts', start: async (environment) => [await startService(environment)] },
  {
    name: 'by a process that only works, at the same priority',
    start: async (environment) => [
      await startService(environment, false, {}, 'api'),
      await startService(environment, false, {}, 'work'),
    ],
  },
]

/** The benchmark of readers beside a change of everything; takes six minutes. */
export async function neighbours(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const { db, shelf, wake } = environment.runtime
  const account = await createFilledAccount(db, 'neighbours', STORES)
  const { accountId, defaultRuleId, storeIds } = account
  await fillProducts(db, account, PRODUCTS)
  await inTransaction(db, (tx) => sweepAppend(tx, accountId, 'filled'))
  await shelf.drain(accountId)
  await maintain(environment, ['vacuum analyze', 'checkpoint'])
  const { token } = await inTransaction(db, (tx) => createToken(tx, { accountId, access: 'connector' }))
  const sample = await db<{ id: number }[]>`
    select product_id as id from payload_price where account_id = ${accountId} and store_id = ${storeIds[0] ?? 0} order by hashint8(product_id) limit 50000`
  const paths = join(environment.directory, 'neighbours.paths')
  await writeFile(paths, sample.map((row) => `/v1/products/${row.id}`).join('\n'))

  const measured = new Map<string, { quiet: number[]; beside: number[]; p50: number[]; perSecond: number[] }>()
  let percent = 20
  const arrangements = ARRANGEMENTS.filter(({ name }) => name.includes(WANTED))
  for (let turn = 0; turn < TURNS; turn++)
    for (const { name, start } of turn % 2 === 0 ? arrangements : arrangements.toReversed()) {
      const services = await start(environment)
      const [api] = services
      if (api === undefined) throw new Error('somebody answers')
      const read = () => load(api.url, token, READERS, SECONDS, [`@${paths}`], REST_MS)
      await read()
      const quiet = await read()
      const from = performance.now()
      await inTransaction(db, (tx) => editRule(tx, accountId, defaultRuleId, { percent: String(percent++) }))
      wake.notify('mark', accountId)
      const meanwhile = await read()
      const isOver = !(await isStale(db, accountId))
      while (await isStale(db, accountId)) await new Promise((resolve) => setTimeout(resolve, 100))
      const seconds = (performance.now() - from) / 1_000
      for (const service of services) await service.stop()
      const all = measured.get(name) ?? { quiet: [], beside: [], p50: [], perSecond: [] }
      measured.set(name, all)
      all.quiet.push(quiet.p99Ms)
      all.beside.push(meanwhile.p99Ms)
      all.p50.push(meanwhile.p50Ms / quiet.p50Ms)
      all.perSecond.push((PRODUCTS * STORES) / seconds)
      if (isOver) process.stderr.write('everything had changed before the reads ended: take more products\n')
    }
  for (const [name, { quiet, beside, p50, perSecond }] of measured) {
    const ratio = median(beside) / median(quiet)
    report.goal(
      `reads while a rule changes everything, ${name}`,
      `p99 ${ratio.toFixed(2)}x (${beside.join('; ')} against ${quiet.join('; ')} ms), p50 ${median(p50).toFixed(2)}x; ${perSecond.map(Math.round).join('; ')} payloads/s`,
      'at most 2x',
      ratio <= 2,
    )
  }
  for (const processes of WANTED === '' || WANTED === 'floor' ? [1, 2] : []) {
    const floor = await besideBusyProcesses(environment, token, `@${paths}`, processes)
    report.figure(`the floor: the same reads beside processes that only compute: ${processes}`, floor)
  }
  report.print(environment.server)
}

/** Latency of the reads while other processes do nothing but compute, compared with that of the same reads without them. */
async function besideBusyProcesses(
  environment: Awaited<ReturnType<typeof openEnvironment>>,
  token: string,
  paths: string,
  processes: number,
): Promise<string> {
  const service = await startService(environment, false, {}, 'api')
  const read = () => load(service.url, token, READERS, SECONDS, [paths], REST_MS)
  await read()
  const [quiet, beside]: [Load[], Load[]] = [[], []]
  for (let turn = 0; turn < TURNS; turn++) {
    quiet.push(await read())
    const busy = Array.from({ length: processes }, () => start(['-e', 'for (;;);'], {}))
    beside.push(await read())
    for (const child of busy) child.kill('SIGKILL')
  }
  await service.stop()
  const ratio = (of: (one: Load) => number) => (median(beside.map(of)) / median(quiet.map(of))).toFixed(2)
  return `p99 ${ratio((one) => one.p99Ms)}x (${beside.map((one) => one.p99Ms).join('; ')} against ${quiet.map((one) => one.p99Ms).join('; ')} ms), p50 ${ratio((one) => one.p50Ms)}x`
}
