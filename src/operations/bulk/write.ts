import { productsWritten } from '../../catalog/stale/written.ts'
import type { Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { writeExclusions } from './exclusions.ts'
import { writeOfferRows } from './offers.ts'
import { writeOverridesBulk } from './overrides.ts'
import { writePrices } from './prices.ts'
import type { BulkResult, BulkWritten } from './results.ts'
import { WHOLE_ROW } from './row.ts'
import type { Rows } from './rows.ts'
import { writeStock } from './stock.ts'

const WRITERS = {
  bulk_offers: writeOfferRows,
  bulk_prices: writePrices,
  bulk_stock: writeStock,
  bulk_overrides: writeOverridesBulk,
  bulk_exclusions: writeExclusions,
} as const

export type BulkKind = keyof typeof WRITERS
export type { BulkResult } from './results.ts'

export interface BulkOptions {
  /** All rows or none. */
  atomic: boolean
  /** Writes and rolls back, so that a dry run finds exactly the same faults. */
  isDryRun: boolean
}

class RolledBack extends Error {}

/**
 * Writes rows as sent, in the caller's transaction, and marks the products. Valid rows are written, invalid ones are reported.
 * A dry run changes nothing; in its results, rows that would create a product have no product id.
 * @returns a result per row, in their order, and the products to be shelved.
 * @throws ShelfwireError invalid-input for too many rows, or for an invalid one if the write is atomic; its faults are
 *   named `rows.3.quantity`.
 */
export async function bulkNow(
  tx: Tx,
  accountId: number,
  kind: BulkKind,
  rows: Rows,
  options: BulkOptions,
): Promise<BulkWritten> {
  if (rows.length > LIMITS.bulkRowsAtOnceMax) {
    throw new ShelfwireError('invalid-input', `at most ${LIMITS.bulkRowsAtOnceMax} rows are written at once`, {
      faults: [{ name: 'rows', reason: `are ${rows.length}` }],
    })
  }
  const written = await writeRows(tx, accountId, kind, rows, options.isDryRun)
  if (options.atomic) refuseFaults(written.value)
  return written
}

/** Writes one batch. Its rows have the effect of being written one after the other. */
export async function writeRows(
  tx: Tx,
  accountId: number,
  kind: BulkKind,
  rows: Rows,
  isDryRun: boolean,
): Promise<BulkWritten> {
  const write = WRITERS[kind]
  if (!isDryRun) return write(tx, accountId, rows)
  let written: BulkWritten = productsWritten([], [])
  await tx
    .savepoint(async (inner) => {
      written = await write(inner, accountId, rows)
      throw new RolledBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
    })
  // the product of a created offer may have been created with it, and was rolled back with it
  const isRolledBack = ({ status }: BulkResult) => kind === 'bulk_offers' && status === 'created'
  return productsWritten(
    [],
    written.value.map((result): BulkResult => (isRolledBack(result) ? { status: 'created' } : result)),
  )
}

function refuseFaults(results: readonly BulkResult[]): void {
  const faults = results.flatMap((result, i) =>
    (result.faults ?? []).map(({ name, reason }) => ({
      name: name === WHOLE_ROW ? `rows.${i}` : `rows.${i}.${name}`,
      reason,
    })),
  )
  const [first] = faults
  if (first === undefined) return
  const failed = results.filter((result) => result.status === 'failed').length
  throw new ShelfwireError(
    'invalid-input',
    `nothing was written, because of ${failed} of ${results.length} rows: ${first.name} ${first.reason}`,
    {
      faults: faults.slice(0, LIMITS.bulkResultsPageMax),
    },
  )
}
