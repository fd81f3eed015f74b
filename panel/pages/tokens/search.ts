import { idIn } from '../../api/address.ts'

/** On one token's page: whether only failed requests are shown, and the open one. */
export interface TokenSearch {
  failed?: true | undefined
  request?: number | undefined
}

export function tokenSearch(search: Record<string, unknown>): TokenSearch {
  return { failed: search['failed'] === true ? true : undefined, request: idIn(search['request']) }
}
