import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TokenRate } from '../../src/accounts/token-rate.ts'
import { tokenRatesTake } from '../../src/accounts/token-rates.sql.ts'
import { limitsByDefault } from '../../src/platform/limits/account-limits.ts'
import { openDb } from '../../src/db/open-db.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { hold, until } from '../harness/interleave.ts'
import { sendFor, type Read } from '../harness/requests.ts'
import { client, startTestService, tokenFor, type TestService } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// The rate limit of a token over several processes; here each process is a service with a connection pool of its own.
// test/crash/rate-limit.full.pg.test.ts has real processes, one of which is killed.

const PER_SECOND = 20
const BURST = PER_SECOND * LIMITS.rateBurstSeconds
const PORTION = BURST / LIMITS.ratePortionsPerBurst

/** Settings with this limit per token. The tokens are one account's, whose own budget is tested in test/accounts/budgets.full.pg.test.ts. */
const limited = (perSecond: number) => ({
  RATE_LIMIT_PER_SECOND: String(perSecond),
  ACCOUNT_LIMITS: 'requests_per_second=none',
})

const { database, account } = worldOfFile({ account: 'acme' })
let services: TestService[]
beforeAll(async () => {
  const env = limited(PER_SECOND)
  services = await Promise.all([1, 2, 3].map(() => startTestService(database, { env })))
})
afterAll(() => Promise.all(services.map((service) => service[Symbol.asyncDispose]())))

const freshToken = () => tokenFor(services[0]!.runtime, account.accountId)
const clientsOf = (token: string, count = services.length) =>
  services.slice(0, count).map(({ url }) => client(url, token))
/** The documented upper bound: the limit, and two portions for each process. */
const promised = (seconds: number, processes: number) => BURST + PER_SECOND * seconds + 2 * PORTION * processes
const rows = () => database.db<{ left: number }[]>`select available - granted as left from token_rate order by token_id`

/** Waits until the requests of these clients are taken from the shared bucket of the newest token. */
const sharedAgain = (clients: readonly Read[]) =>
  until('the limit is shared again', async () => {
    await sendFor(50, clients)
    return ((await rows()).at(-1)?.left ?? BURST) < BURST / 4
  })

test(
  'a token that uses three processes at once gets what one process would give, and two portions more for each at most',
  { retry: 2 },
  async () => {
    const { admitted, refused, seconds } = await sendFor(2_000, clientsOf(await freshToken()))
    expect(refused).toBeGreaterThan(100)
    expect(admitted).toBeLessThanOrEqual(promised(seconds, 3))
    // and not much less
    expect(admitted).toBeGreaterThan(0.85 * (BURST + PER_SECOND * seconds))
  },
)

test('a token that comes back to processes again and again gets no new portion each time', { retry: 2 }, async () => {
  const read = clientsOf(await freshToken())
  const from = performance.now()
  let admitted = 0
  for (let i = 0; i < 12; i++) admitted += (await sendFor(150, [read[i % 3]!], { connections: 8 })).admitted
  expect(admitted).toBeLessThanOrEqual(promised((performance.now() - from) / 1_000, 3))
})

test('a token that uses one process only loses nothing, however fast it sends', { retry: 2 }, async () => {
  const [read] = clientsOf(await freshToken())
  const burst = async (count: number) => {
    const from = performance.now()
    const answers = await Promise.all(Array.from({ length: count }, () => read!('/v1/stores')))
    const admitted = answers.filter(({ status }) => status === 200).length
    return { admitted, most: (PER_SECOND * (performance.now() - from)) / 1_000 }
  }
  const first = await burst(3 * BURST)
  expect(first.admitted).toBeGreaterThanOrEqual(BURST)
  expect(first.admitted).toBeLessThanOrEqual(BURST + Math.ceil(first.most))
  await sleep(1_000)
  const second = await burst(BURST)
  expect(second.admitted).toBeGreaterThanOrEqual(PER_SECOND - 1)
  // after a pause the full burst is admitted again
  await sleep(2_200)
  expect((await burst(BURST)).admitted).toBe(BURST)
})

