import type { Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Passes a stream on to a target that has to be opened first. The stream is destroyed where that fails: a connection to a bucket would
 * stay open. It may break off meanwhile, which is an error of the caller and, whatever the stream is of, not of the process.
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
