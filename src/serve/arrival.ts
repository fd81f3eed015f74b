import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { LIMITS } from '../platform/limits.ts'

// How long a request may take to arrive. Node's server.requestTimeout is one time for all requests of a server, and a supplier's file
// takes longer than anything else: so Node limits the headers only, and this the bodies.
// docs/decisions/066-bodies-take-their-place-before-they-are-read.md says why.

/** Times of the bodies that are arriving at a server. */
export interface Arrival {
  /** For a whole body; LIMITS.requestTimeoutMs, and less in tests. */
  timeoutMs: number
  /** For a file: without a byte of it, and in all. */
  fileStallMs: number
  fileMs: number
  /** Gives the body of a request the times of a file. */
  ofFile(request: IncomingMessage): FileArrival
}

/** The body of a request that is a file. */
export interface FileArrival {
  /** Says whether the client is waited for, or has to wait for what is done with the bytes that are here. */
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
  /** Progress of a file; null for any other body. */
  file: (FileArrival & { bytes: number; lastAt: number }) | null
}

/** Reports bodies that do not arrive in time as Node reports its timeouts: by the server's event `clientError`. */
export function limitArrival(server: Server): Arrival {
  const arriving = new Map<IncomingMessage, Arriving>()
  const isLate = (request: IncomingMessage, { since, file }: Arriving, now: number): boolean => {
    if (file === null) return now - since > arrival.timeoutMs
    const { bytesRead } = request.socket
    if (!file.isWaiting || bytesRead !== file.bytes) Object.assign(file, { bytes: bytesRead, lastAt: now })
    return now - file.lastAt > arrival.fileStallMs || now - since > arrival.fileMs
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
  // before the framework's own listener, which may have called the handler when it returns
  server.prependListener('request', (request, response) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    if (coding === undefined && (length === undefined || length === '0')) return
    arriving.set(request, { since: performance.now(), response, file: null })
  })
  const arrival: Arrival = {
    timeoutMs: LIMITS.requestTimeoutMs,
    fileStallMs: LIMITS.requestTimeoutMs,
    fileMs: LIMITS.uploadMs,
    ofFile(request) {
      const now = performance.now()
      const file = { isWaiting: false, bytes: request.socket.bytesRead, lastAt: now }
      const known = arriving.get(request)
      arriving.set(request, { since: known?.since ?? now, response: known?.response, file })
      return file
    },
  }
  return arrival
}
