import type { Reader } from '../db/sql.ts'
import { ShelfwireError, unreachable } from '../platform/errors.ts'
import type { ChangeKind } from '../model/change.ts'
import { lastNumberBefore } from '../shelf/payloads/change-counter.sql.ts'
import { feedWindow, type FeedHead, type FeedRow, type Window } from './changes.sql.ts'

/** Where to read from: the beginning, the head (`now`), a second (`since` alone), or after a previous answer. */
export type Cursor =
  | { kind: 'beginning' }
  | { kind: 'now' }
  | { kind: 'second'; since: Date }
  | { kind: 'pair'; since: Date; id: number }

export interface FeedChange {
  productId: number
  /** The kinds that changed after the cursor, the latest last; never empty. */
  kinds: ChangeKind[]
  changedAt: Date
}

export interface FeedWindow {
  changes: FeedChange[]
  next: { since: Date; id: number }
  hasMore: boolean
}

/** Reads a window of a store's feed; undefined if there is no such account. */
export type ReadWindow = (
  accountId: number,
  storeId: number,
  cursor: { since: Date; id: number },
  limit: number,
) => Promise<Window | undefined>

/** A time before every change. */
const BEGINNING = new Date(0)

/**
 * The changes of a store after a cursor, at most `limit`: one per product, at its latest position.
 * @param readWindow reads the window, for example together with those of other polls
 * @throws ShelfwireError `cursor-ahead` if the cursor is beyond the head or was lost with a restored backup; `unknown-account`
 */
export async function readFeed(
  reader: Reader,
  accountId: number,
  storeId: number,
  cursor: Cursor,
  limit: number,
  readWindow: ReadWindow = (...asked) => feedWindow(reader, ...asked),
): Promise<FeedWindow> {
  const from = { since: 'since' in cursor ? cursor.since : BEGINNING, id: cursor.kind === 'pair' ? cursor.id : 0 }
  // one more row than requested tells whether there are more
  const window = await readWindow(accountId, storeId, from, cursor.kind === 'now' ? 0 : limit + 1)
  if (window === undefined) throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
  const { head, rows } = window
  if (cursor.kind === 'pair') requireKnownCursor(cursor, head)
  const found = rows.slice(0, limit)
  const last = found.at(-1)
  const after =
    cursor.kind === 'second' && found.some(hasEarlierKind)
      ? await lastNumberBefore(reader, accountId, cursor.since)
      : from.id
  return {
    changes: found.map((row) => ({
      productId: row.productId,
      kinds: kindsAfter(row, after),
      changedAt: row.changedAt,
    })),
    next: last === undefined ? emptyNext(cursor, head) : { since: last.changedAt, id: last.changeId },
    hasMore: rows.length > limit && cursor.kind !== 'now',
  }
}

/** The next cursor of an empty window: the one sent; the head if none was sent or its time is in the future. */
function emptyNext(cursor: Cursor, head: FeedHead): { since: Date; id: number } {
  const headCursor = { since: head.lastAt, id: head.lastId }
  switch (cursor.kind) {
    case 'beginning':
    case 'now':
      return headCursor
    case 'second':
      return cursor.since > head.lastAt ? headCursor : { since: cursor.since, id: 0 }
    case 'pair':
      return { since: cursor.since, id: cursor.id }
    default:
      return unreachable(cursor)
  }
}

function requireKnownCursor(cursor: { since: Date; id: number }, head: FeedHead): void {
  const isAhead = cursor.id > head.lastId || cursor.since > head.lastAt
  if (!isAhead && !head.isFenced) return
  throw new ShelfwireError(
    'cursor-ahead',
    'the cursor is ahead of this feed, as after a backup was restored: read again without since and since_id, and delete products that this does not return',
  )
}

/** Whether the row has a kind besides its latest one, which may be before the cursor. */
function hasEarlierKind({ priceId, contentId }: FeedRow): boolean {
  return priceId !== null && contentId !== null
}

function kindsAfter(row: FeedRow, id: number): ChangeKind[] {
  const numbered: [number | null, ChangeKind][] = [
    [row.priceId, 'price'],
    [row.contentId, 'content'],
    [row.removedId, 'removed'],
  ]
  const all = numbered
    .flatMap(([number, kind]) => (number === null ? [] : [{ number, kind }]))
    .sort((a, b) => a.number - b.number)
  const after = all.filter((entry) => entry.number > id)
  // empty only if a client combined since and since_id of two answers: the row is after the time, so report every kind
  return (after.length > 0 ? after : all).map((entry) => entry.kind)
}
