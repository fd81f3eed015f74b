import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { isConnectionError } from '../../src/db/connections/connection-errors.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openWake } from '../../src/db/wake.ts'
import { startEmbedded } from '../../src/embedded/embedded.ts'
import { runImport } from '../../src/imports/run.ts'
import { openOutbound } from '../../src/outbound/client.ts'
import { asError } from '../../src/platform/errors.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openSeal } from '../../src/platform/secrets/seal.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { Endpoints } from '../../src/webhooks/endpoints/endpoints.ts'
import { createAccount, giveOffers, offer, openBench } from '../harness/account.ts'
import { inTurn } from '../harness/gate.ts'
import { startReceiver } from '../harness/receiver.ts'
import { client } from '../harness/service.ts'

// The service as its operator runs it, a process of its own, while its database connections are killed at random and the
// server is restarted: the process does not exit, all acknowledged writes are stored, none is partial, every payload is right.

const KILLS = Number(process.env['KILLS'] ?? 100)
const RESTARTS = Number(process.env['RESTARTS'] ?? 5)
const KEY = 'a-key-for-this-test-and-nothing-else'
const PRODUCTS = 60
const STOCK_WRITERS = 8
const READY_MS_MAX = 5_000
const PROBE_MS_MAX = 5_000

// a gate tries one of the two pool sizes, chosen by its seed
test.for(inTurn([10, 3]))(
  'connections killed at random and the server restarted, pool of %i',
  { timeout: 240_000 },
  async (pool) => {
    const directory = await mkdtemp(join(tmpdir(), 'shelfwire-storm-'))
    await chmod(directory, 0o755)
    const settings = { fsync: 'off', synchronous_commit: 'on' }
    let server = await startEmbedded({ dataDir: directory, log: silentLog, settings })
    const { url } = server
    const admin = openDb({ url, connectionsMax: 4, applicationName: 'admin' })
    await migrate(admin, silentLog)
    const bench = openBench(admin)
    const account = await createAccount(bench)
    const { accountId } = account
    const productIds = await giveOffers(
      bench,
      account,
      Array.from({ length: PRODUCTS }, (_, i) => offer(`S-${i}`)),
    )
    const { token } = await inTransaction(admin, (tx) => createToken(tx, { accountId, access: 'full' }))
    await using receiver = await startReceiver()
    const outbound = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'Shelfwire/test' })
    const endpoints = new Endpoints(admin, bench.wake, openSeal([KEY]), outbound)
    await endpoints.create(accountId, {
      url: `${receiver.url}/hook`,
      kinds: ['price', 'content', 'removed'],
      storeId: null,
    })

    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../../bin/shelfwire.mjs', import.meta.url)), 'serve'],
      {
        env: {
          ...process.env,
          DATABASE_URL: url,
          DATABASE_CONNECTIONS_MAX: String(pool),
          PORT: '0',
          SECRET_KEY: KEY,
          OUTBOUND_ALLOW: '127.0.0.0/8',
          RATE_LIMIT_PER_SECOND: '0',
          LOG_LEVEL: 'info',
          DATA_DIR: directory,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let printed = ''
    child.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()))
    child.stderr.on('data', (bytes: Buffer) => (printed += bytes.toString()))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => server.stop())
    cleanup.defer(() => void child.kill('SIGKILL'))
    let exit: string | null = null
    child.once('exit', (code, signal) => (exit = `${code} ${signal}`))
    await expect.poll(() => printed, { timeout: 20_000 }).toMatch(/"url":"http/)
    const base = /"url":"(http[^"]+)"/.exec(printed)![1]!
    const call = client(base, token)
    /** `ready`, or else the answer of /readyz, or the error of the request. */
    const probe = () =>
      call('/readyz', { signal: AbortSignal.timeout(PROBE_MS_MAX) }).then(
        ({ status, text }) => (status === 200 ? 'ready' : `${status} ${text}`),
        (error: unknown) => asError(error).stack,
      )
    const put = (path: string, body: unknown, method = 'PUT') =>
      call(path, {
        method,
        body: JSON.stringify(body),
        headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
      }).then(
        (answer) => answer.status,
        () => 0,
      )

    const phase = { isOver: false }
    const statuses = new Map<number, number>()
    const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const acknowledged = new Map<number, number>()
    const attempted = new Map<number, number>()
    const stockWriter = async (mine: readonly number[]) => {
      for (let quantity = 1; !phase.isOver; quantity++) {
        for (const productId of mine) {
          if (phase.isOver) return
          attempted.set(productId, quantity)
          const status = await put(`/v1/account/products/${productId}/stock`, { quantity })
          count(status)
          expect([200, 201, 0, 503]).toContain(status)
          if (status === 200 || status === 201) acknowledged.set(productId, quantity)
        }
      }
    }
    // a bulk is all or nothing: its rows end with the same quantity
    const bulked = productIds.slice(0, 20)
    const bulkWriter = async () => {
      for (let quantity = 1; !phase.isOver; quantity++) {
        for (const productId of bulked) attempted.set(productId, quantity)
        const status = await put(
          '/v1/account/bulk/stock',
          { rows: bulked.map((product_id) => ({ product_id, quantity })) },
          'POST',
        )
        count(status)
        expect([200, 0, 503]).toContain(status)
        if (status === 200) for (const productId of bulked) acknowledged.set(productId, quantity)
      }
    }
    let rate = 4
    const rateWriter = async () => {
      while (!phase.isOver) {
        rate += 0.01
        count(await put('/v1/account/rates/PLN', { rate: rate.toFixed(2) }))
        await sleep(200)
      }
    }
    const importer = async () => {
      const db = openDb({ url, connectionsMax: 2, applicationName: 'shelfwire' })
      const wake = openWake(db, silentLog)
      for (let n = 0; !phase.isOver; n++) {
        // most writes fail, and the successful ones must not be held as jumps
        const cost = String(10 + (n % 15))
        const rows = productIds.map((_, i) => ({ line: i + 1, offer: offer(`S-${i}`, { cost }) }))
        const supplier = account.suppliers[0]!
        await runImport(db, wake, { accountId, supplier, mode: 'full' }, pages(rows)).catch((error: unknown) => {
          expect(isConnectionError(error) || /is running/.test(asError(error).message), asError(error).stack).toBe(true)
        })
        await sleep(100)
      }
      await wake.stop()
      await db.end({ timeout: 1 })
    }
    const singles = productIds.slice(20)
    const storm = Promise.all([
      ...Array.from({ length: STOCK_WRITERS }, (_, i) =>
        stockWriter(singles.filter((_, at) => at % STOCK_WRITERS === i)),
      ),
      bulkWriter(),
      rateWriter(),
      importer(),
    ])
    storm.catch(() => (phase.isOver = true))
    const recoveries: number[] = []
    try {
      for (let restart = 0; restart <= RESTARTS; restart++) {
        for (let kill = 0; kill < KILLS / (RESTARTS + 1) && !phase.isOver; kill++) {
          await sleep(40)
          await admin`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'shelfwire' order by random() limit ${1 + (kill % 4)}`
        }
        if (restart === RESTARTS || phase.isOver) break
        const { port } = new URL(url)
        await server.stop()
        server = await startEmbedded({ dataDir: directory, log: silentLog, settings: { ...settings, port } })
        const from = performance.now()
        while ((await probe()) !== 'ready') {
          expect(exit, printed.slice(-4_000)).toBe(null)
          expect(performance.now() - from, `not ready: ${await probe()}\n${printed.slice(-4_000)}`).toBeLessThan(20_000)
          await sleep(20)
        }
        recoveries.push(performance.now() - from)
      }
      await sleep(500)
    } finally {
      phase.isOver = true
    }
    await storm
    expect(exit, printed.slice(-2_000)).toBe(null)
    expect(Math.max(0, ...recoveries)).toBeLessThan(READY_MS_MAX)
    expect(statuses.get(503) ?? 0, JSON.stringify([...statuses])).toBeGreaterThan(0)

    // the service recovers by itself: all writes can be read and are delivered
    await expect
      .poll(async () => (await put('/v1/account/rates/PLN', { rate: '4' })) === 200, { timeout: 20_000 })
      .toBe(true)
    const stocks = await admin<{ productId: number; quantity: number }[]>`
    select product_id as "productId", quantity from own_stock where account_id = ${accountId}`
    for (const { productId, quantity } of stocks) {
      expect(quantity, `product ${productId}`).toBeGreaterThanOrEqual(acknowledged.get(productId) ?? 0)
      expect(quantity, `product ${productId}`).toBeLessThanOrEqual(attempted.get(productId)!)
    }
    expect(stocks.length).toBeGreaterThanOrEqual(acknowledged.size)
    expect(
      new Set(stocks.filter(({ productId }) => bulked.includes(productId)).map(({ quantity }) => quantity)).size,
    ).toBe(1)
    const isBehind = async () =>
      (
        await admin`select from endpoint_state s join change_counter c using (account_id)
      where s.account_id = ${accountId} and (s.position < c.last_id or s.lease_id is not null)`
      ).length
    await expect.poll(isBehind, { timeout: 60_000, interval: 200 }).toBe(0)
    const delivered = new Set(receiver.received.flatMap(({ productIds: ids }) => ids))
    for (const productId of acknowledged.keys()) expect(delivered).toContain(productId)
    await bench.shelf.drain(accountId)
    expect((await auditAccount(admin, accountId)).differences).toEqual([])

    child.kill('SIGTERM')
    await once(child, 'exit')
    process.stdout.write(
      `${JSON.stringify({ pool, statuses: Object.fromEntries(statuses), recoveries: recoveries.map(Math.round) })}\n`,
    )
    await bench.wake.stop()
    await outbound.close()
    await admin.end({ timeout: 5 })
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  },
)

async function* pages<T>(rows: T[]): AsyncGenerator<T[]> {
  for (let at = 0; at < rows.length; at += 20) yield rows.slice(at, at + 20)
}
