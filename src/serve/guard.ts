import type { FastifyInstance } from 'fastify'
import { asError, ShelfwireError } from '../platform/errors.ts'
import type { RateState } from '../platform/rate-limit.ts'
import { clientAddress } from './client-address.ts'
import { memberCaller, sessionSecretOf } from './panel/session.ts'
import type { ServeContext } from './context.ts'

/**
 * Every route in this scope needs a token, unknown paths included, and is limited to the token's rate. A member of an account may
 * call with a session of the panel in its place.
 */
export function guard(app: FastifyInstance, context: ServeContext): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Accept-Encoding')
    const limited = (state: RateState | null) => {
      const { policy } = context.rates
      if (policy === null || state === null) return
      void reply
        .header('RateLimit-Policy', policy)
        .header('RateLimit', `"default";r=${state.remaining};t=${state.resetSeconds}`)
      if (state.isAllowed) return
      throw new ShelfwireError(
        'rate-limited',
        `at most ${context.ratePerSecond} requests per second and token; see Retry-After`,
        { retryAfterSeconds: Math.max(1, state.resetSeconds) },
      )
    }
    const admit = (caller: NonNullable<typeof request.caller>): void | Promise<void> => {
      request.caller = caller
      // first, because the limit would ask the account's node
      context.db.nodes.requirePresent(caller.accountId)
      const state = context.rates.take(caller)
      if (state instanceof Promise)
        return state.then((later) => {
          limited(later)
          context.places.enter(caller.accountId, request, reply)
        })
      limited(state)
      context.places.enter(caller.accountId, request, reply)
    }
    const finish = (admitted: Promise<void>) =>
      void admitted.then(
        () => done(),
        (error: unknown) => done(asError(error)),
      )
    try {
      const { authorization } = request.headers
      const isSession = authorization === undefined && sessionSecretOf(request, context.publicUrl()) !== null
      // no data of the account stays in a browser that others may use later
      if (isSession) void reply.header('Cache-Control', 'no-store').header('Vary', 'Cookie, Authorization')
      const caller = isSession
        ? memberCaller(context, request)
        : context.authenticator.authenticate(authorization, () => clientAddress(request))
      if (caller instanceof Promise) {
        finish(caller.then(admit))
        return
      }
      const admitted = admit(caller)
      if (admitted instanceof Promise) finish(admitted)
      else done()
    } catch (error) {
      done(asError(error))
    }
  })
}
