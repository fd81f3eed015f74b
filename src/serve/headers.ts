import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DOCS } from '../../contract/routes/operator.ts'

// What every answer carries, wherever it comes from: a route, the framework, or a socket whose request could not be
// read.

/** Data is never run or framed, whatever it contains. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** A client's own id: what a log line and a header can hold without escaping. */
const REQUEST_ID = /^[\w.:=+/-]{1,128}$/

/** Headers of every answer, besides its id: what is no page is data. */
export const STANDARD_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': DATA_POLICY,
} as const satisfies Readonly<Record<string, string>>

/** The request's id: the client's X-Request-Id where it is well formed, else a new one. */
export function requestIdOf(given: unknown): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

/** The headers of every answer as an object, for answers that no route gives. */
export function standardHeaders(requestId: string): Record<string, string> {
  return { 'X-Request-Id': requestId, ...STANDARD_HEADERS }
}

/** Sets the headers of every answer. */
export function setStandardHeaders(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id).headers(STANDARD_HEADERS)
  if (!request.url.startsWith(DOCS.path)) return
  // for browsers that do not know frame-ancestors; the pages have policies of their own
  void reply.header('x-frame-options', 'DENY')
}
