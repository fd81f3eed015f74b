import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import type { ProblemBody } from '../../contract/problem-schema.ts'
import { must } from '../platform/must.ts'
import { requestIdOf, standardHeaders } from './headers.ts'
import { problemBody, sentProblem } from './problem.ts'
import { headersTooLarge, uriTooLong } from './well-formed.ts'

// Answers requests that reach no route: Node's parser refuses them, they arrive too slowly, or Node reports them by events of their own.
// Node's own answers would have no body.

/** An error that Node reports of a connection, with the members that it adds. */
interface ConnectionError extends Error {
  code?: string
  /** The bytes that the parser had when it failed, and its position in them. */
  rawPacket?: unknown
  bytesParsed?: number
}

interface Refusal {
  body: ProblemBody
  /** The header Allow of a 405. */
  allow?: string
}

/** The server that answers. */
interface Answering {
  /** Base URL of the service, for problems. */
  publicUrl: () => string
  log: Log
}

/** The socket is destroyed after this time, even if the client has not read the answer. */
const LINGER_MS = 2_000

/**
 * Answers on a socket whose request could not be read, and ends the connection, because it is unknown where the next request
 * begins.
 * @param server.methodsAt the methods of a path; null if the path is unknown.
 */
export function refuseUnread(
  error: ConnectionError,
  socket: Duplex,
  server: Answering & { methodsAt: (path: string) => string | null },
): void {
  // answered before; to destroy the socket while the client is still sending could cost it the answer
  if (socket.writableEnded) return
  const answering = (socket as { _httpMessage?: ServerResponse | null })._httpMessage
  const isAnswering = answering !== null && answering !== undefined && !answering.writableEnded
  // bytes of another answer must not follow an answer that has begun
  if (error.code === 'ECONNRESET' || !socket.writable || (isAnswering && answering.headersSent)) {
    socket.destroy()
    return
  }
  const refuse = () => {
    if (!socket.writableEnded) answerOnSocket(socket, refusalOf(error, server.methodsAt), server)
  }
  // the request that is being answered has arrived completely, so the unreadable one is the next, and waits its turn
  if (isAnswering && answering.req.complete) answering.once('finish', refuse)
  else refuse()
}

function refusalOf(error: ConnectionError, methodsAt: (path: string) => string | null): Refusal {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        body: problemBody(
          'request-timeout',
          `a request must arrive within ${LIMITS.requestTimeoutMs / 1_000} s; a file neither rests for so long nor comes more slowly than ${LIMITS.uploadPaceBytesMin / 1_024} kB a minute`,
        ),
      }
    case 'HPE_HEADER_OVERFLOW': {
      const { code, message } = isWithinAddress(error) ? uriTooLong() : headersTooLarge()
      return { body: problemBody(code, message) }
    }
    case 'HPE_INVALID_METHOD':
      return unknownMethod(error, methodsAt)
    case undefined:
    default:
      return { body: problemBody('bad-request', 'the request is not valid HTTP') }
  }
}

/** The line in which the parser failed, as far as it has arrived. */
function lineAt({ rawPacket, bytesParsed = 0 }: ConnectionError): string {
  if (!Buffer.isBuffer(rawPacket)) return ''
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf(0x0a, bytesParsed - 1) + 1
  const end = rawPacket.indexOf(0x0a, start)
  return rawPacket.toString('latin1', start, end === -1 ? rawPacket.length : end)
}

/** Whether the parser failed within the URL. If the URL came in several packets only the last is known, and this returns false. */
function isWithinAddress(error: ConnectionError): boolean {
  return /^[A-Z]+ [^ ]*$/.test(lineAt(error))
}

/** A method that Node's parser does not know, in a request line that is otherwise well formed. */
function unknownMethod(error: ConnectionError, methodsAt: (path: string) => string | null): Refusal {
  const [, method, path] = /^([\w!#$%&'*+.^`|~-]{1,40}) ([^ ]{1,2000}) HTTP\/1\.[01]\r?$/.exec(lineAt(error)) ?? []
  if (method === undefined || path === undefined)
    return { body: problemBody('bad-request', 'the request is not valid HTTP') }
  const allow = methodsAt(pathOf(path))
  return allow === null
    ? { body: problemBody('method-not-implemented', `${method} is not a method of this service`) }
    : { body: problemBody('method-not-allowed', `${method} is not possible here; Allow names what is`), allow }
}

/** The path as sent; a request target may also be a whole URL (RFC 9112, absolute-form). */
export function pathOf(target: string): string {
  return must(target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0])
}

function answerOnSocket(socket: Duplex, { body, allow }: Refusal, { publicUrl, log }: Answering): void {
  const requestId = randomUUID()
  const text = JSON.stringify(sentProblem(body, publicUrl()))
  const headers = {
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(text)),
    'Cache-Control': 'no-store',
    ...(allow === undefined ? {} : { Allow: allow }),
    ...standardHeaders(requestId),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  log.debug({ request_id: requestId, status: body.status, code: body.code }, 'refused')
  const answer = `HTTP/1.1 ${body.status} ${STATUS_CODES[body.status] ?? ''}\r\n${lines.join('')}\r\n${text}`
  if (body.status === 408) {
    // destroyed at once: bytes that still arrive could complete the request, which would then be executed
    socket.end(answer, () => socket.destroy())
    return
  }
  socket.end(answer)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** Answers expectations other than 100-continue, for which Node sends an empty 417, and CONNECT, for which Node closes the connection. */
export function answerSpecialRequests(server: Server, answering: Answering): void {
  const { publicUrl, log } = answering
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const body = problemBody('expectation-failed', 'the only expectation that is met is 100-continue')
    const text = JSON.stringify(sentProblem(body, publicUrl()))
    const requestId = requestIdOf(request.headers['x-request-id'])
    log.debug({ request_id: requestId, status: body.status, code: body.code }, 'refused')
    response
      .writeHead(body.status, {
        'Content-Type': 'application/problem+json',
        'Content-Length': Buffer.byteLength(text),
        'Cache-Control': 'no-store',
        ...standardHeaders(requestId),
      })
      .end(text)
  })
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    answerOnSocket(
      socket,
      { body: problemBody('method-not-implemented', 'CONNECT is not a method of this service') },
      answering,
    )
  })
}
