import { LRUCache } from 'lru-cache'
import type { Reader } from '../db/sql.ts'
import { entriesMax } from '../platform/caches/entries-max.ts'
import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { refill, stateOf, type Fill, type Rate, type RateState } from '../platform/turns/rate-limit.ts'
import type { Caller } from './authenticate.ts'
import type { KeptLimits } from './limits/kept-limits.ts'
import { QuotaExceeded } from './limits/quota.ts'
import { ACCOUNT_BUCKETS, tokenRatesTake } from './token-rates.sql.ts'

/** A bucket that the whole account shares, as far as this process knows. */
interface AccountBucket extends Fill {
  accountId: number
  tokenId: number
  rate: Rate
  /** Taken here, and not yet from the shared bucket. */
  owed: number
  /** An import that has waited long comes first until then. */
  importFirstUntilMs: number
}

/** What this process knows of a token. */
interface Bucket extends Fill {
  accountId: number
  tokenId: number
  /** Taken from the shared bucket and not yet used: admitted without asking. `available` includes it. */
  held: number
  /** Admitted, or held, without having asked; the shared bucket is charged when it is asked next. */
  owed: number
  /** The shared bucket had too little: it is not asked before that. */
  askAtMs: number
}

/** The budgets of an account that are rates. */
type RateBudget = keyof typeof ACCOUNT_BUCKETS

/**
 * The rate limit of tokens, which all processes on one database share.
 *
 * The shared bucket of a token is a row. A process takes requests from it in portions, an eighth of the burst at most, and admits them
 * without asking. It takes the next portion before one is used up; only a burst waits for it. A process begins with
 * a portion that it has not taken and owes, so that a token that is seldom used costs no statement at all. Beside the shared buckets
 * it keeps one of its own per token, which refuses without asking.
 * docs/decisions/079-limits-that-hold-across-processes.md says why.
 *
 * So all processes together admit at most burst + rate * time, and two portions more for each process: one that it held before, one
 * that it owes. While the database does not answer, each process admits by its own bucket.
 *
 * The budgets of an account are buckets beside those of its tokens, and charged afterwards: what was taken here goes with the next
 * statement that is sent for a token, or with one of its own once it is a portion. So nobody waits for them, and all processes together
 * admit at most burst + rate * time and a portion each, and what they take until an answer is here.
 */
