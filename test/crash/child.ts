import process from 'node:process'
import { advanceAccount } from '../../src/catalog/settings/days.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openWake } from '../../src/db/wake.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { runImport } from '../../src/imports/run.ts'
import { RESOLVER_VERSION } from '../../src/resolve/resolve.ts'
import { Shelf } from '../../src/shelf/shelf.ts'
import type { ReadRow } from '../../src/supplier-files/reading.ts'
import { offer } from '../harness/account.ts'

// A process that does one job and may be killed meanwhile (SHELFWIRE_KILL_AT). Run again, it completes the job.

export interface Job {
  url: string
  accountId: number
  kind: 'import' | 'write' | 'sweep' | 'day'
  supplier: { supplierId: number; currency: string }
  /** For `import`: the range of articles in the full file, and their cost. */
  articles: { from: number; to: number; cost: string }
  /** For `write`: the products whose own stock is set to `quantity`. */
  productIds: number[]
  quantity: number
  /** For `sweep`: the rate in złoty per euro. */
  rate: string
  /** For `day`: the day that begins. */
  day: string
}

/**
 * Small pages and batches, so that a job with a hundred products passes many fault points, and a short lease, so that the next
 * import does not wait long.
 */
export const SMALL = {
  importPageRows: 30,
  shelveBatchProducts: 20,
  sweepPartIds: 32,
  importLeaseMs: 2_000,
  importLeaseRenewMs: 500,
}

async function* readRows({ from, to, cost }: Job['articles']): AsyncGenerator<ReadRow[]> {
  for (let at = from; at < to; at += SMALL.importPageRows) {
    const skus = Array.from(
      { length: Math.min(SMALL.importPageRows, to - at) },
      (_, i) => `K${String(at + i).padStart(4, '0')}`,
    )
    yield skus.map((sku, i) => ({ line: at + i + 1, offer: offer(sku, { cost }) }))
  }
}

async function run(job: Job): Promise<void> {
  Object.assign(LIMITS, SMALL)
  const db = openDb({ url: job.url, connectionsMax: 4, applicationName: 'crash-child' })
  const wake = openWake(db, silentLog)
  const shelf = new Shelf(db, wake, silentLog)
  const { accountId } = job
  if (job.kind === 'import') {
    await runImport(db, wake, { accountId, supplier: job.supplier, mode: 'full' }, readRows(job.articles))
  } else if (job.kind === 'write') {
    const rows = job.productIds.map((productId) => ({ productId, quantity: job.quantity, cost: null }))
    await shelf.write(accountId, (tx) => setOwnStock(tx, accountId, rows))
  } else if (job.kind === 'day') {
    await inTransaction(db, (tx) => advanceAccount(tx, accountId, RESOLVER_VERSION, job.day))
  } else {
    // two sweeps, which are merged
    for (const rate of ['5', job.rate])
      await inTransaction(db, (tx) => setRates(tx, accountId, [{ currency: 'PLN', rate }]))
  }
  await shelf.drain(accountId)
  await wake.stop()
  await db.end({ timeout: 5 })
}

const [, , text] = process.argv
if (import.meta.main && text !== undefined) await run(JSON.parse(text) as Job)
