import { afterAll, beforeAll, expect, test } from 'vitest'
import { PRESENCE_LOCKS } from '../../src/db/connections/presence.ts'
import { openDb } from '../../src/db/open-db.ts'
import { runImport } from '../../src/imports/run.ts'
import { silentLog } from '../../src/platform/log.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { openRuntime } from '../../src/runtime.ts'
import type { ReadRow } from '../../src/supplier-files/reading.ts'
import { createAccount, giveOffers, offer, openBench, expectAudited } from '../harness/account.ts'
import { createDatabase, isCluster, type TestDatabase } from '../harness/database.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { NO_PGBOUNCER, startPgBouncer, type PgBouncer } from '../harness/pgbouncer.ts'
import { startReceiver } from '../harness/receiver.ts'
import { refusal } from '../harness/refusal.ts'
import { withDatabase } from '../harness/every-server.ts'
import { client, startTestService, tokenFor } from '../harness/service.ts'

// Shelfwire through a real PgBouncer in transaction mode, where the state of a server connection passes to its next user.

const SKIPPED = NO_PGBOUNCER === null ? '' : ` (skipped: ${NO_PGBOUNCER})`

let database: TestDatabase
let pooler: PgBouncer
beforeAll(async () => {
  if (NO_PGBOUNCER !== null) return
  database = await createDatabase()
  pooler = await startPgBouncer(database.url, 6)
})
afterAll(async () => {
  if (NO_PGBOUNCER !== null) return
  await pooler[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** Settings of a process behind the pooler. */
const behind = (direct: string | null) => ({
  DATABASE_URL: pooler.url,
  DATABASE_PREPARE: 'false',
  ...(direct === null ? {} : { DATABASE_DIRECT_URL: direct }),
})

/** All advisory locks of the server, in any database. */
const locks = async () =>
  (
    await database.db<{ database: string; classid: number }[]>`
      select d.datname as database, l.classid::int as classid from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory'`
  ).map((lock) => ({ ...lock }))

test.skipIf(NO_PGBOUNCER !== null || isCluster())(
  `processes start through a pooler at once and one after the other, and leave nothing behind on its connections${SKIPPED}`,
  async () => {
    const name = `empty_${process.pid}`
    await database.db.unsafe(`create database ${name}`)
    const direct = withDatabase(database.url, name)
    const env = { ...behind(null), DATABASE_URL: withDatabase(pooler.url, name) }
    const open = () => openRuntime(readSettings(env), silentLog)
    try {
      const both = await Promise.all([open(), open()])
      // each migration was run once
      const made = both.flatMap((runtime) => runtime.migrated)
      expect(made.length).toBeGreaterThan(5)
      expect(new Set(made).size).toBe(made.length)
      for (const runtime of both) await runtime[Symbol.asyncDispose]()
      for (let i = 0; i < 3; i++) {
        await using runtime = await open()
        expect(runtime.migrated).toEqual([])
      }
      expect((await locks()).filter((lock) => lock.database === name)).toEqual([])
      const pooled = openDb({ url: env.DATABASE_URL, connectionsMax: 6, prepare: false })
      // no transaction ends before all have begun, so each has a connection of its own
      let begun = 0
      const all = Promise.withResolvers<void>()
      const rows = await Promise.all(
        Array.from({ length: 6 }, () =>
          pooled.begin('read only', async (tx) => {
            const [row] = await tx<{ pid: number; source: string }[]>`
              select pg_backend_pid() as pid, source from pg_settings where name = 'statement_timeout'`
            if (++begun === 6) all.resolve()
            await all.promise
            return row!
          }),
        ),
      )
      expect(new Set(rows.map(({ pid }) => pid)).size).toBe(6)
      expect(rows.filter(({ source }) => source === 'session')).toEqual([])
      await pooled.end()

      // the direct URL of another database is noticed before anything is read or written there
      const mistaken = readSettings({ ...behind(null), DATABASE_DIRECT_URL: direct })
      await expect(openRuntime(mistaken, silentLog)).rejects.toThrow(/must lead to the same database/)
    } finally {
      await database.db.unsafe(`drop database ${name} with (force)`)
    }
  },
)

test.skipIf(NO_PGBOUNCER !== null)(
  `behind a pooler two processes write, import, wake each other and deliver; a second import is refused${SKIPPED}`,
  async () => {
    const env = { ...behind(database.url), SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8' }
    const bench = openBench(database.db)
    const account = await createAccount(bench)
    const { accountId, storeIds, suppliers } = account
    const [productId = 0] = await giveOffers(bench, account, [offer('A')])
    await using receiver = await startReceiver()
    await using first = await startTestService(database, { env, roles: ['api', 'work'] })
    await using second = await startTestService(database, { env })
    expect([first.runtime.migrated, second.runtime.migrated]).toEqual([[], []])
    const token = await tokenFor(first.runtime, accountId, 'full')
    const [one, other] = [client(first.url, token), client(second.url, token)]

    // the deliverer holds its lock on a connection of its own
    await until('the first process shows that it lives', async () =>
      (await locks()).some((lock) => lock.classid === PRESENCE_LOCKS),
    )
    await first.runtime.endpoints.create(accountId, { url: receiver.url, kinds: ['price'], storeId: storeIds[0] })

    // a write through one process wakes a long poll of the other, by a notification
    const heard = Promise.withResolvers<void>()
    second.runtime.wake.on('change', (id) => id === accountId && heard.resolve())
    const from = await other('/v1/changes?store=main')
    expect(from.status).toBe(200)
    const { next_since, next_id } = from.body as { next_since: string; next_id: number }
    const polled = other(`/v1/changes?store=main&wait=20&since=${encodeURIComponent(next_since)}&since_id=${next_id}`)
    const written = await one(`/v1/account/products/${productId}/stock`, {
      method: 'PUT',
      body: JSON.stringify({ quantity: 7 }),
      headers: { 'content-type': 'application/json' },
    })
    expect([200, 201], written.text).toContain(written.status)
    await heard.promise
    expect(await polled).toMatchObject({ status: 200 })
    expect((await other(`/v1/products/${productId}?store=main`)).body).toMatchObject({ data: { stock: 12 } })
    await until('the write is delivered', async () =>
      receiver.received.some(({ event, productIds }) => event === 'price' && productIds.includes(productId)),
    )

    // an import that is running keeps another process from importing the same supplier
    const reached = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    async function* pages(): AsyncGenerator<ReadRow[]> {
      reached.resolve()
      await go.promise
      yield ['A', 'B', 'C'].map((sku, i) => ({ line: i + 2, offer: offer(sku, { cost: '12' }) }))
    }
    const request = { accountId, supplier: suppliers[0]!, mode: 'full' } as const
    const running = runImport(first.runtime.db, first.runtime.wake, request, pages())
    await reached.promise
    for (const { runtime } of [second, first])
      expect(await refusal(runImport(runtime.db, runtime.wake, request, pages()))).toMatchObject({
        code: 'import-running',
      })
    go.resolve()
    expect(await running).toMatchObject({ created: 2, changed: 1 })
    expect(await runImport(second.runtime.db, second.runtime.wake, request, pages())).toMatchObject({ unchanged: 3 })
    await second.runtime.shelf.drain(accountId)
    await expectAudited(database.db, accountId)
    await until('the import is delivered', async () => receiver.received.length >= 2)
  },
)
