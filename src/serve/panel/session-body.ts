import type { Session } from '../../../contract/panel/session.ts'
import { accountsOfPerson } from '../../accounts/members.sql.ts'
import type { Db } from '../../db/sql.ts'
import { identityShown } from '../../people/sign-in/identities.sql.ts'
import { factorsGet, type From } from '../../people/persons.sql.ts'
import { csrfTokenOf } from '../../people/secrets.ts'
import { findSession, type SignedIn } from '../../people/sign-in/sessions.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import { nowMs } from '../../platform/time/clock.ts'

/** A session as its own pages of the panel read it. */
export async function sessionBody(db: Db, session: SignedIn): Promise<Session> {
  const [accounts, factors, identity] = await Promise.all([
    accountsOfPerson(db, session.personId),
    factorsGet(db, session.personId),
    identityShown(db, session.personId),
  ])
  const { seenAt, expiresAt } = session
  const idleMinutes = Math.min(LIMITS.sessionIdleHours * 60, session.idleMinutes ?? Infinity)
  // the stored time is up to a minute old, and this request is a use of the session
  const seenMs = Math.max(seenAt.getTime(), nowMs())
  const idleUntil = new Date(Math.min(expiresAt.getTime(), seenMs + idleMinutes * 60_000))
  return {
    id: session.sessionId,
    csrf_token: csrfTokenOf(session.secret),
    created_at: formatTimestamp(session.createdAt),
    idle_until: formatTimestamp(idleUntil),
    expires_at: formatTimestamp(expiresAt),
    person: {
      id: session.personId,
      email: session.email,
      name: session.name,
      has_totp: session.hasTotp,
      recovery_codes_left: factors.recoveryCodes,
      passkeys: factors.passkeys,
      at_provider: identity !== undefined,
      provider:
        identity === undefined
          ? null
          : {
              email: identity.email === '' ? null : identity.email,
              linked_at: formatTimestamp(identity.linkedAt),
              takes_over: !identity.isChecked && !factors.isEmailProven,
            },
      email_proven: factors.isEmailProven,
    },
    accounts: accounts.map((row) => ({
      id: row.accountId,
      name: row.name,
      currency: row.currency,
      locale: row.locale,
      time_zone: row.timeZone,
      role: row.role,
      needs_second_factor: row.requiresSecondFactor && !session.hasFactor,
      suspended:
        row.suspendedAt === null ? null : { since: formatTimestamp(row.suspendedAt), reason: row.suspensionReason },
    })),
  }
}

/** The session that a secret opens. */
export async function sessionBodyOf(db: Db, secret: string, from: From): Promise<Session> {
  const session = await findSession(db, secret, from)
  if (session === undefined) throw new Error('a session that was just opened is not found')
  return sessionBody(db, session)
}
