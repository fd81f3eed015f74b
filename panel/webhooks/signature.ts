// Verifies the signature of a delivery in the browser: the secret that is entered for it is sent nowhere.

/** Receivers refuse a signature that is older than this. */
const AGE_MAX_S = 300

/** The result of a verification. */
export type Verdict =
  | 'valid'
  /** Correct, but too old: a receiver refuses it now. */
  | 'old'
  /** Made with another secret, timestamp or body. */
  | 'other'
  /** The input is not a timestamp or not a signature. */
  | 'unreadable'

/**
 * Computes the signature again and compares it.
 * @param given values of the headers: `timestamp` in Unix seconds, `signature` as `sha256=` and 64 hex digits. Line ends after `body` are ignored: a
 * delivery has none, but text that was copied from a log may have.
 * @param now Unix seconds
 * @throws if the browser has no cryptography, as on pages without https
 */
export async function checkSignature(
  { secret, timestamp, signature, body }: Readonly<Record<'secret' | 'timestamp' | 'signature' | 'body', string>>,
  now: number,
): Promise<Verdict> {
  const signed = timestamp.trim()
  if (!/^\d{1,12}$/.test(signed) || !/^sha256=[0-9a-f]{64}$/.test(signature.trim())) return 'unreadable'
  const bytes = new TextEncoder()
  const key = await crypto.subtle.importKey(
    'raw',
    bytes.encode(secret.trim()),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const made = new Uint8Array(
    await crypto.subtle.sign('HMAC', key, bytes.encode(`${signed}.${body.replace(/[\r\n]+$/, '')}`)),
  )
  const hex = [...made].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  if (`sha256=${hex}` !== signature.trim()) return 'other'
  return Math.abs(now - Number(signed)) > AGE_MAX_S ? 'old' : 'valid'
}
