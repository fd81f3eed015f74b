import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { ownStockQuantityUpsert } from '../src/catalog/products/stock/own-stock.sql.ts'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { inTransaction } from '../src/db/sql.ts'
import { auditAccount } from '../src/shelf/audit.ts'
import { citusBinaries } from '../test/harness/citus-cluster.ts'
import { startServers, type Servers } from './cluster.ts'
import { secondsOfProcess, secondsOfServer } from './cpu.ts'
import { maintain, startService, type Environment, type RunningService } from './environment.ts'
import { load, median } from './processes.ts'
import type { Report } from './report.ts'
import { fillShelved, nextValue, send, writeStocks, type Owner } from './writers.ts'

// The cost of distribution: the same service on one plain server and on a Citus cluster, with the same binaries and settings,
// in turns on one machine; then the processor time of operations on the plain server and on 1, 2 and 4 workers. BENCH_PRODUCTS sets
// the size of the large account and BENCH_SECONDS the length of each turn; BENCH_CITUS=bulk,single runs only measurements that have
// one of these words in their names.

const PRODUCTS = Number(process.env['BENCH_PRODUCTS'] ?? 10_000)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
/** A measurement runs if its name contains one of these words. The default, an empty word, matches all. */
const WANTED = (process.env['BENCH_CITUS'] ?? '').split(',')
const ROUNDS = 3
const WRITERS = 8
/** More than writers, and enough that all shards have some. */
const SMALL_ACCOUNTS = 16
const SMALL_PRODUCTS = 200
const ROWS_PER_CALL = 1_000
const POLLS = 12
/** After this time a poll has found nothing and is waiting. */
const POLL_STANDS_MS = 60

/** A filled database and the services on it. */
interface Side {
  environment: Environment
  services: [RunningService, ...RunningService[]]
  large: Owner
  small: Owner[]
}

/** The benchmark of distribution; takes a quarter of an hour. */
export async function citus(report: Report): Promise<void> {
  if (citusBinaries() === null) {
    console.log('skipped: Citus is not built here; npm run test:citus builds it where it can (docs/scaling.md)')
    return
  }
  await using servers = await startServers()
  await overheads(servers, report)
  await growth(servers, report)
  report.print('PostgreSQL 15.18, plain and with Citus 13.2')
}

async function overheads(servers: Servers, report: Report): Promise<void> {
  const plain = await openSide(await servers.plain(), 2)
  const cluster = await openSide(await servers.citus(2), 2)
  const coordinator = await startService(cluster.environment, false, { DATABASE_NODE_CONNECTIONS_MAX: '0' })
  const page = (side: Side) =>
    clientLoad(side, 1, ['/v1/products?per_page=200&page=3', '/v1/products?per_page=200&page=7'])
  const kinds: Kind[] = [
    {
      what: `bulk of offers with shelving, calls of ${ROWS_PER_CALL} rows: rows a second`,
      measure: (side) => bulkOffers(side, [side.large]),
      unit: 'rows/s',
      goal: { ratio: 0.9, isThroughput: true },
    },
    {
      what: `small writes of ${WRITERS} writers over ${SMALL_ACCOUNTS} accounts: writes a second, shelved`,
      measure: smallWrites,
      unit: '/s',
      goal: { ratio: 0.6, isThroughput: true },
    },
    {
      what: 'single read, one client: p50',
      isRead: true,
      measure: async (side) => (await clientLoad(side, 1, singles(side))).p50Ms,
      unit: 'ms',
      goal: { ratio: 1.3, isThroughput: false },
    },
    {
      what: 'single reads of 64 connections: reads a second',
      isRead: true,
      measure: async (side) => (await clientLoad(side, 64, singles(side))).perSecond,
      unit: '/s',
    },
    {
      what: 'page of 200, one client: p50',
      isRead: true,
      measure: async (side) => (await page(side)).p50Ms,
      unit: 'ms',
    },
    {
      what: 'feed page of 500 from the beginning, one client: p50',
      isRead: true,
      measure: async (side) => (await clientLoad(side, 1, ['/v1/changes'])).p50Ms,
      unit: 'ms',
    },
    {
      what: 'feed at the head, one client: p50',
      isRead: true,
      measure: async (side) => (await clientLoad(side, 1, [await headOf(side.services[0], side.large)])).p50Ms,
      unit: 'ms',
    },
    { what: 'write until a long poll on another process answers: p50', measure: writeToPoll, unit: 'ms' },
  ]
  for (const kind of kinds) {
    await compare(kind, ['plain', plain], ['Citus', cluster], report)
    if (kind.isRead !== true) continue
    const { what, measure, unit } = kind
    const far: [string, Side] = ['coordinator', { ...cluster, services: [coordinator] }]
    await compare({ what: `${what}, all through the coordinator`, measure, unit }, ['plain', plain], far, report)
  }
  await coordinator.stop()
  for (const side of [plain, cluster]) await closeSide(side)
}

