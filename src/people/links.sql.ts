import type { MemberRole } from '../accounts/members.sql.ts'
import type { Reader, Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'

// Links in mails: invitations to an account, and links that set a new password. Each is deleted when it is used.

export interface LinkRow {
  linkId: number
  kind: 'invitation' | 'password-reset'
  email: string
  /** Of a password reset. */
  personId: number | null
  /** Of an invitation, as is the role. */
  accountId: number | null
  role: MemberRole | null
  expiresAt: Date
}

const columns = (reader: Reader) => reader`
  link_id as "linkId", kind, email, person_id as "personId", account_id as "accountId", role, expires_at as "expiresAt"`

export interface InvitationRow {
  invitationId: number
  email: string
  role: MemberRole
  createdAt: Date
  expiresAt: Date
  /** Null: the operator. */
  invitedBy: string | null
}

export async function invitationInsert(
  tx: Tx,
  accountId: number,
  invitation: { tokenHash: Buffer; email: string; role: MemberRole; createdBy: number | null },
): Promise<number> {
  const [row] = await tx<{ link_id: number }[]>`
    insert into one_time_link (kind, token_hash, email, account_id, role, created_by, expires_at)
    values ('invitation', ${invitation.tokenHash}, ${invitation.email}, ${accountId}, ${invitation.role},
      ${invitation.createdBy}, now() + make_interval(days => ${LIMITS.invitationDays}))
    returning link_id`
  return row?.link_id ?? 0
}

/** Invitations of an account that wait to be accepted, oldest first. */
export function invitationsList(reader: Reader, accountId: number) {
  return reader<InvitationRow[]>`
    select l.link_id as "invitationId", l.email, l.role, l.created_at as "createdAt", l.expires_at as "expiresAt",
      p.name as "invitedBy"
    from one_time_link l left join person p on p.person_id = l.created_by
    where l.account_id = ${accountId} and l.expires_at > now() order by l.link_id`
}

/** Withdraws an invitation of an account. @returns its address; undefined when there was none */
export async function invitationDelete(tx: Tx, accountId: number, invitationId: number): Promise<string | undefined> {
  const [row] = await tx<{ email: string }[]>`
    delete from one_time_link where link_id = ${invitationId} and account_id = ${accountId} returning email`
  return row?.email
}

/** Withdraws all invitations of an address to an account. */
export function invitationsOfEmailDelete(tx: Tx, accountId: number, email: string) {
  return tx`delete from one_time_link where account_id = ${accountId} and lower(email) = lower(${email})`
}

/** Withdraws the invitations to an account that a person has made. */
export function invitationsOfPersonDelete(tx: Tx, accountId: number, personId: number) {
  return tx`delete from one_time_link where account_id = ${accountId} and created_by = ${personId}`
}

/** Ends the links to endpoints of an account that a person has made. */
export function endpointLinksOfPersonDelete(tx: Tx, accountId: number, personId: number) {
  return tx`delete from endpoint_link where account_id = ${accountId} and created_by = ${personId}`
}

export function resetLinkInsert(tx: Tx, link: { tokenHash: Buffer; email: string; personId: number }) {
  return tx`
    insert into one_time_link (kind, token_hash, email, person_id, expires_at)
    values ('password-reset', ${link.tokenHash}, ${link.email}, ${link.personId},
      now() + make_interval(mins => ${LIMITS.resetLinkMinutes}))`
}

/** Ends all links that would set a new password of a person. */
export function resetLinksDelete(tx: Tx, personId: number) {
  return tx`delete from one_time_link where person_id = ${personId}`
}

/** A link that has not ended. */
export async function linkByHash(reader: Reader, tokenHash: Buffer): Promise<LinkRow | undefined> {
  const [row] = await reader<LinkRow[]>`
    select ${columns(reader)} from one_time_link where token_hash = ${tokenHash} and expires_at > now()`
  return row
}

/** Uses a link up. @returns it; undefined when it has ended, also by somebody who was faster */
export async function linkTake(tx: Tx, kind: LinkRow['kind'], tokenHash: Buffer): Promise<LinkRow | undefined> {
  const [row] = await tx<LinkRow[]>`
    delete from one_time_link where token_hash = ${tokenHash} and kind = ${kind} and expires_at > now()
    returning ${columns(tx)}`
  return row
}