export class TokenRate {
  /** Value of the header RateLimit-Policy; null: tokens have no limit of their own. */
  readonly policy: string | null
  readonly #db: Reader
  readonly #log: Log
  readonly #perSecond: number
  readonly #limits: KeptLimits
  readonly #now: () => number
  readonly #rate: Rate
  readonly #portion: number
  readonly #buckets = new LRUCache<number, Bucket>(entriesMax(LIMITS.rateBucketsMax))
  readonly #asked = new Set<Bucket>()
  readonly #ofAccounts = {
    requests_per_second: new LRUCache<number, AccountBucket>(entriesMax(LIMITS.rateBucketsMax)),
    rows_per_minute: new LRUCache<number, AccountBucket>(entriesMax(LIMITS.rateBucketsMax)),
  }
  readonly #askedOfAccounts = new Set<AccountBucket>()
  #asking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  /** Whether the database did not answer in time or failed; then it is asked again in the background, not before `retryAtMs`. */
  #isAway = false
  #retryAtMs = -Infinity

  /** @param perSecond requests per token; 0: no limit. */
  constructor(
    db: Reader,
    log: Log,
    perSecond: number,
    limits: KeptLimits,
    now: () => number = () => performance.now(),
  ) {
    this.#db = db
    this.#log = log
    this.#perSecond = perSecond
    this.#limits = limits
    this.#now = now
    this.#rate = { perSecond, burst: perSecond * LIMITS.rateBurstSeconds }
    this.#portion = Math.ceil(this.#rate.burst / LIMITS.ratePortionsPerBurst)
    this.policy =
      perSecond === 0 ? null : `"default";q=${this.#rate.burst};w=${Math.ceil(this.#rate.burst / perSecond)}`
  }

  /**
   * Admits or refuses a request, by the limit of its token; null without one. A promise only where the database has to be asked first:
   * once for many requests.
   * @throws QuotaExceeded for the account’s budget of requests.
   */
  take(caller: Pick<Caller, 'accountId' | 'tokenId'>): RateState | null | Promise<RateState | null> {
    const ofAccount = this.#accountBucket(caller.accountId, 'requests_per_second')
    this.#requireSome(ofAccount, 'requests_per_second')
    const state = this.#perSecond === 0 ? null : this.#takeOfToken(caller)
    if (state instanceof Promise) return state.then(() => this.take(caller))
    if (ofAccount !== undefined && state?.isAllowed !== false) this.#charge(ofAccount, 1)
    return state
  }

  /**
   * The same for a request that has no token, such as one of the panel: it counts in the account’s budget alone.
   * @throws QuotaExceeded
   */
  takeOfAccount(accountId: number): void {
    const bucket = this.#accountBucket(accountId, 'requests_per_second')
    this.#requireSome(bucket, 'requests_per_second')
    if (bucket !== undefined) this.#charge(bucket, 1)
  }

  /**
   * Takes rows that are about to be written from the account’s budget: all of them, as long as it is not used up.
   * @throws QuotaExceeded
   */
  takeRows(accountId: number, rows: number): void {
    const bucket = this.#accountBucket(accountId, 'rows_per_minute')
    if (bucket === undefined || rows === 0) return
    this.#requireSome(bucket, 'rows_per_minute')
    this.#charge(bucket, rows)
  }

  /**
   * Takes rows of an import from the same budget; a quarter of it is kept for other writers. Where these use all there is, an import that has
   * waited for LIMITS.importPaceWaitMs comes before them, once: they are refused until it has its rows.
   * @param waitedMs since it asked first
   * @returns 0 when they are taken; otherwise nothing is, and after so many milliseconds they may be
   */
  paceRows(accountId: number, rows: number, waitedMs: number): number {
    const bucket = this.#accountBucket(accountId, 'rows_per_minute')
    if (bucket === undefined || rows === 0) return 0
    const { perSecond: refilled, burst } = bucket.rate
    // a limit that was lowered meanwhile may be less than the rows
    const lacking = Math.min(burst, rows + burst * KEPT_FROM_IMPORTS) - bucket.available
    if (burst === 0) return Infinity
    if (lacking > 0) {
      if (waitedMs < LIMITS.importPaceWaitMs) return (lacking / refilled) * 1_000
      // as other writers do, it takes all its rows as soon as there is one, and they wait until what it took too much is filled up
      if (bucket.available < 1) {
        bucket.importFirstUntilMs = bucket.atMs + 2 * LIMITS.importPaceLookMs
        return ((1 - bucket.available) / refilled) * 1_000
      }
    }
    bucket.importFirstUntilMs = -Infinity
    this.#charge(bucket, rows)
    return 0
  }

  /** How many rows an import takes at a time, so that it does not overdraw the budget. */
  pacedRows(accountId: number, max: number): number {
    const limit = this.#limits.of(accountId).rows_per_minute
    return limit === null ? max : Math.max(1, Math.min(max, Math.floor(limit * KEPT_FROM_IMPORTS)))
  }

  #filled({ accountId, tokenId }: Pick<Caller, 'accountId' | 'tokenId'>): Bucket {
    const atMs = this.#now()
    let bucket = this.#buckets.get(tokenId)
    if (bucket === undefined) {
      const fresh = { available: this.#rate.burst, held: this.#portion, owed: this.#portion, askAtMs: -Infinity }
      this.#buckets.set(tokenId, (bucket = { accountId, tokenId, atMs, ...fresh }))
    }
    refill(bucket, this.#rate, atMs)
    return bucket
  }

  /** The account's bucket; undefined without a limit. */
  #accountBucket(accountId: number, budget: RateBudget): AccountBucket | undefined {
    const limit = this.#limits.of(accountId)[budget]
    if (limit === null) return undefined
    const atMs = this.#now()
    let bucket = this.#ofAccounts[budget].get(accountId)
    if (bucket === undefined) {
      const rateOf = accountRateOf(budget, limit)
      const full = { rate: rateOf, available: rateOf.burst, owed: 0, importFirstUntilMs: -Infinity }
      bucket = { accountId, tokenId: ACCOUNT_BUCKETS[budget], atMs, ...full }
      this.#ofAccounts[budget].set(accountId, bucket)
    }
    const { burst } = accountRateOf(budget, limit)
    if (bucket.rate.burst !== burst) {
      // what was taken stays taken
      bucket.available += burst - bucket.rate.burst
      bucket.rate = accountRateOf(budget, limit)
    }
    refill(bucket, bucket.rate, atMs)
    return bucket
  }

  #charge(bucket: AccountBucket, amount: number) {
    bucket.available -= amount
    bucket.owed += amount
    if (bucket.owed >= bucket.rate.burst / LIMITS.ratePortionsPerBurst) {
      this.#askedOfAccounts.add(bucket)
      this.#askSoon()
    }
  }

  #requireSome(bucket: AccountBucket | undefined, budget: RateBudget) {
    if (bucket === undefined || (bucket.available >= 1 && bucket.importFirstUntilMs < bucket.atMs)) return
    const limit = this.#limits.of(bucket.accountId)[budget]
    // it was lifted since the bucket was filled
    if (limit === null) return
    // without any there is nothing to wait for
    const seconds = bucket.rate.perSecond === 0 ? 3_600 : Math.max(0, 1 - bucket.available) / bucket.rate.perSecond
    throw QuotaExceeded.ofRate(budget, null, limit, seconds)
  }

  #received(bucket: Bucket, paid: number, wanted: number, given: { granted: number; left: number }) {
    bucket.owed -= paid
    // what was admitted meanwhile, because the answer was late
    const repaid = Math.min(bucket.owed, given.granted)
    bucket.owed -= repaid
    bucket.held += given.granted - repaid
    if (given.granted < wanted) bucket.askAtMs = this.#now() + LIMITS.rateAskAgainMs
    refill(bucket, this.#rate, this.#now())
    // others have used the rest
    bucket.available = Math.min(bucket.available, given.left + bucket.held)
  }

  async #askAll(): Promise<void> {
    const batch = [...this.#asked].map((bucket) => ({
      bucket,
      accountId: bucket.accountId,
      tokenId: bucket.tokenId,
      owed: bucket.owed,
      wanted: Math.max(0, this.#portion - bucket.held),
      rate: this.#rate,
    }))
    for (const { accountId } of batch)
      for (const of of Object.values(this.#ofAccounts)) {
        const bucket = of.get(accountId)
        if (bucket !== undefined && bucket.owed > 0) this.#askedOfAccounts.add(bucket)
      }
    const shared = [...this.#askedOfAccounts].map((bucket) => ({
      bucket,
      accountId: bucket.accountId,
      tokenId: bucket.tokenId,
      owed: Math.min(bucket.owed, OWED_MAX),
      wanted: 0,
      rate: bucket.rate,
    }))
    this.#asked.clear()
    this.#askedOfAccounts.clear()
    try {
      const rows = await tokenRatesTake(this.#db, [...batch, ...shared])
      const given = new Map(rows.map((row) => [`${row.accountId} ${row.tokenId}`, row]))
      for (const { bucket, owed, wanted } of batch) {
        const row = given.get(`${bucket.accountId} ${bucket.tokenId}`)
        if (row !== undefined) this.#received(bucket, owed, wanted, row)
      }
      for (const { bucket, owed } of shared) {
        const row = given.get(`${bucket.accountId} ${bucket.tokenId}`)
        bucket.owed -= owed
        refill(bucket, bucket.rate, this.#now())
        // others have used the rest
        if (row !== undefined) bucket.available = Math.min(bucket.available, row.left - bucket.owed)
      }
      if (this.#isAway) this.#log.info('rate limits are shared with other processes again')
      this.#isAway = false
    } catch (error) {
      this.#retryAtMs = this.#now() + LIMITS.rateRetryMs
      // what was used long ago has been filled up since
      for (const { bucket } of shared) bucket.owed = Math.min(bucket.owed, bucket.rate.burst)
      this.#toBeAway(asError(error))
    }
  }

  #toBeAway(error: Error) {
    if (!this.#isAway)
      this.#log.warn(
        { err: error },
        'rate limits of tokens are counted by this process alone until the database answers',
      )
    this.#isAway = true
  }

  /** Asks for all buckets that need it; one statement at a time. @returns when that is answered, or has taken too long. */
  #ask(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#asking ??= new Promise<void>((resolve) => {
      const late = setTimeout(() => {
        this.#toBeAway(new Error(`no answer within ${LIMITS.rateWaitMs} ms`))
        resolve()
      }, LIMITS.rateWaitMs)
      void this.#askAll().finally(() => {
        clearTimeout(late)
        this.#asking = undefined
        resolve()
        if (this.#asked.size > 0 || this.#askedOfAccounts.size > 0) this.#askSoon()
      })
    })
    return this.#asking
  }

  /** Asks soon, together with what else is needed until then. */
  #askSoon() {
    if (this.#timer !== undefined || this.#asking !== undefined || this.#now() < this.#retryAtMs) return
    this.#timer = setTimeout(() => void this.#ask(), LIMITS.rateCollectMs)
    this.#timer.unref()
  }

  /** A promise: it has to be tried again. */
  #takeOfToken(caller: Pick<Caller, 'accountId' | 'tokenId'>): RateState | Promise<void> {
    const bucket = this.#filled(caller)
    if (bucket.available < 1) return stateOf(bucket.available, this.#rate, false)
    if (bucket.held < 1) {
      if (this.#isAway) {
        bucket.held += this.#portion
        // what was used long ago has been filled up since: charging all of it would refuse tokens that kept their limit
        bucket.owed = Math.min(bucket.owed + this.#portion, 2 * this.#portion)
      } else if (bucket.atMs < bucket.askAtMs) {
        return { isAllowed: false, remaining: 0, resetSeconds: 1 }
      } else {
        this.#asked.add(bucket)
        return this.#ask()
      }
    }
    bucket.available--
    bucket.held--
    if (bucket.held <= this.#portion / 4 && bucket.atMs >= bucket.askAtMs) {
      this.#asked.add(bucket)
      this.#askSoon()
    }
    return stateOf(bucket.available, this.#rate, true)
  }
}

/** Share of the budget of rows. */
const KEPT_FROM_IMPORTS = 1 / 4

/** What a statement takes as an integer. */
const OWED_MAX = 1_000_000_000

function accountRateOf(budget: RateBudget, limit: number): Rate {
  if (budget === 'rows_per_minute') return { perSecond: limit / 60, burst: limit }
  return { perSecond: limit, burst: limit * LIMITS.rateBurstSeconds }
}
