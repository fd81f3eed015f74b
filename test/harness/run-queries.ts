import { offersByKeys } from '../../src/catalog/products/offers/offer-resource.sql.ts'
import type { Db } from '../../src/db/sql.ts'
import {
  accountsWithOpenRuns,
  changesInsert,
  changesKnown,
  runClaim,
  runPage,
  runProgress,
} from '../../src/imports/runs/loop/claims.sql.ts'
import {
  accountsWithOldFiles,
  accountsWithOldRuns,
  filesForget,
  filesUnnamed,
} from '../../src/imports/runs/forget.sql.ts'
import {
  changesAfter,
  newestWritten,
  openRunOfSource,
  runGroups,
  runGet,
  runReadUnlocked,
  runsAfter,
  runsOpenCount,
} from '../../src/imports/runs/runs.sql.ts'
import { supplierAndSource } from '../../src/imports/sources/sources.sql.ts'
import { reading as read, undone, type HotQuery, type Subject } from './hot-queries.ts'

const HOLDER = '00000000-0000-0000-0000-000000000001'

/** Adds runs of a supplier, of which most have ended and some wait, with changes and refusals of those that have written. */
export async function fillRuns(db: Db, accountId: number, supplierId: number, count: number): Promise<void> {
  await db`
    insert into import_run (account_id, supplier_id, source_id, trigger, mode, mapping, state, file_key, file_hash, has_written, holder_id,
      ended_at)
    select ${accountId}, ${supplierId}, case when i % 5 = 0 then i end, 'schedule', 'full', '{}',
      case when i % 40 = 0 then 'waiting' when i % 2 = 0 then 'succeeded' else 'unchanged' end,
      case when i % 10 = 0 then ${accountId} || '/' || i end, 'hash', i % 2 = 0, ${HOLDER}::uuid,
      case when i % 40 > 0 then now() - i * interval '1 hour' end
    from generate_series(1, ${count}::int) i`
  await db`
    insert into import_run_change (account_id, run_id, supplier_sku, kind, before, after_hash)
    select r.account_id, r.run_id, 'K' || i, 'changed', '{"cost": "1"}', 'x' from import_run r, generate_series(1, 50) i
    where r.account_id = ${accountId} and r.has_written`
  await db`
    insert into import_run_refusal (account_id, run_id, refusal_number, field, reason, count)
    select r.account_id, r.run_id, i, 'cost', 'is odd', 1 from import_run r, generate_series(1, 3) i
    where r.account_id = ${accountId} and r.has_written`
}

/** The hot queries of runs of imports. */
export async function runQueries(db: Db, { accountId, supplierId }: Subject): Promise<HotQuery[]> {
  const [newest] = await db<{ runId: number }[]>`
    select max(run_id) as "runId" from import_run where account_id = ${accountId} and ended_at is null`
  const runId = newest?.runId ?? 0
  const held = { accountId, runId, holderId: HOLDER }
  const write = (name: string, run: Parameters<typeof undone>[2]) => undone(db, name, run)
  const change = { supplierSku: 'K1', kind: 'changed' as const, before: null, afterHash: 'y' }
  return [
    read('runs: accounts', () => accountsWithOpenRuns(db)),
    write('runs: claim', (tx) => runClaim(tx, accountId, runId, HOLDER)),
    write('runs: progress', (tx) => runProgress(tx, held, { rows: 1, bytes: null })),
    write('runs: page', (tx) => runPage(tx, held, { created: 1, changed: 1, zeroed: 1, entries: 3, products: 3 })),
    write('runs: changes', (tx) => changesInsert(tx, held, [change])),
    read('runs: changes known', () => changesKnown(db as never, held, ['K1', 'K2'])),
    read('run', () => runGet(db, accountId, runId)),
    read('runs of an account', async () => await runsAfter(db, accountId, { limit: 20 })),
    read('runs of a supplier', async () => await runsAfter(db, accountId, { supplierId, before: runId, limit: 20 })),
    read('runs of a source', async () => await runsAfter(db, accountId, { sourceId: 40, before: runId, limit: 20 })),
    read('run: look', () => runReadUnlocked(db, accountId, runId)),
    read('runs: newest written', () => newestWritten(db, accountId, supplierId, 'full')),
    read('runs: of a source', () => openRunOfSource(db, accountId, 40)),
    read('runs: open', () => runsOpenCount(db, accountId, supplierId)),
    read('run: groups of rows', () => runGroups(db, accountId, runId)),
    read('run: names', () => supplierAndSource(db, accountId, supplierId, 40)),
    read('run: changes', async () => await changesAfter(db, accountId, runId, 'K2', 20)),
    read('run: changed offers', async () => await offersByKeys(db, accountId, supplierId, ['K1', 'K2'])),
    read('old runs: accounts with files', () => accountsWithOldFiles(db, 7)),
    write('old runs: files', (tx) => filesForget(tx, accountId, 7, 10)),
    read('old runs: unnamed files', () => filesUnnamed(db, accountId, [`${accountId}/x`])),
    read('old runs: accounts', () => accountsWithOldRuns(db, 30)),
  ]
}