/** Work whose processor time is measured. */
interface Work {
  what: string
  /** @returns the number of its operations */
  work: (side: Side) => Promise<number>
  /** Processor seconds so far of what asks the database: the service if left out. */
  clientSeconds?: () => Promise<number>
}

const WORKS: readonly Work[] = [
  {
    what: `processor time of a small write, ${WRITERS} writers over ${SMALL_ACCOUNTS} accounts`,
    work: async (side) => (await smallWrites(side)) * SECONDS,
  },
  {
    // what no write can do without, to compare the writes with
    what: `processor time of a transaction that sets own stock of one product, ${WRITERS} connections`,
    work: (side) => stockTransactions(side, 1),
    clientSeconds: ownSeconds,
  },
  {
    what: `processor time of a transaction of ten such statements, ${WRITERS} connections`,
    work: (side) => stockTransactions(side, 10),
    clientSeconds: ownSeconds,
  },
  {
    what: 'processor time of a row of a bulk, 4 accounts at once',
    work: async (side) => {
      await bulkOffers(side, side.small.slice(0, 4))
      return 4 * SMALL_PRODUCTS
    },
  },
  {
    what: 'processor time of a single read, 16 connections',
    work: async (side) => (await clientLoad(side, 16, singles(side))).perSecond * SECONDS,
  },
]

/**
 * The same work on the plain server and on the cluster with 1, 2 and 4 workers. On a machine with few cores, more servers cannot do more in
 * a second, so the processor time of an operation is compared, apart for service, coordinator and all workers together. What all of them take
 * while nothing is done, such as the daemons of Citus, is measured before each turn and subtracted.
 */
async function growth(servers: Servers, report: Report): Promise<void> {
  const wanted = WORKS.filter(isWanted)
  if (wanted.length === 0) return
  const sides: [string, Side][] = [['plain', await openSide(await servers.plain(), 1, SMALL_PRODUCTS)]]
  for (const workers of [1, 2, 4] as const)
    sides.push([
      `${workers} worker${workers === 1 ? '' : 's'}`,
      await openSide(await servers.citus(workers), 1, SMALL_PRODUCTS),
    ])
  for (const work of wanted) {
    const used = sides.map(() => [] as Parts[])
    for (let round = -1; round < ROUNDS; round++)
      for (const [i, [, side]] of round % 2 === 0 ? [...sides.entries()] : [...sides.entries()].toReversed()) {
        const each = await microsecondsOfEach(servers, side, work)
        // the first turn warms up and is not counted
        if (round >= 0) used[i]?.push(each)
      }
    const totals = used.map((all) => median(all.map(({ client, coordinator, nodes }) => client + coordinator + nodes)))
    for (const [i, [name]] of sides.entries()) {
      const of = (part: keyof Parts) => Math.round(median(used[i]?.map((each) => each[part]) ?? []))
      const [total = 0, plain = 0] = [totals[i], totals[0]]
      report.figure(
        `${work.what}: ${name}`,
        `${(total / plain).toFixed(2)}x (${Math.round(total)} µs: client ${of('client')}, ${i === 0 ? `server ${of('nodes')}` : `coordinator ${of('coordinator')}, workers ${of('nodes')}`})`,
      )
    }
  }
  for (const [, side] of sides) await closeSide(side)
}

/** Processor time by where it is used. `client` is what asks the database; on the plain server, `nodes` is that server. */
interface Parts {
  client: number
  coordinator: number
  nodes: number
}

