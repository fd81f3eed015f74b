import type { Reader } from '../db/sql.ts'
import { historyAround, moveOf, priceIn } from './price-moves.sql.ts'

// Changes in stores since a time, for the panel's first page: for each store, the products that its change feed names, newest first, up to a
// limit, and for each of them two rows of its price history, the newest one and the last one before that time. This takes at most three
// look-ups by key per product, whatever the size of the catalog.

export interface MovedStore {
  storeId: number
  /** Changed products of the store that were examined. */
  looked: number
  up: number
  down: number
  /** Products listed now but not at that time. */
  appeared: number
  /** Products listed at that time but not now. */
  gone: number
}

export interface MovedPrice {
  storeId: number
  productId: number
  /** ISO 4217. */
  currency: string
  /** Exact decimal text. */
  before: string
  now: string
}

/** For every store, the newest `limit` products that changed since the time. */
const looked = (
  reader: Reader,
  accountId: number,
  { storeIds, groupId, since, limit }: { storeIds: readonly number[]; groupId: number; since: Date; limit: number },
) => {
  const group = reader`${groupId}::bigint`
  return reader`
  select recent.store_id, recent.product_id, split_part(newest.shown, ' ', 1) as currency,
    ${priceIn(reader, 'newest', group)} as price, ${priceIn(reader, 'before', group)} as price_before,
    ${moveOf(reader, group, since)} as move
  from unnest(${[...storeIds]}::bigint[]) as s (store_id)
  cross join lateral (
    select store_id, product_id from change
    where account_id = ${accountId} and store_id = s.store_id and changed_at >= ${since}
    order by changed_at desc, change_id desc limit ${limit}
  ) recent
  ${historyAround(reader, accountId, { productId: reader`recent.product_id`, storeId: reader`recent.store_id`, since })}`
}

/**
 * Counts the changes in these stores, and returns the `mostMoved` prices that changed most, as a share of the earlier price.
 * @param asked `groupId`: the customer group whose prices are compared
 */
export async function movedSince(
  reader: Reader,
  accountId: number,
  asked: { storeIds: readonly number[]; groupId: number; since: Date; limit: number },
  mostMoved: number,
): Promise<{ stores: MovedStore[]; prices: MovedPrice[] }> {
  const [row] = await reader<{ stores: MovedStore[]; prices: MovedPrice[] }[]>`
    with looked as materialized (${looked(reader, accountId, asked)})
    select
      (select coalesce(json_agg(counted order by "storeId"), '[]') from (
        select store_id as "storeId", count(*)::int as looked,
          count(*) filter (where move = 'up')::int as up,
          count(*) filter (where move = 'down')::int as down,
          count(*) filter (where move = 'appeared')::int as appeared,
          count(*) filter (where move = 'gone')::int as gone
        from looked group by store_id) counted) as stores,
      (select coalesce(json_agg(most), '[]') from (
        select store_id as "storeId", product_id as "productId", currency, price_before::text as before, price::text as now
        from looked where move in ('up', 'down') and price_before > 0
        order by abs(price / price_before - 1) desc, product_id, store_id limit ${mostMoved}) most) as prices`
  return row ?? { stores: [], prices: [] }
}
