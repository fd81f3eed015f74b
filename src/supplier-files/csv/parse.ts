import { TableReader, type TableOptions } from '../table/rows.ts'
import { countLines, isLonger, UNFINISHED_ROWS, unreadable, type RawRow, type Warn } from '../rows.ts'
import { scanRecord, type Signs } from './scan.ts'

/** The form of a CSV file. */
export interface CsvOptions extends Signs, Omit<TableOptions, 'delimiter'> {
  rowBytesMax: number
  /** The number of the first line of the text. */
  line: number
  warn: Warn
  /** Takes the last record when it has no line end: its last value may be cut. */
  onOpenEnd: (line: number) => void
}

/**
 * Parses CSV or TSV text into rows with the cells in the order of the header. Lines end in LF or CRLF; blank lines are
 * skipped. `line` is the physical line at which a record starts; line feeds inside quotes count. Yields the rows of one chunk
 * at a time.
 * @throws ShelfwireError `source-unreadable` for a file without a header that fits, or cut off
 */
export async function* parseCsv(text: AsyncIterable<string>, options: CsvOptions): AsyncGenerator<RawRow[]> {
  const reader = new CsvReader(options)
  for await (const chunk of text) {
    const rows = reader.take(chunk, false)
    if (rows.length > 0) yield rows
  }
  const rows = reader.take('', true)
  if (rows.length > 0) yield rows
  reader.end()
}

class CsvReader {
  readonly #options: CsvOptions
  readonly #table: TableReader
  #rest = ''
  #line: number
  #lineEnds = 0

  constructor(options: CsvOptions) {
    this.#options = options
    this.#table = new TableReader(options)
    this.#line = options.line
  }

  take(chunk: string, final: boolean): RawRow[] {
    const text = this.#rest === '' ? chunk : this.#rest + chunk
    const rows: RawRow[] = []
    let at = 0
    while (at < text.length) {
      const scan = scanRecord(text, at, this.#options, final)
      if (scan === 'more') {
        if (final) throw this.#cutOff('a quote that opens in this record is never closed')
        break
      }
      let next: number
      if (scan === 'malformed') {
        // The end of a malformed record is unknown; it is assumed to be the end of the line.
        const end = text.indexOf('\n', at)
        if (end === -1 && !final) break
        next = end === -1 ? text.length : end + 1
        rows.push({ line: this.#line, fault: 'has malformed quotes: a quote inside a quoted value must be doubled' })
      } else {
        next = scan.next
        const row = this.#record(scan.fields, text, at, next)
        if (row !== undefined) rows.push(row)
      }
      const lines = countLines(text, at, next)
      this.#line += lines
      this.#lineEnds += lines
      at = next
    }
    this.#rest = at === 0 ? text : text.slice(at)
    if (isLonger(this.#rest, this.#options.rowBytesMax * UNFINISHED_ROWS)) {
      throw unreadable(
        `line ${this.#line}: the record that starts here has no end within ${this.#options.rowBytesMax * UNFINISHED_ROWS} bytes: ` +
          'close its quotes, or give "quote": "" if quotes are plain text',
      )
    }
    return rows
  }

  end(): void {
    this.#table.end()
  }

  #record(fields: string[], text: string, from: number, next: number): RawRow | undefined {
    const columns = this.#table.columns
    if (columns > 0) {
      if (fields.length === 1 && fields[0]?.trim() === '') return undefined
      const { rowBytesMax, warn, onOpenEnd } = this.#options
      if (next - from > rowBytesMax / 3 && isLonger(text.slice(from, next), rowBytesMax))
        return { line: this.#line, fault: `is longer than ${rowBytesMax} bytes` }
      if (text.charCodeAt(next - 1) !== 10) {
        if (fields.length < columns)
          throw this.#cutOff(`its last row ends after ${fields.length} of ${columns} columns and without a line end`)
        if (this.#lineEnds > 1 && fields.at(-1) !== '' && !text.endsWith(this.#options.quote || '\n')) {
          onOpenEnd(this.#line)
          warn(
            `line ${this.#line}: the last line has no line end: if the file is cut off here, its last value ${JSON.stringify(fields.at(-1)?.slice(0, 60))} is cut as well`,
          )
        }
      }
    }
    return this.#table.row(this.#line, fields)
  }

  #cutOff(reason: string): Error {
    return unreadable(`line ${this.#line}: the file is cut off: ${reason}; fetch it again`)
  }
}
