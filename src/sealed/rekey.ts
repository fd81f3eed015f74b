import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import { asError } from '../platform/errors.ts'
import { faultPoint } from '../platform/process/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { sealedKeyId, type Seal } from '../platform/secrets/seal.ts'
import { newSecret } from '../outbound/signature.ts'
import { SEALED_KINDS, type SealedKind, type SealedRow } from './kinds.ts'
import { accountsWithOtherKeys, sealedForget, sealedReplace, sealedUnderOtherKeys } from './sealed.sql.ts'

/** The numbers of values by result. */
export interface Rekeyed {
  /** Values that are now sealed with the first key. */
  sealed: number
  /** Values that no key of the settings opens. They are kept, unless their key is declared lost. */
  unreadable: number
  forgotten: number
}

export interface RekeyOptions {
  db: Db
  seal: Seal
  log: Log
  /** Id of a lost key: values that were sealed with it and that no key opens are deleted. So a wrong SECRET_KEY alone deletes nothing. */
  lostKeyId: string | null
  onProgress: (done: number) => void
}

/**
 * Seals everything anew that is not sealed with the first key of SECRET_KEY, some rows in each transaction. A value is replaced
 * only if it is still the one that was read, so others may write meanwhile. A run that was interrupted is continued by a new one.
 */
export async function rekey(options: RekeyOptions): Promise<Rekeyed> {
  const { db, seal } = options
  const total: Rekeyed = { sealed: 0, unreadable: 0, forgotten: 0 }
  const [keyId] = seal.keyIds()
  // without a key nothing is sealed
  if (keyId === undefined && options.lostKeyId === null) return total
  for (const kind of SEALED_KINDS) {
    const accounts = kind.table === 'person' ? [null] : await accountsWithOtherKeys(db, kind, keyId ?? '')
    for (const accountId of accounts) await rekeyAccount(options, kind, accountId, keyId ?? '', total)
  }
  return total
}

async function rekeyAccount(
  { db, seal, log, lostKeyId, onProgress }: RekeyOptions,
  kind: SealedKind,
  accountId: number | null,
  keyId: string,
  total: Rekeyed,
): Promise<void> {
  let after = 0
  for (;;) {
    const rows = await sealedUnderOtherKeys(db, kind, accountId, keyId, after, LIMITS.rekeyRows)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    const done = await inTransaction(db, async (tx) => {
      const step: Rekeyed = { sealed: 0, unreadable: 0, forgotten: 0 }
      for (const row of rows) {
        const text = opened(seal, log, kind, row)
        if (text !== null) {
          if (await sealedReplace(tx, kind, row, seal.close(text, kind.contextOf(row)))) step.sealed++
        } else if (lostKeyId !== null && sealedKeyId(row.sealed) === lostKeyId) {
          await forget(tx, seal, kind, row)
          step.forgotten++
        } else step.unreadable++
      }
      faultPoint('rekey:before-commit')
      return step
    })
    faultPoint('rekey:after-commit')
    total.sealed += done.sealed
    total.unreadable += done.unreadable
    total.forgotten += done.forgotten
    onProgress(total.sealed + total.unreadable + total.forgotten)
  }
}

/** The opened value; null if no key opens it */
function opened(seal: Seal, log: Log, kind: SealedKind, row: SealedRow): string | null {
  try {
    return seal.open(row.sealed, kind.contextOf(row))
  } catch (error) {
    log.warn(
      { reason: asError(error).message, accountId: row.accountId, [kind.id]: row.id },
      `one of the ${kind.what} cannot be opened`,
    )
    return null
  }
}

/** Deletes a value. An endpoint gets a secret that nobody knows instead: its receiver refuses every delivery until the secret is rotated. */
async function forget(tx: Tx, seal: Seal, kind: SealedKind, row: SealedRow): Promise<void> {
  if (kind.column === 'secret') await sealedReplace(tx, kind, row, seal.close(newSecret(), kind.contextOf(row)))
  else await sealedForget(tx, kind, row)
}
