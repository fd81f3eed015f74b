import { open } from 'node:fs/promises'
import { LIMITS } from '../../platform/limits.ts'

// The end of a log file, reduced to a list of what may be shown: numbers, names that are ours, and the places in the code where errors came from. The
// texts of errors may contain addresses or values and are left out.

const NUMBERS = [
  'account_id',
  'accountId',
  'endpointId',
  'operationId',
  'runId',
  'supplierId',
  'firstRow',
  'attempt',
  'status',
  'ms',
  'retryMs',
  'level',
  'pid',
]
const WORDS = ['loop', 'state', 'topic', 'route', 'fault', 'version']
const IDS = ['request_id', 'trace_id']
/** The form of words from our code; nothing with blanks, a dot or an @ matches. */
const WORD = /^[\w:/-]{1,80}$/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]{8,15}Z$/
const FRAME = /^\s+at .*?((?:src|dist|contract|node_modules|node:)[\w/.@-]*):(\d+)(?::\d+)?\)?$/
const FRAMES_MAX = 12

/** Recognizes our own messages. */
interface Messages {
  has(text: string): boolean
}
type Line = Record<string, unknown>

/**
 * @param messages any other text in the line is left out
 * @returns null if the line is not JSON
 */
export function shownLine(text: string, messages: Messages): Line | null {
  let line: unknown
  try {
    line = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof line !== 'object' || line === null) return null
  const given = line as Line
  const shown: Line = {}
  const { time, msg, err } = given
  if (typeof time === 'string' && TIME.test(time)) shown['time'] = time
  for (const name of NUMBERS) if (typeof given[name] === 'number') shown[name] = given[name]
  for (const name of WORDS) {
    const value = given[name]
    if (typeof value === 'string' && WORD.test(value)) shown[name] = value
  }
  // clients may choose the ids of their requests
  for (const name of IDS) {
    const value = given[name]
    if (typeof value === 'string' && /^[0-9a-f-]{32,36}$/.test(value)) shown[name] = value
  }
  if (typeof msg === 'string') shown['msg'] = messages.has(msg) ? msg : '(left out)'
  if (typeof err === 'object' && err !== null) shown['err'] = shownError(err as Line)
  return shown
}

function shownError({ type, code, stack }: Line): Line {
  const isName = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,60}$/.test(value)
  return {
    ...(isName(type) ? { type } : {}),
    ...(isName(code) ? { code } : {}),
    at: (typeof stack === 'string' ? stack.split('\n') : [])
      .flatMap((text) => {
        const [, file, row] = FRAME.exec(text) ?? []
        return file === undefined ? [] : [`${file}:${row}`]
      })
      .slice(0, FRAMES_MAX),
  }
}

/** The last lines of a log, reduced to what may be shown; and how many were left out. */
export async function lastLines(path: string, messages: Messages): Promise<{ lines: Line[]; leftOut: number }> {
  await using file = await open(path)
  const { size } = await file.stat()
  const length = Math.min(size, LIMITS.supportLogBytesMax)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
  const texts = buffer.toString('utf8', 0, bytesRead).split('\n')
  // the first line may be incomplete
  if (length < size) texts.shift()
  const last = texts.filter((text) => text.trim() !== '').slice(-LIMITS.supportLogLinesMax)
  const lines = last.map((text) => shownLine(text, messages)).filter((line) => line !== null)
  return { lines, leftOut: last.length - lines.length }
}
