import { countLines, isLonger, UNFINISHED_ROWS, unreadable, type RawRow } from '../rows.ts'
import { scanRecord, type Signs } from './scan.ts'

/** The form of a CSV file. `onHeader` is called once, before the first row, and may throw to refuse the file. */
export interface CsvOptions extends Signs {
  rowBytesMax: number
  onHeader: (columns: readonly string[]) => void
}

/**
 * Parses CSV or TSV text into rows with the cells in the order of the header. Lines end in LF or CRLF; blank lines are
 * skipped. `line` is the physical line at which a record starts; line feeds inside quotes count. Yields the rows of one chunk
 * at a time.
 * @throws ShelfwireError `source-unreadable` for a file without a header, with duplicate columns, or cut off
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
  #rest = ''
  #line = 1
  #columns = 0

  constructor(options: CsvOptions) {
    this.#options = options
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
      this.#line += countLines(text, at, next)
      at = next
    }
    this.#rest = at === 0 ? text : text.slice(at)
    if (isLonger(this.#rest, this.#options.rowBytesMax * UNFINISHED_ROWS)) {
      throw unreadable(
        `line ${this.#line}: the record that starts here has no end within ${this.#options.rowBytesMax * UNFINISHED_ROWS} bytes: ` +
          'close its quotes, or give "quote": "" if quotes are plain text; lines must end in LF or CRLF',
      )
    }
    return rows
  }

  end(): void {
    if (this.#columns === 0)
      throw unreadable('line 1: the file has no header row: the first line must name the columns')
  }

  #record(fields: string[], text: string, from: number, next: number): RawRow | undefined {
    if (fields.length === 1 && fields[0]?.trim() === '') return undefined
    if (this.#columns === 0) {
      this.#header(fields)
      return undefined
    }
    const line = this.#line
    if (next - from > this.#options.rowBytesMax / 3 && isLonger(text.slice(from, next), this.#options.rowBytesMax)) {
      return { line, fault: `is longer than ${this.#options.rowBytesMax} bytes` }
    }
    if (fields.length !== this.#columns) {
      const ended = text.charCodeAt(next - 1) === 10
      if (!ended && fields.length < this.#columns) {
        throw this.#cutOff(
          `its last row ends after ${fields.length} of ${this.#columns} columns and without a line end`,
        )
      }
      return { line, fault: `has ${fields.length} columns where the header has ${this.#columns}` }
    }
    return { line, row: fields }
  }

  #header(fields: string[]): void {
    const names = fields.map((name) => name.trim())
    const duplicates = names.filter((name, i) => name !== '' && names.indexOf(name) !== i)
    if (duplicates.length > 0) {
      const list = [...new Set(duplicates)].map((name) => JSON.stringify(name)).join(', ')
      throw unreadable(`line ${this.#line}: the header names ${list} more than once: column names must be unique`)
    }
    this.#columns = names.length
    this.#options.onHeader(names)
  }

  #cutOff(reason: string): Error {
    return unreadable(`line ${this.#line}: the file is cut off: ${reason}; fetch it again`)
  }
}