test(
  'a token whose processes together stay within its limit is not refused, however unevenly it uses them',
  { retry: 2 },
  async () => {
    const [one, other] = clientsOf(await freshToken())
    await sendFor(300, [one!, other!])
    await sleep(1_200)
    const counts = await Promise.all([
      sendFor(3_000, [one!], { connections: 1, pauseMs: 65 }),
      sendFor(3_000, [other!], { connections: 1, pauseMs: 700 }),
    ])
    expect(counts.map(({ refused }) => refused)).toEqual([0, 0])
    expect(counts[0].admitted).toBeGreaterThan(PER_SECOND * 2)
  },
)

test('a request costs no statement of its own, and a token that is seldom used none at all', async () => {
  await using service = await startTestService(database, { env: limited(400) })
  const portion = (400 * LIMITS.rateBurstSeconds) / LIMITS.ratePortionsPerBurst
  let statements = 0
  service.runtime.db.onStatement = (text) => {
    if (text.includes('token_rate')) statements++
  }
  const before = await rows()
  const read = client(service.url, await freshToken())
  for (let i = 0; i < portion / 2 - 1; i++) expect((await read('/v1/stores')).status).toBe(200)
  await sleep(2 * LIMITS.rateCollectMs)
  expect(statements).toBe(0)
  expect(await rows()).toEqual(before)
  for (let i = 0; i < 4 * portion; i++) expect((await read('/v1/stores')).status).toBe(200)
  await sleep(2 * LIMITS.rateCollectMs)
  expect(statements).toBeGreaterThan(3)
  expect(statements).toBeLessThan(12)
})

test('many tokens that need a portion share a statement', async () => {
  const tokens = await Promise.all(Array.from({ length: 30 }, freshToken))
  const { runtime, url } = services[0]!
  let statements = 0
  runtime.db.onStatement = (text) => {
    if (text.includes('token_rate')) statements++
  }
  await Promise.all(tokens.map((token) => sendFor(400, [client(url, token)], { connections: 1, pauseMs: 20 })))
  runtime.db.onStatement = null
  expect(statements).toBeGreaterThan(1)
  // fewer than two for each of the 30 tokens, each of which needed several portions
  expect(statements).toBeLessThan(40)
})

test(
  'what a process that has ended had taken is lost once, and the others go on with all the rest',
  { retry: 2 },
  async () => {
    const token = await freshToken()
    const ending = await startTestService(database, { env: limited(PER_SECOND) })
    const from = performance.now()
    const first = await sendFor(100, [client(ending.url, token)], { connections: 2 })
    await ending[Symbol.asyncDispose]()
    const rest = await sendFor(2_000, clientsOf(token, 2))
    const seconds = (performance.now() - from) / 1_000
    const all = first.admitted + rest.admitted
    expect(all).toBeLessThanOrEqual(promised(seconds, 3))
    expect(all).toBeGreaterThanOrEqual(0.85 * (BURST + PER_SECOND * seconds) - PORTION)
  },
)

test(
  'while the database does not answer, each process keeps the limit alone, and afterwards all do together',
  { retry: 2 },
  async () => {
    const token = await freshToken()
    const clients = clientsOf(token, 2)
    // the stores are in memory, so only the rate limit needs the database
    for (const read of clients) expect((await read('/v1/stores')).status).toBe(200)
    await using lock = await hold(database.db, (tx) => tx`lock table token_rate in access exclusive mode`)
    const alone = await Promise.race([sendFor(1_000, clients), sleep(5_000).then(() => null)])
    expect(alone, 'requests wait for the database').not.toBeNull()
    if (alone === null) return
    await lock.commit()
    const each = BURST + PER_SECOND * alone.seconds
    expect(alone.admitted).toBeGreaterThan(1.7 * each)
    expect(alone.admitted).toBeLessThanOrEqual(2 * each)
    await sharedAgain(clients)
    const together = await sendFor(2_000, clients)
    expect(together.admitted).toBeLessThanOrEqual(promised(together.seconds, 2))
  },
)

test('a statement that fails leaves each process its own limit until it succeeds again', { retry: 2 }, async () => {
  const clients = clientsOf(await freshToken(), 2)
  await database.db`alter table token_rate rename to token_rate_away`
  const alone = await sendFor(1_000, clients)
  await database.db`alter table token_rate_away rename to token_rate`
  const each = BURST + PER_SECOND * alone.seconds
  expect(alone.admitted).toBeGreaterThan(1.7 * each)
  expect(alone.admitted).toBeLessThanOrEqual(2 * each)
  await sharedAgain(clients)
})

