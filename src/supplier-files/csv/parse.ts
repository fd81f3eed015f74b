import { say } from '../../../contract/remarks/remarks.ts'
import { isStatedSum } from '../remarks.ts'
import { TableReader, type TableOptions } from '../table/rows.ts'
import { countLines, isLonger, UNFINISHED_ROWS, unreadable, type RawRow, type Warn } from '../rows.ts'
import { scanRecord, type Signs } from './scan.ts'
import { must } from '../../platform/must.ts'

/** The form and the limits of a CSV file. */
export interface CsvOptions extends Omit<Signs, 'fieldsMax' | 'fieldLengthMax'>, Omit<TableOptions, 'delimiter'> {
  rowBytesMax: number
  cellCharactersMax: number
  /** The line number of the beginning of the text. */
  line: number
  warn: Warn
  /** Called with the line of the last record if it has no line end, so that its last value may be cut off. */
  onOpenEnd: (line: number) => void
}

/**
 * Parses CSV or TSV text into rows with the cells in the order of the header. Lines end in LF or CRLF; blank lines are skipped.
 * `line` is the physical line at which a record starts; line feeds inside quotes count. Yields the rows of one chunk at a time.
 * @throws ShelfwireError `source-unreadable` for a file that is cut off, or without a header that has the columns of the
 * mapping
 */
export async function* parseCsv(text: AsyncIterable<string>, options: CsvOptions): AsyncGenerator<RawRow[]> {
  const reader = new CsvReader(options)
  for await (const chunk of text) {
    reader.add(chunk)
    yield* reader.rows(false)
  }
  yield* reader.rows(true)
  reader.end()
}

/** The character with which DOS programs end a file. */
const DOS_END = '\u001a'
/** How many rows are yielded at a time, so that other work gets its turn. */
const ROWS_AT_ONCE = 100

class CsvReader {
  readonly #options: CsvOptions & Signs
  readonly #table: TableReader
  #rest = ''
  /**
   * The rest is scanned again only when it has this many characters: scanning it with each chunk would take quadratic time for
   * a record without an end.
   */
  #enough = 0
  #line: number
  #lineEnds = 0
  /** The fewest cells of a record so far, counted only if records may lack cells at their end. */
  #shortest = Infinity

  constructor(options: CsvOptions) {
    this.#options = { ...options, fieldsMax: options.columnsMax, fieldLengthMax: options.cellCharactersMax }
    this.#table = new TableReader(options)
    this.#line = options.line
  }

  add(chunk: string): void {
    this.#rest += chunk
  }

  /** The rows that are complete, a few at a time. */
  *rows(final: boolean): Generator<RawRow[]> {
    if (this.#rest.length < this.#enough && !final) return
    const text = this.#rest
    let rows: RawRow[] = []
    let at = 0
    while (at < text.length) {
      if (text.charCodeAt(at) === 10) {
        // blank lines are skipped here, because a file may have millions of them
        this.#line++
        this.#lineEnds++
        at++
        continue
      }
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
        if (this.#table.hasBeside) rows.push(...this.#table.takeBeside())
      }
      const lines = countLines(text, at, next)
      this.#line += lines
      this.#lineEnds += lines
      at = next
      if (rows.length >= ROWS_AT_ONCE) {
        yield rows
        rows = []
      }
    }
    this.#rest = at === 0 ? text : text.slice(at)
    this.#enough = at === 0 ? 2 * text.length : 0
    if (isLonger(this.#rest, this.#options.rowBytesMax * UNFINISHED_ROWS)) {
      throw unreadable(
        `line ${this.#line}: the record that starts here has no end within ${this.#options.rowBytesMax * UNFINISHED_ROWS} bytes: ` +
          'close its quotes, or give "quote": "" if quotes are plain text',
      )
    }
    if (rows.length > 0) yield rows
  }

  end(): void {
    this.#table.end()
  }

  #record(fields: string[], text: string, from: number, next: number): RawRow | undefined {
    const columns = this.#table.columns
    if (columns > 0) {
      // a blank line, or the character with which DOS programs end a file
      if (fields.length === 1 && must(fields[0]).replaceAll(DOS_END, '').trim() === '') return undefined
      const { rowBytesMax, cellCharactersMax, columnsMax, warn, onOpenEnd } = this.#options
      if (next - from > rowBytesMax / 3 && isLonger(text.slice(from, next), rowBytesMax))
        return { line: this.#line, fault: `is longer than ${rowBytesMax} bytes` }
      if (fields.length > columnsMax) return { line: this.#line, fault: `has more than ${columnsMax} columns` }
      const long = next - from > cellCharactersMax ? fields.findIndex((text) => text.length > cellCharactersMax) : -1
      if (long !== -1)
        return { line: this.#line, fault: `has more than ${cellCharactersMax} characters in column ${long + 1}` }
      if (text.charCodeAt(next - 1) !== 10) {
        const isShort = fields.length < columns && !isStatedSum(fields)
        // a footer that states its number follows all articles; where records may lack cells, the last one that is written is
        // not empty
        if (isShort && (fields.length < Math.min(this.#shortest, columns) || fields.at(-1) === ''))
          throw this.#cutOff(`its last row ends after ${fields.length} of ${columns} columns and without a line end`)
        const isClosed = fields.at(-1) === '' || text.endsWith(this.#options.quote || '\n')
        if (isShort) {
          onOpenEnd(this.#line)
          warn(say('open_end', { line: this.#line, cells: fields.length, columns }))
        } else if (this.#lineEnds > 1 && !isClosed) {
          onOpenEnd(this.#line)
          warn(say('open_end_of_value', { line: this.#line, value: fields.at(-1)?.slice(0, 60) ?? '' }))
        }
      } else if (this.#options.hasShortRows === true) this.#shortest = Math.min(this.#shortest, fields.length)
    }
    return this.#table.row(this.#line, fields)
  }

  #cutOff(reason: string): Error {
    return unreadable(`line ${this.#line}: the file is cut off: ${reason}; fetch it again`)
  }
}
