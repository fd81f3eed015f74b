import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFilledAccount, fillProducts } from '../../bench/fill.ts'
import { sweepAppend } from '../../src/catalog/stale/sweeps.sql.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openBench, expectAudited } from '../harness/account.ts'
import { until } from '../harness/interleave.ts'
import { client, tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Two writes of settings per second for a minute, each of which affects every product. test/shelf/sweep-turns.full.pg.test.ts tests
// the same step by step.

const PRODUCTS = 5_000
const LASTS_MS = 30_000
const EVERY_MS = 500
const CURRENT_WITHIN_MS = 10_000
/**
 * The longest allowed delay, as a multiple of the time of a single write, measured before and after, on a busy machine. If writes
 * were not shelved together, the delay would grow with each.
 */
const CURRENT_WITHIN_ALONE = 10

const { database, service } = worldOfFile({ service: { roles: ['api', 'work'] } })

test(
  'with two configuration writes a second every product is current 10 s after each, and their operations end',
  { timeout: 240_000, retry: 2 },
  async () => {
    const { db } = database
    const account = await createFilledAccount(db, 'load', 1)
    const { accountId, defaultRuleId } = account
    await fillProducts(db, account, PRODUCTS)
    await inTransaction(db, (tx) => sweepAppend(tx, accountId, 'filled'))
    await openBench(db).shelf.drain(accountId)
    const call = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
    const groups = (await call('/v1/account/groups')).body.data as { id: number }[]
    const write = (method: string, path: string, body: unknown) =>
      call(`/v1/account${path}`, {
        method,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', prefer: 'wait=0' },
      })
    const kinds = [
      (n: number) => write('PATCH', `/pricing-rules/${defaultRuleId}`, { percent: String(10 * n) }),
      (n: number) => write('PUT', '/rates/PLN', { rate: `4.${1_000 + n}` }),
      (n: number) => write('PATCH', `/groups/${groups[1]?.id}`, { name: `Wholesale ${n}` }),
      (n: number) => write('PATCH', `/attributes/color`, { labels: { de: `Farbe ${n}` } }),
    ]

    const operations = () => db<{ state: string; took: number; total: number; done: number }[]>`
      select state, (extract(epoch from coalesce(ended_at, now()) - created_at) * 1000)::int as took, total, done from operation
      where account_id = ${accountId} order by operation_id`
    /** The time of a write of the default rule until its operation has ended, without other work. */
    const alone = async (percent: number) => {
      const from = performance.now()
      expect((await kinds[0]!(percent)).status).toBe(200)
      await until(
        'the operation ends',
        async () => (await operations()).every(({ state }) => state === 'succeeded'),
        60_000,
      )
      return performance.now() - from
    }
    const aloneBefore = await alone(-1)

    /** When each write of the default rule’s percentage was answered. */
    const answeredAt = new Map<number, number>()
    /** The longest time after its answer at which a write was not yet in the prices of all products. */
    let behindMax = 0
    let openMax = 0
    const look = async () => {
      const now = performance.now()
      const [row] = await db<{ oldest: number; open: number }[]>`
        select (select round(min((price ->> 'computed_price')::numeric / (price ->> 'base_cost')::numeric - 1) * 10)::int
            from (select ('{' || body || '}')::json -> 'prices' -> 0 as price from payload_price where account_id = ${accountId}) p) as oldest,
          (select count(*)::int from sweep where account_id = ${accountId}) as open`
      // the write cannot be derived exactly from rounded prices of small costs, so a difference of one is ignored
      for (const [n, at] of answeredAt) if (n > row!.oldest + 1) behindMax = Math.max(behindMax, now - at)
      openMax = Math.max(openMax, row!.open)
    }
    const answers: Promise<unknown>[] = []
    const statuses: number[] = []
    const begin = performance.now()
    for (let n = 0; performance.now() - begin < LASTS_MS; n++) {
      const kind = n % kinds.length
      const answer = kinds[kind]!(n)
      answers.push(
        answer.then(({ status }) => {
          statuses.push(status)
          if (kind === 0) answeredAt.set(n, performance.now())
        }),
      )
      await look()
      await sleep(Math.max(0, begin + (n + 1) * EVERY_MS - performance.now()))
    }
    await Promise.all(answers)
    await until(
      'the operations end',
      async () => (await operations()).every(({ state }) => state === 'succeeded'),
      60_000,
    )
    await look()
    const took = Math.max(...(await operations()).map((row) => row.took))
    const aloneMs = Math.max(aloneBefore, await alone(1_000))
    const within = Math.max(CURRENT_WITHIN_MS, CURRENT_WITHIN_ALONE * aloneMs)
    process.stdout.write(
      `${statuses.length} writes; one alone ${Math.round(aloneMs)} ms, at most ${Math.round(behindMax)} ms behind, operations at most ${took} ms; at most ${openMax} parts of sweeps open\n`,
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(statuses.length).toBeGreaterThan(LASTS_MS / EVERY_MS / 2)
    expect(behindMax).toBeLessThan(within)
    expect(took).toBeLessThan(within)
    expect(openMax).toBeLessThan(40)
    await expectAudited(db, accountId)
  },
)
