import type { FastifyInstance } from 'fastify'
import { asError, ShelfwireError } from '../platform/errors.ts'
import type { ServeContext } from './context.ts'
import { openRateLimit } from './rate-limit.ts'

/** Every route in this scope needs a token, unknown paths included, and is limited to the token's rate. */
export function guard(app: FastifyInstance, context: ServeContext): void {
  const limit = openRateLimit(context.ratePerSecond)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      done(new ShelfwireError('bad-request', 'the request has no Host header'))
      return
    }
    void reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Accept-Encoding')
    const admit = (caller: NonNullable<typeof request.caller>) => {
      request.caller = caller
      if (limit === null) return
      const state = limit.take(caller.tokenId)
      void reply
        .header('RateLimit-Policy', limit.policy)
        .header('RateLimit', `"default";r=${state.remaining};t=${state.resetSeconds}`)
      if (state.isAllowed) return
      void reply.header('Retry-After', String(Math.max(1, state.resetSeconds)))
      throw new ShelfwireError(
        'rate-limited',
        `at most ${context.ratePerSecond} requests per second and token; see Retry-After`,
      )
    }
    try {
      const caller = context.authenticator.authenticate(request.headers.authorization)
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
