import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler, RouteOptions } from 'fastify'
import { PANEL_API_PATH } from '../../contract/panel/route.ts'
import type { BodyOf, ParamsOf, QueryOf, Route } from '../../contract/route.ts'
import type { Caller } from '../accounts/authenticate.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { callerOf } from './context.ts'
import { pathReader, queryReader } from './parameters.ts'
import { requireNoMembers } from './writing/body.ts'
import { shapeReader } from './writing/shape.ts'

// Registers every route together with its declaration.

/** A request whose parameters and body have been checked against the declaration of its route. */
export interface Call<R extends Route> {
  query: QueryOf<R>
  params: ParamsOf<R>
  body: BodyOf<R>
  /** Null if the route does not need an account's token. */
  caller: R['access'] extends 'none' | 'operator' ? null : Caller
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
 * Registers the handler of a route. Access is checked before the body is received; then query, path and body are checked, in
 * this order.
 * @param app the Fastify instance to register on; its prefix, if any, must be the beginning of `route.path`.
 * @param admit checks access to routes that need no account's token.
 */
export function handle<R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: Handler<R>,
  admit?: onRequestAsyncHookHandler,
): void {
  const readCall = callReader(route)
  const bytesMax = route.body?.bytesMax ?? route.upload?.bytesMax
  app.route({
    method: route.answersHead ? ['GET', 'HEAD'] : route.method.toUpperCase(),
    url: route.path.slice(app.prefix.length).replaceAll(/\{(\w+)\}/g, ':$1') || '/',
    config: { route },
    ...(route.access === 'full' ? { onRequest: requireFull } : {}),
    ...(admit === undefined ? {} : { onRequest: admit }),
    ...(bytesMax === undefined ? {} : { bodyLimit: bytesMax }),
    handler: (request, reply) => {
      const { bodyPlace, accountPlace } = request
      const answered =
        bodyPlace === null
          ? handler(readCall(request, reply))
          : bodyPlace.useUp(() => handler(readCall(request, reply)))
      return accountPlace !== null && answered instanceof Promise ? accountPlace.use(answered) : answered
    },
  })
}

/** Reads a request by its declaration. Casts are only here: checked values get the declared types. */
function callReader<R extends Route>(route: R): (request: FastifyRequest, reply: FastifyReply) => Call<R> {
  const readQuery = queryReader(route)
  const readParams = pathReader(route)
  const { body, method, access } = route
  const readShape = body === undefined ? null : shapeReader(body.schema)
  const noun = body?.noun ?? ''
  const isOpen = access === 'none' || access === 'operator'
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

/** Refuses callers without a full token, before the body is received. */
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
 * Call this before any route is registered. From then on a route must be one of `table`, or be below a path of `mounted`, which
 * a plugin serves. @returns a check that every route of the table has a handler.
 * @throws Error when a route without a declaration is registered, and from the check when a handler is missing.
 */
export function requireDeclarations(app: FastifyInstance, table: readonly Route[], mounted: readonly Route[]) {
  const handled = new Set<Route>(mounted)
  app.addHook('onRoute', ({ url, method, config }: RouteOptions) => {
    const route = config?.route
    const isMounted = mounted.some(({ path }) => url === path || url.startsWith(`${path}/`))
    // routes of the panel are below its pages, but are declared
    if (route === undefined && isMounted && !url.startsWith(PANEL_API_PATH)) return
    if (route === undefined || !table.includes(route))
      throw new Error(`${String(method)} ${url} is not declared in contract/routes.ts`)
    handled.add(route)
  })
  return () => {
    const missing = table.filter((route) => !handled.has(route)).map(({ id }) => id)
    if (missing.length > 0) throw new Error(`routes without a handler: ${missing.join(', ')}`)
  }
}

/** @returns a function from a path to its allowed methods (for Allow), or null where the table has no such path. */
export function methodsByPath(table: readonly Route[]): (path: string) => string | null {
  const known = [...Map.groupBy(table, ({ path }) => path)].map(([path, routes]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
    allow: routes.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', '),
  }))
  return (path) => known.find(({ pattern }) => pattern.test(path))?.allow ?? null
}
