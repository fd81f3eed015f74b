import { ShelfwireError, unreachable, type Fault } from '../platform/errors.ts'
import type { OfferRecord } from '../model/offer.ts'
import { compileConvert, type Converted } from './convert.ts'
import { parseCsv } from './csv/parse.ts'
import { parseJson } from './json/parse.ts'
import { nearest } from './mapping-check.ts'
import type { Format, Mapping } from './mapping.ts'
import { parseNdjson } from './ndjson/parse.ts'
import { defaultLimits, unreadable, type Lookup, type RawRow, type ReadLimits, type Row } from './rows.ts'
import { readText } from './text.ts'

/**
 * One row of a supplier's file. `line` is the 1-based physical line at which it starts; in a JSON document, the 1-based index
 * of the element. A row with `faults` is refused (`sku` if it could be read); a `skipped` row matches the mapping's `skip`.
 */
export type ReadRow =
  | { line: number; offer: OfferRecord }
  | { line: number; sku: string | null; faults: Fault[] }
  | { line: number; skipped: true }

/**
 * Reads a supplier's file into pages of up to importPageRows rows, in file order. Memory use does not grow with the file.
 * @param mapping with its `format` set
 * @param limits for tests
 * @throws ShelfwireError `source-unreadable`, possibly after some pages, for a file that cannot be used as a whole: binary,
 *   cut off, not in its encoding, without the columns of the mapping, or over a limit; `invalid-input` without a format
 */
export async function* readOfferPages(
  bytes: AsyncIterable<Uint8Array>,
  mapping: Mapping,
  limits: ReadLimits = defaultLimits,
): AsyncGenerator<ReadRow[]> {
  const { format } = mapping
  if (format === undefined) {
    const reason = 'is required, because it is not clear from the name of the file'
    throw new ShelfwireError('invalid-input', `the mapping is invalid: format ${reason}`, {
      faults: [{ name: 'format', reason }],
    })
  }
  const text = readText(bytes, mapping.encoding ?? 'utf-8', limits.importFileBytesMax)
  let convert: ((row: Row) => Converted) | undefined
  const chunks = openRows(text, format, mapping, limits, (lookup) => {
    convert = compileConvert(mapping, lookup)
  })
  let page: ReadRow[] = []
  let count = 0
  for await (const rows of chunks) {
    for (const raw of rows) {
      count++
      if (count > limits.importRowsMax)
        throw unreadable(`line ${raw.line}: the file has more than ${limits.importRowsMax} rows: split it`)
      page.push(toReadRow(raw, convert))
      if (page.length >= limits.importPageRows) {
        yield page
        page = []
      }
    }
  }
  if (page.length > 0) yield page
}

function toReadRow(raw: RawRow, convert: ((row: Row) => Converted) | undefined): ReadRow {
  const { line } = raw
  if ('fault' in raw || convert === undefined) {
    return {
      line,
      sku: null,
      faults: [{ name: 'row', reason: 'fault' in raw ? raw.fault : 'is before the header' }],
    }
  }
  const converted = convert(raw.row)
  if ('offer' in converted) return { line, offer: converted.offer }
  if ('skipped' in converted) return { line, skipped: true }
  return { line, sku: converted.sku, faults: converted.faults }
}

function openRows(
  text: AsyncIterable<string>,
  format: Format,
  mapping: Mapping,
  limits: ReadLimits,
  bind: (lookup: Lookup) => void,
): AsyncGenerator<RawRow[]> {
  const rowBytesMax = limits.importRowBytesMax
  switch (format) {
    case 'csv':
    case 'tsv': {
      const delimiter = mapping.delimiter ?? (format === 'tsv' ? '\t' : ',')
      const onHeader = (columns: readonly string[]) => bindColumns(columns, delimiter, bind)
      return parseCsv(text, { delimiter, quote: mapping.quote ?? '"', rowBytesMax, onHeader })
    }
    case 'ndjson':
      bind(memberLookup)
      return parseNdjson(text, { rowBytesMax })
    case 'json':
      bind(memberLookup)
      return parseJson(text, { items: mapping.items, rowBytesMax })
    default:
      return unreachable(format)
  }
}

/** Binds the mapping to a header. @throws ShelfwireError `source-unreadable` naming all missing columns */
function bindColumns(columns: readonly string[], delimiter: string, bind: (lookup: Lookup) => void): void {
  const places = new Map(columns.map((name, i) => [name, i]))
  const missing = new Set<string>()
  bind((column) => {
    const place = places.get(column)
    if (place === undefined) {
      missing.add(column)
      return () => undefined
    }
    return (row) => (row as readonly string[])[place]
  })
  if (missing.size === 0) return
  const list = Array.from(missing, (name) => {
    const near = nearest(name, columns)
    return JSON.stringify(name) + (near === undefined ? '' : ` (did you mean ${JSON.stringify(near)}?)`)
  }).join(', ')
  const hint = columns.length === 1 ? `; it has one column: is the delimiter ${JSON.stringify(delimiter)} right?` : ''
  throw unreadable(`line 1: the header lacks columns that the mapping names: ${list}${hint}`)
}

/** Follows a dotted path through a JSON object; a member whose name contains the dots takes precedence. */
const memberLookup: Lookup = (column) => {
  const path = column.split('.')
  return (row) => {
    if (path.length === 1 || Object.hasOwn(row, column)) return own(row, column)
    let value: unknown = row
    for (const name of path) value = own(value, name)
    return value
  }
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
