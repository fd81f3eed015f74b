import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { LIMITS } from '../platform/limits.ts'

// How long a request may take to arrive. Node's server.requestTimeout is one time for all requests of a server, and a supplier's file
// takes longer than anything else. So Node limits only the headers, and this file limits the bodies.
// docs/decisions/066-bodies-take-their-place-before-they-are-read.md says why.

/** Times of the bodies that are arriving at a server. */
export interface Arrival {
  /** For a whole body; LIMITS.requestTimeoutMs, and less in tests. */
  timeoutMs: number
  /** After this time a large body must have come at half the pace, at least, that would bring all of it within `timeoutMs`. */
  largeGraceMs: number
  /** A file: how long no byte of it may come. */
  fileStallMs: number
  /** How long all of it may take. */
  fileMs: number
  /** In every such time in which the client was waited for, LIMITS.uploadPaceBytesMin must come. */
  filePaceMs: number
  /** Gives the body of a request the times of a file. */
  ofFile(request: IncomingMessage): FileArrival
}

/** The body of a request that is a file. */
export interface FileArrival {
  /** True: we wait for bytes from the client. False: the client waits until we have worked on those that are here. */
  isWaiting: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    arrival: Arrival
  }
}

interface Arriving {
  since: number
  /** Its answer; undefined where there will be none. */
  response: ServerResponse | undefined
  /** Content-Length of a large body, which takes that much of the room for all large bodies; 0 for any other. */
  largeLength: number
  /** When we began to read a large body, and how many bytes of the connection had come by then; null before that. */
  reading: { since: number; bytes: number } | null
  /** Progress of a file; null for any other body. */
  file: (FileArrival & { bytes: number; lastAt: number; pace: FilePace }) | null
}

/** The pace of a file since it was last judged: for how long we have waited for the client, and how many bytes had come before. */
interface FilePace {
  lookedAt: number
  waitedMs: number
  bytes: number
}

/** Reports bodies that do not arrive in time as Node reports its timeouts: by the server's event `clientError`. */
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
  // as for files that sources fetch: a client that sends a byte now and then also keeps its place occupied
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
        // a second answer would be taken for that of the next request
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
  // before the framework's own listener, which may already call the handler
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
