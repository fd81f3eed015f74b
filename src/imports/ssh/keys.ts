import { jsonOf } from '../../file-readers/frames.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { asBusy, openFairTurns } from '../../platform/turns/fair-turns.ts'
import { keyHeaderFault } from './key-header.ts'
import { SSH_FRAME, type PrivateKey, type SshResult } from './messages.ts'
import { SshProcessDied, startSsh } from './ssh-process.ts'

/** A private key and the fault found when it was opened; null: none. */
export interface CheckedKey extends PrivateKey {
  fault: string | null
}

/** Opens private keys, in processes of their own. */
export interface Keys {
  /** @throws ShelfwireError `rate-limited` when too many keys wait */
  tryKey(accountId: number, key: PrivateKey): Promise<CheckedKey>
  close(): void
}

/** How long a member of credentials may be, in characters. */
export const secretLengthMax = (member: string): number =>
  member === 'private_key' ? LIMITS.sourceKeyLengthMax : LIMITS.sourceSecretLengthMax

/** Whether a key is worth opening; empty and too long ones are refused without it. */
export const isKeyWorthParsing = (privateKey: string, passphrase: string | null): boolean =>
  privateKey !== '' &&
  privateKey.length <= secretLengthMax('private_key') &&
  (passphrase ?? '').length <= secretLengthMax('passphrase')

/** The fault of a key that takes too long to open. */
export const slowKey = () =>
  `takes longer than ${LIMITS.sourceKeyMs / 1_000} s to be opened: save it again with ssh-keygen -p -a 24`

export function openKeys(log: Log): Keys {
  const turns = openFairTurns('private keys', {
    atOnce: LIMITS.sourceKeysAtOnce,
    perKey: LIMITS.sourceKeysPerAccountAtOnce,
    waitingMax: LIMITS.sourceKeysWaitingMax,
    waitingPerKeyMax: LIMITS.sourceKeysWaitingPerAccountMax,
  })
  return {
    async tryKey(accountId, key) {
      const tried = (fault: string | null): CheckedKey => ({ ...key, fault })
      const known = keyHeaderFault(key.privateKey)
      if (known !== null) return tried(known)
      try {
        return tried(await turns.run(accountId, () => open(log, key)))
      } catch (error) {
        throw asBusy(error, 'private keys', LIMITS.sourceKeyRetrySeconds)
      }
    },
    close: () => turns.close(new Error('private keys are not opened any more')),
  }
}

async function open(log: Log, key: PrivateKey): Promise<string | null> {
  const late = new Error('late')
  await using ssh = startSsh(log, { kind: 'key', ...key, limits: { ...LIMITS } })
  ssh.limit(LIMITS.sourceKeyMs, () => late)
  try {
    for await (const answer of ssh.answers()) {
      if (answer.kind !== SSH_FRAME.result) continue
      const result = jsonOf(answer) as SshResult
      if (result.ok) return result.fault
      throw new Error(`a private key could not be tried: ${JSON.stringify(result.failure)}`)
    }
  } catch (error) {
    if (error === late) return slowKey()
    if (error instanceof SshProcessDied) return 'cannot be opened: save it again with ssh-keygen -p'
    throw error
  }
  throw new Error('a private key was not tried')
}
