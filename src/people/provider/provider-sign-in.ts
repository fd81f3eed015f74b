import { randomBytes } from 'node:crypto'
import { accountsOwned, OWNS_NOTHING, recordAndAlert, sendAlerts, type Owned } from '../mails/alerts.ts'
import type { AlertWords, Made } from '../mails/words/words.ts'
import { faultOfEmail } from '../../accounts/members.ts'
import { inTransaction, type Tx } from '../../db/sql.ts'
import { explainViolation } from '../../db/violations.ts'
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

// Signing in at an identity provider. A person is known by issuer and subject; the e-mail address counts once, where the provider has verified it.
// docs/decisions/202-people-sign-in-at-a-provider.md says why.

export function requireProvider({ provider }: PeopleContext): Provider {
  if (provider === null) throw new ShelfwireError('unknown-route', 'this service has no identity provider')
  return provider
}

/** What the provider sends back with its answer: it follows from the ticket, which never leaves the page, and does not lead back to it. */
export const stateOf = (ticket: string) => secretHash(`state ${ticket}`).toString('base64url')

/**
 * Begins to sign in.
 * @returns where the browser goes, and the ticket that its page keeps: an answer counts only in the browser that has asked
 * @throws ShelfwireError provider-unavailable; rate-limited; unknown-route without a provider
 */
export async function beginProviderSignIn(
  context: PeopleContext,
  { again, redirectUri, device = null }: { again: boolean; redirectUri: string; device?: string | null },
  from: From,
): Promise<{ ticket: string; url: string }> {
  const provider = requireProvider(context)
  // what strangers try from the address of an office does not keep those out whose browsers are known
  if (device !== null && (await ownerOfDevice(context.db, device)) !== undefined) context.attempts.ofDevice(device)
  else context.attempts.ofAddress(from.address)
  return goToProvider(context, provider, { kind: 'provider-sign-in', personId: null, again, redirectUri })
}

/** @param step.again whether the provider is to ask also who is signed in there @returns as beginProviderSignIn() */
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
 * Finishes it. Who is new is linked by the verified e-mail address, to a person or to open invitations, which are accepted by it.
 * @param given.answer the query of the address that the provider has sent the browser to
 * @throws ShelfwireError provider-refused; provider-unavailable; email-not-verified; email-domain-refused; person-not-invited; identity-differs;
 * rate-limited; conflict where somebody signs up with the address at the same moment
 */
export async function signInByProvider(
  context: PeopleContext,
  given: { ticket: string; answer: string; redirectUri: string },
  from: From,
): Promise<SignInOutcome> {
  const provider = requireProvider(context)
  // used up, whether the answer is right or not: no code is tried twice
  const step = await inTransaction(context.db, (tx) => stepTake(tx, 'provider-sign-in', secretHash(given.ticket)))
  if (step === undefined) {
    // a ticket was counted when it was given out
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
  /** May be new. */
  personId: number
  /** Whether everything else that signed in as the person has ended. */
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
  // a release that did not ask has linked it
  const unknownPassword = await passwordHash(newSecret('ticket'))
  const owned = await accountsOwned(db, personId)
  return inTransaction(db, async (tx) => {
    const person = await personLock(tx, personId)
    if (person === undefined || !(await identityUsed(tx, issuer, subject))) return undefined
    // of two sign-ins at the same moment the second one finds what the first has proven
    const tookOver = !person.isEmailProven
    if (tookOver) await takeOver(tx, context, { person, owned, unknownPassword }, from)
    return { personId, tookOver }
  })
}

/** Links an identity that nobody has yet. */
async function linkedPerson(context: PeopleContext, identity: Identity, from: From): Promise<Found> {
  const email = verifiedEmail(identity)
  const { db, provider } = context
  // nobody knows it, so that nobody signs in by password until a link has set another one
  const unknownPassword = await passwordHash(newSecret('ticket'))
  const known = await personByEmail(db, email)
  const owned = known === undefined ? OWNS_NOTHING : await accountsOwned(db, known.personId)
  return inTransaction(db, async (tx) => {
    // of two sign-ins at the same moment the second one finds what the first has linked
    await identityLock(tx, email)
    const other = await identityPerson(tx, identity.issuer, identity.subject)
    if (other !== undefined) return { personId: other.personId, tookOver: false }
    const found = await personByEmail(tx, email)
    const personId = found?.personId ?? (await newPerson(tx, identity, email, unknownPassword))
    // what is known of the address, after whoever sets a password or another address at this moment
    const person = await personLock(tx, personId)
    if (person?.email.toLowerCase() !== email.toLowerCase())
      throw new ShelfwireError('conflict', `${email} has become the address of somebody else just now; sign in again`)
    const present = await identityOf(tx, personId, identity.issuer)
    // one that was linked in a session of somebody of whom nothing says that the address is theirs keeps its owner out of nothing
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
    const called = name?.trim() ?? ''
    return personInsert(tx, {
      email: address,
      name: called === '' ? (address.split('@')[0] ?? address) : called,
      passwordHash: stored,
      isEmailProven: true,
    }).catch((error: unknown) =>
      explainViolation(error, { person_email: `somebody signs up as ${address} just now; sign in again` }),
    )
  }
}

/**
 * Ends every other way in to a person of whom nothing says that whoever set them up reads the mail of the address: links that were shown, and not mailed,
 * may have been used by somebody else, whether or not there is a mail server by now. The provider is the first that has verified the address.
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
  const more = await saidOfTakeOver(tx, personId, context.isLocalSignIn)
  await recordAndAlert(tx, context, owned, person, 'takeOverByProvider', from, more)
}

/** For the mail about it: what goes on to work although somebody else may have made it, and how one has a password again. */
async function saidOfTakeOver(
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

/** Accepts the invitations to the verified address of a person; those to suspended accounts stay open, those to accounts that are being erased keep nobody out. */
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

export const identityDiffers = (email: string) =>
  new ShelfwireError(
    'identity-differs',
    `${email} signs in here with another identity of the provider; ask the operator, who lets it go with: shelfwire member link --remove-codes`,
  )

/** Of two who link an identity at the same moment one does. @throws ShelfwireError conflict */
export const explainTaken = (error: unknown): never =>
  explainViolation(error, { person_identity_pkey: IDENTITY_TAKEN, person_identity_person: IDENTITY_TAKEN })

export const IDENTITY_TAKEN =
  'somebody else signs in here with this identity of the provider; sign in there as yourself, or ask the operator'

/** @throws ShelfwireError email-not-verified, email-domain-refused: as settings of the operator have it */
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
