import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import { asError } from '../platform/errors.ts'
import { faultPoint } from '../platform/process/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { sealedKeyId, type Seal } from '../platform/secrets/seal.ts'
import { newSecret } from '../outbound/signature.ts'
import { SEALED_KINDS, type SealedKind, type SealedRow } from './kinds.ts'
import { accountsWithOtherKeys, sealedForget, sealedReplace, sealedUnderOtherKeys } from './sealed.sql.ts'

export interface Rekeyed {
  /** Values that were sealed with the first key. */
  sealed: number
  /** Values that no key of the settings opens: they stay as they are, unless they are to be forgotten. */
  unreadable: number
  forgotten: number
}

export interface RekeyOptions {
  db: Db
  seal: Seal
  log: Log
  /** The id of a key that is lost: what was sealed with it, and no key opens, is taken away. A wrong SECRET_KEY alone takes nothing. */
  lostKeyId: string | null
  onProgress: (done: number) => void
}

/**
 * Seals everything with the first key of SECRET_KEY that is sealed with another one, some rows in each transaction. A value is replaced
 * only where it is still the one that was read, so others may write meanwhile; what was interrupted is continued by running it again.
 */
export async function rekey(options: RekeyOptions): Promise<Rekeyed> {
  const { db, seal } = options
  const total: Rekeyed = { sealed: 0, unreadable: 0, forgotten: 0 }
  const [keyId] = seal.keyIds()
  // no key, and so nothing that is sealed
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

/** @returns null for what no key opens */
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

/** The endpoint gets a secret whose text nobody knows: its receiver refuses every delivery until the secret is rotated. */
async function forget(tx: Tx, seal: Seal, kind: SealedKind, row: SealedRow): Promise<void> {
  if (kind.column === 'secret') await sealedReplace(tx, kind, row, seal.close(newSecret(), kind.contextOf(row)))
  else await sealedForget(tx, kind, row)
}
