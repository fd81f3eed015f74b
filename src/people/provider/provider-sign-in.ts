import { randomBytes } from 'node:crypto'
import { accountsOwned, NO_ACCOUNTS, recordAndAlert, sendAlerts, type Owned } from '../mails/alerts.ts'
import type { AlertWords, Made } from '../mails/words/words.ts'
import { faultOfEmail } from '../../accounts/members.ts'
import { inTransaction, type Tx } from '../../db/sql.ts'
import { explainViolation } from '../../db/statements/violations.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'
import {
  identityInsert,
  identityLock,
  identityOf,
  identityPerson,
  identityUsed,
  invitationsOfEmail,
  providerSessionLock,
  unverifiedIdentitiesDelete,
} from '../sign-in/identities.sql.ts'
import { devicesDelete } from '../sign-in/known-devices.sql.ts'
import { ownerOfDevice } from '../sign-in/known-devices.ts'
import { alertJoined, join } from '../links.ts'
import { resetLinksDelete } from '../links.sql.ts'
import { endpointLinksMade, invitationsMade, tokensMade } from '../made.sql.ts'
import { passkeysDelete } from '../sign-in/passkeys.sql.ts'
import { passwordHash } from '../sign-in/passwords.ts'
import type { PeopleContext } from '../people.ts'
import {
  emailProvenUpdate,
  passwordUpdate,
  personByEmail,
  personEventInsert,
  personGet,
  personInsert,
  personLock,
  recoveryCodesDelete,
  totpRemove,
  type From,
  type PersonRow,
} from '../persons.sql.ts'
import { providerRefused, type Identity, type Provider } from './provider.ts'
import { newSecret, secretHash } from '../secrets.ts'
import { sessionsDelete } from '../sign-in/sessions.sql.ts'
import { afterPassword, type SignInOutcome } from '../sign-in/sign-in.ts'
import { isLoggedOutSince, stepInsert, stepsDelete, stepTake } from '../sign-in/sign-in-steps.sql.ts'

// Signing in at an identity provider. A person is identified by issuer and subject. The e-mail address, if the provider has verified it, links an
// unknown identity and accepts invitations. docs/decisions/202-people-sign-in-at-a-provider.md says why.

/** The identity provider. @throws ShelfwireError unknown-route if none is set */
export function requireProvider({ provider }: PeopleContext): Provider {
  if (provider === null) throw new ShelfwireError('unknown-route', 'this service has no identity provider')
  return provider
}

/** The `state` of a sign-in. It is derived from the ticket, which never leaves the page, and does not reveal it. */
export const stateOf = (ticket: string) => secretHash(`state ${ticket}`).toString('base64url')

/**
 * Begins to sign in.
 * @returns the URL for the browser, and the ticket that its page keeps: so an answer is accepted only in the browser that began
 * @throws ShelfwireError provider-unavailable; rate-limited; unknown-route without a provider
 */
export async function beginProviderSignIn(
  context: PeopleContext,
  { again, redirectUri, device = null }: { again: boolean; redirectUri: string; device?: string | null },
  from: From,
): Promise<{ ticket: string; url: string }> {
  const provider = requireProvider(context)
  // a known browser has a limit of its own, which strangers at the same client address cannot use up
  if (device !== null && (await ownerOfDevice(context.db, device)) !== undefined) context.attempts.ofDevice(device)
  else context.attempts.ofAddress(from.address)
  return goToProvider(context, provider, { kind: 'provider-sign-in', personId: null, again, redirectUri })
}

/** @param step.again makes the provider authenticate even if somebody is signed in there @returns as beginProviderSignIn() */
export async function goToProvider(
  { db }: PeopleContext,
  provider: Provider,
  step: { kind: 'provider-sign-in' | 'provider-link'; personId: number | null; again: boolean; redirectUri: string },
): Promise<{ ticket: string; url: string }> {
  const ticket = newSecret('ticket')
  const secret = randomBytes(32).toString('base64url')
  const url = await provider.begin(secret, stateOf(ticket), step.redirectUri, step.again)
  const { kind, personId } = step
  await inTransaction(db, (tx) =>
    stepInsert(tx, kind, secretHash(ticket), { personId, challenge: secret }, LIMITS.providerStepMinutes),
  )
  return { ticket, url }
}

/**
 * Finishes a sign-in. An unknown identity is linked by its verified e-mail address to a person, or to open invitations, which are thereby accepted.
 * @param given.answer the query of the URL to which the provider has sent the browser
 * @throws ShelfwireError provider-refused; provider-unavailable; email-not-verified; email-domain-refused; person-not-invited; identity-differs;
 * rate-limited; conflict if somebody signs up with the address at the same time
 */
