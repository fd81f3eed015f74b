import { Problem } from './problem.ts'

// The caller of a request: what its token permits, as in the service.

export interface Caller {
  token: string
  /** Whether answers have purchase prices. */
  seesCosts: boolean
  /** Whether the token may write. */
  mayWrite: boolean
}

/** What a token permits, in this order: read and write; read; read all but purchase prices; nothing, as it is tied to no account; nothing, as it is no longer valid. */
export type TokenKind = 'full' | 'connector' | 'connector-without-costs' | 'without-account' | 'revoked'

const BEARER = /^bearer +([\w.~+/-]+=*)$/i

/** @throws Problem missing-token, invalid-token, token-without-account */
export function callerOf(authorization: string | null, tokens: Readonly<Record<string, TokenKind>>): Caller {
  if (authorization === null || authorization === '')
    throw new Problem('missing-token', 'send the header Authorization: Bearer <API_TOKEN>')
  const token = BEARER.exec(authorization)?.[1] ?? ''
  const kind = Object.hasOwn(tokens, token) ? tokens[token] : undefined
  if (kind === undefined)
    throw new Problem('invalid-token', 'the Authorization header does not carry a Shelfwire token')
  if (kind === 'revoked') throw new Problem('invalid-token', 'the bearer token is unknown or was revoked')
  if (kind === 'without-account') throw new Problem('token-without-account', 'the token is tied to no account')
  return { token, seesCosts: kind !== 'connector-without-costs', mayWrite: kind === 'full' }
}
