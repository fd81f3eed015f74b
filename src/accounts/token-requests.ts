import { LRUCache } from 'lru-cache'
import { Counter, type Metric } from 'prom-client'
import type { Route } from '../../contract/route.ts'
import type { Db } from '../db/sql.ts'
import { nowMs } from '../platform/time/clock.ts'
import { entriesMax } from '../platform/caches/entries-max.ts'
import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { shownAddress, withoutSecrets } from './shown-address.ts'
import { tokenRequestsInsert, tokenRequestsTrim, type TokenRequestRow } from './token-requests.sql.ts'

// The log of requests with each token. Requests are collected in memory, and those of a second are stored by one statement, so that
// reads never wait. Requests that are not stored when the process is killed are lost.
// docs/decisions/214-requests-with-tokens-are-written-together.md says why.

/** A request with a token, and its answer. */
export interface AnsweredRequest {
  accountId: number
  /** For a session, whose requests are not stored, the session's id, negated. */
  tokenId: number
  /** Null if no route matched. */
  route: Route | null
  method: string
  /** The request target as sent. */
  target: string
  status: number
  /** Code of the problem that was the answer. */
  code: string | null
  ms: number
  requestId: string
}

/** How many requests of a token are in memory, and how many were left out. */
interface Share {
  answers: number
  failures: number
  leftOut: number
}

interface Waiting {
  request: AnsweredRequest
  endedAtMs: number
}

type Row = TokenRequestRow & { accountId: number; tokenId: number }

/** The requests with tokens that this process has answered. Nothing is stored for accounts that are suspended or whose node is away. */
export class TokenRequests {
  readonly metric: Metric
  readonly #db: Db
  readonly #log: Log
  #waiting: Waiting[] = []
  #shares = new Map<number, Share>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #isAway = false
  #leftOut = 0
  /** Requests of a token that were stored since its older ones were deleted. An unknown token counts as due. */
  readonly #untrimmed = new LRUCache<number, number>(entriesMax(LIMITS.directoryEntriesMax))

  constructor(db: Db, log: Log) {
    this.#db = db
    this.#log = log
    const leftOut = () => this.#leftOut
    this.metric = new Counter({
      name: 'shelfwire_token_requests_left_out_total',
      help: 'Requests with tokens that were not written down: too many at once, or the database did not take them.',
      registers: [],
      collect() {
        this.reset()
        this.inc(leftOut())
      },
    })
  }

  /** Collects a request in memory, or only counts it if there are too many. Never waits, never throws. */
  note(request: AnsweredRequest): void {
    const { tokenId, status } = request
    if (tokenId <= 0) return
    let share = this.#shares.get(tokenId)
    if (share === undefined) this.#shares.set(tokenId, (share = { answers: 0, failures: 0, leftOut: 0 }))
    const isFailure = status >= 400
    // successes and failures have room of their own, because failures are what people look for
    const written = isFailure ? share.failures : share.answers
    if (written >= LIMITS.tokenRequestsAtOnce || this.#waiting.length >= LIMITS.tokenRequestsWaiting) {
      share.leftOut++
      this.#leftOut++
      return
    }
    if (isFailure) share.failures++
    else share.answers++
    this.#waiting.push({ request, endedAtMs: nowMs() })
    if (this.#writing === undefined) this.#writeSoon()
  }

  /** Stores all collected requests. */
  async flush(): Promise<void> {
    await this.#writing
    await this.#writeNow()
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.#writeNow(), LIMITS.tokenRequestsCollectMs).unref()
  }

  /** Runs one statement at a time; requests that arrive meanwhile are in the next one. */
  #writeNow(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
      if (this.#waiting.length > 0) this.#writeSoon()
    })
    return this.#writing
  }

  async #write(): Promise<void> {
    const rows = this.#takeRows()
    if (rows.length === 0) return
    try {
      await tokenRequestsInsert(this.#db, rows)
      this.#isAway = false
    } catch (error) {
      this.#leftOut += rows.length
      if (!this.#isAway)
        this.#log.warn(
          { err: asError(error) },
          'requests with tokens are not written down until the database takes them',
        )
      this.#isAway = true
      return
    }
    await this.#trim(rows).catch((error: unknown) =>
      this.#log.warn({ err: asError(error) }, 'deleting older requests with tokens failed'),
    )
  }

  #takeRows(): Row[] {
    const [requests, taken] = [this.#waiting, this.#shares]
    this.#waiting = []
    this.#shares = new Map()
    const { resting, nodes } = this.#db
    const rows = requests
      .filter(({ request: { accountId } }) => !resting.has(accountId) && !nodes.isAway(accountId))
      .map(rowOf)
    // the last stored request of a token has the number of those that were left out
    for (const row of rows.toReversed()) {
      const share = taken.get(row.tokenId)
      if (share === undefined) continue
      row.leftOut = share.leftOut
      taken.delete(row.tokenId)
    }
    return rows
  }

  /** Deletes older requests of the tokens that have had many since the last time. */
  async #trim(rows: readonly Row[]): Promise<void> {
    const due = new Map<number, number[]>()
    for (const [tokenId, ofToken] of Map.groupBy(rows, (row) => row.tokenId)) {
      const count = (this.#untrimmed.get(tokenId) ?? LIMITS.tokenRequestsUntrimmed) + ofToken.length
      const isDue = count >= LIMITS.tokenRequestsUntrimmed
      this.#untrimmed.set(tokenId, isDue ? 0 : count)
      for (const { accountId } of isDue ? ofToken.slice(0, 1) : [])
        due.set(accountId, [...(due.get(accountId) ?? []), tokenId])
    }
    for (const [accountId, tokenIds] of due)
      await tokenRequestsTrim(
        this.#db,
        accountId,
        tokenIds.toSorted((a, b) => a - b),
      )
  }
}

function rowOf({ request, endedAtMs }: Waiting): Row {
  return {
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
  }
}
