import { accountGet } from '../accounts/accounts.sql.ts'
import { settingsLock } from '../accounts/settings-lock.sql.ts'
import {
  memberInsert,
  memberByEmail,
  memberOfPerson,
  memberSignsIn,
  membersList,
  type MemberRole,
} from '../accounts/members.sql.ts'
import { faultOfEmail } from '../accounts/members.ts'
import { explainViolation, inTransaction, type Tx } from '../db/sql.ts'
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
import { linkAddress } from './link-address.ts'
import { mailLink } from './link-mails.ts'
import type { Mailed } from './mails.ts'
import { requireName, requireNewPassword } from './own-account.ts'
import { passkeysDelete } from './passkeys.sql.ts'
import { passwordHash } from './passwords.ts'
import type { PeopleContext } from './people.ts'
import {
  passwordUpdate,
  personByEmail,
  personEventInsert,
  personInsert,
  personLock,
  recoveryCodesDelete,
  totpRemove,
  type From,
} from './persons.sql.ts'
import { newSecret, secretHash } from './secrets.ts'
import { openSession, type SignedIn } from './sessions.ts'
import { sessionsDelete } from './sessions.sql.ts'
import { afterPassword, type SignInOutcome } from './sign-in.ts'
import { stepsDelete } from './sign-in-steps.sql.ts'

// Invitations and password resets by link. Where no mail is sent, whoever makes a link is shown it and passes it on.

export const linkEnded = () => new ShelfwireError('link-ended', 'this link was used, was withdrawn, or has expired')

/** @throws ShelfwireError invalid-input with a fault named `email` */
export function requireEmail(email: string): void {
  const reason = faultOfEmail(email)
  if (reason === null) return
  throw new ShelfwireError('invalid-input', `email ${reason}`, { faults: [{ name: 'email', reason }] })
}

/**
 * Makes a link by which somebody joins an account; earlier ones for the same address end.
 * @returns the link's token, which cannot be read again
 * @throws ShelfwireError invalid-input; conflict for a member who can sign in, or at LIMITS.membersPerAccountMax; unknown-account
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
  if (others.length + (await invitationsList(tx, accountId)).length >= LIMITS.membersPerAccountMax)
    throw new ShelfwireError(
      'conflict',
      `an account has at most ${LIMITS.membersPerAccountMax} members and invitations; remove one first`,
    )
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
 * Invites somebody, and mails the link.
 * @returns the link where no mail is sent; the service never shows a link that it has mailed, or was to mail
 */
export async function invite(
  context: PeopleContext,
  accountId: number,
  invitation: { email: string; role: MemberRole; createdBy: number },
  note: (tx: Tx, invitationId: number) => PromiseLike<unknown>,
): Promise<Mailed & { invitationId: number; link: string | null }> {
  context.attempts.mailOf(accountId)
  const mailInSeconds = firstRetry(context)
  const { invitationId, token } = await inTransaction(context.db, async (tx) => {
    const made = await makeInvitation(tx, accountId, { ...invitation, mailInSeconds })
    await note(tx, made.invitationId)
    return made
  })
  const facts = { linkId: invitationId, kind: 'invitation' as const, email: invitation.email, accountId }
  const mailed = await mailLink(context, facts, token)
  const link = mailed.mail === 'off' ? linkAddress(context.publicUrl(), token) : null
  return { ...mailed, invitationId, link }
}

/** When a mail is tried again that is to be sent at once. Also if this process ends before it is sent. */
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
 * Makes a link for a member, by the operator: who has never signed in is invited, everybody else sets a new password.
 * @param removesFactors whether codes and passkeys are removed as well; all sessions end then
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

/** Signs a person out and in by password alone again. */
async function factorsRemove(tx: Tx, personId: number): Promise<void> {
  await totpRemove(tx, personId)
  await recoveryCodesDelete(tx, personId)
  await passkeysDelete(tx, personId)
  await sessionsDelete(tx, personId, null)
  await stepsDelete(tx, personId)
}

/**
 * Mails a link that sets a new password, if somebody has the address. All of it happens after the answer, which is the same and
 * takes the same time for every address.
 * @throws ShelfwireError invalid-input for what is no address; rate-limited, by the address that asks and by the one that is mailed to
 */
