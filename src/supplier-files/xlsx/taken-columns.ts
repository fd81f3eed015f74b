import { must } from '../../platform/must.ts'

/** A cell goes over fewer rows. */
const ROWS_MAX = 1_000_000

/**
 * The columns of a table that a cell above takes. Ranges of columns are kept in a tree: to take any number of them, or to pass over them, costs
 * as many steps as their number has binary digits, whatever a file says of its cells.
 */
export class TakenColumns {
  /** A power of two. */
  readonly #width: number
  /** For all columns, for each half of them, each quarter and so on: the last row in which all of them are taken. */
  readonly #until: Float64Array
  /** Added to the rows of a table: what was taken in those before it ends before its first row. */
  #shift = 0

  constructor(columnsMax: number) {
    this.#width = 2 ** Math.ceil(Math.log2(columnsMax + 2))
    this.#until = new Float64Array(2 * this.#width)
  }

  /** Begins another table, whose rows are counted on. */
  clear(): void {
    this.#shift += ROWS_MAX
  }

  /** @param rows less than a million */
  take(column: number, columns: number, row: number, rows: number): void {
    this.#take(1, 0, this.#width, column, column + columns, row + rows - 1 + this.#shift)
  }

  /** The first column from this one on that no cell takes in the row; beyond what a table can have, none is taken. */
  free(column: number, row: number): number {
    if (column >= this.#width) return column
    return this.#free(1, 0, this.#width, column, row + this.#shift) ?? this.#width
  }

  #take(node: number, low: number, high: number, from: number, to: number, row: number): void {
    const until = this.#until
    if (from >= high || to <= low || must(until[node]) >= row) return
    if (from <= low && high <= to) {
      until[node] = row
      return
    }
    const middle = (low + high) / 2
    this.#take(2 * node, low, middle, from, to, row)
    this.#take(2 * node + 1, middle, high, from, to, row)
    until[node] = Math.max(must(until[node]), Math.min(must(until[2 * node]), must(until[2 * node + 1])))
  }

  #free(node: number, low: number, high: number, from: number, row: number): number | undefined {
    if (high <= from || must(this.#until[node]) >= row) return undefined
    if (high - low === 1) return low
    const middle = (low + high) / 2
    return this.#free(2 * node, low, middle, from, row) ?? this.#free(2 * node + 1, middle, high, from, row)
  }
}
