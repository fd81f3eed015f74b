import type { Cursor } from '../answers.ts'

// Where the mirror of a store stands, as text for its target.

/** Following the change feed. */
export interface Following extends Cursor {
  kind: 'following'
}

/** Being filled: products up to an ID are written. The cursor is from before the first of them. */
export interface Filling extends Cursor {
  kind: 'filling'
  /** Of the process that fills: two that fill at once would undo each other's work. */
  by: string
  after: number
}

export type Position = Following | Filling

export const positionText = (position: Position): string => JSON.stringify(position)

/** @throws Error where the text is not one that this library saved */
export function positionOf(text: string): Position {
  const read: unknown = JSON.parse(text)
  const { kind, since, since_id: sinceId } = read as Position
  if ((kind !== 'following' && kind !== 'filling') || typeof since !== 'string' || !Number.isSafeInteger(sinceId))
    throw new Error(`the target's position is not one of this library: ${text}`)
  return read as Position
}
