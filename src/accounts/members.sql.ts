import type { Reader, Tx } from '../db/sql.ts'

/** `owner`: is notified by e-mail about failing endpoints. */
export type MemberRole = 'owner' | 'member'
export const MEMBER_ROLES: readonly MemberRole[] = ['owner', 'member']

export interface MemberRow {
  memberId: number
  email: string
  role: MemberRole
  createdAt: Date
}

/** @throws PostgresError of the constraint `member_email` if the account has this address already, ignoring letter case */
export async function memberInsert(
  tx: Tx,
  accountId: number,
  member: { email: string; role: MemberRole },
): Promise<number> {
  const [row] = await tx<{ member_id: number }[]>`
    insert into member (account_id, email, role) values (${accountId}, ${member.email}, ${member.role}) returning member_id`
  return row?.member_id ?? 0
}

export function membersList(reader: Reader, accountId: number) {
  return reader<MemberRow[]>`
    select member_id as "memberId", email, role, created_at as "createdAt"
    from member where account_id = ${accountId} order by member_id`
}

/** @returns whether the account had this member */
export async function memberDelete(tx: Tx, accountId: number, memberId: number): Promise<boolean> {
  const result = await tx`delete from member where account_id = ${accountId} and member_id = ${memberId}`
  return result.count > 0
}
