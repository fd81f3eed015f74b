import { inTransaction, type Db } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { deviceInsert, deviceOwner, devicesTrim } from './known-devices.sql.ts'
import { personLock } from '../persons.sql.ts'
import { isSecretForm, newSecret, secretHash } from '../secrets.ts'

/**
 * The person for whom a browser with this secret is known; undefined: none.
 * @param secret from the browser's cookie; null if it has none
 */
export async function ownerOfDevice(db: Db, secret: string | null): Promise<number | undefined> {
  if (secret === null || !isSecretForm('device', secret)) return undefined
  return deviceOwner(db, secretHash(secret))
}

/**
 * Records that a person has signed in with a browser.
 * @param secret the browser's present one. Another person's is not reused, because somebody may have planted it
 * @returns a new secret for the cookie; null if the browser is known already
 */
export async function keepDevice(db: Db, personId: number, secret: string | null): Promise<string | null> {
  if ((await ownerOfDevice(db, secret)) === personId) return null
  const made = newSecret('device')
  await inTransaction(db, async (tx) => {
    await personLock(tx, personId)
    await devicesTrim(tx, personId, LIMITS.knownDevicesPerPersonMax - 1)
    await deviceInsert(tx, personId, secretHash(made))
  })
  return made
}
