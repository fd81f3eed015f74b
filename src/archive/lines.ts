import { LIMITS } from '../platform/limits.ts'
import { archiveRefusal } from './refused.ts'

/** A row of an NDJSON file. */
export interface Line {
  /** Counted from 1. */
  number: number
  /** The line as it is in the file: numbers keep their digits, and members their order. */
  text: string
  row: Readonly<Record<string, unknown>>
}

const NEWLINE = 0x0a

/**
 * The rows of an NDJSON file in pages of at most LIMITS.archiveRowsPerStatement rows and LIMITS.archivePageBytes bytes, but at least one row.
 * @throws ShelfwireError invalid-input with the line
 */
export async function* pagesOfLines(path: string, body: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  let page: Line[] = []
  let pageBytes = 0
  let number = 0
  for await (const bytes of rawLines(path, body)) {
    page.push(readLine(path, ++number, bytes))
    pageBytes += bytes.length
    if (page.length < LIMITS.archiveRowsPerStatement && pageBytes < LIMITS.archivePageBytes) continue
    yield page
    page = []
    pageBytes = 0
  }
  if (page.length > 0) yield page
}

async function* rawLines(path: string, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left: Buffer = Buffer.alloc(0)
  for await (const chunk of body) {
    const bytes = left.length === 0 ? chunk : Buffer.concat([left, chunk])
    let from = 0
    for (let end = bytes.indexOf(NEWLINE, left.length); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      yield bytes.subarray(from, end)
      from = end + 1
    }
    left = bytes.subarray(from)
    if (left.length > LIMITS.archiveLineBytesMax)
      throw archiveRefusal(path, `has a line of more than ${LIMITS.archiveLineBytesMax} bytes`)
  }
  if (left.length > 0) throw archiveRefusal(path, 'is cut off: its last line has no end')
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readLine(path: string, number: number, bytes: Buffer): Line {
  const place = `${path}, line ${number}`
  if (bytes.length > LIMITS.archiveLineBytesMax)
    throw archiveRefusal(place, `has more than ${LIMITS.archiveLineBytesMax} bytes`)
  let text: string
  let row: unknown
  try {
    text = decoder.decode(bytes)
    row = JSON.parse(text)
  } catch (error) {
    throw archiveRefusal(place, 'is not JSON in UTF-8', error)
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw archiveRefusal(place, 'is no JSON object')
  return { number, text, row: row as Record<string, unknown> }
}
