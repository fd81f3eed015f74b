import type { Reader } from '../db/sql.ts'
import type { Rate } from '../platform/rate-limit.ts'

export interface RateAsked {
  accountId: number
  tokenId: number
  /** Requests that were admitted without asking: taken in any case, into debt where there are not so many. */
  owed: number
  /** How many more to take, if they are there. */
  wanted: number
}

export interface RateGiven {
  tokenId: number
  /** How many of `wanted` were taken. */
  granted: number
  /** What is left in the token's bucket; below 0: debt. */
  left: number
}

/**
 * Takes requests from the buckets that all processes share, of any number of tokens in one statement. The bucket of a token without
 * a row is full. Rows are locked in order of their keys. What the update needs comes as columns: Citus passes no parameters to it.
 */
export function tokenRatesTake(reader: Reader, { perSecond, burst }: Rate, asked: readonly RateAsked[]) {
  // `available` is before `granted` is taken, so that what was granted can be returned
  const filled = reader`
    least(excluded.burst, t.available - t.granted
      + excluded.per_second * greatest(0, extract(epoch from excluded.at - t.at)::float8)) - (excluded.burst - excluded.available)`
  // a clock that was set back by more than a second counts; less than that is a statement that was overtaken
  return reader<RateGiven[]>`
    insert into token_rate as t (account_id, token_id, per_second, burst, available, granted, at)
    select g.account_id, g.token_id, r.per_second, r.burst, r.burst - g.owed, g.wanted, now()
    from unnest(${asked.map((one) => one.accountId)}::bigint[], ${asked.map((one) => one.tokenId)}::bigint[],
      ${asked.map((one) => one.owed)}::int[], ${asked.map((one) => one.wanted)}::int[]) as g (account_id, token_id, owed, wanted),
      (select ${perSecond}::float8 as per_second, ${burst}::float8 as burst) r
    order by g.account_id, g.token_id
    on conflict (account_id, token_id) do update set
      per_second = excluded.per_second,
      burst = excluded.burst,
      available = ${filled},
      granted = greatest(0, least(excluded.granted, floor(${filled})::int)),
      at = case when t.at - excluded.at > interval '1 second' then excluded.at else greatest(t.at, excluded.at) end
    returning t.token_id as "tokenId", t.granted, t.available - t.granted as left`
}
