import { inTransaction, type Db } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import { bytesLock } from '../mirror/records.sql.ts'
import type { ImageStore, StoredImage } from '../store/image-store.ts'
import { accountsWithOldUnused, hashesUsed, hashesUsedLately, unusedForget } from './unused.sql.ts'
import { now } from '../../platform/time/clock.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Removes stored pictures that no account has used for LIMITS.imageUnusedDays, so that a database that is restored
 * from a backup finds its pictures. Any number of processes may run this.
 *
 * Each is removed in a transaction that holds the lock on its bytes exclusively, so that nobody begins to use them meanwhile.
 * A transaction that begins to use bytes takes the lock shared, then checks that they exist, and records the use.
 * @param at the time, for tests.
 * @returns how many were removed.
 */
export async function removeUnused(
  db: Db,
  store: ImageStore,
  stored: readonly StoredImage[],
  at: Date = now(),
): Promise<number> {
  const oldest = at.getTime() - LIMITS.imageUnusedDays * DAY_MS
  const old = stored.filter(({ modifiedAt }) => modifiedAt.getTime() < oldest).map(({ hash }) => hash)
  if (old.length === 0) return 0
  const used = await hashesUsed(db, old)
  const lately = await hashesUsedLately(db, old, LIMITS.imageUnusedDays)
  let removed = 0
  for (const hash of old) {
    if (used.has(hash) || lately.has(hash)) continue
    await inTransaction(db, async (tx) => {
      await bytesLock(tx, hash)
      // in later statements than the lock, so that they see what its last holder has committed
      if ((await hashesUsed(tx, [hash])).size > 0) return
      if ((await hashesUsedLately(tx, [hash], LIMITS.imageUnusedDays)).size > 0) return
      await store.remove(hash)
      removed += 1
    })
  }
  return removed
}

/** Starts removing unused pictures once a day, for the first time an hour after the start. */
export function startRemoving(db: Db, store: ImageStore, log: Log): Loop {
  let nextAt = performance.now() + HOUR_MS
  let listing: AsyncIterator<StoredImage> | null = null
  let removed = 0
  return startLoop({
    name: 'unused pictures',
    log,
    idleMs: 60_000,
    // one page per step, so that the loop is not taken for dead while it goes through millions of pictures
    async step() {
      if (listing === null) {
        if (performance.now() < nextAt) return 'idle'
        listing = store.list()[Symbol.asyncIterator]()
        removed = 0
      }
      const page: StoredImage[] = []
      let isEnd = false
      while (page.length < LIMITS.imageListPage && !isEnd) {
        const next = await listing.next()
        if (next.done === true) isEnd = true
        else page.push(next.value)
      }
      removed += await removeUnused(db, store, page)
      if (!isEnd) return 'more'
      listing = null
      nextAt = performance.now() + LIMITS.imageRemovalHours * HOUR_MS
      for (const accountId of await accountsWithOldUnused(db, 2 * LIMITS.imageUnusedDays))
        await inTransaction(db, (tx) => unusedForget(tx, accountId, 2 * LIMITS.imageUnusedDays))
      if (removed > 0) log.info({ removed }, 'stored pictures that nobody used were removed')
      return 'idle'
    },
  })
}
