import type { JWTVerifyGetKey } from 'jose'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'

// The token by which a provider reports that somebody has signed out there (OpenID Connect Back-Channel Logout 1.0, section 2.6). `jose` checks
// its signature and times; this file checks that it is a logout token. docs/decisions/208-the-provider-ends-sessions.md says why.

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Accepted types. An older provider uses the type of any token; every other type is a token for another purpose. */
const TYPES = /^(?:logout\+jwt|application\/logout\+jwt|jwt)$/i

/** The person or session that a provider has signed out. */
export interface LoggedOut {
  issuer: string
  /** Null: the token names only the session. */
  subject: string | null
  /** The provider's own session; null: all sessions of the person. */
  sid: string | null
  /** Id of this token, which is accepted once. */
  tokenId: string
  /** Seconds since 1970, by the provider's clock. */
  issuedAtSeconds: number
}

/**
 * Checks the unverified claims of a token, which anybody can write.
 * @throws Error if it is no token, or names another provider or another service
 */
export async function requireAddressed(
  token: string,
  { issuer, clientId }: { issuer: string; clientId: string },
): Promise<void> {
  const { decodeJwt, decodeProtectedHeader } = await import('jose')
  decodeProtectedHeader(token)
  const { iss, aud } = decodeJwt(token)
  // compared in the same way as the issuer in the provider's metadata with OIDC_ISSUER
  if (typeof iss !== 'string' || !URL.canParse(iss) || new URL(iss).href !== new URL(issuer).href)
    throw new Error('its iss is another one')
  if (![aud].flat().includes(clientId)) throw new Error('its aud is another one')
}

/**
 * Verifies and reads a logout token.
 * @param keys of the provider
 * @param trusted the provider's issuer as it spells it, this service's client id, and the accepted algorithms
 * @throws Error if the token is malformed, too old, or not from this provider for this service; the message contains nothing of the token
 */
export async function readLogoutToken(
  token: string,
  keys: JWTVerifyGetKey,
  trusted: { issuer: string; clientId: string; algorithms: readonly string[]; clocksApartSeconds: number },
): Promise<LoggedOut> {
  const { jwtVerify } = await import('jose')
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer: trusted.issuer,
    audience: trusted.clientId,
    algorithms: [...trusted.algorithms],
    clockTolerance: trusted.clocksApartSeconds,
    // with maxTokenAge `iat` is required and must not be in the future
    maxTokenAge: LIMITS.providerLogoutSeconds,
    requiredClaims: ['jti', 'events'],
  })
  if (protectedHeader.typ !== undefined && !TYPES.test(protectedHeader.typ)) throw new Error('its typ is another one')
  const { events, sub, sid, jti } = payload
  const event = typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[EVENT] : undefined
  if (typeof event !== 'object' || event === null) throw new Error('its events lack that of a logout')
  // an id_token, which everybody who signs in has, must not pass as a logout token
  if ('nonce' in payload) throw new Error('it has a nonce')
  if (sub === undefined && sid === undefined) throw new Error('it has neither sub nor sid')
  return {
    issuer: trusted.issuer,
    subject: sub === undefined ? null : shortText(sub, 'sub'),
    sid: sid === undefined ? null : shortText(sid, 'sid'),
    tokenId: shortText(jti, 'jti'),
    issuedAtSeconds: must(payload.iat),
  }
}

function shortText(value: unknown, name: string): string {
  const isOne =
    typeof value === 'string' && value.length <= LIMITS.providerSubjectLengthMax && /^[^\p{Cc}\p{Cs}]+$/u.test(value)
  if (isOne) return value
  throw new Error(`its ${name} has no form of one`)
}
