import { faultOfEmail } from '../accounts/members.ts'
import type { Reader, Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'

// People who sign in. On Citus these are reference tables, because they are read before an account is known.

export interface PersonRow {
  personId: number
  email: string
  name: string
  /** Argon2id. */
  passwordHash: string
  /** Sealed; null: no codes are required. */
  totpSecret: string | null
  /** Sealed; a secret whose setup has not been confirmed yet. */
  totpPending: string | null
  /** Whether codes have expired after a password reset (see totpEnd). */
  areCodesEnded: boolean
  /** Whether it is known that somebody who reads the mail of the address has set up the present ways to sign in. */
  isEmailProven: boolean
}

const columns = (reader: Reader) => reader`
  person_id as "personId", email, name, password_hash as "passwordHash", totp_secret as "totpSecret", totp_pending as "totpPending",
  coalesce(totp_ends_at <= now(), false) as "areCodesEnded", email_proven_at is not null as "isEmailProven"`

/** @throws PostgresError of the constraint `person_email` when the address is taken, ignoring letter case. */
export async function personInsert(
  tx: Tx,
  person: Pick<PersonRow, 'email' | 'name' | 'passwordHash'> & Partial<Pick<PersonRow, 'isEmailProven'>>,
): Promise<number> {
  const [row] = await tx<{ person_id: number }[]>`
    insert into person (email, name, password_hash, email_proven_at)
    values (${person.email}, ${person.name}, ${person.passwordHash}, ${person.isEmailProven === true ? tx`now()` : null})
    returning person_id`
  return must(row).person_id
}

/** The person with an address, ignoring letter case; undefined also for a malformed address. */
export async function personByEmail(reader: Reader, email: string): Promise<PersonRow | undefined> {
  if (faultOfEmail(email) !== null) return undefined
  const [row] = await reader<PersonRow[]>`
    select ${columns(reader)} from person where lower(email) = lower(${email})`
  return row
}

export async function personGet(reader: Reader, personId: number): Promise<PersonRow | undefined> {
  const [row] = await reader<PersonRow[]>`select ${columns(reader)} from person where person_id = ${personId}`
  return row
}

/** A person, with a row lock that serializes changes of the password and of second factors. */
export async function personLock(tx: Tx, personId: number): Promise<PersonRow | undefined> {
  const [row] = await tx<PersonRow[]>`
    select ${columns(tx)} from person where person_id = ${personId} for no key update`
  return row
}

export function personNameUpdate(tx: Tx, personId: number, name: string) {
  return tx`update person set name = ${name} where person_id = ${personId}`
}

/**
 * @param staysProven whether isEmailProven is kept for the new address
 * @throws PostgresError of the constraint `person_email` if the address is taken, ignoring letter case.
 */
export async function emailUpdate(tx: Tx, personId: number, email: string, staysProven: boolean): Promise<void> {
  await tx`
    update person set email = ${email}, email_proven_at = case when ${staysProven} then email_proven_at end
    where person_id = ${personId}`
}

/** Records whether somebody who reads the mail of the address has set up the person's ways to sign in. */
export function emailProvenUpdate(tx: Tx, personId: number, isProven: boolean) {
  return tx`update person set email_proven_at = ${isProven ? tx`now()` : null} where person_id = ${personId}`
}

export function passwordUpdate(tx: Tx, personId: number, passwordHash: string) {
  return tx`update person set password_hash = ${passwordHash} where person_id = ${personId}`
}

/** Stores a secret that is being set up. */
export function totpBegin(tx: Tx, personId: number, sealed: string) {
  return tx`update person set totp_pending = ${sealed} where person_id = ${personId}`
}

/** Makes the secret effective. @param step the time step of the code that confirmed it */
export function totpConfirm(tx: Tx, personId: number, sealed: string, step: number) {
  return tx`
    update person set totp_secret = ${sealed}, totp_pending = null, totp_step = ${step}, totp_ends_at = null where person_id = ${personId}`
}

export function totpRemove(tx: Tx, personId: number) {
  return tx`update person set totp_secret = null, totp_pending = null, totp_ends_at = null where person_id = ${personId}`
}

/** Makes codes expire after LIMITS.codesEndHours, unless somebody signs in with one before. A time that was set before is kept. */
export function totpEnd(tx: Tx, personId: number) {
  return tx`
    update person set totp_ends_at = statement_timestamp() + make_interval(hours => ${LIMITS.codesEndHours})
    where person_id = ${personId} and totp_secret is not null and totp_ends_at is null`
}

/** Cancels totpEnd. */
export function totpEndCancel(tx: Tx, personId: number) {
  return tx`update person set totp_ends_at = null where person_id = ${personId} and totp_ends_at is not null`
}

/** Uses up a time step and all before it. @returns false if a code of this or a later step has been accepted before. */
export async function totpStepTake(tx: Tx, personId: number, step: number): Promise<boolean> {
  const rows = await tx`
    update person set totp_step = ${step} where person_id = ${personId} and totp_step < ${step} returning 1 as taken`
  return rows.length > 0
}

/** Replaces all recovery codes. */
export async function recoveryCodesReplace(tx: Tx, personId: number, hashes: readonly Buffer[]): Promise<void> {
  await recoveryCodesDelete(tx, personId)
  await tx`
    insert into recovery_code (person_id, code_hash)
    select ${personId}, decode(code, 'hex') from unnest(${hashes.map((code) => code.toString('hex'))}::text[]) as given (code)`
}

export function recoveryCodesDelete(tx: Tx, personId: number) {
  return tx`delete from recovery_code where person_id = ${personId}`
}

/** Uses up a recovery code. @returns whether the person had it. */
export async function recoveryCodeTake(tx: Tx, personId: number, codeHash: Buffer): Promise<boolean> {
  const rows = await tx`
    delete from recovery_code where person_id = ${personId} and code_hash = ${codeHash} returning 1 as taken`
  return rows.length > 0
}

/** The factors of a person that the panel shows. */
export async function factorsGet(reader: Reader, personId: number) {
  const [row] = await reader<{ recoveryCodes: number; passkeys: number; isEmailProven: boolean }[]>`
    select (select count(*)::int from recovery_code where person_id = ${personId}) as "recoveryCodes",
      (select count(*)::int from passkey where person_id = ${personId}) as passkeys,
      exists (select from person where person_id = ${personId} and email_proven_at is not null) as "isEmailProven"`
  return row ?? { recoveryCodes: 0, passkeys: 0, isEmailProven: false }
}

/** The kinds of events in the history of a person's sign-in. */
export type PersonEventKind =
  | 'signed-in'
  | 'sign-in-failed'
  | 'signed-out-everywhere'
  | 'password-changed'
  | 'password-reset'
  | 'totp-added'
  | 'totp-removed'
  | 'totp-ending'
  | 'recovery-code-used'
  | 'recovery-codes-renewed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'email-asked'
  | 'email-changed'
  | 'provider-linked'
  | 'provider-took-over'
  | 'provider-signed-out'
  | 'provider-unlinked'

/** The client of a request. */
export interface From {
  /** The client's address, or its network. */
  address: string
  /** The client's own description, which is not trustworthy. */
  userAgent: string
}

/** Records an event of a person's sign-in. */
export function personEventInsert(tx: Reader, personId: number, kind: PersonEventKind, from: From) {
  return tx`
    insert into person_event (person_id, kind, address, user_agent)
    values (${personId}, ${kind}, ${from.address}, ${from.userAgent})`
}

/** The newest events of a person, newest first. */
export function personEventsList(reader: Reader, personId: number, limit: number) {
  return reader<{ kind: PersonEventKind; at: Date; address: string; userAgent: string }[]>`
    select kind, at, address, user_agent as "userAgent" from person_event
    where person_id = ${personId} order by event_id desc limit ${limit}`
}
