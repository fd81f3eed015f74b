import type { Reader, Tx } from '../db/sql.ts'

// Deleting people with everything that is kept of their sign-in.

/**
 * On Citus members are on all nodes and people are copied to each: what looks at the former in a transaction that changes the latter goes from node to node.
 * Means nothing to plain PostgreSQL.
 */
export function oneNodeAfterTheOther(tx: Tx) {
  return tx`set local citus.multi_shard_modify_mode = 'sequential'`
}

/** Members of an account who sign in, by id. */
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

/** Deletes mails about security that wait for an address. */
export async function emailsForget(tx: Tx, email: string): Promise<void> {
  await tx`delete from security_mail where recipients = array[${email}::text]`
  await tx`
    update security_mail set recipients = array_remove(recipients, ${email}::text) where ${email}::text = any(recipients)`
}

/** Deletes a person, who has no session any more. What others use that the person made stays, and names nobody. */
export async function personDelete(tx: Tx, accountId: number, personId: number): Promise<void> {
  await tx`update member set person_id = null where account_id = ${accountId} and person_id = ${personId}`
  await tx`delete from passkey where person_id = ${personId}`
  await tx`delete from recovery_code where person_id = ${personId}`
  await tx`delete from known_device where person_id = ${personId}`
  await tx`delete from sign_in_step where person_id = ${personId}`
  await tx`delete from person_event where person_id = ${personId}`
  await tx`delete from one_time_link where person_id = ${personId}`
  await tx`update one_time_link set created_by = null where created_by = ${personId}`
  await tx`update endpoint_link set created_by = null where created_by = ${personId}`
  await tx`update token set created_by = null where created_by = ${personId}`
  await tx`delete from person where person_id = ${personId}`
}
