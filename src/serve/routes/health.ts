import type { FastifyInstance } from 'fastify'
import { HEALTH, READINESS } from '../../../contract/routes/operator.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import type { ServeContext } from '../context.ts'
import { handle } from '../handle.ts'

/**
 * GET /healthz and /readyz, outside /v1 and without a token. A late backup or archive is only a warning and never makes a process unready:
 * a load balancer would take all processes out of service at once.
 */
export const health = (app: FastifyInstance, { unready, backups }: Pick<ServeContext, 'unready' | 'backups'>): void => {
  handle(app, HEALTH, () => ({ status: 'ok' }))
  handle(app, READINESS, async ({ reply }) => {
    const [found, last, archive] = await Promise.all([unready(), backups.last(), backups.archive()])
    return reply.code(found.length === 0 ? 200 : 503).send({
      status: found.length === 0 ? 'ready' : 'unready',
      unready: found,
      warnings: [...(backups.isLate(last) ? ['backup'] : []), ...(backups.isArchiveLate(archive) ? ['archive'] : [])],
      last_backup:
        last === null || last === undefined
          ? null
          : { ended_at: formatTimestamp(last.endedAt), age_seconds: ageOf(last.endedAt) },
      log_archive:
        archive === null || archive === undefined
          ? null
          : {
              archived_at: timeOrNull(archive.archivedAt),
              age_seconds: archive.archivedAt === null ? null : ageOf(archive.archivedAt),
              is_failing: archive.isFailing,
            },
    })
  })
}

/** Age in seconds. */
const ageOf = (at: Date): number => Math.max(0, Math.round((Date.now() - at.getTime()) / 1_000))
