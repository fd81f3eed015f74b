import type { FastifyInstance } from 'fastify'
import { HEALTH, READINESS } from '../../../contract/routes/operator.ts'
import type { ServeContext } from '../context.ts'
import { handle } from '../handle.ts'

/** GET /healthz and /readyz, outside /v1 and without a token. */
export const health = (app: FastifyInstance, context: ServeContext): void => {
  handle(app, HEALTH, () => ({ status: 'ok' }))
  handle(app, READINESS, async ({ reply }) => {
    const unready = await context.unready()
    return reply
      .code(unready.length === 0 ? 200 : 503)
      .send({ status: unready.length === 0 ? 'ready' : 'unready', unready })
  })
}
