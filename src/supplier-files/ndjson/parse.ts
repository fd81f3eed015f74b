import { isLonger, UNFINISHED_ROWS, unreadable, type RawRow, type Row } from '../rows.ts'

/**
 * Parses text with one JSON object per line into rows. Lines end in LF or CRLF; blank lines are skipped, but counted.
 * Yields the rows of one chunk at a time; a line that is not a JSON object becomes a row with a fault.
 * @throws ShelfwireError `source-unreadable` when the last line has no end and is not valid: the file is cut off
 */
export async function* parseNdjson(
  text: AsyncIterable<string>,
  options: { rowBytesMax: number },
): AsyncGenerator<RawRow[]> {
  const { rowBytesMax } = options
  let rest = ''
  let line = 1
  for await (const chunk of text) {
    const all = rest === '' ? chunk : rest + chunk
    const rows: RawRow[] = []
    let at = 0
    for (let end = all.indexOf('\n'); end !== -1; end = all.indexOf('\n', at)) {
      const row = parseLine(all.slice(at, end), line, rowBytesMax)
      if (row !== undefined) rows.push(row)
      line++
      at = end + 1
    }
    rest = at === 0 ? all : all.slice(at)
    if (isLonger(rest, rowBytesMax * UNFINISHED_ROWS)) {
      throw unreadable(
        `line ${line}: has no end within ${rowBytesMax * UNFINISHED_ROWS} bytes: one object per line is expected (is the "format" "json"?)`,
      )
    }
    if (rows.length > 0) yield rows
  }
  const last = parseLine(rest, line, rowBytesMax)
  if (last === undefined) return
  if ('fault' in last)
    throw unreadable(`line ${line}: the file is cut off: its last line ${last.fault}; fetch it again`)
  yield [last]
}

function parseLine(text: string, line: number, rowBytesMax: number): RawRow | undefined {
  if (isLonger(text, rowBytesMax)) return { line, fault: `is longer than ${rowBytesMax} bytes` }
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { line, fault: `is not valid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  return isRow(value) ? { line, row: value } : { line, fault: 'is not a JSON object' }
}

function isRow(value: unknown): value is Row & Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
