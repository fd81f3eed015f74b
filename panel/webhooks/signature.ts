// Whether a signature belongs to a delivery, computed in the browser: the secret that is typed for it goes nowhere.

/** Receivers refuse what was signed longer ago. */
const AGE_MAX_S = 300

/** What a receiver would say of it. */
export type Verdict =
  | 'valid'
  /** Right, and signed too long ago: a receiver refuses it now. */
  | 'old'
  /** Made with another secret, another time or another body. */
  | 'other'
  /** What was typed is no timestamp, or no signature. */
  | 'unreadable'

/**
 * @param body line ends behind it do not count: it has none, and what is copied from a log has @param signature `sha256=` and 64 hex digits, as in the header @param timestamp Unix seconds, as in the header
 * @param now Unix seconds @throws where the browser has no cryptography, which is on pages without https
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
