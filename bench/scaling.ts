import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { createToken } from '../src/accounts/create-token.ts'
import { setOwnStock } from '../src/catalog/products/products.ts'
import { productIdsAfter } from '../src/catalog/products/products.sql.ts'
import { staleAccounts } from '../src/catalog/stale/stale.sql.ts'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { inTransaction, type Db } from '../src/db/sql.ts'
import { openAccount } from '../src/shelf/account.ts'
import { payloadsGet } from '../src/shelf/reads/payload-reads.sql.ts'
import { endpointInsert } from '../src/webhooks/endpoints/endpoints.sql.ts'
import { startsAt } from '../src/webhooks/plan/plan.ts'
import { cpuSeconds, since } from './cpu.ts'
import { maintain, openEnvironment, startService, type Environment } from './environment.ts'
import { createFilledAccount, fillProducts } from './fill.ts'
import { median, memoryOf } from './processes.ts'
import type { Report } from './report.ts'

// How costs grow with accounts, endpoints and products, for docs/scaling.md: processor time of an idle service, bytes of stored
// data, and latency of requests, at sizes that are a factor of ten apart. BENCH_SCALING=disk,products,accounts,polls selects parts;
// BENCH_PRODUCTS and BENCH_ACCOUNTS set the largest sizes.

const PRODUCTS = Number(process.env['BENCH_PRODUCTS'] ?? 100_000)
const ACCOUNTS = Number(process.env['BENCH_ACCOUNTS'] ?? 10_000)
const DISK_PRODUCTS = Math.min(PRODUCTS, 20_000)
const IDLE_SECONDS = 10
const SAMPLES = 300
const WAITING = 1_000

const PARTS: Readonly<Record<string, (report: Report) => Promise<void>>> = { disk, products, accounts, polls }

/** The benchmark of growth; takes about ten minutes. */
export async function scaling(report: Report): Promise<void> {
  const wanted = (process.env['BENCH_SCALING'] ?? Object.keys(PARTS).join(',')).split(',')
  for (const [name, run] of Object.entries(PARTS)) if (wanted.includes(name)) await run(report)
  report.print('the embedded PostgreSQL')
}

const tens = (largest: number, smallest: number): number[] =>
  smallest >= largest ? [largest] : [smallest, ...tens(largest, smallest * 10)]

const count = (value: number) => value.toLocaleString('en')

async function shelveAll({ runtime: { db, shelf } }: Environment, accountId: number): Promise<void> {
  await inTransaction(db, (tx) => sweepAppend(tx, accountId, 'filled'))
  await shelf.drain(accountId)
}

/** Rows and bytes of products in one and in three stores, after a vacuum. */
async function disk(report: Report): Promise<void> {
  for (const stores of [1, 3] as const) {
    await using environment = await openEnvironment()
    const { db } = environment.runtime
    const account = await createFilledAccount(db, 'disk', stores)
    await fillProducts(db, account, DISK_PRODUCTS)
    await shelveAll(environment, account.accountId)
    await maintain(environment, ['vacuum analyze'])
    const tables = await db<{ name: string; bytes: number; rows: number }[]>`
      select relname as name, pg_total_relation_size(oid)::float8 as bytes, greatest(reltuples, 0)::float8 as rows from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 2 desc`
    const total = tables.reduce((sum, { bytes }) => sum + bytes, 0)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const largest = tables
      .slice(0, 6)
      .map(({ name, bytes }) => `${name} ${(bytes / DISK_PRODUCTS / 1_000).toFixed(2)}`)
      .join(', ')
    report.figure(
      `disk of ${count(DISK_PRODUCTS)} products in ${stores} store${stores === 1 ? '' : 's'}`,
      `${(total / DISK_PRODUCTS / 1_000).toFixed(2)} kB and ${(rows / DISK_PRODUCTS).toFixed(1)} rows a product (kB: ${largest}); ${(((total / DISK_PRODUCTS) * 1e5) / 1e9).toFixed(2)} GB per 100,000`,
    )
  }
}

/** Point reads and small writes of one account, at sizes that are a factor of ten apart. */
async function products(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const { db, shelf } = environment.runtime
  for (const size of tens(PRODUCTS, 10_000)) {
    const account = await createFilledAccount(db, `of ${size}`, 1)
    const {
      accountId,
      storeIds: [storeId = 0],
    } = account
    await fillProducts(db, account, size)
    await shelveAll(environment, accountId)
    await maintain(environment, ['vacuum analyze', 'checkpoint'])
    const ids = await productIdsAfter(db, accountId, 0, size)
    const reads: number[] = []
    const writes: number[] = []
    for (let i = -50; i < SAMPLES; i++) {
      const productId = ids[((i + 50) * 104_729) % ids.length] ?? 0
      const from = performance.now()
      await payloadsGet(db, accountId, [{ storeId, productId }])
      const between = performance.now()
      await shelf.write(accountId, (tx) =>
        setOwnStock(tx, accountId, [{ productId, quantity: 1_000 + i + 50, cost: null }]),
      )
      if (i < 0) continue
      reads.push(between - from)
      writes.push(performance.now() - between)
    }
    report.figure(
      `one account of ${count(size)} products: point read, small write with shelving (p50)`,
      `${median(reads).toFixed(2)} ms, ${median(writes).toFixed(2)} ms`,
    )
  }
}

