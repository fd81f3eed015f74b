import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { stringify } from 'yaml'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { createDatabase } from '../harness/database.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { startReceiver } from '../harness/receiver.ts'
import { client, startTestService, tokenFor, type ServiceOptions, type TestService } from '../harness/service.ts'
import { directoryOfFile } from '../harness/world.ts'
import { alerts, RULES } from './alert-rules.ts'

// Each alert of deploy/prometheus/alerts.yaml fires on the metrics of a service in the state that it describes, and no other alert
// does. promtool (Debian: prometheus) evaluates the rules as Prometheus would, over hours in which the metrics stay as scraped.

const PROMTOOL = '/usr/bin/promtool'
const isSkipped = !existsSync(PROMTOOL)
const directory = directoryOfFile('alerts')
mkdirSync(directory, { recursive: true })
const HOURS = 8
let files = 0

type Figures = ReadonlyMap<string, number>

const MEMORY = 'shelfwire_process_resident_memory_bytes'

/** The metrics of the service, except for the memory of this process, in which the tests of many files have run. */
async function scrape({ service }: TestService): Promise<Figures> {
  const { text } = await client(service.metricsUrl!, null)('/metrics')
  const lines = text.split('\n').filter((line) => line.startsWith('shelfwire_'))
  return new Map(
    lines.map((line) => {
      const [name, value] = [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]
      return [name, name === MEMORY ? Math.min(value, 300_000_000) : value]
    }),
  )
}

const UP: Figures = new Map([['up', 1]])

/** Every word of the rules' expressions. promtool gets only metrics that they can name, because with all it took ten times as long. */
const NAMED = new Set(alerts().flatMap(({ expr }) => expr.match(/\w+/g) ?? []))

