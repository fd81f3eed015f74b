import { storeLockShared } from '../catalog/settings/stores/stores.sql.ts'
import { inTransaction, type Db, type Reader } from '../db/sql.ts'
import { now } from '../platform/time/clock.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import { mirrorCheckPut, mirrorChecksList, mirrorChecksTrim, type MirrorCheckRow } from './mirror-checks.sql.ts'
import { readFeed } from './read.ts'

// What mirrors tell of themselves: docs/decisions/239-a-mirror-tells-what-it-found.md.

const DAY_MS = 86_400_000

export interface Told {
  storeId: number
  /** Its name. */
  mirror: string
  /** At which it was compared. */
  cursor: { since: Date; id: number }
  /** How many products were found to differ. */
  differing: number
}

/**
 * Keeps what a mirror has found when it compared itself. What it says is true as of its cursor; where the store's feed has nothing after that, it is
 * true until now.
 * @throws ShelfwireError `cursor-ahead` where the feed has no such cursor: what is said is of a catalog that is no longer; `unknown-store` where the
 *   store was deleted meanwhile
 */
export async function tellMirrorCheck(
  db: Db,
  accountId: number,
  { storeId, mirror, cursor, differing }: Told,
): Promise<MirrorCheckRow> {
  // before the feed is read: what is committed in between is not yet known to be in the mirror
  const toldAt = now()
  const { changes } = await readFeed(db, accountId, storeId, { kind: 'pair', ...cursor }, 1)
  const asOf = changes.length === 0 ? toldAt : cursor.since
  return inTransaction(db, async (tx) => {
    // a store that is deleted waits for what is told of it, and forgets it
    if (!(await storeLockShared(tx, accountId, storeId)))
      throw new ShelfwireError('unknown-store', 'the store was deleted, or is no longer active')
    const kept = await mirrorCheckPut(tx, accountId, { storeId, mirror, differing, asOf, toldAt })
    await mirrorChecksTrim(tx, accountId, storeId, oldest(toldAt))
    return must(kept)
  })
}

/** What is known of the mirrors of an account that have told something of late, by name. */
export const readMirrorChecks = (reader: Reader, accountId: number): Promise<MirrorCheckRow[]> =>
  Promise.resolve(mirrorChecksList(reader, accountId, oldest(now())))

const oldest = (at: Date) => new Date(at.getTime() - LIMITS.mirrorCheckDays * DAY_MS)
