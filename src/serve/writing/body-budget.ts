import type { FastifyReply } from 'fastify'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'

/** Retry-After for small bodies, whose requests take milliseconds. */
const SMALL_RETRY_SECONDS = 1

/**
 * Whom the bytes of a body are charged to: an account; a known person who acts for no account; or a stranger, by client address. Each
 * kind has a budget of its own, so that strangers cannot use up that of known senders.
 */
export interface BodySender {
  kind: 'account' | 'person' | 'stranger'
  key: string | number
}

const WHOSE: Readonly<Record<BodySender['kind'], string>> = {
  account: 'this account has',
  person: 'you have',
  stranger: 'your address has',
}

/**
 * Bounds the bytes of bodies that this process receives and handles at the same time. Bodies of more than
 * LIMITS.largeBodyBytes have a budget of their own and one place per sender, so that they never keep small bodies out.
 * docs/decisions/245-bounds-between-accounts.md says why.
 */
export class BodyBudget {
  readonly #small = {
    account: new Bytes(LIMITS.smallBodiesBytesMax, LIMITS.smallBodiesBytesPerAccountMax),
    person: new Bytes(LIMITS.peoplesBodiesBytesMax, LIMITS.peoplesBodiesBytesPerPersonMax),
    stranger: new Bytes(LIMITS.strangersBodiesBytesMax, LIMITS.strangersBodiesBytesPerAddressMax),
  }
  readonly #large = new Bytes(LIMITS.largeBodiesBytesMax, LIMITS.largeBodiesBytesMax)

  /** A place for the body of one request. It takes bytes when it grows. */
  open(sender: BodySender, reply: FastifyReply): BodyPlace {
    return new BodyPlace(this.#small[sender.kind], this.#large, sender, reply)
  }
}

/** Bytes that are taken: in all, and by sender with the number of places. */
class Bytes {
  readonly max: number
  readonly maxOfOne: number
  taken = 0
  readonly bySender = new Map<BodySender['key'], { bytes: number; count: number }>()

  constructor(max: number, maxOfOne: number) {
    this.max = max
    this.maxOfOne = maxOfOne
  }

  of(key: BodySender['key']): { bytes: number; count: number } {
    return this.bySender.get(key) ?? { bytes: 0, count: 0 }
  }

  add(key: BodySender['key'], bytes: number, count: number): void {
    this.taken += bytes
    const before = this.of(key)
    const after = { bytes: before.bytes + bytes, count: before.count + count }
    if (after.count === 0) this.bySender.delete(key)
    else this.bySender.set(key, after)
  }
}

/**
 * The bytes that the body of one request takes. They are freed when its handler has ended or, if there is none, when the answer
 * has been sent or the connection has closed. Work on a body keeps its bytes, even after the client has disconnected.
 */
export class BodyPlace {
  readonly #small: Bytes
  readonly #large: Bytes
  readonly #sender: BodySender
  readonly #reply: FastifyReply
  #bytes = 0
  #users = 0
  #isOver = false
  #isGone = false

  constructor(small: Bytes, large: Bytes, sender: BodySender, reply: FastifyReply) {
    this.#small = small
    this.#large = large
    this.#sender = sender
    this.#reply = reply
    reply.raw.once('close', () => {
      this.#isGone = true
      this.#end()
    })
  }

  /** Raises the place to so many bytes in all. @throws ShelfwireError rate-limited when they are not free. */
  grow(bytes: number): void {
    if (bytes > LIMITS.largeBodyBytes) this.#growLarge(bytes)
    else {
      const { kind, key } = this.#sender
      const own = this.#small.of(key).bytes + bytes - this.#bytes
      if (own > this.#small.maxOfOne)
        throw this.#refusal(`${WHOSE[kind]} as many request bodies in progress as are allowed`, SMALL_RETRY_SECONDS)
      // nobody may hold more than remains free: a few senders at their maximum must leave room for new ones
      if (own > this.#small.max - this.#small.taken - bytes + this.#bytes)
        throw this.#refusal('the service has as many bodies as it can hold', SMALL_RETRY_SECONDS)
      this.#small.add(key, bytes - this.#bytes, this.#bytes === 0 ? 1 : 0)
    }
    this.#bytes = bytes
  }

  #growLarge(bytes: number): void {
    const isNew = this.#bytes <= LIMITS.largeBodyBytes
    if (isNew && this.#large.of(this.#sender.key).count >= LIMITS.largeBodiesPerAccountMax)
      throw this.#refusal(
        `an account sends at most ${LIMITS.largeBodiesPerAccountMax} body of more than ${LIMITS.largeBodyBytes} bytes at once`,
        LIMITS.largeBodyRetrySeconds,
      )
    const more = isNew ? bytes : bytes - this.#bytes
    if (this.#large.taken + more > this.#large.max)
      throw this.#refusal('the service has as many large bodies as it can hold', LIMITS.largeBodyRetrySeconds)
    if (isNew) this.#release()
    this.#large.add(this.#sender.key, more, isNew ? 1 : 0)
  }

  #refusal(why: string, retrySeconds: number): ShelfwireError {
    // Keep-alive even if the client asked for close: it may still be sending its body, and read the answer only afterwards.
    // A client that waits for "100 Continue" sends no body any more, and Node closes its connection.
    if (this.#reply.request.headers.expect === undefined) void this.#reply.header('Connection', 'keep-alive')
    return new ShelfwireError('rate-limited', `${why}; see Retry-After`, { retryAfterSeconds: retrySeconds })
  }

  /** @throws ShelfwireError bad-request when the client has disconnected. */
  requireClient(): void {
    if (this.#isGone) throw new ShelfwireError('bad-request', 'the connection was closed before the body was read')
  }

  /** Keeps the bytes while `work` runs. */
  async use<T>(work: () => T | Promise<T>): Promise<T> {
    this.#users++
    try {
      return await work()
    } finally {
      this.#users--
      if (this.#isOver && this.#users === 0) this.#release()
    }
  }

  /** Keeps the bytes while `work` runs, and frees them afterwards: for the last user of the body. */
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
    bytes.add(this.#sender.key, -this.#bytes, -1)
    this.#bytes = 0
  }
}
