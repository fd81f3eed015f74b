import type { Socket } from 'node:net'

export interface AnswerWatch {
  /** A request is about to be written: the next bytes are the beginning of an answer. */
  expect(): void
  /** Whether any byte has come since then. */
  hasBegun(): boolean
}

const STATUS_LINE = /^HTTP\/1\.[01] 100[ \r]/
const STATUS_LINE_LENGTH = 13
const HEAD_END = '\r\n\r\n'

/**
 * Drops "100 Continue" from what a socket reads before each answer. A client must accept it unasked (RFC 9110, 15.2);
 * undici takes the connection down. Other interim answers undici skips itself. One request at a time per socket.
 */
export function skipContinue(socket: Socket): AnswerWatch {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null
  let state: 'start' | 'skipping' | 'through' = 'through'
  let held = Buffer.alloc(0)
  let begun = false

  /** What of `chunk` goes on to the parser; null while it is not known or nothing is left. */
  const sift = (chunk: Buffer): Buffer | null => {
    let rest = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    held = Buffer.alloc(0)
    while (rest.length > 0) {
      if (state === 'start') {
        const head = rest.toString('latin1', 0, STATUS_LINE_LENGTH)
        if (STATUS_LINE.test(head)) state = 'skipping'
        else if (head.length < STATUS_LINE_LENGTH && 'HTTP/1.'.startsWith(head.slice(0, 7))) break
        else state = 'through'
      }
      if (state === 'through') return rest
      const end = rest.indexOf(HEAD_END)
      if (end === -1) {
        // the end may lie across two chunks
        rest = rest.subarray(-(HEAD_END.length - 1))
        break
      }
      rest = rest.subarray(end + HEAD_END.length)
      state = 'start'
    }
    held = Buffer.from(rest)
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
      const through = sift(chunk)
      if (through !== null) return through
    }
  }

  return {
    expect() {
      state = 'start'
      held = Buffer.alloc(0)
      begun = false
    },
    hasBegun: () => begun,
  }
}
