import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReaderDied } from '../../src/file-readers/reader.ts'
import { openFileReaders, type FileReaders } from '../../src/file-readers/readers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { enqueueRun } from '../../src/imports/runs/runs.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { parseMapping } from '../../src/supplier-files/mapping/mapping.ts'
import { comparedOf, type ComparedRow } from '../../src/supplier-files/offer-facts.ts'
import { readOfferPages } from '../../src/supplier-files/read-offers.ts'
import type { ReadRow } from '../../src/supplier-files/reading.ts'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { until } from '../harness/interleave.ts'
import { chunks, fetchedFile, MAPPING, openRunBench, stopped, type RunBench } from './run-bench.ts'
import { ofFile } from '../harness/world.ts'

// Suppliers' files are read in separate processes, so a harmful file affects only its own process.

const runs = ofFile(openRunBench)
/** Readers with too little memory for rows of one product that are far apart. */
let small: FileReaders
beforeAll(async () => {
  // allows 124 MB for the whole process, which needs up to 118 with a tiny file
  small = openFileReaders(silentLog, 40)
})
afterAll(() => small.close())

const GROUPED = parseMapping({ ...MAPPING, group: { by: 'title' } })
/** A file in which rows of the same product are far apart, so that they must be kept in memory. */
function apart(rows: number): string {
  const lines = Array.from({ length: rows }, (_, i) => `S-${i},1,2,${i % 2 === 0 ? i : (i * 7_919) % rows},`)
  return `sku,cost,qty,title,ean\n${lines.join('\n')}\n`
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

async function rowsOf<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const rows: T[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

/** The processes that this process has started to read files. */
async function processes(): Promise<string[]> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'latin1')
  const found: string[] = []
  for (const pid of children.split(' ').filter((text) => text !== '')) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
    if (command.includes('file-readers')) found.push(pid)
  }
  return found
}

test('rows come as they are read in the process itself, with what leaves them out and what is doubtful', async () => {
  const mapping = parseMapping({
    ...MAPPING,
    skip: [
      { column: 'qty', in: ['0'] },
      { column: 'title', in: ['Discontinued'] },
    ],
  })
  const file =
    'sku,cost,qty,title,ean\nA,1,2,Spade,\nB,x,2,"Rake\nwith lines",\nC,1,0,Hoe,\nD,1,9,Discontinued,\nE,1,9,Broom,'
  const warnings: [string[], string[]] = [[], []]
  const here = readOfferPages(chunks(file), mapping, undefined, (warning) => warnings[0].push(warning))
  const there = runs.context.readers.pages(chunks(file), mapping, { warn: (warning) => void warnings[1].push(warning) })
  // cells of omitted rows are sent as texts, and offers are read lazily
  const shown = (row: ReadRow | ComparedRow) => ({
    ...row,
    row: undefined,
    ...('offer' in row ? { offer: row.offer } : {}),
    ...('text' in row ? { text: row.text } : {}),
  })
  const expected = await rowsOf(here)
  const found = await rowsOf(there)
  expect(found.map(shown)).toEqual(expected.map((row) => shown('offer' in row ? comparedOf(row) : row)))
  // the condition is the mapping's own object, by which rows are grouped
  expect(found.flatMap((row) => (row as { condition?: object }).condition ?? [])).toEqual(mapping.skip)
  expect(found).toContainEqual(expect.objectContaining({ condition: mapping.skip![0] }))
  expect(there.doubts()).toEqual(here.doubts())
  expect(warnings[1]).toEqual(warnings[0])
})

// slow on a busy machine, because processes that read files have a low priority
test(
  'a file that takes too much memory ends its process, says so, and the next file is read',
  { timeout: 240_000 },
  async () => {
    const one = { accountId: 1 }
    const died = await rowsOf(small.pages(chunks(apart(400_000)), GROUPED, {})).catch((error: unknown) => error)
    expect(died).toBeInstanceOf(ReaderDied)
    expect(String(died)).toMatch(/takes more than \d+ MB of memory: split it, or simplify the mapping$/)
    expect(await rowsOf(small.pages(chunks(apart(500)), GROUPED, {}))).toHaveLength(500)
    expect(await small.preview(chunks(apart(500)), GROUPED, 3, one)).toHaveLength(3)
  },
)

