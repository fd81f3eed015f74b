import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

// The id_token of a session is shown to the provider when its person signs out there. It is encrypted with the secret of the session's cookie, of which the
// database has only the hash: whoever reads the database reads no id_token, and no key has to be replaced.

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** It goes into an address: a longer one is not kept, and the provider asks the person. */
const LENGTH_MAX = 4_000

const keyOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'id_token of a session', 32))

/** @param secret of the session. @returns null for one that is too long */
export function closeIdToken(idToken: string, secret: string): Buffer | null {
  if (idToken.length > LENGTH_MAX) return null
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce)
  const closed = Buffer.concat([cipher.update(idToken, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), closed])
}

/** @returns null where it was closed with another secret: the session has had a new one since */
export function openIdToken(closed: Buffer, secret: string): string | null {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), closed.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(closed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return decipher.update(closed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
