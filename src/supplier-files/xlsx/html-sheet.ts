import { HTML_ROOT } from '../html-root.ts'
import { unreadable, type ReadLimits } from '../rows.ts'
import { ENTITIES } from '../xml/entities.ts'
import { CollectedRows, COLUMNS_MAX, shownNumber } from './collected-rows.ts'
import { damaged } from './elements.ts'
import { showsNumber } from './number-shown.ts'
import { TakenColumns } from './taken-columns.ts'
import { must } from '../../platform/must.ts'

// Tables in HTML that programs save as `.xls`, because Excel opens them. docs/decisions/247-html-tables-saved-as-xls-are-read.md

const NAME = 'the HTML of the table'
const OF_EXCEL = /urn:schemas-microsoft-com:office|Excel\.Sheet|ms-excel|mso-number-format|mso-displayed-decimal/i
/** What a page of a server has, such as one to sign in or of an error, and no table that is to be opened by Excel. */
const OF_PAGE = /<(?:form|input|script|button|iframe|nav|svg|noscript|h1)\b|name\s*=\s*["']?viewport/i

/** Whether the first bytes of a file are those of such a table, and not of a page that a server sent in place of a file. */
export function isHtmlTable(head: Buffer): boolean {
  const text = head
    .toString('latin1')
    .replaceAll('\0', '')
    // a mark of the encoding, and not the names of the columns of a CSV
    .replace(/^[^<\w]{0,8}/, '')
  return HTML_ROOT.test(text) && !OF_PAGE.test(text) && (OF_EXCEL.test(text) || /<t(?:able|r)[\s>]/i.test(text))
}

/** What has no text that is shown: everything up to its end is passed over. */
const UNSHOWN = new Set(['style', 'script', 'xml', 'title'])
/** With more cells than these, rows are handed on before the rest of a piece is read: few signs can make thousands of cells that are empty. */
const CELLS_AT_ONCE = 50_000
/** A tag is no longer, with all of its attributes. */
const TAG_MAX = 65_536
/** Elements that end a line of a cell. */
const LINES = new Set(['br', 'p', 'div', 'li'])

const TAG = /^<(\/?)([a-z][\w:-]*)/i
const SPAN = { colspan: /\scolspan\s*=\s*["']?(\d{1,6})/i, rowspan: /\srowspan\s*=\s*["']?(\d{1,6})/i }
/** The number that a cell shows in another form. */
const NUMBER = /\sx:num\s*=\s*["']?(-?\d[\d.]{0,30}(?:e[+-]?\d{1,3})?)["'\s>]/i
const PICTURE = /\ssrc\s*=\s*["']?(https?:\/\/[^\s"'>]{1,2000})/i

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{1,9}));?/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ''
  })
}

/** Collects the rows of all tables of a document, one below the other; a table within a cell is text of it. */
export class HtmlRows extends CollectedRows {
  readonly #charactersMax: number
  #rest = ''
  /** So much of a tag that has not ended is looked at, and the sign around the attribute that is open. */
  #looked = 0
  #quote = ''
  /** The end of what is passed over. */
  #until: string | undefined
  /** How many tables are open, one in the other. */
  #tables = 0
  /** It began with `<html>`, and has not ended. */
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

  /** Reads a piece, in several steps where it has many cells: the rows are to be taken out at each. */
  *write(piece: string): Generator<void> {
    const text = this.#rest + piece
    let at = 0
    while (at < text.length) {
      if (this.#until !== undefined) {
        const end = indexOfEnd(text, this.#until, at)
        if (end === -1) {
          // the end may begin in this piece
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
      // whether it is a comment is seen by four signs
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

  /** @throws ShelfwireError `source-unreadable` where it was cut off, or has no table */
  close(): void {
    if (!this.#hasTable) throw unreadable('the HTML page has no table: check where it comes from')
    const isClosed = this.#tables === 0 && !this.#isDocument && this.#until === undefined && this.#rest === ''
    if (!isClosed) throw this.#cut()
  }

  /** What stands in a text and begins or ends a table makes rows part of the text, or leaves them outside: they are not passed over in silence. */
  #cut() {
    return damaged(
      `the HTML of the table is cut off, or a text has the beginning or the end of a table in it: behind row ${this.#row}`,
    )
  }

  /** The `>` of a tag, which may be in its attributes as well; -1 where it is not there yet. What was looked at is not looked at again. */
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
      // in a cell it is part of what was pasted there
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
    // zeros before a number are part of it
    const isNumber = number !== undefined && !/^0\d/.test(shown) && showsNumber(shown, Number(number))
    const value = isNumber ? shownNumber(number, undefined, false) : shown
    this.put(this.#column, value === '' ? decoded(this.#picture ?? '') : value)
    this.#column += this.#span - 1
  }
}

/** Where something ends that is passed over, behind it; -1 where it does not within the text. */
function indexOfEnd(text: string, end: string, from: number): number {
  if (end === '-->') {
    const at = text.indexOf(end, from)
    return at === -1 ? -1 : at + end.length
  }
  // names of elements may be in capitals
  for (let at = text.indexOf('</', from); at !== -1; at = text.indexOf('</', at + 2))
    if (text.slice(at, at + end.length).toLowerCase() === end) return at
  return -1
}

/** Reads the tables piece by piece: their rows are taken from `sheet` at each step. Only the row that is open is held in memory. */
export async function* readHtmlSheet(text: AsyncIterable<string>, sheet: HtmlRows): AsyncGenerator<void> {
  for await (const piece of text) {
    yield* sheet.write(piece)
    yield
  }
  sheet.close()
}
