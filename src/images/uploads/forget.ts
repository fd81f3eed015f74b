import { inTransaction, type Db } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import { bytesUnused, imagesDelete, imagesUnnamed } from '../mirror/records.sql.ts'
import { accountsWithUnnamedUploads, unnamedUploadsLock } from './uploads.sql.ts'

const IDLE_MS = 3_600_000
const ACCOUNTS_PER_STEP = 100
const IMAGES_PER_STEP = 500

/**
 * Deletes an account's uploads that no product has named for LIMITS.imageUploadUnusedDays. Their bytes
 * are removed later, like all unused ones. @returns how many, at most IMAGES_PER_STEP.
 */
export async function forgetUploads(db: Db, accountId: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const locked = await unnamedUploadsLock(tx, accountId, LIMITS.imageUploadUnusedDays, IMAGES_PER_STEP)
    if (locked.length === 0) return 0
    // a product may have begun to name one while this waited for the lock
    const hashes = locked.map(({ urlHash }) => urlHash)
    const unnamed = new Set(await imagesUnnamed(tx, accountId, hashes))
    const gone = locked.filter(({ urlHash }) => unnamed.has(urlHash))
    await bytesUnused(
      tx,
      accountId,
      gone.map(({ hash }) => hash),
    )
    await imagesDelete(tx, accountId, [...unnamed])
    return gone.length
  })
}

/** Starts deleting unnamed uploads of all accounts, once an hour. */
export function startForgettingUploads(db: Db, log: Log): Loop {
  return startLoop({
    name: 'unnamed uploads',
    log,
    idleMs: IDLE_MS,
    async step() {
      const found = await db.nodes.scan('unnamed uploads', (accounts) =>
        accountsWithUnnamedUploads(db, LIMITS.imageUploadUnusedDays, ACCOUNTS_PER_STEP, accounts),
      )
      let forgotten = 0
      for (const accountId of found.rows)
        await db.nodes.unlessAway(accountId, async () => {
          forgotten += await forgetUploads(db, accountId)
        })
      return forgotten > 0 ? 'more' : 'idle'
    },
  })
}
