import { requireHourly } from '../accounts/limits/hourly.ts'
import type { Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { openYielding } from '../platform/turns/yielding.ts'
import type { Rows } from './bulk/rows.ts'
import type { BulkKind } from './bulk/write.ts'
import { chunksInsert, operationAge, operationInsert, operationsOpen, spoolersLock } from './operations.sql.ts'

/**
 * Stores the rows of a bulk as sent, in the caller's transaction. The loop writes them in the order of operations
 * and rows. Notify `operation` after the commit.
 * docs/decisions/044-large-bulks-are-operations-in-chunks.md says why.
 * @returns the operation's id.
 * @throws ShelfwireError invalid-input for too many rows; conflict while too many operations are open; quota-exceeded.
 */
export async function spool(tx: Tx, accountId: number, kind: BulkKind, rows: Rows, isDryRun: boolean): Promise<number> {
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
  await requireHourly(tx, accountId, 'operations_per_hour', (n) => operationAge(tx, accountId, n))
  const operationId = await operationInsert(tx, accountId, { kind, state: 'queued', isDryRun, total: rows.length })
  const turn = openYielding()
  let part: Chunk[] = []
  let characters = 0
  // at least one chunk, so that an operation without rows ends like any other one
  for (let firstRow = 0, isFirst = true; isFirst || firstRow < rows.length; isFirst = false) {
    const { chunk, next } = cutChunk(rows, firstRow)
    firstRow = next
    if (part.length > 0 && characters + chunk.rows.length > LIMITS.statementCharacters) {
      await chunksInsert(tx, accountId, operationId, part)
      part = []
      characters = 0
    }
    part.push(chunk)
    characters += chunk.rows.length
    const others = turn()
    if (others !== null) await others
  }
  await chunksInsert(tx, accountId, operationId, part)
  return operationId
}

interface Chunk {
  firstRow: number
  /** A JSON array. */
  rows: string
}

/** The rows that one step writes, limited by number and by size, because a step parses and writes them at once. */
function cutChunk(rows: Rows, firstRow: number): { chunk: Chunk; next: number } {
  const texts: string[] = []
  let characters = 0
  let next = firstRow
  while (next < rows.length && texts.length < LIMITS.operationChunkRows) {
    const text = rows.text?.(next) ?? JSON.stringify(rows.at(next))
    if (texts.length > 0 && characters + text.length > LIMITS.operationChunkCharacters) break
    texts.push(text)
    characters += text.length
    next++
  }
  return { chunk: { firstRow, rows: `[${texts.join(',')}]` }, next }
}
