import { parseCsv, type CsvOptions } from '../csv/parse.ts'
import { unreadable, type RawRow, type ReadLimits } from '../rows.ts'
import { parseRecords, rowOf, type ElementPath } from '../xml/parse.ts'
import { elementText, localName, memberOf } from '../xml/names.ts'

/**
 * Parses a Google Merchant feed in XML, RSS 2.0 or Atom, into rows. Fields are named without the prefix `g:`; a repeated field
 * is a list.
 * @throws ShelfwireError `source-unreadable` for XML that is not well-formed, cut off, or no feed
 */
export async function* parseGoogleXml(text: AsyncIterable<string>, limits: ReadLimits): AsyncGenerator<RawRow[]> {
  let count = 0
  for await (const records of parseRecords(text, isItem, limits, true)) {
    count += records.length
    yield records.map((record) => {
      const raw = rowOf(record, limits.importRowBytesMax)
      if ('row' in raw) withLink(raw.row as Record<string, unknown>)
      return raw
    })
  }
  if (count === 0)
    throw unreadable('line 1: the feed has no products: <item> in <channel>, or <entry> in <feed>, is expected')
}

function isItem(path: ElementPath): boolean {
  const last = path.at(-1)
  if (path.length === 2) return last === 'entry' || (last === 'item' && path[0] !== 'channel')
  return path.length === 3 && last === 'item'
}

/** Atom has a product's address in the attribute `href` of its link. */
function withLink(item: Record<string, unknown>): void {
  const link = item['link']
  if (elementText(link) === '' && memberOf(link, '@href') !== undefined) item['link'] = memberOf(link, '@href')
}

/**
 * Parses a Google Merchant feed as a table. Its column names vary (`Image Link`, `g:image_link`) and become `image_link`.
 * @throws ShelfwireError `source-unreadable` as parseCsv does, and for a table without a column `id`
 */
export async function* parseGoogleTable(
  text: AsyncIterable<string>,
  options: Omit<CsvOptions, 'bind' | 'hasHeader'>,
): AsyncGenerator<RawRow[]> {
  let names: string[] = []
  const bind: CsvOptions['bind'] = (lookup) => {
    const columns = lookup.columns ?? []
    names = columns.map(fieldName)
    // records before the header have no column `id`
    if (!names.includes('id')) lookup('id')
  }
  for await (const rows of parseCsv(text, { ...options, hasHeader: true, bind })) {
    yield rows.map((raw) =>
      'row' in raw ? { line: raw.line, row: rowOfCells(names, raw.row as readonly string[]) } : raw,
    )
  }
}

const fieldName = (column: string) => localName(column.trim().toLowerCase()).replaceAll(' ', '_')

function rowOfCells(names: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [place, name] of names.entries()) {
    const cell = cells[place] ?? ''
    if (name === 'product_detail' || name === 'product_details') row['product_detail'] = detailsOf(cell)
    else if (name === 'additional_image_link') row[name] = piecesOf(cell)
    else {
      const before = row[name]
      if (before === undefined || before === '') row[name] = cell
      else if (Array.isArray(before)) before.push(cell)
      else row[name] = [before, cell]
    }
  }
  return row
}

const piecesOf = (cell: string) => (cell === '' ? [] : cell.split(',').map((piece) => piece.trim()))

/** Splits `General:Type:Player, General:Resolution:432 x 240` into section, name and value of each detail. */
function detailsOf(cell: string): Record<string, string>[] {
  return piecesOf(cell).flatMap((piece) => {
    const parts = piece.replace(/^"|"$/g, '').split(':')
    if (parts.length < 2) return []
    const [section, name] = parts.length === 2 ? ['', parts[0]] : [parts[0], parts[1]]
    return [
      {
        section_name: section ?? '',
        attribute_name: name ?? '',
        attribute_value: parts.slice(parts.length === 2 ? 1 : 2).join(':'),
      },
    ]
  })
}
