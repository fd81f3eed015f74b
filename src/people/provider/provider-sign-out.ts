import { inTransaction, type Tx } from '../../db/sql.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { inTime } from '../../platform/time/in-time.ts'
import { LIMITS } from '../../platform/limits.ts'
import { identityPerson, providerSessionLock } from '../sign-in/identities.sql.ts'
import { openIdToken } from '../sign-in/kept-id-token.ts'
import type { LoggedOut } from './logout-token.ts'
import { endSession } from '../own-account.ts'
import type { PeopleContext } from '../people.ts'
import { personEventInsert, personLock, type From } from '../persons.sql.ts'
import { secretHash } from '../secrets.ts'
import { peopleOfProviderSession, providerSessionsDelete, sessionIdToken } from '../sign-in/sessions.sql.ts'
import type { SignedIn } from '../sign-in/sessions.ts'
import { logoutInsert, peopleAwaitingCode, providerStepsDelete } from '../sign-in/sign-in-steps.sql.ts'

// Signing out at the identity provider, and being signed out by it.
// docs/decisions/208-the-provider-ends-sessions.md says why.

const refused = (cause?: unknown) =>
  new ShelfwireError('bad-request', 'the logout token is not accepted; the log has the reason', { cause })

/**
 * Ends the session of a person who signs out.
 * @param backTo URL to which the provider sends the browser afterwards
 * @returns the URL at which the browser also signs out at the provider; null if OIDC_SIGN_OUT does not ask for that, the session was not opened
 * there, or the provider has no such URL or does not answer within LIMITS.providerSignOutMs
 * @throws ShelfwireError unknown-reference if the session has ended
 */
export async function signOut(context: PeopleContext, session: SignedIn, backTo: string): Promise<string | null> {
  const { db, log } = context
  const provider = context.provider?.settings.signOut === 'provider' ? context.provider : null
  const kept = provider === null ? undefined : await sessionIdToken(db, session.sessionId)
  // before the provider is asked, so that nobody stays signed in while it does not answer
  await endSession(context, session, session.sessionId)
  if (provider === null || kept === undefined) return null
  const idToken = kept.idToken === null ? null : openIdToken(kept.idToken, session.secret)
  const onlyHere = (reason: string) => {
    log.warn({ reason }, 'somebody signs out here and not at the identity provider')
    return null
  }
  const address = provider.signOutUrl(idToken, backTo).catch((error: unknown) => onlyHere(asError(error).message))
  const found = await inTime(address, LIMITS.providerSignOutMs, undefined)
  return found === undefined ? onlyHere('it does not answer in time') : found
}

/**
 * Ends the sessions that a provider reports as ended, and sign-ins there that still wait for a code: all that it opened for a person, or
 * those of one of its sessions.
 * @throws ShelfwireError bad-request for a token that is not accepted, or was used before; provider-unavailable; rate-limited; unknown-route without a provider
 */
export async function signOutByProvider(context: PeopleContext, token: string, from: From): Promise<void> {
  const { db, provider, log, attempts } = context
  if (provider === null) throw new ShelfwireError('unknown-route', 'this service has no identity provider')
  const notAccepted = (error: unknown) => {
    log.warn({ reason: asError(error).message, address: from.address }, 'a logout token was not accepted')
    return refused(error)
  }
  const logout = await provider.loggedOut(token).catch((error: unknown) => {
    // only refused tokens are counted, which anybody can send, and never those that the provider has signed
    attempts.ofAddress(from.address)
    throw error instanceof ShelfwireError ? error : notAccepted(error)
  })
  const ended = await inTransaction(db, async (tx) => {
    await providerSessionLock(tx, logout)
    const personIds = await peopleOf(tx, logout)
    for (const personId of personIds) await personLock(tx, personId)
    const usedHash = secretHash(`logout ${logout.issuer} ${logout.tokenId}`)
    const minutes = Math.ceil(LIMITS.providerLogoutSeconds / 60) + 5
    if (!(await logoutInsert(tx, usedHash, logout, minutes))) return null
    // if the token names a person, sessions for which the provider named none may be meant, too
    const meant = { personIds, sid: logout.sid, isUnnamedMeant: logout.subject !== null }
    // steps before sessions, in the order in which a sign-in takes its code and opens its session: on Citus both lock whole tables
    await providerStepsDelete(tx, meant)
    const people = await providerSessionsDelete(tx, meant)
    for (const one of new Set(people)) await personEventInsert(tx, one, 'provider-signed-out', from)
    return people.length
  })
  if (ended === null) throw notAccepted(new Error('it was used before'))
  log.info({ ended }, 'the identity provider has signed somebody out')
}

/** Ids of the people who may be meant, in order; empty if nobody here is. */
async function peopleOf(tx: Tx, { issuer, subject, sid }: LoggedOut): Promise<number[]> {
  if (subject !== null) {
    const known = await identityPerson(tx, issuer, subject)
    return known === undefined ? [] : [known.personId]
  }
  if (sid === null) return []
  const found = [...(await peopleOfProviderSession(tx, sid)), ...(await peopleAwaitingCode(tx, sid))]
  return [...new Set(found.map(({ personId }) => personId))].sort((a, b) => a - b)
}
