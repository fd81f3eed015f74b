import type { FastifyReply, FastifyRequest } from 'fastify'
import { ACCOUNT_HEADER, CSRF_HEADER } from '../../../contract/panel/route.ts'
import type { Caller } from '../../accounts/authenticate.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { requireMembership } from '../../people/account-rules.ts'
import { requireConfirmed } from '../../people/sign-in/confirmed.ts'
import type { From } from '../../people/persons.sql.ts'
import { csrfTokenOf, isSameText, isSecretForm } from '../../people/secrets.ts'
import { findSession, type SignedIn } from '../../people/sign-in/sessions.ts'
import { clientAddress } from '../client-address.ts'
import type { ServeContext } from '../context.ts'

// Sessions over HTTP: the cookies, the origin of a request, and its CSRF token.

type Rooms = Pick<ServeContext, 'db' | 'publicUrl' | 'isPublicUrlSet' | 'sessions'>

/** Address and user agent of a request, as sessions and the audit trail record them. */
export function fromOf(request: FastifyRequest): From {
  const agent = request.headers['user-agent'] ?? ''
  return {
    address: clientAddress(request),
    userAgent: agent.replaceAll(/\p{C}+/gu, ' ').slice(0, LIMITS.userAgentLengthMax),
  }
}

/** Whether browsers use https, as far as the service can know. */
const isHttps = (request: FastifyRequest, publicUrl: string) =>
  publicUrl.startsWith('https:') || request.protocol === 'https'

/**
 * With https the name begins with `__Host-`: browsers then refuse the cookie if a sibling domain sets it or `Secure` is missing.
 */
const cookieName = (kind: Cookie, isSecure: boolean) => `${isSecure ? '__Host-' : ''}shelfwire_${kind}`
type Cookie = 'session' | 'device'

/** The session's secret; null when there is none. */
export const sessionSecretOf = (request: FastifyRequest, publicUrl: string) => cookieOf(request, publicUrl, 'session')

/** The secret by which a browser is known; null for an unknown browser. */
export const deviceSecretOf = (request: FastifyRequest, publicUrl: string) => cookieOf(request, publicUrl, 'device')

function cookieOf(request: FastifyRequest, publicUrl: string, kind: Cookie): string | null {
  const header = request.headers.cookie
  if (header === undefined) return null
  const name = `${cookieName(kind, isHttps(request, publicUrl))}=`
  const entry = header.split(';').find((part) => part.trimStart().startsWith(name))
  return entry === undefined ? null : entry.trim().slice(name.length)
}

/** Sets the cookie of the session; null deletes it. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
  secret: string | null,
): void {
  setCookie(request, reply, publicUrl, 'session', secret ?? '', secret === null ? 0 : LIMITS.sessionDaysMax)
}

/** Sets the cookie by which a browser is known. It is kept when the person signs out. */
export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, publicUrl: string, secret: string): void {
  setCookie(request, reply, publicUrl, 'device', secret, LIMITS.knownDeviceDays)
}

/** SameSite=Strict: browsers never send the cookie with a request that another site's page or link causes. */
function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
  kind: Cookie,
  value: string,
  days: number,
): void {
  const isSecure = isHttps(request, publicUrl)
  void reply.header(
    'Set-Cookie',
    `${cookieName(kind, isSecure)}=${value}; Path=/; Max-Age=${days * 86_400}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
  )
}

/** The session of the person who is signed in; undefined when nobody is. @throws ShelfwireError rate-limited */
export async function sessionOf(rooms: Rooms, request: FastifyRequest): Promise<SignedIn | undefined> {
  const secret = sessionSecretOf(request, rooms.publicUrl())
  // no look-up, and no charge to the address, for a cookie of other software at this host
  if (secret === null || !isSecretForm('session', secret)) return undefined
  const from = fromOf(request)
  return rooms.sessions.find(secret, from.address, () => findSession(rooms.db, secret, from))
}

/** Whether a request may change something. */
export const isWrite = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD'

const elsewhere = (detail: string) => new ShelfwireError('csrf-refused', detail)

/**
 * Refuses requests that a browser sends for a page of another site. Browsers report the origin in Sec-Fetch-Site and Origin,
 * which scripts cannot set; programs send neither. @throws ShelfwireError csrf-refused
 */
export function requireSameOrigin(request: FastifyRequest, rooms: Pick<Rooms, 'publicUrl' | 'isPublicUrlSet'>): void {
  const publicUrl = rooms.publicUrl()
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin')
    throw elsewhere('the request comes from another site; use the panel’s own pages')
  const { origin, host = '' } = request.headers
  if (origin === undefined || origin === new URL(publicUrl).origin) return
  // with PUBLIC_URL set, another port or name of the same host is another site
  if (rooms.isPublicUrlSet)
    throw elsewhere('the header Origin does not name this service; use the panel at the address in PUBLIC_URL')
  const given = URL.canParse(origin) ? new URL(origin) : null
  // a proxy may end https, so an https origin is accepted; a page loaded by http must not write to an https service
  const isFromHere =
    given !== null && given.host === host && (given.protocol === 'https:' || !isHttps(request, publicUrl))
  if (!isFromHere)
    throw elsewhere(
      'the header Origin does not name this service; behind a proxy set PUBLIC_URL to the address that browsers use',
    )
}

/** The origin of the page that sent a request; call it after `requireSameOrigin`. */
export function pageOriginOf(request: FastifyRequest, publicUrl: string): string {
  return request.headers.origin ?? new URL(publicUrl).origin
}

/** @throws ShelfwireError csrf-refused unless the request has the session's token */
export function requireCsrfToken(request: FastifyRequest, session: SignedIn): void {
  const given = request.headers[CSRF_HEADER]
  if (typeof given !== 'string' || !isSameText(given, csrfTokenOf(session.secret)))
    throw elsewhere('X-CSRF-Token is missing or wrong; GET /panel/api/session has it as csrf_token')
}

/**
 * The session of a request that acts for a person. A write must come from the panel's own pages and have the session's CSRF token.
 * @throws ShelfwireError not-signed-in; csrf-refused; rate-limited
 */
export async function requireSession(rooms: Rooms, request: FastifyRequest): Promise<SignedIn> {
  if (isWrite(request)) requireSameOrigin(request, rooms)
  const session = await sessionOf(rooms, request)
  if (session === undefined)
    throw new ShelfwireError('not-signed-in', 'there is no session here, or it has ended; sign in')
  if (isWrite(request)) requireCsrfToken(request, session)
  return session
}

/** The caller of a route below /v1 with a session instead of a token: any member, with full access. */
export async function memberCaller(rooms: Rooms, request: FastifyRequest): Promise<Caller> {
  const session = await requireSession(rooms, request)
  const given = request.headers[ACCOUNT_HEADER]
  const accountId = typeof given === 'string' && /^[1-9]\d{0,14}$/.test(given) ? Number(given) : null
  if (accountId === null)
    throw new ShelfwireError('invalid-parameters', 'with a session, Shelfwire-Account names the account by its id', {
      faults: [{ name: 'Shelfwire-Account', reason: 'must be the id of an account' }],
    })
  await requireMembership(rooms.db, session, accountId)
  if (request.routeOptions.config.route?.needsConfirmation === true) requireConfirmed(session)
  const { personId, name, email } = session
  return {
    tokenId: -session.sessionId,
    accountId,
    access: 'full',
    seesCosts: true,
    member: { personId, name: `${name} <${email}>`, ...fromOf(request) },
  }
}
