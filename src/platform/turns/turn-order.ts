/** Whose work it is: an account's id, or a client's address where there is no account. */
export type TurnKey = number | string

export interface TurnLimits {
  /** Work that may be under way, of all keys together, by weight. */
  atOnce: number
  /** The same of one key. If it is less than `atOnce`, one key can never take all places. */
  perKey: number
  /** Requests that wait, of all keys together and of one key; what is more is refused. */
  waitingMax: number
  waitingPerKeyMax: number
}

/** One request for a turn; its place in the order and, once it has begun, its share of what may be under way. */
export interface Ticket {
  readonly key: TurnKey
  /** How much of `atOnce` it takes. */
  readonly weight: number
}

/** Which limit on waiting requests is reached: that of the key, or that of all. */
export type TurnRefusal = 'key-full' | 'all-full'

/**
 * Decides who is next: round-robin by key, and within a key in the order of the requests. While a key waits that is not kept back by `perKey`,
 * every other key begins at most once before it. If the next request is too heavy for what is free, nothing begins until it can, so that light
 * ones do not overtake it for ever. Pure: nothing waits in here, and a key without requests leaves nothing behind.
 */
export class TurnOrder {
  readonly #limits: TurnLimits
  /** What waits, by key; the keys in the order of their turns. */
  readonly #waiting = new Map<TurnKey, Set<Ticket>>()
  /** What is under way, by key. */
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

  /** How much is under way, by weight. */
  get running(): number {
    return this.#runs
  }

  /** Keys with anything that waits or runs. */
  get keys(): number {
    return new Set([...this.#waiting.keys(), ...this.#running.keys()]).size
  }

  /**
   * Puts a request behind those of its key. One that can begin at once is never refused.
   * @param weight at most what one key may have under way, whatever is given.
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

  /** Begins the next request; undefined when none may begin now. Ask again until it is. */
  next(): Ticket | undefined {
    for (const [key, own] of this.#waiting) {
      const [ticket] = own
      if (ticket === undefined) throw new Error('a key without requests is not kept')
      if (this.#of(key) + ticket.weight > this.#limits.perKey) continue
      if (this.#runs + ticket.weight > this.#limits.atOnce) return undefined
      this.#leave(ticket)
      // behind all others
      if (this.#waiting.delete(key) && own.size > 0) this.#waiting.set(key, own)
      this.#runs += ticket.weight
      this.#running.set(key, this.#of(key) + ticket.weight)
      this.#begun.add(ticket)
      return ticket
    }
    return undefined
  }

  /** Takes a request out, whether it waits or is under way. Safe to repeat. */
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

  /** Whether there is room for it, and every key that waits is kept back by its own `perKey`. */
  #beginsAtOnce({ key, weight }: Ticket): boolean {
    if (this.#waiting.has(key)) return false
    if (this.#runs + weight > this.#limits.atOnce || this.#of(key) + weight > this.#limits.perKey) return false
    for (const [other, [first]] of this.#waiting)
      if (first !== undefined && this.#of(other) + first.weight <= this.#limits.perKey) return false
    return true
  }

  /** What is under way of a key. */
  #of(key: TurnKey): number {
    const running = this.#running.get(key)
    return running === undefined ? 0 : running
  }
}
