import { expect, test } from 'vitest'
import { createFilledAccount, fillProducts } from '../../bench/fill.ts'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { sweepAppend } from '../../src/catalog/stale/sweeps.sql.ts'
import { inTransaction } from '../../src/db/sql.ts'
import type { Wake } from '../../src/db/wake.ts'
import { chunksInsert, operationInsert } from '../../src/operations/operations.sql.ts'
import { startOperations } from '../../src/operations/operations.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openPreviews } from '../../src/previews/previews.ts'
import { openDownloadSlots } from '../../src/serve/download.ts'
import { Shelf } from '../../src/shelf/shelf.ts'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { until } from '../harness/interleave.ts'
import { client, startTestService, tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// One account requests hundreds of everything, another only one: its work waits for no more than one turn of the other. The tests
// count the order of work, not times. Imports, fetches, files and webhooks: file-readers.full.pg.test.ts, runs.full.pg.test.ts
// and scheduler.test.ts.

const BATCH = 20
Object.assign(LIMITS, { shelveBatchProducts: BATCH })

const { database, bench } = worldOfFile()

/** Starts work of two accounts. @returns how much work of the greedy one was done before that of the modest one */
async function before(greedy: readonly (() => Promise<unknown>)[], modest: () => Promise<unknown>): Promise<number> {
  let done = 0
  let doneBefore = -1
  const all = greedy.map((work) => work().then(() => done++))
  const one = modest().then(() => (doneBefore = done))
  await Promise.all([...all, one])
  return doneBefore
}
/** Opens all connections of the pool, because opening one takes longer than some of the counted work. */
const openConnections = () => Promise.all(many(10, () => database.db`select pg_sleep(0.2)`).map((work) => work()))
const many = <T>(count: number, work: () => T) => Array.from({ length: count }, () => work)

test('previews of rules', async () => {
  const previews = openPreviews(database.db)
  const [greedy, modest] = [await createAccount(bench, 'many previews'), await createAccount(bench, 'one preview')]
  const { rulePreviewsPerAccountMax: own, rulePreviewsWaitingPerAccountMax: waiting } = LIMITS
  const begun: number[] = []
  const ask = ({ accountId }: typeof greedy, signal?: AbortSignal) =>
    previews.sample(
      accountId,
      async () => {
        begun.push(accountId)
        return { kind: 'pricing', rules: [] }
      },
      signal,
    )
  // with accounts whose inputs are already compiled
  await openConnections()
  await Promise.all([ask(greedy), ask(modest)])
  begun.length = 0
  const refused: unknown[] = []
  const asked = many(own + waiting + 100, () => ask(greedy).catch((error: unknown) => refused.push(error)))
  const asModest = () =>
    ask(modest).then(
      () => 'looked at',
      (error: unknown) => error,
    )
  const answers = await Promise.all([...asked, asModest].map((work) => work()))
  expect(answers.at(-1)).toBe('looked at')
  expect(refused).toHaveLength(100)
  expect(refused[0]).toMatchObject({ code: 'rate-limited' })
  expect(begun).toHaveLength(own + waiting + 1)
  expect(begun.indexOf(modest.accountId)).toBeLessThanOrEqual(2 * own)
  // work that leaves the queue uses no turn
  const leaving = new AbortController()
  const left = [...many(own, () => ask(greedy)).map((work) => work()), ask(greedy, leaving.signal)]
  leaving.abort(new Error('the client is gone'))
  expect((await Promise.allSettled(left)).map(({ status }) => status)).toEqual([
    ...many(own, () => '').map(() => 'fulfilled'),
    'rejected',
  ])
})

test('writes: the connections of the pool are not one account’s', { retry: 2 }, async () => {
  const [greedy, modest] = [await createAccount(bench, 'many writes'), await createAccount(bench, 'one write')]
  const write = (accountId: number) =>
    bench.shelf.write(accountId, async (tx) => {
      await tx`select pg_sleep(0.1)`
      return { productIds: [], isForAll: false }
    })
  await openConnections()
  await Promise.all([write(greedy.accountId), write(modest.accountId)])
  const doneBefore = await before(
    many(120, () => write(greedy.accountId)),
    () => write(modest.accountId),
  )
  expect(doneBefore).toBeLessThanOrEqual(10 * LIMITS.requestTransactionsShareOfAccount)
})

/** A Wake for this process only, with the notifications that it sent, in order. */
function toldWake(): { wake: Wake; told: [string, number][] } {
  const told: [string, number][] = []
  const wake: Wake = {
    notify: (topic, accountId) => void told.push([topic, accountId]),
    on: () => () => {},
    start: async () => {},
    stop: async () => {},
  }
  return { wake, told }
}

test('operations', async () => {
  const [greedy, modest] = [await createAccount(bench, 'many operations'), await createAccount(bench, 'one operation')]
  const bulk = ({ accountId }: typeof greedy) =>
    inTransaction(database.db, async (tx) => {
      const id = await operationInsert(tx, accountId, { kind: 'bulk_stock', state: 'queued', total: 0 })
      await chunksInsert(tx, accountId, id, [{ firstRow: 0, rows: '[]' }])
    })
  for (let i = 0; i < 60; i++) await bulk(greedy)
  await bulk(modest)
  const { wake, told } = toldWake()
  const loop = startOperations(database.db, wake, silentLog)
  await until('all are done', async () => told.filter(([topic]) => topic === 'mark').length >= 61)
  await loop.stop()
  // each step sends a notification `mark`
  const steps = told.filter(([topic]) => topic === 'mark').map(([, accountId]) => accountId)
  expect(steps.indexOf(modest.accountId)).toBeLessThanOrEqual(1)
})

test('shelving, from sweeps and from marks', { retry: 2 }, async () => {
  const greedy = await createFilledAccount(database.db, 'much to shelve', 1)
  await fillProducts(database.db, greedy, 30 * BATCH)
  await inTransaction(database.db, (tx) => sweepAppend(tx, greedy.accountId, 'filled'))
  const modest = await createAccount(bench, 'little to shelve')
  await giveOffers(bench, modest, [offer('A')])
  await inTransaction(database.db, (tx) => editStore(tx, modest.accountId, modest.storeIds[0], { currency: 'USD' }))
  const { wake, told } = toldWake()
  const worker = new Shelf(database.db, wake, silentLog).startWorker('alone')
  await until('the modest account is shelved', async () => told.some(([, accountId]) => accountId === modest.accountId))
  await worker.stop()
  const changed = told.filter(([topic]) => topic === 'change').map(([, accountId]) => accountId)
  expect(changed.indexOf(modest.accountId)).toBeLessThanOrEqual(2)
})

test('downloads', () => {
  const slots = openDownloadSlots()
  const taken = many(LIMITS.exportsPerAccountMax, () => slots.take(1)).map((take) => take())
  for (let i = 0; i < 300; i++) expect(() => slots.take(1)).toThrow(/at most 4 downloads of an account/)
  slots.take(2)()
  for (const release of taken) release()
})

test('long polls: one change wakes hundreds, which read by turns', { timeout: 120_000, retry: 2 }, async () => {
  await using service = await startTestService(database)
  const shelf = new Shelf(database.db, toldWake().wake, silentLog)
  const quiet = { ...bench, shelf }
  const [greedy, modest] = [await createAccount(bench, 'many polls'), await createAccount(bench, 'one poll')]
  const tokensOf = async ({ accountId }: typeof greedy, count: number) =>
    Promise.all(many(count, () => tokenFor(service.runtime, accountId)).map((make) => make()))
  const [tokens, [token = '']] = [await tokensOf(greedy, 10), await tokensOf(modest, 1)]
  const cursorOf = async (of: string) => {
    const { body } = await client(service.url, of)('/v1/changes?since=now')
    return `since=${encodeURIComponent(body.next_since)}&since_id=${body.next_id}`
  }
  const polling = (of: string, cursor: string) => () => client(service.url, of)(`/v1/changes?${cursor}&wait=20`)
  const rounds: number[] = []
  // the fallback for lost notifications may scan between the two writes; and without turns one round of ten passes by chance
  const isIn = (rounds: readonly number[]) => rounds.filter((count) => count <= 20).length
  for (let round = 1; isIn(rounds) < 3 && round - 1 - isIn(rounds) < 3; round++) {
    const [cursor, own] = [await cursorOf(tokens[0] ?? ''), await cursorOf(token)]
    const counted = before(
      Array.from({ length: 200 }, (_, i) => polling(tokens[i % tokens.length] ?? '', cursor)),
      polling(token, own),
    )
    await until('all wait', async () =>
      /shelfwire_long_polls\S* 201\b/.test(await (await fetch(`${service.url}/metrics`)).text()),
    )
    await Promise.all([greedy, modest].map((account) => giveOffers(quiet, account, [offer(`A${round}`)])))
    const { wake } = service.runtime
    wake.notify('change', greedy.accountId)
    wake.notify('change', modest.accountId)
    rounds.push(await counted)
  }
  expect(isIn(rounds), rounds.join()).toBe(3)
})
