import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { METRICS } from '../../../contract/routes/operator.ts'
import { bearerOf } from '../../accounts/authenticate.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { isFromThisMachine } from '../client-address.ts'
import type { MetricsAccess } from '../context.ts'
import type { Figures } from '../figures.ts'
import { handle } from '../handle.ts'

/** GET /metrics, at the port of the API. */
export function metrics(app: FastifyInstance, figures: Figures, access: MetricsAccess): void {
  handle(app, METRICS, async ({ request, reply }) => {
    if (access.isApart) throw new ShelfwireError('unknown-route', 'there is nothing at this address')
    if (access.token !== null) requireToken(request, access.token)
    else if (access.isBehindProxy || !isFromThisMachine(request))
      throw new ShelfwireError(
        'forbidden',
        'figures are read from this machine, without a proxy; the settings METRICS_TOKEN and METRICS_PORT open other ways',
      )
    return send(reply, figures)
  })
}

/** GET /metrics at its own port. Without a token, everybody who can reach the port may read. */
export function metricsOnOwnPort(app: FastifyInstance, figures: Figures, token: string | null): void {
  handle(app, METRICS, async ({ request, reply }) => {
    if (token !== null) requireToken(request, token)
    return send(reply, figures)
  })
}

async function send(reply: FastifyReply, figures: Figures): Promise<FastifyReply> {
  return reply
    .header('Content-Type', figures.contentType)
    .header('Cache-Control', 'no-store')
    .send(await figures.text())
}

/** Digests have one length, so they can be compared in constant time. @throws ShelfwireError invalid-token */
function requireToken(request: FastifyRequest, token: string): void {
  const given = bearerOf(request.headers.authorization)
  if (!timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer')))
    throw new ShelfwireError('invalid-token', 'this is not the token of METRICS_TOKEN')
}
