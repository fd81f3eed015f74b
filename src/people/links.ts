import { requireRoom } from '../accounts/limits/limits.ts'
import { accountExists, accountGet } from '../accounts/accounts.sql.ts'
import { settingsLock } from '../accounts/settings-lock.sql.ts'
import {
  memberInsert,
  memberByEmail,
  memberOfPerson,
  memberSignsIn,
  membersList,
  type MemberRole,
} from '../accounts/members.sql.ts'
import { createMember, faultOfEmail } from '../accounts/members.ts'
import { accountSuspended } from '../accounts/suspensions.sql.ts'
import { accountIsSuspended } from '../accounts/suspensions.ts'
import { inTransaction, type Tx } from '../db/sql.ts'
import { explainViolation } from '../db/statements/violations.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { auditInsert, type Actor } from './audit.sql.ts'
import {
  invitationInsert,
  invitationsList,
  invitationsOfEmailDelete,
  linkByHash,
  linkTake,
  resetLinkInsert,
  resetLinksDelete,
  type LinkRow,
} from './links.sql.ts'
import { identitiesDelete, unverifiedIdentitiesDelete } from './sign-in/identities.sql.ts'
import { linkAddress } from './mails/link-address.ts'
import { mailLink } from './mails/link-mails.ts'
import type { Mailed } from './mails/mails.ts'
import { requireName, requireNewPassword } from './own-account.ts'
import { devicesDelete } from './sign-in/known-devices.sql.ts'
import { nameInText } from './mails/mail-names.ts'
import { passkeyDelete, passkeysDelete, passkeysList, type PasskeyRow } from './sign-in/passkeys.sql.ts'
import { accountsOwned, sendAlerts, recordAndAlert, alertOwners } from './mails/alerts.ts'
import { passwordHash } from './sign-in/passwords.ts'
import type { PeopleContext } from './people.ts'
import {
  emailProvenUpdate,
  passwordUpdate,
  personByEmail,
  personEventInsert,
  personGet,
  personInsert,
  personLock,
  recoveryCodesDelete,
  totpEnd,
  totpRemove,
  type From,
} from './persons.sql.ts'
import { newSecret, secretHash } from './secrets.ts'
import { openSession, type SignedIn } from './sign-in/sessions.ts'
import { sessionsDelete } from './sign-in/sessions.sql.ts'
import { afterPassword, requireLocalSignIn, type SignInOutcome } from './sign-in/sign-in.ts'
import { stepsDelete } from './sign-in/sign-in-steps.sql.ts'
import { must } from '../platform/must.ts'

// Invitations and password resets by link. If the service sends no mail, the person who makes a link is shown it, and passes
// it on.

/** The error for a link that is not valid any more, or never was. */
export const linkEnded = () => new ShelfwireError('link-ended', 'this link was used, was withdrawn, or has expired')

/** @throws ShelfwireError invalid-input with a fault named `email` */
export function requireEmail(email: string): void {
  const reason = faultOfEmail(email)
  if (reason === null) return
  throw new ShelfwireError('invalid-input', `email ${reason}`, { faults: [{ name: 'email', reason }] })
}

/**
 * Makes a link by which somebody joins an account, and ends earlier ones for the same e-mail address.
 * @returns the link's token, which cannot be read again
 * @throws ShelfwireError invalid-input; conflict if a member with the address can sign in already; quota-exceeded; unknown-account
 */
export async function makeInvitation(
  tx: Tx,
  accountId: number,
  invitation: { email: string; role: MemberRole; createdBy: number | null; mailInSeconds?: number | null },
): Promise<{ invitationId: number; token: string }> {
  const { email, role, createdBy, mailInSeconds = null } = invitation
  requireEmail(email)
  await settingsLock(tx, accountId)
  const member = await memberByEmail(tx, accountId, email)
  if (member !== undefined && member.personId !== null)
    throw new ShelfwireError('conflict', `${email} is a member of the account already`)
  await invitationsOfEmailDelete(tx, accountId, email)
  const others = (await membersList(tx, accountId)).filter((row) => row.memberId !== member?.memberId)
  await requireRoom(tx, accountId, 'members', others.length + (await invitationsList(tx, accountId)).length)
  const token = newSecret('link')
  const invitationId = await invitationInsert(tx, accountId, {
    tokenHash: secretHash(token),
    email,
    role,
    createdBy,
    mailInSeconds,
  })
  return { invitationId, token }
}

/**
 * Adds a member for the operator. @returns the token of the link by which the member sets a password and signs in; it cannot be read again
 * @throws errors of createMember() and makeInvitation()
 */
