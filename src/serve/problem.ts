import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { PROBLEMS, problemType, type ProblemKind } from '../../contract/problems.ts'
import type { ProblemBody } from '../../contract/problem-schema.ts'
import { QuotaExceeded } from '../accounts/limits/quota.ts'
import { databaseProblem } from '../db/connections/connection-errors.ts'
import { ShelfwireError, type ErrorCode } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { sendAnswer, type Answer } from './answer.ts'
import { noteRefusal } from './refusals.ts'

/** Kinds by code, with their status: the only place where our errors become HTTP. */
const KINDS: Readonly<Record<ErrorCode, ProblemKind>> = PROBLEMS

/** The body of an error answer, with a relative type; `sendProblem` makes that a whole URL. */
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

/** A problem as it is sent, with a whole URL as its type. Also counts the refusal. */
export function sentProblem(body: ProblemBody, publicUrl: string): ProblemBody {
  noteRefusal(body.code)
  return { ...body, type: publicUrl + body.type }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Base URL of the service, for problems. */
    publicUrl: () => string
  }
}

/** A problem with the headers that belong to its status. @param retryAfter seconds, if the client may try again */
function problemAnswer(body: ProblemBody, publicUrl: string, retryAfter?: number): Answer {
  const { status } = body
  const seconds = retryAfter ?? (status === 503 ? 1 : undefined)
  return {
    status,
    code: body.code,
    headers: {
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }),
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
    },
    body: Buffer.from(JSON.stringify(sentProblem(body, publicUrl))),
  }
}

/** Answers with a problem; also sets the headers that belong to its status. */
export function sendProblem(reply: FastifyReply, body: ProblemBody): FastifyReply {
  return sendAnswer(reply, problemAnswer(body, reply.server.publicUrl()))
}

/** Answers with the problem for an error. */
export function sendError(request: FastifyRequest, reply: FastifyReply, thrown: Error): FastifyReply {
  return sendAnswer(reply, errorAnswer(thrown, request.method, request.log, reply.server.publicUrl()))
}

const READING = new Set(['GET', 'HEAD'])

/** The problem for an error, in a request with this method. @param log the request's */
export function errorAnswer(
  thrown: Error,
  method: string,
  log: Pick<FastifyBaseLogger, 'debug' | 'warn' | 'error'>,
  publicUrl: string,
): Answer {
  const error = databaseProblem(thrown, READING.has(method)) ?? thrown
  const retryAfter = error instanceof ShelfwireError ? (error.retryAfterSeconds ?? undefined) : undefined
  return problemAnswer(toProblem(error, log), publicUrl, retryAfter)
}

/** Converts any error: ours by its code, the framework's by its status, all others to a 500 without internals. */
function toProblem(error: Error | FastifyError, log: Pick<FastifyBaseLogger, 'debug' | 'warn' | 'error'>): ProblemBody {
  if (error instanceof ShelfwireError) {
    const { status, statusToWait } = KINDS[error.code]
    const isToWait = statusToWait !== undefined && error.retryAfterSeconds !== null
    const body = problemBody(error.code, error.message, error.faults, isToWait ? statusToWait : status)
    if (error instanceof QuotaExceeded) return { ...body, quota: error.quota }
    // A failed request on the database is a warning and not an error of this service. Without a cause nothing was tried: the node was
    // known to be away, which has been logged.
    if (error.code === 'database-unavailable')
      log[error.cause === undefined ? 'debug' : 'warn']({ err: error }, 'request failed')
    else if (body.status >= 500) log.error({ err: error }, 'request failed')
    return body.status === 500 ? problemBody('internal', 'the request could not be answered; try again later') : body
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  if (status === 413) return problemBody('payload-too-large', 'the request is larger than this service reads')
  if (status === 414) return problemBody('uri-too-long', `an address has at most ${LIMITS.requestUrlBytesMax} bytes`)
  if (status === 415) return problemBody('unsupported-media-type', 'send the body as application/json')
  if (status === 404) return problemBody('unknown-route', 'there is nothing at this address')
  if (status >= 400 && status < 500) return problemBody('bad-request', 'the request could not be understood')
  log.error({ err: error }, 'request failed')
  return problemBody('internal', 'the request could not be answered; try again later')
}
