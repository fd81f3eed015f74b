import type { Socket } from 'node:net'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { EXPORT_PATH } from '../../contract/openapi.ts'
import { OPERATIONS } from '../../contract/operations.ts'
import { SOURCE_OPERATIONS } from '../../contract/write-operations.ts'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { accountRoutes } from './account/routes.ts'
import { explainRoute } from './account/explain.ts'
import { callerOf, type ServeContext } from './context.ts'
import { problemBody, sendProblem, toProblem } from './problem.ts'
import { openRateLimit } from './rate-limit.ts'
import { RequestTimes } from './request-times.ts'
import { changes } from './routes/changes.ts'
import { channelFile } from './routes/channel-file.ts'
import { documentation } from './routes/documentation.ts'
import { exportRoute } from './routes/export.ts'
import { operations } from './routes/operations.ts'
import { prices } from './routes/prices.ts'
import { product } from './routes/product.ts'
import { productPrices } from './routes/product-prices.ts'
import { products } from './routes/products.ts'
import { stores } from './routes/stores.ts'
import { readBodies } from './writing/body.ts'

/** Below /v1, where everything needs a token. */
const ROUTES = [products, product, prices, productPrices, stores, changes, exportRoute]

/** Paths that exist with their methods, for telling a wrong method from a wrong address. */
const KNOWN_PATHS = [
  ...Map.groupBy(
    [...OPERATIONS.map(({ path }) => ({ path, method: 'get' })), ...SOURCE_OPERATIONS],
    ({ path }) => path,
  ),
  ...[EXPORT_PATH, '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/channels/{file}'].map(
    (path) => [path, [{ method: 'get' }]] as const,
  ),
].map(([path, operations]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replace('.', '\\.')}$`),
  allow: operations.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', '),
}))

/** The path as sent; a request target may also be a whole URL (RFC 9112, absolute-form). */
function pathOf(request: FastifyRequest): string {
  return request.url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? ''
}

/** The HTTP service: hooks that hold for every route, and one file per route. */
export async function openApp(context: ServeContext): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = context.log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.requestBodyBytesMax,
    // the bound on the header is the one that counts: an id of any length is answered like a missing one
    routerOptions: { maxParamLength: LIMITS.requestUrlBytesMax },
    frameworkErrors: (error, request, reply) => void sendProblem(reply, toProblem(error, request)),
    requestTimeout: LIMITS.requestTimeoutMs,
    // Node would refuse a request without Host with an empty body; guard does it with a problem
    http: { maxHeaderSize: LIMITS.requestUrlBytesMax, requireHostHeader: false },
    // what reaches us during the drain is answered as ever, and its connection closed
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: () => '',
    clientErrorHandler(error, socket) {
      const isLarge = 'code' in error && error.code === 'HPE_HEADER_OVERFLOW'
      const body = JSON.stringify(
        isLarge
          ? problemBody(
              'payload-too-large',
              `address and headers take at most ${LIMITS.requestUrlBytesMax} bytes together`,
            )
          : problemBody('bad-request', 'the request is not valid HTTP'),
      )
      const status = isLarge ? '413 Content Too Large' : '400 Bad Request'
      if (!socket.writable) return
      socket.end(
        `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      )
    },
  })
  app.decorateRequest('caller', null)
  hangUpWhenDone(app)
  const times = timeRequests(app, context.log)
  app.setErrorHandler((error, request, reply) => sendProblem(reply, toProblem(asError(error), request)))
  app.setNotFoundHandler(notFound)
  await app.register(
    (v1, _options, done) => {
      guard(v1, context)
      v1.setNotFoundHandler(notFound)
      readBodies(v1)
      for (const route of ROUTES) route(v1, context)
      void v1.register((full, _nothing, ready) => {
        requireFull(full)
        explainRoute(full, context)
        ready()
      })
      void v1.register(
        (account, _nothing, ready) => {
          requireFull(account)
          account.setNotFoundHandler(notFound)
          for (const route of accountRoutes) route(account, context)
          ready()
        },
        { prefix: '/account' },
      )
      done()
    },
    { prefix: '/v1' },
  )
  operations(app, context, times)
  channelFile(app, context)
  await documentation(app, context)
  return app
}

function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = pathOf(request)
  const known = KNOWN_PATHS.find(({ pattern }) => pattern.test(path))
  if (known !== undefined) {
    void reply.header('Allow', known.allow)
    return sendProblem(
      reply,
      problemBody('method-not-allowed', `${request.method} is not possible here; Allow names what is`),
    )
  }
  return sendProblem(reply, problemBody('unknown-route', 'there is nothing at this address; /docs lists what there is'))
}

/** What an account states is read and written with a full token alone; asked before a body is read. */
function requireFull(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (callerOf(request).access === 'full') done()
    else
      done(
        new ShelfwireError(
          'insufficient-scope',
          'this needs a token with full access; a connector token reads finished products',
        ),
      )
  })
}

/** Notes the time of every request under the route that answered it. */
function timeRequests(app: FastifyInstance, log: Log): RequestTimes {
  const times = new RequestTimes()
  const isLogged = log.isLevelEnabled('debug')
  app.addHook('onRoute', (route) => {
    // bound to the route once: asking a request for its route makes an object of all its options each time
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
 * At shutdown hangs up on everybody who has no request in flight. Node closes connections that have become idle, but not
 * those that never sent a request, and fastify asks it once only.
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

/** Every route of this part of the service needs a token, unknown addresses included, and keeps to the token's rate. */
function guard(app: FastifyInstance, context: ServeContext): void {
  const limit = openRateLimit(context.ratePerSecond)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      done(new ShelfwireError('bad-request', 'the request has no Host header'))
      return
    }
    void reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Accept-Encoding')
    const admit = (caller: NonNullable<typeof request.caller>) => {
      request.caller = caller
      if (limit === null) return
      const state = limit.take(caller.tokenId)
      void reply
        .header('RateLimit-Policy', limit.policy)
        .header('RateLimit', `"default";r=${state.remaining};t=${state.resetSeconds}`)
      if (state.isAllowed) return
      void reply.header('Retry-After', String(Math.max(1, state.resetSeconds)))
      throw new ShelfwireError(
        'rate-limited',
        `at most ${context.ratePerSecond} requests per second and token; see Retry-After`,
      )
    }
    try {
      const caller = context.authenticator.authenticate(request.headers.authorization)
      if (caller instanceof Promise) {
        caller.then(admit).then(
          () => done(),
          (error: unknown) => done(asError(error)),
        )
        return
      }
      admit(caller)
      done()
    } catch (error) {
      done(asError(error))
    }
  })
}
