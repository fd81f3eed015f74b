import { idIn } from '../../api/address.ts'

export interface AuditSearch {
  person?: number | undefined
  action?: string | undefined
  /** The open entry. */
  entry?: number | undefined
}

export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const { action } = search
  return {
    person: idIn(search['person']),
    action: typeof action === 'string' && action !== '' ? action : undefined,
    entry: idIn(search['entry']),
  }
}
