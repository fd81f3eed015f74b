import { JSONParser, TokenType } from '@streamparser/json'
import { UNFINISHED_ROWS, unreadable, type RawRow, type Row } from '../rows.ts'

/**
 * Parses one JSON document into rows: the elements of its top-level list, or of the list at `items` (`data.products`).
 * `line` is the 1-based index of the element in that list. Elements are released once read, so memory use stays constant.
 * Yields the rows of one chunk at a time; an element that is not an object becomes a row with a fault.
 * @throws ShelfwireError `source-unreadable` for text that is not valid JSON, is cut off, or has no such list
 */
export async function* parseJson(
  text: AsyncIterable<string>,
  options: { items: string | undefined; rowBytesMax: number },
): AsyncGenerator<RawRow[]> {
  const reader = new JsonReader(options.items, options.rowBytesMax)
  for await (const chunk of text) {
    const rows = reader.take(chunk)
    if (rows.length > 0) yield rows
  }
  reader.end()
}

class JsonReader {
  readonly #parser: JSONParser
  readonly #items: string | undefined
  readonly #rowBytesMax: number
  #started = false
  #elements = 0
  #rows: RawRow[] = []
  /** Byte offsets: the end of the text given to the parser, its current token, and the start of its current element. */
  #given = 0
  #offset = 0
  #elementStart = 0
  #depth = 0
  readonly #listDepth: number

  constructor(items: string | undefined, rowBytesMax: number) {
    this.#items = items
    this.#rowBytesMax = rowBytesMax
    this.#parser = new JSONParser({ paths: [items === undefined ? '$.*' : `$.${items}.*`], keepStack: false })
    this.#listDepth = items === undefined ? 1 : items.split('.').length + 1
    this.#parser.onToken = ({ token, offset }) => this.#token(token, offset)
    this.#parser.onValue = ({ value, parent }) => this.#element(value, parent)
  }

  take(piece: string): RawRow[] {
    this.#start(piece)
    this.#rows = []
    try {
      this.#parser.write(piece)
    } catch (error) {
      throw this.#broken(error)
    }
    this.#given += Buffer.byteLength(piece)
    const max = this.#rowBytesMax * UNFINISHED_ROWS
    if (!this.#parser.isEnded && this.#given - this.#elementStart > max) {
      throw unreadable(
        `${this.#after()}: no further element ends within ${max} bytes: the file is malformed, or not one list`,
      )
    }
    return this.#rows
  }

  end(): void {
    if (!this.#parser.isEnded)
      throw unreadable(`${this.#after()}: the file is cut off before its list is closed; fetch it again`)
    if (this.#elements === 0 && this.#items !== undefined) {
      throw unreadable(
        `line 1: there is no list with elements at ${JSON.stringify(this.#items)}: check "items" in the mapping`,
      )
    }
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

  #token(token: TokenType, offset: number): void {
    this.#offset = offset
    if (this.#depth <= this.#listDepth) this.#elementStart = offset
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.#depth++
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#depth--
  }

  #element(value: unknown, parent: unknown): void {
    if (!Array.isArray(parent)) {
      throw unreadable(
        `line 1: the value at ${JSON.stringify(this.#items)} is not a list: check "items" in the mapping`,
      )
    }
    this.#elements++
    const line = this.#elements
    const bytes = this.#offset + 1 - this.#elementStart
    this.#elementStart = this.#offset
    if (bytes > this.#rowBytesMax) this.#rows.push({ line, fault: `is longer than ${this.#rowBytesMax} bytes` })
    else if (typeof value !== 'object' || value === null || Array.isArray(value))
      this.#rows.push({ line, fault: 'is not a JSON object' })
    else this.#rows.push({ line, row: value as Row })
  }

  #broken(error: unknown): Error {
    if (error instanceof Error && error.name === 'ShelfwireError') return error
    return unreadable(
      `${this.#after()}: not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
      error,
    )
  }

  #after(): string {
    return this.#elements === 0 ? 'line 1' : `after element ${this.#elements}`
  }
}