const RATE = { perSecond: PER_SECOND, burst: BURST }

test('processes that take from the same buckets at once, in any order, take no more than there is', async () => {
  const { accountId } = await createAccount(openBench(database.db))
  const db = openDb({ url: database.url, connectionsMax: 8 })
  const tokenIds = [9_001, 9_002, 9_003, 9_004]
  const taken = new Map<number, number>()
  const from = performance.now()
  const failures: unknown[] = []
  await Promise.all(
    Array.from({ length: 160 }, async (_, i) => {
      const order = i % 2 === 0 ? tokenIds : [...tokenIds].reverse()
      const asked = order.map((tokenId) => ({ accountId, tokenId, rate: RATE, owed: 0, wanted: 3 }))
      const given = await tokenRatesTake(db, asked).catch((error: unknown) => {
        failures.push(error)
        return []
      })
      for (const { tokenId, granted } of given) taken.set(tokenId, (taken.get(tokenId) ?? 0) + granted)
    }),
  )
  await db.end()
  expect(failures).toEqual([])
  const most = BURST + (PER_SECOND * (performance.now() - from)) / 1_000
  for (const tokenId of tokenIds) {
    expect(taken.get(tokenId)).toBeGreaterThanOrEqual(BURST)
    expect(taken.get(tokenId)).toBeLessThanOrEqual(most)
  }
})

test('processes that begin owe the portions that they began with', async () => {
  const { accountId } = await createAccount(openBench(database.db))
  const from = performance.now()
  for (let i = 0; i < 20; i++) {
    const rate = new TokenRate(database.db, silentLog, PER_SECOND, { of: limitsByDefault })
    for (let n = 0; n < PORTION; n++)
      expect(await rate.take({ accountId, tokenId: 9_008 })).toMatchObject({ isAllowed: true })
  }
  const isOwed = async () => {
    const [row] = await database.db<{ left: number }[]>`
      select available - granted as left from token_rate where account_id = ${accountId} and token_id > 0`
    const came = (PER_SECOND * (performance.now() - from)) / 1_000
    return row !== undefined && row.left <= BURST - 20 * PORTION + came
  }
  const seen = until('the last one has asked', isOwed, 2_000).then(
    () => 'owed',
    () => 'free',
  )
  expect(await seen).toBe('owed')
})

test('debt is paid back, and a clock that is set back neither gives anything nor stops the bucket from filling', async () => {
  const { accountId } = await createAccount(openBench(database.db))
  // a hundredth of the rate and a hundred times as much time, so that time that really passes is negligible on a busy machine, too
  const slow = { perSecond: PER_SECOND / 100, burst: BURST }
  const take = async (owed: number, wanted: number, rate = slow) => {
    const [row] = await tokenRatesTake(database.db, [{ accountId, tokenId: 9_009, rate, owed, wanted }])
    return { granted: row!.granted, left: Math.floor(row!.left) }
  }
  const moveClock = (seconds: number) =>
    database.db`update token_rate set at = (at at time zone 'UTC' - make_interval(secs => ${seconds})) at time zone 'UTC' where account_id = ${accountId}`
  expect(await take(0, 5)).toEqual({ granted: 5, left: BURST - 5 })
  expect(await take(BURST - 5, 5)).toEqual({ granted: 0, left: 0 })
  expect(await take(10, 5)).toEqual({ granted: 0, left: -10 })
  await moveClock(100)
  expect(await take(0, 5)).toEqual({ granted: 5, left: 5 })
  // a clock far back refills nothing; from then on the bucket fills again
  await moveClock(-360_000)
  expect(await take(0, 5)).toEqual({ granted: 5, left: 0 })
  expect(await take(0, 5)).toEqual({ granted: 0, left: 0 })
  await moveClock(50)
  expect((await take(0, 10)).granted).toBe(10)
  // a clock less than a second back, as when statements overtake each other: that time is not credited twice
  await moveClock(-0.9)
  expect((await take(0, 10, RATE)).granted).toBe(0)
  await moveClock(0.3)
  expect((await take(0, 10, RATE)).granted).toBe(0)
  await moveClock(360_000)
  expect(await take(0, 0)).toEqual({ granted: 0, left: BURST })
})
