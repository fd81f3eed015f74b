import type { Readable } from 'node:stream'
import { ShelfwireError } from '../../platform/errors.ts'
import type { BodyPlace } from './body-budget.ts'

/** What a body without Content-Length takes at first; doubled as it grows. */
const FIRST_BYTES = 16_384

/**
 * Receives a body into one buffer.
 * @param length its Content-Length, for which the place has been taken; null: the place grows with it.
 * @param onChunk sees each part as it comes.
 * @throws ShelfwireError payload-too-large beyond `bytesMax`; rate-limited where the place cannot grow, which is
 * answered after the rest of the body has been received: a client that is still sending might not read it;
 * bad-request when the client has gone.
 */
export function receive(
  payload: Readable,
  place: BodyPlace,
  length: number | null,
  bytesMax: number,
  onChunk: (chunk: Buffer) => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // memory that is not written to yet is not resident: a client that declares much and sends little takes little
    let bytes = Buffer.allocUnsafeSlow(length ?? 0)
    let used = 0
    let refusal: Error | null = null
    const makeRoom = (wanted: number) => {
      const size = Math.min(bytesMax, Math.max(wanted, FIRST_BYTES, 2 * bytes.length))
      place.grow(size)
      const larger = Buffer.allocUnsafeSlow(size)
      bytes.copy(larger, 0, 0, used)
      bytes = larger
    }
    const onData = (chunk: Buffer) => {
      const wanted = used + chunk.length
      if (wanted > bytesMax) {
        end(tooLarge(bytesMax))
        return
      }
      if (refusal === null) {
        try {
          if (wanted > bytes.length) makeRoom(wanted)
          bytes.set(chunk, used)
          onChunk(chunk)
        } catch (error) {
          refusal = error as Error
          bytes = Buffer.alloc(0)
        }
      }
      used = wanted
    }
    const onEnd = () => end(refusal)
    const onClose = () =>
      end(new ShelfwireError('bad-request', 'the connection was closed before the body had arrived'))
    const end = (error: Error | null) => {
      payload.off('data', onData).off('end', onEnd).off('close', onClose)
      if (error === null) resolve(bytes.subarray(0, used))
      else {
        bytes = Buffer.alloc(0)
        reject(error)
      }
    }
    payload.on('data', onData).on('end', onEnd).on('close', onClose)
    // "aborted": the close that follows says so, too
    payload.on('error', onClose)
    payload.resume()
  })
}

export function tooLarge(bytesMax: number): ShelfwireError {
  return new ShelfwireError('payload-too-large', `the body must be at most ${bytesMax} bytes`)
}
