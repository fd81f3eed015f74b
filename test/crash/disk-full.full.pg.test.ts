import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { openDb } from '../../src/db/open-db.ts'
import { startEmbedded } from '../../src/embedded/embedded.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createAccount, giveOffers, offer, openBench, expectAudited } from '../harness/account.ts'
import { until } from '../harness/interleave.ts'
import { withDatabase } from '../harness/every-server.ts'
import { client, startTestService, tokenFor } from '../harness/service.ts'
import { mountSmallDisk, noSmallDisk } from '../harness/small-disk.ts'

// The service on a database whose disk becomes full, and later has space again.

const MISSING = noSmallDisk()
const MEGABYTES = 64
const ROWS = 200

/** A text that cannot be compressed, of 2,000 characters. */
const noise = () => randomBytes(1_000).toString('hex')

/** A writer of new offers with descriptions, which need disk space. */
function writer(call: ReturnType<typeof client>) {
  let written = 0
  return () => {
    const rows = Array.from({ length: ROWS }, (_, i) => ({
      supplier: 'north',
      sku: `D${written++}`,
      cost: '10',
      quantity: 1,
      texts: { en: { title: `Product ${i}`, description: noise() } },
    }))
    return call('/v1/account/bulk/offers', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rows }),
    })
  }
}

test.skipIf(MISSING !== null)(
  `a disk that is full: writes get 503, reads go on, /readyz says so, and it recovers by itself${MISSING === null ? '' : ` (skipped: ${MISSING})`}`,
  { timeout: 180_000 },
  async () => {
    // a server of its own: while its disk is full no checkpoint succeeds, which other tests need to create and drop databases
    const directory = await mkdtemp(join(tmpdir(), 'shelfwire-full-'))
    await chmod(directory, 0o755)
    const embedded = await startEmbedded({ dataDir: directory, log: silentLog, settings: { fsync: 'off' } })
    const admin = openDb({ url: embedded.url, connectionsMax: 1 })
    const [server] = await admin<{ directory: string }[]>`select current_setting('data_directory') as directory`
    using disk = mountSmallDisk(MEGABYTES, statSync(server?.directory ?? '').uid)
    const name = `disk_${process.pid}_${Date.now().toString(36)}`
    await admin.unsafe(`create tablespace ${name} location '${disk.directory}'`)
    await admin.unsafe(`create database ${name} tablespace ${name}`)
    const url = withDatabase(embedded.url, name)
    const db = openDb({ url, connectionsMax: 4 })
    try {
      await migrate(db, silentLog)
      const started = await startTestService({ url }, { roles: ['api', 'work'] })
      try {
        const bench = openBench(db)
        const account = await createAccount(bench)
        const [productId = 0] = await giveOffers(bench, account, [offer('A')])
        const call = client(started.url, await tokenFor(started.runtime, account.accountId, 'full'))
        const write = writer(call)
        const first = await write()
        expect(first, first.text).toMatchObject({ status: 200, body: { meta: { created: ROWS, failed: 0 } } })
        expect((await call('/readyz')).status).toBe(200)

        disk.fill()
        let refused = await write()
        for (let i = 0; i < 60 && refused.status < 300; i++) refused = await write()
        expect(refused, refused.text).toMatchObject({ status: 503, body: { code: 'writes-unavailable' } })
        expect(refused.headers.get('retry-after')).toBe('10')
        expect(await call('/readyz')).toMatchObject({ status: 503, body: { unready: ['writes'] } })
        // still unready without writes: the service checks by a write of its own, which also fails
        await sleep(6_000)
        for (let i = 0; i < 20; i++) {
          expect(await call('/readyz')).toMatchObject({ status: 503, body: { unready: ['writes'] } })
          expect((await call(`/v1/products/${productId}`)).status).toBe(200)
          expect((await call('/v1/changes')).status).toBe(200)
          await sleep(100)
        }
        expect((await call('/healthz')).status).toBe(200)

        disk.free()
        await until('it is ready again', async () => (await call('/readyz')).status === 200, 20_000)
        expect((await write()).status).toBeLessThan(300)
        await started.runtime.shelf.drain(account.accountId)
        await expectAudited(db, account.accountId)
      } finally {
        await started[Symbol.asyncDispose]()
      }
    } finally {
      await db.end({ timeout: 5 })
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.unsafe(`drop tablespace ${name}`)
      await admin.end()
      await embedded.stop()
      await rm(directory, { recursive: true, force: true })
    }
  },
)

test.skipIf(MISSING !== null)(
  `a disk that is full of everything, the write-ahead log too: no 500, reads go on or get 503, and it recovers by itself${MISSING === null ? '' : ` (skipped: ${MISSING})`}`,
  { timeout: 180_000 },
  async () => {
    using disk = mountSmallDisk(600, 0)
    const server = await startEmbedded({ dataDir: disk.directory, log: silentLog, settings: { fsync: 'off' } })
    const db = openDb({ url: server.url, connectionsMax: 4 })
    try {
      await migrate(db, silentLog)
      const started = await startTestService({ url: server.url }, { roles: ['api', 'work'] })
      try {
        const bench = openBench(db)
        const account = await createAccount(bench)
        const [productId = 0] = await giveOffers(bench, account, [offer('A')])
        const call = client(started.url, await tokenFor(started.runtime, account.accountId, 'full'))
        const write = writer(call)
        expect((await write()).status).toBe(200)
        disk.fill()
        const seen = { write: new Set<string>(), read: new Set<string>(), ready: new Set<string>() }
        const fullUntil = performance.now() + 8_000
        while (performance.now() < fullUntil) {
          const refused = await write()
          seen.write.add(`${refused.status} ${refused.body?.code}`)
          seen.read.add(String((await call(`/v1/products/${productId}`)).status))
          seen.ready.add(String((await call('/readyz')).status))
        }
        // the server may crash because it cannot create a segment of its log, and be restarted
        expect(['503 writes-unavailable', '503 database-unavailable']).toEqual(expect.arrayContaining([...seen.write]))
        expect(['200', '503']).toEqual(expect.arrayContaining([...seen.read]))
        expect([...seen.ready]).toEqual(['503'])
        disk.free()
        await until('it is ready again', async () => (await call('/readyz')).status === 200, 30_000)
        expect((await write()).status).toBe(200)
      } finally {
        await started[Symbol.asyncDispose]()
      }
    } finally {
      await db.end({ timeout: 5 })
      await server.stop()
    }
  },
)
