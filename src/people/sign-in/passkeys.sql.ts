import type { Reader, Tx } from '../../db/sql.ts'

export interface PasskeyRow {
  passkeyId: number
  personId: number
  /** base64url. */
  credentialId: string
  publicKey: Buffer
  /** Counter of the last signature; 0 from authenticators that do not count. */
  counter: number
  transports: string[]
  name: string
  createdAt: Date
  usedAt: Date | null
}

const columns = (reader: Reader) => reader`
  passkey_id as "passkeyId", person_id as "personId", credential_id as "credentialId", public_key as "publicKey", counter,
  transports, name, created_at as "createdAt", used_at as "usedAt"`

/** Passkeys of a person, by id. */
export function passkeysList(reader: Reader, personId: number) {
  return reader<PasskeyRow[]>`select ${columns(reader)} from passkey where person_id = ${personId} order by passkey_id`
}

export async function passkeyByCredential(reader: Reader, credentialId: string): Promise<PasskeyRow | undefined> {
  const [row] = await reader<PasskeyRow[]>`select ${columns(reader)} from passkey where credential_id = ${credentialId}`
  return row
}

/** @throws PostgresError of the constraint `passkey_credential_id_key` if the passkey is registered already */
export async function passkeyInsert(
  tx: Tx,
  passkey: Pick<PasskeyRow, 'personId' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'name'>,
): Promise<PasskeyRow> {
  const [row] = await tx<PasskeyRow[]>`
    insert into passkey (person_id, credential_id, public_key, counter, transports, name)
    values (${passkey.personId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter}, ${[...passkey.transports]}::text[], ${passkey.name})
    returning ${columns(tx)}`
  if (row === undefined) throw new Error('a passkey was not inserted')
  return row
}

/**
 * Records a signature. @returns false if one with this count or a later one is recorded: one of the two is from a copy of the passkey.
 */
export async function passkeyUsed(tx: Tx, passkeyId: number, counter: number): Promise<boolean> {
  const rows = await tx`
    update passkey set counter = ${counter}, used_at = now()
    where passkey_id = ${passkeyId} and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning 1 as used`
  return rows.length > 0
}

/** Deletes a passkey. @returns whether the person had it */
export async function passkeyDelete(tx: Tx, personId: number, passkeyId: number): Promise<boolean> {
  const rows = await tx`
    delete from passkey where person_id = ${personId} and passkey_id = ${passkeyId} returning 1 as deleted`
  return rows.length > 0
}

/** Removes all passkeys of a person. */
export function passkeysDelete(tx: Tx, personId: number) {
  return tx`delete from passkey where person_id = ${personId}`
}
