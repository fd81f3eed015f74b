import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Route } from '../../contract/route.ts'
import { tracer, type Span } from '../platform/tracing/tracing.ts'
import { routeName } from './request-times.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where traces are off. */
    span: Span | null
  }
}

/** Attributes of the span of a request. No address, no header, no id of a path and nothing that a client wrote is among them. */
export const requestAttributes = (method: string, route: Route | undefined, requestId: string) => ({
  'http.request.method': method,
  'http.route': route === undefined ? undefined : routeName(route),
  'shelfwire.request_id': requestId,
})

/** Makes a span of every request in a scope, in the trace that its `traceparent` names. Does nothing where traces are off. */
export function traceRequests(app: FastifyInstance): void {
  const tracing = tracer()
  if (tracing === null) return
  app.addHook('onRequest', (request, reply, done) => {
    const { route } = request.routeOptions.config
    const span = tracing.begin({
      name: route === undefined ? request.method : `${request.method} ${routeName(route)}`,
      kind: 'server',
      parent: tracing.read(request.headers['traceparent']),
      attributes: requestAttributes(request.method, route, request.id),
    })
    request.span = span
    request.log = request.log.child({ trace_id: span.context.traceId })
    // also of an answer that the client did not wait for
    reply.raw.once('close', () =>
      span.done(
        {
          'shelfwire.account_id': accountOf(request, reply.statusCode),
          'http.response.status_code': reply.statusCode,
          'shelfwire.cut': reply.raw.writableFinished ? undefined : true,
        },
        reply.statusCode >= 500,
      ),
    )
    tracing.run(span.context, done)
  })
  // what follows a body runs where its last bytes came in
  app.addHook('preValidation', ({ span }, _reply, done) => {
    if (span === null) done()
    else tracing.run(span.context, done)
  })
}

/** The account that a request was admitted to. */
function accountOf({ caller, params }: FastifyRequest, status: number): number | undefined {
  if (caller !== null) return caller.accountId
  // of the panel
  const { account_id: id } = (params ?? {}) as { account_id?: string }
  return status < 400 && id !== undefined ? Number(id) : undefined
}
