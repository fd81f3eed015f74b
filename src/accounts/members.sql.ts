import type { Reader, Tx } from '../db/sql.ts'
import { must } from '../platform/must.ts'

/** `owner`: may do everything, and gets notices by e-mail; `member`: may do everything except manage tokens and people. */
export type MemberRole = 'owner' | 'member'
export const MEMBER_ROLES: readonly MemberRole[] = ['owner', 'member']

export interface MemberRow {
  memberId: number
  email: string
  role: MemberRole
  createdAt: Date
  /** The person who signs in to the panel as this member; null: nobody has accepted yet. */
  personId: number | null
}

const columns = (reader: Reader) => reader`
  member_id as "memberId", email, role, created_at as "createdAt", person_id as "personId"`

/** @throws PostgresError of the constraint `member_email` if the account has this address already, ignoring letter case */
export async function memberInsert(
  tx: Tx,
  accountId: number,
  member: { email: string; role: MemberRole; personId?: number },
): Promise<number> {
  const [row] = await tx<{ member_id: number }[]>`
    insert into member (account_id, email, role, person_id)
    values (${accountId}, ${member.email}, ${member.role}, ${member.personId ?? null}) returning member_id`
  return must(row).member_id
}

/** Members of an account, by id. */
export function membersList(reader: Reader, accountId: number) {
  return reader<MemberRow[]>`
    select ${columns(reader)} from member where account_id = ${accountId} order by member_id`
}

/** Addresses of an account's owners, each with the account's locale. */
export function ownersOf(reader: Reader, accountId: number) {
  return reader<{ email: string; locale: string }[]>`
    select m.email, a.locale from member m join account a on a.account_id = m.account_id
    where m.account_id = ${accountId} and m.role = 'owner' order by m.member_id`
}

/** The member with an address, ignoring letter case. */
export async function memberByEmail(reader: Reader, accountId: number, email: string): Promise<MemberRow | undefined> {
  const [row] = await reader<MemberRow[]>`
    select ${columns(reader)} from member where account_id = ${accountId} and lower(email) = lower(${email})`
  return row
}

/** The member as whom a person signs in. */
export async function memberOfPerson(
  reader: Reader,
  accountId: number,
  personId: number,
): Promise<MemberRow | undefined> {
  const [row] = await reader<MemberRow[]>`
    select ${columns(reader)} from member where account_id = ${accountId} and person_id = ${personId}`
  return row
}

/** Accounts that a person is a member of, by id. */
export function accountsOfPerson(reader: Reader, personId: number) {
  return reader<
    {
      accountId: number
      name: string
      currency: string
      locale: string
      timeZone: string
      role: MemberRole
      requiresSecondFactor: boolean
      suspendedAt: Date | null
      suspensionReason: string | null
    }[]
  >`
    select m.account_id as "accountId", a.name, a.currency, a.locale, a.time_zone as "timeZone", m.role,
      a.requires_second_factor as "requiresSecondFactor", a.suspended_at as "suspendedAt", a.suspension_reason as "suspensionReason"
    from member m join account a on a.account_id = m.account_id
    where m.person_id = ${personId} order by m.account_id`
}

/** Lets a person sign in as this member, with this role. */
export function memberSignsIn(
  tx: Tx,
  accountId: number,
  memberId: number,
  { personId, role }: { personId: number; role: MemberRole },
) {
  return tx`
    update member set person_id = ${personId}, role = ${role} where account_id = ${accountId} and member_id = ${memberId}`
}

/** Sets the e-mail address of a person's member. @throws PostgresError of the constraint `member_email` if another member has it */
export function memberEmailUpdate(tx: Tx, accountId: number, personId: number, email: string) {
  return tx`update member set email = ${email} where account_id = ${accountId} and person_id = ${personId}`
}

export function memberRoleUpdate(tx: Tx, accountId: number, memberId: number, role: MemberRole) {
  return tx`update member set role = ${role} where account_id = ${accountId} and member_id = ${memberId}`
}

/** @returns whether the account had this member */
export async function memberDelete(tx: Tx, accountId: number, memberId: number): Promise<boolean> {
  const result = await tx`delete from member where account_id = ${accountId} and member_id = ${memberId}`
  return result.count > 0
}
