import { memberText, unreadable, type Lookup, type RawRow } from '../rows.ts'
import { openColumns } from './header.ts'

/** So many records are looked at to find the names of columns, where the first one does not have them. */
const HEADER_SEARCH_RECORDS = 20

/** How the records of a table become rows. `bind` compiles the mapping with the columns of the table. */
export interface TableOptions {
  /** Whether a record of column names comes first; else columns are named 1, 2 and so on. */
  hasHeader: boolean
  columnsMax: number
  bind: (lookup: Lookup) => void
  delimiter?: string
}

/**
 * Turns the records of a table into rows. The names of the columns are in the first record, or the first one that has all columns
 * of the mapping; what is before it is a title or the like. Records whose cells are all empty are passed over.
 */
export class TableReader {
  readonly #options: TableOptions
  #columns = 0
  #searched = 0
  /** What is wrong with the first record as a header. */
  #fault: Error | undefined

  constructor(options: TableOptions) {
    this.#options = options
  }

  /** The number of columns; 0 before the header. */
  get columns(): number {
    return this.#columns
  }

  /** @returns the row of a record, or undefined for a record that is none. */
  row(line: number, cells: readonly unknown[]): RawRow | undefined {
    if (this.#columns === 0) {
      if (isBlank(cells)) return undefined
      if (this.#options.hasHeader) {
        this.#header(line, cells)
        return undefined
      }
      this.#numbered(line, cells.length)
    }
    if (cells.length === this.#columns) return isBlank(cells) ? undefined : { line, row: cells }
    if (isBlank(cells)) return undefined
    // separators at the end of a line are no columns
    if (cells.length > this.#columns && isBlank(cells.slice(this.#columns)))
      return { line, row: cells.slice(0, this.#columns) }
    return { line, fault: `has ${cells.length} columns where the header has ${this.#columns}`, cells }
  }

  /** @throws ShelfwireError `source-unreadable` when no record had the columns of the mapping */
  end(): void {
    if (this.#fault !== undefined && this.#columns === 0) throw this.#fault
    if (this.#columns === 0 && this.#options.hasHeader)
      throw unreadable('line 1: the file has no header row: the first line must name the columns')
  }

  #header(line: number, cells: readonly unknown[]): void {
    // a column without a name is called by its place
    const names = cells.map((cell, place) => memberText(cell) || `#${place + 1}`)
    if (names.length > this.#options.columnsMax)
      throw unreadable(`line ${line}: the file has more than ${this.#options.columnsMax} columns`)
    const columns = openColumns(names)
    this.#options.bind(columns.lookup)
    const fault = columns.fault(line, this.#options.delimiter)
    if (fault === undefined) this.#columns = names.length
    else {
      this.#fault ??= fault
      if (++this.#searched >= HEADER_SEARCH_RECORDS) throw this.#fault
    }
  }

  #numbered(line: number, count: number): void {
    const columns = openColumns(Array.from({ length: count }, (_, i) => String(i + 1)))
    this.#options.bind(columns.lookup)
    const fault = columns.fault(line, this.#options.delimiter)
    if (fault !== undefined) throw fault
    this.#columns = count
  }
}

const isBlank = (cells: readonly unknown[]): boolean => {
  for (const cell of cells)
    if (cell !== null && cell !== '' && (typeof cell !== 'string' || cell.trim() !== '')) return false
  return true
}
