import { test } from 'vitest'
import { createDatabase } from '../harness/database.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { openRunBench, chunks, MAPPING } from './run-bench.ts'
import { runImport } from '../../src/imports/run.ts'
import { importNow } from '../../src/imports/runs/import-now.ts'
import { readOfferPages } from '../../src/supplier-files/read-offers.ts'
import { parseMapping } from '../../src/supplier-files/mapping.ts'

test('measure', { timeout: 600_000 }, async () => {
  const database = await createDatabase()
  const bench = openBench(database.db)
  const runs = await openRunBench(bench)
  const N = 200_000
  const file = (cost: number, title: string, n = N) =>
    'sku,cost,qty,title\n' +
    Array.from({ length: n }, (_, i) => `K${i},${cost}.${i % 100},5,Article ${i} ${title} and a few more words\n`).join(
      '',
    )
  const files: [string, string][] = [
    ['first', file(1, 'a')],
    ['unchanged', file(1, 'a')],
    ['costs', file(2, 'a')],
    ['titles', file(2, 'b')],
    ['zeroed', file(2, 'b', N / 2 + 1)],
  ]
  for (const kept of [false, true]) {
    const account = await createAccount(bench)
    const {
      accountId,
      suppliers: [supplier],
    } = account
    for (const [name, content] of files) {
      const at = performance.now()
      if (kept)
        await importNow(
          runs.context,
          accountId,
          {
            supplierId: supplier!.supplierId,
            mode: 'full',
            mapping: MAPPING,
            isDryRun: false,
            isConfirmed: true,
            name: 'x',
          },
          chunks(content),
          () => {},
        )
      else
        await runImport(
          database.db,
          bench.wake,
          { accountId, supplier: supplier!, mode: 'full', isConfirmed: true },
          readOfferPages(chunks(content), parseMapping(MAPPING)),
        )
      process.stderr.write(
        `MEASURE ${kept ? 'kept' : 'bare'} ${name} ${((performance.now() - at) / 1000).toFixed(2)} s\n`,
      )
    }
    if (kept) {
      const [row] = await database.db<
        { id: number; size: string }[]
      >`select max(run_id)::int as id, pg_size_pretty(pg_total_relation_size('import_run_change')) as size from import_run where account_id = ${accountId}`
      process.stderr.write(`MEASURE size ${row?.size}\n`)
      const at = performance.now()
      await database.db`delete from mark where account_id = ${accountId}`
      const { undoRun } = await import('../../src/imports/runs/runs.ts')
      const { inTransaction } = await import('../../src/db/sql.ts')
      const undoing = await inTransaction(database.db, (tx) => undoRun(tx, accountId, row!.id))
      const loop = runs.start()
      for (;;) {
        const r = await runs.run(account, undoing)
        if (r.state === 'resolving') {
          process.stderr.write(`MEASURE undo of ${r.total} ${((performance.now() - at) / 1000).toFixed(2)} s\n`)
          break
        }
        await new Promise((f) => setTimeout(f, 50))
      }
      await loop.stop()
    }
  }
})
