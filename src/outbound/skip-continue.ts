import type { Socket } from 'node:net'
import { LIMITS } from '../platform/limits.ts'

export interface AnswerWatch {
  /** To be called before a request is written: the next bytes are the start of a response. */
  expect(): void
  /** Whether any byte has arrived since the last call of `expect`. */
  hasBegun(): boolean
}

const STATUS_LINE = /^HTTP\/1\.[01] 100[ \r]/
const STATUS_LINE_LENGTH = 13
const HEAD_END = '\r\n\r\n'

/**
 * Removes "100 Continue" responses from what a socket reads. Clients must accept them unasked (RFC 9110, 15.2), but undici
 * closes the connection; it skips other interim responses itself. One request at a time per socket. More than
 * LIMITS.outboundInterimMax of them are passed on, and undici ends the exchange.
 */
export function skipContinue(socket: Socket): AnswerWatch {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null
  let state: 'start' | 'skipping' | 'through' = 'through'
  let carried = Buffer.alloc(0)
  let begun = false
  let skipped = 0

  /** The part of `chunk` to pass to the parser; null while that is undecided, or if nothing is left. */
  const filter = (chunk: Buffer): Buffer | null => {
    let rest = carried.length === 0 ? chunk : Buffer.concat([carried, chunk])
    carried = Buffer.alloc(0)
    while (rest.length > 0) {
      if (state === 'start') {
        const head = rest.toString('latin1', 0, STATUS_LINE_LENGTH)
        if (STATUS_LINE.test(head)) state = ++skipped > LIMITS.outboundInterimMax ? 'through' : 'skipping'
        else if (head.length < STATUS_LINE_LENGTH && 'HTTP/1.'.startsWith(head.slice(0, 7))) break
        else state = 'through'
      }
      if (state === 'through') return rest
      const end = rest.indexOf(HEAD_END)
      if (end === -1) {
        // the end may be split across two chunks
        rest = rest.subarray(-(HEAD_END.length - 1))
        break
      }
      rest = rest.subarray(end + HEAD_END.length)
      state = 'start'
    }
    carried = Buffer.from(rest)
    return null
  }

  socket.read = (size?: number): Buffer | null => {
    // streams call read(0) to fill their buffer
    if (size !== undefined) return read(size)
    for (;;) {
      const chunk = read()
      if (chunk === null) return null
      begun = true
      if (state === 'through') return chunk
      const passed = filter(chunk)
      if (passed !== null) return passed
    }
  }

  return {
    expect() {
      state = 'start'
      carried = Buffer.alloc(0)
      begun = false
      skipped = 0
    },
    hasBegun: () => begun,
  }
}
