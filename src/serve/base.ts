import type { Socket } from 'node:net'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Route } from '../../contract/route.ts'
import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { limitArrival } from './arrival.ts'
import { methodsByPath } from './handle.ts'
import { requestIdOf, setStandardHeaders } from './headers.ts'
import { problemBody, sendError, sendProblem } from './problem.ts'
import { limitUnread } from './unread-answers.ts'
import { answerSpecialRequests, pathOf, refuseUnread } from './unread-requests.ts'
import { requireWellFormed } from './well-formed.ts'

/**
 * A server without routes, which answers everything that is no request of one with a problem, and gives every answer its
 * headers.
 * @param table the routes that it will have, for 405. @param trustedProxies whose X-Forwarded-For names the client, as CIDR.
 * @param publicUrl where the pages are that problems lead to.
 */
export function openBase(
  log: Log,
  table: readonly Route[],
  trustedProxies: readonly string[],
  publicUrl: () => string,
): FastifyInstance {
  const methodsAt = methodsByPath(table)
  const loggerInstance: FastifyBaseLogger = log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: LIMITS.requestBodyBytesMax,
    // no route has a schema for Fastify: its compilers would be 100 modules and a twentieth of the time of a start
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // the limit on headers is the effective one: an over-long id is answered like an unknown one
    routerOptions: { maxParamLength: LIMITS.requestUrlBytesMax },
    // without hooks: the address could not be read
    frameworkErrors(error, request, reply) {
      setStandardHeaders(request, reply)
      void sendError(request, reply, error)
    },
    // of whole requests: limitArrival() does it, because files take longer than anything else
    requestTimeout: 0,
    http: {
      maxHeaderSize: LIMITS.requestHeadBytesMax,
      // Node would refuse a request without Host with an empty body; requireWellFormed does with a problem
      requireHostHeader: false,
      // Node's own is 60 s
      headersTimeout: LIMITS.requestTimeoutMs,
      // Node looks for late requests only every 30 s
      connectionsCheckingInterval: LIMITS.requestTimeoutCheckMs,
    },
    // requests that arrive during the drain are answered normally, and their connections closed
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    clientErrorHandler: (error, socket) => refuseUnread(error, socket, { methodsAt, publicUrl, log }),
  })
  app.decorate('publicUrl', publicUrl)
  app.decorate('arrival', limitArrival(app.server))
  limitUnread(app.server)
  app.decorateRequest('bodyPlace', null)
  app.decorateRequest('accountPlace', null)
  app.decorateReply('problemCode', null)
  answerSpecialRequests(app.server, { publicUrl, log })
  const unused = hangUpWhenDone(app)
  app.decorate('unusedConnections', unused)
  // one hook for all of it: each costs every request
  app.addHook('onRequest', (request, reply, done) => {
    unused.delete(request.raw.socket)
    setStandardHeaders(request, reply)
    try {
      requireWellFormed(request.raw)
      done()
    } catch (error) {
      done(asError(error))
    }
  })
  app.setErrorHandler((error, request, reply) => sendError(request, reply, asError(error)))
  app.setNotFoundHandler((request, reply) => notFound(request, reply, methodsAt))
  return app
}

function refuseSchemas(): never {
  throw new Error('a route has a schema for Fastify: shapes are read by src/serve/writing/shape.ts')
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Connections without a request so far. */
    unusedConnections: Set<Socket>
  }
}

/** Answers a request for which there is no handler. */
export function notFound(
  request: FastifyRequest,
  reply: FastifyReply,
  methodsAt: (path: string) => string | null,
): FastifyReply {
  const methods = methodsAt(pathOf(request.url))
  request.log.debug({ status: methods === null ? 404 : 405 }, 'answered')
  if (methods !== null) {
    void reply.header('Allow', methods)
    return sendProblem(
      reply,
      problemBody('method-not-allowed', `${request.method} is not possible here; Allow names what is`),
    )
  }
  return sendProblem(reply, problemBody('unknown-route', 'there is nothing at this address; /docs lists what there is'))
}

/**
 * At shutdown closes connections without a request in flight. Node closes those that have become idle, but not those
 * that never sent a request, and fastify asks it only once.
 * @returns connections without a request so far; whoever sees the first request takes its connection out.
 */
function hangUpWhenDone(app: FastifyInstance): Set<Socket> {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.addHook('preClose', (done) => {
    const look = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of unused) socket.destroy()
    }, 20)
    app.server.once('close', () => clearInterval(look))
    done()
  })
  return unused
}
