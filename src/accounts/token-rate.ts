import { LRUCache } from 'lru-cache'
import type { Reader } from '../db/sql.ts'
import { asError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { refill, stateOf, type Fill, type Rate, type RateState } from '../platform/rate-limit.ts'
import type { Caller } from './authenticate.ts'
import { tokenRatesTake } from './token-rates.sql.ts'

/** The rate limit of tokens, which all processes on one database share. */
export interface TokenRate {
  /** Value of the header RateLimit-Policy. */
  policy: string
  /** Admits or refuses a request. A promise only where the database has to be asked first: once for many requests. */
  take(caller: Pick<Caller, 'accountId' | 'tokenId'>): RateState | Promise<RateState>
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

/**
 * The shared bucket of a token is a row. A process takes requests from it in portions, an eighth of the burst at most, and admits them
 * without asking. It takes the next portion before one is used up; only a burst waits for it. A process begins with
 * a portion that it has not taken and owes, so that a token that is seldom used costs no statement at all. Beside the shared buckets
 * it keeps one of its own per token, which refuses without asking.
 *
 * So all processes together admit at most burst + rate * time, and two portions more for each process: one that it held before, one
 * that it owes. While the database does not answer, each process admits by its own bucket.
 *
 * @returns null when `perSecond` is 0: no limit.
 */
export function openTokenRate(
  db: Reader,
  log: Log,
  perSecond: number,
  now: () => number = () => performance.now(),
): TokenRate | null {
  if (perSecond === 0) return null
  const rate: Rate = { perSecond, burst: perSecond * LIMITS.rateBurstSeconds }
  const portion = Math.ceil(rate.burst / LIMITS.ratePortionsPerBurst)
  const buckets = new LRUCache<number, Bucket>({ max: LIMITS.rateBucketsMax })
  const asked = new Set<Bucket>()
  let asking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  /** Whether the database did not answer in time or failed; then it is asked again in the background, not before `retryAtMs`. */
  let isAway = false
  let retryAtMs = -Infinity

  const filled = ({ accountId, tokenId }: Pick<Caller, 'accountId' | 'tokenId'>): Bucket => {
    const atMs = now()
    let bucket = buckets.get(tokenId)
    if (bucket === undefined) {
      const fresh = { available: rate.burst, held: portion, owed: portion, askAtMs: -Infinity }
      buckets.set(tokenId, (bucket = { accountId, tokenId, atMs, ...fresh }))
    }
    refill(bucket, rate, atMs)
    return bucket
  }

  const received = (bucket: Bucket, paid: number, wanted: number, given: { granted: number; left: number }) => {
    bucket.owed -= paid
    // what was admitted meanwhile, because the answer was late
    const repaid = Math.min(bucket.owed, given.granted)
    bucket.owed -= repaid
    bucket.held += given.granted - repaid
    if (given.granted < wanted) bucket.askAtMs = now() + LIMITS.rateAskAgainMs
    refill(bucket, rate, now())
    // others have used the rest
    bucket.available = Math.min(bucket.available, given.left + bucket.held)
  }

  const askAll = async (): Promise<void> => {
    const batch = [...asked].map((bucket) => ({
      bucket,
      accountId: bucket.accountId,
      tokenId: bucket.tokenId,
      owed: bucket.owed,
      wanted: Math.max(0, portion - bucket.held),
    }))
    asked.clear()
    try {
      const given = new Map((await tokenRatesTake(db, rate, batch)).map((row) => [row.tokenId, row]))
      for (const { bucket, owed, wanted } of batch) {
        const row = given.get(bucket.tokenId)
        if (row !== undefined) received(bucket, owed, wanted, row)
      }
      if (isAway) log.info('rate limits are shared with other processes again')
      isAway = false
    } catch (error) {
      retryAtMs = now() + LIMITS.rateRetryMs
      toBeAway(asError(error))
    }
  }

  const toBeAway = (error: Error) => {
    if (!isAway)
      log.warn({ err: error }, 'rate limits of tokens are counted by this process alone until the database answers')
    isAway = true
  }

  /** Asks for all buckets that need it; one statement at a time. @returns when that is answered, or has taken too long. */
  const ask = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    asking ??= new Promise<void>((resolve) => {
      const late = setTimeout(() => {
        toBeAway(new Error(`no answer within ${LIMITS.rateWaitMs} ms`))
        resolve()
      }, LIMITS.rateWaitMs)
      void askAll().finally(() => {
        clearTimeout(late)
        asking = undefined
        resolve()
        const [next] = asked
        if (next !== undefined) askSoon(next)
      })
    })
    return asking
  }

  /** Asks soon, together with what else is needed until then. */
  const askSoon = (bucket: Bucket) => {
    asked.add(bucket)
    if (timer !== undefined || asking !== undefined || now() < retryAtMs) return
    timer = setTimeout(() => void ask(), LIMITS.rateCollectMs)
    timer.unref()
  }

  const take = (caller: Pick<Caller, 'accountId' | 'tokenId'>): RateState | Promise<RateState> => {
    const bucket = filled(caller)
    if (bucket.available < 1) return stateOf(bucket.available, rate, false)
    if (bucket.held < 1) {
      if (isAway) {
        bucket.held += portion
        // what was used long ago has been filled up since: charging all of it would refuse tokens that kept their limit
        bucket.owed = Math.min(bucket.owed + portion, 2 * portion)
      } else if (bucket.atMs < bucket.askAtMs) {
        return { isAllowed: false, remaining: 0, resetSeconds: 1 }
      } else {
        asked.add(bucket)
        return ask().then(() => take(caller))
      }
    }
    bucket.available--
    bucket.held--
    if (bucket.held <= portion / 4 && bucket.atMs >= bucket.askAtMs) askSoon(bucket)
    return stateOf(bucket.available, rate, true)
  }

  return { policy: `"default";q=${rate.burst};w=${Math.ceil(rate.burst / perSecond)}`, take }
}
