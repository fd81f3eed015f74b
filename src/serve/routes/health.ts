import type { FastifyInstance } from 'fastify'
import { HEALTH, READINESS } from '../../../contract/routes/operator.ts'
import { handle } from '../handle.ts'

/** GET /healthz and /readyz, outside /v1 and without a token. @param unready says what is not ready. */
export const health = (app: FastifyInstance, unready: () => Promise<string[]>): void => {
  handle(app, HEALTH, () => ({ status: 'ok' }))
  handle(app, READINESS, async ({ reply }) => {
    const found = await unready()
    return reply
      .code(found.length === 0 ? 200 : 503)
      .send({ status: found.length === 0 ? 'ready' : 'unready', unready: found })
  })
}
