import { inTransaction } from '../db/sql.ts'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { identityPerson } from './identities.sql.ts'
import { openIdToken } from './kept-id-token.ts'
import type { LoggedOut } from './logout-token.ts'
import type { PeopleContext } from './people.ts'
import { personEventInsert, personLock, type From } from './persons.sql.ts'
import { secretHash } from './secrets.ts'
import { providerSessionsDelete, sessionIdToken } from './sessions.sql.ts'
import type { SignedIn } from './sessions.ts'
import { stepOnce } from './sign-in-steps.sql.ts'

// Signing out at the identity provider, and by it.
// docs/decisions/208-the-provider-ends-sessions.md says why.

const refused = (cause?: unknown) =>
  new ShelfwireError('bad-request', 'the logout token is not accepted; the log has the reason', { cause })

/**
 * Where somebody who signs out here goes to sign out at the provider as well; null where OIDC_SIGN_OUT does not ask for it, the session was not opened there,
 * or the provider has no such address. Before the session is ended.
 * @param backTo where the provider sends the browser afterwards
 */
export async function providerSignOutUrl(
  { db, provider, log }: PeopleContext,
  session: SignedIn,
  backTo: string,
): Promise<string | null> {
  if (provider === null || provider.settings.signOut !== 'provider') return null
  const kept = await sessionIdToken(db, session.sessionId)
  if (kept === undefined) return null
  const idToken = kept.idToken === null ? null : openIdToken(kept.idToken, session.secret)
  // signing out here must not wait for a provider that is away
  return provider.signOutUrl(idToken, backTo).catch((error: unknown) => {
    log.warn({ reason: asError(error).message }, 'somebody signs out here and not at the identity provider')
    return null
  })
}

/**
 * Ends the sessions that a provider says have ended there: those that were opened by it, of a person or of one session of the provider.
 * @throws ShelfwireError bad-request for a token that is not accepted, or was used before; provider-unavailable; rate-limited; unknown-route without a provider
 */
export async function signOutByProvider(context: PeopleContext, token: string, from: From): Promise<void> {
  const { db, provider, log, attempts } = context
  if (provider === null) throw new ShelfwireError('unknown-route', 'this service has no identity provider')
  const told = await provider.loggedOut(token).catch((error: unknown) => {
    if (error instanceof ShelfwireError) throw error
    // of strangers there are many; the provider itself is never counted
    attempts.ofAddress(from.address)
    log.warn({ reason: asError(error).message, address: from.address }, 'a logout token was not accepted')
    throw refused(error)
  })
  const ended = await inTransaction(db, async (tx) => {
    const personId = await personOf(tx, told)
    if (personId === undefined && told.sid === null) return 0
    if (personId !== undefined) await personLock(tx, personId)
    const people = await providerSessionsDelete(tx, { personId: personId ?? null, sid: told.sid })
    for (const one of new Set(people)) await personEventInsert(tx, one, 'provider-signed-out', from)
    const isNew = await stepOnce(
      tx,
      'provider-logout',
      secretHash(`logout ${told.issuer} ${told.tokenId}`),
      Math.ceil(LIMITS.providerLogoutSeconds / 60) + 5,
    )
    if (!isNew) throw refused(new Error('it was used before'))
    return people.length
  })
  log.info({ ended }, 'the identity provider has signed somebody out')

  /** Undefined: nobody here, or only the session is named. */
  async function personOf(tx: Parameters<typeof identityPerson>[0], { issuer, subject }: LoggedOut) {
    return subject === null ? undefined : (await identityPerson(tx, issuer, subject))?.personId
  }
}