export async function signInByProvider(
  context: PeopleContext,
  given: { ticket: string; answer: string; redirectUri: string },
  from: From,
): Promise<SignInOutcome> {
  const provider = requireProvider(context)
  // used up whether the answer is right or wrong, so that no code is tried twice
  const step = await inTransaction(context.db, (tx) => stepTake(tx, 'provider-sign-in', secretHash(given.ticket)))
  if (step === undefined) {
    // counted only here, because a valid ticket was counted when it was issued
    context.attempts.ofAddress(from.address)
    throw providerRefused()
  }
  const identity = await provider.finish(
    new URLSearchParams(given.answer),
    must(step.challenge),
    stateOf(given.ticket),
    given.redirectUri,
  )
  const { settings } = provider
  requireAllowedDomain(identity, settings.emailDomains)
  const { personId, tookOver } =
    (await knownPerson(context, identity, from)) ?? (await linkedPerson(context, identity, from))
  await joinInvited(context, identity, personId, from)
  const outcome = await inTransaction(context.db, async (tx) => {
    await providerSessionLock(tx, identity)
    const person = await personLock(tx, personId)
    if (person === undefined) throw providerRefused()
    if (await isLoggedOutSince(tx, identity)) {
      context.log.info({ personId }, 'somebody who signs in was signed out at the identity provider meanwhile')
      throw providerRefused()
    }
    return afterPassword(tx, person, from, {
      by: 'provider',
      askedSecondsAgo: identity.askedSecondsAgo,
      hasProviderFactor: settings.secondFactor === 'always' || identity.hasFactor,
      sid: identity.sid,
      idToken: identity.idToken,
    })
  })
  sendAlerts(context)
  return outcome.state === 'signed-in' ? { ...outcome, tookOver } : outcome
}

interface Found {
  /** Possibly of a person who has just been created. */
  personId: number
  /** Whether all other ways to sign in as the person have been ended. */
  tookOver: boolean
}

async function knownPerson(
  context: PeopleContext,
  { issuer, subject }: Identity,
  from: From,
): Promise<Found | undefined> {
  const { db } = context
  const known = await identityPerson(db, issuer, subject)
  if (known === undefined) return undefined
  const { personId, isChecked } = known
  if (isChecked)
    return inTransaction(db, async (tx) =>
      (await identityUsed(tx, issuer, subject)) ? { personId, tookOver: false } : undefined,
    )
  // the identity was linked without checking the person's other ways to sign in, so they are checked now
  const unknownPassword = await passwordHash(newSecret('ticket'))
  const owned = await accountsOwned(db, personId)
  return inTransaction(db, async (tx) => {
    const person = await personLock(tx, personId)
    if (person === undefined || !(await identityUsed(tx, issuer, subject))) return undefined
    // of two concurrent sign-ins the second one finds the address proven by the first
    const tookOver = !person.isEmailProven
    if (tookOver) await takeOver(tx, context, { person, owned, unknownPassword }, from)
    return { personId, tookOver }
  })
}

/** Links an identity that is not linked yet. */
async function linkedPerson(context: PeopleContext, identity: Identity, from: From): Promise<Found> {
  const email = verifiedEmail(identity)
  const { db, provider } = context
  // nobody knows this password, so nobody can sign in by one until a link has set another
  const unknownPassword = await passwordHash(newSecret('ticket'))
  const known = await personByEmail(db, email)
  const owned = known === undefined ? NO_ACCOUNTS : await accountsOwned(db, known.personId)
  return inTransaction(db, async (tx) => {
    // of two concurrent sign-ins the second one finds the link of the first
    await identityLock(tx, email)
    const other = await identityPerson(tx, identity.issuer, identity.subject)
    if (other !== undefined) return { personId: other.personId, tookOver: false }
    const found = await personByEmail(tx, email)
    const personId = found?.personId ?? (await newPerson(tx, identity, email, unknownPassword))
    // read under the lock, after any concurrent change of password or address
    const person = await personLock(tx, personId)
    if (person?.email.toLowerCase() !== email.toLowerCase())
      throw new ShelfwireError('conflict', `${email} has become the address of somebody else just now; sign in again`)
    const present = await identityOf(tx, personId, identity.issuer)
    // an unverified identity of a person with an unproven address may be an intruder's: it must not lock out the owner of the address
    if (present !== undefined && (present.isEmailVerified || person.isEmailProven)) throw identityDiffers(email)
    if (present !== undefined) await unverifiedIdentitiesDelete(tx, personId)
    await identityInsert(tx, {
      issuer: identity.issuer,
      subject: identity.subject,
      personId,
      email,
      isEmailVerified: true,
      isChecked: true,
    }).catch(explainTaken)
    await personEventInsert(tx, personId, 'provider-linked', from)
    if (found === undefined) return { personId, tookOver: false }
    const tookOver = !person.isEmailProven
    if (tookOver) await takeOver(tx, context, { person, owned, unknownPassword }, from)
    else await recordAndAlert(tx, context, owned, person, 'linkProvider', from)
    return { personId, tookOver }
  })

  async function newPerson(tx: Tx, { name }: Identity, address: string, stored: string): Promise<number> {
    const isInvited = (await invitationsOfEmail(tx, address)).length > 0
    if (!isInvited && must(provider).settings.newPeople === 'invited')
      throw new ShelfwireError(
        'person-not-invited',
        `nobody has invited ${address}; ask an owner of the account for an invitation to this address`,
      )
    const givenName = name?.trim() ?? ''
    return personInsert(tx, {
      email: address,
      name: givenName === '' ? (address.split('@')[0] ?? address) : givenName,
      passwordHash: stored,
      isEmailProven: true,
    }).catch((error: unknown) =>
      explainViolation(error, { person_email: `somebody signs up as ${address} just now; sign in again` }),
    )
  }
}

