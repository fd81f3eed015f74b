import type { FastifyInstance } from 'fastify'
import type { Route } from '../../contract/route.ts'
import { answerFound, type Found } from './answer.ts'
import type { ServeContext } from './context.ts'
import { handle, type Call } from './handle.ts'

/** The parameters and the caller of a read of the finished catalog. */
export type Asked<R extends Route> = Pick<Call<R>, 'query' | 'params' | 'caller'>

/** A read that is independent of the framework, because plain requests (plain/reads.ts) use it, too. */
export type Read<R extends Route> = (context: ServeContext, asked: Asked<R>) => Found | Promise<Found>

/** Registers a read as the handler of its route. */
export function handleRead<R extends Route>(
  app: FastifyInstance,
  context: ServeContext,
  route: R,
  read: Read<R>,
): void {
  handle(app, route, (call) => {
    const { request, reply } = call
    const found = read(context, call)
    // chained, not awaited: one promise fewer on the busiest routes
    return found instanceof Promise
      ? found.then((it) => answerFound(request, reply, it))
      : answerFound(request, reply, found)
  })
}
