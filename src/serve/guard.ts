import type { FastifyInstance } from 'fastify'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { openRateLimit } from '../platform/rate-limit.ts'
import { clientAddress } from './client-address.ts'
import { memberCaller, sessionSecretOf } from './panel/session.ts'
import type { ServeContext } from './context.ts'

/**
 * Every route in this scope needs a token, unknown paths included, and is limited to the token's rate. A member of an account may
 * call with a session of the panel in its place.
 */
export function guard(app: FastifyInstance, context: ServeContext): void {
  const limit = openRateLimit<number>(context.ratePerSecond)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Accept-Encoding')
    const admit = (caller: NonNullable<typeof request.caller>) => {
      request.caller = caller
      if (limit === null) return
      const state = limit.take(caller.tokenId)
      void reply
        .header('RateLimit-Policy', limit.policy)
        .header('RateLimit', `"default";r=${state.remaining};t=${state.resetSeconds}`)
      if (state.isAllowed) return
      throw new ShelfwireError(
        'rate-limited',
        `at most ${context.ratePerSecond} requests per second and token; see Retry-After`,
        { retryAfterSeconds: Math.max(1, state.resetSeconds) },
      )
    }
    try {
      const { authorization } = request.headers
      const isSession = authorization === undefined && sessionSecretOf(request, context.publicUrl()) !== null
      // nothing of the account stays in a browser that others may use later
      if (isSession) void reply.header('Cache-Control', 'no-store').header('Vary', 'Cookie, Authorization')
      const caller = isSession
        ? memberCaller(context, request)
        : context.authenticator.authenticate(authorization, () => clientAddress(request))
      if (caller instanceof Promise) {
        caller.then(admit).then(
          () => done(),
          (error: unknown) => done(asError(error)),
        )
        return
      }
      admit(caller)
      done()
    } catch (error) {
      done(asError(error))
    }
  })
}
