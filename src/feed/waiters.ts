import type { Db } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { headsOf } from './changes.sql.ts'

/** The longest delay of a waiter whose notification was lost. */
const POLL_MS = 1_000

/** The wait of one long poll. Open it before reading the feed, so that no change between reading and waiting is missed. */
export interface Waiter extends Disposable {
  /**
   * Resolves to true at the first change since the waiter was opened or last resolved; to false at the deadline or on
   * close. After the deadline it is always false.
   */
  nextChange(timeoutMs: number): Promise<boolean>
}

export interface Waiters {
  /**
   * @returns null at shutdown: answer without waiting.
   * @throws ShelfwireError rate-limited if the token, its account or the process has its maximum number of waiters.
   */
  open(accountId: number, tokenId: number): Waiter | null
  count(): number
  /** Ends every wait; for shutdown. */
  close(): void
}

interface Waiting {
  accountId: number
  hasChanged: boolean
  wake: () => void
}

/** Long polls that wait for changes of an account, without a database connection. */
export function openWaiters(db: Db, wake: Wake, log: Log): Waiters {
  const byAccount = new Map<number, Set<Waiting>>()
  const perToken = new Map<number, number>()
  const heads = new Map<number, number>()
  let total = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const wakeAccount = (accountId: number) => {
    for (const waiting of byAccount.get(accountId) ?? []) {
      waiting.hasChanged = true
      waiting.wake()
    }
  }
  wake.on('change', wakeAccount)
  // polls of an account that has just been suspended are answered with that error
  db.resting.onRest(wakeAccount)

  // the fallback for lost notifications: one query for all waiters of the process
  const poll = async () => {
    try {
      const accountIds = [...byAccount.keys()].filter((accountId) => !db.nodes.isAway(accountId))
      for (const { accountId, lastId } of await headsOf(db, accountIds)) {
        const known = heads.get(accountId)
        if (byAccount.has(accountId)) heads.set(accountId, lastId)
        if (known !== lastId) wakeAccount(accountId)
      }
    } catch (error) {
      log.warn({ err: asError(error) }, 'polling for long polls failed')
    }
    timer = total > 0 && !isClosed ? setTimeout(() => void poll(), POLL_MS) : undefined
  }

  const remove = (waiting: Waiting, tokenId: number) => {
    const set = byAccount.get(waiting.accountId)
    if (set === undefined || !set.delete(waiting)) return
    total--
    if (set.size === 0) {
      byAccount.delete(waiting.accountId)
      heads.delete(waiting.accountId)
    }
    const left = (perToken.get(tokenId) ?? 1) - 1
    if (left === 0) perToken.delete(tokenId)
    else perToken.set(tokenId, left)
  }

  return {
    open(accountId, tokenId) {
      if (isClosed) return null
      const ofToken = perToken.get(tokenId) ?? 0
      const set = byAccount.get(accountId) ?? new Set()
      // refused, because a client that gets an empty answer at once would ask again at once
      if (ofToken >= LIMITS.longPollWaitersPerTokenMax)
        throw tooManyPolls(`at most ${LIMITS.longPollWaitersPerTokenMax} long polls of a token wait at once`)
      if (set.size >= LIMITS.longPollWaitersPerAccountMax)
        throw tooManyPolls(`at most ${LIMITS.longPollWaitersPerAccountMax} long polls of an account wait at once`)
      if (total >= LIMITS.longPollWaitersMax) throw tooManyPolls('too many long polls are waiting')
      const waiting: Waiting = { accountId, hasChanged: false, wake: () => {} }
      byAccount.set(accountId, set.add(waiting))
      perToken.set(tokenId, ofToken + 1)
      total++
      timer ??= setTimeout(() => void poll(), POLL_MS)
      return {
        async nextChange(timeoutMs) {
          // also after a change: changes of other stores must not prolong the wait
          if (timeoutMs <= 0) return false
          if (!waiting.hasChanged && !isClosed) {
            await new Promise<void>((resolve) => {
              const deadline = setTimeout(resolve, timeoutMs)
              waiting.wake = () => {
                clearTimeout(deadline)
                resolve()
              }
            })
          }
          const hasChanged = waiting.hasChanged && !isClosed
          waiting.hasChanged = false
          return hasChanged
        },
        [Symbol.dispose]() {
          waiting.wake()
          remove(waiting, tokenId)
        },
      }
    },
    count: () => total,
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const set of byAccount.values()) for (const waiting of set) waiting.wake()
    },
  }
}

function tooManyPolls(reason: string): ShelfwireError {
  return new ShelfwireError('rate-limited', `${reason}; ask without wait, or after Retry-After`, {
    retryAfterSeconds: LIMITS.longPollRetryAfterSeconds,
  })
}
