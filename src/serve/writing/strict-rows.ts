import { SentRows } from '../../operations/bulk/rows.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import { parseStrictJson, parseStrictText, requireNotBlank } from './strict-json.ts'

/** Bytes between two checks whether to yield. */
const STRIDE = 16_384
/** A UTF-16 code unit takes at most three bytes of UTF-8. */
const BYTES_PER_CHARACTER = 3
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Called at intervals during long work; throws when the result is not needed any more. */
export type CheckStillNeeded = () => void

/**
 * A body with its rows apart: `value` has each row's number in place of the row.
 * docs/decisions/066-bodies-take-their-place-before-they-are-read.md says why.
 */
export interface BodyOfRows {
  value: unknown
  rows: SentRows
}

/**
 * parseStrictJson for bodies that are an object with one list. Its entries are checked one by one and stay text, and it yields to other
 * requests: JSON.parse of 64 MB blocks the whole process for a second, and its values take gigabytes.
 * @throws ShelfwireError bad-request, naming the place, with the entry's number for a fault inside an entry;
 *   payload-too-large for more entries than a bulk may have, entries larger than a single body, more values than rows may
 *   have, and a large body without a list.
 */
export async function parseStrictRows(bytes: Buffer, stillWanted: CheckStillNeeded): Promise<BodyOfRows> {
  const { shell, starts, ends } = await cutEntries(bytes, stillWanted)
  requireNotBlank(shell)
  const { value } = parseStrictText(shell)
  const turn = openYielding()
  const addValues = openValues()
  for (const [index, start] of starts.entries()) {
    const where = `row ${index}`
    const values = inRow(index, where, () => {
      const text = decode(bytes.subarray(start, ends[index]))
      if (text.length > LIMITS.requestBodyBytesMax) throw rowTooLarge()
      return parseStrictText(text, { outerDepth: 2, valuesMax: LIMITS.bulkRowValuesMax }).values
    })
    addValues(values, where)
    const others = turn()
    if (others === null) continue
    await others
    stillWanted()
  }
  return { value, rows: new SentRows(bytes, starts, ends) }
}

/** parseStrictRows for a body with one row per line. A line that is not JSON is reported by its number. */
export async function parseStrictLines(bytes: Buffer, stillWanted: CheckStillNeeded): Promise<BodyOfRows> {
  const starts: number[] = []
  const ends: number[] = []
  const turn = openYielding()
  const addValues = openValues()
  for (let start = 0, line = 1; start < bytes.length; line++) {
    const feed = bytes.indexOf(0x0a, start)
    const end = feed === -1 ? bytes.length : feed
    const part = bytes.subarray(start, end)
    if (part.length > LIMITS.requestBodyBytesMax)
      throw tooLarge(`line ${line} has more than ${LIMITS.requestBodyBytesMax} bytes`)
    if (line > 2 * LIMITS.bulkRowsMax)
      throw tooLarge(`a bulk has at most ${LIMITS.bulkRowsMax} rows, and not more empty lines than that`)
    const begin = start + (hasMark(part) ? 3 : 0)
    start = end + 1
    if (part.length === 0 || (part.length === 1 && part[0] === 0x0d)) continue
    if (starts.length >= LIMITS.bulkRowsMax)
      throw tooLarge(`a bulk has at most ${LIMITS.bulkRowsMax} rows; send it in parts`)
    const where = `line ${line}`
    addValues(
      inRow(starts.length, where, () => parseStrictJson(part, { valuesMax: LIMITS.bulkRowValuesMax }).values),
      where,
    )
    starts.push(begin)
    ends.push(end)
    const others = turn()
    if (others === null) continue
    await others
    stillWanted()
  }
  return { value: { rows: starts.map((_, i) => i) }, rows: new SentRows(bytes, starts, ends) }
}

/**
 * Finds the entries of the lists directly in the outermost object, and replaces each by its number. So the remaining text is
 * valid JSON exactly when the text around the entries is.
 */
