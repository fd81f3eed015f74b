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
 * Stores what a mirror found when it compared itself with its store. It holds as of the mirror's cursor; as of now, where the store's feed has no
 * change after that cursor.
 * @throws ShelfwireError `cursor-ahead` where the cursor is ahead of the feed, as after an older backup was restored; `unknown-store` where the
 *   store was deleted meanwhile
 */
export async function tellMirrorCheck(
  db: Db,
  accountId: number,
  { storeId, mirror, cursor, differing }: Told,
): Promise<MirrorCheckRow> {
  // taken before the feed is read: a change that is committed in between may not be in the mirror yet
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

/** What the mirrors of an account have told within the last LIMITS.mirrorCheckDays, by name. */
export const readMirrorChecks = (reader: Reader, accountId: number): Promise<MirrorCheckRow[]> =>
  Promise.resolve(mirrorChecksList(reader, accountId, oldest(now())))

const oldest = (at: Date) => new Date(at.getTime() - LIMITS.mirrorCheckDays * DAY_MS)
