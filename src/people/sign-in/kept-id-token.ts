import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

// The id_token of a session is sent to the provider when its person signs out there. It is encrypted with the secret of the session's cookie, of
// which the database has only the hash. So readers of the database cannot read it, and there is no key to rotate.

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The token becomes a part of a URL. A longer one is not kept, and the provider asks the person. */
const LENGTH_MAX = 4_000

const keyOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'id_token of a session', 32))

/** @param secret of the session. @returns null if the token is too long */
export function closeIdToken(idToken: string, secret: string): Buffer | null {
  if (idToken.length > LENGTH_MAX) return null
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce)
  const closed = Buffer.concat([cipher.update(idToken, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), closed])
}

/** @returns null if the session has had a new secret since */
export function openIdToken(closed: Buffer, secret: string): string | null {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), closed.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(closed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return decipher.update(closed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
