import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DOCS } from '../../contract/routes/operator.ts'

// Headers of every answer, whether a route gives it, the framework, or a socket whose request could not be read.

/** Data must never be run or framed as a page, whatever it contains. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** A client's request id must fit into a log line and a header without escaping. */
const REQUEST_ID = /^[\w.:=+/-]{1,128}$/

/** Headers of every answer besides its request id. Pages replace the policy by their own. */
export const STANDARD_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': DATA_POLICY,
} as const satisfies Readonly<Record<string, string>>

/** The request's id: the client's X-Request-Id if it is well formed, otherwise a new one. */
export function requestIdOf(given: unknown): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

/** The headers of every answer as an object, for answers that are written without the framework. */
export function standardHeaders(requestId: string): Record<string, string> {
  return { 'X-Request-Id': requestId, ...STANDARD_HEADERS }
}

/** Sets the headers of every answer. */
export function setStandardHeaders(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id).headers(STANDARD_HEADERS)
  if (!request.url.startsWith(DOCS.path)) return
  // for browsers that do not know frame-ancestors
  void reply.header('x-frame-options', 'DENY')
}
