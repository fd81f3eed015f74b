import type { FastifyInstance } from 'fastify'
import { HEALTH, READINESS } from '../../../contract/routes/operator.ts'
import { formatTimestamp } from '../../platform/timestamp.ts'
import type { ServeContext } from '../context.ts'
import { handle } from '../handle.ts'

/**
 * GET /healthz and /readyz, outside /v1 and without a token. The age of the last backup is told and never makes a process unready: a
 * balancer would take all of them out of service at once.
 */
export const health = (app: FastifyInstance, { unready, backups }: Pick<ServeContext, 'unready' | 'backups'>): void => {
  handle(app, HEALTH, () => ({ status: 'ok' }))
  handle(app, READINESS, async ({ reply }) => {
    const [found, last] = await Promise.all([unready(), backups.last()])
    return reply.code(found.length === 0 ? 200 : 503).send({
      status: found.length === 0 ? 'ready' : 'unready',
      unready: found,
      warnings: backups.isLate(last) ? ['backup'] : [],
      last_backup:
        last === null || last === undefined
          ? null
          : {
              ended_at: formatTimestamp(last.endedAt),
              age_seconds: Math.max(0, Math.round((Date.now() - last.endedAt.getTime()) / 1_000)),
            },
    })
  })
}
