import { membershipOf, type SignInRules } from '../accounts/sign-in-rules.sql.ts'
import type { MemberRow } from '../accounts/members.sql.ts'
import type { Db } from '../db/sql.ts'
import { nowMs } from '../platform/time/clock.ts'
import { ShelfwireError } from '../platform/errors.ts'
import type { SignedIn } from './sign-in/sessions.ts'
import { sessionShorten } from './sign-in/sessions.sql.ts'

/**
 * The membership of the signed-in person, if the session meets the rules of the account.
 * @throws ShelfwireError unknown-account, if the account does not exist or the person is not a member; second-factor-required;
 * not-signed-in
 */
export async function requireMembership(db: Db, session: SignedIn, accountId: number): Promise<MemberRow> {
  const member = await membershipOf(db, accountId, session.personId)
  if (member === undefined)
    throw new ShelfwireError('unknown-account', 'there is no such account, or you are not a member of it')
  await shorten(db, session, member)
  if (member.requiresSecondFactor && !session.hasFactor)
    throw new ShelfwireError(
      'second-factor-required',
      'the account asks its members for a second factor: set up codes or a passkey, or sign in with one, here or at the identity provider',
    )
  return member
}

/** Applies the account's shorter limits to the session that opens it, permanently, so that they hold for any later use of the session. */
async function shorten(db: Db, session: SignedIn, rules: SignInRules): Promise<void> {
  const { sessionId, createdAt, expiresAt, idleMinutes } = session
  const { sessionIdleMinutes, sessionHours } = rules
  const idle =
    sessionIdleMinutes === null ? idleMinutes : Math.min(sessionIdleMinutes, idleMinutes ?? sessionIdleMinutes)
  const endMs =
    sessionHours === null
      ? expiresAt.getTime()
      : Math.min(expiresAt.getTime(), createdAt.getTime() + sessionHours * 3_600_000)
  if (idle !== idleMinutes || endMs !== expiresAt.getTime()) await sessionShorten(db, sessionId, idle, new Date(endMs))
  if (endMs <= nowMs())
    throw new ShelfwireError('not-signed-in', 'the account lets sessions last for a shorter time; sign in again')
}
