import type { SessionEnd } from '../../../contract/panel/session.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { From } from '../persons.sql.ts'
import { must } from '../../platform/must.ts'

// Sessions of the panel. A session ends LIMITS.sessionIdleHours after its last use, LIMITS.sessionDaysMax after its beginning,
// or when its row is deleted. Every end applies from the next request on, because sessions are not cached.

export interface SessionRow {
  sessionId: number
  personId: number
  email: string
  name: string
  hasTotp: boolean
  /** Whether it has a second factor: a code or passkey that its person still has, or one of the identity provider. */
  hasFactor: boolean
  /** Whether its person gave the password or a passkey, or authenticated at the provider, within LIMITS.reauthenticatedMinutes. */
  isConfirmed: boolean
  createdAt: Date
  seenAt: Date
  expiresAt: Date
  /** The shortest idle limit of the accounts that it has opened; null: LIMITS.sessionIdleHours applies. */
  idleMinutes: number | null
  /** Whether the stored last use is old enough to be updated, or from another address. */
  isNews: boolean
}

/** The way in which somebody has signed in. */
export interface Way {
  by: 'password' | 'passkey' | 'provider'
  /** Seconds since the person authenticated at the identity provider; null: unknown, so the session is not confirmed. */
  askedSecondsAgo?: number | null
  /** Whether the provider has checked a second factor. */
  hasProviderFactor?: boolean
  /** The provider's own session. */
  sid?: string | null
  /** The provider's signed id_token; it is stored encrypted with the session's secret. */
  idToken?: string | null
}

/** Inserts a session, confirmed at the time of the authentication. @returns its id */
export async function sessionInsert(
  tx: Tx,
  personId: number,
  tokenHash: Buffer,
  from: From,
  { by, askedSecondsAgo = null, hasProviderFactor = false, sid = null }: Way,
  closedIdToken: Buffer | null = null,
): Promise<number> {
  const [row] = await tx<{ session_id: number }[]>`
    insert into session (person_id, token_hash, expires_at, address, user_agent, signed_in_by, has_provider_factor, reauthenticated_at,
      provider_sid, provider_id_token)
    values (${personId}, ${tokenHash}, now() + make_interval(days => ${LIMITS.sessionDaysMax}), ${from.address}, ${from.userAgent},
      ${by}, ${hasProviderFactor}, now() - make_interval(secs => ${by === 'provider' ? askedSecondsAgo : 0}::float8),
      ${sid}, ${closedIdToken})
    returning session_id`
  return must(row).session_id
}

/** The session with this hash, unless it has ended. */
export async function sessionByHash(reader: Reader, tokenHash: Buffer, from: From): Promise<SessionRow | undefined> {
  const [row] = await reader<SessionRow[]>`
    select s.session_id as "sessionId", s.person_id as "personId", p.email, p.name, p.totp_secret is not null as "hasTotp",
      p.totp_secret is not null or (s.passkey_at is not null and p.has_passkey) or s.has_provider_factor as "hasFactor",
      coalesce(s.reauthenticated_at between now() - make_interval(mins => ${LIMITS.reauthenticatedMinutes}) and now(), false) as "isConfirmed",
      s.created_at as "createdAt", s.seen_at as "seenAt", s.expires_at as "expiresAt", s.idle_minutes as "idleMinutes",
      s.seen_at < now() - make_interval(secs => ${LIMITS.sessionSeenSeconds}) or s.address <> ${from.address} as "isNews"
    from (
      select session_id, person_id, created_at, seen_at, expires_at, address, reauthenticated_at, passkey_at, idle_minutes,
        has_provider_factor
      from session
      where token_hash = ${tokenHash} offset 0
    ) s
    cross join lateral (
      select email, name, totp_secret, exists (select from passkey where person_id = s.person_id) as has_passkey
      from person where person_id = s.person_id offset 0
    ) p
    where s.expires_at > now()
      and s.seen_at > now() - make_interval(mins => least(${LIMITS.sessionIdleHours * 60}, s.idle_minutes))`
  return row
}

/** Records a use of a session. */
export function sessionSeen(tx: Reader, sessionId: number, from: From) {
  return tx`
    update session set seen_at = now(), address = ${from.address}, user_agent = ${from.userAgent}
    where session_id = ${sessionId}`
}

/** Sets shorter limits of a session. */
export function sessionShorten(tx: Reader, sessionId: number, idleMinutes: number | null, expiresAt: Date) {
  return tx`update session set idle_minutes = ${idleMinutes}, expires_at = ${expiresAt} where session_id = ${sessionId}`
}

/** Records that the person of a session gave the password or a passkey. @returns whether the session still existed */
export async function sessionConfirm(tx: Tx, sessionId: number, isByPasskey: boolean): Promise<boolean> {
  const rows = isByPasskey
    ? await tx`
        update session set reauthenticated_at = now(), passkey_at = now() where session_id = ${sessionId} returning 1 as confirmed`
    : await tx`update session set reauthenticated_at = now() where session_id = ${sessionId} returning 1 as confirmed`
  return rows.length > 0
}

/** Whether a session still exists. Call it under the lock of its person, which is taken to end sessions. */
export async function sessionExists(tx: Tx, sessionId: number): Promise<boolean> {
  const rows = await tx`select 1 from session where session_id = ${sessionId}`
  return rows.length > 0
}

