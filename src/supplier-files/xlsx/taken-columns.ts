import { must } from '../../platform/must.ts'

/** A cell spans fewer rows than this. */
const ROWS_MAX = 1_000_000

/**
 * The columns of an HTML table that are covered by cells of rows above (rowspan). A segment tree: covering or skipping any number of columns
 * takes a number of steps in proportion to the logarithm of the width, whatever spans a file states.
 */
export class TakenColumns {
  /** A power of two. */
  readonly #width: number
  /** For each node of the tree (all columns, each half, each quarter and so on), the last row in which all its columns are covered. */
  readonly #until: Float64Array
  /** Added to the rows of the current table, so that cells of earlier tables do not cover its columns. */
  #shift = 0

  constructor(columnsMax: number) {
    this.#width = 2 ** Math.ceil(Math.log2(columnsMax + 2))
    this.#until = new Float64Array(2 * this.#width)
  }

  /** Begins another table. Row numbers must continue to rise. */
  clear(): void {
    this.#shift += ROWS_MAX
  }

  /** Covers columns from this row on. @param rows less than a million */
  take(column: number, columns: number, row: number, rows: number): void {
    this.#take(1, 0, this.#width, column, column + columns, row + rows - 1 + this.#shift)
  }

  /** The first column from this one on that is not covered in the row. Columns beyond the width of the tree are never covered. */
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
