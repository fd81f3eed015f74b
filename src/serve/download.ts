import { pipeline, Readable, type Duplex } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { codingOf, type Coding } from './coding.ts'
import { openSlots, type Slots } from './slots.ts'

/** The coders flush after each part: without it Brotli holds back megabytes before its first byte. */
const CODERS: Readonly<Record<Coding, () => Duplex>> = {
  zstd: () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
  br: () =>
    createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH, level: 6 }),
}

/** Retry-After when all slots are taken. A guess, because a download may take seconds or hours. */
const RETRY_AFTER_SECONDS = 10
const BUFFER_BYTES = 65_536

/** Limits the downloads of this process to LIMITS.exportsPerAccountMax per account, and in all. */
export function openDownloadSlots(): Slots {
  const { exportsMax: all, exportsPerAccountMax: ofAccount } = LIMITS
  return openSlots('downloads', { all, ofAccount }, (whose) => {
    const why =
      whose === 'own'
        ? `at most ${ofAccount} downloads of an account at once`
        : 'the service sends as many downloads as it can'
    return new ShelfwireError('rate-limited', `${why}; see Retry-After`, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  })
}

/**
 * Streams parts as fast as the client reads them. The first part is produced before anything is sent, so that an
 * early failure can still be a problem. A later failure, or a client that reads nothing for LIMITS.exportStallMs, destroys the
 * connection, because a truncated body must not look complete. After the client disconnects no more parts are produced.
 * @param release called once, when the download has ended in any way. @param headers of the 200.
 */
export async function sendParts(
  request: FastifyRequest,
  reply: FastifyReply,
  release: () => void,
  parts: AsyncGenerator<string>,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  let first: IteratorResult<string, unknown>
  try {
    first = await parts.next()
  } catch (error) {
    release()
    throw error
  }
  const stream = Readable.from(resumed(first, parts), { objectMode: false, highWaterMark: BUFFER_BYTES })
  stream.once('close', release)
  // if the coder has sent nothing yet, Fastify would answer with an error under these headers, which claim a coded body
  stream.once('error', () => {
    if (!reply.raw.headersSent) reply.raw.destroy()
  })
  // if the client has disconnected before, no event will close the stream
  if (reply.raw.destroyed || request.raw.socket.destroyed) stream.destroy()
  void reply.headers(headers)
  reply.raw.setTimeout(LIMITS.exportStallMs)
  const coding = codingOf(request.headers['accept-encoding'])
  if (coding === null) return reply.send(stream)
  void reply.header('Content-Encoding', coding)
  // an error of the source or of the coder destroys the response
  return reply.send(pipeline(stream, CODERS[coding](), () => {}))
}

async function* resumed(first: IteratorResult<string, unknown>, parts: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done === true) return
  yield first.value
  yield* parts
}
