import { LIST_AUDIT } from '../../../contract/panel/audit.ts'
import { representAuditEntry } from '../../people/audit-log.ts'
import { auditList } from '../../people/audit.sql.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { pageOf } from './represent.ts'

/** The audit trail of an account. */
export function auditHandlers(app: PanelApp, { db }: ServeContext): void {
  app.handle(LIST_AUDIT, async ({ accountId, query }) => {
    const { before, per_page: perPage, person_id: personId, action } = query
    const rows = await auditList(db, accountId, { before, personId, action, limit: perPage + 1 })
    return pageOf(rows, perPage, (row) => row.entryId, representAuditEntry)
  })
}
