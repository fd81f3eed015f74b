import { inTransaction } from '../../db/sql.ts'
import { takeImportLease } from '../lease/import-lease.ts'
import type { ImportMode, ImportProgress, ImportReport } from '../run.ts'
import { runClaim } from './loop/claims.sql.ts'
import { executeRun } from './loop/execute.ts'
import type { RunContext } from './loop/run-context.ts'
import { runInsert } from './runs.sql.ts'

export interface ImportNow {
  supplierId: number
  mode: ImportMode
  /** A mapping document that has been validated. */
  mapping: unknown
  isDryRun: boolean
  isConfirmed: boolean
  /** The file's name at its source. */
  name: string
}

/**
 * Imports a file at once, in this process, as a run. If the process is killed after the file was received, a process of the service continues the
 * run.
 * @throws ShelfwireError `import-running` when the supplier has another import, `source-unreadable`, `import-refused`
 */
export async function importNow(
  context: RunContext,
  accountId: number,
  { supplierId, name, ...request }: ImportNow,
  bytes: AsyncIterable<Uint8Array>,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportReport & { runId: number }> {
  const { db, files } = context
  await using lease = await takeImportLease(db, accountId, supplierId)
  const { holderId } = lease
  const run = await inTransaction(db, async (tx) => {
    const runId = await runInsert(tx, accountId, {
      supplierId,
      sourceId: null,
      trigger: 'command',
      file: null,
      ...request,
    })
    return runId === undefined ? undefined : runClaim(tx, accountId, runId, holderId)
  })
  if (run === undefined) throw new Error('a run without a source conflicts with no other')
  const { runId } = run
  const { report, error } = await executeRun(context, accountId, run, lease, {
    signal: new AbortController().signal,
    receive: () => files.keep(accountId, bytes, name),
    isOnce: true,
    onProgress,
  })
  if (error !== undefined || report === undefined) throw error ?? new Error('an import without a report has an error')
  return { ...report, runId }
}
