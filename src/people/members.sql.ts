import type { MemberRole } from '../accounts/members.sql.ts'
import type { Reader } from '../db/sql.ts'

export interface MemberPerson {
  memberId: number
  email: string
  role: MemberRole
  createdAt: Date
  personId: number | null
  /** Null: nobody signs in as this member yet. */
  name: string | null
  hasSecondFactor: boolean
  /** Last use of any of the person's sessions that still exist; null: there is none. */
  seenAt: Date | null
}

/** Members of an account with the people who sign in as them, by id. */
export function memberPeople(reader: Reader, accountId: number) {
  return reader<MemberPerson[]>`
    select m.member_id as "memberId", coalesce(p.email, m.email) as email, m.role, m.created_at as "createdAt",
      m.person_id as "personId", p.name,
      coalesce(p.totp_secret is not null, false) or exists (select from passkey k where k.person_id = m.person_id) as "hasSecondFactor",
      (select max(s.seen_at) from session s where s.person_id = m.person_id) as "seenAt"
    from member m left join person p on p.person_id = m.person_id
    where m.account_id = ${accountId} order by m.member_id`
}
