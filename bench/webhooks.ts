import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { staleAccounts } from '../src/catalog/stale/stale.sql.ts'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { setOwnStock } from '../src/catalog/products/products.ts'
import { openPrinter } from '../src/commands/console/print.ts'
import { inTransaction } from '../src/db/sql.ts'
import { deliveryPath } from './delivery-path.ts'
import { createFilledAccount, fillProducts, type FilledAccount } from './fill.ts'
import { maintain, openEnvironment, startService, type Environment } from './environment.ts'
import { firstLine, start } from './processes.ts'
import type { Report } from './report.ts'
import { statementTimes } from './statements.ts'

// Webhook deliveries: the latency from commit to receipt, also with one dead and one slow endpoint among a hundred; the
// throughput over a hundred endpoints compared with a plain POST loop to the same receiver; and a backlog of a million
// products. The receiver is this process, the service another one. BENCH_PRODUCTS sets a smaller backlog;
// BENCH_WEBHOOKS=latency,throughput,backlog selects parts.

const BACKLOG = Number(process.env['BENCH_PRODUCTS'] ?? 1_000_000)
const ACCOUNTS = 5
const PER_ACCOUNT = 20
const PRODUCTS = 20_000
const WRITES = 300
/** Pause between two writes to an account, longer than the pace of its deliveries. */
const REST_MS = 300
const POSTS_SECONDS = 5
const DELIVER_SECONDS = 10
/** Products per delivery in the throughput measurement. */
const PER_DELIVERY = 10
const UNPACED = { WEBHOOKS_PER_SECOND: '1000000' }
const ROUNDS = 3
/** Delay of a receiver that is slow but answers in time. */
const SLOW_MS = 14_000

interface Receiver {
  url: string
  /** Deliveries by path. */
  counts: Map<string, number>
  ids: number
  bytes: number
  /** Resolves with performance.now() at the next delivery to a path. */
  next(path: string): Promise<number>
}

