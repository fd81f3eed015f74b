import { HTML_ROOT } from '../html-root.ts'
import { unreadable, type ReadLimits } from '../rows.ts'
import { characterWithCode, ENTITIES } from '../xml/entities.ts'
import { CollectedRows, COLUMNS_MAX, shownNumber } from './collected-rows.ts'
import { damaged } from './elements.ts'
import { showsNumber } from './number-shown.ts'
import { TakenColumns } from './taken-columns.ts'
import { must } from '../../platform/must.ts'

// Reads HTML tables that programs save as `.xls`, because Excel opens them. docs/decisions/247-html-tables-saved-as-xls-are-read.md says why.

const NAME = 'the HTML of the table'
const OF_EXCEL = /urn:schemas-microsoft-com:office|Excel\.Sheet|ms-excel|mso-number-format|mso-displayed-decimal/i
/** Marks of a web page, such as a sign-in or error page, that tables for Excel do not have. */
const OF_PAGE = /<(?:form|input|script|button|iframe|nav|svg|noscript|h1)\b|name\s*=\s*["']?viewport/i

/** Whether the first bytes of a file are those of a table saved for Excel, and not of a web page that a server sent instead of the file. */
export function isHtmlTable(head: Buffer): boolean {
  const text = head
    .toString('latin1')
    .replaceAll('\0', '')
    // skip a byte order mark, but not the column names of a CSV file
    .replace(/^[^<\w]{0,8}/, '')
  return HTML_ROOT.test(text) && !OF_PAGE.test(text) && (OF_EXCEL.test(text) || /<t(?:able|r)[\s>]/i.test(text))
}

/** Elements without visible text: everything up to their end is skipped. */
const UNSHOWN = new Set(['style', 'script', 'xml', 'title'])
/**
 * With more cells than this, rows are passed on before the rest of a piece is read, because a few characters can make thousands of empty cells.
 */
const CELLS_AT_ONCE = 50_000
/** The longest tag, attributes included, in characters. */
const TAG_MAX = 65_536
/** Elements that begin or end a line within a cell. */
const LINES = new Set(['br', 'p', 'div', 'li'])

const TAG = /^<(\/?)([a-z][\w:-]*)/i
const SPAN = { colspan: /\scolspan\s*=\s*["']?(\d{1,6})/i, rowspan: /\srowspan\s*=\s*["']?(\d{1,6})/i }
/** The attribute with the number that a cell shows formatted. */
const NUMBER = /\sx:num\s*=\s*["']?(-?\d[\d.]{0,30}(?:e[+-]?\d{1,3})?)["'\s>]/i
const PICTURE = /\ssrc\s*=\s*["']?(https?:\/\/[^\s"'>]{1,2000})/i

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{1,9}));?/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return characterWithCode(code) ?? ''
  })
}

/** Collects the rows of all tables of a document, one below the other. A table within a cell is part of the cell's text. */
export class HtmlRows extends CollectedRows {
  readonly #charactersMax: number
  #rest = ''
  /** How much of an incomplete tag has been scanned, and the quote around its current attribute value, or ''. */
  #looked = 0
  #quote = ''
  /** The text that ends the part that is being skipped; undefined if none is. */
  #until: string | undefined
  /** How many tables are open, nested in each other. */
  #tables = 0
  /** `<html>` has been read, and its end has not. */
  #isDocument = false
  #hasTable = false
  #row = 0
  #isInRow = false
  #column = 0
  #isInCell = false
  #span = 1
  #text = ''
  #number: string | undefined
  #picture: string | undefined
  readonly #taken: TakenColumns

  constructor(limits: ReadLimits) {
    super(limits)
    this.#charactersMax = limits.importCellCharactersMax
    this.#taken = new TakenColumns(limits.importColumnsMax)
  }