/** Processor time of one operation in µs, without what is used while nothing is done. */
async function microsecondsOfEach({ directories }: Servers, side: Side, { work, clientSeconds }: Work): Promise<Parts> {
  const now = async (): Promise<Parts> => ({
    client: await (clientSeconds ?? (() => secondsOfProcess(side.services[0].pid)))(),
    coordinator: await secondsOfServer(directories.coordinator),
    nodes: await sumOf([directories.plain, ...directories.workers].map(secondsOfServer)),
  })
  const idleMs = SECONDS * 1_000
  const [quiet, quietFrom] = [await now(), performance.now()]
  await sleep(idleMs)
  const [before, from] = [await now(), performance.now()]
  const operations = await work(side)
  const [after, end] = [await now(), performance.now()]
  const share = (end - from) / (from - quietFrom)
  const each = (part: keyof Parts) =>
    ((after[part] - before[part] - (before[part] - quiet[part]) * share) / operations) * 1e6
  return { client: each('client'), coordinator: each('coordinator'), nodes: each('nodes') }
}

/** Processor seconds of this process so far, without its children. */
async function ownSeconds(): Promise<number> {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Sets own stock of single products for SECONDS, without payloads. @returns the number of transactions */
async function stockTransactions({ environment, small }: Side, statements: number): Promise<number> {
  const { db } = environment.runtime
  const end = performance.now() + SECONDS * 1_000
  let done = 0
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let i = writer; performance.now() < end; i += WRITERS) {
        const { accountId, productIds } = small[i % small.length] ?? { accountId: 0, productIds: [] }
        await inTransaction(db, async (tx) => {
          for (let at = 0; at < statements; at++) {
            const productId = productIds[(i * 31 + at) % productIds.length] ?? 0
            await ownStockQuantityUpsert(tx, accountId, [{ productId, quantity: nextValue() }])
          }
        })
        done++
      }
    }),
  )
  return done
}

const sumOf = async (seconds: readonly Promise<number>[]) =>
  (await Promise.all(seconds)).reduce((sum, one) => sum + one, 0)

interface Kind {
  what: string
  measure: (side: Side) => Promise<number>
  unit: string
  /**
   * Whether the service reads it directly from the node that has the account. It is then measured through the
   * coordinator as well.
   */
  isRead?: boolean
  goal?: { ratio: number; isThroughput: boolean }
}

const isWanted = ({ what }: Pick<Kind, 'what'>) => WANTED.some((word) => what.includes(word))

/** Measures both sides in turns and reports the median of the ratios. */
async function compare(
  { what, measure, unit, goal }: Kind,
  [nameA, a]: [string, Side],
  [nameB, b]: [string, Side],
  report: Report,
): Promise<void> {
  if (!isWanted({ what })) return
  const [first, second, ratios]: [number[], number[], number[]] = [[], [], []]
  for (let round = -1; round < ROUNDS; round++) {
    const [one, other] = [await measure(a), await measure(b)]
    // the first turn warms up both sides and is not counted
    if (round < 0) continue
    first.push(one)
    second.push(other)
    ratios.push(other / one)
  }
  const digits = unit === 'ms' ? 2 : 0
  const text = `${median(ratios).toFixed(2)}x (${nameB} ${median(second).toFixed(digits)}, ${nameA} ${median(first).toFixed(digits)} ${unit})`
  if (goal === undefined) report.figure(what, text)
  else
    report.goal(
      what,
      text,
      `${goal.isThroughput ? 'at least' : 'at most'} ${goal.ratio}x`,
      goal.isThroughput ? median(ratios) >= goal.ratio : median(ratios) <= goal.ratio,
    )
}

async function openSide(environment: Environment, processes: 1 | 2, largeProducts = PRODUCTS): Promise<Side> {
  const large = await fillShelved(environment, 'large', 1, largeProducts)
  const small: Owner[] = []
  for (let i = 0; i < SMALL_ACCOUNTS; i++) small.push(await fillShelved(environment, `small ${i}`, 1, SMALL_PRODUCTS))
  await maintain(environment, ['vacuum analyze', 'checkpoint'])
  const [first, ...others] = await Promise.all(Array.from({ length: processes }, () => startService(environment)))
  if (first === undefined) throw new Error('unreachable')
  return { environment, services: [first, ...others], large, small }
}

