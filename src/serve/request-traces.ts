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

/** Attributes of a request's span. They include no address, header, id from a path, or other text of a client. */
export const requestAttributes = (method: string, route: Route | undefined, requestId: string) => ({
  'http.request.method': method,
  'http.route': route === undefined ? undefined : routeName(route),
  'shelfwire.request_id': requestId,
})

/** Makes a span for every request in a scope, within the trace of its `traceparent`. Does nothing where traces are off. */
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
    // 'close' also comes when the client did not wait for the answer
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
  // after a body the code runs in the context in which its last bytes arrived, so the span's context is restored
  app.addHook('preValidation', ({ span }, _reply, done) => {
    if (span === null) done()
    else tracing.run(span.context, done)
  })
}

/** The account that a request was admitted to; undefined if it was refused. */
function accountOf({ caller, params }: FastifyRequest, status: number): number | undefined {
  if (caller !== null) return caller.accountId
  // a route of the panel
  const { account_id: id } = (params ?? {}) as { account_id?: string }
  return status < 400 && id !== undefined ? Number(id) : undefined
}
