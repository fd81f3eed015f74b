import { idIn } from '../../api/address.ts'

/** Of one token: only requests that failed, and the one that is open. */
export interface TokenSearch {
  failed?: true | undefined
  request?: number | undefined
}

export function tokenSearch(search: Record<string, unknown>): TokenSearch {
  return { failed: search['failed'] === true ? true : undefined, request: idIn(search['request']) }
}
