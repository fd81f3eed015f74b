import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { From, PersonEventKind } from '../persons.sql.ts'

// Sign-in events and open sessions of an account's members, for systems that collect logs.

export interface SignInRow extends From {
  eventId: number
  at: Date
  kind: PersonEventKind
  personId: number
  email: string
  /** Whether every transaction that began before this event has ended, so that no event with a smaller id can still appear. */
  isSettled: boolean
}

/** The people who sign in as members of an account. */
export async function memberPeople(reader: Reader, accountId: number): Promise<number[]> {
  const rows = await reader<{ personId: number }[]>`
    select person_id as "personId" from member where account_id = ${accountId} and person_id is not null`
  return rows.map(({ personId }) => personId)
}

/** Events of people after an event's id, the oldest first. An id is assigned before its transaction commits. */
export function signInsAfter(
  reader: Reader,
  people: readonly number[],
  { after, limit, settledSeconds }: { after: number; limit: number; settledSeconds: number },
) {
  return reader<SignInRow[]>`
    select e.event_id as "eventId", e.at, e.kind, e.person_id as "personId", p.email, e.address, e.user_agent as "userAgent",
      e.at < now() - make_interval(secs => ${settledSeconds}) as "isSettled"
    from person_event e join person p on p.person_id = e.person_id
    where e.person_id = any(${[...people]}::bigint[]) and e.event_id > ${after}
    order by e.event_id limit ${limit}`
}

export interface OpenSessionRow extends From {
  sessionId: number
  personId: number
  email: string
  createdAt: Date
  seenAt: Date
  expiresAt: Date
  /** Null: an older release opened the session. */
  signedInBy: string | null
}

/** Sessions of people that have not ended. */
export function openSessions(reader: Reader, people: readonly number[]) {
  return reader<OpenSessionRow[]>`
    select s.session_id as "sessionId", s.person_id as "personId", p.email, s.created_at as "createdAt", s.seen_at as "seenAt",
      s.expires_at as "expiresAt", s.address, s.user_agent as "userAgent", s.signed_in_by as "signedInBy"
    from session s join person p on p.person_id = s.person_id
    where s.person_id = any(${[...people]}::bigint[]) and s.expires_at > now()
      and s.seen_at > now() - make_interval(mins => least(${LIMITS.sessionIdleHours * 60}, s.idle_minutes))
    order by s.session_id`
}
