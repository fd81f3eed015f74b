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

/** A bucket of a whole account, as far as this process knows. */
interface AccountBucket extends Fill {
  accountId: number
  tokenId: number
  rate: Rate
  /** Taken by this process, but not yet charged to the shared bucket. */
  owed: number
  /** Until then other writers are refused, because an import that has waited long goes first. */
  importFirstUntilMs: number
}

/** The bucket of a token, as far as this process knows. */
interface Bucket extends Fill {
  accountId: number
  tokenId: number
  /** Taken from the shared bucket and not yet used: these requests are admitted without a statement. `available` includes them. */
  held: number
  /** Admitted or held without having been taken from the shared bucket, which is charged by the next statement. */
  owed: number
  /** The shared bucket had too little: no statement is sent before that time. */
  askAtMs: number
}

/** The budgets of an account that are rates. */
type RateBudget = keyof typeof ACCOUNT_BUCKETS

/**
 * The rate limit of tokens, which all processes on one database share.
 *
 * The shared bucket of a token is a row. A process takes requests from it in portions, at most an eighth of the burst, and admits them
 * without a statement. It takes the next portion before the last one is used up; only a burst waits for it. A process starts with
 * a portion that it has not taken but owes, so that a seldom used token costs no statement at all. Besides the shared bucket
 * each process has a bucket of its own per token, by which it can refuse without a statement.
 * docs/decisions/079-limits-that-hold-across-processes.md says why.
 *
 * So all processes together admit at most burst + rate * time, and two more portions per process: one that it held before, and one
 * that it owes. While the database does not answer, each process admits by its own bucket.
 *
 * The budgets of an account are further buckets. They are charged afterwards: with the next statement that is sent for a token, or
 * with one of their own when a portion is owed. So requests never wait for them, and all processes together
 * admit at most burst + rate * time, a portion each, and what they admit while a statement is under way.
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
  /** Whether the database failed or did not answer in time. It is then tried again in the background, not before `retryAtMs`. */
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
   * Admits or refuses a request by the limit of its token; null if there is none. Returns a promise only if the database has to be asked
   * first, which happens once for many requests.
   * @throws QuotaExceeded for the account's budget of requests.
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
   * Admits a request without a token, such as one of the panel: it counts only towards the account's budget.
   * @throws QuotaExceeded
   */
  takeOfAccount(accountId: number): void {
    const bucket = this.#accountBucket(accountId, 'requests_per_second')
    this.#requireSome(bucket, 'requests_per_second')
    if (bucket !== undefined) this.#charge(bucket, 1)
  }

  /**
   * Charges rows that are about to be written to the account's budget: all of them, even if only one is left.
   * @throws QuotaExceeded if none is left
   */
  takeRows(accountId: number, rows: number): void {
    const bucket = this.#accountBucket(accountId, 'rows_per_minute')
    if (bucket === undefined || rows === 0) return
    this.#requireSome(bucket, 'rows_per_minute')
    this.#charge(bucket, rows)
  }

  /**
   * Charges rows of an import to the same budget, of which a quarter is kept for other writers. If these use all of it, an import that
   * has waited for LIMITS.importPaceWaitMs goes first, once: other writers are refused until it has its rows.
   * @param waitedMs since its first try
   * @returns 0 if the rows are charged; otherwise nothing is charged, and this is the time in ms until the next try
   */
  paceRows(accountId: number, rows: number, waitedMs: number): number {
    const bucket = this.#accountBucket(accountId, 'rows_per_minute')
    if (bucket === undefined || rows === 0) return 0
    const { perSecond: refilled, burst } = bucket.rate
    // a limit that has been lowered meanwhile may be less than the rows
    const lacking = Math.min(burst, rows + burst * KEPT_FROM_IMPORTS) - bucket.available
    if (burst === 0) return Infinity
    if (lacking > 0) {
      if (waitedMs < LIMITS.importPaceWaitMs) return (lacking / refilled) * 1_000
      // like other writers it then takes all its rows as soon as one is left, and the others wait until the debt is refilled
      if (bucket.available < 1) {
        bucket.importFirstUntilMs = bucket.atMs + 2 * LIMITS.importPaceLookMs
        return ((1 - bucket.available) / refilled) * 1_000
      }
    }
    bucket.importFirstUntilMs = -Infinity
    this.#charge(bucket, rows)
    return 0
  }

  /** How many rows an import may charge at a time without overdrawing the budget. */
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

  /** The account's bucket, refilled; undefined without a limit. */
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
      // a new limit changes what is left, not what has been taken
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
    // the limit was removed after the bucket was filled
    if (limit === null) return
    // a limit of 0 is never refilled: an hour stands for "later"
    const seconds = bucket.rate.perSecond === 0 ? 3_600 : Math.max(0, 1 - bucket.available) / bucket.rate.perSecond
    throw QuotaExceeded.ofRate(budget, null, limit, seconds)
  }

  #received(bucket: Bucket, paid: number, wanted: number, given: { granted: number; left: number }) {
    bucket.owed -= paid
    // requests that were admitted while the answer was late are paid from the portion
    const repaid = Math.min(bucket.owed, given.granted)
    bucket.owed -= repaid
    bucket.held += given.granted - repaid
    if (given.granted < wanted) bucket.askAtMs = this.#now() + LIMITS.rateAskAgainMs
    refill(bucket, this.#rate, this.#now())
    // other processes have used the rest
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
        // other processes have used the rest
        if (row !== undefined) bucket.available = Math.min(bucket.available, row.left - bucket.owed)
      }
      if (this.#isAway) this.#log.info('rate limits are shared with other processes again')
      this.#isAway = false
    } catch (error) {
      this.#retryAtMs = this.#now() + LIMITS.rateRetryMs
      // more than a burst need not be charged: the bucket has been refilled since
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

  /** Sends one statement for all buckets that need it, never two at a time. @returns when it is answered, or has taken too long. */
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

  /** Sends a statement soon, together with those buckets that need it until then. */
  #askSoon() {
    if (this.#timer !== undefined || this.#asking !== undefined || this.#now() < this.#retryAtMs) return
    this.#timer = setTimeout(() => void this.#ask(), LIMITS.rateCollectMs)
    this.#timer.unref()
  }

  /** Takes one request. A promise means that the caller has to try again after it. */
  #takeOfToken(caller: Pick<Caller, 'accountId' | 'tokenId'>): RateState | Promise<void> {
    const bucket = this.#filled(caller)
    if (bucket.available < 1) return stateOf(bucket.available, this.#rate, false)
    if (bucket.held < 1) {
      if (this.#isAway) {
        bucket.held += this.#portion
        // at most two portions are owed: older use has been refilled since, and charging all of it would refuse tokens that kept their limit
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

/** Share of the budget of rows that imports leave to other writers. */
const KEPT_FROM_IMPORTS = 1 / 4

/** The largest debt that one statement charges: it is an integer there. */
const OWED_MAX = 1_000_000_000

function accountRateOf(budget: RateBudget, limit: number): Rate {
  if (budget === 'rows_per_minute') return { perSecond: limit / 60, burst: limit }
  return { perSecond: limit, burst: limit * LIMITS.rateBurstSeconds }
}
