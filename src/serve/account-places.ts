import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, type Metric } from 'prom-client'
import type { KeptLimits } from '../accounts/limits/kept-limits.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { QuotaExceeded } from '../accounts/limits/quota.ts'

/** One of the places for requests of an account that this process answers at the same time. */
export class AccountPlace {
  #users = 1
  #leave: () => void

  constructor(leave: () => void) {
    this.#leave = leave
  }

  /** Keeps the place until the work has ended, even if the client disconnects first. */
  async use<T>(work: Promise<T>): Promise<T> {
    this.#users++
    try {
      return await work
    } finally {
      this.end()
    }
  }

  end(): void {
    if (--this.#users === 0) this.#leave()
  }

  /** Frees the place early and for good: from here on the request only waits, which takes no place. */
  giveUp(): void {
    if (this.#users <= 0) return
    this.#users = Number.NEGATIVE_INFINITY
    this.#leave()
  }
}

/**
 * Keeps a place until the answer to a request has been sent.
 * @throws ShelfwireError bad-request when the client has disconnected while the caller was looked up: a closed connection emits no
 * further `close` event, so the place would never be freed.
 */
export function keepPlace(place: AccountPlace, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.destroyed) {
    place.end()
    throw new ShelfwireError('bad-request', 'the client is gone')
  }
  request.accountPlace = place
  reply.raw.once('close', () => place.end())
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before the account is known. */
    accountPlace: AccountPlace | null
  }
}

/** Requests per account that this process is answering. */
export interface AccountPlaces {
  /**
   * Takes a place. The caller ends it when the answer has been sent. @param onLeave called when the place is free again
   * @throws QuotaExceeded concurrent_requests
   */
  enter(accountId: number, onLeave?: () => void): AccountPlace
  /** Places that the account has taken now. */
  of(accountId: number): number
  /** Requests in total, of the accounts that sent most of late. */
  metric: Metric
}

/** How many accounts the metric shows. */
const TOP_ACCOUNTS = 20
/** Half-life of older requests in the ranking of accounts. */
const HALF_LIFE_MS = 600_000

interface Sent {
  total: number
  /** The total at the last collection. */
  totalBefore: number
  /** Recent requests, with a weight that halves every HALF_LIFE_MS. */
  recent: number
}

/** Limits the requests of each account that this process answers at the same time, by the budget `concurrent_requests`. */
export function openAccountPlaces(limits: KeptLimits): AccountPlaces {
  const taken = new Map<number, number>()
  const sent = new Map<number, Sent>()
  let collectedAt = performance.now()
  const metric = new Counter({
    name: 'shelfwire_account_requests_total',
    help: 'Requests with tokens and sessions of an account; of the 20 accounts that sent most of late.',
    labelNames: ['account'],
    registers: [],
    collect() {
      const now = performance.now()
      const kept = 0.5 ** ((now - collectedAt) / HALF_LIFE_MS)
      collectedAt = now
      for (const one of sent.values()) {
        one.recent = one.recent * kept + one.total - one.totalBefore
        one.totalBefore = one.total
      }
      const top = [...sent].sort(([, a], [, b]) => b.recent - a.recent).slice(0, TOP_ACCOUNTS)
      this.reset()
      for (const [accountId, { total }] of top) this.inc({ account: accountId }, total)
    },
  })
  const of = (accountId: number) => taken.get(accountId) ?? 0
  return {
    of,
    metric,
    enter(accountId, onLeave) {
      const counted = sent.get(accountId)
      if (counted === undefined) sent.set(accountId, { total: 1, totalBefore: 0, recent: 0 })
      else counted.total++
      const limit = limits.of(accountId).concurrent_requests
      const now = of(accountId)
      if (limit !== null && now >= limit) throw QuotaExceeded.ofRate('concurrent_requests', now, limit, 1)
      taken.set(accountId, now + 1)
      return new AccountPlace(() => {
        const left = of(accountId) - 1
        if (left > 0) taken.set(accountId, left)
        else taken.delete(accountId)
        onLeave?.()
      })
    },
  }
}
