import type { Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Writes a stream to a target that has to be opened first. If opening fails, the stream is destroyed, because a connection to a bucket would stay
 * open otherwise. If the stream fails while the target is being opened, this call rejects; without a listener, the stream's error would end the
 * process.
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
