import { accountsOfPerson, memberByEmail, memberEmailUpdate, memberOfPerson } from '../accounts/members.sql.ts'
import { settingsLock } from '../accounts/settings-lock.sql.ts'
import { inTransaction, type Tx } from '../db/sql.ts'
import { explainViolation } from '../db/statements/violations.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { auditInsert } from './audit.sql.ts'
import { languageOfPerson } from './mails/language-of-person.ts'
import { mailLink } from './mails/link-mails.ts'
import { emailLinkInsert, emailLinksDelete, linkByHash, linkTake, resetLinksDelete } from './links.sql.ts'
import { linkEnded, requireEmail } from './links.ts'
import { mailEmailAsked, mailEmailChanged } from './mails/mails.ts'
import type { PeopleContext } from './people.ts'
import { emailUpdate, personByEmail, personEventInsert, personLock, type From } from './persons.sql.ts'
import { newSecret, secretHash } from './secrets.ts'
import type { SignedIn } from './sign-in/sessions.ts'
import { sessionExists } from './sign-in/sessions.sql.ts'
import { requirePassword } from './sign-in/sign-in.ts'

// A person's new e-mail address. It applies once the link that was mailed to it has been opened. The old address is notified of
// the request and of the change.

/**
 * Mails a link to the new address, and a note to the old one. Everything happens after the answer, which is the same if another person
 * has the address: then no link is mailed.
 * @throws ShelfwireError sign-in-failed; invalid-input; conflict if the service sends no mail; rate-limited
 */
export async function requestEmail(
  context: PeopleContext,
  session: Pick<SignedIn, 'personId' | 'sessionId' | 'email'>,
  given: { email: string; password: string },
  from: From,
): Promise<void> {
  const { personId, email: earlier } = session
  const { email } = given
  requireEmail(email)
  if (email.toLowerCase() === earlier.toLowerCase())
    throw new ShelfwireError('invalid-input', 'email is your address already', {
      faults: [{ name: 'email', reason: 'is your address already' }],
    })
  await requirePassword(context, session, given.password)
  if (context.mailer === null)
    throw new ShelfwireError('conflict', 'this service sends no mail, so that a new address cannot be confirmed')
  context.attempts.mailTo(email)
  context.later(async () => {
    const token = newSecret('link')
    const linkId = await inTransaction(context.db, async (tx) => {
      // if the session has been ended meanwhile, its request has ended with it
      if ((await personLock(tx, personId)) === undefined || !(await sessionExists(tx, session.sessionId))) return null
      await emailLinksDelete(tx, personId)
      await personEventInsert(tx, personId, 'email-asked', from)
      if ((await personByEmail(tx, email)) !== undefined) return null
      const [mailInSeconds = null] = LIMITS.linkMailRetrySeconds
      return emailLinkInsert(tx, { tokenHash: secretHash(token), email, personId, mailInSeconds })
    })
    await mailEmailAsked(context, earlier, email, await languageOfPerson(context.db, personId))
    if (linkId !== null)
      await mailLink(context, { linkId, kind: 'email-change', email, accountId: null, personId }, token)
  })
}

/**
 * Gives a person the address that a link was mailed to, in all accounts. Links that were mailed to the old address end. Opening the link shows
 * only that the reader of the new address agrees, not that the reader is the person. So the new address counts as proven only if the old one
 * was, and the link was opened in a session of the person.
 * @param session of the browser that opened the link, if there is one
 * @returns the new address
 * @throws ShelfwireError link-ended; conflict if somebody else has the address by now; rate-limited
 */
export async function confirmEmail(
  context: PeopleContext,
  token: string,
  session: Pick<SignedIn, 'personId' | 'sessionId'> | undefined,
  from: From,
): Promise<string> {
  context.attempts.ofAddress(from.address)
  const tokenHash = secretHash(token)
  const known = await linkByHash(context.db, tokenHash)
  if (known?.kind !== 'email-change' || known.personId === null) throw linkEnded()
  const { personId } = known
  // before the transaction: on Citus this asks all nodes at once, and a transaction that did so must not change a reference table
  const accounts = (await accountsOfPerson(context.db, personId)).map((row) => row.accountId)
  const { email, earlier } = await inTransaction(context.db, async (tx) => {
    // in lock order: settings of accounts before people
    for (const accountId of accounts) await settingsLock(tx, accountId)
    const person = await personLock(tx, personId)
    const link = person === undefined ? undefined : await linkTake(tx, 'email-change', tokenHash)
    if (person === undefined || link === undefined) throw linkEnded()
    const isOwn = session?.personId === personId && (await sessionExists(tx, session.sessionId))
    await emailUpdate(tx, personId, link.email, isOwn).catch((error: unknown) =>
      explainViolation(error, { person_email: 'somebody else signs in with this address' }),
    )
    for (const accountId of accounts)
      await renameMember(tx, accountId, { personId, name: person.name, earlier: person.email, email: link.email }, from)
    await resetLinksDelete(tx, personId)
    await personEventInsert(tx, personId, 'email-changed', from)
    return { email: link.email, earlier: person.email }
  })
  context.later(async () => mailEmailChanged(context, earlier, email, await languageOfPerson(context.db, personId)))
  return email
}

async function renameMember(
  tx: Tx,
  accountId: number,
  { personId, name, earlier, email }: { personId: number; name: string; earlier: string; email: string },
  from: From,
): Promise<void> {
  // the person was removed between the first look-up and the lock
  if ((await memberOfPerson(tx, accountId, personId)) === undefined) return
  const other = await memberByEmail(tx, accountId, email)
  if (other !== undefined && other.personId !== personId)
    throw new ShelfwireError('conflict', `account ${accountId} has another member with this address; remove it first`)
  await memberEmailUpdate(tx, accountId, personId, email)
  await auditInsert(
    tx,
    accountId,
    { personId, name: `${name} <${earlier}>`, ...from },
    { action: 'confirmEmail', target: `/panel/api/accounts/${accountId}/members`, details: { email } },
  )
}