async function cutEntries(bytes: Buffer, stillWanted: CheckStillNeeded) {
  const starts: number[] = []
  const ends: number[] = []
  const shell: string[] = []
  const turn = openYielding()
  const first = hasMark(bytes) ? 3 : 0
  const isObject = bytes[whiteEnd(bytes, first, bytes.length)] === 0x7b
  let shellBytes = 0
  let depth = 0
  let isString = false
  /** Start of the bytes that have not been added to the shell yet. */
  let kept = first
  /** Start of the current entry; -1 outside of a list. */
  let start = -1
  let look = STRIDE
  const keep = (end: number) => {
    shellBytes += end - kept
    if (shellBytes > LIMITS.requestBodyBytesMax)
      throw tooLarge(`what is around the rows has more than ${LIMITS.requestBodyBytesMax} bytes`)
    shell.push(decode(bytes.subarray(kept, end)))
  }
  const requireSize = (end: number) => {
    if (start === -1 || end - start <= BYTES_PER_CHARACTER * LIMITS.requestBodyBytesMax) return
    inRow(starts.length, `row ${starts.length}`, () => {
      throw rowTooLarge()
    })
  }
  const cut = (end: number) => {
    if (whiteEnd(bytes, start, end) === end) return
    // checked before parsing, which could take a second or gigabytes of memory
    if (starts.length >= LIMITS.bulkRowsMax)
      throw tooLarge(`a bulk has at most ${LIMITS.bulkRowsMax} rows; send it in parts`)
    requireSize(end)
    keep(start)
    shell.push(String(starts.length))
    starts.push(start)
    ends.push(end)
    kept = end
  }
  for (let i = first; i < bytes.length; i++) {
    const code = bytes[i]
    if (isString) {
      if (code === 0x5c) i++
      else if (code === 0x22) isString = false
    } else if (code === 0x22) isString = true
    else if (code === 0x7b || code === 0x5b) {
      depth++
      if (code === 0x5b && depth === 2 && isObject) start = i + 1
    } else if (code === 0x7d || code === 0x5d) {
      if (depth-- === 2 && start !== -1) {
        cut(i)
        start = -1
      }
    } else if (code === 0x2c && depth === 2 && start !== -1) {
      cut(i)
      start = i + 1
    }
    if (i < look) continue
    look = i + STRIDE
    requireSize(i)
    const others = turn()
    if (others === null) continue
    await others
    stillWanted()
  }
  keep(bytes.length)
  return { shell: shell.join(''), starts, ends }
}

/** @returns a function that adds up the values of rows. @throws ShelfwireError payload-too-large beyond LIMITS.bulkValuesMax. */
function openValues(): (values: number, where: string) => void {
  let taken = 0
  return (values, where) => {
    taken += values
    if (taken > LIMITS.bulkValuesMax)
      throw tooLarge(`a bulk has at most ${LIMITS.bulkValuesMax} values, and ${where} exceeds them; send it in parts`)
  }
}

const tooLarge = (detail: string) => new ShelfwireError('payload-too-large', detail)
/** The message has no subject: inRow adds the row. */
const rowTooLarge = () => tooLarge(`has more than ${LIMITS.requestBodyBytesMax} characters`)

/** Whether it begins with a byte order mark. */
const hasMark = (bytes: Buffer) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** The end of the white space that begins at `start`, at most `end`. */
function whiteEnd(bytes: Buffer, start: number, end: number): number {
  let at = start
  for (; at < end; at++) {
    const code = bytes[at]
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break
  }
  return at
}

function decode(bytes: Buffer): string {
  try {
    return DECODER.decode(bytes)
  } catch {
    throw new ShelfwireError('bad-request', 'the body is not valid UTF-8')
  }
}

/** Adds the row to an error of `work`: to its message, and before the names of its faults. */
function inRow<T>(index: number, where: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
    const { code, message } = error
    const name = `rows.${index}`
    const faults =
      error.faults.length === 0
        ? [{ name, reason: message }]
        : error.faults.map((fault) => ({ name: `${name}.${fault.name}`, reason: fault.reason }))
    const detail = code === 'payload-too-large' ? `${where} ${message}` : `${where}: ${message}`
    throw new ShelfwireError(code, detail, { faults, cause: error })
  }
}