/** The alerts that fire at the end, if counters rise each minute by their difference between the two scrapes. */
function firing(before: Figures, after: Figures, others: Figures = UP): string[] {
  const now = Date.now() / 1_000
  const series = [...after, ...others].flatMap(([line, value]) => {
    const [name = '', labels = ''] = line.split(/[{}]/)
    if (!Number.isFinite(value) || !NAMED.has(name)) return []
    const gained = /_(total|count|sum|bucket)$/.test(name) ? Math.max(0, value - (before.get(line) ?? 0)) : 0
    // promtool's clock begins at 0
    const shown = name.endsWith('_timestamp_seconds') ? value - now : value
    const all = [labels, ...(labels.includes('instance=') ? [] : ['instance="one:9464"']), 'job="shelfwire"']
    return [
      {
        series: `${name}{${all.filter((one) => one !== '').join(',')}}`,
        values: `${plain(shown)}+${plain(gained)}x${HOURS * 60}`,
      },
    ]
  })
  const isFiring = (alert: string) => `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`
  const file = join(directory, `alerts-${++files}.yaml`)
  const ask = (expected: ReadonlySet<string>) => {
    const rules = {
      rule_files: [RULES],
      // the metrics are constant for hours: evaluating every minute gives the same result and takes five times as long
      evaluation_interval: '5m',
      tests: [
        {
          interval: '1m',
          input_series: series,
          promql_expr_test: alerts().map(({ alert }) => ({
            expr: `(${isFiring(alert)}) > bool 0`,
            eval_time: `${HOURS}h`,
            exp_samples: [{ labels: '{}', value: expected.has(alert) ? 1 : 0 }],
          })),
        },
      ],
    }
    writeFileSync(file, stringify(rules))
    try {
      execFileSync(PROMTOOL, ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' })
      return null
    } catch (error) {
      return (error as { stdout: string; stderr: string }).stdout + (error as { stderr: string }).stderr
    }
  }
  // promtool reports differences from the expected alerts: with none expected, it names those that fire
  const said = ask(new Set())
  if (said === null) return []
  const found = alerts()
    .map(({ alert }) => alert)
    .filter((alert) => said.includes(`alertname="${alert}"`) || said.includes(`alertname=\\"${alert}\\"`))
  expect(ask(new Set(found)), 'promtool agrees').toBe(null)
  return found
}

/** A number without an exponent, which promtool's series do not allow. */
const plain = (value: number) => value.toFixed(6)

async function open(options: ServiceOptions) {
  const stack = new AsyncDisposableStack()
  const database = stack.use(await createDatabase())
  await database.db`insert into last_backup (ended_at, place) values (${new Date()}, '/srv/backups/monday')`
  const service = stack.use(
    await startTestService(database, {
      ...options,
      env: { METRICS_PORT: '0', OUTBOUND_ALLOW: '127.0.0.0/8', SECRET_KEY: TEST_KEY, ...options.env },
    }),
  )
  const account = await createAccount(service.runtime)
  const [productId = 0] = await giveOffers(service.runtime, account, [offer('A', { images: [] })])
  const http = client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))
  return { database, service, account, productId, http, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test.skipIf(isSkipped)('the rules are valid', () => {
  expect(execFileSync(PROMTOOL, ['check', 'rules', RULES], { encoding: 'utf8' })).toContain(
    `${alerts().length} rules found`,
  )
})

test.skipIf(isSkipped)('of a service that is well none fires', { retry: 2, timeout: 120_000 }, async () => {
  await using w = await open({ roles: ['api', 'work'] })
  const before = await scrape(w.service)
  for (let i = 0; i < 20; i++) expect((await w.http('/v1/products')).status).toBe(200)
  expect(firing(before, await scrape(w.service))).toEqual([])
})

test.skipIf(isSkipped)(
  'of one that no process works for, those about what waits',
  { retry: 2, timeout: 120_000 },
  async () => {
    await using w = await open({ roles: ['api'] })
    const { accountId, suppliers } = w.account
    const { endpointId } = await w.service.runtime.endpoints.create(accountId, {
      url: 'http://127.0.0.1:9999/hook',
      kinds: ['price'],
      storeId: null,
    })
    await w.service.runtime.shelf.write(accountId, (tx) =>
      setOwnStock(tx, accountId, [{ productId: w.productId, quantity: 77, cost: null }]),
    )
    await age(w.database.db, accountId, endpointId, suppliers[0]!.supplierId)
    const figures = await scrape(w.service)
    expect(figures.get('shelfwire_operations_open{state="queued"}')).toBe(1)
    expect(firing(figures, figures)).toEqual([
      'ShelfwireShelvingBehind',
      'ShelfwireOperationsStuck',
      'ShelfwireImportsStuck',
      'ShelfwireSourcesFailing',
      'ShelfwireDeliveriesLate',
      'ShelfwireBackupLate',
    ])
  },
)

async function age(
  db: Awaited<ReturnType<typeof createDatabase>>['db'],
  accountId: number,
  endpointId: number,
  supplierId: number,
): Promise<void> {
  const since = new Date(Date.now() - 2 * 3_600_000)
  await db`insert into sweep (account_id, reason, created_at) values (${accountId}, 'rules', ${since})`
  await db`insert into operation (account_id, kind, created_at) values (${accountId}, 'bulk_prices', ${since})`
  await db`
    insert into import_run (account_id, supplier_id, trigger, mode, created_at, due_at)
    values (${accountId}, ${supplierId}, 'request', 'full', ${since}, ${since})`
  await db`
    insert into supplier_source (account_id, supplier_id, name, kind, mapping, mode, time_zone, failures, failed_since)
    values (${accountId}, ${supplierId}, 'theirs', 'http', '{}', 'full', 'UTC', 3, ${since})`
  await db`
    update endpoint_state set pending_since = ${since} where account_id = ${accountId} and endpoint_id = ${endpointId}`
  await db`update last_backup set ended_at = ${new Date(Date.now() - 30 * 3_600_000)}`
}

test.skipIf(isSkipped)(
  'of a database that takes no writes: not ready, and errors',
  { retry: 2, timeout: 120_000 },
  async () => {
    await using w = await open({ roles: ['api'] })
    const before = await scrape(w.service)
    const name = new URL(w.database.url).pathname.slice(1)
    await w.database.db.begin('read write', async (tx) => {
      await tx.unsafe(`alter database ${name} set default_transaction_read_only = on`)
    })
    await w.database.db`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`
    await until('it is connected again', async () => (await w.http('/v1/products')).status === 200)
    const body = JSON.stringify({ quantity: 3 })
    const headers = { 'content-type': 'application/json' }
    for (let i = 0; i < 10; i++)
      expect((await w.http(`/v1/account/products/${w.productId}/stock`, { method: 'PUT', body, headers })).status).toBe(
        503,
      )
    expect(firing(before, await scrape(w.service))).toEqual(['ShelfwireUnready', 'ShelfwireErrors'])
  },
)

test.skipIf(isSkipped)('of reads that wait for a lock: slow', { retry: 2, timeout: 120_000 }, async () => {
  await using w = await open({ roles: ['api'] })
  const before = await scrape(w.service)
  let read: Promise<unknown> = Promise.resolve()
  await w.database.db.begin('read write', async (tx) => {
    await tx`lock table payload_content, payload_price, product in access exclusive mode`
    read = w.http(`/v1/products/${w.productId}`)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
  })
  await read
  expect(firing(before, await scrape(w.service))).toEqual(['ShelfwireReadsSlow'])
})

test.skipIf(isSkipped)(
  'of clients and accounts that send too much: refusing',
  { retry: 2, timeout: 120_000 },
  async () => {
    await using w = await open({ roles: ['api'], env: { RATE_LIMIT_PER_SECOND: '1' } })
    const before = await scrape(w.service)
    for (let i = 0; i < 150; i++) await w.http('/v1/stores')
    const after = await scrape(w.service)
    expect(after.get(`shelfwire_account_requests_total{account="${w.account.accountId}"}`)).toBeGreaterThan(0)
    expect(firing(before, after)).toEqual(['ShelfwireRefusing'])
  },
)

test.skipIf(isSkipped)('of receivers and pictures that fail', { retry: 2, timeout: 120_000 }, async () => {
  await using receiver = await startReceiver()
  receiver.answer = { status: 500 }
  await using w = await open({ roles: ['api', 'work'], env: { MIRROR: 'on', PUBLIC_URL: 'http://127.0.0.1:9' } })
  const { accountId } = w.account
  await w.service.runtime.endpoints.create(accountId, { url: `${receiver.url}/hook`, kinds: ['price'], storeId: null })
  const before = await scrape(w.service)
  await giveOffers(w.service.runtime, w.account, [offer('B', { images: ['http://127.0.0.1:9/picture.jpg'] })])
  const FAILED = 'shelfwire_image_fetches_total{outcome="failed"}'
  await until(
    'both were tried',
    async () => {
      const now = await scrape(w.service)
      return now.has(FAILED) && now.get('shelfwire_webhook_endpoints_failing{state="failing"}') === 1
    },
    30_000,
  )
  const after = await scrape(w.service)
  expect(after.get('shelfwire_webhook_endpoints_failing{state="failing"}')).toBe(1)
  expect(firing(before, after).filter((alert) => alert !== 'ShelfwireDeliveriesLate')).toEqual([
    'ShelfwireDeliveriesFailing',
    'ShelfwirePicturesFailing',
  ])
})

test.skipIf(isSkipped)('of a pool whose connections are all in use', { retry: 2, timeout: 120_000 }, async () => {
  await using w = await open({ roles: ['api'], env: { DATABASE_CONNECTIONS_MAX: '2' } })
  const { db } = w.service.runtime
  const held = Array.from({ length: 4 }, () => db`select pg_sleep(7)`.execute())
  const figures = await scrape(w.service)
  await Promise.all(held)
  expect(figures.get('shelfwire_pool_connections{state="in_use"}')).toBe(2)
  // its probe of the database waits for a connection as well
  expect(firing(figures, figures)).toEqual(['ShelfwireUnready', 'ShelfwirePoolExhausted'])
})

test.skipIf(isSkipped)('of a process that is blocked', { retry: 2, timeout: 120_000 }, async () => {
  await using w = await open({ roles: ['api'] })
  await scrape(w.service)
  for (let i = 0; i < 3; i++) {
    const until = performance.now() + 900
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const figures = await scrape(w.service)
  expect(firing(figures, figures)).toContain('ShelfwireEventLoopBlocked')
})

test.skipIf(isSkipped)(
  'of what cannot be had here: a line of a real service with another value',
  { retry: 2, timeout: 120_000 },
  async () => {
    await using w = await open({ roles: ['api'] })
    const figures = await scrape(w.service)
    const changed = (line: string, value: number) => {
      expect([...figures.keys()].some((one) => one.startsWith(line.split('{')[0]!))).toBe(true)
      return new Map([...figures, [line, value]])
    }
    const after = (line: string, value: number) => firing(figures, changed(line, value))
    expect(after('shelfwire_database_nodes_away', 1)).toEqual(['ShelfwireDatabaseNodesAway'])
    expect(after(MEMORY, 1_500_000_000)).toEqual(['ShelfwireMemoryHigh'])
    expect(after('shelfwire_build_info{version="0.0.1",node="v24.0.0",instance="two:9464"}', 1)).toEqual([
      'ShelfwireVersionsDiffer',
    ])
    expect(firing(figures, figures, new Map([['up', 0]]))).toEqual(['ShelfwireDown'])
    // figures of an archive, which the server of this test does not have
    const archived = (seconds: number, isFailing: number) =>
      firing(
        figures,
        figures,
        new Map([
          ['up', 1],
          ['shelfwire_wal_archived_timestamp_seconds', Date.now() / 1_000 + seconds],
          ['shelfwire_wal_archive_failing', isFailing],
        ]),
      )
    expect(archived((HOURS - 0.1) * 3_600, 0)).toEqual([])
    expect(archived((HOURS - 0.1) * 3_600, 1)).toEqual(['ShelfwireArchiveLate'])
    expect(archived((HOURS - 1) * 3_600, 0)).toEqual(['ShelfwireArchiveLate'])
    // and figures of shipping it
    const shipped = (seconds: number) =>
      firing(
        figures,
        figures,
        new Map([
          ['up', 1],
          ['shelfwire_wal_shipped_timestamp_seconds', Date.now() / 1_000 + seconds],
        ]),
      )
    expect(shipped((HOURS - 0.1) * 3_600)).toEqual([])
    expect(shipped((HOURS - 1) * 3_600)).toEqual(['ShelfwireShippingLate'])
  },
)

test('each alert is provoked by one of these tests', () => {
  const provoked = new Set(
    [...readFileSync(import.meta.filename, 'utf8').matchAll(/'(Shelfwire[A-Z]\w+)'/g)].map(([, name = '']) => name),
  )
  expect(
    alerts()
      .map(({ alert }) => alert)
      .filter((alert) => !provoked.has(alert)),
  ).toEqual([])
})