/** Gives a session a new secret. @returns whether it still existed. */
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

/** Sessions of a person that have not ended, the most recently used first. */
export function sessionsList(reader: Reader, personId: number) {
  return reader<ListedSession[]>`
    select session_id as "sessionId", created_at as "createdAt", seen_at as "seenAt", expires_at as "expiresAt", address,
      user_agent as "userAgent"
    from session
    where person_id = ${personId} and expires_at > now()
      and seen_at > now() - make_interval(mins => least(${LIMITS.sessionIdleHours * 60}, idle_minutes))
    order by seen_at desc, session_id desc`
}

/**
 * Ends one session of a person. @param end the reason that is shown; null: it ended normally, and no reason is shown. @returns whether it
 * existed.
 */
export async function sessionDelete(
  tx: Tx,
  personId: number,
  sessionId: number,
  end: SessionEnd | null,
): Promise<boolean> {
  const rows = await tx<Ended[]>`
    delete from session where person_id = ${personId} and session_id = ${sessionId} returning token_hash as "tokenHash"`
  if (end !== null) await endsInsert(tx, rows, end)
  return rows.length > 0
}

/** The encrypted id_token of a session that was opened by a sign-in at the provider; undefined for any other session. */
export async function sessionIdToken(
  reader: Reader,
  sessionId: number,
): Promise<{ idToken: Buffer | null } | undefined> {
  const [row] = await reader<{ idToken: Buffer | null }[]>`
    select provider_id_token as "idToken" from session where session_id = ${sessionId} and signed_in_by = 'provider'`
  return row
}

/** The people whose sessions were opened by one session of the provider. */
export function peopleOfProviderSession(reader: Reader, sid: string) {
  return reader<{ personId: number }[]>`
    select distinct person_id as "personId" from session where signed_in_by = 'provider' and provider_sid = ${sid}`
}

/**
 * Ends sessions that people have opened at the provider, within one session of the provider (null: any).
 * @param isUnnamedMeant also ends sessions whose provider session is unknown @returns ids of the people, one per ended session
 */
export async function providerSessionsDelete(
  tx: Tx,
  { personIds, sid, isUnnamedMeant }: { personIds: readonly number[]; sid: string | null; isUnnamedMeant: boolean },
): Promise<number[]> {
  const rows = await tx<(Ended & { personId: number })[]>`
    delete from session
    where person_id = any(${personIds}::bigint[]) and signed_in_by = 'provider'
      and (${sid}::text is null or provider_sid = ${sid}::text or (${isUnnamedMeant}::boolean and provider_sid is null))
    returning token_hash as "tokenHash", person_id as "personId"`
  await endsInsert(tx, rows, 'provider')
  return rows.map((row) => row.personId)
}

/** Ends all sessions of a person, except one. */
export async function sessionsDelete(
  tx: Tx,
  personId: number,
  exceptId: number | null,
  end: SessionEnd,
): Promise<void> {
  const rows = await tx<Ended[]>`
    delete from session where person_id = ${personId} and session_id <> ${exceptId ?? 0} returning token_hash as "tokenHash"`
  await endsInsert(tx, rows, end)
}

/** Ends the sessions of a person beyond the newest ones. */
export async function sessionsTrim(tx: Tx, personId: number, max: number): Promise<void> {
  const rows = await tx<Ended[]>`
    delete from session where person_id = ${personId} and session_id <= (
      select session_id from session where person_id = ${personId} order by session_id desc offset ${max} limit 1)
    returning token_hash as "tokenHash"`
  await endsInsert(tx, rows, 'too-many')
}

interface Ended {
  tokenHash: Buffer
}

/** Stores why sessions ended. Call it after their deletion: on Citus both lock whole tables, in this order. */
export async function endsInsert(tx: Tx, ended: readonly Ended[], end: SessionEnd): Promise<void> {
  if (ended.length === 0) return
  await tx`
    insert into ended_session (token_hash, reason)
    select hash, ${end} from unnest(${ended.map((row) => row.tokenHash)}::bytea[]) as given (hash)
    on conflict (token_hash) do nothing`
}

/** Why the session with this hash ended, if its person did not end it; null also while it lasts. */
export async function sessionEnd(reader: Reader, tokenHash: Buffer): Promise<SessionEnd | null> {
  const [noted] = await reader<{ reason: SessionEnd }[]>`
    select reason from ended_session where token_hash = ${tokenHash}`
  if (noted !== undefined) return noted.reason
  const [row] = await reader<TimedSession[]>`
    select token_hash as "tokenHash", ${timesOf(reader)} from session where token_hash = ${tokenHash}`
  return row !== undefined && row.isEndedByRule ? 'account-rule' : null
}

/** A session with the reason of its end by time. */
export interface TimedSession extends Ended {
  isEndedByRule: boolean
}

/** Whether an account's shorter limits have ended a session, that is, sooner than it would have ended without them. */
export const timesOf = (reader: Reader) => reader`
  coalesce(seen_at < now() - make_interval(mins => idle_minutes), false)
    or (expires_at < now() and expires_at < created_at + make_interval(days => ${LIMITS.sessionDaysMax}) - interval '1 minute') as "isEndedByRule"`