  /** Reads a piece. Yields within it if it has many cells, so that the rows can be taken. */
  *write(piece: string): Generator<void> {
    const text = this.#rest + piece
    let at = 0
    while (at < text.length) {
      if (this.#until !== undefined) {
        const end = indexOfEnd(text, this.#until, at)
        if (end === -1) {
          // the text that ends it may be split between this piece and the next
          at = Math.max(at, text.length - this.#until.length + 1)
          break
        }
        at = end
        this.#until = undefined
      }
      const open = text.indexOf('<', at)
      if (open === -1) {
        this.#add(text.slice(at))
        at = text.length
        break
      }
      this.#add(text.slice(at, open))
      at = open
      // four characters are needed to tell a comment from a tag
      if (text.length - at < 4 && '<!--'.startsWith(text.slice(at))) break
      if (text.startsWith('<!--', at)) {
        this.#until = '-->'
        at += 4
        continue
      }
      if (!/^<[/a-z!?]/i.test(text.slice(at, at + 2))) {
        this.#add('<')
        at += 1
        continue
      }
      const close = this.#endOfTag(text, at)
      if (close === -1) break
      this.#tag(text.slice(at, close + 1))
      at = close + 1
      if (this.cellsAtHand > CELLS_AT_ONCE) yield
    }
    this.#rest = text.slice(at)
    if (this.#rest.length > TAG_MAX) throw damaged(`${NAME} cannot be read: a tag has no end`)
  }

  /** @throws ShelfwireError `source-unreadable` if the document is cut off or has no table */
  close(): void {
    if (!this.#hasTable) throw unreadable('the HTML page has no table: check where it comes from')
    const isClosed = this.#tables === 0 && !this.#isDocument && this.#until === undefined && this.#rest === ''
    if (!isClosed) throw this.#cut()
  }

  /**
   * A tag in a text that begins or ends a table would turn rows into text, or leave them outside of the table. Such files are refused, because
   * rows would be lost without notice.
   */
  #cut() {
    return damaged(
      `the HTML of the table is cut off, or a text has the beginning or the end of a table in it: behind row ${this.#row}`,
    )
  }

  /** The index of the `>` that ends a tag, not one in its attributes; -1 if it has not arrived. What has been scanned is not scanned again. */
  #endOfTag(text: string, from: number): number {
    for (let at = from + Math.max(1, this.#looked); at < text.length; at++) {
      const sign = must(text[at])
      if (this.#quote !== '') {
        if (sign === this.#quote) this.#quote = ''
      } else if (sign === '>') {
        this.#looked = 0
        return at
      } else if ((sign === '"' || sign === "'") && text[at - 1] === '=') this.#quote = sign
    }
    this.#looked = text.length - from
    return -1
  }

  #add(text: string): void {
    if (!this.#isInCell) return
    this.#text += text.replace(/[\t\n\r\f ]+/g, ' ')
    if (this.#text.length > this.#charactersMax)
      throw damaged(`${NAME} has a text of more than ${this.#charactersMax} characters`)
  }

  #tag(tag: string): void {
    const [, slash, given = ''] = TAG.exec(tag) ?? []
    const name = given.toLowerCase()
    const isEnd = slash === '/'
    if (LINES.has(name) && this.#isInCell) this.#text += '\n'
    if (isEnd) this.#ended(name)
    else this.#opened(name, tag)
  }

  #opened(name: string, tag: string): void {
    if (UNSHOWN.has(name)) {
      if (!tag.endsWith('/>')) this.#until = `</${name}`
    } else if (name === 'table') {
      this.#hasTable = true
      if (this.#isInCell) this.#tables++
      else {
        this.#endRow()
        this.#tables = 1
        this.#taken.clear()
      }
    } else if (name === 'img' && this.#isInCell) this.#picture ??= PICTURE.exec(tag)?.[1]
    else if (name === 'html' && !this.#isInCell) this.#isDocument = true
    else if (name === 'tr' || name === 'td' || name === 'th') {
      if (this.#tables === 0 && this.#row > 0) throw this.#cut()
      if (this.#tables !== 1) return
      if (name === 'tr') this.#beginRow()
      else this.#beginCell(tag)
    }
  }

  #ended(name: string): void {
    if (name === 'body' || name === 'html') {
      // in a cell it belongs to a document that was pasted there
      if (this.#isInCell) return
      this.#endRow()
      this.#tables = 0
      this.#isDocument = false
    } else if (name === 'table' && this.#tables > 0) {
      if (this.#tables === 1) this.#endRow()
      this.#tables--
    } else if (this.#tables !== 1) return
    else if (name === 'tr') this.#endRow()
    else if (name === 'td' || name === 'th') this.#endCell()
  }

  #beginRow(): void {
    this.#endRow()
    this.#row++
    this.begin(this.#row)
    this.#isInRow = true
    this.#column = 0
  }

  #endRow(): void {
    this.#endCell()
    if (!this.#isInRow) return
    this.finish()
    this.#isInRow = false
  }

  #beginCell(tag: string): void {
    if (!this.#isInRow) this.#beginRow()
    this.#endCell()
    this.#column = this.#taken.free(this.#column + 1, this.#row)
    this.#span = Math.min(Math.max(Number(SPAN.colspan.exec(tag)?.[1] ?? 1), 1), COLUMNS_MAX)
    const rows = Number(SPAN.rowspan.exec(tag)?.[1] ?? 1)
    if (rows > 1) this.#taken.take(this.#column, this.#span, this.#row, rows)
    this.#isInCell = true
    this.#text = ''
    this.#number = NUMBER.exec(tag)?.[1]
    this.#picture = undefined
  }

  #endCell(): void {
    if (!this.#isInCell) return
    this.#isInCell = false
    const shown = decoded(this.#text.replace(/ {2,}/g, ' '))
      .replaceAll('\u00a0', ' ')
      .split('\n')
      .map((line) => line.trim())
      .join('\n')
      .trim()
    const number = this.#number
    // a text with leading zeros is kept as text
    const isNumber = number !== undefined && !/^0\d/.test(shown) && showsNumber(shown, Number(number))
    const value = isNumber ? shownNumber(number, undefined, false) : shown
    this.put(this.#column, value === '' ? decoded(this.#picture ?? '') : value)
    this.#column += this.#span - 1
  }
}

/** The index after the text that ends a skipped part; -1 if `text` does not contain it. */
function indexOfEnd(text: string, end: string, from: number): number {
  if (end === '-->') {
    const at = text.indexOf(end, from)
    return at === -1 ? -1 : at + end.length
  }
  // names of elements may be in upper case
  for (let at = text.indexOf('</', from); at !== -1; at = text.indexOf('</', at + 2))
    if (text.slice(at, at + end.length).toLowerCase() === end) return at
  return -1
}

/**
 * Reads the tables piece by piece. The rows have to be taken from `sheet` after each step; then only the current row is held in memory.
 * @throws ShelfwireError `source-unreadable` for a document that is cut off, beyond the limits, or without a table
 */
export async function* readHtmlSheet(text: AsyncIterable<string>, sheet: HtmlRows): AsyncGenerator<void> {
  for await (const piece of text) {
    yield* sheet.write(piece)
    yield
  }
  sheet.close()
}
