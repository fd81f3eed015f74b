import { createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'

/** A new signing secret: `whsec_` and 32 random bytes in base64url. The whole string is the key. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

/**
 * The value of X-Service-Signature: `sha256=` and the lowercase hex HMAC-SHA256 of `timestamp.body`.
 * @param timestamp Unix seconds, as sent in X-Service-Timestamp.
 * @param body the exact bytes of the request's body.
 */
export function sign(secret: string | KeyObject, timestamp: string, body: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`
}

/** Whether the signature matches the body and timestamp. Compares in constant time; never throws, whatever the input. */
export function verifies(secret: string, timestamp: string, body: string | Uint8Array, signature: string): boolean {
  const expected = Buffer.from(sign(secret, timestamp, body))
  const sent = Buffer.from(signature)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
