import { randomBytes } from 'node:crypto'
import { accountsOwned, recordAndAlert, sendAlerts } from './alerts.ts'
import { faultOfEmail } from '../accounts/members.ts'
import { inTransaction, type Tx } from '../db/sql.ts'
import { explainViolation } from '../db/violations.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import {
  hasIdentity,
  identityInsert,
  identityLock,
  identityPerson,
  identityUsed,
  invitationsOfEmail,
} from './identities.sql.ts'
import { devicesDelete } from './known-devices.sql.ts'
import { alertJoined, join } from './links.ts'
import { resetLinksDelete } from './links.sql.ts'
import { passkeysDelete } from './passkeys.sql.ts'
import { passwordHash } from './passwords.ts'
import type { PeopleContext } from './people.ts'
import {
  passwordUpdate,
  personByEmail,
  personEventInsert,
  personGet,
  personInsert,
  personLock,
  recoveryCodesDelete,
  totpRemove,
  type From,
} from './persons.sql.ts'
import { providerRefused, type Identity, type Provider } from './provider.ts'
import { newSecret, secretHash } from './secrets.ts'
import { sessionsDelete } from './sessions.sql.ts'
import { afterPassword, type SignInOutcome } from './sign-in.ts'
import { stepInsert, stepsDelete, stepTake } from './sign-in-steps.sql.ts'

// Signing in at an identity provider. A person is known by issuer and subject; the e-mail address counts once, where the provider has verified it.
// docs/decisions/202-people-sign-in-at-a-provider.md says why.

function requireProvider({ provider }: PeopleContext): Provider {
  if (provider === null) throw new ShelfwireError('unknown-route', 'this service has no identity provider')
  return provider
}

/** What the provider sends back with its answer: it follows from the ticket, which never leaves the page, and does not lead back to it. */
const stateOf = (ticket: string) => secretHash(`state ${ticket}`).toString('base64url')

/**
 * Begins to sign in.
 * @returns where the browser goes, and the ticket that its page keeps: an answer counts only in the browser that has asked
 * @throws ShelfwireError provider-unavailable; rate-limited; unknown-route without a provider
 */
export async function beginProviderSignIn(
  context: PeopleContext,
  { again, redirectUri }: { again: boolean; redirectUri: string },
  from: From,
): Promise<{ ticket: string; url: string }> {
  const provider = requireProvider(context)
  context.attempts.ofAddress(from.address)
  const ticket = newSecret('ticket')
  const secret = randomBytes(32).toString('base64url')
  const url = await provider.begin(secret, stateOf(ticket), redirectUri, again)
  await inTransaction(context.db, (tx) =>
    stepInsert(
      tx,
      'provider-sign-in',
      secretHash(ticket),
      { personId: null, challenge: secret },
      LIMITS.providerStepMinutes,
    ),
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
  context.attempts.ofAddress(from.address)
  // used up, whether the answer is right or not: no code is tried twice
  const step = await inTransaction(context.db, (tx) => stepTake(tx, 'provider-sign-in', secretHash(given.ticket)))
  if (step === undefined) throw providerRefused()
  const identity = await provider.finish(
    new URLSearchParams(given.answer),
    must(step.challenge),
    stateOf(given.ticket),
    given.redirectUri,
  )
  const { settings } = provider
  if (settings.emailDomains.length > 0) requireDomain(verifiedEmail(identity), settings.emailDomains)
  const personId = (await knownPerson(context, identity)) ?? (await linkedPerson(context, identity, from))
  await joinInvited(context, identity, personId, from)
  const outcome = await inTransaction(context.db, async (tx) => {
    const person = await personLock(tx, personId)
    if (person === undefined) throw providerRefused()
    return afterPassword(tx, person, from, {
      by: 'provider',
      askedSecondsAgo: identity.askedSecondsAgo,
      hasProviderFactor: settings.secondFactor === 'always' || identity.hasFactor,
    })
  })
  sendAlerts(context)
  return outcome
}

async function knownPerson({ db }: PeopleContext, { issuer, subject }: Identity): Promise<number | undefined> {
  const personId = await identityPerson(db, issuer, subject)
  if (personId !== undefined) await inTransaction(db, (tx) => identityUsed(tx, issuer, subject))
  return personId
}

/** Links an identity that nobody has yet. @returns its person, who may be new */
async function linkedPerson(context: PeopleContext, identity: Identity, from: From): Promise<number> {
  const email = verifiedEmail(identity)
  const { db, provider } = context
  // nobody knows it, so that nobody signs in by password until a link has set another one
  const unknownPassword = await passwordHash(newSecret('ticket'))
  const known = await personByEmail(db, email)
  const owned = known === undefined ? [] : await accountsOwned(db, known.personId)
  return inTransaction(db, async (tx) => {
    // of two sign-ins at the same moment the second one finds what the first has linked
    await identityLock(tx, email)
    const other = await identityPerson(tx, identity.issuer, identity.subject)
    if (other !== undefined) return other
    const person = await personByEmail(tx, email)
    const personId = person?.personId ?? (await newPerson(tx, identity, email, unknownPassword))
    if (await hasIdentity(tx, personId, identity.issuer))
      throw new ShelfwireError(
        'identity-differs',
        `${email} signs in here with another identity of the provider; ask the operator, who lets it go with: shelfwire member link --remove-codes`,
      )
    await personLock(tx, personId)
    await identityInsert(tx, { issuer: identity.issuer, subject: identity.subject, personId, email })
    await personEventInsert(tx, personId, 'provider-linked', from)
    if (person === undefined) return personId
    if (context.mailer === null) await takeOver(tx, personId, unknownPassword)
    await recordAndAlert(tx, context, owned, person, 'linkProvider', from)
    return personId
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
    }).catch((error: unknown) =>
      explainViolation(error, { person_email: `somebody signs up as ${address} just now; sign in again` }),
    )
  }
}

/**
 * Ends every other way in. Without a mail server links are shown to whoever makes them, so that somebody else may have signed up with the address;
 * the provider is the first that has verified it.
 */
async function takeOver(tx: Tx, personId: number, unknownPassword: string): Promise<void> {
  await passwordUpdate(tx, personId, unknownPassword)
  await totpRemove(tx, personId)
  await recoveryCodesDelete(tx, personId)
  await passkeysDelete(tx, personId)
  await sessionsDelete(tx, personId, null, 'password-changed')
  await stepsDelete(tx, personId)
  await resetLinksDelete(tx, personId)
  await devicesDelete(tx, personId)
}

/** Accepts the invitations to the verified address of a person; those to suspended accounts stay open. */
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
      const isGone = error instanceof ShelfwireError && ['account-suspended', 'link-ended'].includes(error.code)
      if (!isGone) throw error
    }
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
