import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerOf } from '../../accounts/authenticate.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openRateLimit, type RateState } from '../../platform/turns/rate-limit.ts'
import { clientAddress } from '../client-address.ts'
import type { ServeContext } from '../context.ts'

/**
 * Requires OPERATOR_TOKEN for every path in this scope, unknown paths included; without that setting the paths do not exist. Tokens of
 * accounts and sessions of the panel are not accepted here, and this token nowhere else.
 * docs/decisions/170-the-operators-api.md says why.
 */
export function guardOperator(app: FastifyInstance, context: ServeContext): void {
  const { ratePerSecond, operatorToken } = context
  // digests have one length, so they can be compared in constant time
  const wanted = operatorToken === null ? null : hash('sha256', operatorToken, 'buffer')
  const rate =
    ratePerSecond === 0
      ? null
      : openRateLimit<string>({ perSecond: ratePerSecond, burst: ratePerSecond * LIMITS.rateBurstSeconds })
  const wrong = openRateLimit<string>({
    perSecond: LIMITS.unknownTokensPerSecond,
    burst: LIMITS.unknownTokensAtOnce,
  })

  const admit = (request: FastifyRequest, expected: Buffer) => {
    const address = clientAddress(request)
    // before the token is compared, so that guessing is slowed down even for a right guess
    requireAllowed(wrong.look(address), 'your address has sent too many wrong tokens')
    try {
      const given = hash('sha256', bearerOf(request.headers.authorization), 'buffer')
      if (!timingSafeEqual(given, expected))
        throw new ShelfwireError('invalid-token', 'this is not the token of OPERATOR_TOKEN')
    } catch (error) {
      wrong.charge(address)
      throw error
    }
    if (rate !== null) requireAllowed(rate.take(''), `at most ${ratePerSecond} requests per second`)
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (wanted === null) {
      done(new ShelfwireError('unknown-route', 'there is nothing at this address; /docs lists what there is'))
      return
    }
    void reply.header('Cache-Control', 'no-store').header('Vary', 'Authorization, Accept-Encoding')
    try {
      admit(request, wanted)
      done()
    } catch (error) {
      done(asError(error))
    }
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (wanted !== null && reply.statusCode !== 429) note(request, reply.statusCode)
    done()
  })
}

function requireAllowed({ isAllowed, resetSeconds }: RateState, detail: string): void {
  if (isAllowed) return
  throw new ShelfwireError('rate-limited', `${detail}; see Retry-After`, {
    retryAfterSeconds: Math.max(1, resetSeconds),
  })
}

/** Logs each call in one line: operation, account, client and status; nothing of the body. */
function note(request: FastifyRequest, status: number): void {
  const { route } = request.routeOptions.config
  const { account_id: account } = request.params as { account_id?: string }
  const facts = {
    operation: route?.id ?? null,
    method: request.method,
    account: account === undefined || !/^\d{1,16}$/.test(account) ? null : Number(account),
    address: clientAddress(request),
    status,
  }
  if (status === 401) request.log.warn(facts, 'the operator’s API refused a token')
  else request.log.info(facts, 'the operator’s API was called')
}
