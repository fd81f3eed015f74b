import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { FastifyInstance } from 'fastify'
import type { ServeContext } from '../context.ts'
import type { RequestTimes } from '../request-times.ts'

/** GET /healthz, /readyz and /metrics, outside /v1 and without a token. */
export const operations = (app: FastifyInstance, context: ServeContext, times: RequestTimes): void => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'shelfwire_' })
  registry.registerMetric(
    new Gauge({
      name: 'shelfwire_long_polls',
      help: 'Requests that wait for a change.',
      registers: [],
      collect() {
        this.set(context.waiters.count())
      },
    }),
  )
  for (const metric of context.metrics) registry.registerMetric(metric)
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const unready = await context.unready()
    return reply
      .code(unready.length === 0 ? 200 : 503)
      .send({ status: unready.length === 0 ? 'ready' : 'unready', unready })
  })
  app.get('/metrics', async (_request, reply) => {
    return reply.header('Content-Type', registry.contentType).send((await registry.metrics()) + times.text())
  })
}
