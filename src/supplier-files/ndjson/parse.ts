import { isLonger, UNFINISHED_ROWS, unreadable, type RawRow, type ReadLimits, type Row } from '../rows.ts'

/**
 * Parses text with one JSON object per line into rows. Lines end in LF or CRLF; blank lines are skipped, but counted.
 * Yields the rows of one chunk at a time; a line that is not a JSON object becomes a row with a fault.
 * @throws ShelfwireError `source-unreadable` if the last line has no end and is not valid, because the file is cut off,
 * and for a line without an end within the limit
 */
export async function* parseNdjson(text: AsyncIterable<string>, limits: ReadLimits): AsyncGenerator<RawRow[]> {
  const rowBytesMax = limits.importRowBytesMax
  let rest = ''
  let line = 1
  for await (const chunk of text) {
    // without a line end in the chunk, the text before it need not be searched again
    if (!chunk.includes('\n')) {
      rest += chunk
      requireEnd(rest, line, rowBytesMax)
      continue
    }
    const all = rest === '' ? chunk : rest + chunk
    const rows: RawRow[] = []
    let at = 0
    for (let end = all.indexOf('\n'); end !== -1; end = all.indexOf('\n', at)) {
      const row = parseLine(all.slice(at, end), line, limits)
      if (row !== undefined) rows.push(row)
      line++
      at = end + 1
    }
    rest = at === 0 ? all : all.slice(at)
    requireEnd(rest, line, rowBytesMax)
    if (rows.length > 0) yield rows
  }
  const last = parseLine(rest, line, limits)
  if (last === undefined) return
  if ('fault' in last)
    throw unreadable(`line ${line}: the file is cut off: its last line ${last.fault}; fetch it again`)
  yield [last]
}

function requireEnd(rest: string, line: number, rowBytesMax: number): void {
  const max = rowBytesMax * UNFINISHED_ROWS
  // characters are counted, not bytes: a line of multi-byte characters is refused a little later
  if (rest.length > max)
    throw unreadable(
      `line ${line}: has no end within ${max} bytes: one object per line is expected (is the "format" "json"?)`,
    )
}

function parseLine(text: string, line: number, limits: ReadLimits): RawRow | undefined {
  const rowBytesMax = limits.importRowBytesMax
  if (isLonger(text, rowBytesMax)) return { line, fault: `is longer than ${rowBytesMax} bytes` }
  if (text.trim() === '') return undefined
  const excess = excessOf(text, limits)
  if (excess !== undefined) return { line, fault: excess }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { line, fault: `is not valid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  return isRow(value) ? { line, row: value } : { line, fault: 'is not a JSON object' }
}

/** The limit that a line exceeds, found before JSON.parse makes anything large of it; undefined: none. */
function excessOf(text: string, limits: ReadLimits): string | undefined {
  const { importDepthMax, importRowValuesMax, importColumnsMax, importCellCharactersMax } = limits
  // most lines are short and have few brackets, so that they cannot exceed a limit
  if (text.length < 2 * importColumnsMax && !hasMore(text, importDepthMax)) return undefined
  let values = 0
  const members: number[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) {
      const from = i
      i = stringEnd(text, i)
      if (i - from > importCellCharactersMax) return `has a text of more than ${importCellCharactersMax} characters`
    } else if (code === 0x2c) {
      if (++values > importRowValuesMax) return `has more than ${importRowValuesMax} values`
    } else if (code === 0x3a) {
      const count = (members.at(-1) ?? 0) + 1
      members[members.length - 1] = count
      if (count > importColumnsMax) return `has an object of more than ${importColumnsMax} members`
    } else if (code === 0x7b || code === 0x5b) {
      if (members.push(0) > importDepthMax) return `is nested more than ${importDepthMax} deep`
      if (++values > importRowValuesMax) return `has more than ${importRowValuesMax} values`
    } else if (code === 0x7d || code === 0x5d) members.pop()
  }
  return undefined
}

/** Whether there are more opening brackets than `max`. */
function hasMore(text: string, max: number): boolean {
  let count = 0
  for (const bracket of '{[')
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) if (++count > max) return true
  return false
}

function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x5c) i++
    else if (code === 0x22) return i
  }
  return text.length
}

function isRow(value: unknown): value is Row & Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
