import { afterEach, expect, test, vi } from 'vitest'
import { createDatabase } from '../harness/database.ts'
import { until } from '../harness/interleave.ts'
import { client, startTestService } from '../harness/service.ts'

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
