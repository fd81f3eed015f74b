import type { Tx } from '../db/sql.ts'
import { HouseError } from '../ground/errors.ts'
import { LIMITS } from '../ground/limits.ts'
import type { BulkKind } from './bulk/write.ts'
import { chunksInsert, operationInsert, operationsOpen } from './store.ts'

/**
 * Keeps the rows of a bulk, as they were sent, in the caller's transaction; the loop writes them in the order of their
 * operations and rows. Tell `operation` when it is committed.
 * @returns the operation's id.
 * @throws HouseError invalid-input for too many rows; conflict while too many operations are open.
 */
export async function spool(tx: Tx, accountId: number, kind: BulkKind, rows: readonly unknown[], isDryRun: boolean): Promise<number> {
  if (rows.length > LIMITS.bulkRowsMax) {
    throw new HouseError('invalid-input', `a bulk has at most ${LIMITS.bulkRowsMax} rows`, { faults: [{ name: 'rows', reason: `are ${rows.length}` }] })
  }
  if ((await operationsOpen(tx, accountId)) >= LIMITS.operationsOpenPerAccountMax) {
    throw new HouseError('conflict', `${LIMITS.operationsOpenPerAccountMax} operations of the account have not ended yet; wait for some, or cancel them`)
  }
  const operationId = await operationInsert(tx, accountId, { kind, state: 'queued', isDryRun, total: rows.length })
  let part: { firstRow: number; rows: string }[] = []
  let characters = 0
  // one chunk at least, so that an operation without rows ends as any other
  for (let firstRow = 0; firstRow === 0 || firstRow < rows.length; firstRow += LIMITS.operationChunkRows) {
    const chunk = { firstRow, rows: JSON.stringify(rows.slice(firstRow, firstRow + LIMITS.operationChunkRows)) }
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
