import { afterEach, expect, test, vi } from 'vitest'
import { createAccount, giveOffers, offer, openBench } from '../harness/account.ts'
import { createDatabase } from '../harness/database.ts'
import { until } from '../harness/interleave.ts'
import { client, startTestService, tokenFor } from '../harness/service.ts'

afterEach(() => vi.restoreAllMocks())

test('the service stays ready while loops rest that have nothing to do for a minute', async () => {
  await using database = await createDatabase()
  await using started = await startTestService(database, { roles: ['api', 'work'] })
  const call = client(started.url, null)
  await until('it is ready', async () => (await call('/readyz')).status === 200)
  // 61 s later; timers do not follow, so that loops which rest for a minute are still resting
  const real = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => real() + 61_000)
  await until(
    'the busier loops have made a step since',
    async () => (await call('/readyz')).status === 200,
    8_000,
  ).catch(() => {})
  expect((await call('/readyz')).body).toEqual({ status: 'ready', unready: [] })
})

test('a database that only reads, as after a failover: writes get 503, reads go on, and it recovers by itself', async () => {
  await using database = await createDatabase()
  await using started = await startTestService(database)
  const bench = openBench(database.db)
  const account = await createAccount(bench)
  const [productId = 0] = await giveOffers(bench, account, [offer('A')])
  const call = client(started.url, await tokenFor(started.runtime, account.accountId, 'full'))
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
  // the first request may meet a connection that was just terminated
  await until('the service is connected again', async () => (await call('/v1/products')).status === 200)
  const refused = await write(2)
  expect(refused.status).toBe(503)
  expect(refused.headers.get('content-type')).toBe('application/problem+json')
  expect(refused.headers.get('retry-after')).toBe('10')
  expect(refused.body).toMatchObject({ code: 'writes-unavailable', status: 503 })
  expect(await call('/readyz')).toMatchObject({ status: 503, body: { status: 'unready', unready: ['writes'] } })
  expect((await call(`/v1/products/${productId}`)).status).toBe(200)
  // several connections that only read, which nobody but the service itself closes
  const reads = Array.from({ length: 20 }, () => call('/v1/products'))
  expect((await Promise.all(reads)).every(({ status }) => status === 200)).toBe(true)
  await readOnly(false)
  await until('it is ready again', async () => (await call('/readyz')).status === 200, 8_000)
  for (let i = 3; i < 13; i++) expect((await write(i)).status).toBe(200)
})

test('a database that is short of memory is answered with 503, and stays ready', async () => {
  await using database = await createDatabase()
  await using started = await startTestService(database)
  const bench = openBench(database.db)
  const account = await createAccount(bench)
  const [productId = 0] = await giveOffers(bench, account, [offer('A')])
  const call = client(started.url, await tokenFor(started.runtime, account.accountId, 'full'))
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
