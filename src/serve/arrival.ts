import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { LIMITS } from '../platform/limits.ts'

// Limits how long the body of a request may take to arrive. Node's server.requestTimeout is one value for all requests, but a supplier's
// file may take longer than any other body. So Node limits only the headers, and this file the bodies.
// docs/decisions/066-bodies-take-their-place-before-they-are-read.md says why.

/** Time limits for the bodies that arrive at a server. Times are in milliseconds. */
export interface Arrival {
  /** For a whole body that is no file: LIMITS.requestTimeoutMs, less in tests. */
  timeoutMs: number
  /** After this time a large body must be arriving at no less than half the rate that completes it within `timeoutMs`. */
  largeGraceMs: number
  /** The longest time without a byte of a file. */
  fileStallMs: number
  /** The longest time for a whole file. */
  fileMs: number
  /** In each such period of waiting for the client, at least LIMITS.uploadPaceBytesMin of a file must arrive. */
  filePaceMs: number
  /** Applies the limits of a file to the body of a request. */
  ofFile(request: IncomingMessage): FileArrival
}

/** The body of a request that is a file. */
export interface FileArrival {
  /** True: we are waiting for bytes from the client. False: we are still processing those that have arrived. */
  isWaiting: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    arrival: Arrival
  }
}

interface Arriving {
  since: number
  /** The answer to the request; undefined where there will be none. */
  response: ServerResponse | undefined
  /** Content-Length of a large body, which takes as many bytes of the budget for large bodies; 0 for any other. */
  largeLength: number
  /** When we began to read a large body, and `bytesRead` of the connection at that time; null before. */
  reading: { since: number; bytes: number } | null
  /** Progress of a file; null for any other body. */
  file: (FileArrival & { bytes: number; lastAt: number; pace: FilePace }) | null
}

/** The pace of a file since its last check: how long we have waited for the client, and `bytesRead` of the connection at that time. */
interface FilePace {
  lookedAt: number
  waitedMs: number
  bytes: number
}

/** Reports late bodies as Node reports its own timeouts: by the server's event `clientError`. */
export function limitArrival(server: Server): Arrival {
  const arriving = new Map<IncomingMessage, Arriving>()
  const isLate = (request: IncomingMessage, body: Arriving, now: number): boolean => {
    const { since, file } = body
    const { bytesRead } = request.socket
    if (file === null) return now - since > arrival.timeoutMs || isLargeAndSlow(request, body, now)
    if (!file.isWaiting || bytesRead !== file.bytes) Object.assign(file, { bytes: bytesRead, lastAt: now })
    return now - file.lastAt > arrival.fileStallMs || now - since > arrival.fileMs || isSlowFile(file, bytesRead, now)
  }
  const isLargeAndSlow = (request: IncomingMessage, body: Arriving, now: number): boolean => {
    if (body.largeLength === 0 || request.readableFlowing !== true) return false
    const { bytesRead } = request.socket
    body.reading ??= { since: now, bytes: bytesRead }
    const { since, bytes } = body.reading
    const share = (now - since - arrival.largeGraceMs) / arrival.timeoutMs
    return bytesRead - bytes < (body.largeLength * share) / 2
  }
  // a client that sends a byte now and then must not keep its place for hours; files that sources fetch have the same rule
  const isSlowFile = ({ isWaiting, pace }: NonNullable<Arriving['file']>, bytesRead: number, now: number): boolean => {
    if (isWaiting) pace.waitedMs += now - pace.lookedAt
    pace.lookedAt = now
    if (pace.waitedMs < arrival.filePaceMs) return false
    const come = bytesRead - pace.bytes
    Object.assign(pace, { waitedMs: 0, bytes: bytesRead })
    return come < LIMITS.uploadPaceBytesMin
  }
  const look = setInterval(() => {
    const now = performance.now()
    for (const [request, body] of arriving) {
      if (request.complete || request.destroyed) arriving.delete(request)
      else if (isLate(request, body, now)) {
        arriving.delete(request)
        // the answer has been sent: the client would take a second one for the answer to its next request
        if (body.response?.writableEnded === true) {
          request.socket.destroy()
          continue
        }
        const late = Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
        server.emit('clientError', late, request.socket)
      }
    }
  }, LIMITS.requestTimeoutCheckMs)
  look.unref()
  server.once('close', () => clearInterval(look))
  // runs before the framework's own listener, which may already call the handler
  server.prependListener('request', (request, response) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    if (coding === undefined && (length === undefined || length === '0')) return
    const largeLength = Number(length) > LIMITS.largeBodyBytes ? Number(length) : 0
    arriving.set(request, { since: performance.now(), response, largeLength, reading: null, file: null })
  })
  const arrival: Arrival = {
    timeoutMs: LIMITS.requestTimeoutMs,
    fileStallMs: LIMITS.requestTimeoutMs,
    fileMs: LIMITS.uploadMs,
    largeGraceMs: LIMITS.largeBodyGraceMs,
    filePaceMs: LIMITS.uploadPaceMs,
    ofFile(request) {
      const now = performance.now()
      const { bytesRead: bytes } = request.socket
      const file = { isWaiting: false, bytes, lastAt: now, pace: { lookedAt: now, waitedMs: 0, bytes } }
      const known = arriving.get(request)
      arriving.set(request, {
        since: known?.since ?? now,
        response: known?.response,
        largeLength: 0,
        reading: null,
        file,
      })
      return file
    },
  }
  return arrival
}