test('a file that takes too long ends its process, and so does a client that leaves', async () => {
  const { filePreviewWorkMs } = LIMITS
  Object.assign(LIMITS, { filePreviewWorkMs: 1 })
  try {
    await expect(small.preview(chunks(apart(90_000)), GROUPED, 90_000, { accountId: 1 })).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringMatching(/takes longer than/),
    })
  } finally {
    Object.assign(LIMITS, { filePreviewWorkMs })
  }
  const leaving = new AbortController()
  const looked = small.preview(endless(), GROUPED, 100, { accountId: 1, signal: leaving.signal })
  looked.catch(() => {})
  await until('a process looks at it', async () => small.count > 0)
  leaving.abort(new Error('the client is gone'))
  await expect(looked).rejects.toThrow('the client is gone')
  await until('its process has ended', async () => small.count === 0)
})

async function* endless(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`sku,cost,qty,title,ean\n"${'x'.repeat(LIMITS.filePreviewHeadBytes)}`)
  await new Promise((resolve) => setTimeout(resolve, 60_000).unref())
}

test('an account that sends many files leaves places to others, and is told when too many wait', async () => {
  const readers = openFileReaders(silentLog)
  const ending = new AbortController()
  const hold = () => readers.preview(endless(), GROUPED, 100, { accountId: 1, signal: ending.signal })
  try {
    const held = Array.from({ length: 20 }, hold)
    const refused = await Promise.race(held.map((each) => each.catch((error: unknown) => error)))
    expect(refused).toMatchObject({
      code: 'rate-limited',
      message: /files of the account wait to be looked at already/,
    })
    const found = await readers.detect(chunks('sku;cost;stock\nA;1;2\nB;2;3\n'), { accountId: 2 })
    expect(found.form.delimiter).toBe(';')
    ending.abort(new Error('the client is gone'))
    await Promise.allSettled(held)
  } finally {
    ending.abort()
    await readers.close()
  }
})

test('a process has nothing of the environment, runs at low priority, and ends when there is nothing to do', async () => {
  const { fileReaderIdleMs } = LIMITS
  Object.assign(LIMITS, { fileReaderIdleMs: 300 })
  const before = new Set(await processes())
  const readers = openFileReaders(silentLog)
  try {
    await readers.detect(chunks('sku;cost;stock\nA;1;2\n'), { accountId: 1 })
    const [pid] = (await processes()).filter((each) => !before.has(each))
    const environment = (await readFile(`/proc/${pid}/environ`, 'latin1')).split('\0').filter((text) => text !== '')
    expect(environment.map((text) => text.split('=')[0]).toSorted()).toEqual([
      'MALLOC_ARENA_MAX',
      'NODE_NO_WARNINGS',
      'UV_THREADPOOL_SIZE',
    ])
    expect(Number((await readFile(`/proc/${pid}/stat`, 'latin1')).split(') ')[1]?.split(' ')[16])).toBeGreaterThan(0)
    await until('it has ended', async () => readers.count === 0)
  } finally {
    Object.assign(LIMITS, { fileReaderIdleMs })
    await readers.close()
  }
})

async function withFastRetries<T>(work: () => Promise<T>): Promise<T> {
  const { importRunRetrySeconds } = LIMITS
  Object.assign(LIMITS, { importRunRetrySeconds: [0] })
  try {
    return await work()
  } finally {
    Object.assign(LIMITS, { importRunRetrySeconds })
  }
}

const ended = async (account: TestAccount, runId: number) => {
  await until(`run ${runId} has ended`, async () => (await runs.run(account, runId)).endedAt !== null, 120_000)
  return runs.run(account, runId)
}

