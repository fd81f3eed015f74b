import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createAccount, expectAudited, openBench } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { isCluster } from '../harness/database.ts'
import { debianBinaries, startDebianServer } from '../harness/debian-server.ts'
import { freePort } from '../harness/free-port.ts'
import { until } from '../harness/interleave.ts'
import { NO_PGBOUNCER, startPgBouncer } from '../harness/pgbouncer.ts'
import { untilServing } from '../harness/serving.ts'
import { directoryOfFile } from '../harness/world.ts'
import { configureNginx, failuresOf, NGINX, openLoad, startNginx } from './behind-nginx.ts'

// An installation like that of deploy/compose.yaml: nginx with TLS, two API processes, one worker, PgBouncer and PostgreSQL. Each
// of them except nginx is restarted in turn under load.

const SERVER = 15
const missing = [
  ...(existsSync(NGINX) ? [] : ['nginx']),
  ...(debianBinaries(SERVER) === null ? [`PostgreSQL ${SERVER}`] : []),
  ...(NO_PGBOUNCER === null ? [] : ['PgBouncer']),
]
const isSkipped = missing.length > 0 || isCluster()
const directory = directoryOfFile('restarts')
const WRITERS = 3

test.skipIf(isSkipped)(
  `every process, the pooler and the database are restarted under load: no request fails but by 503 with Retry-After, and nothing that was acknowledged is lost${missing.length === 0 ? '' : ` (skipped: no ${missing.join(', no ')})`}`,
  { timeout: 480_000 },
  async () => {
    await using stack = new AsyncDisposableStack()
    const serverDirectory = join(directory, 'server')
    for (const name of ['data', 'server']) mkdirSync(join(directory, name), { recursive: true })
    // the server has another user
    chmodSync(directory, 0o755)
    const server = await startDebianServer(SERVER, serverDirectory, { fsync: 'off' })
    stack.defer(() => server.stop())
    const pooler = stack.use(await startPgBouncer(server.url, 20))
    const db = openDb({ url: server.url, connectionsMax: 2 })
    stack.defer(() => db.end())
    await migrate(db, silentLog)
    const { accountId } = await createAccount(openBench(db))
    const { token } = await inTransaction(db, (tx) => createToken(tx, { accountId, access: 'full' }))
    const [http, https, first, second, apart] = await Promise.all(Array.from({ length: 5 }, freePort))
    const ports = { http: http ?? 0, https: https ?? 0, first: first ?? 0, second: second ?? 0 }
    configureNginx(directory, ports)

    const commands = openCommands({ url: pooler.url }, join(directory, 'data'))
    const start = async (roles: 'api' | 'work', port: number) => {
      const child = commands.start(['serve', '--roles', roles], {
        DATABASE_DIRECT_URL: server.url,
        DATABASE_PREPARE: 'false',
        [roles === 'api' ? 'PORT' : 'METRICS_PORT']: String(port),
        LOG_LEVEL: 'info',
        PUBLIC_URL: 'https://shop.example.com',
        TRUSTED_PROXIES: '127.0.0.1/32',
        RATE_LIMIT_PER_SECOND: '0',
      })
      child.stdout.resume()
      await untilServing(child, 90_000)
      return child
    }
    const processes = {
      first: await start('api', ports.first),
      second: await start('api', ports.second),
      work: await start('work', apart ?? 0),
    }
    stack.defer(async () => void (await Promise.all(Object.values(processes).map(terminated))))
    const nginx = startNginx(directory)
    stack.defer(() => terminated(nginx).then(() => {}))

    using load = openLoad(ports.https, token)
    const taken = Array.from({ length: WRITERS }, () => 0)
    for (let i = 0; i < 5; i++) load.send('GET', '/v1/products?store=main')
    for (let i = 0; i < 3; i++) load.send('GET', '/v1/changes?since=now&wait=1')
    for (let i = 0; i < WRITERS; i++) {
      let cents = 100
      load.send(
        'PUT',
        `/v1/account/suppliers/north/offers/A-${i}`,
        () => ({ cost: (++cents / 100).toFixed(2), quantity: 3, texts: { en: { title: `Pen ${i}` } } }),
        ({ cost }: { cost?: string }) => (taken[i] = Number(cost)),
      )
    }
    await load.answered(300)

    for (const [name, roles, port] of [
      ['first', 'api', ports.first],
      ['second', 'api', ports.second],
      ['work', 'work', apart ?? 0],
    ] as const) {
      expect(await terminated(processes[name]), name).toEqual([0, null])
      await load.answered(100)
      processes[name] = await start(roles, port)
      // as docs/operations.md says: nginx treats a process as down for a second longer
      await sleep(3_000)
    }
    await load.answered(200)
    await pooler.restart()
    await load.answered(200)
    await server.stop()
    await load.answered(50)
    await server.restart()
    await load.answered(300)
    // and as if its machine lost power
    await server.crash()
    await load.answered(50)
    await server.restart()
    await load.answered(300)
    const counts = await load.end()

    expect(failuresOf(counts), JSON.stringify([...counts])).toEqual([])
    expect(counts.get('GET 200')).toBeGreaterThan(500)
    expect(counts.get('PUT 200')).toBeGreaterThan(100)

    // no process has ended by itself, and shops can read all acknowledged writes
    expect(Object.values(processes).map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([
      null,
      null,
      null,
    ])
    const costs = await db<{ cost: number }[]>`
      select cost::float8 as cost from offer where account_id = ${accountId} order by supplier_sku`
    expect(costs).toHaveLength(WRITERS)
    for (const [i, { cost }] of costs.entries()) expect(cost).toBeGreaterThanOrEqual(taken[i] ?? 0)
    await until('all is shelved', async () => {
      const rows = await db`select 1 from mark where account_id = ${accountId} limit 1`
      return rows.length === 0
    })
    await expectAudited(db, accountId)
  },
)

/** Stops a process as systemd does. @returns its exit code and signal */
async function terminated(child: ChildProcess): Promise<unknown[]> {
  if (child.exitCode !== null || child.signalCode !== null) return [child.exitCode, child.signalCode]
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  return ended
}
