import type { Reader, Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import type { From } from './persons.sql.ts'

// Sessions of the panel. A session ends when it was not used for LIMITS.sessionIdleHours, LIMITS.sessionDaysMax after it began,
// or when its row is deleted; whatever ends it counts at the next request, because none is kept in memory.

export interface SessionRow {
  sessionId: number
  personId: number
  email: string
  name: string
  hasTotp: boolean
  createdAt: Date
  seenAt: Date
  expiresAt: Date
  /** Whether it was last used so long ago that it is worth noting, or from elsewhere. */
  isNews: boolean
}

export async function sessionInsert(tx: Tx, personId: number, tokenHash: Buffer, from: From): Promise<number> {
  const [row] = await tx<{ session_id: number }[]>`
    insert into session (person_id, token_hash, expires_at, address, user_agent)
    values (${personId}, ${tokenHash}, now() + make_interval(days => ${LIMITS.sessionDaysMax}), ${from.address}, ${from.userAgent})
    returning session_id`
  return row?.session_id ?? 0
}

/** The session with this hash, unless it has ended. */
export async function sessionByHash(reader: Reader, tokenHash: Buffer, from: From): Promise<SessionRow | undefined> {
  const [row] = await reader<SessionRow[]>`
    select s.session_id as "sessionId", s.person_id as "personId", p.email, p.name, p.totp_secret is not null as "hasTotp",
      s.created_at as "createdAt", s.seen_at as "seenAt", s.expires_at as "expiresAt",
      s.seen_at < now() - make_interval(secs => ${LIMITS.sessionSeenSeconds}) or s.address <> ${from.address} as "isNews"
    from (
      select session_id, person_id, created_at, seen_at, expires_at, address from session
      where token_hash = ${tokenHash} offset 0
    ) s
    cross join lateral (select email, name, totp_secret from person where person_id = s.person_id offset 0) p
    where s.expires_at > now()
      and s.seen_at > now() - make_interval(hours => ${LIMITS.sessionIdleHours})`
  return row
}

/** Notes that a session was used. */
export function sessionSeen(tx: Reader, sessionId: number, from: From) {
  return tx`
    update session set seen_at = now(), address = ${from.address}, user_agent = ${from.userAgent}
    where session_id = ${sessionId}`
}

/** Gives a session a new secret. @returns whether it was still there. */
export async function sessionRotate(tx: Tx, sessionId: number, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx`
    update session set token_hash = ${tokenHash} where session_id = ${sessionId} returning 1 as rotated`
  return rows.length > 0
}

export interface ListedSession {
  sessionId: number
  createdAt: Date
  seenAt: Date
  expiresAt: Date
  address: string
  userAgent: string
}

/** Sessions of a person that have not ended, the last used first. */
export function sessionsList(reader: Reader, personId: number) {
  return reader<ListedSession[]>`
    select session_id as "sessionId", created_at as "createdAt", seen_at as "seenAt", expires_at as "expiresAt", address,
      user_agent as "userAgent"
    from session
    where person_id = ${personId} and expires_at > now() and seen_at > now() - make_interval(hours => ${LIMITS.sessionIdleHours})
    order by seen_at desc, session_id desc`
}

/** Ends one session of a person. @returns whether there was one. */
export async function sessionDelete(tx: Tx, personId: number, sessionId: number): Promise<boolean> {
  const rows = await tx`
    delete from session where person_id = ${personId} and session_id = ${sessionId} returning 1 as ended`
  return rows.length > 0
}

/** Ends all sessions of a person, except one. */
export function sessionsDelete(tx: Tx, personId: number, exceptId: number | null) {
  return tx`delete from session where person_id = ${personId} and session_id <> ${exceptId ?? 0}`
}

/** Ends the sessions of a person beyond the newest ones. */
export function sessionsTrim(tx: Tx, personId: number, max: number) {
  return tx`
    delete from session where person_id = ${personId} and session_id <= (
      select session_id from session where person_id = ${personId} order by session_id desc offset ${max} limit 1)`
}
