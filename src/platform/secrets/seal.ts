import {
  createCipheriv,
  createDecipheriv,
  hash,
  hkdfSync,
  randomBytes,
  type KeyObject,
  createSecretKey,
} from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asError, ShelfwireError } from '../errors.ts'

/** Encrypts secrets that must be readable again, such as signing secrets, with keys that are not in the database. */
export interface Seal {
  /**
   * Encrypts `text`.
   * @param context what the text belongs to (authenticated, not stored). `open` needs the same one, so sealed texts cannot
   *   be swapped between rows.
   */
  close(text: string, context: string): string
  /** Decrypts. @throws ShelfwireError `settings-invalid` when none of the keys sealed it, or when it was altered. */
  open(sealed: string, context: string): string
  /** Ids of its keys, the sealing one first; empty if there is no key yet. A sealed text names its key by this id. */
  keyIds(): readonly string[]
}

/** The id of the key that a text was sealed with; '' for one that names none because it was altered. */
export const sealedKeyId = (sealed: string): string => sealed.split('.')[1] ?? ''

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM; a sealed text is `v1.<key id>.<base64url of nonce, tag and ciphertext>`. The first key seals and every key
 * opens, so a key is rotated by putting a new one in front of it. The key id is a prefix of the key's hash; by it a wrong
 * key is distinguished from altered text.
 */
export function openSeal(keys: readonly string[]): Seal {
  const known = new Map<string, KeyObject>()
  for (const text of keys) {
    const key = Buffer.from(hkdfSync('sha256', text, '', 'shelfwire seal', 32))
    known.set(hash('sha256', key, 'hex').slice(0, 8), createSecretKey(key))
  }
  const first = known.entries().next().value
  if (first === undefined) throw new Error('a seal needs a key')
  const [firstId, firstKey] = first
  return {
    keyIds: () => [...known.keys()],
    close(text, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, firstKey, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(context),
      )
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `v1.${firstId}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, context) {
      const [version, id = '', data = ''] = sealed.split('.')
      const key = known.get(id)
      if (version !== 'v1' || key === undefined) {
        throw new ShelfwireError(
          'settings-invalid',
          'SECRET_KEY is not the one that a stored secret was sealed with; add that one after a comma',
        )
      }
      const bytes = Buffer.from(data, 'base64url')
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch (error) {
        throw new ShelfwireError('settings-invalid', 'a stored secret was altered and cannot be opened', {
          cause: error,
        })
      }
    },
  }
}

const KEY_FILE = 'secret.key'

/**
 * A seal with these keys or, without any, with the key of DATA_DIR. The key is read at first use: a process that never
 * handles a secret needs none.
 */
export function sealFor(keys: readonly string[], dataDir: string): Seal {
  let opened: Seal | undefined
  const seal = () => (opened ??= openSeal(keys.length > 0 ? keys : [keyOf(dataDir)]))
  return {
    close: (text, context) => seal().close(text, context),
    open: (sealed, context) => seal().open(sealed, context),
    keyIds: () => (keys.length > 0 || existsSync(join(dataDir, KEY_FILE)) ? seal().keyIds() : []),
  }
}

/**
 * The key of a DATA_DIR, created at first use with mode 0600. It is written under another name and then linked, so that it
 * is never read half-written, and two processes that create it at the same time agree on one.
 */
function keyOf(dataDir: string): string {
  const file = join(dataDir, KEY_FILE)
  try {
    mkdirSync(dataDir, { recursive: true })
    if (!existsSync(file)) makeKey(file)
    const key = readFileSync(file, 'utf8').trim()
    if (key.length >= 32) return key
  } catch (thrown) {
    throw new ShelfwireError(
      'settings-invalid',
      `SECRET_KEY is not set, and ${file} cannot be made or read: ${asError(thrown).message}`,
      { cause: thrown },
    )
  }
  throw new ShelfwireError('settings-invalid', `${file} holds no key; restore it from a backup, or set SECRET_KEY`)
}

function makeKey(file: string): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, file)
  } catch (error) {
    // another process was faster
    if (!existsSync(file)) throw error
  } finally {
    rmSync(draft)
  }
}
