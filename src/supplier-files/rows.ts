import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'

/** One row: the cells of a CSV record in column order, or a JSON object. */
export type Row = readonly string[] | Readonly<Record<string, unknown>>

/** A row with the line at which it starts, or the reason why it cannot be read. */
export type RawRow = { line: number; row: Row } | { line: number; fault: string }

/** Returns a function that reads a column from a row; `undefined` = the row does not have the column. */
export type Lookup = (column: string) => (row: Row) => unknown

/** The limits of reading one file: LIMITS in production, smaller ones in tests. */
export interface ReadLimits {
  importPageRows: number
  importFileBytesMax: number
  importRowsMax: number
  importRowBytesMax: number
}

/**
 * An unfinished row may grow to this many times importRowBytesMax. Up to that length it is one row with a fault; beyond it
 * the file is most likely malformed (a quote or bracket that is never closed) and is refused, so that memory stays bounded.
 */
export const UNFINISHED_ROWS = 4

export const defaultLimits: ReadLimits = LIMITS

/** The error for a file that is refused as a whole. */
export function unreadable(detail: string, cause?: unknown): ShelfwireError {
  return new ShelfwireError('source-unreadable', detail, cause === undefined ? {} : { cause })
}

/** Whether text is longer than `max` bytes in UTF-8; counts the bytes only when the length does not decide it. */
export function isLonger(text: string, max: number): boolean {
  return text.length * 3 > max && (text.length > max || Buffer.byteLength(text) > max)
}

/** The number of line feeds between two indexes. */
export function countLines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
