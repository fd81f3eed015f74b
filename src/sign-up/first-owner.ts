import { timingSafeEqual } from 'node:crypto'
import { accountExists } from '../accounts/accounts.sql.ts'
import { inTransaction, type Db, type Reader } from '../db/sql.ts'
import { explainViolation } from '../db/statements/violations.ts'
import { sendAlerts } from '../people/mails/alerts.ts'
import { linkAddress } from '../people/mails/link-address.ts'
import { linkEnded, requireEmail } from '../people/links.ts'
import { requireName, requireNewPassword } from '../people/own-account.ts'
import { passwordHash } from '../people/sign-in/passwords.ts'
import type { PeopleContext } from '../people/people.ts'
import { personInsert, type From } from '../people/persons.sql.ts'
import { isSecretForm, newSecret, secretHash } from '../people/secrets.ts'
import { openSession } from '../people/sign-in/sessions.ts'
import type { SignInOutcome } from '../people/sign-in/sign-in.ts'
import { openOwned, type OwnAccount } from './own-account.ts'
import { firstOwnerHashes, firstOwnerLinkInsert, firstOwnerLinksDelete, firstOwnerLock } from './sign-up.sql.ts'

// The first owner of an installation signs up by a link that the service prints at its start: only its operator can read that.
// docs/decisions/193-a-printed-link-makes-the-first-owner.md says why.

/**
 * Makes a link by which the first owner signs up, as long as there is no account. Earlier links stay valid, because processes that start
 * at the same time each print one.
 * @param publicUrl base URL of the link @returns null if there is an account
 */
export async function makeFirstOwnerLink(db: Db, publicUrl: string): Promise<string | null> {
  if (await accountExists(db)) return null
  const token = newSecret('link')
  await inTransaction(db, (tx) => firstOwnerLinkInsert(tx, secretHash(token)))
  return linkAddress(publicUrl, token)
}

/** The form of the first owner's sign-up. */
export interface FirstOwner {
  token: string
  email: string
  password: string
  account: OwnAccount
}

/**
 * Creates the first owner, with an account, and signs the owner in. Of several who try at the same time, with the same or different links,
 * one succeeds; all links end with that.
 * @throws ShelfwireError link-ended; invalid-input, after which the link can be used again; rate-limited
 */
export async function signUpFirstOwner(context: PeopleContext, given: FirstOwner, from: From): Promise<SignInOutcome> {
  context.attempts.ofAddress(from.address)
  const { token, email, password, account } = given
  // checked before the password is hashed, which takes 20 ms of processor time
  await requireLink(context.db, token)
  requireEmail(email)
  requireNewPassword(password, email)
  const name = requireName(email.split('@')[0] ?? '')
  const hash = await passwordHash(password)
  const opened = await inTransaction(context.db, async (tx) => {
    await firstOwnerLock(tx)
    await requireLink(tx, token)
    await firstOwnerLinksDelete(tx)
    const personId = await personInsert(tx, { email, name, passwordHash: hash }).catch((error: unknown) =>
      explainViolation(error, { person_email: `${email} signs in here already; take another address` }),
    )
    await openOwned(tx, { personId, name, email }, account, from)
    return openSession(tx, personId, from)
  })
  sendAlerts(context)
  return { state: 'signed-in', opened }
}

/** @throws ShelfwireError link-ended, also if there is an account already */
async function requireLink(reader: Reader, token: string): Promise<void> {
  const given = secretHash(token)
  const isOne = (await firstOwnerHashes(reader)).some((hash) => timingSafeEqual(hash, given))
  if (!isSecretForm('link', token) || !isOne || (await accountExists(reader))) throw linkEnded()
}
