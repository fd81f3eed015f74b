import type { Reader, Tx } from '../db/sql.ts'
import type { MemberRow } from './members.sql.ts'

// An account's rules for the sessions of its members.

export interface SignInRules {
  /** Whether members need a session with a second factor: a code or a passkey. */
  requiresSecondFactor: boolean
  /** Minutes without use after which sessions that have opened the account end; null: only the general limit applies. */
  sessionIdleMinutes: number | null
  /** Hours after the sign-in at which these sessions end; null: only the general limit applies. */
  sessionHours: number | null
}

export async function signInRulesGet(reader: Reader, accountId: number): Promise<SignInRules | undefined> {
  const [row] = await reader<SignInRules[]>`
    select requires_second_factor as "requiresSecondFactor", session_idle_minutes as "sessionIdleMinutes",
      session_hours as "sessionHours"
    from account where account_id = ${accountId}`
  return row
}

/** Writes the rules, under settingsLock. */
export function signInRulesUpdate(tx: Tx, accountId: number, rules: SignInRules) {
  return tx`
    update account set requires_second_factor = ${rules.requiresSecondFactor}, session_idle_minutes = ${rules.sessionIdleMinutes},
      session_hours = ${rules.sessionHours}
    where account_id = ${accountId}`
}

/** The member as whom a person signs in, with the account's rules. */
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
