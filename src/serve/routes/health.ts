import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { FastifyInstance } from 'fastify'
import { HEALTH, METRICS, READINESS } from '../../../contract/routes/operator.ts'
import type { ServeContext } from '../context.ts'
import { handle } from '../handle.ts'
import type { RequestTimes } from '../request-times.ts'

/** GET /healthz, /readyz and /metrics, outside /v1 and without a token. */
export const health = (app: FastifyInstance, context: ServeContext, times: RequestTimes): void => {
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
  handle(app, HEALTH, () => ({ status: 'ok' }))
  handle(app, READINESS, async ({ reply }) => {
    const unready = await context.unready()
    return reply
      .code(unready.length === 0 ? 200 : 503)
      .send({ status: unready.length === 0 ? 'ready' : 'unready', unready })
  })
  handle(app, METRICS, async ({ reply }) => {
    return reply.header('Content-Type', registry.contentType).send((await registry.metrics()) + times.text())
  })
}
