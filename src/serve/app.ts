import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PANEL_API_PATH } from '../../contract/panel/route.ts'
import { PANEL_ROUTES } from '../../contract/panel/routes.ts'
import type { Route } from '../../contract/route.ts'
import { ROUTES } from '../../contract/routes.ts'
import { DOCS, HOME, PANEL } from '../../contract/routes/operator.ts'
import { accountHandlers } from './account/handlers.ts'
import { explainHandlers } from './account/products/explain.ts'
import { notFound, openBase } from './base.ts'
import { callerOf, type ServeContext } from './context.ts'
import { guard } from './guard.ts'
import { methodsByPath, requireDeclarations, requireFull } from './handle.ts'
import { guardOperator } from './operator/guard.ts'
import { operatorHandlers } from './operator/handlers.ts'
import { panelHandlers } from './panel/handlers.ts'
import { readLogoutForms } from './panel/logout-form.ts'
import { openPanelApp, panelSender } from './panel/handle-panel.ts'
import { panelPages } from './panel/pages.ts'
import type { PlainConnections } from './plain/connections.ts'
import { answerPlainReads } from './plain/reads.ts'
import { openNotes } from './request-times.ts'
import { traceRequests } from './request-traces.ts'
import { catalogHandlers } from './routes/handlers.ts'
import { channelFile } from './routes/channel-file.ts'
import { image } from './routes/image.ts'
import { documentation } from './routes/documentation.ts'
import { health } from './routes/health.ts'
import { metrics } from './routes/metrics.ts'
import { BodyBudget } from './writing/body-budget.ts'
import { readBodies } from './writing/body.ts'

const TABLE = [...ROUTES, ...PANEL_ROUTES]
/** The routes for 405 and `Allow`. Without HOME: for clients that are no browser, nothing is at /. */
const ADDRESSES = TABLE.filter((route) => route !== HOME)
const methodsAt = methodsByPath(ADDRESSES)
const nothingHere = (request: FastifyRequest, reply: FastifyReply) => notFound(request, reply, methodsAt)

/**
 * The HTTP service: hooks that hold for every route, and the handlers of all routes of the contract.
 * @throws Error when a handler has no declared route, or a declared route no handler.
 */
export async function openApp(context: ServeContext): Promise<FastifyInstance> {
  const app = openBase(context.log, ADDRESSES, context.trustedProxies, context.publicUrl)
  app.decorateRequest('caller', null)
  app.decorateRequest('span', null)
  // with this listener Node leaves "100 Continue" to us: it is sent when there is a place for the body
  app.server.on('checkContinue', (request, response) => void app.server.emit('request', request, response))
  timeRequests(app, context)
  const requireAllHandled = requireDeclarations(app, TABLE, [DOCS, PANEL])
  const bodies = new BodyBudget()
  await app.register(
    (v1, _options, done) => {
      traceRequests(v1)
      guard(v1, context)
      v1.setNotFoundHandler(nothingHere)
      // a request without a route has none of the hooks of timeRequests()
      v1.addHook('onResponse', (request, reply, done) => {
        if (request.is404) noteTokenRequest(context, null, request, reply)
        done()
      })
      readBodies(v1, bodies, (request) => ({ kind: 'account', key: callerOf(request).accountId }))
      for (const register of [...catalogHandlers, explainHandlers]) register(v1, context)
      void v1.register(
        (account, _nothing, ready) => {
          // for unknown paths, too
          account.addHook('onRequest', requireFull)
          account.setNotFoundHandler(nothingHere)
          for (const register of accountHandlers) register(account, context)
          ready()
        },
        { prefix: '/account' },
      )
      done()
    },
    { prefix: '/v1' },
  )
  await app.register(
    (operator, _options, done) => {
      traceRequests(operator)
      guardOperator(operator, context)
      operator.setNotFoundHandler(nothingHere)
      // a budget of its own, so that accounts and strangers can never use up the operator's
      readBodies(operator, new BodyBudget(), () => ({ kind: 'person', key: 'operator' }))
      for (const register of operatorHandlers) register(operator, context)
      done()
    },
    { prefix: '/v1/operator' },
  )
  await app.register(
    (panel, _options, done) => {
      traceRequests(panel)
      panel.setNotFoundHandler(nothingHere)
      readBodies(panel, bodies, panelSender)
      readLogoutForms(panel)
      const panelApp = openPanelApp(panel, context)
      for (const register of panelHandlers) register(panelApp, context)
      done()
    },
    { prefix: PANEL_API_PATH },
  )
  await panelPages(app, nothingHere)
  health(app, context)
  metrics(app, context.figures, context.metricsAccess)
  channelFile(app, context)
  image(app, context)
  await documentation(app, context, nothingHere)
  requireAllHandled()
  app.decorate('plainConnections', answerPlainReads(app, context))
  return app
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Connections that have only sent plain requests so far. */
    plainConnections: PlainConnections
  }
}

/** Records the duration of every request under its route, and requests with a token in the token's log. */
function timeRequests(app: FastifyInstance, context: ServeContext): void {
  const notes = openNotes(context.figures.times, context.log)
  app.addHook('onRoute', (route) => {
    const declared = route.config?.route ?? null
    // bound once per route: reading a request's route builds an object of all its options each time
    const note = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      notes(route.url, reply.statusCode, reply.elapsedTime, request.id, request.span?.context.traceId)
      noteTokenRequest(context, declared, request, reply)
      done()
    }
    route.onResponse = [note].concat((route.onResponse as typeof note | undefined) ?? [])
  })
}

function noteTokenRequest(
  { tokenRequests }: ServeContext,
  route: Route | null,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { caller } = request
  if (caller === null) return
  tokenRequests.note({
    accountId: caller.accountId,
    tokenId: caller.tokenId,
    route,
    method: request.method,
    target: request.url,
    status: reply.statusCode,
    code: reply.problemCode,
    ms: reply.elapsedTime,
    requestId: request.id,
  })
}
