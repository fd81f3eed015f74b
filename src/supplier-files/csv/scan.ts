import { parse as parseWhole } from 'csv-parse/sync'

/** A record and the index after its line end; `more`: more text is needed; `malformed`: the record cannot be parsed. */
export type Scan = { fields: string[]; next: number } | 'more' | 'malformed'

/** Delimiter and quote of a file; `quote` is one character, or '' when quotes have no meaning. */
export interface Signs {
  delimiter: string
  quote: string
}

/**
 * Parses the record that starts at `from`. Well-formed records are split by searching for delimiters and quotes, which is
 * several times as fast as csv-parse, which looks at each byte. Records that are not plain RFC 4180 are left to csv-parse.
 * Both give the same fields (scan.test.ts compares them).
 * @param final no more text follows
 */
export function scanRecord(text: string, from: number, signs: Signs, final: boolean): Scan {
  const { delimiter, quote } = signs
  let lineEnd = text.indexOf('\n', from)
  if (lineEnd !== -1) {
    const line = text.slice(from, text.charCodeAt(lineEnd - 1) === 13 && lineEnd > from ? lineEnd - 1 : lineEnd)
    if (quote === '' || !line.includes(quote)) return { fields: line.split(delimiter), next: lineEnd + 1 }
  }
  const fields: string[] = []
  for (let at = from; ; at += delimiter.length) {
    let end: number
    if (quote !== '' && text.startsWith(quote, at)) {
      const close = closingQuote(text, at + 1, quote)
      if (close === -1) return 'more'
      const inner = text.slice(at + 1, close)
      fields.push(inner.includes(quote) ? inner.replaceAll(quote + quote, quote) : inner)
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
  let close = text.indexOf(quote, from)
  while (close !== -1 && text.startsWith(quote, close + 1)) close = text.indexOf(quote, close + 2)
  return close
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

/** Uses csv-parse for spaces around quotes, quotes inside a field, and text after a closing quote. */
function scanWithLibrary(text: string, from: number, signs: Signs, final: boolean): Scan {
  const input = Buffer.from(text.slice(from))
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
  return { fields: first.record, next: from + input.toString('utf8', 0, first.info.bytes).length }
}
