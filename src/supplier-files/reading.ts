import { unreachable } from '../platform/errors.ts'
import type { OfferRecord } from '../model/offer.ts'
import { parseBmecat } from './bmecat/parse.ts'
import { openContent } from './content.ts'
import { compileConvert, type Converter, type Refused } from './convert.ts'
import { dialectOf, inDialect } from './csv/dialect.ts'
import { parseCsv, type CsvOptions } from './csv/parse.ts'
import { contradiction, formatOfText } from './format.ts'
import { parseGoogleTable, parseGoogleXml } from './google/parse.ts'
import { groupRows } from './group.ts'
import { parseJson } from './json/parse.ts'
import type { Condition, Format, Mapping } from './mapping.ts'
import { parseNdjson } from './ndjson/parse.ts'
import { peekText } from './peek.ts'
import { possibleKeys } from './possible-keys.ts'
import { memberLookup, unreadable, type Lookup, type Row, type RawRow, type ReadLimits, type Warn } from './rows.ts'
import { readText } from './text.ts'
import { UsedColumns } from './used-columns.ts'
import { parseWorkbook } from './xlsx/parse.ts'
import { parseXml } from './xml/parse.ts'

/**
 * One row of a supplier's file. `line` is the 1-based physical line at which it starts; in a JSON document, the 1-based index
 * of the element. A refused row has its faults (`sku` if it could be read); a `skipped` row meets `condition` of the mapping's
 * `skip`, or is a part of another row (null).
 */
export type ReadRow =
  | { line: number; offer: OfferRecord }
  | ({ line: number } & Refused)
  | { line: number; skipped: true; condition: Condition | null; row: Row }

/** So much of a text is looked at to see what it is. */
const HEAD_CHARACTERS = 65_536

/** What makes a file as a whole doubtful, known at its end. */
export interface FileDoubts {
  /** Columns or paths that no row has, with the field for which the mapping names them. */
  missing: readonly { field: string; column: string }[]
  /** The line of the last row where it has no line end, so that its last value may be cut; null otherwise. */
  openEndLine: number | null
}

/** What was found out about a file. */
export interface FileForm {
  format: Format | undefined
  /** Where it is not UTF-8. */
  encoding: string | undefined
  columns: readonly string[] | undefined
  delimiter: string
}

/** The reading of one file: its rows, and the mapping compiled for its columns. */
export class Reading {
  readonly #mapping: Mapping
  readonly #limits: ReadLimits
  readonly #warn: Warn
  readonly #used = new UsedColumns()
  #lookup: Lookup = memberLookup
  #named: { columns: readonly string[] | undefined; names: readonly string[] } = { columns: undefined, names: [] }
  #converter: Converter | undefined
  #delimiter = ','
  #format: Format | undefined
  #encoding: string | undefined
  #openEndLine: number | null = null
  #offers = 0
  #priced = 0

  constructor(mapping: Mapping, limits: ReadLimits, warn: Warn) {
    this.#mapping = mapping
    this.#limits = limits
    this.#warn = warn
  }

