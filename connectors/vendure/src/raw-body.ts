import type { IncomingMessage } from 'node:http'

// A signature is of the bytes as they came.

/** Larger than any delivery. */
const BYTES_MAX = 1_000_000

type Request = IncomingMessage & { rawBody?: Uint8Array; _body?: boolean }

/** Keeps the bytes of a request. What is too large has none, so that no signature fits. */
export function keepRawBody(request: Request, _response: unknown, next: (error?: unknown) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= BYTES_MAX) chunks.push(chunk)
  })
  request.once('end', () => {
    if (size <= BYTES_MAX) request.rawBody = Buffer.concat(chunks)
    // says to what parses bodies that this one is read
    request._body = true
    next()
  })
  request.once('error', next)
}
