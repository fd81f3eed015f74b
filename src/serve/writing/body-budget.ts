import type { FastifyReply } from 'fastify'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'

/** Retry-After for small bodies: their requests take milliseconds. */
const SMALL_RETRY_SECONDS = 1

/**
 * Bounds the bytes of bodies that this process receives and handles at the same time. Bodies of more than
 * LIMITS.largeBodyBytes share bytes of their own and have one place per account, so that they keep nobody's small bodies out.
 */
export class BodyBudget {
  readonly #small = new Bytes(LIMITS.smallBodiesBytesMax)
  readonly #large = new Bytes(LIMITS.largeBodiesBytesMax)

  /** A place for the body of one request, which takes its bytes by `grow`. */
  open(accountId: number, reply: FastifyReply): BodyPlace {
    return new BodyPlace(this.#small, this.#large, accountId, reply)
  }
}

/** Bytes that are taken: in all, and by account with the number of takers. */
class Bytes {
  readonly max: number
  taken = 0
  readonly byAccount = new Map<number, { bytes: number; count: number }>()

  constructor(max: number) {
    this.max = max
  }

  of(accountId: number): { bytes: number; count: number } {
    return this.byAccount.get(accountId) ?? { bytes: 0, count: 0 }
  }

  add(accountId: number, bytes: number, count: number): void {
    this.taken += bytes
    const before = this.of(accountId)
    const after = { bytes: before.bytes + bytes, count: before.count + count }
    if (after.count === 0) this.byAccount.delete(accountId)
    else this.byAccount.set(accountId, after)
  }
}

/**
 * The bytes that the body of one request takes. They are given back when its handler has ended or, without one, when the
 * answer or the connection has: what still works on a body keeps its bytes, even after its client has gone.
 */
export class BodyPlace {
  readonly #small: Bytes
  readonly #large: Bytes
  readonly #accountId: number
  readonly #reply: FastifyReply
  #bytes = 0
  #users = 0
  #isOver = false
  #isGone = false

  constructor(small: Bytes, large: Bytes, accountId: number, reply: FastifyReply) {
    this.#small = small
    this.#large = large
    this.#accountId = accountId
    this.#reply = reply
    reply.raw.once('close', () => {
      this.#isGone = true
      this.#end()
    })
  }

  /** Takes so many bytes in all. @throws ShelfwireError rate-limited when they are not free. */
  grow(bytes: number): void {
    if (bytes > LIMITS.largeBodyBytes) this.#growLarge(bytes)
    else {
      const own = this.#small.of(this.#accountId).bytes + bytes - this.#bytes
      if (own > LIMITS.smallBodiesBytesPerAccountMax)
        throw this.#refusal('this account has as many request bodies in progress as are allowed', SMALL_RETRY_SECONDS)
      if (this.#small.taken + bytes - this.#bytes > this.#small.max)
        throw this.#refusal('the service has as many bodies as it can hold', SMALL_RETRY_SECONDS)
      this.#small.add(this.#accountId, bytes - this.#bytes, this.#bytes === 0 ? 1 : 0)
    }
    this.#bytes = bytes
  }

  #growLarge(bytes: number): void {
    const isNew = this.#bytes <= LIMITS.largeBodyBytes
    if (isNew && this.#large.of(this.#accountId).count >= LIMITS.largeBodiesPerAccountMax)
      throw this.#refusal(
        `an account sends at most ${LIMITS.largeBodiesPerAccountMax} body of more than ${LIMITS.largeBodyBytes} bytes at once`,
        LIMITS.largeBodyRetrySeconds,
      )
    const more = isNew ? bytes : bytes - this.#bytes
    if (this.#large.taken + more > this.#large.max)
      throw this.#refusal('the service has as many large bodies as it can hold', LIMITS.largeBodyRetrySeconds)
    if (isNew) this.#release()
    this.#large.add(this.#accountId, more, isNew ? 1 : 0)
  }

  #refusal(why: string, retrySeconds: number): ShelfwireError {
    // Kept open also where the client asked to close it: it may be sending its body and read the answer only after that.
    // One that waits for "100 Continue" sends no body any more: Node closes its connection.
    if (this.#reply.request.headers.expect === undefined) void this.#reply.header('Connection', 'keep-alive')
    return new ShelfwireError('rate-limited', `${why}; see Retry-After`, { retryAfterSeconds: retrySeconds })
  }

  /** @throws ShelfwireError when the client has gone, before anything has begun. */
  requireClient(): void {
    if (this.#isGone) throw new ShelfwireError('bad-request', 'the connection was closed before the body was read')
  }

  /** Keeps the bytes while `work` is at it. */
  async use<T>(work: () => T | Promise<T>): Promise<T> {
    this.#users++
    try {
      return await work()
    } finally {
      this.#users--
      if (this.#isOver && this.#users === 0) this.#release()
    }
  }

  /** The same for the last that works on the body. */
  async useUp<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      this.requireClient()
      return await this.use(work)
    } finally {
      this.#end()
    }
  }

  #end(): void {
    this.#isOver = true
    if (this.#users === 0) this.#release()
  }

  #release(): void {
    if (this.#bytes === 0) return
    const bytes = this.#bytes > LIMITS.largeBodyBytes ? this.#large : this.#small
    bytes.add(this.#accountId, -this.#bytes, -1)
    this.#bytes = 0
  }
}
