import type { Db } from '../db/sql.ts'
import { openByTurn } from '../platform/turns/by-turn.ts'
import { LIMITS } from '../platform/limits.ts'
import { feedWindows, type Window, type WindowAsked } from './changes.sql.ts'
import type { ReadWindow } from './read.ts'

/** Reads of windows in the same turn of the event loop share one statement per account. */
export function openWindows(db: Db): ReadWindow {
  const window = openByTurn<WindowAsked, Window | undefined>(LIMITS.feedWindowsMax, (accountId, asked) =>
    feedWindows(db, accountId, asked),
  )
  return (accountId, storeId, cursor, limit) => window(accountId, { storeId, ...cursor, limit })
}
