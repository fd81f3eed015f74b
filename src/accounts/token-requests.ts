import { LRUCache } from 'lru-cache'
import { Counter, type Metric } from 'prom-client'
import type { Route } from '../../contract/route.ts'
import type { Db } from '../db/sql.ts'
import { nowMs } from '../platform/clock.ts'
import { entriesMax } from '../platform/entries-max.ts'
import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { shownAddress, withoutSecrets } from './shown-address.ts'
import { tokenRequestsInsert, tokenRequestsTrim } from './token-requests.sql.ts'

// The log of requests with each token. A request is put into memory, and what came within a second is written down in one statement; so a
// read waits for nothing. What was not written down when the process is killed is lost.
// docs/decisions/214-requests-with-tokens-are-written-together.md says why.

/** A request with a token, as it was answered. */
export interface AnsweredRequest {
  accountId: number
  /** Of a session, which is not written down, its id, negated. */
  tokenId: number
  /** Null: there is none at its address. */
  route: Route | null
  method: string
  /** As it was sent. */
  target: string
  status: number
  /** Of the problem that it was answered with. */
  code: string | null
  ms: number
  requestId: string
}

export interface TokenRequests {
  /** Puts a request into memory, or counts it where there are too many. Never waits, never throws. */
  note(request: AnsweredRequest): void
  /** Writes down what is in memory. */
  flush(): Promise<void>
  metric: Metric
}

/** What of a token is in memory. */
interface Share {
  answers: number
  failures: number
  leftOut: number
}

interface Waiting {
  request: AnsweredRequest
  endedAtMs: number
}

/** @param db its accounts that rest, or whose node is away, are not written for */
export function openTokenRequests(db: Db, log: Log): TokenRequests {
  let waiting: Waiting[] = []
  let shares = new Map<number, Share>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isAway = false
  let leftOut = 0
  /** How many requests of a token were written down since its older ones were deleted; what is not known here may be as many. */
  const untrimmed = new LRUCache<number, number>(entriesMax(LIMITS.directoryEntriesMax))
  const metric = new Counter({
    name: 'shelfwire_token_requests_left_out_total',
    help: 'Requests with tokens that were not written down: too many at once, or the database did not take them.',
    registers: [],
    collect() {
      this.reset()
      this.inc(leftOut)
    },
  })

  const takeRows = () => {
    const [requests, taken] = [waiting, shares]
    waiting = []
    shares = new Map()
    const rows = requests
      .filter(({ request: { accountId } }) => !db.resting.has(accountId) && !db.nodes.isAway(accountId))
      .map(({ request, endedAtMs }) => ({
        accountId: request.accountId,
        tokenId: request.tokenId,
        at: new Date(endedAtMs - request.ms),
        method: request.method,
        route: request.route?.path ?? null,
        address: shownAddress(request.target, (name) => Object.hasOwn(request.route?.query ?? {}, name)),
        status: request.status,
        code: request.code,
        durationMs: Math.round(request.ms),
        requestId: withoutSecrets(request.requestId),
        leftOut: 0,
      }))
    // the last one of a token says how many are not there
    for (const row of rows.toReversed()) {
      const share = taken.get(row.tokenId)
      if (share === undefined) continue
      row.leftOut = share.leftOut
      taken.delete(row.tokenId)
    }
    return rows
  }

  const trim = async (rows: ReturnType<typeof takeRows>) => {
    const due = new Map<number, number[]>()
    for (const [tokenId, ofToken] of Map.groupBy(rows, (row) => row.tokenId)) {
      const count = (untrimmed.get(tokenId) ?? LIMITS.tokenRequestsUntrimmed) + ofToken.length
      const isDue = count >= LIMITS.tokenRequestsUntrimmed
      untrimmed.set(tokenId, isDue ? 0 : count)
      for (const { accountId } of isDue ? ofToken.slice(0, 1) : [])
        due.set(accountId, [...(due.get(accountId) ?? []), tokenId])
    }
    for (const [accountId, tokenIds] of due)
      await tokenRequestsTrim(
        db,
        accountId,
        tokenIds.toSorted((a, b) => a - b),
      )
  }

  const write = async () => {
    const rows = takeRows()
    if (rows.length === 0) return
    try {
      await tokenRequestsInsert(db, rows)
      isAway = false
    } catch (error) {
      leftOut += rows.length
      if (!isAway)
        log.warn({ err: asError(error) }, 'requests with tokens are not written down until the database takes them')
      isAway = true
      return
    }
    await trim(rows).catch((error: unknown) =>
      log.warn({ err: asError(error) }, 'deleting older requests with tokens failed'),
    )
  }

  const writeSoon = () => {
    timer ??= setTimeout(() => void writeNow(), LIMITS.tokenRequestsCollectMs).unref()
  }
  /** One statement at a time: what comes meanwhile is in the next one. */
  const writeNow = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing ??= write().finally(() => {
      writing = undefined
      if (waiting.length > 0) writeSoon()
    })
    return writing
  }

  return {
    metric,
    note(request) {
      const { tokenId, status } = request
      if (tokenId <= 0) return
      let share = shares.get(tokenId)
      if (share === undefined) shares.set(tokenId, (share = { answers: 0, failures: 0, leftOut: 0 }))
      const isFailure = status >= 400
      // many answers leave room for the failures among them, which are what one looks for
      const written = isFailure ? share.failures : share.answers
      if (written >= LIMITS.tokenRequestsAtOnce || waiting.length >= LIMITS.tokenRequestsWaiting) {
        share.leftOut++
        leftOut++
        return
      }
      if (isFailure) share.failures++
      else share.answers++
      waiting.push({ request, endedAtMs: nowMs() })
      if (writing === undefined) writeSoon()
    },
    async flush() {
      await writing
      await writeNow()
    },
  }
}
