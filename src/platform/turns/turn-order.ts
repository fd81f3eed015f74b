/** Who the work is for: an account's id, or a client's address if there is no account. */
export type TurnKey = number | string

export interface TurnLimits {
  /** Places for running work of all keys together, by weight. */
  atOnce: number
  /** Places for running work of one key. If less than `atOnce`, one key can never take all places. */
  perKey: number
  /** Waiting requests of all keys together, and of one key; further ones are refused. */
  waitingMax: number
  waitingPerKeyMax: number
}

/** A request for a turn, while it waits and while it runs. */
export interface Ticket {
  readonly key: TurnKey
  /** How many of the places of `atOnce` it takes. */
  readonly weight: number
}

/** Which limit on waiting requests is reached: that of the key, or that of all. */
export type TurnRefusal = 'key-full' | 'all-full'

/**
 * Decides which request is next: round-robin by key, and within a key in the order of the requests. While a key waits that is below its own `perKey`,
 * every other key begins at most once before it. If the next request is too heavy for the free places, nothing begins until it can, so that lighter
 * ones do not overtake it for ever. Pure: nothing waits in here, and a key without requests uses no memory.
 */
export class TurnOrder {
  readonly #limits: TurnLimits
  /** Waiting requests by key; the keys in the order of their turns. */
  readonly #waiting = new Map<TurnKey, Set<Ticket>>()
  /** The weight of running requests, by key. */
  readonly #running = new Map<TurnKey, number>()
  readonly #begun = new Set<Ticket>()
  #waits = 0
  #runs = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.#waits
  }

  /** The weight of all running requests. */
  get running(): number {
    return this.#runs
  }

  /** How many keys have waiting or running requests. */
  get keys(): number {
    return new Set([...this.#waiting.keys(), ...this.#running.keys()]).size
  }

  /**
   * Adds a request after the others of its key. A request that can begin at once is never refused.
   * @param weight limited to `perKey` and `atOnce`.
   */
  ask(key: TurnKey, weight = 1): Ticket | TurnRefusal {
    const ticket: Ticket = { key, weight: Math.min(weight, this.#limits.perKey, this.#limits.atOnce) }
    const own = this.#waiting.get(key)
    if (!this.#beginsAtOnce(ticket)) {
      if ((own?.size ?? 0) >= this.#limits.waitingPerKeyMax) return 'key-full'
      if (this.#waits >= this.#limits.waitingMax) return 'all-full'
    }
    if (own === undefined) this.#waiting.set(key, new Set([ticket]))
    else own.add(ticket)
    this.#waits++
    return ticket
  }

  /** Begins the next request; undefined if none may begin now. Call it again until it returns undefined. */
  next(): Ticket | undefined {
    for (const [key, own] of this.#waiting) {
      const [ticket] = own
      if (ticket === undefined) throw new Error('a key without requests is not kept')
      if (this.#of(key) + ticket.weight > this.#limits.perKey) continue
      if (this.#runs + ticket.weight > this.#limits.atOnce) return undefined
      this.#leave(ticket)
      // the key's next turn comes after those of all other keys
      if (this.#waiting.delete(key) && own.size > 0) this.#waiting.set(key, own)
      this.#runs += ticket.weight
      this.#running.set(key, this.#of(key) + ticket.weight)
      this.#begun.add(ticket)
      return ticket
    }
    return undefined
  }

  /** Removes a request, waiting or running. May be called repeatedly. */
  end(ticket: Ticket): void {
    if (!this.#begun.delete(ticket)) return this.#leave(ticket)
    const { key, weight } = ticket
    this.#runs -= weight
    const left = this.#of(key) - weight
    if (left === 0) this.#running.delete(key)
    else this.#running.set(key, left)
  }

  #leave(ticket: Ticket): void {
    const own = this.#waiting.get(ticket.key)
    if (own === undefined || !own.delete(ticket)) return
    this.#waits--
    if (own.size === 0) this.#waiting.delete(ticket.key)
  }

  /** Whether a new request can begin at once: it fits, and every waiting key is at its own limit. */
  #beginsAtOnce({ key, weight }: Ticket): boolean {
    if (this.#waiting.has(key)) return false
    if (this.#runs + weight > this.#limits.atOnce || this.#of(key) + weight > this.#limits.perKey) return false
    for (const [other, [first]] of this.#waiting)
      if (first !== undefined && this.#of(other) + first.weight <= this.#limits.perKey) return false
    return true
  }

  /** The weight of a key's running requests. */
  #of(key: TurnKey): number {
    const running = this.#running.get(key)
    return running === undefined ? 0 : running
  }
}
