import type { MemberRole } from '../accounts/members.sql.ts'
import type { Reader, Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'

// One-time links: invitations to an account, password resets, changes of an e-mail address, and first owners (src/sign-up). A link is deleted
// when it is used.

export interface LinkRow {
  linkId: number
  kind: 'invitation' | 'password-reset' | 'email-change' | 'first-owner'
  /** For an email-change, the new address; for a first-owner, empty. */
  email: string
  /** Only for a password reset or an email-change. */
  personId: number | null
  /** Only for an invitation, like the role. */
  accountId: number | null
  role: MemberRole | null
  expiresAt: Date
  /** Whether it was mailed and not shown to anybody here, so that its user reads the mail of the address. */
  isMailed: boolean
}

export const linkColumns = (reader: Reader) => reader`
  link_id as "linkId", kind, email, person_id as "personId", account_id as "accountId", role, expires_at as "expiresAt", is_mailed as "isMailed"`

export interface InvitationRow {
  invitationId: number
  email: string
  role: MemberRole
  createdAt: Date
  expiresAt: Date
  /** Name of the person; null: the operator. */
  invitedBy: string | null
  mailError: string | null
  /** When its mail is tried next; null: never. */
  mailDueAt: Date | null
}

export async function invitationInsert(
  tx: Tx,
  accountId: number,
  invitation: {
    tokenHash: Buffer
    email: string
    role: MemberRole
    createdBy: number | null
    mailInSeconds: number | null
  },
): Promise<number> {
  const [row] = await tx<{ link_id: number }[]>`
    insert into one_time_link (kind, token_hash, email, account_id, role, created_by, expires_at, mail_due_at, is_mailed)
    values ('invitation', ${invitation.tokenHash}, ${invitation.email}, ${accountId}, ${invitation.role},
      ${invitation.createdBy}, now() + make_interval(days => ${LIMITS.invitationDays}),
      now() + make_interval(secs => ${invitation.mailInSeconds}::float8), ${invitation.mailInSeconds !== null})
    returning link_id`
  return must(row).link_id
}

/** Open invitations of an account, oldest first. */
export function invitationsList(reader: Reader, accountId: number) {
  return reader<InvitationRow[]>`
    select l.link_id as "invitationId", l.email, l.role, l.created_at as "createdAt", l.expires_at as "expiresAt",
      p.name as "invitedBy", l.mail_error as "mailError", l.mail_due_at as "mailDueAt"
    from one_time_link l left join person p on p.person_id = l.created_by
    where l.account_id = ${accountId} and l.expires_at > now() order by l.link_id`
}

/** Withdraws an invitation of an account. @returns its e-mail address; undefined if there was none */
export async function invitationDelete(tx: Tx, accountId: number, invitationId: number): Promise<string | undefined> {
  const [row] = await tx<{ email: string }[]>`
    delete from one_time_link where link_id = ${invitationId} and account_id = ${accountId} returning email`
  return row?.email
}

/** Withdraws all invitations to an account for one e-mail address. */
export function invitationsOfEmailDelete(tx: Tx, accountId: number, email: string) {
  return tx`delete from one_time_link where account_id = ${accountId} and lower(email) = lower(${email})`
}

/** Withdraws a person's invitations to an account. */
export function invitationsOfPersonDelete(tx: Tx, accountId: number, personId: number) {
  return tx`delete from one_time_link where account_id = ${accountId} and created_by = ${personId}`
}

/** Ends a person's links to endpoints of an account. */
export function endpointLinksOfPersonDelete(tx: Tx, accountId: number, personId: number) {
  return tx`delete from endpoint_link where account_id = ${accountId} and created_by = ${personId}`
}

type PersonLink = { tokenHash: Buffer; email: string; personId: number; mailInSeconds: number | null }

export function resetLinkInsert(tx: Tx, link: PersonLink): Promise<number> {
  return personLinkInsert(tx, 'password-reset', link)
}

/** @param link its email is the new address */
export function emailLinkInsert(tx: Tx, link: PersonLink): Promise<number> {
  return personLinkInsert(tx, 'email-change', link)
}

async function personLinkInsert(
  tx: Tx,
  kind: LinkRow['kind'],
  { tokenHash, email, personId, mailInSeconds }: PersonLink,
): Promise<number> {
  const [row] = await tx<{ link_id: number }[]>`
    insert into one_time_link (kind, token_hash, email, person_id, expires_at, mail_due_at, is_mailed)
    values (${kind}, ${tokenHash}, ${email}, ${personId}, now() + make_interval(mins => ${LIMITS.resetLinkMinutes}),
      now() + make_interval(secs => ${mailInSeconds}::float8), ${mailInSeconds !== null})
    returning link_id`
  return must(row).link_id
}

/** Ends links that change a person's e-mail address. */
export function emailLinksDelete(tx: Tx, personId: number) {
  return tx`delete from one_time_link where person_id = ${personId} and kind = 'email-change'`
}

/** Ends all links that set a person's password or e-mail address. */
export function resetLinksDelete(tx: Tx, personId: number) {
  return tx`delete from one_time_link where person_id = ${personId}`
}

/** A link that is still valid. */
export async function linkByHash(reader: Reader, tokenHash: Buffer): Promise<LinkRow | undefined> {
  const [row] = await reader<LinkRow[]>`
    select ${linkColumns(reader)} from one_time_link where token_hash = ${tokenHash} and expires_at > now()`
  return row
}

/** Uses a link up. @returns the link; undefined if it has ended, or another request was faster */
export async function linkTake(tx: Tx, kind: LinkRow['kind'], tokenHash: Buffer): Promise<LinkRow | undefined> {
  const [row] = await tx<LinkRow[]>`
    delete from one_time_link where token_hash = ${tokenHash} and kind = ${kind} and expires_at > now()
    returning ${linkColumns(tx)}`
  return row
}