/** Closes a side after an audit of its payloads, because figures of wrong payloads would be worthless. */
async function closeSide({ environment, services, large, small }: Side): Promise<void> {
  for (const service of services) await service.stop()
  const { db, shelf } = environment.runtime
  for (const { accountId } of [large, ...small]) {
    // stockTransactions sets stock without payloads
    await inTransaction(db, (tx) => sweepAppend(tx, accountId, 'filled'))
    await shelf.drain(accountId)
    const audit = await auditAccount(db, accountId)
    if (audit.differencesTotal > 0)
      throw new Error(`the audit of ${accountId} finds ${audit.differencesTotal} differences`)
  }
  await environment[Symbol.asyncDispose]()
}

const singles = ({ large }: Side) =>
  Array.from({ length: 500 }, (_, i) => `/v1/products/${large.productIds[(i * 7_919) % large.productIds.length] ?? 0}`)

async function clientLoad({ services: [service], large }: Side, connections: number, paths: readonly string[]) {
  const result = await load(service.url, large.token, connections, SECONDS, paths)
  if (result.failures > 0) throw new Error(`${result.failures} of ${paths[0]} failed`)
  return result
}

/** Sets new costs for all offers of these accounts, with one call at a time per account. @returns rows per second */
async function bulkOffers({ services: [service] }: Side, owners: readonly Owner[]): Promise<number> {
  const from = performance.now()
  const counts = await Promise.all(
    owners.map(async ({ token, productIds }) => {
      const pool = new Pool(service.url, { connections: 1 })
      const value = nextValue()
      for (let at = 0; at < productIds.length; at += ROWS_PER_CALL) {
        const rows = productIds.slice(at, at + ROWS_PER_CALL).map((_, i) => ({
          supplier: 'north',
          sku: `N-${String(at + i + 1).padStart(9, '0')}`,
          cost: `${value % 97}.${10 + (i % 90)}`,
          quantity: value % 91,
        }))
        const text = await send(pool, 'POST', '/v1/account/bulk/offers', token, { rows })
        if (text.includes('"status":"failed"')) throw new Error(`a row was refused: ${text.slice(0, 300)}`)
      }
      await pool.close()
      return productIds.length
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - from) / 1_000)
}

const smallWrites = ({ services: [service], small }: Side) => writeStocks([service.url], small, WRITERS, SECONDS)

/** The path that continues the feed from its end. */
async function headOf(service: RunningService, { token }: Owner): Promise<string> {
  const get = async (path: string) => {
    const answer = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    return (await answer.json()) as { next_since: string; next_id: number; has_more: boolean }
  }
  for (let path = '/v1/changes?limit=1000'; ;) {
    const next = await get(path)
    path = `/v1/changes?limit=1000&since=${encodeURIComponent(next.next_since)}&since_id=${next.next_id}`
    if (!next.has_more) return path
  }
}

/**
 * Writes through one process and polls another one. @returns the median milliseconds from before the write to the poll's
 * answer
 */
async function writeToPoll({ services: [writing, polling = writing], small }: Side): Promise<number> {
  const pool = new Pool(writing.url, { connections: 1 })
  const times: number[] = []
  for (let i = 0; i < POLLS; i++) {
    const owner = small[i % small.length]
    if (owner === undefined) throw new Error('unreachable')
    const { token, productIds } = owner
    const path = await headOf(polling, owner)
    const poll = fetch(`${polling.url}${path}&wait=25`, { headers: { authorization: `Bearer ${token}` } }).then(
      async (answer) => ({ text: await answer.text(), at: performance.now() }),
    )
    await sleep(POLL_STANDS_MS)
    const from = performance.now()
    const id = productIds[i % productIds.length] ?? 0
    await send(pool, 'PUT', `/v1/account/products/${id}/stock`, token, { quantity: nextValue() })
    const { text, at } = await poll
    if (!text.includes(`"product_id":${id}`))
      throw new Error(`the poll answered without the product: ${text.slice(0, 200)}`)
    times.push(at - from)
  }
  await pool.close()
  return median(times)
}
