import type { ChangeList, Cursor } from '../answers.ts'
import { noAnswer } from '../sender.ts'

// The position of a store's mirror, as a text that its target keeps.

/** Following the change feed. */
export interface Following extends Cursor {
  kind: 'following'
}

/** Being filled: products up to the ID `after` are written. The cursor was read before the first of them. */
export interface Filling extends Cursor {
  kind: 'filling'
  /** Identifies the process that fills: two that fill at once would undo each other's work. */
  by: string
  after: number
}

export type Position = Following | Filling

export const positionText = (position: Position): string => JSON.stringify(position)

/** Whether a position that was saved is one of a fill. */
export const isFilling = (text: string): boolean => text.startsWith(JSON.stringify({ kind: 'filling' }).slice(0, -1))

/**
 * The cursor from which the feed continues.
 * @throws ShelfwireError `no-answer` where the feed says that there is more but its cursor has not moved: reading on at once would never end
 */
export function cursorAfter(
  { since, since_id: sinceId }: Cursor,
  {
    next_since: nextSince,
    next_id: nextId,
    has_more: hasMore,
  }: Pick<ChangeList, 'next_since' | 'next_id' | 'has_more'>,
): Cursor {
  if (hasMore && nextId === sinceId && nextSince === since)
    throw noAnswer(`the feed has more, and no cursor after ${sinceId}`)
  return { since: nextSince, since_id: nextId }
}

/** A target's position that is not one of this library: cut off, or changed by something else. */
export class PositionError extends Error {
  override readonly name = 'PositionError'

  constructor(store: string, text: string) {
    super(
      `the position of the mirror of ${store} is damaged (${JSON.stringify(text.slice(0, 100))}): remove it, and the mirror is filled again`,
    )
  }
}

/** @throws PositionError where the text is not one that this library saved */
export function positionOf(store: string, text: string): Position {
  const read = objectIn(text)
  const { kind, since, since_id: sinceId } = read as Partial<Position>
  if ((kind !== 'following' && kind !== 'filling') || typeof since !== 'string' || !Number.isSafeInteger(sinceId))
    throw new PositionError(store, text)
  return read as Position
}

function objectIn(text: string): object {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : {}
  } catch {
    return {}
  }
}