test(
  'a run that ends its process is set aside the second time, and its source does not begin it anew',
  { timeout: 400_000 },
  async () => {
    const account = await createAccount(runs.bench)
    const { accountId } = account
    await withFastRetries(async () => {
      const mapping = { ...MAPPING, group: { by: 'title' } }
      await using _loop = stopped(runs.start({ readers: small }))
      runs.fetch.next = () => fetchedFile(runs, apart(400_000), hashOf(apart(400_000)))
      const over = { file: null, sourceId: 1, trigger: 'schedule', mapping } as const
      const first = await ended(account, await runs.ask(account, '', over))
      const [interrupted] = await runs.database.db<{ attempts: number; interruptions: number }[]>`
      select attempts, interruptions from import_run where account_id = ${accountId} and run_id = ${first.runId}`
      expect(interrupted).toEqual({ attempts: 2, interruptions: 2 })
      expect(first).toMatchObject({
        state: 'refused',
        problem: { code: 'source-unreadable', detail: expect.stringMatching(/MB of memory: split it/) },
      })
      const again = await ended(account, await runs.ask(account, '', over))
      expect(again).toMatchObject({
        state: 'unchanged',
        warnings: [expect.stringContaining(`that of run ${first.runId}, which was set aside`)],
      })
      // a different file of the same source is imported
      runs.fetch.next = () => fetchedFile(runs, apart(50), hashOf(apart(50)))
      await runs.ask(account, '', over)
      await until('it is written', async () => {
        const [row] = await runs.database.db<{ count: number }[]>`
        select count(*)::int as count from offer where account_id = ${accountId}`
        return row?.count === 50
      })
    })
  },
)

/** A run in the state in which a killed process leaves it. */
async function leftBy(account: TestAccount, state: 'reading' | 'writing', interruptions: number, attempts: number) {
  const runId = await runs.ask(account, 'sku,cost,qty,title,ean\nA,1,2,Spade,\n')
  await runs.database.db`
    update import_run set state = ${state}, interruptions = ${interruptions}, attempts = ${attempts}, holder_id = ${randomUUID()}
    where account_id = ${account.accountId} and run_id = ${runId}`
  return runId
}

test('a run with which the process of the service ended twice is set aside when it is taken up again', async () => {
  const account = await createAccount(runs.bench)
  // it was being written for the second time
  const runId = await leftBy(account, 'writing', 1, 2)
  await using _loop = stopped(runs.start())
  await expect.poll(async () => (await runs.run(account, runId)).state, { timeout: 20_000 }).toBe('refused')
  expect(await runs.run(account, runId)).toMatchObject({
    problem: { detail: expect.stringMatching(/^set aside: 2 times the process that imported it ended/) },
  })
  // a run that a stopping process returned is not counted as interrupted
  const other = await runs.ask(account, 'sku,cost,qty,title,ean\nA,1,2,Spade,\n')
  await until('it is imported', async () => (await runs.run(account, other)).written === 1)
})

test('a run that was read when the process of the service ended is set aside only when that has happened as often as it is begun', async () => {
  const [innocent, cause] = [await createAccount(runs.bench), await createAccount(runs.bench)]
  const begun = await leftBy(innocent, 'reading', 1, 5)
  const lost = await leftBy(cause, 'reading', 0, 6)
  await using _loop = stopped(runs.start())
  await expect.poll(async () => (await runs.run(cause, lost)).state, { timeout: 20_000 }).toBe('refused')
  expect(await runs.run(cause, lost)).toMatchObject({
    problem: { detail: expect.stringMatching(/^set aside: it was begun 6 times, and no page of it was written/) },
  })
  await until('the other is imported', async () => (await runs.run(innocent, begun)).written === 1)
  const [row] = await runs.database.db<{ interruptions: number }[]>`
    select interruptions from import_run where account_id = ${cause.accountId} and run_id = ${lost}`
  // its source does not fetch the same file again
  expect(row).toEqual({ interruptions: 2 })
})

