import type { JWTVerifyGetKey } from 'jose'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'

// The token by which a provider says that somebody has signed out there: OpenID Connect Back-Channel Logout 1.0, section 2.6. `jose` checks its signature and
// times; what it is a token of is checked here.
// docs/decisions/208-the-provider-ends-sessions.md says why.

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Of an older provider it has the type of any token; what has another one is for something else. */
const TYPES = /^(?:logout\+jwt|application\/logout\+jwt|jwt)$/i

/** Whom a provider has signed out. */
export interface LoggedOut {
  issuer: string
  /** Null: only the session is named. */
  subject: string | null
  /** The provider's own session; null: all of the person. */
  sid: string | null
  /** Of this token, which counts once. */
  tokenId: string
  /** Since 1970, by the provider's clock. */
  issuedAtSeconds: number
}

/**
 * Looks at what a token says of itself, which anybody can write.
 * @throws Error for one that is no token, or names another provider or another service
 */
export async function requireAddressed(
  token: string,
  { issuer, clientId }: { issuer: string; clientId: string },
): Promise<void> {
  const { decodeJwt, decodeProtectedHeader } = await import('jose')
  decodeProtectedHeader(token)
  const { iss, aud } = decodeJwt(token)
  // as the provider's description is compared with OIDC_ISSUER
  if (typeof iss !== 'string' || !URL.canParse(iss) || new URL(iss).href !== new URL(issuer).href)
    throw new Error('its iss is another one')
  if (![aud].flat().includes(clientId)) throw new Error('its aud is another one')
}

/**
 * Reads a logout token.
 * @param keys of the provider
 * @param trusted as the provider names itself, this service's client id, and the algorithms that are taken
 * @throws Error for one that is not of this provider, not for this service, too old, or none; what it says names nothing of the token
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
    // with it iat is needed, and none from the future is taken
    maxTokenAge: LIMITS.providerLogoutSeconds,
    requiredClaims: ['jti', 'events'],
  })
  if (protectedHeader.typ !== undefined && !TYPES.test(protectedHeader.typ)) throw new Error('its typ is another one')
  const { events, sub, sid, jti } = payload
  const event = typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[EVENT] : undefined
  if (typeof event !== 'object' || event === null) throw new Error('its events lack that of a logout')
  // an id_token, which anybody who signs in has, must not be one
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
