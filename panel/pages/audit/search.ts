export interface AuditSearch {
  person?: number | undefined
  action?: string | undefined
  /** The entry that is open. */
  entry?: number | undefined
}

const id = (value: unknown) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const { action } = search
  return {
    person: id(search['person']),
    action: typeof action === 'string' && action !== '' ? action : undefined,
    entry: id(search['entry']),
  }
}
