import type { IncomingMessage } from 'node:http'

// The signature of a webhook is of the bytes of its body, so they are kept.

/** Larger than any delivery. */
const BYTES_MAX = 1_000_000

type Request = IncomingMessage & { rawBody?: Uint8Array; _body?: boolean }

/** Middleware that keeps the bytes of a request as `rawBody`. A body that is too large gets none, so that no signature is valid. */
export function keepRawBody(request: Request, _response: unknown, next: (error?: unknown) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= BYTES_MAX) chunks.push(chunk)
  })
  request.once('end', () => {
    if (size <= BYTES_MAX) request.rawBody = Buffer.concat(chunks)
    // tells body parsers that this body has been read
    request._body = true
    next()
  })
  request.once('error', next)
}
