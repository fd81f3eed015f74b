import { say } from '../../../contract/remarks/remarks.ts'
import { parseCsv } from '../csv/parse.ts'
import { unreadable, type RawRow, type ReadLimits, type Warn } from '../rows.ts'

/** The beginning of every CIF catalog, whatever its version. */
export const CIF_START = /^CIF_I_V\d/i

/** No catalog has a longer head. */
const HEAD_CHARACTERS_MAX = 65_536
/** The columns of a catalog whose head has no FIELDNAMES. */
const USUAL = [
  'Supplier ID',
  'Supplier Part ID',
  'Manufacturer Part ID',
  'Item Description',
  'SPSC Code',
  'Unit Price',
  'Units of Measure',
  'Lead Time',
  'Manufacturer Name',
  'Supplier URL',
  'Manufacturer URL',
  'Market Price',
]
const END = '\nENDOFDATA'

interface Head {
  names: readonly string[]
  delimiter: ',' | '\t'
  currency: string | undefined
  isDelta: boolean
  /** The number of the line `DATA`. */
  line: number
}

/**
 * Parses a catalog in the Catalog Interchange Format (CIF 2.1 and 3.0): a head of lines such as `CURRENCY: USD`, in which `FIELDNAMES` lists the
 * columns, then records as in CSV between the lines `DATA` and `ENDOFDATA`. A row has its columns as members, and the head's currency if it has none
 * of its own.
 * @throws ShelfwireError `source-unreadable` for a text without these lines: it is in another format, or cut off
 */
export async function* parseCif(text: AsyncIterable<string>, limits: ReadLimits, warn: Warn): AsyncGenerator<RawRow[]> {
  const { head, rest } = await headOf(text)
  if (head.isDelta) warn(say('only_changes', {}))
  const pages = parseCsv(recordsOf(rest), {
    delimiter: head.delimiter,
    quote: '"',
    // the first character of the records is the end of the line before them
    line: head.line,
    hasHeader: false,
    bind: () => {},
    rowBytesMax: limits.importRowBytesMax,
    cellCharactersMax: limits.importCellCharactersMax,
    columnsMax: limits.importColumnsMax,
    warn,
    onOpenEnd: () => {},
  })
  for await (const page of pages)
    yield page.map((raw) =>
      'row' in raw ? { line: raw.line, row: membersOf(raw.row as readonly unknown[], head) } : raw,
    )
}

function membersOf(cells: readonly unknown[], { names, currency }: Head): Record<string, unknown> {
  const row = Object.fromEntries(cells.map((cell, place) => [names[place] ?? `#${place + 1}`, cell]))
  if (currency !== undefined && (row['Currency'] ?? '') === '') row['Currency'] = currency
  return row
}

/** Reads the head; `rest` is the text after the line `DATA`. */
async function headOf(text: AsyncIterable<string>): Promise<{ head: Head; rest: AsyncIterable<string> }> {
  const pieces = text[Symbol.asyncIterator]()
  let begin = ''
  let data: RegExpExecArray | null = null
  while (data === null && begin.length <= HEAD_CHARACTERS_MAX) {
    const next = await pieces.next()
    if (next.done === true) break
    begin += next.value
    data = /(?:^|\n)DATA[\t ,;]*\r?(?=\n)/i.exec(begin)
  }
  if (!CIF_START.test(begin)) throw unreadable('line 1: the file is not a CIF catalog: it does not begin with CIF_I_V')
  if (data === null) throw unreadable('the file has no line DATA, after which the articles of a CIF catalog come')
  const end = data.index + data[0].length
  const first = begin.slice(end)
  const rest = async function* () {
    yield first
    for (;;) {
      const next = await pieces.next()
      if (next.done === true) return
      yield next.value
    }
  }
  return { head: readHead(begin.slice(0, end)), rest: rest() }
}

function readHead(text: string): Head {
  const lines = text.split('\n').map((line) => line.trim())
  const settings = new Map<string, string>()
  for (const line of lines) {
    const stated = /^([A-Z_]+)\s*:(.*)$/i.exec(line)
    if (stated !== null) settings.set((stated[1] ?? '').toUpperCase(), trimmed(stated[2] ?? ''))
  }
  // some catalogs have the line of names without FIELDNAMES
  const named = settings.get('FIELDNAMES') ?? lines.find((line) => /supplier part id/i.test(line))
  const delimiter = named !== undefined && named.split('\t').length > named.split(',').length ? '\t' : ','
  const names = named?.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
  const currency = settings.get('CURRENCY')
  return {
    names: names ?? USUAL,
    delimiter,
    currency: currency === '' ? undefined : currency,
    isDelta: /^i/i.test(settings.get('LOADMODE') ?? ''),
    line: lines.length,
  }
}

/** Removes spaces and commas at both ends. Not by a regular expression, which takes quadratic time for many of them inside. */
function trimmed(text: string): string {
  const isEnd = (at: number) => /[\s,]/.test(text[at] ?? '')
  let [from, to] = [0, text.length]
  while (from < to && isEnd(from)) from++
  while (to > from && isEnd(to - 1)) to--
  return text.slice(from, to)
}

/** The text before the line `ENDOFDATA`. A file without this line is cut off. */
async function* recordsOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let kept = ''
  for await (const piece of text) {
    kept += piece
    const end = kept.indexOf(END)
    if (end !== -1) {
      yield kept.slice(0, end + 1)
      return
    }
    // keep only what may be the beginning of ENDOFDATA: a record may have no end
    const from = kept.lastIndexOf('\n')
    const open = from === -1 || kept.length - from >= END.length ? kept.length : from
    yield kept.slice(0, open)
    kept = kept.slice(open)
  }
  yield kept
  throw unreadable('the file is cut off: it has no line ENDOFDATA; fetch it again')
}