/** The cost of accounts and endpoints in a service with both roles and without any requests. */
async function accounts(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const { db } = environment.runtime
  const ids: number[] = []
  for (const size of tens(ACCOUNTS, 100)) {
    await openAccounts(db, ids, size)
    await maintain(environment, ['vacuum analyze'])
    await idle(environment, `${count(size)} accounts without endpoints`, report)
  }
  let endpoints = 0
  for (const size of tens(ACCOUNTS, 100)) {
    for (; endpoints < size; endpoints++) await addEndpoint(environment, ids[endpoints] ?? 0)
    await maintain(environment, ['vacuum analyze'])
    await idle(environment, `${count(ids.length)} accounts, ${count(size)} endpoints`, report)
  }
}

async function openAccounts(db: Db, ids: number[], size: number): Promise<void> {
  const store = { slug: 'main', name: 'Main', locale: 'de', currency: 'EUR' }
  const open = async () => {
    while (ids.length < size) {
      const place = ids.push(0) - 1
      const opened = await inTransaction(db, (tx) =>
        openAccount(tx, { name: `idle ${place}`, currency: 'EUR', locale: 'de', store }),
      )
      ids[place] = opened.accountId
    }
  }
  await Promise.all(Array.from({ length: 8 }, open))
}

function addEndpoint({ runtime: { db, seal } }: Environment, accountId: number): Promise<number> {
  const subscription = { kinds: ['price', 'content', 'removed'] as const, storeId: null }
  return inTransaction(db, (tx) =>
    endpointInsert(
      tx,
      accountId,
      { url: 'https://shop.example/hook', ...subscription, secret: seal.close('whsec_', 'bench') },
      0,
      startsAt(subscription, 0),
    ),
  )
}

async function idle(environment: Environment, what: string, report: Report): Promise<void> {
  const { db } = environment.runtime
  // the use of each account is counted once a day, for twenty accounts every two seconds: counting 10,000 new accounts would
  // take 17 minutes
  await db`
    insert into account_use (account_id, budget, counted_at) select account_id, 'products', now() from account_inputs
    on conflict (account_id, budget) do update set counted_at = excluded.counted_at`
  const from = performance.now()
  const service = await startService(environment)
  const startSeconds = (performance.now() - from) / 1_000
  // wait until the new accounts are shelved and the start of the service is over
  while ((await staleAccounts(db)).length > 0) await sleep(200)
  const restSeconds = await secondsUntilRest(environment, service.pid)
  const before = await cpuSeconds(db, service.pid)
  await sleep(IDLE_SECONDS * 1_000)
  const used = since(before, await cpuSeconds(db, service.pid))
  const memory = await memoryOf(service.pid)
  const percent = (seconds: number) => `${((seconds / IDLE_SECONDS) * 100).toFixed(1)} %`
  report.figure(
    `idle with ${what}`,
    `${percent(used.postgres)} of a core in PostgreSQL, ${percent(used.service)} in the service, ${memory.nowMb} MB; listens ${startSeconds.toFixed(1)} s after its start, and rests ${restSeconds} s later`,
  )
  await service.stop()
}

/**
 * Waits until one-time work has been done: noting hours of the change log, and the first round through delivery logs. The service is at
 * rest when it has used less than a twentieth of a core in two consecutive intervals of three seconds. @returns how many seconds that
 * took
 */
async function secondsUntilRest({ runtime: { db } }: Environment, pid: number): Promise<number> {
  const from = performance.now()
  for (let quiet = 0; quiet < 2 && performance.now() - from < 300_000;) {
    const before = await cpuSeconds(db, pid)
    await sleep(3_000)
    const { service } = since(before, await cpuSeconds(db, pid))
    quiet = service < 0.15 ? quiet + 1 : 0
  }
  return Math.round((performance.now() - from) / 1_000)
}

/** The cost of waiting long polls, each of an account of its own. */
async function polls(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const { db } = environment.runtime
  const ids: number[] = []
  await openAccounts(db, ids, WAITING)
  const tokens: string[] = []
  for (const accountId of ids)
    tokens.push((await inTransaction(db, (tx) => createToken(tx, { accountId, access: 'connector' }))).token)
  const service = await startService(environment)
  while ((await staleAccounts(db)).length > 0) await sleep(200)
  const dispatcher = new Agent({ connections: WAITING })
  const poll = (token: string, wait: number) =>
    request(`${service.url}/v1/changes?since=now&wait=${wait}`, {
      headers: { authorization: `Bearer ${token}` },
      dispatcher,
    })
  await (await poll(tokens[0] ?? '', 0)).body.text()
  await sleep(1_000)
  const memory = await memoryOf(service.pid)
  const standing = tokens.map(async (token) => {
    const answer = await poll(token, 25)
    await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`a poll was answered ${answer.statusCode}`)
  })
  await sleep(8_000)
  const before = await cpuSeconds(db, service.pid)
  await sleep(IDLE_SECONDS * 1_000)
  const used = since(before, await cpuSeconds(db, service.pid))
  const { nowMb } = await memoryOf(service.pid)
  report.figure(
    `${count(WAITING)} long polls that stand, of as many accounts`,
    `${(((nowMb - memory.nowMb) * 1_000) / WAITING).toFixed(0)} kB each in the service (${memory.nowMb} to ${nowMb} MB), ${((used.service / IDLE_SECONDS) * 100).toFixed(1)} % of a core in it and ${((used.postgres / IDLE_SECONDS) * 100).toFixed(1)} % in PostgreSQL`,
  )
  await Promise.all(standing)
  await dispatcher.close()
  await service.stop()
}