async function openReceiver(): Promise<Receiver> {
  const waiting = new Map<string, (at: number) => void>()
  const receiver: Receiver = {
    url: '',
    counts: new Map(),
    ids: 0,
    bytes: 0,
    next: (path) => new Promise((resolve) => waiting.set(path, resolve)),
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const at = performance.now()
      const path = request.url ?? ''
      const body = Buffer.concat(parts)
      receiver.counts.set(path, (receiver.counts.get(path) ?? 0) + 1)
      receiver.bytes += body.length
      // counting ids by their commas costs about as much as a receiver's own work
      for (const byte of body) if (byte === COMMA) receiver.ids++
      waiting.get(path)?.(at)
      waiting.delete(path)
      if (path.startsWith('/slow')) setTimeout(() => response.writeHead(200).end(), SLOW_MS)
      else response.writeHead(200).end()
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receiver
}
const COMMA = ','.charCodeAt(0)

/** The benchmark of webhooks; takes ten minutes at full size, mostly for filling and shelving. */
export async function webhooks(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const receiver = await openReceiver()
  const accounts: FilledAccount[] = []
  for (let i = 0; i < ACCOUNTS; i++) accounts.push(await createFilledAccount(environment.runtime.db, `account ${i}`, 1))
  for (const account of accounts) await fillProducts(environment.runtime.db, account, PRODUCTS)
  await shelve(environment, accounts)
  const parts = (process.env['BENCH_WEBHOOKS'] ?? 'latency,throughput,backlog').split(',')
  await subscribe(environment, receiver, accounts)
  if (parts.includes('latency')) await latency(environment, receiver, accounts, report)
  if (parts.includes('throughput')) await throughput(environment, receiver, accounts, report)
  if (parts.includes('backlog')) await backlog(environment, receiver, report)
  report.print(environment.server)
}

/** Shelves the accounts with a temporary service. */
async function shelve(environment: Environment, accounts: readonly FilledAccount[]): Promise<void> {
  const { db } = environment.runtime
  await maintain(environment, ['analyze'])
  for (const { accountId } of accounts) await inTransaction(db, (tx) => sweepAppend(tx, accountId, 'filled'))
  const service = await startService(environment)
  using progress = openPrinter(false).progress('Shelving')
  for (let stale = accounts.length; stale > 0;) {
    await rest(500)
    stale = (await staleAccounts(db)).length
    progress.update(accounts.length - stale, accounts.length)
  }
  await service.stop()
  await maintain(environment, ['vacuum analyze', 'checkpoint'])
}

const rest = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function firstProduct({ runtime: { db } }: Environment, { accountId }: FilledAccount): Promise<number> {
  const [row] = await db<{ id: number }[]>`select min(product_id) as id from product where account_id = ${accountId}`
  return row?.id ?? 0
}

let quantity = 1_000

/** Makes one change; resolves with performance.now() at its commit, as seen by the writer. */
async function change(
  { runtime: { shelf } }: Environment,
  { accountId }: FilledAccount,
  productId: number,
): Promise<number> {
  await shelf.write(accountId, (tx) => setOwnStock(tx, accountId, [{ productId, quantity: ++quantity, cost: null }]))
  return performance.now()
}

/** Milliseconds from commit to receipt on each path, with one write at a time. */
async function measure(
  environment: Environment,
  receiver: Receiver,
  account: FilledAccount,
  paths: readonly string[],
  writes: number,
): Promise<number[]> {
  const productId = await firstProduct(environment, account)
  const times: number[] = []
  for (let i = 0; i < writes; i++) {
    const arrivals = paths.map((path) => receiver.next(path))
    const committed = await change(environment, account, productId)
    // the delivery may arrive before the writer learns that its commit is done
    for (const at of await Promise.all(arrivals)) times.push(Math.max(0, at - committed))
    await rest(REST_MS)
  }
  return times
}

function percentile(times: readonly number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0
}

/** Creates a hundred endpoints, twenty per account. */
async function subscribe(
  { runtime: { endpoints } }: Environment,
  receiver: Receiver,
  accounts: readonly FilledAccount[],
): Promise<void> {
  for (const [i, account] of accounts.entries()) {
    for (let n = 0; n < PER_ACCOUNT; n++) {
      await endpoints.create(account.accountId, { url: `${receiver.url}/e${i}-${n}`, kinds: ['price'], storeId: null })
    }
  }
}

async function latency(
  environment: Environment,
  receiver: Receiver,
  accounts: readonly FilledAccount[],
  report: Report,
): Promise<void> {
  const { endpoints } = environment.runtime
  const [first] = accounts
  if (first === undefined) throw new Error('there is an account')
  const service = await startService(environment)
  await rest(4_000)
  // the account's nineteen other endpoints get deliveries as well
  const times = await measure(environment, receiver, first, ['/e0-0'], WRITES)
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  report.goal(
    'commit to receipt on an idle endpoint, p50',
    `${p50.toFixed(1)} ms of ${WRITES}`,
    'at most 20 ms',
    p50 <= 20,
  )
  report.goal('commit to receipt on an idle endpoint, p99', `${p99.toFixed(1)} ms`, 'at most 100 ms', p99 <= 100)
  await deliveryPath(environment, receiver.url, REST_MS, report)

  // the same with one dead endpoint, and one that takes 14 seconds to answer
  const healthyPaths = (i: number) =>
    Array.from({ length: PER_ACCOUNT }, (_, n) => `/e${i}-${n}`).slice(0, i === ACCOUNTS - 1 ? -2 : undefined)
  const all = async () =>
    (
      await Promise.all(accounts.map((account, i) => measure(environment, receiver, account, healthyPaths(i), 20)))
    ).flat()
  const last = accounts.at(-1)
  const rows = await environment.runtime.db<{ endpoint_id: number; url: string }[]>`
    select endpoint_id, url from endpoint where account_id = ${last?.accountId ?? 0} order by endpoint_id desc limit 2`
  const [dead, slow] = rows
  // alternating, because the machine's speed varies
  const healthy: number[] = []
  const disturbed: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const row of rows) await endpoints.edit(last?.accountId ?? 0, row.endpoint_id, { url: row.url })
    await rest(SLOW_MS + 1_000)
    healthy.push(...(await all()))
    await endpoints.edit(last?.accountId ?? 0, dead?.endpoint_id ?? 0, { url: 'http://127.0.0.1:1024/dead' })
    await endpoints.edit(last?.accountId ?? 0, slow?.endpoint_id ?? 0, { url: `${receiver.url}/slow` })
    await rest(1_000)
    disturbed.push(...(await all()))
  }
  const [before, after] = [percentile(healthy, 0.95), percentile(disturbed, 0.95)]
  const ratio = after / before
  report.goal(
    '98 endpoints beside a dead and a 14-second one, p95 commit to receipt against all sound, alternating',
    `${ratio.toFixed(2)}x: ${after.toFixed(1)} against ${before.toFixed(1)} ms, of ${healthy.length} and ${disturbed.length}`,
    'unchanged (1.2x)',
    ratio <= 1.2,
  )
  await service.stop()
  await environment.runtime.db`delete from endpoint where url like '%/dead' or url like '%/slow'`
}

