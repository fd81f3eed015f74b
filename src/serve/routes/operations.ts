import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Route } from '../context.ts'

/** GET /healthz, /readyz and /metrics, outside /v1 and without a token. */
export const operations: Route = (app, context) => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'shelfwire_' })
  const requests = new Histogram({
    name: 'shelfwire_request_seconds',
    help: 'Time to answer a request, by route and status.',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers: [registry],
  })
  const problems = new Counter({
    name: 'shelfwire_problems_total',
    help: 'Answers with an error status.',
    labelNames: ['status'],
    registers: [registry],
  })
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
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    requests.observe({ route, status: String(reply.statusCode) }, reply.elapsedTime / 1_000)
    if (reply.statusCode >= 400) problems.inc({ status: String(reply.statusCode) })
    done()
  })
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const unready = await context.unready()
    return reply.code(unready.length === 0 ? 200 : 503).send({ status: unready.length === 0 ? 'ready' : 'unready', unready })
  })
  app.get('/metrics', async (_request, reply) => {
    return reply.header('Content-Type', registry.contentType).send(await registry.metrics())
  })
}
