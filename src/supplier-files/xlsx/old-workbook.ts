import { ShelfwireError } from '../../platform/errors.ts'
import { unreadable, type ReadLimits } from '../rows.ts'
import { CollectedRows, shownNumber } from './collected-rows.ts'
import { damaged, ElementReader, type PartHandlers } from './elements.ts'
import { formatOfCode, type NumberFormat } from './number-format.ts'

// Reads workbooks in the XML format of Excel 2003, which older systems export, mostly as `.xls` or `.xml`: one document with all
// sheets. docs/decisions/243-workbooks-of-excel-2003-are-read.md says why.

const ROOT = /^(?:<[?!][^>]*>|\s)*<(?:[\w.-]+:)?Workbook\s[^>]*urn:schemas-microsoft-com:office:spreadsheet/
const NAME = 'the XML of the workbook'

/** Whether the first bytes of a file are those of such a workbook, whatever its encoding. */
export const isOldWorkbook = (head: Buffer): boolean =>
  ROOT.test(
    head
      .toString('latin1')
      .replaceAll('\0', '')
      .replace(/^[^<]{0,8}/, ''),
  )

/** The value of an attribute, whatever the prefix of its name. */
function attribute(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  const usual = attributes[`ss:${name}`]
  if (usual !== undefined) return usual
  for (const key in attributes) if (key === name || key.endsWith(`:${name}`)) return attributes[key]
  return undefined
}

/** A position or a number of positions; 0 if the text is not a positive whole number. */
function count(text: string | undefined): number {
  const number = Number(text ?? 0)
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}

/** Collects the rows of one sheet. The document leaves out empty cells and rows; the next one then states its position. */
export class OldSheetRows extends CollectedRows implements PartHandlers {
  readonly #wanted: string | undefined
  readonly #entriesMax: number
  readonly #charactersMax: number
  readonly #formats = new Map<string, NumberFormat>()
  /** The names of the sheets so far. */
  readonly names: string[] = []
  #style = ''
  /** Whether the sheet has not been found yet, is being read, or has been read. */
  #state: 'before' | 'in' | 'after' = 'before'
  #column = 0
  #next = 1
  #nextLine = 1
  #cellStyle = ''
  #type = ''
  #value = ''
  #isComment = false
  #isData = false

  /** @param wanted the name of the sheet; default: the first */
  constructor(wanted: string | undefined, limits: ReadLimits) {
    super(limits)
    this.#wanted = wanted
    this.#entriesMax = limits.importWorkbookEntriesMax
    this.#charactersMax = limits.importRowBytesMax
  }

  /** Whether the wanted sheet was found. */
  get isFound(): boolean {
    return this.#state !== 'before'
  }

  opened(tag: string, attributes: Readonly<Record<string, string>>): void {
    if (tag === 'Style') this.#style = attribute(attributes, 'ID') ?? ''
    else if (tag === 'NumberFormat') this.#format(attribute(attributes, 'Format') ?? '')
    else if (tag === 'Worksheet') this.#sheet(attribute(attributes, 'Name') ?? '')
    if (this.#state !== 'in') return
    if (tag === 'Row') {
      this.begin(count(attribute(attributes, 'Index')) || this.#nextLine)
      // a row with Span stands for several empty rows of the same format
      this.#nextLine = this.line + 1 + count(attribute(attributes, 'Span'))
      this.#next = 1
    } else if (tag === 'Cell') {
      this.#column = count(attribute(attributes, 'Index')) || this.#next
      this.#next = this.#column + 1 + count(attribute(attributes, 'MergeAcross'))
      this.#cellStyle = attribute(attributes, 'StyleID') ?? ''
      this.#value = ''
      this.#type = 'String'
    } else if (tag === 'Comment') this.#isComment = true
    else if (tag === 'Data' && !this.#isComment) {
      this.#type = attribute(attributes, 'Type') ?? 'String'
      this.#isData = true
    }
  }

  text(part: string): void {
    // differently formatted pieces of a text are separate elements, each with a limit of its own; this limits the sum
    if (this.#isData && this.#value.length <= this.#charactersMax) this.#value += part
  }

  closed(tag: string): void {
    if (tag === 'Worksheet' && this.#state === 'in') this.#state = 'after'
    if (this.#state !== 'in') return
    if (tag === 'Comment') this.#isComment = false
    else if (tag === 'Data') this.#isData = false
    else if (tag === 'Cell') this.put(this.#column, this.#cell())
    else if (tag === 'Row') this.finish()
  }

  read(): boolean {
    return this.#state === 'after'
  }

  #sheet(name: string): void {
    if (this.names.push(name) > this.#entriesMax)
      throw unreadable(`the workbook has more than ${this.#entriesMax} sheets: save the sheet as CSV`)
    if (this.#state === 'before' && (this.#wanted === undefined || this.#wanted === name)) this.#state = 'in'
  }

  #format(code: string): void {
    const format = formatOfCode(0, code)
    if (format === undefined || format === 'date') return
    if (this.#formats.size >= this.#entriesMax)
      throw unreadable(`the workbook has more than ${this.#entriesMax} formats: save the sheet as CSV`)
    this.#formats.set(this.#style, format)
  }

  #cell(): unknown {
    // some programs write line feeds around the text of an element
    const value = this.#value.trim()
    if (value === '') return ''
    if (this.#type === 'Number') return shownNumber(value, this.#formats.get(this.#cellStyle), false)
    if (this.#type === 'Boolean') return value === '1'
    if (this.#type === 'DateTime') return value.replace(/T00:00:00(?:\.0+)?Z?$/, '').replace(/\.0+$/, '')
    return value
  }
}

/**
 * Reads a sheet piece by piece. The rows have to be taken from `sheet` after each step; then only the current row is held in
 * memory.
 * @throws ShelfwireError `source-unreadable` for a document that is not XML, is cut off, or is beyond the limits
 */
export async function* readOldSheet(
  text: AsyncIterable<string>,
  sheet: OldSheetRows,
  limits: ReadLimits,
): AsyncGenerator<void> {
  const reader = new ElementReader(NAME, sheet, limits)
  let isFirst = true
  try {
    for await (const piece of text) {
      reader.write(isFirst ? piece.trimStart() : piece)
      isFirst = false
      yield
      if (sheet.read()) return
    }
    reader.close()
  } catch (error) {
    if (error instanceof ShelfwireError) throw error
    throw damaged(`${NAME} cannot be read: ${error instanceof Error ? error.message : String(error)}`, error)
  }
}

/** The names of the sheets, in their order; of a document that is cut off or damaged, those before that place. */
export async function oldSheetNames(text: AsyncIterable<string>, limits: ReadLimits): Promise<string[]> {
  // no sheet has this name, so all are read and none is collected
  const sheet = new OldSheetRows('\0', limits)
  try {
    for await (const _ of readOldSheet(text, sheet, limits));
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
  }
  return sheet.names
}
