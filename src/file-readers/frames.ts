/**
 * Messages between the service and its processes, such as those that read files: frames of one byte for the kind, four for the length, and the
 * content. Pipes have back-pressure: nothing is sent to a process faster than it reads.
 */
import type { Readable, Writable } from 'node:stream'

export const FRAME = { job: 1, data: 2, end: 3, broken: 4, rows: 5, warning: 6, result: 7, ready: 8 } as const

export interface Frame {
  kind: number
  content: Buffer
}

const HEAD_BYTES = 5

/** Sends a frame, whose content may have several parts. @returns when the pipe accepts more, or is closed. */
export async function sendFrame(to: Writable, kind: number, ...parts: readonly Uint8Array[]): Promise<void> {
  if (to.destroyed) return
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  head.writeUInt8(kind, 0)
  head.writeUInt32LE(
    parts.reduce((sum, part) => sum + part.byteLength, 0),
    1,
  )
  to.cork()
  let isTaken = to.write(head)
  for (const part of parts) isTaken = to.write(part)
  to.uncork()
  if (isTaken) return
  await new Promise<void>((resolve) => {
    const done = () => {
      to.off('drain', done).off('close', done)
      resolve()
    }
    to.on('drain', done).on('close', done)
  })
}

/** The frames that arrive through a pipe. @throws if one has more than `bytesMax` bytes */
export async function* framesOf(from: Readable, bytesMax: number): AsyncGenerator<Frame> {
  let chunks: Buffer[] = []
  let length = 0
  let wanted = HEAD_BYTES
  let kind: number | undefined
  for await (const chunk of from as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length < wanted) continue
    let bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks)
    while (bytes.length >= wanted) {
      const part = bytes.subarray(0, wanted)
      bytes = bytes.subarray(wanted)
      if (kind === undefined) {
        kind = part.readUInt8(0)
        wanted = part.readUInt32LE(1)
        if (wanted > bytesMax) throw new Error(`a frame has ${wanted} bytes, and at most ${bytesMax} are taken`)
      } else {
        yield { kind, content: part }
        kind = undefined
        wanted = HEAD_BYTES
      }
    }
    chunks = bytes.length === 0 ? [] : [bytes]
    length = bytes.length
  }
}

export const jsonOf = ({ content }: Frame): unknown => JSON.parse(content.toString())
export const framed = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
