import { ShelfwireError } from '../errors.ts'
import { TurnOrder, type Ticket, type TurnKey, type TurnLimits, type TurnRefusal } from './turn-order.ts'

// The scheduler for everything that many accounts want at the same time and that has few places: imports, fetches, workers, downloads.

export interface TurnOptions {
  /** Ends the waiting; a turn that has begun must be disposed of by its holder. */
  signal?: AbortSignal | undefined
  /** How many places it takes: 1, unless pieces of work differ very much in size. */
  weight?: number
}

/** A turn that has begun. Disposing ends it; disposing again does nothing. */
export type Turn = Disposable

/** Thrown if too many requests wait already. Callers report it in their own words. */
export class TurnRefused extends Error {
  override readonly name = 'TurnRefused'
  /** What the turns are for, in the plural. */
  readonly what: string
  readonly key: TurnKey
  /** `key-full`: too many requests of this key wait; `all-full`: too many of all keys together. */
  readonly refusal: TurnRefusal
  /** The limit that has been reached. */
  readonly limit: number

  constructor(what: string, key: TurnKey, refusal: TurnRefusal, limit: number) {
    super(`${what}: ${limit} requests ${refusal === 'key-full' ? `of ${key} ` : ''}wait already`)
    this.what = what
    this.key = key
    this.refusal = refusal
    this.limit = limit
  }
}

/** Converts a TurnRefused to an error for clients; returns any other error unchanged. @param what the client waits for, in the plural */
export function asBusy(error: unknown, what: string, retryAfterSeconds: number): unknown {
  if (!(error instanceof TurnRefused)) return error
  const whose = error.refusal === 'key-full' ? 'of the account' : 'of all accounts together'
  return new ShelfwireError('rate-limited', `${error.limit} ${what} ${whose} wait already; see Retry-After`, {
    retryAfterSeconds,
  })
}

export interface FairTurns {
  /**
   * Waits for a turn, round-robin by key (turn-order.ts).
   * @throws TurnRefused when too many wait; the reason of `signal`; the error that was given to `close`
   */
  acquire(key: TurnKey, options?: TurnOptions): Promise<Turn>
  /** Takes a turn if one is free and nobody is waiting for it; undefined otherwise. */
  take(key: TurnKey, weight?: number): Turn | undefined
  /** Waits for a turn, does the work and ends the turn. */
  run<T>(key: TurnKey, work: () => Promise<T>, options?: TurnOptions): Promise<T>
  /** How many requests wait, the weight of running turns, and how many keys have any of both. `isFull`: no turn can begin now, whatever its key. */
  readonly state: { waiting: number; running: number; keys: number; isFull: boolean }
  /** Rejects waiting and all later requests with `reason`. */
  close(reason: Error): void
}

/** @param what the turns are for, in errors: `imports`, `previews of files`. */
export function openFairTurns(what: string, limits: TurnLimits): FairTurns {
  const order = new TurnOrder(limits)
  const waiting = new Map<Ticket, { begin: () => void; fail: (reason: unknown) => void }>()
  let closed: Error | undefined

  const advance = () => {
    if (closed !== undefined) return
    for (let ticket = order.next(); ticket !== undefined; ticket = order.next()) waiting.get(ticket)?.begin()
  }
  const end = (ticket: Ticket) => {
    order.end(ticket)
    advance()
  }
  const turnOf = (ticket: Ticket): Turn => ({ [Symbol.dispose]: () => end(ticket) })

  const turns: FairTurns = {
    async acquire(key, { signal, weight = 1 } = {}) {
      signal?.throwIfAborted()
      if (closed !== undefined) throw closed
      const ticket = order.ask(key, weight)
      if (typeof ticket === 'string')
        throw new TurnRefused(what, key, ticket, ticket === 'key-full' ? limits.waitingPerKeyMax : limits.waitingMax)
      const { promise, resolve, reject } = Promise.withResolvers<Turn>()
      const leave = () => {
        waiting.delete(ticket)
        signal?.removeEventListener('abort', abort)
      }
      const fail = (reason: unknown) => {
        leave()
        end(ticket)
        reject(reason instanceof Error ? reason : new Error(String(reason)))
      }
      const abort = () => fail(signal?.reason)
      waiting.set(ticket, {
        begin() {
          leave()
          resolve(turnOf(ticket))
        },
        fail,
      })
      signal?.addEventListener('abort', abort, { once: true })
      advance()
      return promise
    },
    take(key, weight = 1) {
      if (closed !== undefined) return undefined
      const ticket = order.ask(key, weight)
      if (typeof ticket === 'string') return undefined
      if (order.next() === ticket) return turnOf(ticket)
      order.end(ticket)
      return undefined
    },
    async run(key, work, options) {
      using _turn = await turns.acquire(key, options)
      return await work()
    },
    get state() {
      const { waiting: waits, running, keys } = order
      return { waiting: waits, running, keys, isFull: running >= limits.atOnce }
    },
    close(reason) {
      closed = reason
      for (const { fail } of waiting.values()) fail(reason)
    },
  }
  return turns
}