/**
 * Ends every other way to sign in as a person whose address was never proven. Such a person may have been set up by somebody who does not read the
 * mail of the address: links that were shown and not mailed can be used by others, and the provider is the first to verify the address.
 */
async function takeOver(
  tx: Tx,
  context: PeopleContext,
  { person, owned, unknownPassword }: { person: PersonRow; owned: Owned; unknownPassword: string },
  from: From,
): Promise<void> {
  const { personId } = person
  await passwordUpdate(tx, personId, unknownPassword)
  await emailProvenUpdate(tx, personId, true)
  await totpRemove(tx, personId)
  await recoveryCodesDelete(tx, personId)
  await passkeysDelete(tx, personId)
  await unverifiedIdentitiesDelete(tx, personId)
  await stepsDelete(tx, personId)
  await sessionsDelete(tx, personId, null, 'password-changed')
  await resetLinksDelete(tx, personId)
  await devicesDelete(tx, personId)
  await personEventInsert(tx, personId, 'provider-took-over', from)
  const more = await takeOverText(tx, personId, context.isLocalSignIn)
  await recordAndAlert(tx, context, owned, person, 'takeOverByProvider', from, more)
}

/** Text for the mail about a takeover: things that stay valid although somebody else may have made them, and how to get a password again. */
async function takeOverText(
  tx: Tx,
  personId: number,
  isLocalSignIn: boolean,
): Promise<(words: AlertWords) => string[]> {
  const all: { of: Made; rows: readonly unknown[] }[] = [
    { of: 'tokens', rows: await tokensMade(tx, personId) },
    { of: 'invitations', rows: await invitationsMade(tx, personId) },
    { of: 'endpointLinks', rows: await endpointLinksMade(tx, personId) },
  ]
  const made = all.filter(({ rows }) => rows.length > 0)
  return (words) => [
    words.addressUnproven,
    ...(made.length === 0
      ? []
      : [words.goesOn(made.map(({ of, rows }) => `${words.made[of]}: ${rows.length}`).join(', '))]),
    ...(isLocalSignIn ? [words.passwordAgain] : []),
  ]
}

/**
 * Accepts the invitations to the verified address of a person. Those to suspended accounts stay open; an account that is being erased does not
 * prevent the sign-in.
 */
async function joinInvited(context: PeopleContext, identity: Identity, personId: number, from: From): Promise<void> {
  if (!identity.isEmailVerified || identity.email === null) return
  const person = await personGet(context.db, personId)
  if (person === undefined || person.email.toLowerCase() !== identity.email.toLowerCase()) return
  for (const { tokenHash, accountId } of await invitationsOfEmail(context.db, person.email))
    try {
      await inTransaction(context.db, async (tx) => {
        const role = await join(tx, tokenHash, accountId, { ...person, ...from })
        await alertJoined(tx, context, accountId, role, person.email, from)
      })
    } catch (error) {
      const isGone =
        error instanceof ShelfwireError && ['account-suspended', 'unknown-account', 'link-ended'].includes(error.code)
      if (!isGone) throw error
    }
}

/** The error if a person has another identity at the provider. */
export const identityDiffers = (email: string) =>
  new ShelfwireError(
    'identity-differs',
    `${email} signs in here with another identity of the provider; ask the operator, who lets it go with: shelfwire member link --remove-codes`,
  )

/** Turns a violated constraint of a concurrent link into an error. @throws ShelfwireError conflict */
export const explainTaken = (error: unknown): never =>
  explainViolation(error, { person_identity_pkey: IDENTITY_TAKEN, person_identity_person: IDENTITY_TAKEN })

export const IDENTITY_TAKEN =
  'somebody else signs in here with this identity of the provider; sign in there as yourself, or ask the operator'

/** @throws ShelfwireError email-not-verified, email-domain-refused, if the operator has named domains */
export function requireAllowedDomain(identity: Identity, domains: readonly string[]): void {
  if (domains.length > 0) requireDomain(verifiedEmail(identity), domains)
}

/** @throws ShelfwireError email-not-verified */
function verifiedEmail({ email, isEmailVerified }: Identity): string {
  if (email !== null && isEmailVerified && faultOfEmail(email) === null) return email
  throw new ShelfwireError(
    'email-not-verified',
    'the identity provider does not say that the e-mail address is yours (email_verified); confirm it there, or ask its administrator',
  )
}

/** @throws ShelfwireError email-domain-refused */
function requireDomain(email: string, domains: readonly string[]): void {
  if (domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())) return
  throw new ShelfwireError('email-domain-refused', `only addresses of ${domains.join(', ')} may sign in here`)
}