async function throughput(
  environment: Environment,
  receiver: Receiver,
  accounts: readonly FilledAccount[],
  report: Report,
): Promise<void> {
  const { db } = environment.runtime
  const ids = Array.from({ length: PER_DELIVERY }, (_, i) => 100_000 + i)
  const file = join(environment.directory, 'body.json')
  await writeFile(
    file,
    JSON.stringify({ event: 'price', store_id: 1, product_ids: ids, occurred_at: '2026-11-20T10:00:00+00:00' }),
  )
  const bare = async () => {
    const child = start(['bench/posts.ts', `${receiver.url}/bare`, '100', String(POSTS_SECONDS), file], {})
    return (JSON.parse(await firstLine(child, (line) => line.startsWith('{'))) as { perSecond: number }).perSecond
  }
  const before = await bare()
  // rewinds all endpoints, with a batch limit that stays small
  for (const { accountId } of accounts) {
    await db`update endpoint_state set position = 0, starts = '{"price": {"0": 0}}', batch_limit = ${PER_DELIVERY}, accepted = -1000000, due_at = now() where account_id = ${accountId}`
  }
  receiver.counts.clear()
  const [expected] = await db<{ endpoints: number }[]>`select count(*)::int as endpoints from endpoint`
  const writeStatements = await statementTimes(db)
  const service = await startService(environment, true, UNPACED)
  const received = () => [...receiver.counts.values()].reduce((sum, count) => sum + count, 0)
  while (received() < 1_000) await rest(20)
  const [from, at] = [performance.now(), received()]
  await rest(DELIVER_SECONDS * 1_000)
  const perSecond = (received() - at) / ((performance.now() - from) / 1_000)
  await service.stop()
  await writeStatements()
  const after = await bare()
  const ratio = perSecond / ((before + after) / 2)
  report.goal(
    `deliveries over ${expected?.endpoints} endpoints of ${ACCOUNTS} accounts, ${PER_DELIVERY} products in each, pace off, against a bare undici loop over 100 connections`,
    `${ratio.toFixed(2)}x: ${Math.round(perSecond)}/s against ${Math.round(before)} and ${Math.round(after)}/s`,
    'at least 0.5x',
    ratio >= 0.5,
  )
  await db`delete from endpoint`
}

async function backlog(environment: Environment, receiver: Receiver, report: Report): Promise<void> {
  const { db, endpoints } = environment.runtime
  const account = await createFilledAccount(db, 'backlog', 1)
  {
    using progress = openPrinter(false).progress('Filling')
    await fillProducts(db, account, BACKLOG, (done) => progress.update(done, BACKLOG))
  }
  await shelve(environment, [account])
  const { endpointId } = await endpoints.create(account.accountId, {
    url: `${receiver.url}/backlog`,
    kinds: ['price'],
    storeId: null,
  })
  for (const [pace, env] of [
    ['at 4 deliveries a second', {}],
    ['with the pace off', UNPACED],
  ] as const) {
    await endpoints.rewind(account.accountId, endpointId, new Date(Date.now() - 86_400_000))
    receiver.counts.clear()
    receiver.bytes = 0
    const service = await startService(environment, false, env)
    while ((receiver.counts.get('/backlog') ?? 0) === 0) await rest(10)
    const [from, ids] = [performance.now(), receiver.ids]
    const seconds = 'WEBHOOKS_PER_SECOND' in env ? 600 : 20
    for (let isDone = false; !isDone && performance.now() - from < seconds * 1_000;) {
      await rest(50)
      const [row] = await db<{ left: number }[]>`
        select (last_id - position)::float8 as left from endpoint_state join change_counter using (account_id) where account_id = ${account.accountId}`
      isDone = row?.left === 0
    }
    const perSecond = (receiver.ids - ids) / ((performance.now() - from) / 1_000)
    report.figure(
      `a backlog of ${BACKLOG.toLocaleString('en')} changed products to one endpoint, ${pace}`,
      `${Math.round(perSecond)} ids/s, ${receiver.counts.get('/backlog')} deliveries in ${((performance.now() - from) / 1_000).toFixed(1)} s`,
    )
    await service.stop()
  }
}
