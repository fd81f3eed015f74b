import type { Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Writes a stream into a target that has to be opened first. Where opening fails, the stream is destroyed: else a connection to a bucket would
 * stay open. A stream that fails while the target is being opened rejects this call; without a listener its error would end the process.
 */
export async function pipeInto(
  stream: Readable,
  open: () => Promise<Writable>,
  through: readonly Transform[] = [],
): Promise<void> {
  stream.on('error', () => {})
  try {
    const target = await open()
    await pipeline([stream, ...through, target])
  } finally {
    stream.destroy()
  }
}
