import type { Db } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { headsOf } from './changes.sql.ts'

/** How late a waiter may be when the NOTIFY was lost. */
const POLL_MS = 1_000

/** A seat in the waiting room; take it before reading, so that nothing between reading and waiting is missed. */
export interface Seat extends Disposable {
  /** Resolves true at the first news since the seat was taken or last waited on, false at the deadline or abort. */
  news(timeoutMs: number): Promise<boolean>
}

export interface Waiters {
  /** A seat, or null when the room or the token's share of it is full: then the answer is given without waiting. */
  sit(accountId: number, tokenId: number): Seat | null
  count(): number
  /** Lets everybody go; for shutdown. */
  close(): void
}

interface Waiter {
  accountId: number
  isNews: boolean
  wake: () => void
}

/** Long polls waiting for news of an account. They hold no database connection. */
export function openWaiters(db: Db, wake: Wake, log: Log): Waiters {
  const waiters = new Map<number, Set<Waiter>>()
  const perToken = new Map<number, number>()
  const heads = new Map<number, number>()
  let total = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const tell = (accountId: number) => {
    for (const waiter of waiters.get(accountId) ?? []) {
      waiter.isNews = true
      waiter.wake()
    }
  }
  wake.on('change', tell)

  // one query for all waiters of the process stands behind the notifications
  const poll = async () => {
    try {
      for (const { accountId, lastId } of await headsOf(db, [...waiters.keys()])) {
        const known = heads.get(accountId)
        if (waiters.has(accountId)) heads.set(accountId, lastId)
        if (known !== lastId) tell(accountId)
      }
    } catch (error) {
      log.warn({ err: asError(error) }, 'looking after long polls failed')
    }
    timer = total > 0 && !isClosed ? setTimeout(() => void poll(), POLL_MS) : undefined
  }

  const leave = (waiter: Waiter, tokenId: number) => {
    const set = waiters.get(waiter.accountId)
    if (set === undefined || !set.delete(waiter)) return
    total--
    if (set.size === 0) {
      waiters.delete(waiter.accountId)
      heads.delete(waiter.accountId)
    }
    const left = (perToken.get(tokenId) ?? 1) - 1
    if (left === 0) perToken.delete(tokenId)
    else perToken.set(tokenId, left)
  }

  return {
    sit(accountId, tokenId) {
      const held = perToken.get(tokenId) ?? 0
      if (isClosed || total >= LIMITS.longPollWaitersMax || held >= LIMITS.longPollWaitersPerTokenMax) return null
      const waiter: Waiter = { accountId, isNews: false, wake: () => {} }
      const set = waiters.get(accountId) ?? new Set()
      waiters.set(accountId, set.add(waiter))
      perToken.set(tokenId, held + 1)
      total++
      timer ??= setTimeout(() => void poll(), POLL_MS)
      return {
        async news(timeoutMs) {
          if (!waiter.isNews && !isClosed && timeoutMs > 0) {
            await new Promise<void>((resolve) => {
              const deadline = setTimeout(resolve, timeoutMs)
              waiter.wake = () => {
                clearTimeout(deadline)
                resolve()
              }
            })
          }
          const isNews = waiter.isNews && !isClosed
          waiter.isNews = false
          return isNews
        },
        [Symbol.dispose]() {
          waiter.wake()
          leave(waiter, tokenId)
        },
      }
    },
    count: () => total,
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const set of waiters.values()) for (const waiter of set) waiter.wake()
    },
  }
}
