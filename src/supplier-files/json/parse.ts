import { JSONParser, TokenType } from '@streamparser/json'
import { isLonger, UNFINISHED_ROWS, unreadable, type RawRow, type ReadLimits, type Row } from '../rows.ts'
import { isBlankBetween, objectEnd, parsedObject, unfinishedElementMax } from './scan.ts'

const COMMA = Buffer.from(',')
/** The parser gets this in place of an element that JSON.parse has read. */
const PLACEHOLDER = Buffer.from('null')
const NEXT_PLACEHOLDER = Buffer.from(',null')
/** How often per piece the parser is given the text up to the next brace, in the hope that its element ends there. */
const ATTEMPTS_MAX = 100

/**
 * Parses one JSON document into rows: the elements of its top-level list, or of the list at `items` (`data.products`).
 * `line` is the 1-based index of the element in that list. Elements are released once read, so memory use stays constant.
 * Yields the rows of one chunk at a time; an element that is not an object becomes a row with a fault.
 * @throws ShelfwireError `source-unreadable` for text that is not valid JSON, is cut off, or has no such list
 */
export async function* parseJson(
  text: AsyncIterable<string>,
  options: { items: string | undefined; limits: ReadLimits },
): AsyncGenerator<RawRow[]> {
  const reader = new JsonReader(options.items, options.limits)
  for await (const chunk of text) {
    const rows = reader.take(chunk)
    if (rows.length > 0) yield rows
  }
  const rows = reader.end()
  if (rows.length > 0) yield rows
}

/**
 * The streaming parser takes the document in pieces and finds the list. An element whose text is complete is parsed by JSON.parse, which takes
 * a third of the time, and the streaming parser gets `null` in its place, so that it still checks everything around the elements. It gets the
 * first element itself, and every element that is not a plain object within the limits.
 */
class JsonReader {
  readonly #parser: JSONParser
  readonly #items: string | undefined
  readonly #limits: ReadLimits
  #started = false
  #elements = 0
  #rows: RawRow[] = []
  /** Byte offsets: the end of the text given to the parser, its current token, and the start of its current element. */
  #given = 0
  #offset = 0
  #elementStart = 0
  #depth = 0
  /** Values of the current element, and members of the objects that are open. */
  #values = 0
  readonly #members: number[] = []
  readonly #listDepth: number
  #lastToken: TokenType | undefined
  /** The list is open, and at least one of its elements has been read. */
  #isInList = false
  /** The last text given to the parser was the placeholder of an element. */
  #isAtPlaceholder = false
  /** The element whose placeholder the parser is being given. */
  #parsed: Row | undefined
  /** Text kept until the end of its element arrives; the parser has not been given it. */
  #rest = ''
  /** How many bytes of the document the parser was not given, because placeholders are shorter than elements. */
  #omittedBytes = 0

  constructor(items: string | undefined, limits: ReadLimits) {
    this.#items = items
    this.#limits = limits
    this.#parser = new JSONParser({ paths: [items === undefined ? '$.*' : `$.${items}.*`], keepStack: false })
    this.#listDepth = items === undefined ? 1 : items.split('.').length + 1
    this.#parser.onToken = ({ token, value, offset }) => this.#token(token, value, offset)
    this.#parser.onValue = ({ value, parent }) => this.#element(value, parent)
  }

  take(piece: string): RawRow[] {
    this.#start(piece)
    this.#rows = []
    try {
      this.#read(this.#rest === '' ? piece : this.#rest + piece)
    } catch (error) {
      throw this.#broken(error)
    }
    const max = this.#limits.importRowBytesMax * UNFINISHED_ROWS
    if (!this.#parser.isEnded && this.#given - this.#elementStart > max) {
      throw unreadable(
        `${this.#after()}: no further element ends within ${max} bytes: the file is malformed, or not one list`,
      )
    }
    return this.#rows
  }

