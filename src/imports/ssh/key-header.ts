import { LIMITS } from '../../platform/limits.ts'

/** The beginning of a key in OpenSSH's own format, as text and as bytes. */
const TEXT = /^-----BEGIN OPENSSH PRIVATE KEY-----([A-Za-z0-9+/=\s]*)-----END OPENSSH PRIVATE KEY-----$/
const MAGIC = Buffer.from('openssh-key-v1\0', 'latin1')

/**
 * Checks how a private key says that it is encrypted, without decrypting it. The key itself names the number of rounds: up to 4,294,967,295, each of
 * which takes about 20 ms.
 * @returns the fault; null: none, or the key has another format, none of which names rounds.
 */
export function keyHeaderFault(privateKey: string): string | null {
  const encoded = TEXT.exec(privateKey.trim())?.[1]
  if (encoded === undefined) return null
  const fields = fieldsOf(Buffer.from(encoded, 'base64'))
  if (fields === null) return 'is not a whole private key: copy it again, with its first line and its last'
  const { kdf, rounds } = fields
  if (kdf === 'none') return null
  if (kdf !== 'bcrypt') return 'is encrypted in a form that cannot be opened: save it again with ssh-keygen -p'
  if (rounds <= LIMITS.sourceKeyRoundsMax) return null
  return `is encrypted with ${rounds} rounds, and at most ${LIMITS.sourceKeyRoundsMax} are opened: save it again with ssh-keygen -p -a 24`
}

/** Reads the name of the key derivation function and its number of rounds. */
function fieldsOf(bytes: Buffer): { kdf: string; rounds: number } | null {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null
  let at = MAGIC.length
  const next = (): Buffer | null => {
    if (at + 4 > bytes.length) return null
    const end = at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) return null
    const field = bytes.subarray(at + 4, end)
    at = end
    return field
  }
  const [cipher, kdf, options] = [next(), next(), next()]
  if (cipher === null || kdf === null || options === null) return null
  const name = kdf.toString('latin1')
  if (name !== 'bcrypt') return { kdf: name, rounds: 0 }
  if (options.length < 8) return null
  const rest = 4 + options.readUInt32BE(0)
  return rest + 4 > options.length ? null : { kdf: name, rounds: options.readUInt32BE(rest) }
}