export function requestReset(context: PeopleContext, email: string, from: From): void {
  context.attempts.ofAddress(from.address)
  requireEmail(email)
  context.attempts.mailTo(email)
  if (context.mailer === null) return
  context.later(async () => {
    const person = await personByEmail(context.db, email)
    if (person === undefined) return
    const made = await inTransaction(context.db, (tx) => makeResetLink(tx, person, firstRetry(context)))
    await mailLink(context, { ...made, kind: 'password-reset', email: person.email, accountId: null }, made.token)
  })
}

/** What a link is for. */
export interface ReadLink extends LinkRow {
  accountName: string | null
  /** Whether somebody signs in with its address already. */
  hasPassword: boolean
}

/** @throws ShelfwireError link-ended; rate-limited */
export async function readLink(context: PeopleContext, token: string, from: From): Promise<ReadLink> {
  context.attempts.ofAddress(from.address)
  const link = await linkByHash(context.db, secretHash(token))
  if (link === undefined) throw linkEnded()
  const [account, person] = await Promise.all([
    link.accountId === null ? undefined : accountGet(context.db, link.accountId),
    personByEmail(context.db, link.email),
  ])
  return { ...link, accountName: account?.name ?? null, hasPassword: person !== undefined }
}

/**
 * Sets a new password by a link. Ends all sessions of the person and all other links; where codes are set up, one is asked for.
 * @throws ShelfwireError link-ended; invalid-input, after which the link can be used again
 */
export async function resetPassword(
  context: PeopleContext,
  given: { token: string; password: string },
  from: From,
): Promise<SignInOutcome> {
  context.attempts.ofAddress(from.address)
  const tokenHash = secretHash(given.token)
  const link = await linkByHash(context.db, tokenHash)
  if (link?.kind !== 'password-reset') throw linkEnded()
  requireNewPassword(given.password, link.email)
  const hash = await passwordHash(given.password)
  return inTransaction(context.db, async (tx) => {
    const personId = link.personId ?? 0
    const person = await personLock(tx, personId)
    if (person === undefined || (await linkTake(tx, 'password-reset', tokenHash)) === undefined) throw linkEnded()
    await passwordUpdate(tx, personId, hash)
    await sessionsDelete(tx, personId, null)
    await stepsDelete(tx, personId)
    await resetLinksDelete(tx, personId)
    await personEventInsert(tx, personId, 'password-reset', from)
    return afterPassword(tx, person, from)
  })
}

/**
 * Accepts an invitation. Whoever has the address already is to be signed in; a link alone never changes an existing password.
 * @param session of whoever is signed in, if anybody is
 * @returns a new session for a new person; null when the session goes on
 * @throws ShelfwireError link-ended; not-signed-in; invalid-input
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
  const accountId = link.accountId ?? 0
  const known = await personByEmail(context.db, link.email)
  if (known !== undefined) {
    if (session?.personId !== known.personId)
      throw new ShelfwireError('not-signed-in', `sign in as ${link.email}, then open the link again`)
    await inTransaction(context.db, (tx) => join(tx, tokenHash, accountId, { ...session, ...from }))
    return null
  }
  const { name, password } = required(given)
  const personName = requireName(name)
  requireNewPassword(password, link.email)
  const hash = await passwordHash(password)
  return inTransaction(context.db, async (tx) => {
    if ((await personByEmail(tx, link.email)) !== undefined)
      throw new ShelfwireError('not-signed-in', `sign in as ${link.email}, then open the link again`)
    const personId = await personInsert(tx, { email: link.email, name: personName, passwordHash: hash }).catch(
      (error: unknown) => explainViolation(error, { person_email: `${link.email} signed up just now; sign in first` }),
    )
    await join(tx, tokenHash, accountId, { personId, name: personName, email: link.email, ...from })
    return { state: 'signed-in', opened: await openSession(tx, personId, from) }
  })
}

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

/** Uses an invitation up and makes the person a member, or the member of this address a person who signs in. */
async function join(
  tx: Tx,
  tokenHash: Buffer,
  accountId: number,
  person: { personId: number; name: string; email: string } & From,
): Promise<void> {
  const { personId, email } = person
  await settingsLock(tx, accountId)
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
}
