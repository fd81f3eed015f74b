import { unreadable, type ReadLimits } from '../rows.ts'
import { dateText, type NumberFormat } from './number-format.ts'

/** The most columns that a sheet can have; a reference beyond them is invalid. */
export const COLUMNS_MAX = 16_384
/** How many digits of a number a sheet shows; further ones come from binary arithmetic. */
const SHOWN_DIGITS = 15

/** A row of a sheet: its number from 1 on, and its cells up to the last filled one. */
export interface SheetRow {
  line: number
  cells: unknown[]
  /** It was too long, so its further cells were left out. */
  isTooLong: boolean
}

/** Collects the rows of a sheet from its cells. Cells that a sheet leaves out are empty. */
export class CollectedRows {
  readonly #limits: ReadLimits
  #rows: SheetRow[] = []
  #line = 0
  #cells: unknown[] = []
  #characters = 0
  #cellsAtHand = 0

  constructor(limits: ReadLimits) {
    this.#limits = limits
  }

  /** The number of the current or last row. */
  protected get line(): number {
    return this.#line
  }

  /** How many cells the complete rows have that have not been taken, empty ones included. */
  protected get cellsAtHand(): number {
    return this.#cellsAtHand
  }

  /** Removes and returns the complete rows. */
  taken(): SheetRow[] {
    const rows = this.#rows
    this.#rows = []
    this.#cellsAtHand = 0
    return rows
  }

  protected begin(line: number): void {
    this.#line = line
    this.#cells = []
    this.#characters = 0
  }

  /** @param column from 1 on. @throws ShelfwireError `source-unreadable` beyond the limit */
  protected put(column: number, cell: unknown): void {
    // empty cells are skipped: a sheet may have formatted empty ones anywhere
    if (cell === '') return
    const cells = this.#cells
    const { importColumnsMax, importRowBytesMax } = this.#limits
    if (column > importColumnsMax)
      throw unreadable(
        `line ${this.#line}: the sheet has more than ${importColumnsMax} columns: save those that are needed as CSV`,
      )
    this.#characters += typeof cell === 'string' ? cell.length : 0
    if (this.#characters > importRowBytesMax) return
    while (cells.length < column - 1) cells.push('')
    cells[column - 1] = cell
  }

  protected finish(): void {
    this.#cellsAtHand += this.#cells.length
    if (this.#cells.length > 0)
      this.#rows.push({
        line: this.#line,
        cells: this.#cells,
        isTooLong: this.#characters > this.#limits.importRowBytesMax,
      })
  }
}

/**
 * A number as a sheet shows it: a date as text, a number with leading zeros as text, or a number without the digits
 * that come from binary arithmetic. Text that is no number is returned unchanged.
 */
export function shownNumber(text: string, format: NumberFormat | undefined, is1904: boolean): unknown {
  const value = Number(text)
  if (Number.isNaN(value)) return text
  if (format === undefined) return Number.isInteger(value) ? value : Number(value.toPrecision(SHOWN_DIGITS))
  if (format === 'date') return dateText(value, is1904)
  return Number.isSafeInteger(value) && value >= 0 ? String(value).padStart(format.digits, '0') : value
}
