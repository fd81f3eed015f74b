import { parse as parseWhole } from 'csv-parse/sync'

/**
 * A record and the index after its line end; `more`: more text is needed; `malformed`: the record cannot be parsed. A record with
 * too many fields is returned with fieldsMax + 1 of them.
 */
export type Scan = { fields: string[]; next: number } | 'more' | 'malformed'

/** Delimiter and quote of a file; `quote` is one character, or '' when quotes have no meaning. */
export interface Signs {
  delimiter: string
  quote: string
  fieldsMax: number
  fieldLengthMax: number
}

/**
 * Parses the record that starts at `from`. Well-formed records are split by searching for delimiters and quotes, which is
 * several times as fast as csv-parse, which looks at each byte. Records that are not plain RFC 4180 are left to csv-parse.
 * Both give the same fields (scan.test.ts compares them).
 * @param final no more text follows
 */
export function scanRecord(text: string, from: number, signs: Signs, final: boolean): Scan {
  const { delimiter, quote, fieldsMax, fieldLengthMax } = signs
  let lineEnd = text.indexOf('\n', from)
  if (lineEnd !== -1) {
    const line = text.slice(from, text.charCodeAt(lineEnd - 1) === 13 && lineEnd > from ? lineEnd - 1 : lineEnd)
    if (quote === '' || !line.includes(quote))
      return { fields: line.split(delimiter, fieldsMax + 1), next: lineEnd + 1 }
  }
  // the last line of the file without a line end, in the same way
  if (lineEnd === -1 && final && (quote === '' || !text.includes(quote, from)))
    return { fields: text.slice(from).split(delimiter, fieldsMax + 1), next: text.length }
  const fields: string[] = []
  for (let at = from; ; at += delimiter.length) {
    if (fields.length > fieldsMax) return endOfRecord(text, at, fields, quote, final)
    let end: number
    if (quote !== '' && text.startsWith(quote, at)) {
      const close = closingQuote(text, at + 1, quote)
      if (close === -1) return 'more'
      const inner = text.slice(at + 1, close)
      // a value that is too long for a cell is refused later, so its quotes may stay doubled
      const isDoubled = inner.length <= fieldLengthMax && inner.includes(quote)
      fields.push(isDoubled ? inner.replaceAll(quote + quote, quote) : inner)
      end = close + 1
    } else {
      if (quote !== '' && opensAfterSpace(text, at, quote)) return scanWithLibrary(text, from, signs, final)
      if (lineEnd < at) lineEnd = text.indexOf('\n', at)
      if (lineEnd === -1) {
        if (!final) return 'more'
        lineEnd = text.length
      }
      end = fieldEnd(text, at, lineEnd, delimiter)
      fields.push(text.slice(at, end))
    }
    if (text.startsWith(delimiter, end)) at = end
    else if (end >= text.length) return final ? { fields, next: end } : 'more'
    else if (text.charCodeAt(end) === 10) return { fields, next: end + 1 }
    else if (text.startsWith('\r\n', end)) return { fields, next: end + 2 }
    else return scanWithLibrary(text, from, signs, final)
  }
}

function closingQuote(text: string, from: number, quote: string): number {
  const code = quote.charCodeAt(0)
  let close = text.indexOf(quote, from)
  while (close !== -1 && text.charCodeAt(close + 1) === code) {
    close += 2
    if (text.charCodeAt(close) !== code) close = text.indexOf(quote, close)
  }
  return close
}

/** Skips the rest of a record with too many fields. An approximate end is enough, because the record is refused. */
function endOfRecord(text: string, from: number, fields: string[], quote: string, final: boolean): Scan {
  const sign = quote === '' ? -1 : quote.charCodeAt(0)
  let isQuoted = false
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === sign) isQuoted = !isQuoted
    else if (code === 10 && !isQuoted) return { fields, next: at + 1 }
  }
  return final ? { fields, next: text.length } : 'more'
}

/** Whether a quote follows spaces, as in `a, "b"`: not RFC 4180, but common in files written by hand. */
function opensAfterSpace(text: string, at: number, quote: string): boolean {
  if (text.charCodeAt(at) !== 32) return false
  let next = at + 1
  while (text.charCodeAt(next) === 32) next++
  return text.startsWith(quote, next)
}

function fieldEnd(text: string, at: number, lineEnd: number, delimiter: string): number {
  // Only within the line: searching the rest of the text for each line would take quadratic time.
  const found = text.slice(at, lineEnd).indexOf(delimiter)
  if (found !== -1) return at + found
  // The carriage return of CRLF is not part of the last field.
  return text.charCodeAt(lineEnd - 1) === 13 && lineEnd > at && lineEnd < text.length ? lineEnd - 1 : lineEnd
}

interface LibraryRecord {
  record: string[]
  info: { bytes: number }
}

/** How many characters csv-parse gets at first; for a record that does not end within them, eight times as many, and so on. */
const WINDOW = 512
/** Longer records that are not plain RFC 4180 are refused, because csv-parse would take too long. */
const LIBRARY_MAX = 262_144

/** Uses csv-parse for spaces around quotes, quotes inside a field, and text after a closing quote. */
function scanWithLibrary(text: string, from: number, signs: Signs, final: boolean): Scan {
  for (let size = WINDOW; ; size *= 8) {
    const isAll = from + size >= text.length
    const scan = scanWindow(text.slice(from, from + size), from, signs, final && isAll)
    if (scan !== 'more' || isAll) return scan
    if (size >= LIBRARY_MAX) return 'malformed'
  }
}

function scanWindow(text: string, from: number, signs: Signs, final: boolean): Scan {
  const input = Buffer.from(text)
  let records: LibraryRecord[]
  try {
    records = parseWhole(input, {
      delimiter: signs.delimiter,
      quote: signs.quote,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
      to: 1,
      info: true,
    }) as unknown as LibraryRecord[]
  } catch (error) {
    const unclosed = error instanceof Error && 'code' in error && error.code === 'CSV_QUOTE_NOT_CLOSED'
    return unclosed ? 'more' : 'malformed'
  }
  const first = records[0]
  if (first === undefined) return 'more'
  // The library ends a record at the end of its input, but more text may follow.
  if (first.info.bytes >= input.length && !final && input.at(-1) !== 10) return 'more'
  return {
    fields: first.record.slice(0, signs.fieldsMax + 1),
    next: from + input.toString('utf8', 0, first.info.bytes).length,
  }
}
