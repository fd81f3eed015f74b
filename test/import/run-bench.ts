import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import { openFileReaders } from '../../src/file-readers/readers.ts'
import type { Fetched } from '../../src/imports/fetch/fetched.ts'
import { openRunFiles } from '../../src/imports/files/open-run-files.ts'
import { startImports } from '../../src/imports/runs/loop/loop.ts'
import { openKeptLimits } from '../../src/accounts/limits/kept-limits.ts'
import { TokenRate } from '../../src/accounts/token-rate.ts'
import type { RunContext } from '../../src/imports/runs/loop/run-context.ts'
import { enqueueRun, undoRun, type RunRequest } from '../../src/imports/runs/runs.ts'
import { runGet, type RunRow } from '../../src/imports/runs/runs.sql.ts'
import { openDiskObjects } from '../../src/objects/disk-objects.ts'
import { openUnfinished } from '../../src/objects/unfinished.ts'
import { silentLog } from '../../src/platform/log.ts'
import type { Loop } from '../../src/platform/process/loop.ts'
import { openBench, type Bench, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { until } from '../harness/interleave.ts'

/** A mapping of files whose columns have the names of the fields. */
export const MAPPING = {
  format: 'csv',
  locale: 'en',
  fields: {
    sku: 'sku',
    cost: { column: 'cost', optional: true },
    quantity: { column: 'qty', optional: true },
    title: { column: 'title', optional: true },
    ean: { column: 'ean', optional: true },
  },
}

/** For tests of stored import runs: a database, a file store on disk, and the context of runs. */
export interface RunBench extends AsyncDisposable {
  database: TestDatabase
  bench: Bench
  context: RunContext
  directory: string
  /** The result of the next fetches of a source; by default they fail. */
  fetch: { next: () => Promise<Fetched> }
  /** Requests a run of a file with this content for the account's first supplier. @returns its id */
  ask(account: TestAccount, content: string, over?: Partial<RunRequest>): Promise<number>
  /** Does all runs of the account that are due, and shelves what they marked. */
  work(account: TestAccount): Promise<void>
  /** Requests a run, does it, and returns its row. */
  bring(account: TestAccount, content: string, over?: Partial<RunRequest>): Promise<RunRow>
  undo(account: TestAccount, runId: number, isForced?: boolean): Promise<RunRow>
  run(account: TestAccount, runId: number): Promise<RunRow>
  start(over?: Partial<RunContext>): Loop
}

/** @param given an existing database; by default a new one is created */
export async function openRunBench(given?: TestDatabase): Promise<RunBench> {
  const database = given ?? (await createDatabase())
  const bench = openBench(database.db)
  const { db, wake, shelf } = bench
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-runs-'))
  const unfinished = openUnfinished(join(directory, 'unfinished'))
  const files = openRunFiles(openDiskObjects(join(directory, 'imports')), '', unfinished)
  const fetch: RunBench['fetch'] = {
    next: async () => ({ kind: 'failed', fault: 'none', detail: 'nothing here', retryAfterMs: null, isForGood: true }),
  }
  const readers = openFileReaders(silentLog)
  const limits = openKeptLimits(db, wake, silentLog)
  const context: RunContext = {
    db,
    wake,
    log: silentLog,
    files,
    unfinished,
    fetchSource: () => fetch.next(),
    readers,
    rates: new TokenRate(db, silentLog, 0, limits),
  }
  const run = async ({ accountId }: TestAccount, runId: number) => {
    const row = await runGet(db, accountId, runId)
    if (row === undefined) throw new Error(`there is no run ${runId}`)
    return row
  }
  const work = async (account: TestAccount) => {
    await using loop = stopped(startImports(context))
    await until('all runs are done', async () => {
      await shelf.drain(account.accountId)
      loop.poke()
      return (await openRuns(db, account.accountId)) === 0
    })
  }
  const ask = async (
    { accountId, suppliers: [supplier] }: TestAccount,
    content: string,
    over: Partial<RunRequest> = {},
  ) => {
    const file = await files.keep(accountId, chunks(content), 'offers.csv')
    const request: RunRequest = {
      supplierId: supplier!.supplierId,
      sourceId: null,
      trigger: 'upload',
      mode: 'full',
      mapping: MAPPING,
      file,
      isDryRun: false,
      isConfirmed: false,
      ...over,
    }
    return inTransaction(db, (tx) => enqueueRun(tx, accountId, request))
  }
  return {
    database,
    bench,
    context,
    directory,
    fetch,
    ask,
    work,
    run,
    async bring(account, content, over) {
      const runId = await ask(account, content, over)
      await work(account)
      return run(account, runId)
    },
    async undo(account, runId, isForced) {
      const undoing = await inTransaction(db, (tx) => undoRun(tx, account.accountId, runId, isForced))
      await work(account)
      return run(account, undoing)
    },
    start: (over = {}) => startImports({ ...context, ...over }),
    async [Symbol.asyncDispose]() {
      await readers.close()
      await rm(directory, { recursive: true, force: true })
      await database[Symbol.asyncDispose]()
    },
  }
}

/** The result of fetching a file with this content. */
export async function fetchedFile(bench: RunBench, content: string, hash: string): Promise<Fetched> {
  const path = join(bench.directory, `fetched-${hash}`)
  await writeFile(path, content)
  const bytes = Buffer.byteLength(content)
  return { kind: 'file', path, name: 'offers.csv', bytes, hash, etag: '"1"', lastModified: null, version: 1 }
}

export function stopped(loop: Loop): Loop & AsyncDisposable {
  return { ...loop, [Symbol.asyncDispose]: () => loop.stop() }
}

export async function openRuns(db: Db, accountId: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from import_run where account_id = ${accountId} and ended_at is null`
  return row?.count ?? 0
}

export async function* chunks(content: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000)
}

/** All columns of an account's offers, except ids and times. */
export async function offersOf(db: Db, accountId: number): Promise<unknown[]> {
  return db<{ offer: unknown }[]>`
    select jsonb_build_array(o.supplier_id, o.supplier_sku, o.product_id, trim_scale(o.cost), o.currency, o.quantity, o.feed_hash,
      o.absent_since is not null, c.manufacturer, c.category, c.texts, c.attributes, c.images,
      (select jsonb_agg(e.ean order by e.position) from product_ean e where e.account_id = ${accountId}
        and e.product_id = o.product_id and e.supplier_id = o.supplier_id and e.supplier_sku = o.supplier_sku)) as offer
    from offer o left join offer_content c on c.account_id = ${accountId} and c.product_id = o.product_id
      and c.supplier_id = o.supplier_id and c.supplier_sku = o.supplier_sku
    where o.account_id = ${accountId} and o.dropped_at is null order by o.supplier_id, o.supplier_sku`
}

/** All payloads that stores would read, without ids of removed products. */
export async function payloadsOf(db: Db, accountId: number): Promise<unknown[]> {
  return db`
    select p.store_id, p.product_id, p.body as price, c.body as content from payload_price p
    left join payload_content c on c.account_id = ${accountId} and c.store_id = p.store_id and c.product_id = p.product_id
    where p.account_id = ${accountId} order by 1, 2`
}