  #read(text: string): void {
    this.#rest = ''
    let at = 0
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
      at = this.#elementsFrom(text, at)
      if (at === text.length) return
      // this element is for the streaming parser; it may end at the next brace
      const brace = text.indexOf('}', at)
      if (brace === -1) break
      this.#give(Buffer.from(text.slice(at, brace + 1)))
      at = brace + 1
    }
    this.#give(Buffer.from(text.slice(at)))
  }

  /**
   * Reads elements for as long as JSON.parse can. @returns the index from which the parser has to continue; the length of the text if nothing
   * is left
   */
  #elementsFrom(text: string, start: number): number {
    let at = start
    while (this.#isInList && this.#depth === this.#listDepth) {
      const from = text.indexOf('{', at)
      const end = from === -1 ? -1 : objectEnd(text, from, this.#listDepth, this.#limits)
      if (end === -1 && text.length - at <= unfinishedElementMax(this.#limits)) {
        this.#rest = text.slice(at)
        return text.length
      }
      const comma = from === -1 ? -1 : text.lastIndexOf(',', from)
      if (end === -1 || end === null || comma < at || !isBlankBetween(text, comma + 1, from)) return at
      const element = text.slice(from, end)
      const value = isLonger(element, this.#limits.importRowBytesMax) ? undefined : parsedObject(element)
      if (value === undefined) return at
      const isNext = this.#isAtPlaceholder && isBlankBetween(text, at, comma)
      if (!isNext && !this.#isComma(text, at, comma)) return comma + 1
      this.#parsed = value
      this.#give(isNext ? NEXT_PLACEHOLDER : PLACEHOLDER)
      this.#parsed = undefined
      this.#isAtPlaceholder = true
      // the parser does not get the blanks around the comma, either
      this.#omittedBytes +=
        Buffer.byteLength(element) - PLACEHOLDER.length + (isNext ? from - at - 1 : from - comma - 1)
      at = end
    }
    return at
  }

  /**
   * Gives the parser the text up to and including a comma. @returns whether an element of the list follows; the comma may be inside a string
   */
  #isComma(text: string, from: number, comma: number): boolean {
    if (comma > from) this.#give(Buffer.from(text.slice(from, comma)))
    this.#lastToken = undefined
    this.#give(COMMA)
    return this.#lastToken === TokenType.COMMA && this.#isInList && this.#depth === this.#listDepth
  }

  #give(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#isAtPlaceholder = false
    this.#parser.write(bytes)
    this.#given += bytes.length
  }

  /** @returns the rows of the text that was kept */
  end(): RawRow[] {
    this.#rows = []
    try {
      this.#give(Buffer.from(this.#rest))
    } catch (error) {
      throw this.#broken(error)
    }
    if (!this.#parser.isEnded)
      throw unreadable(`${this.#after()}: the file is cut off before its list is closed; fetch it again`)
    if (this.#elements === 0 && this.#items !== undefined) {
      throw unreadable(
        `line 1: there is no list with elements at ${JSON.stringify(this.#items)}: check "items" in the mapping`,
      )
    }
    return this.#rows
  }

  #start(piece: string): void {
    if (this.#started) return
    const first = piece.trimStart()[0]
    if (first === undefined) return
    this.#started = true
    if (this.#items === undefined && first !== '[') {
      const hint =
        first === '{'
          ? 'name the list inside it with "items" in the mapping, or is the "format" "ndjson"?'
          : 'is it JSON?'
      throw unreadable(`line 1: the file does not start with a list: ${hint}`)
    }
  }

  #token(token: TokenType, value: unknown, offset: number): void {
    this.#offset = offset
    this.#lastToken = token
    const isWithin = this.#depth > this.#listDepth
    if (!isWithin) {
      this.#elementStart = offset
      this.#values = 0
    }
    const { importDepthMax, importRowValuesMax, importCellCharactersMax, importColumnsMax } = this.#limits
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      this.#members.push(0)
      if (++this.#depth > importDepthMax)
        throw unreadable(`${this.#after()}: values are nested more than ${importDepthMax} deep`)
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) {
      this.#members.pop()
      if (--this.#depth < this.#listDepth) this.#isInList = false
    } else if (token === TokenType.COLON) {
      const members = (this.#members.at(-1) ?? 0) + 1
      this.#members[this.#members.length - 1] = members
      if (members > importColumnsMax)
        throw unreadable(`${this.#after()}: an object has more than ${importColumnsMax} members`)
    } else if (token === TokenType.COMMA) {
      if (isWithin && ++this.#values > importRowValuesMax)
        throw unreadable(
          `${this.#after()}: the next element has more than ${importRowValuesMax} values: is the list another one?`,
        )
    } else if (typeof value === 'string' && value.length > importCellCharactersMax)
      throw unreadable(`${this.#after()}: a text is longer than ${importCellCharactersMax} characters`)
  }

  #element(value: unknown, parent: unknown): void {
    if (!Array.isArray(parent)) {
      throw unreadable(
        `line 1: the value at ${JSON.stringify(this.#items)} is not a list: check "items" in the mapping`,
      )
    }
    this.#elements++
    this.#isInList = true
    const line = this.#elements
    if (this.#parsed !== undefined) {
      this.#rows.push({ line, row: this.#parsed })
      return
    }
    const bytes = this.#offset + 1 - this.#elementStart
    this.#elementStart = this.#offset
    const { importRowBytesMax } = this.#limits
    if (bytes > importRowBytesMax) this.#rows.push({ line, fault: `is longer than ${importRowBytesMax} bytes` })
    else if (typeof value !== 'object' || value === null || Array.isArray(value))
      this.#rows.push({ line, fault: 'is not a JSON object' })
    else this.#rows.push({ line, row: value as Row })
  }

  #broken(error: unknown): Error {
    if (error instanceof Error && error.name === 'ShelfwireError') return error
    const message = error instanceof Error ? error.message : String(error)
    const placed = message.replace(
      /(absolute position ")(\d+)/,
      (_, before: string, at: string) => `${before}${Number(at) + this.#omittedBytes}`,
    )
    return unreadable(`${this.#after()}: not valid JSON: ${placed}`, error)
  }

  #after(): string {
    return this.#elements === 0 ? 'line 1' : `after element ${this.#elements}`
  }
}
