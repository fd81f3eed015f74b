import { memberText, unreadable, type Lookup, type RawRow } from '../rows.ts'
import { tablesBeside, type TableChoice } from '../side-by-side.ts'
import { openColumns } from './header.ts'

/** So many records are looked at to find the names of columns, where the first one does not have them. */
const HEADER_SEARCH_RECORDS = 20

/** How the records of a table become rows. `bind` compiles the mapping with the columns of the table. */
export interface TableOptions {
  /** Whether a record of column names comes first; else columns are named 1, 2 and so on. */
  hasHeader: boolean
  /** How many records name the columns, one above the other; default: 1. */
  headerLines?: number | undefined
  /** Whether cells that a record lacks at its end are empty; else it is at fault. */
  hasShortRows?: boolean | undefined
  /** Of tables side by side, those that are read; without it a sheet is one table. */
  table?: TableChoice | undefined
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
  /** The places of the columns of each table that is read, where the header has several. */
  #tables: readonly (readonly number[])[] | undefined
  /** The rows of the last record beside the one that was returned. */
  #beside: RawRow[] = []
  #searched = 0
  /** The last records, which stand above the one that names the columns. */
  #above: (readonly unknown[])[] = []
  /** What is wrong with the first record as a header. */
  #fault: Error | undefined

  constructor(options: TableOptions) {
    this.#options = options
  }

  /** The number of columns; 0 before the header. */
  get columns(): number {
    return this.#columns
  }

  /** Whether the last record had rows of several tables. */
  get hasBeside(): boolean {
    return this.#beside.length > 0
  }

  /** The further rows of the last record. */
  takeBeside(): RawRow[] {
    const rows = this.#beside
    this.#beside = []
    return rows
  }

  /** @returns the row of a record, the first of several, or undefined for a record that is none. */
  row(line: number, cells: readonly unknown[]): RawRow | undefined {
    const row = this.#whole(line, cells)
    if (this.#tables === undefined || row === undefined || !('row' in row)) return row
    const parts = this.#tables
      .map((places) => places.map((place) => cells[place] ?? ''))
      .filter((part) => !isBlank(part))
      .map((part): RawRow => ({ line, row: part }))
    this.#beside = parts.slice(1)
    return parts[0]
  }

  #whole(line: number, cells: readonly unknown[]): RawRow | undefined {
    if (this.#columns === 0) {
      if (isBlank(cells)) return undefined
      if (this.#options.hasHeader) {
        const { headerLines = 1 } = this.#options
        if (this.#above.length + 1 >= headerLines)
          this.#header(line, this.#above.reduceRight<readonly unknown[]>(belowOf, cells))
        // a title may stand above them
        if (headerLines > 1) this.#above = [...this.#above, cells].slice(1 - headerLines)
        return undefined
      }
      this.#numbered(line, cells.length)
    }
    if (cells.length === this.#columns) return isBlank(cells) ? undefined : { line, row: cells }
    if (isBlank(cells)) return undefined
    // separators at the end of a line are no columns
    if (cells.length > this.#columns && isBlank(cells.slice(this.#columns)))
      return { line, row: cells.slice(0, this.#columns) }
    if (cells.length < this.#columns && this.#options.hasShortRows === true)
      return { line, row: [...cells, ...Array<string>(this.#columns - cells.length).fill('')] }
    return { line, fault: `has ${cells.length} columns where the header has ${this.#columns}`, cells }
  }

  /** @throws ShelfwireError `source-unreadable` when no record had the columns of the mapping */
  end(): void {
    if (this.#fault !== undefined && this.#columns === 0) throw this.#fault
    if (this.#columns === 0 && this.#options.hasHeader)
      throw unreadable(
        this.#above.length > 0
          ? `the file ends before the ${this.#options.headerLines} lines that name the columns by "headerLines" in the mapping`
          : 'line 1: the file has no header row: the first line must name the columns',
      )
  }

  #header(line: number, cells: readonly unknown[]): void {
    // a column without a name is called by its place
    const names = cells.map((cell, place) => memberText(cell) || `#${place + 1}`)
    if (names.length > this.#options.columnsMax)
      throw unreadable(`line ${line}: the file has more than ${this.#options.columnsMax} columns`)
    const { table } = this.#options
    const tables = table === undefined ? undefined : tablesBeside(names)
    const chosen = table === 'all' ? tables : tables?.slice(Number(table) - 1, Number(table))
    const columns = openColumns(chosen?.[0]?.map((place) => names[place] ?? '') ?? names)
    this.#options.bind(columns.lookup)
    const isThere = table === undefined || (chosen !== undefined && chosen.length > 0)
    const fault = isThere ? columns.fault(line, this.#options.delimiter) : noTable(line, table, tables?.length ?? 1)
    if (fault === undefined) {
      this.#columns = names.length
      this.#tables = chosen
    } else {
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

/**
 * The names of columns of two records, one above the other: `Price` above `net` and `gross` is `Price net` and `Price gross`, as in a merged cell. A name that
 * stands above or below nothing is one alone.
 */
export function belowOf(below: readonly unknown[], above: readonly unknown[]): string[] {
  let last = ''
  return Array.from({ length: Math.max(above.length, below.length) }, (_, place) => {
    const [upper, lower] = [memberText(above[place]), memberText(below[place])]
    if (upper !== '') last = upper
    // what stands above goes on to the right over names below it
    else if (lower === '') last = ''
    return lower === '' ? upper : last === '' || last === lower ? lower : `${last} ${lower}`
  })
}

const noTable = (line: number, table: TableChoice, count: number): Error =>
  unreadable(
    count < 2
      ? `line ${line}: the header has no tables side by side under the same names: leave out "table" in the mapping`
      : `line ${line}: the header has ${count} tables side by side, and no table ${table}: check "table" in the mapping`,
  )

const isBlank = (cells: readonly unknown[]): boolean => {
  for (const cell of cells)
    if (cell !== null && cell !== '' && (typeof cell !== 'string' || cell.trim() !== '')) return false
  return true
}