test('the file of a run that was set aside is tried once more a day later, says why, and is left alone after the third time', async () => {
  const account = await createAccount(runs.bench)
  const { db } = runs.database
  const content = 'sku,cost,qty,title,ean\nA,1,2,Spade,\n'
  const scheduled = { file: null, sourceId: 1, trigger: 'schedule' } as const
  runs.fetch.next = () => fetchedFile(runs, content, hashOf(content))
  const asideOnce = async (hoursAgo: number) => {
    const runId = await runs.ask(account, '', scheduled)
    await db`
      update import_run set state = 'refused', interruptions = 2, file_hash = ${hashOf(content)},
        ended_at = now() - make_interval(hours => ${hoursAgo})
      where account_id = ${account.accountId} and run_id = ${runId}`
    return runId
  }
  await db`
    insert into supplier_source (account_id, source_id, supplier_id, name, kind, mapping, mode, time_zone) overriding system value
    values (${account.accountId}, 1, ${account.suppliers[0]!.supplierId}, 'list', 'http', '{}', 'full', 'UTC')`
  const first = await asideOnce(23)
  await using _loop = stopped(runs.start())
  expect(await ended(account, await runs.ask(account, '', scheduled))).toMatchObject({
    state: 'unchanged',
    warnings: [expect.stringContaining(`that of run ${first}, which was set aside`)],
  })
  // the ETag is not kept: with "unchanged" as the answer, the file could never be tried again
  expect(await db`select etag from supplier_source where account_id = ${account.accountId}`).toEqual([{ etag: null }])
  await db`update import_run set ended_at = now() - interval '25 hours' where account_id = ${account.accountId}`
  const again = await runs.ask(account, '', { ...scheduled, isDryRun: true })
  expect(await ended(account, again)).toMatchObject({
    state: 'succeeded',
    rows: 1,
    warnings: [expect.stringMatching(`that of run ${first}, .*: after 24 hours it is tried once more`)],
  })
  await runs.database.db`
    update import_run set interruptions = 2, file_hash = ${hashOf(content)}, ended_at = now() - interval '25 hours'
    where account_id = ${account.accountId}`
  expect(await ended(account, await runs.ask(account, '', scheduled))).toMatchObject({
    state: 'unchanged',
    warnings: [expect.stringContaining('3 runs of it were set aside')],
  })
})

test('fetches that take long keep no import waiting, and of one account there is a bounded number', async () => {
  const attacker = await createAccount(runs.bench)
  const victim = await createAccount(runs.bench)
  let fetching = 0
  let most = 0
  const never = new AbortController()
  const slow: RunBench['context']['fetchSource'] = async (_accountId, _sourceId, signal) => {
    most = Math.max(most, ++fetching)
    await new Promise<void>((resolve) => {
      for (const each of [signal, never.signal]) each.addEventListener('abort', () => resolve())
    })
    fetching--
    signal.throwIfAborted()
    return { kind: 'failed', fault: 'none', detail: 'nothing here', retryAfterMs: null, isForGood: true }
  }
  await using _loop = stopped(runs.start({ fetchSource: slow }))
  for (const [i, { supplierId }] of attacker.suppliers.entries())
    await inTransaction(runs.database.db, (tx) =>
      enqueueRun(tx, attacker.accountId, {
        supplierId,
        sourceId: i + 1,
        trigger: 'request',
        mode: 'full',
        mapping: MAPPING,
        file: null,
        isDryRun: false,
        isConfirmed: false,
      }),
    )
  await until('the attacker fetches', async () => fetching === attacker.suppliers.length)
  const runId = await runs.ask(victim, 'sku,cost,qty,title,ean\nA,1,2,Spade,\nB,1,2,Rake,\nC,1,2,Hoe,\n')
  await expect.poll(async () => (await runs.run(victim, runId)).written, { timeout: 10_000 }).toBe(3)
  expect(most).toBeLessThanOrEqual(LIMITS.sourceFetchesPerAccountAtOnce)
  never.abort()
})