export async function makeMember(
  tx: Tx,
  accountId: number,
  { email, role }: { email: string; role: MemberRole },
): Promise<{ memberId: number; token: string }> {
  const memberId = await createMember(tx, accountId, { email, role })
  const { token } = await makeInvitation(tx, accountId, { email, role, createdBy: null })
  return { memberId, token }
}

/**
 * Invites somebody and mails the link.
 * @returns the link if the service sends no mail; otherwise null, even if the mail failed: a mailed link is never shown
 */
export async function invite(
  context: PeopleContext,
  accountId: number,
  invitation: { email: string; role: MemberRole; createdBy: number },
  note: (tx: Tx, invitationId: number) => PromiseLike<unknown>,
): Promise<Mailed & { invitationId: number; link: string | null }> {
  requireEmail(invitation.email)
  // the recipient's limit first: repeated invitations of one recipient must not use up the mails of the account
  if (context.mailer !== null) context.attempts.inviteTo(invitation.email)
  context.attempts.mailOf(accountId)
  const mailInSeconds = firstRetry(context)
  const { invitationId, token } = await inTransaction(context.db, async (tx) => {
    const made = await makeInvitation(tx, accountId, { ...invitation, mailInSeconds })
    await note(tx, made.invitationId)
    return made
  })
  const facts = {
    linkId: invitationId,
    kind: 'invitation' as const,
    email: invitation.email,
    accountId,
    personId: null,
  }
  const mailed = await mailLink(context, facts, token)
  const link = mailed.mail === 'off' ? linkAddress(context.publicUrl(), token) : null
  return { ...mailed, invitationId, link }
}

/** Seconds until the mail's next try, which is stored before the first one, in case this process ends before it is sent. Null: no mail. */
const firstRetry = ({ mailer }: PeopleContext): number | null =>
  mailer === null ? null : (LIMITS.linkMailRetrySeconds[0] ?? null)

/** Makes a link that sets a new password. @returns its token, which cannot be read again */
async function makeResetLink(
  tx: Tx,
  { personId, email }: { personId: number; email: string },
  mailInSeconds: number | null = null,
): Promise<{ linkId: number; token: string }> {
  const token = newSecret('link')
  const linkId = await resetLinkInsert(tx, { tokenHash: secretHash(token), personId, email, mailInSeconds })
  return { linkId, token }
}

/**
 * Makes a link for a member, for the operator: an invitation for somebody who has never signed in, a password reset for everybody else.
 * @param removesFactors removes codes, passkeys and identities of a provider as well, and ends all sessions
 * @throws ShelfwireError unknown-reference
 */
export async function makeMemberLink(
  tx: Tx,
  accountId: number,
  memberId: number,
  removesFactors: boolean,
): Promise<{ kind: LinkRow['kind']; token: string }> {
  const member = (await membersList(tx, accountId)).find((row) => row.memberId === memberId)
  if (member === undefined)
    throw new ShelfwireError('unknown-reference', `account ${accountId} has no member ${memberId}`)
  const { email, role, personId } = member
  const person = personId === null ? undefined : await personLock(tx, personId)
  if (person === undefined)
    return { kind: 'invitation', token: (await makeInvitation(tx, accountId, { email, role, createdBy: null })).token }
  if (removesFactors) await factorsRemove(tx, person.personId)
  return { kind: 'password-reset', token: (await makeResetLink(tx, person)).token }
}

/** Removes every way to sign in except the password, identities of a provider included, and ends all sessions. */
async function factorsRemove(tx: Tx, personId: number): Promise<void> {
  await totpRemove(tx, personId)
  await recoveryCodesDelete(tx, personId)
  await passkeysDelete(tx, personId)
  await identitiesDelete(tx, personId)
  // the next identity that signs in may be somebody else's: unproven, the address makes it end the password as well
  await emailProvenUpdate(tx, personId, false)
  await stepsDelete(tx, personId)
  await sessionsDelete(tx, personId, null, 'operator')
}

/**
 * Mails a link that sets a new password, if a person has the address. Everything happens after the answer, which is the same and
 * takes the same time for every address.
 * @throws ShelfwireError local-sign-in-off; invalid-input for a malformed address; rate-limited, by client and by recipient
 */
export function requestReset(context: PeopleContext, email: string, from: From): void {
  requireLocalSignIn(context)
  context.attempts.ofAddress(from.address)
  requireEmail(email)
  context.attempts.mailTo(email)
  if (context.mailer === null) return
  context.later(async () => {
    const person = await personByEmail(context.db, email)
    if (person === undefined) return
    const made = await inTransaction(context.db, (tx) => makeResetLink(tx, person, firstRetry(context)))
    const { email: to, personId } = person
    await mailLink(context, { ...made, kind: 'password-reset', email: to, accountId: null, personId }, made.token)
  })
}

