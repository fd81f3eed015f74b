import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'

// Browsers in which a person has signed in. Their cookie gives no access: it only decides which limit a try counts towards.

/** The person for whom a browser is known; undefined: none. */
export async function deviceOwner(reader: Reader, deviceHash: Buffer): Promise<number | undefined> {
  const [row] = await reader<{ personId: number }[]>`
    select person_id as "personId" from known_device
    where device_hash = ${deviceHash} and created_at > now() - make_interval(days => ${LIMITS.knownDeviceDays})`
  return row?.personId
}

export async function deviceInsert(tx: Tx, personId: number, deviceHash: Buffer): Promise<void> {
  await tx`insert into known_device (device_hash, person_id) values (${deviceHash}, ${personId})`
}

/** Forgets the browsers of a person beyond the newest ones. */
export function devicesTrim(tx: Tx, personId: number, max: number) {
  return tx`
    delete from known_device where person_id = ${personId} and device_id <= (
      select device_id from known_device where person_id = ${personId} order by device_id desc offset ${max} limit 1)`
}

/** Forgets all browsers of a person. */
export function devicesDelete(tx: Tx, personId: number) {
  return tx`delete from known_device where person_id = ${personId}`
}
