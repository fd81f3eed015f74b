import type { Reader } from '../db/sql.ts'
import { must } from '../platform/must.ts'

// Figures at a glance: products out of stock, and margins of stores.

/**
 * The number of products out of stock, by the column that product lists are filtered by. Reads every row of the account, so callers cache the result.
 */
export async function outOfStock(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ products: number }[]>`
    select count(*)::int as products from product_search where account_id = ${accountId} and not in_stock`
  return must(row).products
}

export interface StoreMargin {
  storeId: number
  /** The number of products for sale that were examined, with a cost or without. */
  looked: number
  /** The median as a share of the price without tax: 0.2 if a fifth of it remains; null: no prices with a cost. */
  margin: number | null
}

/**
 * The median margin of each store: of the default customer group's prices without tax over cost. Reads at most `ranges` times `each` products of a
 * store, by key, in ranges spread evenly over its products; in each range it examines up to `eachSeen`, because a store may exclude nearly all of
 * them.
 */
export function storeMargins(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  { ranges, each, eachSeen }: { ranges: number; each: number; eachSeen: number },
) {
  return reader<StoreMargin[]>`
    with bounds as materialized (
      select s.store_id, first.product_id as first, last.product_id as last
      from unnest(${[...storeIds]}::bigint[]) as s (store_id)
      cross join lateral (
        select product_id from payload_price where account_id = ${accountId} and store_id = s.store_id order by product_id limit 1) first
      cross join lateral (
        select product_id from payload_price where account_id = ${accountId} and store_id = s.store_id order by product_id desc limit 1) last
    ), read as (
      select b.store_id, (price ->> 'computed_price')::numeric as shown, (price ->> 'base_cost')::numeric as cost,
        case when (price ->> 'tax_included')::boolean then 100 + (price ->> 'tax_rate')::numeric else 100 end as taxed
      from bounds b
      cross join generate_series(0, ${ranges}::int - 1) as part (n)
      cross join lateral (
        select body from (
          select body, exclusion from payload_price
          where account_id = ${accountId} and store_id = b.store_id
            and product_id >= b.first + (b.last - b.first + 1) * part.n / ${ranges}::int
            and product_id < b.first + (b.last - b.first + 1) * (part.n + 1) / ${ranges}::int
          order by product_id limit ${eachSeen}
        ) seen
        where exclusion is null limit ${each}
      ) p
      cross join lateral jsonb_array_elements(('{' || p.body || '}')::jsonb -> 'prices') as price
      where (price ->> 'customer_group_id')::bigint = (
        select group_id from customer_group where account_id = ${accountId} and is_default)
    )
    select store_id as "storeId", count(*)::int as looked,
      percentile_cont(0.5) within group (order by (1 - cost * taxed / (nullif(shown, 0) * 100))::float8)
        filter (where shown > 0 and cost > 0) as margin
    from read group by store_id`
}
