import { LIST_AUDIT, type AuditEntry } from '../../../contract/panel/audit.ts'
import { auditList, type AuditRow } from '../../people/audit.sql.ts'
import { formatTimestamp } from '../../platform/timestamp.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { pageOf } from './represent.ts'

const represent = (row: AuditRow): AuditEntry => ({
  id: row.entryId,
  at: formatTimestamp(row.at),
  actor: { person_id: row.personId, name: row.actor },
  address: row.address,
  user_agent: row.userAgent,
  action: row.action,
  target: row.target,
  details: row.details,
})

/** The audit trail of an account. */
export function auditHandlers(app: PanelApp, { db }: ServeContext): void {
  app.handle(LIST_AUDIT, async ({ accountId, query }) => {
    const { before, per_page: perPage, person_id: personId, action } = query
    const rows = await auditList(db, accountId, { before, personId, action, limit: perPage + 1 })
    return pageOf(rows, perPage, (row) => row.entryId, represent)
  })
}
