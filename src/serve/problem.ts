import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ProblemBody } from '../../contract/schemas.ts'
import { isConnectionError } from '../db/connection-errors.ts'
import { ShelfwireError, type ErrorCode } from '../platform/errors.ts'

/** Status and title of every code; the one place where our errors become HTTP. */
const STATUS: Readonly<Record<ErrorCode, readonly [number, string]>> = {
  'invalid-parameters': [400, 'Invalid parameters'],
  'invalid-input': [422, 'Invalid input'],
  'bad-request': [400, 'Bad request'],
  'missing-token': [401, 'Bearer token missing'],
  'invalid-token': [401, 'Bearer token invalid'],
  'token-without-account': [403, 'Token tied to no account'],
  'insufficient-scope': [403, 'Token may only read'],
  'unknown-store': [404, 'Unknown store'],
  'unknown-product': [404, 'Unknown product'],
  'unknown-route': [404, 'Unknown route'],
  'unknown-account': [404, 'Unknown account'],
  'unknown-supplier': [404, 'Unknown supplier'],
  'unknown-reference': [404, 'Unknown reference'],
  'method-not-allowed': [405, 'Method not allowed'],
  conflict: [409, 'Conflict'],
  'precondition-failed': [412, 'Changed meanwhile'],
  'idempotency-key-reused': [422, 'Idempotency key used for another request'],
  'unknown-operation': [404, 'Unknown operation'],
  'cursor-ahead': [410, 'Cursor ahead of the feed'],
  'payload-too-large': [413, 'Request too large'],
  'unsupported-media-type': [415, 'Unsupported media type'],
  'import-refused': [422, 'Import refused'],
  'import-running': [409, 'Import running'],
  'source-unreadable': [422, 'Source unreadable'],
  'rate-limited': [429, 'Too many requests'],
  'request-timeout': [408, 'Request timeout'],
  'settings-invalid': [500, 'Internal error'],
  'database-unusable': [503, 'Database unusable'],
  'database-unavailable': [503, 'Database unavailable'],
  'shutting-down': [503, 'Shutting down'],
  'newer-release': [503, 'Newer release at work'],
  internal: [500, 'Internal error'],
}

/** The body of an error answer. */
export function problemBody(code: ErrorCode, detail: string, faults: ShelfwireError['faults'] = []): ProblemBody {
  const [status, title] = STATUS[code]
  return {
    type: `urn:shelfwire:problem:${code}`,
    title,
    status,
    detail,
    code,
    ...(faults.length > 0 ? { errors: faults.map(({ name, reason }) => ({ name, reason })) } : {}),
  }
}

/** Answers with a problem; also sets the headers that belong to its status. */
export function sendProblem(reply: FastifyReply, body: ProblemBody): FastifyReply {
  if (body.status === 401) void reply.header('WWW-Authenticate', 'Bearer')
  if (body.status === 503) void reply.header('Retry-After', '1')
  return reply
    .code(body.status)
    .header('Content-Type', 'application/problem+json')
    .header('Cache-Control', 'no-store')
    .send(Buffer.from(JSON.stringify(body)))
}

/** Converts any error: ours by its code, the framework's by its status, all others to a 500 without internals. */
export function toProblem(error: Error | FastifyError, request: FastifyRequest): ProblemBody {
  if (error instanceof ShelfwireError) {
    const body = problemBody(error.code, error.message, error.faults)
    if (body.status >= 500) request.log.error({ err: error }, 'request failed')
    return body.status === 500 ? problemBody('internal', 'the request could not be answered; try again later') : body
  }
  if (isConnectionError(error)) {
    request.log.warn({ err: error }, 'request failed: the database is unavailable')
    return problemBody(
      'database-unavailable',
      'the database could not be reached, or left in the middle; a write may or may not have been made: repeat it with the same Idempotency-Key',
    )
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  if (status === 413) return problemBody('payload-too-large', 'the request is larger than this service reads')
  if (status === 415) return problemBody('unsupported-media-type', 'send the body as application/json')
  if (status === 404) return problemBody('unknown-route', 'there is nothing at this address')
  if (status >= 400 && status < 500) return problemBody('bad-request', 'the request could not be understood')
  request.log.error({ err: error }, 'request failed')
  return problemBody('internal', 'the request could not be answered; try again later')
}
