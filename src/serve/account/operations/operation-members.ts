import { formatTimestamp, timeOrNull } from '../../../platform/time/timestamp.ts'
import type { OperationRow } from '../../../operations/operations.sql.ts'

/** An operation as the API shows it. */
export function operationMembers(row: OperationRow) {
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
    started_at: timeOrNull(row.startedAt),
    ended_at: timeOrNull(row.endedAt),
  }
}
