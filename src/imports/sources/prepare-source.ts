import { mayBeOpened, type Keys, type TriedKey } from '../ssh/keys.ts'
import type { GivenCredentials } from './credentials.ts'
import { cronFault } from './schedule.ts'

/** What is known of the settings of a source before they are written. */
export interface PreparedSource {
  /** null: no private key was given, or one that is refused unseen. */
  key: TriedKey | null
}

/**
 * Does what takes time about settings that are to be written, before the transaction, which holds the lock of the account's settings: opens a private
 * key, and looks through a schedule, whose fault is known then.
 * @throws ShelfwireError `rate-limited`
 */
export async function prepareSource(
  accountId: number,
  given: { credentials?: GivenCredentials | null | undefined; cron?: string | null | undefined },
  keys: Keys,
): Promise<PreparedSource> {
  if (typeof given.cron === 'string') cronFault(given.cron)
  const { kind, private_key: privateKey = '', passphrase = null } = given.credentials ?? {}
  if (kind !== 'key' || !mayBeOpened(privateKey, passphrase)) return { key: null }
  return { key: await keys.tryKey(accountId, { privateKey, passphrase }) }
}
