import type { Reader } from '../db/sql.ts'
import type { Rate } from '../platform/turns/rate-limit.ts'

export interface RateRequest {
  accountId: number
  /** The id of a token; a session's id, negated; or a bucket of the whole account (ACCOUNT_BUCKETS). */
  tokenId: number
  rate: Rate
  /** Requests that have been admitted already. They are always taken; if too few are left, the bucket gets a debt. */
  owed: number
  /** How many more to take, as far as they are left. */
  wanted: number
}

export interface GrantedRate {
  accountId: number
  tokenId: number
  /** How many of `wanted` were taken. */
  granted: number
  /** Rest of the bucket; a negative number is a debt. */
  left: number
}

/** Buckets of a whole account, under ids that no token and no session has. */
export const ACCOUNT_BUCKETS = { requests_per_second: 0, rows_per_minute: -Number.MAX_SAFE_INTEGER } as const

/** How much of an account's buckets is taken, without what processes have not charged yet. */
export function accountRates(reader: Reader, accountId: number) {
  return reader<{ tokenId: number; taken: number }[]>`
    select token_id as "tokenId", ceil(greatest(0, burst - least(burst, available - granted
      + per_second * greatest(0, extract(epoch from now() - at)::float8))))::bigint as taken
    from token_rate where account_id = ${accountId} and token_id = any(${Object.values(ACCOUNT_BUCKETS)}::bigint[])`
}

/**
 * Takes requests from shared buckets, of any number of tokens in one statement. The bucket of a token without
 * a row is full. Rows are locked in the order of their keys. The update gets its values as columns, because Citus passes no parameters to it.
 */
export function tokenRatesTake(reader: Reader, asked: readonly RateRequest[]) {
  // `available` does not have `granted` subtracted yet, so that the statement can return what was granted
  const filled = reader`
    least(excluded.burst, t.available - t.granted
      + excluded.per_second * greatest(0, extract(epoch from excluded.at - t.at)::float8)) - (excluded.burst - excluded.available)`
  // `at` earlier by more than a second: the clock was set back, and the new time is kept; by less: a later statement overtook this one
  return reader<GrantedRate[]>`
    insert into token_rate as t (account_id, token_id, per_second, burst, available, granted, at)
    select g.account_id, g.token_id, g.per_second, g.burst, g.burst - g.owed, g.wanted, now()
    from unnest(${asked.map((one) => one.accountId)}::bigint[], ${asked.map((one) => one.tokenId)}::bigint[],
      ${asked.map((one) => one.rate.perSecond)}::float8[], ${asked.map((one) => one.rate.burst)}::float8[],
      ${asked.map((one) => one.owed)}::int[], ${asked.map((one) => one.wanted)}::int[])
      as g (account_id, token_id, per_second, burst, owed, wanted)
    order by g.account_id, g.token_id
    on conflict (account_id, token_id) do update set
      per_second = excluded.per_second,
      burst = excluded.burst,
      available = ${filled},
      granted = greatest(0, least(excluded.granted, floor(${filled})::int)),
      at = case when t.at - excluded.at > interval '1 second' then excluded.at else greatest(t.at, excluded.at) end
    returning t.account_id as "accountId", t.token_id as "tokenId", t.granted, t.available - t.granted as left`
}