  /** The format of the file, and the columns of a table; known once the first rows have been read. */
  get form(): FileForm {
    return { format: this.#format, encoding: this.#encoding, columns: this.#lookup.columns, delimiter: this.#delimiter }
  }

  /** A row as members of an object, whatever the format. */
  membersOf(row: Row): Readonly<Record<string, unknown>> {
    const { columns } = this.#lookup
    if (!Array.isArray(row)) return row as Readonly<Record<string, unknown>>
    const cells = row as readonly unknown[]
    if (columns !== this.#named.columns) this.#named = { columns, names: uniqueNames(columns ?? []) }
    const { names } = this.#named
    return Object.fromEntries(cells.map((cell, place) => [names[place] ?? String(place + 1), cell]))
  }

  async *rows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<RawRow[]> {
    const { group } = this.#mapping
    const rows = await this.#open(bytes)
    if (group === undefined) yield* rows
    else yield* groupRows(rows, this.#mapping, group, () => this.#lookup, this.#limits, this.#warn)
  }

  convert(raw: RawRow): ReadRow {
    const { line } = raw
    if ('part' in raw) return { line, skipped: true, condition: null, row: raw.row }
    const converter = this.#converter
    if ('fault' in raw || converter === undefined) {
      const reason = 'fault' in raw ? raw.fault : 'is before the header'
      const cells = 'fault' in raw ? raw.cells : undefined
      const columns = this.#lookup.columns?.length
      const about =
        cells === undefined || converter === undefined || columns === undefined
          ? null
          : possibleKeys(cells, columns, converter.aboutOf, this.#delimiter)
      return { line, sku: null, faults: [{ name: 'row', reason }], about }
    }
    const converted = converter.convert(raw.row)
    if ('offer' in converted) {
      this.#offers++
      if (typeof converted.offer.cost === 'string') this.#priced++
    }
    return 'skipped' in converted ? { line, ...converted, row: raw.row } : { line, ...converted }
  }

  doubts(): FileDoubts {
    return { missing: this.#used.missing(this.#mapping), openEndLine: this.#openEndLine }
  }

  /** What is odd about the rows that were read. */
  warnings(): string[] {
    const conflicts = this.#converter?.conflicts().map(({ text }) => text) ?? []
    const warnings = [...conflicts, ...this.#used.warnings(this.#mapping, this.#lookup.columns !== undefined)]
    const { cost } = this.#mapping.fields
    // a single column that is empty is named
    if (cost !== undefined && typeof cost !== 'string' && this.#offers > 0 && this.#priced === 0)
      warnings.push('no row has a cost: check "cost" in the mapping; --preview shows what the rows have')
    return warnings
  }

  /** Ends the reading. @throws ShelfwireError `source-unreadable` when most numbers were read by the wrong decimal sign */
  end(rows: number): void {
    const severe = this.#converter?.conflicts().find(({ isSevere }) => isSevere)
    if (severe !== undefined) throw unreadable(severe.text)
    if (rows > 0) for (const warning of this.warnings()) this.#warn(warning)
  }

  readonly #bind = (lookup: Lookup): void => {
    this.#lookup = lookup
    this.#converter = compileConvert(this.#mapping, this.#used.watched(lookup))
    // a column of the grouping that is not there is missed like one of the fields
    const { group } = this.#mapping
    for (const column of [group?.parent, ...(group?.inherit ?? []), ...(group?.collect ?? [])])
      if (column !== undefined) lookup(column, group?.optional?.includes(column))
  }

  async #open(bytes: AsyncIterable<Uint8Array>): Promise<AsyncGenerator<RawRow[]>> {
    const mapping = this.#mapping
    const content = await openContent(bytes, mapping.file, this.#limits)
    const { format } = mapping
    if (content.isWorkbook) {
      this.#format = 'xlsx'
      if (format !== undefined && format !== 'xlsx' && format !== 'csv' && format !== 'tsv')
        throw unreadable(`the file is a workbook (.xlsx), and not ${format}: give "format": "xlsx" in the mapping`)
      const table = { hasHeader: mapping.header !== false, columnsMax: this.#limits.importColumnsMax, bind: this.#bind }
      return parseWorkbook(
        content.bytes,
        { ...table, sheet: mapping.sheet, skipLines: mapping.skipLines ?? 0 },
        this.#limits,
      )
    }
    if (format === 'xlsx') {
      // what it is instead is said by the checks of texts
      for await (const text of readText(content.bytes, mapping.encoding, this.#limits.importFileBytesMax)) {
        throw unreadable(
          contradiction('xlsx', formatOfText(text)) ??
            'the file is not a workbook (.xlsx), but text: leave out "format" in the mapping',
        )
      }
    }
    const onEncoding = (encoding: string) => void (this.#encoding = encoding)
    const text = readText(content.bytes, mapping.encoding, this.#limits.importFileBytesMax, this.#warn, onEncoding)
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
    const rowBytesMax = this.#limits.importRowBytesMax
    switch (format) {
      case 'csv':
      case 'tsv':
      case 'xlsx':
        return this.#openTable(text, head, format === 'tsv' ? '\t' : undefined, (records, options) =>
          parseCsv(records, { ...options, hasHeader: mapping.header !== false, bind: this.#bind }),
        )
      case 'ndjson':
        this.#bind(memberLookup)
        return parseNdjson(text, { rowBytesMax })
      case 'json':
        this.#bind(memberLookup)
        return parseJson(text, { items: mapping.items, rowBytesMax })
      case 'xml':
        this.#bind(memberLookup)
        return parseXml(text, { items: mapping.items, rowBytesMax })
      case 'bmecat':
        this.#bind(memberLookup)
        return parseBmecat(text, this.#limits, this.#warn)
      case 'google':
        this.#bind(memberLookup)
        if (head.trimStart().startsWith('<')) return parseGoogleXml(text, rowBytesMax)
        return this.#openTable(text, head, undefined, parseGoogleTable)
      default:
        return unreachable(format)
    }
  }

  #openTable(
    text: AsyncIterable<string>,
    head: string,
    usual: string | undefined,
    parse: (text: AsyncIterable<string>, options: Omit<CsvOptions, 'bind' | 'hasHeader'>) => AsyncGenerator<RawRow[]>,
  ): AsyncGenerator<RawRow[]> {
    const quote = this.#mapping.quote ?? '"'
    const dialect = dialectOf(head, quote, this.#mapping.delimiter ?? usual, this.#mapping.skipLines ?? 0)
    const { delimiter, line } = dialect
    this.#delimiter = delimiter
    const { importRowBytesMax, importColumnsMax } = this.#limits
    return parse(inDialect(text, dialect), {
      delimiter,
      quote,
      line,
      rowBytesMax: importRowBytesMax,
      columnsMax: importColumnsMax,
      warn: this.#warn,
      onOpenEnd: (at) => void (this.#openEndLine = at),
    })
  }
}

/** Names of columns as a mapping says them: where two are called `Image`, they are `Image#1` and `Image#2`. */
function uniqueNames(columns: readonly string[]): string[] {
  const times = new Map<string, number>()
  const count = (name: string) => (times.set(name, (times.get(name) ?? 0) + 1), times.get(name) ?? 0)
  const numbers = columns.map(count)
  return columns.map((name, place) => ((times.get(name) ?? 0) > 1 ? `${name}#${numbers[place]}` : name))
}
