import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCommands } from '../harness/command.ts'
import { createDatabase } from '../harness/database.ts'
import { hold, until } from '../harness/interleave.ts'
import { client } from '../harness/service.ts'

// Probes of a process by Kubernetes or a monitor, from its start to its end.

test.for(['work', 'api,work'])(
  'serve --roles %s answers probes until it has ended',
  { timeout: 120_000 },
  async (roles) => {
    await using database = await createDatabase()
    const directory = await mkdtemp(join(tmpdir(), 'shelfwire-probes-'))
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(directory, { recursive: true }))
    const child = openCommands(database, directory).start(['serve', '--roles', roles], {
      PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'info',
    })
    const exit = once(child, 'exit')
    cleanup.defer(async () => {
      child.kill('SIGKILL')
      await exit
    })
    let printed = ''
    child.stderr.on('data', (bytes: Buffer) => (printed += bytes.toString()))
    // with a timeout of its own, because a test that times out would leave its process running
    await expect.poll(() => printed, { timeout: 30_000 }).toMatch(/"metricsUrl":"http/)
    const metricsUrl = /"metricsUrl":"(http[^"]+)"/.exec(printed)![1]!
    const call = client(metricsUrl, null)
    const isReady = async () => (await call('/readyz')).status === 200
    await until('it is ready', isReady)
    expect((await call('/metrics')).text).toContain('shelfwire_webhook_deliveries_total')

    const comeBack = await database.goAway()
    expect(await call('/readyz')).toMatchObject({ status: 503, body: { status: 'unready', unready: ['database'] } })
    expect(await call('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    await comeBack()
    await until('it is ready again', isReady)
    expect((await call('/readyz')).body).toMatchObject({ status: 'ready', unready: [] })

    // a step that is running when the signal comes is finished first
    const lock = await hold(database.db, (tx) => tx`lock table mark in access exclusive mode`)
    await until('a worker waits', async () => {
      const [row] = await database.db<{ waits: boolean }[]>`
      select exists (select from pg_locks where not granted and relation = 'mark'::regclass) as waits`
      return row?.waits ?? false
    })
    child.kill('SIGTERM')
    await until('it says that it is shutting down', async () => {
      const { status, body } = await call('/readyz')
      return status === 503 && body.unready.includes('shutting down')
    })
    expect((await call('/healthz')).status).toBe(200)
    expect(child.exitCode).toBeNull()
    await lock.commit()
    expect(await exit).toEqual([0, null])
    await expect(call('/healthz')).rejects.toThrow('fetch failed')
  },
)
