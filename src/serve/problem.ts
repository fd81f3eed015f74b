import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { PROBLEMS, problemType, type ProblemKind } from '../../contract/problems.ts'
import type { ProblemBody } from '../../contract/schemas.ts'
import { QuotaExceeded } from '../accounts/limits/quota.ts'
import { databaseProblem } from '../db/connection-errors.ts'
import { ShelfwireError, type ErrorCode } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'

/** Every code has its status; the one place where our errors become HTTP. */
const KINDS: Readonly<Record<ErrorCode, ProblemKind>> = PROBLEMS

/** The body of an error answer; `sendProblem` makes its type a whole URL. */
export function problemBody(
  code: ErrorCode,
  detail: string,
  faults: ShelfwireError['faults'] = [],
  status: number = KINDS[code].status,
): ProblemBody {
  const { title } = KINDS[code]
  return {
    type: problemType('', code),
    title,
    status,
    detail,
    code,
    ...(faults.length > 0 ? { errors: faults.map(({ name, reason }) => ({ name, reason })) } : {}),
  }
}

/** A problem as it is sent: its type is an address of this service. */
export const withAddress = (body: ProblemBody, publicUrl: string): ProblemBody => ({
  ...body,
  type: publicUrl + body.type,
})

declare module 'fastify' {
  interface FastifyInstance {
    /** Base URL of the service, for problems. */
    publicUrl: () => string
  }
}

/** Answers with a problem; also sets the headers that belong to its status. */
export function sendProblem(reply: FastifyReply, body: ProblemBody): FastifyReply {
  if (body.status === 401) void reply.header('WWW-Authenticate', 'Bearer')
  if (body.status === 503 && !reply.hasHeader('Retry-After')) void reply.header('Retry-After', '1')
  return reply
    .code(body.status)
    .header('Content-Type', 'application/problem+json')
    .header('Cache-Control', 'no-store')
    .send(Buffer.from(JSON.stringify(withAddress(body, reply.server.publicUrl()))))
}

/** Answers with the problem that an error is. */
export function sendError(request: FastifyRequest, reply: FastifyReply, thrown: Error): FastifyReply {
  const error = databaseProblem(thrown, READING.has(request.method)) ?? thrown
  const body = toProblem(error, request)
  if (error instanceof ShelfwireError && error.retryAfterSeconds !== null)
    void reply.header('Retry-After', String(error.retryAfterSeconds))
  return sendProblem(reply, body)
}

const READING = new Set(['GET', 'HEAD'])

/** Converts any error: ours by its code, the framework's by its status, all others to a 500 without internals. */
function toProblem(error: Error | FastifyError, request: FastifyRequest): ProblemBody {
  if (error instanceof ShelfwireError) {
    const { status, statusToWait } = KINDS[error.code]
    const isToWait = statusToWait !== undefined && error.retryAfterSeconds !== null
    const body = problemBody(error.code, error.message, error.faults, isToWait ? statusToWait : status)
    if (error instanceof QuotaExceeded) return { ...body, quota: error.quota }
    // a database that is away is logged once and not with every request; a node that is known to be away was logged
    // already
    if (error.code === 'database-unavailable')
      request.log[error.cause === undefined ? 'debug' : 'warn']({ err: error }, 'request failed')
    else if (body.status >= 500) request.log.error({ err: error }, 'request failed')
    return body.status === 500 ? problemBody('internal', 'the request could not be answered; try again later') : body
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  if (status === 413) return problemBody('payload-too-large', 'the request is larger than this service reads')
  if (status === 414) return problemBody('uri-too-long', `an address has at most ${LIMITS.requestUrlBytesMax} bytes`)
  if (status === 415) return problemBody('unsupported-media-type', 'send the body as application/json')
  if (status === 404) return problemBody('unknown-route', 'there is nothing at this address')
  if (status >= 400 && status < 500) return problemBody('bad-request', 'the request could not be understood')
  request.log.error({ err: error }, 'request failed')
  return problemBody('internal', 'the request could not be answered; try again later')
}