/** A link with what its page shows. */
export interface ReadLink extends LinkRow {
  accountName: string | null
  /** For a password reset: the person's other ways to sign in. */
  factors: { passkeys: readonly PasskeyRow[]; hasCodes: boolean } | null
}

/** The answer does not reveal whether a person has the address. @throws ShelfwireError link-ended; rate-limited */
export async function readLink(context: PeopleContext, token: string, from: From): Promise<ReadLink> {
  context.attempts.ofAddress(from.address)
  const link = await linkByHash(context.db, secretHash(token))
  if (link === undefined) throw linkEnded()
  if (link.kind === 'first-owner' && (await accountExists(context.db))) throw linkEnded()
  const account = link.accountId === null ? undefined : await accountGet(context.db, link.accountId)
  return { ...link, accountName: account?.name ?? null, factors: await factorsOf(context, link) }
}

async function factorsOf(context: PeopleContext, { kind, personId }: LinkRow): Promise<ReadLink['factors']> {
  if (kind !== 'password-reset' || personId === null) return null
  const [person, passkeys] = await Promise.all([personGet(context.db, personId), passkeysList(context.db, personId)])
  return { passkeys, hasCodes: person !== undefined && person.totpSecret !== null }
}

/**
 * Sets a new password by a link. Ends all sessions of the person and all other links, forgets known browsers, and
 * removes passkeys that are not kept. Codes are still required. Those that are not kept expire after a
 * day, unless somebody signs in with one before: access to the mailbox alone must not remove them at once.
 * @param given.keepPasskeys ids of passkeys to keep
 * @throws ShelfwireError link-ended; invalid-input, after which the link can be used again
 */
export async function resetPassword(
  context: PeopleContext,
  given: { token: string; password: string; keepPasskeys: readonly number[]; keepsCodes: boolean },
  from: From,
): Promise<SignInOutcome> {
  requireLocalSignIn(context)
  context.attempts.ofAddress(from.address)
  const tokenHash = secretHash(given.token)
  const link = await linkByHash(context.db, tokenHash)
  if (link?.kind !== 'password-reset') throw linkEnded()
  requireNewPassword(given.password, link.email)
  const hash = await passwordHash(given.password)
  const personId = must(link.personId)
  const owned = await accountsOwned(context.db, personId)
  const outcome = await inTransaction(context.db, async (tx) => {
    const person = await personLock(tx, personId)
    const taken = person === undefined ? undefined : await linkTake(tx, 'password-reset', tokenHash)
    if (person === undefined || taken === undefined) throw linkEnded()
    await passwordUpdate(tx, personId, hash)
    await emailProvenUpdate(tx, personId, taken.isMailed)
    // passkeys and identities are deleted before sessions, as everywhere: in the other order two transactions could deadlock on Citus
    const passkeys = (await passkeysList(tx, personId)).filter(
      ({ passkeyId }) => !given.keepPasskeys.includes(passkeyId),
    )
    for (const { passkeyId } of passkeys) await passkeyDelete(tx, personId, passkeyId)
    // an intruder with a session may have linked it, which may be why the password is being reset
    const unlinked = await unverifiedIdentitiesDelete(tx, personId)
    await stepsDelete(tx, personId)
    await sessionsDelete(tx, personId, null, 'password-reset')
    await devicesDelete(tx, personId)
    await resetLinksDelete(tx, personId)
    await personEventInsert(tx, personId, 'password-reset', from)
    for (const _ of passkeys) await personEventInsert(tx, personId, 'passkey-removed', from)
    if (unlinked > 0) await personEventInsert(tx, personId, 'provider-unlinked', from)
    const isEnding = person.totpSecret !== null && !person.areCodesEnded && !given.keepsCodes
    if (isEnding) {
      await totpEnd(tx, personId)
      await personEventInsert(tx, personId, 'totp-ending', from)
    }
    const removed = passkeys.map(({ name }) => nameInText(name))
    await recordAndAlert(tx, context, owned, person, 'resetPassword', from, (words) => [
      words.sessionsEnded,
      ...(removed.length === 0 ? [] : [words.passkeysRemoved(removed)]),
      ...(unlinked === 0 ? [] : [words.providerUnlinked]),
      ...(isEnding ? [words.codesEnd(LIMITS.codesEndHours)] : []),
    ])
    return afterPassword(tx, person, from)
  })
  sendAlerts(context)
  return outcome
}

