import { accountSuspendForErasure, accountResume } from '../accounts/suspensions.sql.ts'
import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import { Check } from '../input/check.ts'
import type { RunFiles } from '../imports/files/run-files.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { accountTablesList, rowsCount } from './account-tables.sql.ts'
import { erasureDelete, erasureGet, erasureWrite, type Erasure } from './erasures.sql.ts'

/** A request to erase an account. */
export interface ErasureRequest {
  /** After how many days it begins; 0: as soon as every process knows that the account is suspended. */
  days: number
  reference: string | null
  erasesPeople: boolean
}

/**
 * Suspends an account and records that it is to be erased. A further request replaces an earlier one whose erasure has not begun.
 * @throws ShelfwireError invalid-input; unknown-account
 */
export async function requestErasure(tx: Tx, accountId: number, request: ErasureRequest): Promise<void> {
  const reference = request.reference?.trim() ?? ''
  const check = new Check()
  const max = LIMITS.erasureReferenceLengthMax
  check.that(
    Number.isInteger(request.days) && request.days >= 0 && request.days <= LIMITS.erasureDaysMax,
    'after_days',
    `must be a whole number of days from 0 to ${LIMITS.erasureDaysMax}`,
  )
  check.that(reference.length <= max, 'reference', `must have at most ${max} characters`)
  check.that(!/[\p{Cc}\p{Cs}]/u.test(reference), 'reference', 'must not contain control characters')
  check.done('account')
  // first, so that this and resumeAccount wait for each other
  if (!(await accountSuspendForErasure(tx, accountId)))
    throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
  await erasureWrite(tx, accountId, {
    seconds: Math.max(request.days * 86_400, LIMITS.erasureQuietSeconds),
    reference: reference === '' ? null : reference,
    erasesPeople: request.erasesPeople,
  })
}

/**
 * Cancels the erasure of an account, which stays suspended.
 * @throws ShelfwireError unknown-reference if none was requested; conflict if it has begun
 */
export async function cancelErasure(tx: Tx, accountId: number): Promise<void> {
  if (await erasureDelete(tx, accountId)) return
  if ((await erasureGet(tx, accountId)) === undefined)
    throw new ShelfwireError('unknown-reference', `account ${accountId} is not to be erased`)
  throw new ShelfwireError('conflict', `account ${accountId} is being erased; that cannot be taken back`)
}

/** @throws ShelfwireError conflict for an account that is to be erased */
async function requireNoErasure(tx: Tx, accountId: number): Promise<void> {
  const erasure = await erasureGet(tx, accountId)
  if (erasure === undefined) return
  throw new ShelfwireError(
    'conflict',
    erasure.startedAt === null
      ? `account ${accountId} is to be erased; take that back first: shelfwire account erase ${accountId} --cancel`
      : `account ${accountId} is being erased; that cannot be taken back`,
  )
}

/**
 * Resumes a suspended account, unless it is to be erased.
 * @returns whether it was suspended
 * @throws ShelfwireError conflict
 */
export async function resumeAccount(tx: Tx, accountId: number): Promise<boolean> {
  // first, so that this and a request to erase the account wait for each other
  const resumed = await accountResume(tx, accountId)
  await requireNoErasure(tx, accountId)
  return resumed
}

export const stateOfErasure = ({ startedAt, finishedAt, checkedAt }: Erasure) =>
  checkedAt !== null ? 'checked' : finishedAt !== null ? 'erased' : startedAt !== null ? 'erasing' : 'waiting'

/** The counts of what an erasure would delete. */
export interface ErasurePreview {
  /** By table, without empty tables. */
  rows: Record<string, number>
  /** The number of files of imports. */
  files: number
}

/** Counts the rows and files of an account. */
export async function previewErasure(db: Db, runFiles: RunFiles, accountId: number): Promise<ErasurePreview> {
  const rows: Record<string, number> = {}
  for (const table of await accountTablesList(db)) {
    const count = await inTransaction(db, async (tx) => {
      await tx.allowLongStatements()
      return rowsCount(tx, table, accountId)
    })
    if (count > 0) rows[table.name] = count
  }
  let files = 0
  for await (const _ of runFiles.listOf(accountId)) files += 1
  return { rows, files }
}
