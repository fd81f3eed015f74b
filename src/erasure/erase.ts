import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import { isStillReferred } from '../db/statements/violations.ts'
import { bytesLocks } from '../images/mirror/records.sql.ts'
import type { ImageStore } from '../images/store/image-store.ts'
import type { RunFiles } from '../imports/files/run-files.ts'
import { erasePeople } from '../people/erasure/erase-people.ts'
import { faultPoint } from '../platform/process/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import {
  accountTablesList,
  hashesIn,
  nextRange,
  rangeDelete,
  type AccountTable,
  type KeyRange,
} from './account-tables.sql.ts'
import { deletionOrder } from './deletion-order.ts'
import { accountDelete, erasureBegin, erasureCount, erasureEnd, erasureLock } from './erasures.sql.ts'
import { hashesOfOthers } from './pictures.sql.ts'

// Erases an account: every row with its id is deleted, in small transactions, and then what is stored of it outside of the database. No state is kept
// between the transactions except what is left, so a process may be killed at any point, and several may erase the same account.
// docs/decisions/168-erased-accounts.md says why.

export interface ErasureContext {
  db: Db
  imageStore: ImageStore
  files: RunFiles
}

/** The result of one step. */
export interface ErasureStep {
  /** The table, or `people`, `account` or `files`. */
  of: string
  rows: number
}

/** Tables whose rows name stored pictures. */
const NAMES_PICTURES: ReadonlySet<string> = new Set(['image', 'image_unused'])
/** How long to wait for a transaction that is still writing to tables that were processed already. */
const AGAIN_MS = 200

/**
 * Erases an account whose erasure is due, or checks once more that nothing is left. Each step is one small transaction; the erasure can be stopped
 * between steps, and later be continued by any process.
 * @returns whether there was anything to do: false if it is not due, or done.
 */
export async function* erasing(context: ErasureContext, accountId: number): AsyncGenerator<ErasureStep, boolean> {
  const { db } = context
  const begun = await inTransaction(db, (tx) => erasureBegin(tx, accountId))
  if (begun === undefined) return false
  const tables = deletionOrder(await accountTablesList(db)).filter(({ name }) => name !== 'account')
  if (begun.erasesPeople) yield* people(db, accountId)
  // Transactions that still write began before the account was suspended. The next pass finds their rows, or the last step is refused because of
  // them.
  for (;;) {
    if ((yield* pass(context, tables, accountId)) > 0) continue
    if (await deleteAccount(db, accountId)) break
    await sleep(AGAIN_MS)
  }
  yield { of: 'account', rows: 1 }
  faultPoint('erase:account-deleted')
  // No foreign key protects these tables from new rows: transactions that had locked something of the account have committed their rows by now.
  while ((yield* pass(context, tables, accountId)) > 0);
  yield* files(context, accountId)
  await inTransaction(db, (tx) => erasureEnd(tx, accountId, begun.finishedAt !== null))
  return true
}

async function* people(db: Db, accountId: number): AsyncGenerator<ErasureStep> {
  for (let after = 0; ;) {
    const done = await inTransaction(db, async (tx) => {
      await erasureLock(tx, accountId)
      const part = await erasePeople(tx, accountId, after, LIMITS.erasurePeoplePerStep)
      await erasureCount(tx, accountId, { people: part.erased })
      return part
    })
    yield { of: 'people', rows: done.erased }
    if (done.lastMemberId === null) return
    after = done.lastMemberId
  }
}

/** Deletes the rows of all tables once. @returns how many rows */
async function* pass(
  context: ErasureContext,
  tables: readonly AccountTable[],
  accountId: number,
): AsyncGenerator<ErasureStep, number> {
  let deleted = 0
  for (const table of tables) {
    const limit = NAMES_PICTURES.has(table.name) ? LIMITS.erasurePicturesPerStep : LIMITS.erasureRowsPerStep
    for (let after: readonly string[] | null = null; ;) {
      const range: KeyRange | undefined = await nextRange(context.db, table, accountId, after, limit)
      if (range === undefined) break
      const rows = await deleteRange(context, table, accountId, range)
      // a new row refers to one of these rows: the next pass finds both
      if (rows === null) {
        deleted += 1
        await sleep(AGAIN_MS)
        break
      }
      deleted += rows
      yield { of: table.name, rows }
      if (table.key.length === 0) break
      after = range.last
    }
  }
  return deleted
}

/** Deletes the rows of a range. @returns how many; null if other rows still refer to one of them */
async function deleteRange(
  { db, imageStore }: ErasureContext,
  table: AccountTable,
  accountId: number,
  range: KeyRange,
): Promise<number | null> {
  return unlessReferred(async () => {
    const count = await inTransaction(db, async (tx) => {
      await erasureLock(tx, accountId)
      const pictures = NAMES_PICTURES.has(table.name) ? await removeBytes(tx, imageStore, table, accountId, range) : 0
      const rows = await rangeDelete(tx, table, accountId, range)
      await erasureCount(tx, accountId, { table: table.name, rows, pictures })
      faultPoint('erase:before-commit')
      return rows
    })
    faultPoint('erase:after-commit')
    return count
  })
}

/**
 * Removes the bytes of pictures that the rows of a range name and no other account uses, under the lock that prevents others from starting to use
 * them. The rows are deleted in the same transaction; if it fails, they name missing bytes until the next step deletes them.
 * @returns how many pictures
 */
async function removeBytes(
  tx: Tx,
  store: ImageStore,
  table: AccountTable,
  accountId: number,
  range: KeyRange,
): Promise<number> {
  const hashes = await hashesIn(tx, table, accountId, range)
  if (hashes.length === 0) return 0
  await bytesLocks(tx, hashes)
  const others = await hashesOfOthers(tx, accountId, hashes, LIMITS.imageUnusedDays)
  const own = hashes.filter((hash) => !others.has(hash))
  const removed = await Promise.all(
    own.map(async (hash) => {
      if ((await store.stat(hash)) === undefined) return 0
      await store.remove(hash)
      return 1
    }),
  )
  return removed.filter((one) => one === 1).length
}

/** @returns whether the account is deleted; false if it has rows again */
async function deleteAccount(db: Db, accountId: number): Promise<boolean> {
  const deleted = await unlessReferred(() =>
    inTransaction(db, async (tx) => {
      await erasureLock(tx, accountId)
      if (await accountDelete(tx, accountId)) await erasureCount(tx, accountId, { table: 'account', rows: 1 })
      return true
    }),
  )
  return deleted ?? false
}

async function unlessReferred<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (!isStillReferred(error)) throw error
    return null
  }
}

async function* files({ db, files: stored }: ErasureContext, accountId: number): AsyncGenerator<ErasureStep> {
  let removed = 0
  const note = async () => {
    await inTransaction(db, (tx) => erasureCount(tx, accountId, { files: removed }))
    const step = { of: 'files', rows: removed }
    removed = 0
    return step
  }
  for await (const key of stored.listOf(accountId)) {
    await stored.remove(key)
    removed += 1
    if (removed === LIMITS.erasureFilesPerStep) yield await note()
  }
  if (removed > 0) yield await note()
}
