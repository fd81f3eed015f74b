import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'

/** One row as its format gives it: the cells of a CSV record in column order, or a JSON object. */
export type Row = readonly string[] | Readonly<Record<string, unknown>>

/** A row with the place it starts at, or the reason why this one row cannot be read. */
export type RawRow = { line: number; row: Row } | { line: number; fault: string }

/** How a column's name becomes a read from a row. `undefined` = the row does not have it. */
export type Lookup = (column: string) => (row: Row) => unknown

/** The maxima one reading keeps to; LIMITS in production, smaller ones in tests. */
export interface ReadLimits {
  importPageRows: number
  importFileBytesMax: number
  importRowsMax: number
  importRowBytesMax: number
}

/**
 * An unfinished row may grow to this many times importRowBytesMax before reading gives up: up to there an overlong row
 * is one fault row, beyond it the file is most likely broken (a quote or bracket never closed) and memory must not follow.
 */
export const UNFINISHED_ROWS = 4

export const defaultLimits: ReadLimits = LIMITS

/** The error for a feed that is refused as a whole. */
export function unreadable(detail: string, cause?: unknown): ShelfwireError {
  return new ShelfwireError('source-unreadable', detail, cause === undefined ? {} : { cause })
}

/** Whether text of UTF-8 is longer than `max` bytes; counts bytes only where the length leaves it open. */
export function isLonger(text: string, max: number): boolean {
  return text.length * 3 > max && (text.length > max || Buffer.byteLength(text) > max)
}

/** Line feeds in text between two indexes. */
export function countLines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
