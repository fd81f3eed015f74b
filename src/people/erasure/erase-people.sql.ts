import type { MemberRole } from '../../accounts/members.sql.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { must } from '../../platform/must.ts'
import { sessionsDelete } from '../sign-in/sessions.sql.ts'

// Deletes people with all data about their sign-in.

/**
 * On Citus members are distributed, and people and accounts are reference tables: a transaction that reads the former and changes the latter has to
 * go through the nodes one after the other. On plain PostgreSQL the setting has no effect.
 */
export function runSequentiallyOnNodes(tx: Tx) {
  return tx`set local citus.multi_shard_modify_mode = 'sequential'`
}

/** Members of an account who sign in, by id, after an id. */
export function membersAfter(reader: Reader, accountId: number, afterId: number, limit: number) {
  return reader<{ memberId: number; personId: number }[]>`
    select member_id as "memberId", person_id as "personId" from member
    where account_id = ${accountId} and member_id > ${afterId} and person_id is not null
    order by member_id limit ${limit}`
}

/** Whether a person is a member of another account. */
export async function memberOfOthers(reader: Reader, accountId: number, personId: number): Promise<boolean> {
  const rows = await reader`select 1 from member where person_id = ${personId} and account_id <> ${accountId} limit 1`
  return rows.length > 0
}

/** Removes an address from the waiting mails about security; a mail without another recipient is deleted. */
export async function emailsForget(tx: Tx, email: string): Promise<void> {
  await tx`delete from security_mail where recipients = array[${email}::text]`
  await tx`
    update security_mail set recipients = array_remove(recipients, ${email}::text) where ${email}::text = any(recipients)`
}

/** Separates a person from their member of an account: nobody signs in as that member any more. */
export async function memberDetach(tx: Tx, accountId: number, personId: number): Promise<void> {
  await tx`update member set person_id = null where account_id = ${accountId} and person_id = ${personId}`
}

/**
 * Deletes a person, who must be locked and a member of nothing. Tokens and the like that the person made for others are kept, without the name.
 * Ways to sign in are deleted before sessions, as everywhere: docs/lock-order.md.
 */
export async function personDelete(tx: Tx, personId: number): Promise<void> {
  await tx`delete from recovery_code where person_id = ${personId}`
  await tx`delete from passkey where person_id = ${personId}`
  await tx`delete from person_identity where person_id = ${personId}`
  await tx`delete from sign_in_step where person_id = ${personId}`
  await sessionsDelete(tx, personId, null, 'operator')
  await tx`delete from known_device where person_id = ${personId}`
  await tx`delete from person_event where person_id = ${personId}`
  await tx`delete from one_time_link where person_id = ${personId}`
  await tx`update one_time_link set created_by = null where created_by = ${personId}`
  await tx`update endpoint_link set created_by = null where created_by = ${personId}`
  await tx`update token set created_by = null where created_by = ${personId}`
  await tx`delete from person where person_id = ${personId}`
}

export interface Membership {
  accountId: number
  accountName: string
  memberId: number
  email: string
  role: MemberRole
  /** Whether the person is the only owner who can sign in. */
  isLastOwner: boolean
}

/** Memberships of a person or of an address, by account. @param personId null: nobody signs in with the address */
export function memberships(reader: Reader, personId: number | null, email: string) {
  return reader<Membership[]>`
    select m.account_id as "accountId", a.name as "accountName", m.member_id as "memberId", m.email, m.role,
      m.role = 'owner' and m.person_id is not null and not exists (
        select from member o where o.account_id = m.account_id and o.role = 'owner' and o.person_id <> m.person_id) as "isLastOwner"
    from member m join account a on a.account_id = m.account_id
    where m.person_id = ${personId} or (m.person_id is null and lower(m.email) = lower(${email}))
    order by m.account_id, m.member_id`
}

/** Deletes links of any kind that were mailed to an address. @returns how many */
export async function linksOfEmailDelete(tx: Tx, email: string): Promise<number> {
  const { count } = await tx`delete from one_time_link where lower(email) = lower(${email})`
  return count
}

/** The number of sessions, passkeys and links of a person, or of links to an address. */
export async function personCounts(reader: Reader, personId: number | null, email: string) {
  const [row] = await reader<{ sessions: number; passkeys: number; links: number }[]>`
    select (select count(*)::int from session where person_id = ${personId}) as sessions,
      (select count(*)::int from passkey where person_id = ${personId}) as passkeys,
      (select count(*)::int from one_time_link where person_id = ${personId} or lower(email) = lower(${email})) as links`
  return must(row)
}

/** Deletes the views of products that a person has saved in an account, even if the person has left it. @returns how many */
export async function viewsDelete(tx: Tx, accountId: number, personId: number): Promise<number> {
  const { count } = await tx`delete from product_view where account_id = ${accountId} and person_id = ${personId}`
  return count
}
