import { formatTimestamp } from '../../platform/timestamp.ts'
import type { OperationRow } from '../../operations/operations.sql.ts'

/** An operation as the API shows it. */
export function operationMembers(row: OperationRow) {
  const at = (date: Date | null) => (date === null ? null : formatTimestamp(date))
  return {
    id: row.operationId,
    kind: row.kind,
    state: row.state,
    dry_run: row.isDryRun,
    total: row.total,
    done: row.done,
    changed: row.changed,
    unchanged: row.unchanged,
    failed: row.failed,
    message: row.message,
    created_at: formatTimestamp(row.createdAt),
    started_at: at(row.startedAt),
    ended_at: at(row.endedAt),
  }
}
