import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DOCS } from '../../contract/routes/operator.ts'

// What every answer carries, wherever it comes from: a route, the framework, or a socket whose request could not be
// read.

/** Data is never run or framed, whatever it contains. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
/** For pages that load scripts, styles and pictures of their own, and send requests to the service. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A client's own id: what a log line and a header can hold without escaping. */
const REQUEST_ID = /^[\w.:=+/-]{1,128}$/

/** The request's id: the client's X-Request-Id where it is well formed, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

/** The headers of every answer as an object, for answers that no route gives. */
export function standardHeaders(requestId: string): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': DATA_POLICY,
  }
}

/** Sets the headers of every answer; one by one, because this runs for every request. */
export function setStandardHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const isPage = request.url.startsWith(DOCS.path)
  void reply
    .header('x-request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('content-security-policy', isPage ? PAGE_POLICY : DATA_POLICY)
  // for browsers that do not know frame-ancestors
  if (isPage) void reply.header('x-frame-options', 'DENY')
}
