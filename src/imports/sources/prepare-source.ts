import { isKeyWorthParsing, type Keys, type CheckedKey } from '../ssh/keys.ts'
import type { GivenCredentials } from './credentials.ts'
import { cronFault } from './schedule.ts'

/** What was found out about the settings of a source before they are written. */
export interface PreparedSource {
  /** null: no private key was given, or it is refused without being opened. */
  key: CheckedKey | null
}

/**
 * Does the slow part of validating settings before the transaction, which holds the settings lock: opens a private key, and computes the fault of a
 * cron expression, which is then cached.
 * @throws ShelfwireError `rate-limited`
 */
export async function prepareSource(
  accountId: number,
  given: { credentials?: GivenCredentials | null | undefined; cron?: string | null | undefined },
  keys: Keys,
): Promise<PreparedSource> {
  if (typeof given.cron === 'string') cronFault(given.cron)
  const { kind, private_key: privateKey = '', passphrase = null } = given.credentials ?? {}
  if (kind !== 'key' || !isKeyWorthParsing(privateKey, passphrase)) return { key: null }
  return { key: await keys.tryKey(accountId, { privateKey, passphrase }) }
}
