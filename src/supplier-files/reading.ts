import { say } from '../../contract/remarks/remarks.ts'
import { unreachable, type Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { openYielding } from '../platform/turns/yielding.ts'
import { parseBmecat } from './bmecat/parse.ts'
import { parseCif } from './cif/parse.ts'
import { openContent } from './content.ts'
import { compileConvert, type Accepted, type Converter, type Refused } from './conversion/convert.ts'
import { dialectOf, inDialect } from './csv/dialect.ts'
import { parseCsv, type CsvOptions } from './csv/parse.ts'
import { eachRow } from './conversion/each-row.ts'
import { contradiction, formatOfText } from './format.ts'
import { parseGoogleTable, parseGoogleXml } from './google/parse.ts'
import { groupRows } from './conversion/group.ts'
import { parseJson } from './json/parse.ts'
import type { Condition, Format, Mapping } from './mapping/mapping.ts'
import { parseNdjson } from './ndjson/parse.ts'
import { peekText } from './peek.ts'
import { possibleKeys } from './possible-keys.ts'
import type { Remark } from './remarks.ts'
import { beginRow, TooMuchWork } from './row-work.ts'
import {
  memberLookup,
  articleSuffix,
  unreadable,
  type Lookup,
  type Row,
  type RawRow,
  type ReadLimits,
  type Warn,
} from './rows.ts'
import { uniqueNames } from './table/header.ts'
import { readText } from './text.ts'
import { TwiceEncodedTexts } from './conversion/twice-encoded.ts'
import { UsedColumns } from './conversion/used-columns.ts'
import { VariantColumns, variantRows } from './conversion/variant-rows.ts'
import type { DecodingMismatch, Utf8Evidence } from './utf8-evidence.ts'
import { parseHtmlTable, parseOldWorkbook, parseWorkbook } from './xlsx/parse.ts'
import { parseXml } from './xml/parse.ts'

/** A row that is an offer. `article` is the 1-based number of an article in a record that lists several. */
type AcceptedRow = { line: number; article?: number } & Accepted

/**
 * One row of a supplier's file. `line` is the 1-based physical line at which it starts; in a JSON document, the 1-based index of the
 * element. A refused row has its faults (`sku` if it could be read). A `skipped` row meets `condition` of the mapping's `skip`, was
 * added to another row (null), or is about no article (null, with the `remark`); `about` has the keys that such a row names
 * nevertheless.
 */
export type ReadRow =
  | AcceptedRow
  | ({ line: number } & Refused)
  | { line: number; skipped: true; condition: Condition | null; row: Row; remark?: Remark; about?: readonly string[] }

/** How many times as large as the packed workbook its texts are, roughly. */
const WORKBOOK_TIMES = 16
/** The same factor for a document in which each article repeats the texts of its record. */
const EACH_TIMES = 6

/** How many characters are examined to detect the format. */
const HEAD_CHARACTERS = 65_536

/** The first faults of a row and the number of the others: a row can have as many faults as its mapping has sources of values. */
function firstFaults(faults: readonly Fault[]): readonly Fault[] {
  const more = faults.length - LIMITS.importRowFaultsMax
  if (more <= 0) return faults
  return [...faults.slice(0, LIMITS.importRowFaultsMax), { name: 'row', reason: `has ${more} further faults` }]
}

/** What makes the file as a whole doubtful; complete when the file has been read. */
export interface FileDoubts {
  /** Columns or paths of the mapping that no row has, each with the field that it is for. */
  missing: readonly { field: string; column: string }[]
  /** The line of the last row if it has no line end, so that its last value may be cut off; null otherwise. */
  openEndLine: number | null
  /** The evidence that the file is UTF-8 although it was read in the encoding that the mapping or the file states; null otherwise. */
  misread: DecodingMismatch | null
}

/** The detected form of a file. */
export interface FileForm {
  format: Format | undefined
  /** As detected, or declared by the file; undefined for UTF-8, and if the mapping states the encoding. */
  encoding: string | undefined
  columns: readonly string[] | undefined
  delimiter: string
}

/** Reads one file: its rows, and the mapping compiled for its columns. */
export class Reading {
  readonly #mapping: Mapping
  readonly #limits: ReadLimits
  readonly #warn: Warn
  readonly #used = new UsedColumns()
  readonly #variants = new VariantColumns()
  #lookup: Lookup = memberLookup
  #named: { columns: readonly string[] | undefined; names: readonly string[] } = { columns: undefined, names: [] }
  #converter: Converter | undefined
  #delimiter = ','
  #format: Format | undefined
  #encoding: string | undefined
  #openEndLine: number | null = null
  #offers = 0
  #priced = 0
  #hasList = false
  #read = 0
  #evidence: Utf8Evidence | undefined
  readonly #twiceEncoded: TwiceEncodedTexts

  constructor(mapping: Mapping, limits: ReadLimits, warn: Warn) {
    this.#mapping = mapping
    this.#twiceEncoded = new TwiceEncodedTexts(mapping)
    this.#limits = limits
    this.#warn = warn
  }

  /** The form of the file; known once the first rows have been read. */
  get form(): FileForm {
    return { format: this.#format, encoding: this.#encoding, columns: this.#lookup.columns, delimiter: this.#delimiter }
  }

  /** How many bytes have been read, after unpacking; an estimate for workbooks and for documents with several articles per record. */
  get read(): number {
    return this.#read
  }

  /**
   * Takes over the form and the columns from another reading of the same file, whose rows this reading then converts by its own mapping.
   */
  continueFrom(other: Reading): void {
    this.#format = other.#format
    this.#encoding = other.#encoding
    this.#delimiter = other.#delimiter
    this.#bind(other.#lookup)
  }

  /** The columns of a table by the names that a mapping uses: repeated ones are numbered. */
  get names(): readonly string[] {
    const { columns } = this.#lookup
    if (columns !== this.#named.columns) this.#named = { columns, names: uniqueNames(columns ?? []) }
    return this.#named.names
  }

  /** A row as an object with members, whatever the format. */
  membersOf(row: Row): Readonly<Record<string, unknown>> {
    if (!Array.isArray(row)) return row as Readonly<Record<string, unknown>>
    const cells = row as readonly unknown[]
    const { names } = this
    return Object.fromEntries(cells.map((cell, place) => [names[place] ?? String(place + 1), cell]))
  }

  /** Whether a row is a footer, a repeated header or a note. */
  isRemark(row: Row): boolean {
    beginRow()
    const remark = Array.isArray(row) ? this.#converter?.remark(row as unknown[]) : undefined
    return remark !== undefined && remark !== null
  }

  /** The rows of the file, with the rows of one product brought together, a page at a time; convert() makes offers of them. */
  async *rows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<RawRow[]> {
    const { each, group } = this.#mapping
    const read = await this.#open(bytes)
    const opened = each === undefined ? read : eachRow(read, each, this.#limits, () => void (this.#hasList = true))
    const open = () => this.#lookup
    const rows =
      group === undefined
        ? opened
        : group.variants === undefined
          ? groupRows(opened, this.#mapping, group, open, this.#limits, this.#warn)
          : variantRows(opened, this.#mapping, group, this.#variants, open, this.#limits, this.#warn)
    const yielding = openYielding()
    for await (const page of rows) {
      yield page
      const pause = yielding()
      if (pause !== null) await pause
    }
  }

  /** Applies the mapping to a row. A row that needs too much work is refused. */
  convert(raw: RawRow): ReadRow {
    beginRow()
    try {
      return this.#converted(raw)
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error
      return { line: raw.line, sku: null, faults: [{ name: 'row', reason: error.message }], about: null }
    }
  }

  #converted(raw: RawRow): ReadRow {
    const { line } = raw
    if ('part' in raw) return { line, skipped: true, condition: null, row: raw.row }
    const converter = this.#converter
    if ('fault' in raw || converter === undefined) {
      const reason = 'fault' in raw ? raw.fault : 'is before the header'
      const cells = 'fault' in raw ? raw.cells : undefined
      const columns = this.#lookup.columns?.length
      const remark = cells === undefined ? undefined : converter?.remark(cells)
      if (cells !== undefined && remark !== undefined && remark !== null) return { line, ...remark, row: cells }
      const about =
        cells === undefined || converter === undefined || columns === undefined
          ? null
          : possibleKeys(cells, columns, converter.aboutOf, this.#delimiter)
      return { line, sku: null, faults: [{ name: 'row', reason }], about }
    }
    const converted = converter.convert(raw.row)
    if ('skipped' in converted) return { line, ...converted, row: raw.row }
    const { article } = raw
    if ('faults' in converted) {
      const { faults, ...refused } = converted
      const at = articleSuffix(article)
      return {
        line,
        ...refused,
        faults: firstFaults(faults).map(({ name, reason }) => ({ name, reason: reason + at })),
      }
    }
    const { offer, dropped, isQuantityEmpty } = converted
    this.#offers++
    if (typeof offer.cost === 'string') this.#priced++
    this.#twiceEncoded.take(line, offer)
    const row: { -readonly [K in keyof AcceptedRow]: AcceptedRow[K] } = { line, offer }
    if (article !== undefined) row.article = article
    if (dropped !== undefined) row.dropped = firstFaults(dropped)
    if (isQuantityEmpty !== undefined) row.isQuantityEmpty = isQuantityEmpty
    return row
  }

  doubts(): FileDoubts {
    return {
      missing: this.#used.missing(this.#mapping),
      openEndLine: this.#openEndLine,
      misread: this.#evidence?.misread() ?? null,
    }
  }

  /** Warnings about the rows read so far. */
  warnings(): string[] {
    const conflicts = this.#converter?.conflicts().map(({ text }) => text) ?? []
    const warnings = [...conflicts, ...this.#used.warnings(this.#mapping, this.#lookup.columns !== undefined)]
    // in a misread file, the encoding is the reason, and doubts() reports it
    if (this.doubts().misread === null) warnings.push(...this.#twiceEncoded.warnings())
    const { fields, each } = this.#mapping
    const { cost } = fields
    if (each !== undefined && !this.#hasList) warnings.push(say('list_missing', { list: each }))
    // of a single column, the warning about empty columns names it
    if (cost !== undefined && typeof cost !== 'string' && this.#offers > 0 && this.#priced === 0)
      warnings.push(say('no_row_has_cost', {}))
    return warnings
  }

  /**
   * Ends the reading and passes on its warnings. @throws ShelfwireError `source-unreadable` if most numbers were read by the wrong
   * decimal sign
   */
  end(rows: number): void {
    const severe = this.#converter?.conflicts().find(({ isSevere }) => isSevere)
    if (severe !== undefined) throw unreadable(severe.text)
    if (rows > 0) for (const warning of this.warnings()) this.#warn(warning)
  }

  readonly #bind = (lookup: Lookup): void => {
    this.#lookup = lookup
    const { group } = this.#mapping
    const read = group?.variants === undefined ? lookup : this.#variants.beside(lookup)
    this.#converter = compileConvert(this.#mapping, this.#used.watched(read))
    // a missing column of the grouping is reported like one of the fields
    if (group?.variants !== undefined) lookup(group.variants.column, group.variants.optional)
    for (const column of [group?.parent, ...(group?.inherit ?? []), ...(group?.collect ?? [])])
      if (column !== undefined) lookup(column, group?.optional?.includes(column))
  }

  async *#counted(bytes: AsyncIterable<Uint8Array>, times: number): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#read += times * chunk.byteLength
      yield chunk
    }
  }

  async #open(bytes: AsyncIterable<Uint8Array>): Promise<AsyncGenerator<RawRow[]>> {
    const mapping = this.#mapping
    const opened = await openContent(bytes, mapping.file, this.#limits)
    const isPacked = opened.isWorkbook && !opened.isOldWorkbook && !opened.isHtmlTable
    const times = (isPacked ? WORKBOOK_TIMES : 1) * (mapping.each === undefined ? 1 : EACH_TIMES)
    const content = { ...opened, bytes: this.#counted(opened.bytes, times) }
    const { format } = mapping
    const onEvidence = (evidence: Utf8Evidence) => void (this.#evidence = evidence)
    // read as a document, an old workbook has its rows at "Workbook.Worksheet.Table.Row"
    const isDocument = content.isOldWorkbook && (format === 'xml' || mapping.items !== undefined)
    // a page of a server is refused as HTML where the mapping says that the file is a text
    const isPage = content.isHtmlTable && format !== undefined && format !== 'xlsx'
    if (content.isWorkbook && !isDocument && !isPage) {
      this.#format = 'xlsx'
      if (format !== undefined && format !== 'xlsx' && format !== 'csv' && format !== 'tsv')
        throw unreadable(`the file is a workbook (.xlsx), and not ${format}: give "format": "xlsx" in the mapping`)
      const table = {
        hasHeader: mapping.header !== false,
        headerLines: mapping.headerLines,
        table: mapping.table,
        columnsMax: this.#limits.importColumnsMax,
        bind: this.#bind,
      }
      const options = { ...table, sheet: mapping.sheet, skipLines: mapping.skipLines ?? 0 }
      if (!content.isOldWorkbook && !content.isHtmlTable) return parseWorkbook(content.bytes, options, this.#limits)
      const { importFileBytesMax } = this.#limits
      const text = readText(content.bytes, mapping.encoding, importFileBytesMax, this.#warn, undefined, onEvidence)
      return content.isHtmlTable
        ? parseHtmlTable(text, options, this.#limits)
        : parseOldWorkbook(text, options, this.#limits)
    }
    if (format === 'xlsx') {
      // the checks of texts say which format it is instead
      for await (const text of readText(content.bytes, mapping.encoding, this.#limits.importFileBytesMax)) {
        throw unreadable(
          contradiction('xlsx', formatOfText(text)) ??
            'the file is not a workbook (.xlsx), but text: leave out "format" in the mapping',
        )
      }
    }
    const onEncoding = (encoding: string) => void (this.#encoding = encoding)
    const max = this.#limits.importFileBytesMax
    const text = readText(content.bytes, mapping.encoding, max, this.#warn, onEncoding, onEvidence)
    const { head, whole } = await peekText(text, HEAD_CHARACTERS)
    const kind = formatOfText(head)
    const contradicted = contradiction(format ?? 'csv', kind)
    if (contradicted !== undefined && (format !== undefined || kind === 'html'))
      throw unreadable(`line 1: ${contradicted}`)
    return this.#openText(whole, format ?? (kind === 'html' ? 'csv' : kind), head)
  }

  #openText(text: AsyncIterable<string>, format: Format, head: string): AsyncGenerator<RawRow[]> {
    this.#format = format
    const mapping = this.#mapping
    const limits = this.#limits
    switch (format) {
      case 'csv':
      case 'tsv':
      case 'xlsx':
        return this.#openTable(text, head, format === 'tsv' ? '\t' : undefined, (records, options) =>
          parseCsv(records, {
            ...options,
            hasHeader: mapping.header !== false,
            headerLines: mapping.headerLines,
            hasShortRows: mapping.shortRows,
            table: mapping.table,
            bind: this.#bind,
          }),
        )
      case 'ndjson':
        this.#bind(memberLookup)
        return parseNdjson(text, limits)
      case 'json':
        this.#bind(memberLookup)
        return parseJson(text, { items: mapping.items, limits })
      case 'xml':
        this.#bind(memberLookup)
        return parseXml(text, { items: mapping.items, categories: mapping.categories, limits })
      case 'bmecat':
        this.#bind(memberLookup)
        return parseBmecat(text, limits, this.#warn)
      case 'cif':
        this.#bind(memberLookup)
        return parseCif(text, limits, this.#warn)
      case 'google':
        this.#bind(memberLookup)
        if (head.trimStart().startsWith('<')) return parseGoogleXml(text, limits)
        return this.#openTable(text, head, undefined, parseGoogleTable)
      default:
        return unreachable(format)
    }
  }

  #openTable(
    text: AsyncIterable<string>,
    head: string,
    usual: string | undefined,
    parse: (
      text: AsyncIterable<string>,
      options: Omit<CsvOptions, 'bind' | 'hasHeader' | 'headerLines' | 'hasShortRows' | 'table'>,
    ) => AsyncGenerator<RawRow[]>,
  ): AsyncGenerator<RawRow[]> {
    const quote = this.#mapping.quote ?? '"'
    const dialect = dialectOf(head, quote, this.#mapping.delimiter ?? usual, this.#mapping.skipLines ?? 0)
    const { delimiter, line } = dialect
    this.#delimiter = delimiter
    const { importRowBytesMax, importColumnsMax, importCellCharactersMax } = this.#limits
    return parse(inDialect(text, dialect), {
      delimiter,
      quote,
      line,
      rowBytesMax: importRowBytesMax,
      cellCharactersMax: importCellCharactersMax,
      columnsMax: importColumnsMax,
      warn: this.#warn,
      onOpenEnd: (at) => void (this.#openEndLine = at),
    })
  }
}
