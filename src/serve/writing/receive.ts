import type { Readable } from 'node:stream'
import { ShelfwireError } from '../../platform/errors.ts'
import type { BodyPlace } from './body-budget.ts'

/** The first size of the buffer for a body without Content-Length; it is doubled as needed. */
const FIRST_BYTES = 16_384

/**
 * Receives a body into one buffer.
 * @param length Content-Length, for which the place has been taken; null: the place grows as bytes arrive.
 * @param onChunk called with each part.
 * @throws ShelfwireError payload-too-large beyond `bytesMax`; rate-limited if the place cannot grow, but only after the rest of
 * the body has arrived, because a client that is still sending might not read the answer; bad-request if the client disconnects.
 */
export function receive(
  payload: Readable,
  place: BodyPlace,
  length: number | null,
  bytesMax: number,
  onChunk: (chunk: Buffer) => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // memory that has not been written to is not resident, so a client that declares much and sends little costs little
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
    // after "aborted" there is a close, which ends it in any case
    payload.on('error', onClose)
    payload.resume()
  })
}

export function tooLarge(bytesMax: number): ShelfwireError {
  return new ShelfwireError('payload-too-large', `the body must be at most ${bytesMax} bytes`)
}
