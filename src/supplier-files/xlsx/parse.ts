import { streamXlsxRows } from 'hucre/xlsx'
import { ShelfwireError } from '../../platform/errors.ts'
import { TableReader, type TableOptions } from '../table/rows.ts'
import { unreadable, type RawRow, type ReadLimits } from '../rows.ts'
import { checkWorkbook } from './check.ts'

/** The form of a workbook. */
export interface WorkbookOptions extends TableOptions {
  /** The name of the sheet; default: the first. */
  sheet: string | undefined
  skipLines: number
}

const ROWS_AT_ONCE = 500

/**
 * Parses one sheet of a workbook into rows with the cells in the order of the header. A formula is its last result; dates are texts such as
 * `2026-11-30`; the cells of a merged one are empty but the first. The workbook is held in memory, compressed as it is, but not its
 * sheet.
 * @throws ShelfwireError `source-unreadable` for what is no workbook, is damaged, beyond the limits, or has no such sheet
 */
export async function* parseWorkbook(
  bytes: AsyncIterable<Uint8Array>,
  options: WorkbookOptions,
  limits: ReadLimits,
): AsyncGenerator<RawRow[]> {
  const workbook = await collect(bytes, limits.importWorkbookBytesMax)
  checkWorkbook(workbook, limits)
  const table = new TableReader(options)
  let rows: RawRow[] = []
  let isEmpty = true
  try {
    const sheet = options.sheet === undefined ? {} : { sheet: options.sheet }
    for await (const { index, values } of streamXlsxRows(workbook, sheet)) {
      const line = index + 1
      isEmpty = false
      if (line <= options.skipLines) continue
      const row = table.row(line, toWidth(values.map(cellOf), table.columns))
      if (row !== undefined) rows.push(row)
      if (rows.length >= ROWS_AT_ONCE) {
        yield rows
        rows = []
      }
    }
  } catch (error) {
    if (error instanceof ShelfwireError) throw error
    throw unreadable(`the workbook cannot be read: ${error instanceof Error ? error.message : String(error)}`, error)
  }
  if (rows.length > 0) yield rows
  if (isEmpty && options.sheet !== undefined)
    throw unreadable(
      `the workbook has no sheet ${JSON.stringify(options.sheet)}, or it is empty: check "sheet" in the mapping`,
    )
  table.end()
}

async function collect(bytes: AsyncIterable<Uint8Array>, max: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.byteLength
    if (length > max) throw unreadable(`the workbook is larger than ${max} bytes: save the sheet as CSV, or split it`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Rows of a sheet end with their last filled cell; empty cells beyond the header do not count. */
function toWidth(cells: unknown[], columns: number): unknown[] {
  let length = cells.length
  while (length > 0 && (cells[length - 1] === '' || (length > columns && isBlank(cells[length - 1])))) length--
  const kept = cells.slice(0, columns === 0 ? length : Math.max(length, 0))
  while (kept.length < columns) kept.push('')
  return kept
}

const isBlank = (cell: unknown) => typeof cell === 'string' && cell.trim() === ''

/** The digits that a sheet shows and means: the rest is what binary numbers add. */
const SHOWN_DIGITS = 15

function cellOf(value: unknown): unknown {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(SHOWN_DIGITS))
  // an instance of Date, which the library makes of a number that has a format of dates
  if (typeof value === 'object' && 'toISOString' in value) return dayOf(value as Date)
  return value
}

function dayOf(date: Date): string {
  if (Number.isNaN(date.getTime())) return ''
  const text = date.toISOString().slice(0, 19)
  return text.endsWith('T00:00:00') ? text.slice(0, 10) : text
}
