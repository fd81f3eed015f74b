import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { BodyOf, ParamsOf, QueryOf, Route } from '../../contract/route.ts'
import type { Caller } from '../accounts/authenticate.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { callerOf } from './context.ts'
import { pathReader, queryReader } from './parameters.ts'
import { requireNoMembers } from './writing/body.ts'
import { shapeReader } from './writing/shape.ts'

// The only way to register a handler is with the declaration of its route.

/** A request, read and checked by the declaration of its route. */
export interface Call<R extends Route> {
  query: QueryOf<R>
  params: ParamsOf<R>
  body: BodyOf<R>
  /** Null where a route needs no token. */
  caller: R['access'] extends 'none' ? null : Caller
  request: FastifyRequest
  reply: FastifyReply
}

export type Handler<R extends Route> = (call: Call<R>) => unknown

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declaration that a handler was registered with. */
    route?: Route
  }
}

/**
 * Registers the handler of a route. Its access is checked before a body is read; then query, path and body are read.
 * @param app if it has a prefix, the path of the route includes it.
 */
export function handle<R extends Route>(app: FastifyInstance, route: R, handler: Handler<R>): void {
  const readCall = callReader(route)
  app.route({
    method: route.answersHead ? ['GET', 'HEAD'] : route.method.toUpperCase(),
    url: route.path.slice(app.prefix.length).replaceAll(/\{(\w+)\}/g, ':$1') || '/',
    config: { route },
    ...(route.access === 'full' ? { onRequest: requireFull } : {}),
    ...(route.body?.bytesMax === undefined ? {} : { bodyLimit: route.body.bytesMax }),
    handler: (request, reply) => handler(readCall(request, reply)),
  })
}

/** The one place where values checked by a declaration get its types. */
function callReader<R extends Route>(route: R): (request: FastifyRequest, reply: FastifyReply) => Call<R> {
  const readQuery = queryReader(route)
  const readParams = pathReader(route)
  const { body, method, access } = route
  const readShape = body === undefined ? null : shapeReader(body.schema)
  const noun = body?.noun ?? ''
  const isOpen = access === 'none'
  return (request, reply) => {
    const query = readQuery(request.query) as QueryOf<R>
    const params = readParams(request.params) as ParamsOf<R>
    if (readShape === null && method === 'post') requireNoMembers(request)
    return {
      query,
      params,
      body: (readShape === null ? undefined : readShape(request.body, noun)) as BodyOf<R>,
      caller: (isOpen ? null : callerOf(request)) as Call<R>['caller'],
      request,
      reply,
    }
  }
}

/** Account resources need a full token; checked before a body is read. */
export function requireFull(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  if (callerOf(request).access === 'full') done()
  else
    done(
      new ShelfwireError(
        'insufficient-scope',
        'this needs a token with full access; a connector token reads finished products',
      ),
    )
}

/**
 * From now on every registered route must be in the table, once. `mounted` are paths below which a plugin serves.
 * @returns a check that every route of the table has a handler.
 * @throws Error from the registration of a route without a declaration.
 */
export function requireDeclarations(app: FastifyInstance, table: readonly Route[], mounted: readonly Route[]) {
  const handled = new Set<Route>(mounted)
  app.addHook('onRoute', ({ url, method, config }: RouteOptions) => {
    if (mounted.some(({ path }) => url === path || url.startsWith(`${path}/`))) return
    const route = config?.route
    if (route === undefined || !table.includes(route))
      throw new Error(`${String(method)} ${url} is not declared in contract/routes.ts`)
    handled.add(route)
  })
  return () => {
    const missing = table.filter((route) => !handled.has(route)).map(({ id }) => id)
    if (missing.length > 0) throw new Error(`routes without a handler: ${missing.join(', ')}`)
  }
}

/** Whether the table has a path, and with which methods: tells 405 from 404. */
export function methodsByPath(table: readonly Route[]): (path: string) => string | null {
  const known = [...Map.groupBy(table, ({ path }) => path)].map(([path, routes]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
    allow: routes.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', '),
  }))
  return (path) => known.find(({ pattern }) => pattern.test(path))?.allow ?? null
}
