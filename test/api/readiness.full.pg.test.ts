import { afterEach, expect, test, vi } from 'vitest'
import { parseRoles } from '../../src/commands/service/serve.ts'
import { isCluster } from '../harness/database.ts'
import { hold, until } from '../harness/interleave.ts'
import { client, startTestService } from '../harness/service.ts'
import { world } from '../harness/world.ts'

afterEach(() => vi.restoreAllMocks())

const READY = { status: 'ready', unready: [], warnings: [], last_backup: null, log_archive: null }

test('the service stays ready while loops rest that have nothing to do for a minute', async () => {
  await using w = await world({ service: { roles: ['api', 'work'] } })
  const call = client(w.service.url, null)
  await until('it is ready', async () => (await call('/readyz')).status === 200)
  // 61 s later by this clock only: timers do not follow, so loops that pause for a minute are still paused
  const real = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => real() + 61_000)
  // polled, because the busier loops first have to make a step after the jump
  await expect.poll(async () => (await call('/readyz')).body, { timeout: 8_000 }).toEqual(READY)
})

test('a database that only reads, as after a failover: writes get 503, reads go on, and it recovers by itself', async () => {
  await using w = await world({ service: {}, account: 'acme', products: ['A'] })
  const { database, http: call } = w
  const [productId] = w.ids
  const write = (quantity: number) =>
    call(`/v1/account/products/${productId}/stock`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ quantity }),
    })
  expect((await write(1)).status).toBe(201)
  const name = new URL(database.url).pathname.slice(1)
  const readOnly = (isOn: boolean) =>
    database.db.begin('read write', async (tx) => {
      await tx.unsafe(`alter database ${name} set default_transaction_read_only = ${isOn ? 'on' : 'off'}`)
    })
  await readOnly(true)
  await database.db`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`
  // the first request may get a connection that was just terminated
  await until('the service is connected again', async () => (await call('/v1/products')).status === 200)
  const refused = await write(2)
  expect(refused.status).toBe(503)
  expect(refused.headers.get('content-type')).toBe('application/problem+json')
  expect(refused.headers.get('retry-after')).toBe('10')
  expect(refused.body).toMatchObject({ code: 'writes-unavailable', status: 503 })
  expect(await call('/readyz')).toMatchObject({ status: 503, body: { status: 'unready', unready: ['writes'] } })
  expect((await call(`/v1/products/${productId}`)).status).toBe(200)
  // several read-only connections, which only the service itself closes
  const reads = Array.from({ length: 20 }, () => call('/v1/products'))
  expect((await Promise.all(reads)).every(({ status }) => status === 200)).toBe(true)
  await readOnly(false)
  await until('it is ready again', async () => (await call('/readyz')).status === 200, 8_000)
  for (let i = 3; i < 13; i++) expect((await write(i)).status).toBe(200)
})

test.skipIf(isCluster())('a database that is short of memory is answered with 503, and stays ready', async () => {
  await using w = await world({ service: {}, account: 'acme', products: ['A'] })
  const { database, http: call } = w
  const [productId] = w.ids
  await database.db.unsafe(`
    create function short() returns trigger language plpgsql as $$ begin raise sqlstate '53200' using message = 'out of memory'; end $$;
    create trigger short before insert or update on own_stock for each row execute function short()`)
  const answer = await call(`/v1/account/products/${productId}/stock`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ quantity: 1 }),
  })
  expect(answer).toMatchObject({ status: 503, body: { code: 'database-unavailable' } })
  expect(answer.body.detail).toMatch(/short of memory/)
  expect(answer.headers.get('retry-after')).toBe('1')
  expect((await call('/readyz')).status).toBe(200)
})

test.for(['api', 'work', 'api,work'])(
  'METRICS_PORT answers probes without a token, METRICS_TOKEN or not: %s',
  async (names) => {
    const roles = parseRoles(names)
    const METRICS_TOKEN = 'scrape-me-1234567890'
    await using w = await world({ service: { roles, env: { METRICS_PORT: '0', METRICS_TOKEN } } })
    const { service: started } = w
    const ports = [started.service.metricsUrl, started.service.url].filter((url) => url !== null)
    expect(ports).toHaveLength(roles.includes('api') ? 2 : 1)
    for (const url of ports) {
      const call = client(url, null)
      expect(await call('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
      await until('it is ready', async () => (await call('/readyz')).status === 200)
      expect((await call('/readyz')).body).toEqual(READY)
      expect((await call('/readyz', { method: 'HEAD' })).status).toBe(200)
      const posted = await call('/readyz', { method: 'POST' })
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      // a probe may send any token, even one of another service
      expect((await client(url, 'another-token-of-nobody')('/readyz')).status).toBe(200)
    }
    const apart = started.service.metricsUrl!
    expect((await client(apart, null)('/metrics')).status).toBe(401)
    expect((await client(apart, METRICS_TOKEN)('/metrics')).status).toBe(200)
  },
)

test.for(['work', 'api,work'])('not ready while a worker is stuck, and ready again after: %s', async (names) => {
  const roles = parseRoles(names)
  await using w = await world({ service: { roles, env: { METRICS_PORT: '0' } } })
  const { database, service: started } = w
  const call = client(started.service.metricsUrl!, null)
  await until('it is ready', async () => (await call('/readyz')).status === 200)
  await using lock = await hold(database.db, (tx) => tx`lock table mark in access exclusive mode`)
  await until('a worker waits', async () => {
    const [row] = await database.db<{ waits: boolean }[]>`
      select exists (select from pg_locks where not granted and relation = 'mark'::regclass) as waits`
    return row?.waits ?? false
  })
  expect((await call('/readyz')).body).toEqual(READY)
  // 61 s later
  const real = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => real() + 61_000)
  expect(await call('/readyz')).toMatchObject({ status: 503, body: { status: 'unready', unready: ['worker'] } })
  expect((await call('/healthz')).status).toBe(200)
  if (started.service.url !== null)
    expect((await client(started.url, null)('/readyz')).body).toMatchObject({ status: 'unready', unready: ['worker'] })
  await lock.rollback()
  // status and body from one answer: a loop that paused within the skipped minute may count as late a moment later
  await until('it is ready again', async () => {
    const { status, body } = await call('/readyz')
    if (status === 200) expect(body).toEqual(READY)
    return status === 200
  })
})

test('a process that only works takes no port of its own accord: it runs beside an API at the same PORT', async () => {
  await using w = await world({ service: { roles: ['api'] } })
  const env = { PORT: new URL(w.service.url).port }
  await using worker = await startTestService(w.database, { roles: ['work'], env })
  expect([worker.service.url, worker.service.metricsUrl]).toEqual([null, null])
})
