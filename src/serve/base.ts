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
import { closeStalledConnections } from './unread-answers.ts'
import { answerSpecialRequests, pathOf, refuseUnread } from './unread-requests.ts'
import { requireWellFormed } from './well-formed.ts'

/**
 * A server without routes. It answers everything that matches no route with a problem, and sets the standard headers of every answer.
 * @param table the routes that it will have, for 405. @param trustedProxies whose X-Forwarded-For is believed, as CIDR.
 * @param publicUrl base of the links from problems to their pages.
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
    // no route gives Fastify a schema, and its schema compilers would load 100 modules and take a twentieth of the start
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // no limit of its own: an id that is too long is answered like an unknown one
    routerOptions: { maxParamLength: LIMITS.requestUrlBytesMax },
    // Fastify calls this without running the hooks, when it cannot parse the URL
    frameworkErrors(error, request, reply) {
      setStandardHeaders(request, reply)
      void sendError(request, reply, error)
    },
    // limitArrival() limits the time for whole requests, because files may take longer than other bodies
    requestTimeout: 0,
    http: {
      maxHeaderSize: LIMITS.requestHeadBytesMax,
      // Node would refuse a request without Host with an empty body; requireWellFormed answers it with a problem
      requireHostHeader: false,
      // Node's default is 60 s
      headersTimeout: LIMITS.requestTimeoutMs,
      // Node's default is 30 s
      connectionsCheckingInterval: LIMITS.requestTimeoutCheckMs,
    },
    // requests that arrive during the drain are answered, and their connections closed
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    clientErrorHandler: (error, socket) => refuseUnread(error, socket, { methodsAt, publicUrl, log }),
  })
  app.decorate('publicUrl', publicUrl)
  app.decorate('arrival', limitArrival(app.server))
  closeStalledConnections(app.server)
  app.decorateRequest('bodyPlace', null)
  app.decorateRequest('accountPlace', null)
  app.decorateReply('problemCode', null)
  answerSpecialRequests(app.server, { publicUrl, log })
  const unused = hangUpWhenDone(app)
  app.decorate('unusedConnections', unused)
  // one hook, because each additional hook costs time in every request
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
  app.setErrorHandler((error, request, reply) => {
    const thrown = asError(error)
    // Fastify refuses a QUERY without a media type before it calls the handler of unknown routes; no route here takes that method
    if ('code' in thrown && thrown.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') notFound(request, reply, methodsAt)
    else sendError(request, reply, thrown)
  })
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
 * At shutdown closes the connections that have no request in flight. Node closes those that become idle but not those that
 * never sent a request, and Fastify closes idle connections only once.
 * @returns the connections without a request so far; the first handler of a request must remove its connection.
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
