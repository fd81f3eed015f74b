import { storeLockShared } from '../catalog/settings/stores/stores.sql.ts'
import { inTransaction, type Db, type Reader } from '../db/sql.ts'
import { now } from '../platform/time/clock.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import { mirrorCheckPut, mirrorChecksList, mirrorChecksTrim, type MirrorCheckRow } from './mirror-checks.sql.ts'
import { readFeed } from './read.ts'

// Reports of mirrors about their own state: docs/decisions/239-a-mirror-tells-what-it-found.md.

const DAY_MS = 86_400_000

export interface MirrorReport {
  storeId: number
  /** The mirror's name. */
  mirror: string
  /** The cursor of the mirror when it compared itself. */
  cursor: { since: Date; id: number }
  /** How many products differed. */
  differing: number
}

/**
 * Stores the result of a mirror's comparison with its store. The result is dated to the mirror's cursor, or to now if the store's feed has no
 * change after it.
 * @throws ShelfwireError `cursor-ahead` if the cursor is ahead of the feed, as after an older backup was restored; `unknown-store` if the store
 * has been deleted in the meantime
 */
export async function recordMirrorCheck(
  db: Db,
  accountId: number,
  { storeId, mirror, cursor, differing }: MirrorReport,
): Promise<MirrorCheckRow> {
  // before the feed is read: the mirror may lack a change that is committed in between
  const toldAt = now()
  const { changes } = await readFeed(db, accountId, storeId, { kind: 'pair', ...cursor }, 1)
  const asOf = changes.length === 0 ? toldAt : cursor.since
  return inTransaction(db, async (tx) => {
    // the deletion of a store waits for this transaction and then deletes the report
    if (!(await storeLockShared(tx, accountId, storeId)))
      throw new ShelfwireError('unknown-store', 'the store was deleted, or is no longer active')
    const kept = await mirrorCheckPut(tx, accountId, { storeId, mirror, differing, asOf, toldAt })
    await mirrorChecksTrim(tx, accountId, storeId, oldest(toldAt))
    return must(kept)
  })
}

/** Reports of an account's mirrors from the last LIMITS.mirrorCheckDays, by mirror name. */
export const readMirrorChecks = (reader: Reader, accountId: number): Promise<MirrorCheckRow[]> =>
  Promise.resolve(mirrorChecksList(reader, accountId, oldest(now())))

const oldest = (at: Date) => new Date(at.getTime() - LIMITS.mirrorCheckDays * DAY_MS)
