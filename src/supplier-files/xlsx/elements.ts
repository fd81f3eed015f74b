import { SaxesParser } from 'saxes'
import { must } from '../../platform/must.ts'
import { UNFINISHED_ROWS, unreadable, type ReadLimits } from '../rows.ts'
import { localName } from '../xml/names.ts'

/** Handlers for the elements of a part. Names are without prefixes. */
export interface PartHandlers {
  opened(name: string, attributes: Readonly<Record<string, string>>): void
  /** @param text the element's own text, without that of its children */
  closed(name: string, text: string): void
  /** A piece of the text of the element that is open. */
  text?(part: string): void
  /** Called after each piece of the part. @returns whether the rest is not needed */
  read?(): boolean
}

/** Parses a part whose text arrives piece by piece, and calls the handlers for its elements. */
export class ElementReader {
  readonly #parser = new SaxesParser({ xmlns: false })
  readonly #name: string
  readonly #unfinishedMax: number
  #lastEvent = 0

  constructor(name: string, handlers: PartHandlers, limits: ReadLimits) {
    const { importDepthMax, importColumnsMax, importCellCharactersMax, importRowBytesMax } = limits
    this.#name = name
    this.#unfinishedMax = importRowBytesMax * UNFINISHED_ROWS
    const parser = this.#parser
    /** The texts so far of the elements around the current one. */
    const texts: string[] = []
    let text = ''
    let attributes = 0
    parser.on('attribute', () => {
      if (++attributes > importColumnsMax)
        throw damaged(`an element of ${name} has more than ${importColumnsMax} attributes`)
    })
    parser.on('error', (error) => {
      throw damaged(`${name} is not well-formed XML: ${error.message}`, error)
    })
    parser.on('opentag', ({ name: tag, attributes: given }) => {
      this.#lastEvent = parser.position
      attributes = 0
      if (texts.push(text) > importDepthMax) throw damaged(`${name} is nested more than ${importDepthMax} deep`)
      text = ''
      handlers.opened(localName(tag), given)
    })
    parser.on('closetag', ({ name: tag }) => {
      this.#lastEvent = parser.position
      const own = text
      text = must(texts.pop())
      handlers.closed(localName(tag), own)
    })
    const add = (part: string) => {
      this.#lastEvent = parser.position
      text += part
      if (text.length > importCellCharactersMax)
        throw damaged(`${name} has a text of more than ${importCellCharactersMax} characters`)
      handlers.text?.(part)
    }
    parser.on('text', add)
    parser.on('cdata', add)
  }

  /** @throws ShelfwireError `source-unreadable` for text that is not XML, or beyond the limits */
  write(text: string): void {
    this.#parser.write(text)
    if (this.#parser.position - this.#lastEvent > this.#unfinishedMax)
      throw damaged(`no element of ${this.#name} ends within ${this.#unfinishedMax} bytes`)
  }

  close(): void {
    this.#parser.close()
  }
}

/** The error for a workbook that cannot be read. */
export const damaged = (detail: string, cause?: unknown) =>
  unreadable(`the workbook is damaged: ${detail}; save it again, or fetch it again`, cause)
