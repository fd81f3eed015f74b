import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeptLimits } from '../accounts/limits/kept-limits.ts'
import { QuotaExceeded } from '../accounts/limits/quota.ts'

/** The place of a request among those that this process answers for its account at the same time. */
export class AccountPlace {
  #users = 1
  #leave: () => void

  constructor(leave: () => void) {
    this.#leave = leave
  }

  /** Keeps the place until the work has ended, also when the client has gone before. */
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

  /** Gives the place back and does not take it again: from here on the request only waits. */
  giveUp(): void {
    if (this.#users <= 0) return
    this.#users = Number.NEGATIVE_INFINITY
    this.#leave()
  }
}

/** Keeps a place until the answer to a request has been sent. */
export function keepPlace(place: AccountPlace, request: FastifyRequest, reply: FastifyReply): void {
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
  /** Takes a place, which is to be ended when the answer has been sent. @throws QuotaExceeded */
  enter(accountId: number): AccountPlace
  of(accountId: number): number
}

export function openAccountPlaces(limits: KeptLimits): AccountPlaces {
  const taken = new Map<number, number>()
  const of = (accountId: number) => taken.get(accountId) ?? 0
  return {
    of,
    enter(accountId) {
      const limit = limits.of(accountId).concurrent_requests
      const now = of(accountId)
      if (limit !== null && now >= limit) throw QuotaExceeded.ofRate('concurrent_requests', now, limit, 1)
      taken.set(accountId, now + 1)
      return new AccountPlace(() => {
        const left = of(accountId) - 1
        if (left > 0) taken.set(accountId, left)
        else taken.delete(accountId)
      })
    },
  }
}
