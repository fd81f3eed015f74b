// Operations: work that the service continues after its answer, at /v1/account/operations.

export const OPERATION = 'GET /v1/account/operations/{id}'

/** As the API sends it. Declared here, because its schema has unions that types do not follow. */
export interface Operation {
  id: number
  kind: string
  state: string
  total: number | null
  done: number
  changed: number
  unchanged: number
  failed: number
  message: string | null
  ended_at: string | null
}

export const isOpen = ({ ended_at: endedAt }: Pick<Operation, 'ended_at'>) => endedAt === null
