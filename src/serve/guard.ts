import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/authenticate.ts'
import { requireActive } from '../accounts/suspensions.ts'
import { asError, ShelfwireError } from '../platform/errors.ts'
import type { RateState } from '../platform/turns/rate-limit.ts'
import { keepPlace, type AccountPlace } from './account-places.ts'
import { clientAddress } from './client-address.ts'
import { memberCaller, sessionSecretOf } from './panel/session.ts'
import type { ServeContext } from './context.ts'

/** Headers of every answer to a request with a token. */
export const GUARDED_HEADERS = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept-Encoding',
} as const satisfies Readonly<Record<string, string>>

/**
 * Admits a request if the rate and the places of its token and account allow it.
 * @returns the account's place, which the caller ends when the request has been answered.
 * @param setHeader gets the headers of the rate limit, also when the request is refused.
 * @throws ShelfwireError account-suspended, rate-limited, database-unavailable; QuotaExceeded
 */
export function admitRequest(
  context: ServeContext,
  caller: Caller,
  setHeader: (name: string, value: string) => void,
): AccountPlace | Promise<AccountPlace> {
  const enter = (state: RateState | null) => {
    const { policy } = context.rates
    if (policy !== null && state !== null) {
      setHeader('ratelimit-policy', policy)
      setHeader('ratelimit', `"default";r=${state.remaining};t=${state.resetSeconds}`)
      if (!state.isAllowed)
        throw new ShelfwireError(
          'rate-limited',
          `at most ${context.ratePerSecond} requests per second and token; see Retry-After`,
          { retryAfterSeconds: Math.max(1, state.resetSeconds) },
        )
    }
    return context.places.enter(caller.accountId)
  }
  requireActive(context.db, caller.accountId)
  // checked before the limit, which would ask the account's node
  context.db.nodes.requirePresent(caller.accountId)
  const state = context.rates.take(caller)
  return state instanceof Promise ? state.then(enter) : enter(state)
}

/** Whether a request has a session of the panel instead of a token. */
const isOfSession = (context: ServeContext, request: FastifyRequest) =>
  request.headers.authorization === undefined && sessionSecretOf(request, context.publicUrl()) !== null

/**
 * Identifies the sender of a request: the holder of a token, or a member of an account with a session of the panel. A request that
 * has waited long is identified again before it is answered, because the token may have been revoked or the member removed meanwhile.
 * @throws ShelfwireError missing-token, invalid-token, token-without-account, rate-limited and those of `memberCaller`
 */
export function identify(
  context: ServeContext,
  request: FastifyRequest,
  isSession = isOfSession(context, request),
): Caller | Promise<Caller> {
  return isSession
    ? memberCaller(context, request)
    : context.authenticator.authenticate(request.headers.authorization, () => clientAddress(request))
}

/**
 * Requires a token, or a member's session of the panel, for every path in this scope, unknown paths included, and applies the
 * rate limit.
 */
export function guard(app: FastifyInstance, context: ServeContext): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(GUARDED_HEADERS)
    const admitCaller = (caller: Caller): void | Promise<void> => {
      request.caller = caller
      const place = admitRequest(context, caller, (name, value) => void reply.header(name, value))
      if (place instanceof Promise) return place.then((entered) => keepPlace(entered, request, reply))
      keepPlace(place, request, reply)
    }
    const finish = (admitted: Promise<void>) =>
      void admitted.then(
        () => done(),
        (error: unknown) => done(asError(error)),
      )
    try {
      // `no-store`: data of the account must not stay in a browser that others may use later
      const isSession = isOfSession(context, request)
      if (isSession) void reply.header('Cache-Control', 'no-store').header('Vary', 'Cookie, Authorization')
      const caller = identify(context, request, isSession)
      if (caller instanceof Promise) {
        finish(caller.then(admitCaller))
        return
      }
      const admitted = admitCaller(caller)
      if (admitted instanceof Promise) finish(admitted)
      else done()
    } catch (error) {
      done(asError(error))
    }
  })
}
