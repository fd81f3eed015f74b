import type { Reader, Tx } from '../../db/sql.ts'
import type { LinkRow } from '../links.sql.ts'
import { linkColumns } from '../links.sql.ts'

// Identities of people at an identity provider. On Citus a reference table, as people are.

export interface LinkedRow {
  personId: number
  /** Whether it has been checked that the person's other ways to sign in are proven. */
  isChecked: boolean
}

/** The person of an identity; undefined: nobody. */
export async function identityPerson(reader: Reader, issuer: string, subject: string): Promise<LinkedRow | undefined> {
  const [row] = await reader<LinkedRow[]>`
    select person_id as "personId", is_checked as "isChecked" from person_identity
    where issuer = ${issuer} and subject = ${subject}`
  return row
}

/** A person's identity at a provider; undefined: none. */
export async function identityOf(
  reader: Reader,
  personId: number,
  issuer: string,
): Promise<{ isEmailVerified: boolean } | undefined> {
  const [row] = await reader<{ isEmailVerified: boolean }[]>`
    select is_email_verified as "isEmailVerified" from person_identity where person_id = ${personId} and issuer = ${issuer}`
  return row
}

/** The person's identity that is shown to them: the one that was linked last; undefined: none. */
export async function identityShown(
  reader: Reader,
  personId: number,
): Promise<{ email: string; linkedAt: Date; isChecked: boolean } | undefined> {
  const [row] = await reader<{ email: string; linkedAt: Date; isChecked: boolean }[]>`
    select email, linked_at as "linkedAt", is_checked as "isChecked" from person_identity
    where person_id = ${personId} order by linked_at desc limit 1`
  return row
}

/** Whether a person signs in at some provider. */
export async function isLinked(reader: Reader, personId: number): Promise<boolean> {
  const rows = await reader`select 1 from person_identity where person_id = ${personId} limit 1`
  return rows.length > 0
}

/**
 * Links an identity.
 * @throws PostgresError of `person_identity_pkey` if another person has it, of `person_identity_person` if the person has another one
 */
export async function identityInsert(
  tx: Tx,
  identity: {
    issuer: string
    subject: string
    personId: number
    email: string
    /** Whether the provider has verified the person's address. */
    isEmailVerified: boolean
    /** Whether the person's other ways to sign in have been checked; false: they are checked at the next sign-in with this identity. */
    isChecked: boolean
  },
): Promise<void> {
  await tx`
    insert into person_identity (issuer, subject, person_id, email, is_email_verified, is_checked)
    values (${identity.issuer}, ${identity.subject}, ${identity.personId}, ${identity.email}, ${identity.isEmailVerified},
      ${identity.isChecked})`
}

/** Records a sign-in by the identity, and that the person's other ways to sign in have been checked. @returns false if it was unlinked meanwhile */
export async function identityUsed(tx: Tx, issuer: string, subject: string): Promise<boolean> {
  const rows = await tx`
    update person_identity set used_at = now(), is_checked = true where issuer = ${issuer} and subject = ${subject}
    returning 1 as used`
  return rows.length > 0
}

/** Unlinks all identities of a person. */
export function identitiesDelete(tx: Tx, personId: number) {
  return tx`delete from person_identity where person_id = ${personId}`
}

/** Unlinks the identities that were linked in a session without a verified address. @returns how many there were */
export async function unverifiedIdentitiesDelete(tx: Tx, personId: number): Promise<number> {
  const rows = await tx`
    delete from person_identity where person_id = ${personId} and not is_email_verified returning 1 as ended`
  return rows.length
}

/** Open invitations to an address, oldest first, with the hashes of their tokens. */
export function invitationsOfEmail(reader: Reader, email: string) {
  return reader<(LinkRow & { tokenHash: Buffer; accountId: number })[]>`
    select ${linkColumns(reader)}, token_hash as "tokenHash" from one_time_link
    where kind = 'invitation' and lower(email) = lower(${email}) and expires_at > now() order by link_id`
}

/** Serializes a sign-in at a provider with logouts of the same person or provider session. Taken before any person is locked. */
export async function providerSessionLock(
  tx: Tx,
  { subject, sid }: { subject: string | null; sid: string | null },
): Promise<void> {
  for (const name of [subject === null ? null : `subject ${subject}`, sid === null ? null : `session ${sid}`])
    if (name !== null) await tx`select pg_advisory_xact_lock(hashtextextended('provider ' || ${name}::text, 0))`
}

/** Serializes the linking of identities by one address. */
export async function identityLock(tx: Tx, email: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('identity ' || lower(${email}::text), 0))`
}
