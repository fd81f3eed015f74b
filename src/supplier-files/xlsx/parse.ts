import { TableReader, type TableOptions } from '../table/rows.ts'
import { unreadable, type RawRow, type ReadLimits } from '../rows.ts'
import { checkedParts } from './check.ts'
import type { CollectedRows } from './collected-rows.ts'
import { HtmlRows, readHtmlSheet } from './html-sheet.ts'
import { OldSheetRows, readOldSheet } from './old-workbook.ts'
import { readSharedTexts } from './shared-texts.ts'
import { SheetRows } from './sheet.ts'
import { findSheet, readFormats, visibleSheets } from './workbook.ts'

/** The form of the sheet to read in a workbook. */
export interface WorkbookOptions extends TableOptions {
  /** The name of the sheet; default: the first that is not hidden, in a workbook of Excel 2003 the first. HTML tables ignore it. */
  sheet: string | undefined
  /** How many rows of the sheet precede the names of the columns. */
  skipLines: number
}

/**
 * Parses one sheet of a workbook into rows with the cells in the order of the header. The value of a formula is its last result; dates are texts such
 * as `2026-11-30`; of merged cells only the first has a value. The compressed workbook and its shared texts are held in memory, but not the sheet.
 * @throws ShelfwireError `source-unreadable` for a file that is no workbook, is damaged or beyond the limits, or has no such sheet
 */
export async function* parseWorkbook(
  bytes: AsyncIterable<Uint8Array>,
  options: WorkbookOptions,
  limits: ReadLimits,
): AsyncGenerator<RawRow[]> {
  const parts = checkedParts(await collect(bytes, limits.importWorkbookBytesMax), limits)
  const place = await findSheet(parts, options.sheet, limits.importWorkbookEntriesMax)
  const formats = await readFormats(parts, place.styles, limits.importWorkbookEntriesMax)
  const sheet = new SheetRows(await readSharedTexts(parts, place.texts, limits), formats, place.is1904, limits)
  yield* tableOf(sheet, parts.read(place.sheet, sheet), options, limits)
}

/**
 * Parses a workbook in the XML format of Excel 2003 like parseWorkbook. Only one row at a time is held in memory.
 * @throws ShelfwireError `source-unreadable` as parseWorkbook does
 */
export async function* parseOldWorkbook(
  text: AsyncIterable<string>,
  options: WorkbookOptions,
  limits: ReadLimits,
): AsyncGenerator<RawRow[]> {
  const sheet = new OldSheetRows(options.sheet, limits)
  async function* steps() {
    yield* readOldSheet(text, sheet, limits)
    if (sheet.isFound) return
    const names = sheet.names.slice(0, 20).map((name) => JSON.stringify(name.slice(0, 100)))
    throw unreadable(
      options.sheet === undefined
        ? 'the workbook has no sheet with a table'
        : `the workbook has no sheet ${JSON.stringify(options.sheet)}, but ${names.join(', ')}: check "sheet" in the mapping`,
    )
  }
  yield* tableOf(sheet, steps(), options, limits)
}

/**
 * Parses HTML tables that programs save for Excel like parseWorkbook. All tables are read as one sheet, one below the other.
 * @throws ShelfwireError `source-unreadable` as parseWorkbook does
 */
export async function* parseHtmlTable(
  text: AsyncIterable<string>,
  options: WorkbookOptions,
  limits: ReadLimits,
): AsyncGenerator<RawRow[]> {
  const sheet = new HtmlRows(limits)
  yield* tableOf(sheet, readHtmlSheet(text, sheet), options, limits)
}

/** The rows of a sheet below its header. @param steps after each, `sheet` has further rows */
async function* tableOf(
  sheet: CollectedRows,
  steps: AsyncIterable<void>,
  options: WorkbookOptions,
  limits: ReadLimits,
): AsyncGenerator<RawRow[]> {
  const table = new TableReader(options)
  let isEmpty = true
  const rowsOf = () => {
    const rows: RawRow[] = []
    for (const { line, cells, isTooLong } of sheet.taken()) {
      isEmpty = false
      if (line <= options.skipLines) continue
      if (isTooLong) {
        rows.push({ line, fault: `is longer than ${limits.importRowBytesMax} bytes` })
        continue
      }
      const row = table.row(line, toWidth(cells, table.columns, options.hasHeader))
      if (row !== undefined) rows.push(row)
      if (table.hasBeside) rows.push(...table.takeBeside())
    }
    return rows
  }
  for await (const _ of steps) {
    const rows = rowsOf()
    if (rows.length > 0) yield rows
  }
  const rest = rowsOf()
  if (rest.length > 0) yield rest
  if (isEmpty && options.sheet !== undefined)
    throw unreadable(`the sheet ${JSON.stringify(options.sheet)} is empty: check "sheet" in the mapping`)
  table.end()
}

/** The names of the sheets of a workbook (.xlsx) that are not hidden. @throws ShelfwireError `source-unreadable` as parseWorkbook does */
export async function sheetNames(bytes: AsyncIterable<Uint8Array>, limits: ReadLimits): Promise<string[]> {
  const parts = checkedParts(await collect(bytes, limits.importWorkbookBytesMax), limits)
  return visibleSheets(parts, limits.importWorkbookEntriesMax)
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

/**
 * The cells of a row, cut or filled up with empty ones to the number of columns, because rows of a sheet end with their last filled cell. No mapping
 * can name cells beyond the header, and unlike surplus cells in a line with separators, they do not show that others are misplaced.
 */
function toWidth(cells: unknown[], columns: number, hasHeader: boolean): unknown[] {
  let length = columns > 0 && hasHeader ? Math.min(cells.length, columns) : cells.length
  while (length > 0 && cells[length - 1] === '') length--
  const kept = length === cells.length ? cells : cells.slice(0, length)
  while (kept.length < columns) kept.push('')
  return kept
}
