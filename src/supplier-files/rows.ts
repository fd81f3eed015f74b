import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'

/** One row: the cells of a table in column order, or an object with members. */
export type Row = readonly unknown[] | Readonly<Record<string, unknown>>

/**
 * A row with the line at which it starts, or the reason why it cannot be read. A record with too many or too few cells keeps its `cells`, which
 * show which article it may be about. A `part` has been added to another row. `article` is the 1-based number of an article in a record that
 * lists several.
 */
export type RawRow =
  | { line: number; row: Row; article?: number }
  | { line: number; fault: string; cells?: readonly unknown[] }
  | { line: number; part: true; row: Row }

/**
 * Returns a function that reads a column from a row; it returns undefined if the row does not have the column. A file whose table lacks a column
 * that is not optional is refused.
 */
export interface Lookup {
  (column: string, isOptional?: boolean): (row: Row) => unknown
  /** The columns of a table; undefined for formats whose rows are objects. */
  columns?: readonly string[]
}

/** The end of a fault's reason for one of several articles of a record, because they all have the same line. */
export const articleSuffix = (article: number | undefined): string =>
  article === undefined ? '' : ` (article ${article} of the record)`

/** Receives a warning about the file as a whole, which does not stop its import. */
export type Warn = (warning: string) => void

/** The texts of the first cells of a row that are not empty, each shortened. */
export function firstCells(row: Row): string[] {
  const cells: string[] = []
  for (const value of Array.isArray(row) ? (row as unknown[]) : Object.values(row)) {
    const text = memberText(value)
    if (text !== '') cells.push(text.slice(0, LIMITS.importRowExampleCharacters))
    if (cells.length === LIMITS.importRowExampleCells) break
  }
  return cells
}

/** The text of a value, for comparisons; '' for a missing value. */
export function memberText(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = textOf(value)
  return typeof text === 'string' ? text.trim() : JSON.stringify(value)
}

/** The text of an XML element that also has attributes: its member `#text`; undefined for other values. */
export function textOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)['#text']
    : undefined
}

/**
 * Follows a dotted path through an object. A member whose name contains the dots takes precedence. A list is followed into each of its members,
 * and the result is a list again, unless the path names a member by its index (`images.0`).
 */
export const memberLookup: Lookup = (column) => {
  const path = column.split('.')
  if (path.length === 1) return (row) => own(row, column)
  return (row) => {
    if (Object.hasOwn(row, column)) return own(row, column)
    let value: unknown = row
    for (const name of path) value = own(value, name)
    return value
  }
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value) && !/^\d+$/.test(name)) {
    const found = value.flatMap((member: unknown) => own(member, name) ?? [])
    return found.length === 0 ? undefined : found
  }
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

/** The limits of reading one file: LIMITS in production, smaller ones in tests. */
export interface ReadLimits {
  importPageRows: number
  importFileBytesMax: number
  importRowsMax: number
  importRowBytesMax: number
  importExpansionMax: number
  importExpansionFreeBytes: number
  importWorkbookBytesMax: number
  importWorkbookPartsBytesMax: number
  importWorkbookSheetBytesMax: number
  importColumnsMax: number
  importDepthMax: number
  importRowValuesMax: number
  importCellCharactersMax: number
  importWorkbookEntriesMax: number
  importWorkbookTextsMax: number
  importGroupRowsMax: number
  importGroupBytesMax: number
  importCatalogGroupsBytesMax: number
}

/**
 * An unfinished row may grow to this many times importRowBytesMax. Up to that length it is one row with a fault; beyond it
 * the file is most likely malformed (a quote or bracket that is never closed) and is refused, so that memory stays bounded.
 */
export const UNFINISHED_ROWS = 4

/** The limits in production. */
export const defaultLimits: ReadLimits = LIMITS

/** The error for a file that is refused as a whole. */
export function unreadable(detail: string, cause?: unknown): ShelfwireError {
  return new ShelfwireError('source-unreadable', detail, cause === undefined ? {} : { cause })
}

/** Whether a text is longer than `max` bytes in UTF-8. Its bytes are counted only if its length does not decide it. */
export function isLonger(text: string, max: number): boolean {
  return text.length * 3 > max && (text.length > max || Buffer.byteLength(text) > max)
}

/** The number of line feeds between two indexes. */
export function countLines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
