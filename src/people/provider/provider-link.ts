import { faultOfEmail } from '../../accounts/members.ts'
import { inTransaction } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'
import { accountsOwned, recordAndAlert, sendAlerts } from '../mails/alerts.ts'
import { requireOwnPassword, sessionEnded } from '../sign-in/confirmed.ts'
import {
  identitiesDelete,
  identityInsert,
  identityOf,
  identityPerson,
  isLinked,
  providerSessionLock,
} from '../sign-in/identities.sql.ts'
import type { PeopleContext } from '../people.ts'
import { personEventInsert, personLock, type From } from '../persons.sql.ts'
import {
  explainTaken,
  goToProvider,
  IDENTITY_TAKEN,
  identityDiffers,
  requireAllowedDomain,
  requireProvider,
  stateOf,
} from './provider-sign-in.ts'
import { providerRefused, type Identity } from './provider.ts'
import { secretHash } from '../secrets.ts'
import { sessionExists, sessionsDelete } from '../sign-in/sessions.sql.ts'
import type { SignedIn } from '../sign-in/sessions.ts'
import { requirePassword } from '../sign-in/sign-in.ts'
import { isLoggedOutSince, stepTake } from '../sign-in/sign-in-steps.sql.ts'

// Links an identity of the provider in a session. Somebody who is signed in, gives the password and signs in at the provider is both persons,
// whether or not the provider has verified an address. The link itself says nothing about the address.
// docs/decisions/222-an-identity-is-linked-in-a-session.md says why.

/**
 * Begins to link. The provider is told to authenticate again even if somebody is signed in there: on a shared machine it may be another person.
 * @returns the URL for the browser, and the ticket that its page keeps
 * @throws errors of requireOwnPassword(); ShelfwireError provider-unavailable; unknown-route without a provider
 */
export async function beginProviderLink(
  context: PeopleContext,
  session: SignedIn,
  { password, redirectUri }: { password: string | undefined; redirectUri: string },
): Promise<{ ticket: string; url: string }> {
  const provider = requireProvider(context)
  await requireOwnPassword(context, session, password)
  const { personId } = session
  return goToProvider(context, provider, { kind: 'provider-link', personId, again: true, redirectUri })
}

/**
 * Links the identity that has signed in at the provider to the person of a session. If they are linked already, nothing changes.
 * @param given.answer the query of the URL to which the provider has sent the browser
 * @throws ShelfwireError provider-refused, also for somebody else's ticket, and if the provider did not authenticate again;
 * provider-unavailable; email-not-verified and email-domain-refused if the operator has named domains; identity-differs if the person has
 * another one; conflict if somebody else has it; not-signed-in if the session was ended meanwhile
 */
export async function linkProvider(
  context: PeopleContext,
  session: SignedIn,
  given: { ticket: string; answer: string; redirectUri: string },
  from: From,
): Promise<void> {
  const provider = requireProvider(context)
  const { personId, sessionId } = session
  const step = await inTransaction(context.db, (tx) => stepTake(tx, 'provider-link', secretHash(given.ticket)))
  if (step === undefined || step.personId !== personId) throw providerRefused()
  const identity = await provider.finish(
    new URLSearchParams(given.answer),
    must(step.challenge),
    stateOf(given.ticket),
    given.redirectUri,
  )
  requireAsked(context, personId, identity)
  requireAllowedDomain(identity, provider.settings.emailDomains)
  const { issuer, subject } = identity
  const owned = await accountsOwned(context.db, personId)
  await inTransaction(context.db, async (tx) => {
    await providerSessionLock(tx, identity)
    const person = await personLock(tx, personId)
    if (person === undefined || !(await sessionExists(tx, sessionId))) throw sessionEnded()
    if (await isLoggedOutSince(tx, identity)) throw providerRefused()
    const known = await identityPerson(tx, issuer, subject)
    if (known?.personId === personId) return
    if (known !== undefined) throw new ShelfwireError('conflict', IDENTITY_TAKEN)
    if ((await identityOf(tx, personId, issuer)) !== undefined)
      throw context.isLocalSignIn ? anotherLinked() : identityDiffers(person.email)
    const named = identity.email !== null && faultOfEmail(identity.email) === null ? identity.email : ''
    // if it is the person's own address the identity counts as one linked by a sign-in, and the other ways in are checked at the first sign-in
    const isEmailVerified = identity.isEmailVerified && named.toLowerCase() === person.email.toLowerCase()
    await identityInsert(tx, {
      issuer,
      subject,
      personId,
      email: named,
      isEmailVerified,
      isChecked: !isEmailVerified,
    }).catch(explainTaken)
    await personEventInsert(tx, personId, 'provider-linked', from)
    await recordAndAlert(tx, context, owned, person, 'linkProvider', from)
  })
  sendAlerts(context)
}

/**
 * Makes sure that the provider has just authenticated the person. It was sent `prompt=login`, but may ignore that: then the session of somebody else
 * could be linked on a shared machine.
 * @throws ShelfwireError provider-refused
 */
function requireAsked({ log }: PeopleContext, personId: number, { askedSecondsAgo }: Identity): void {
  if (askedSecondsAgo !== null && askedSecondsAgo <= LIMITS.providerStepMinutes * 60) return
  const reason =
    askedSecondsAgo === null
      ? 'its id_token has no auth_time'
      : `it has asked ${Math.round(askedSecondsAgo)} seconds ago, by auth_time`
  log.warn(
    { personId, reason },
    'an identity is not linked: the identity provider does not say that it has just asked who signs in',
  )
  throw providerRefused()
}

const anotherLinked = () =>
  new ShelfwireError(
    'identity-differs',
    'you sign in here with another identity of the provider; unlink that one in your profile first, or sign in there as before',
  )

/**
 * Removes the person's linked identities and ends all other sessions, which they may have opened. The password is required, so that another way to
 * sign in remains. Without a linked identity nothing changes.
 * @throws ShelfwireError sign-in-failed; rate-limited; local-sign-in-off; not-signed-in if the session was ended meanwhile
 */
export async function unlinkProvider(
  context: PeopleContext,
  session: SignedIn,
  password: string,
  from: From,
): Promise<void> {
  const { personId, sessionId } = session
  const { passwordHash } = await requirePassword(context, session, password)
  const owned = await accountsOwned(context.db, personId)
  await inTransaction(context.db, async (tx) => {
    const person = await personLock(tx, personId)
    // checked again under the lock: the password may have been changed since
    if (person?.passwordHash !== passwordHash || !(await sessionExists(tx, sessionId))) throw sessionEnded()
    if (!(await isLinked(tx, personId))) return
    await identitiesDelete(tx, personId)
    await sessionsDelete(tx, personId, sessionId, 'elsewhere')
    await personEventInsert(tx, personId, 'provider-unlinked', from)
    await recordAndAlert(tx, context, owned, person, 'unlinkProvider', from)
  })
  sendAlerts(context)
}
