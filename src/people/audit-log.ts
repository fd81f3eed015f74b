import type { AuditEntry } from '../../contract/panel/audit.ts'
import type { Reader } from '../db/sql.ts'
import { formatTimestamp } from '../platform/timestamp.ts'
import { auditAfter, type AuditRow } from './audit.sql.ts'

const PAGE = 500
/** Far longer than a write takes: none that began so long ago is still to come before one that is there. */
const SETTLED_SECONDS = 300

/** An entry as the API and the audit log on disk have it. */
export const representAuditEntry = (row: AuditRow): AuditEntry => ({
  id: row.entryId,
  at: formatTimestamp(row.at),
  actor: { person_id: row.personId, name: row.actor },
  address: row.address,
  user_agent: row.userAgent,
  action: row.action,
  target: row.target,
  details: row.details,
})

interface AuditLogPage {
  entries: AuditEntry[]
  /** Whoever reads on after this id misses nothing, and reads the entries of the last minutes again. */
  after: number
}

/** Pages of an account's audit log after an entry's id, the oldest entry first. */
export async function* auditLog(reader: Reader, accountId: number, after: number): AsyncGenerator<AuditLogPage> {
  let [readTo, settledTo, isSettled] = [after, after, true]
  for (;;) {
    const rows = await auditAfter(reader, accountId, { after: readTo, limit: PAGE, settledSeconds: SETTLED_SECONDS })
    for (const row of rows) {
      readTo = row.entryId
      isSettled &&= row.isSettled
      if (isSettled) settledTo = row.entryId
    }
    yield { entries: rows.map(representAuditEntry), after: settledTo }
    if (rows.length < PAGE) return
  }
}
