import { memberText, unreadable, type Lookup, type RawRow } from '../rows.ts'
import { sideBySideTables, type TableChoice } from '../side-by-side.ts'
import { openColumns } from './header.ts'

/** How many records are searched for the names of columns if the first one does not have them. */
const HEADER_SEARCH_RECORDS = 20

/** How the records of a table become rows. `bind` compiles the mapping with the columns of the table. */
export interface TableOptions {
  /** Whether the table has a record of column names; without one, columns are named 1, 2 and so on. */
  hasHeader: boolean
  /** How many records, one above the other, name the columns; default: 1. */
  headerLines?: number | undefined
  /** Whether a record may lack cells at its end, which are then empty; otherwise it is refused. */
  hasShortRows?: boolean | undefined
  /** Which of several tables side by side are read; if undefined, the sheet is one table. */
  table?: TableChoice | undefined
  columnsMax: number
  bind: (lookup: Lookup) => void
  delimiter?: string
}

/**
 * Turns the records of a table into rows. The names of the columns are in the first record that has all columns of the mapping; records before it are
 * titles and the like. Records whose cells are all empty are skipped.
 */
export class TableReader {
  readonly #options: TableOptions
  #columns = 0
  /** The positions of the columns of each table that is read, if the header has several tables. */
  #tables: readonly (readonly number[])[] | undefined
  /** The rows of the last record after the one that was returned. */
  #beside: RawRow[] = []
  #searched = 0
  /** The records directly above, if several records name the columns. */
  #above: (readonly unknown[])[] = []
  /** Why the first record is not a header. */
  #fault: Error | undefined

  constructor(options: TableOptions) {
    this.#options = options
  }

  /** The number of columns; 0 before the header. */
  get columns(): number {
    return this.#columns
  }

  /** Whether takeBeside() has further rows of the last record. */
  get hasBeside(): boolean {
    return this.#beside.length > 0
  }

  /** Takes the further rows of the last record, which are of tables to the right. */
  takeBeside(): RawRow[] {
    const rows = this.#beside
    this.#beside = []
    return rows
  }

  /** @returns the row of a record, the first of several, or undefined for a record that has none: an empty one, or one up to the header */
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
          this.#header(line, this.#above.reduceRight<readonly unknown[]>(joinHeaderRows, cells))
        // a title may be above the names
        if (headerLines > 1) this.#above = [...this.#above, cells].slice(1 - headerLines)
        return undefined
      }
      this.#numbered(line, cells.length)
    }
    if (cells.length === this.#columns) return isBlank(cells) ? undefined : { line, row: cells }
    if (isBlank(cells)) return undefined
    // empty cells after the last column are separators at the end of the line
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
    // a column without a name gets its position as a name
    const names = cells.map((cell, place) => memberText(cell) || `#${place + 1}`)
    if (names.length > this.#options.columnsMax)
      throw unreadable(`line ${line}: the file has more than ${this.#options.columnsMax} columns`)
    const { table } = this.#options
    const tables = table === undefined ? undefined : sideBySideTables(names)
    const chosen = table === 'all' ? tables : tables?.slice(Number(table) - 1, Number(table))
    const columns = openColumns(chosen?.[0]?.map((place) => names[place] ?? '') ?? names)
    this.#options.bind(columns.lookup)
    const hasTable = table === undefined || (chosen !== undefined && chosen.length > 0)
    const fault = hasTable ? columns.fault(line, this.#options.delimiter) : noTable(line, table, tables?.length ?? 1)
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
 * Joins two records that name columns: `Price` above `net` and `gross` becomes `Price net` and `Price gross`, as in a merged cell. A name with
 * nothing above or below it stays as it is.
 */
export function joinHeaderRows(below: readonly unknown[], above: readonly unknown[]): string[] {
  let last = ''
  return Array.from({ length: Math.max(above.length, below.length) }, (_, place) => {
    const [upper, lower] = [memberText(above[place]), memberText(below[place])]
    if (upper !== '') last = upper
    // an upper name also applies to the lower names to its right
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
