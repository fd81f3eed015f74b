import { idIn } from '../../api/address.ts'

/** `new`: the form is open. `from`: where the page leads back to when it is done. */
export function tokensSearch(search: Record<string, unknown>): { new?: true | undefined; from?: 'steps' | undefined } {
  return {
    new: search['new'] === true ? true : undefined,
    from: search['from'] === 'steps' ? 'steps' : undefined,
  }
}

/** Of one token: only requests that failed, and the one that is open. */
export interface TokenSearch {
  failed?: true | undefined
  request?: number | undefined
}

export function tokenSearch(search: Record<string, unknown>): TokenSearch {
  return { failed: search['failed'] === true ? true : undefined, request: idIn(search['request']) }
}
