import type { Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { mapYielding } from '../platform/yielding.ts'
import type { BulkKind } from './bulk/write.ts'
import { chunksInsert, operationInsert, operationsOpen, spoolersLock } from './operations.sql.ts'

/**
 * Stores the rows of a bulk as sent, in the caller's transaction; the loop writes them in the order of their operations
 * and rows. Notify `operation` after the commit.
 * @returns the operation's id.
 * @throws ShelfwireError invalid-input for too many rows; conflict while too many operations are open.
 */
export async function spool(
  tx: Tx,
  accountId: number,
  kind: BulkKind,
  rows: readonly unknown[],
  isDryRun: boolean,
): Promise<number> {
  if (rows.length > LIMITS.bulkRowsMax) {
    throw new ShelfwireError('invalid-input', `a bulk has at most ${LIMITS.bulkRowsMax} rows`, {
      faults: [{ name: 'rows', reason: `are ${rows.length}` }],
    })
  }
  await spoolersLock(tx, accountId)
  if ((await operationsOpen(tx, accountId)) >= LIMITS.operationsOpenPerAccountMax) {
    throw new ShelfwireError(
      'conflict',
      `${LIMITS.operationsOpenPerAccountMax} operations of the account have not ended yet; wait for some, or cancel them`,
    )
  }
  const operationId = await operationInsert(tx, accountId, { kind, state: 'queued', isDryRun, total: rows.length })
  // at least one chunk, so that an operation without rows ends like any other
  const starts = Array.from(
    { length: Math.max(1, Math.ceil(rows.length / LIMITS.operationChunkRows)) },
    (_, i) => i * LIMITS.operationChunkRows,
  )
  const chunks = await mapYielding(starts, (firstRow) => ({
    firstRow,
    rows: JSON.stringify(rows.slice(firstRow, firstRow + LIMITS.operationChunkRows)),
  }))
  let part: typeof chunks = []
  let characters = 0
  for (const chunk of chunks) {
    if (part.length > 0 && characters + chunk.rows.length > LIMITS.shelveStatementCharacters) {
      await chunksInsert(tx, accountId, operationId, part)
      part = []
      characters = 0
    }
    part.push(chunk)
    characters += chunk.rows.length
  }
  await chunksInsert(tx, accountId, operationId, part)
  return operationId
}
