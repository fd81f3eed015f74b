import type { Reader, Tx } from '../db/sql.ts'
import type { MemberRow } from './members.sql.ts'

// What an account asks of those who sign in to it.

export interface SignInRules {
  /** Whether members see it only with sessions that a code or a passkey stands behind. */
  requiresSecondFactor: boolean
  /** After how long without use sessions end that have opened it; null: as long as sessions last. */
  sessionIdleMinutes: number | null
  /** How long after the sign-in they end; null: as long as sessions last. */
  sessionHours: number | null
}

export async function signInRulesGet(reader: Reader, accountId: number): Promise<SignInRules | undefined> {
  const [row] = await reader<SignInRules[]>`
    select requires_second_factor as "requiresSecondFactor", session_idle_minutes as "sessionIdleMinutes",
      session_hours as "sessionHours"
    from account where account_id = ${accountId}`
  return row
}

/** Under settingsLock. */
export function signInRulesUpdate(tx: Tx, accountId: number, rules: SignInRules) {
  return tx`
    update account set requires_second_factor = ${rules.requiresSecondFactor}, session_idle_minutes = ${rules.sessionIdleMinutes},
      session_hours = ${rules.sessionHours}
    where account_id = ${accountId}`
}

/** The member as which a person signs in, with what the account asks. */
export async function membershipOf(
  reader: Reader,
  accountId: number,
  personId: number,
): Promise<(MemberRow & SignInRules) | undefined> {
  const [row] = await reader<(MemberRow & SignInRules)[]>`
    select m.member_id as "memberId", m.email, m.role, m.created_at as "createdAt", m.person_id as "personId",
      a.requires_second_factor as "requiresSecondFactor", a.session_idle_minutes as "sessionIdleMinutes",
      a.session_hours as "sessionHours"
    from member m join account a on a.account_id = m.account_id
    where m.account_id = ${accountId} and a.account_id = ${accountId} and m.person_id = ${personId}`
  return row
}
