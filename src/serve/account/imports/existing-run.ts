import type { Reader } from '../../../db/sql.ts'
import { runGet, type RunRow } from '../../../imports/runs/runs.sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'

/** @throws ShelfwireError unknown-run */
export async function existingRun(reader: Reader, accountId: number, runId: number): Promise<RunRow> {
  const row = await runGet(reader, accountId, runId)
  if (row === undefined)
    throw new ShelfwireError(
      'unknown-run',
      `the account has no such import run, or it ended more than ${LIMITS.importRunDaysMax} days ago`,
    )
  return row
}
