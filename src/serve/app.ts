import type { Socket } from 'node:net'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { ROUTES } from '../../contract/routes.ts'
import type { ProblemBody } from '../../contract/schemas.ts'
import { DOCS } from '../../contract/routes/operator.ts'
import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { accountHandlers } from './account/handlers.ts'
import { explainHandlers } from './account/explain.ts'
import type { ServeContext } from './context.ts'
import { guard } from './guard.ts'
import { methodsByPath, requireDeclarations, requireFull } from './handle.ts'
import { problemBody, sendProblem, toProblem } from './problem.ts'
import { RequestTimes } from './request-times.ts'
import { catalogHandlers } from './routes/handlers.ts'
import { channelFile } from './routes/channel-file.ts'
import { documentation } from './routes/documentation.ts'
import { health } from './routes/health.ts'
import { BodyBudget } from './writing/body-budget.ts'
import { readBodies } from './writing/body.ts'

const methodsAt = methodsByPath(ROUTES)

/** The path as sent; a request target may also be a whole URL (RFC 9112, absolute-form). */
function pathOf(request: FastifyRequest): string {
  return request.url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? ''
}

/**
 * The HTTP service: hooks that hold for every route, and the handlers of all routes of the contract.
 * @throws Error when a handler has no declared route, or a declared route no handler.
 */
export async function openApp(context: ServeContext): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = context.log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.requestBodyBytesMax,
    // the limit on headers is the effective one: an over-long id is answered like an unknown one
    routerOptions: { maxParamLength: LIMITS.requestUrlBytesMax },
    frameworkErrors: (error, request, reply) => void sendProblem(reply, toProblem(error, request)),
    requestTimeout: LIMITS.requestTimeoutMs,
    // Node would refuse a request without Host with an empty body; guard answers with a problem
    http: {
      maxHeaderSize: LIMITS.requestUrlBytesMax,
      requireHostHeader: false,
      // Node exchanges the two timeouts where that of headers is longer: its own of 60 s would become that of whole requests
      headersTimeout: LIMITS.requestTimeoutMs,
      // Node's own interval is as long as the timeout, so that some requests would get twice the time
      connectionsCheckingInterval: LIMITS.requestTimeoutCheckMs,
    },
    // requests that arrive during the drain are answered normally, and their connections closed
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: () => '',
    clientErrorHandler: refuseConnection,
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('bodyPlace', null)
  // with a listener Node does not answer "100 Continue" itself: a body is asked for when there is a place for it
  app.server.on('checkContinue', (request, response) => void app.server.emit('request', request, response))
  hangUpWhenDone(app)
  const times = timeRequests(app, context.log)
  const requireAllHandled = requireDeclarations(app, ROUTES, [DOCS])
  app.setErrorHandler((error, request, reply) => sendProblem(reply, toProblem(asError(error), request)))
  app.setNotFoundHandler(notFound)
  await app.register(
    (v1, _options, done) => {
      guard(v1, context)
      v1.setNotFoundHandler(notFound)
      readBodies(v1, new BodyBudget())
      for (const register of [...catalogHandlers, explainHandlers]) register(v1, context)
      void v1.register(
        (account, _nothing, ready) => {
          // also for unknown paths
          account.addHook('onRequest', requireFull)
          account.setNotFoundHandler(notFound)
          for (const register of accountHandlers) register(account, context)
          ready()
        },
        { prefix: '/account' },
      )
      done()
    },
    { prefix: '/v1' },
  )
  health(app, context, times)
  channelFile(app, context)
  await documentation(app, context)
  requireAllHandled()
  return app
}

/** Answers what is no request that fastify could answer, and closes the connection. */
function refuseConnection(error: Error, socket: Socket): void {
  const [status, body] = refusalOf('code' in error ? error.code : undefined)
  if (!socket.writable) return
  const text = JSON.stringify(body)
  socket.write(
    `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
  // not end(): what keeps dripping in would still be read, and a body that is complete at last be written
  socket.destroySoon()
}

function refusalOf(code: unknown): [string, ProblemBody] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return [
      '413 Content Too Large',
      problemBody('payload-too-large', `address and headers take at most ${LIMITS.requestUrlBytesMax} bytes together`),
    ]
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return [
      '408 Request Timeout',
      problemBody('request-timeout', `a request must arrive in full within ${LIMITS.requestTimeoutMs / 1_000} s`),
    ]
  return ['400 Bad Request', problemBody('bad-request', 'the request is not valid HTTP')]
}

function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const methods = methodsAt(pathOf(request))
  if (methods !== null) {
    void reply.header('Allow', methods)
    return sendProblem(
      reply,
      problemBody('method-not-allowed', `${request.method} is not possible here; Allow names what is`),
    )
  }
  return sendProblem(reply, problemBody('unknown-route', 'there is nothing at this address; /docs lists what there is'))
}

/** Records the time of every request under its route. */
function timeRequests(app: FastifyInstance, log: Log): RequestTimes {
  const times = new RequestTimes()
  const isLogged = log.isLevelEnabled('debug')
  app.addHook('onRoute', (route) => {
    // bound to the route once: reading a request's route builds an object of all its options each time
    const note = (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      times.observe(route.url, reply.statusCode, reply.elapsedTime / 1_000)
      if (isLogged)
        log.debug({ route: route.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered')
      done()
    }
    route.onResponse = [note].concat((route.onResponse as typeof note | undefined) ?? [])
  })
  return times
}

/**
 * At shutdown closes connections without a request in flight. Node closes those that have become idle, but not those
 * that never sent a request, and fastify asks it only once.
 */
function hangUpWhenDone(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.addHook('onRequest', (request, _reply, done) => {
    unused.delete(request.raw.socket)
    done()
  })
  app.addHook('preClose', (done) => {
    const look = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of unused) socket.destroy()
    }, 20)
    app.server.once('close', () => clearInterval(look))
    done()
  })
}