/**
 * Accepts an invitation, either as the signed-in person, or as a new person with a name and a password. A link
 * alone never changes an existing password. Until a name and a valid password were sent, answer and work are
 * the same whether or not a person has the address.
 * @param session the signed-in person's, if there is one and no password was sent
 * @returns a new session for a new person; null if the given session continues
 * @throws ShelfwireError link-ended; not-signed-in if the session is of another address; sign-in-failed if the
 * address has a password; invalid-input; account-suspended, after which the link can be used again
 */
export async function acceptInvitation(
  context: PeopleContext,
  given: { token: string; name?: string | undefined; password?: string | undefined },
  session: SignedIn | undefined,
  from: From,
): Promise<SignInOutcome | null> {
  context.attempts.ofAddress(from.address)
  const tokenHash = secretHash(given.token)
  const link = await linkByHash(context.db, tokenHash)
  if (link?.kind !== 'invitation') throw linkEnded()
  const accountId = must(link.accountId)
  const joinAndTell = async (tx: Tx, person: { personId: number; name: string; email: string }) => {
    const role = await join(tx, tokenHash, accountId, { ...person, ...from })
    await alertJoined(tx, context, accountId, role, person.email, from)
  }
  if (session !== undefined) {
    if (session.email.toLowerCase() !== link.email.toLowerCase())
      throw new ShelfwireError('not-signed-in', `sign in as ${link.email}, then open the link again`)
    await inTransaction(context.db, (tx) => joinAndTell(tx, session))
    sendAlerts(context)
    return null
  }
  requireLocalSignIn(context)
  const { name, password } = required(given)
  const personName = requireName(name)
  requireNewPassword(password, link.email)
  const hash = await passwordHash(password)
  const opened = await inTransaction(context.db, async (tx) => {
    if ((await personByEmail(tx, link.email)) !== undefined) throw signInInstead(link.email)
    const personId = await personInsert(tx, {
      email: link.email,
      name: personName,
      passwordHash: hash,
      isEmailProven: link.isMailed,
    }).catch((error: unknown) => explainViolation(error, { person_email: signInInstead(link.email).message }))
    await joinAndTell(tx, { personId, name: personName, email: link.email })
    return openSession(tx, personId, from)
  })
  sendAlerts(context)
  return { state: 'signed-in', opened }
}

/** Mails the owners of an account that a further owner has joined. */
export async function alertJoined(
  tx: Tx,
  context: PeopleContext,
  accountId: number,
  role: MemberRole,
  email: string,
  from: From,
): Promise<void> {
  if (role === 'owner') await alertOwners(tx, context, accountId, (words) => words.ownerJoined(email), from)
}

const signInInstead = (email: string) =>
  new ShelfwireError(
    'sign-in-failed',
    `this did not work; if you have signed in as ${email} before, sign in now, then open the link again`,
  )

function required({ name, password }: { name?: string | undefined; password?: string | undefined }) {
  const faults = [
    ...(name === undefined ? [{ name: 'name', reason: 'is required' }] : []),
    ...(password === undefined ? [{ name: 'password', reason: 'is required' }] : []),
  ]
  if (name === undefined || password === undefined)
    throw new ShelfwireError('invalid-input', faults.map((fault) => `${fault.name} ${fault.reason}`).join('; '), {
      faults,
    })
  return { name, password }
}

/** Uses an invitation up. The person becomes a member, or signs in as the existing member with this address. @returns the role */
export async function join(
  tx: Tx,
  tokenHash: Buffer,
  accountId: number,
  person: { personId: number; name: string; email: string } & From,
): Promise<MemberRole> {
  const { personId, email } = person
  await settingsLock(tx, accountId)
  // read from the database, before the link is used up: it can be used again when the account is resumed
  if (await accountSuspended(tx, accountId)) throw accountIsSuspended()
  // an erasure of people takes this lock before it checks whether they are members of anything
  if ((await personLock(tx, personId)) === undefined) throw linkEnded()
  const role = (await linkTake(tx, 'invitation', tokenHash))?.role ?? null
  if (role === null) throw linkEnded()
  if ((await memberOfPerson(tx, accountId, personId)) === undefined) {
    const known = await memberByEmail(tx, accountId, email)
    if (known === undefined) await memberInsert(tx, accountId, { email, role, personId })
    else await memberSignsIn(tx, accountId, known.memberId, { personId, role })
  }
  const actor: Actor = {
    personId,
    name: `${person.name} <${email}>`,
    address: person.address,
    userAgent: person.userAgent,
  }
  await auditInsert(tx, accountId, actor, {
    action: 'acceptInvitation',
    target: `/panel/api/accounts/${accountId}/members`,
    details: { role },
  })
  return role
}
