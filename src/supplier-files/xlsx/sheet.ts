import { unreadable, type ReadLimits } from '../rows.ts'
import { dateText, type NumberFormat } from './number-format.ts'
import type { PartHandlers } from './parts.ts'
import type { SharedTexts } from './shared-texts.ts'

/** The columns that a sheet can have; what is beyond is no reference. */
const COLUMNS_MAX = 16_384
/** The digits of a number that a sheet shows; further ones come from binary arithmetic. */
const SHOWN_DIGITS = 15

export interface SheetRow {
  line: number
  cells: unknown[]
  /** Its cells are not all there. */
  isTooLong: boolean
}

/** Collects the rows of a sheet. Cells that are not there are empty. */
export class SheetRows implements PartHandlers {
  readonly #texts: SharedTexts
  readonly #formats: readonly (NumberFormat | undefined)[]
  readonly #is1904: boolean
  readonly #limits: ReadLimits
  #characters = 0
  #rows: SheetRow[] = []
  #line = 0
  #cells: unknown[] = []
  #column = 0
  #type = ''
  #style = 0
  #value = ''
  #isReading = false

  constructor(texts: SharedTexts, formats: readonly (NumberFormat | undefined)[], is1904: boolean, limits: ReadLimits) {
    this.#texts = texts
    this.#formats = formats
    this.#is1904 = is1904
    this.#limits = limits
  }

  /** Takes out the rows that are complete. */
  taken(): SheetRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  opened(tag: string, attributes: Readonly<Record<string, string>>): void {
    if (tag === 'c') {
      const { r } = attributes
      this.#column = r === undefined ? this.#column + 1 : columnOf(r)
      if (this.#column > COLUMNS_MAX)
        throw unreadable(`line ${this.#line}: the sheet has a cell ${(r ?? '').slice(0, 20)} that no sheet has`)
      this.#type = attributes['t'] ?? 'n'
      this.#style = Number(attributes['s'] ?? 0)
      this.#value = ''
    } else if (tag === 'row') {
      const { r } = attributes
      this.#line = r === undefined ? this.#line + 1 : Number(r)
      this.#cells = []
      this.#column = 0
      this.#characters = 0
    } else if (tag === 'rPh') this.#isReading = true
  }

  closed(tag: string, text: string): void {
    if (tag === 'v') this.#value = text
    else if (tag === 't') {
      if (this.#type === 'inlineStr' && !this.#isReading && this.#value.length <= this.#limits.importRowBytesMax)
        this.#value += text
    } else if (tag === 'rPh') this.#isReading = false
    else if (tag === 'c') {
      const cells = this.#cells
      const cell = this.#cell()
      // cells that are formatted, and empty, may be anywhere
      if (cell === '') return
      const { importColumnsMax, importRowBytesMax } = this.#limits
      if (this.#column > importColumnsMax)
        throw unreadable(
          `line ${this.#line}: the sheet has more than ${importColumnsMax} columns: save those that are needed as CSV`,
        )
      this.#characters += typeof cell === 'string' ? cell.length : 0
      if (this.#characters > importRowBytesMax) return
      while (cells.length < this.#column - 1) cells.push('')
      cells[this.#column - 1] = cell
    } else if (tag === 'row' && this.#cells.length > 0)
      this.#rows.push({
        line: this.#line,
        cells: this.#cells,
        isTooLong: this.#characters > this.#limits.importRowBytesMax,
      })
  }

  #cell(): unknown {
    const value = this.#value
    if (value === '') return ''
    switch (this.#type) {
      case 's':
        return this.#texts.get(Number(value))
      case 'n':
        return this.#number(value)
      case 'b':
        return value === '1'
      case 'd':
        return value.replace(/T00:00:00(?:\.0+)?Z?$/, '')
      default:
        return value
    }
  }

  #number(text: string): unknown {
    const value = Number(text)
    if (Number.isNaN(value)) return text
    const format = this.#formats[this.#style]
    if (format === undefined) return Number.isInteger(value) ? value : Number(value.toPrecision(SHOWN_DIGITS))
    if (format === 'date') return dateText(value, this.#is1904)
    return Number.isSafeInteger(value) && value >= 0 ? String(value).padStart(format.digits, '0') : value
  }
}

/** The number of a column, from 1: that of `AB12` is 28. */
function columnOf(reference: string): number {
  let column = 0
  for (let i = 0; i < reference.length && i < 8; i++) {
    const code = reference.charCodeAt(i)
    const letter = code >= 97 ? code - 96 : code - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column === 0 ? COLUMNS_MAX + 1 : column
}
