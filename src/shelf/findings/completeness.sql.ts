import type { Query, Reader } from '../../db/sql.ts'
import { GAPS, gapPlace, gapValues, type Gap } from '../../model/gaps.ts'
import { must } from '../../platform/must.ts'

// Gaps of products, stale offers and silent suppliers. No query reads more than an index up to its limit, whatever the size of the
// catalog.

/** Payloads per store and how many of them have each gap, in the order of GAPS, from the counts per block. */
export async function storeGapCounts(reader: Reader, accountId: number) {
  const rows = await reader<({ storeId: number; products: number } & Record<Gap, number>)[]>`
    select store_id as "storeId", sum(products)::int as products, sum(no_title)::int as no_title,
      sum(no_image)::int as no_image, sum(no_category)::int as no_category, sum(no_price)::int as no_price,
      sum(price_zero)::int as price_zero
    from payload_block where account_id = ${accountId} group by store_id`
  return rows.map((row) => ({
    storeId: row.storeId,
    products: row.products,
    gaps: GAPS.map((gap) => ({ gap, products: row[gap] })),
  }))
}

/** How many products have a gap in one of these stores, counted up to `limit`; reads at most that many rows per store and half. */
export async function productsIncomplete(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  limit: number,
): Promise<number> {
  const [row] = await reader<{ products: number }[]>`
    select least(count(distinct product_id), ${limit})::int as products
    from unnest(${[...storeIds]}::bigint[]) as s (store_id) cross join lateral (
      (select product_id from payload_content
       where account_id = ${accountId} and store_id = s.store_id and gaps > 0 limit ${limit})
      union all
      (select product_id from payload_price
       where account_id = ${accountId} and store_id = s.store_id and gaps > 0 limit ${limit})
    ) lacking`
  return must(row).products
}

/** The first `limit` products with a gap in each store, by store and product. */
export async function firstWithGap(
  reader: Reader,
  accountId: number,
  gap: Gap,
  storeIds: readonly number[],
  limit: number,
): Promise<{ storeId: number; productId: number }[]> {
  if (storeIds.length === 0) return []
  const rows = await reader<{ storeId: number; productId: number }[]>`
    select s.store_id as "storeId", found.product_id as "productId"
    from unnest(${[...storeIds]}::bigint[]) as s (store_id) cross join lateral (
      ${withGap(reader, accountId, reader`s.store_id`, gap, 0, limit)}
    ) found`
  return rows.toSorted((a, b) => a.storeId - b.storeId || a.productId - b.productId)
}

/** Products of one store with a gap, by ascending id after `afterId`, with their SKU in that store. */
export function gapsAfter(
  reader: Reader,
  accountId: number,
  storeId: number,
  gap: Gap,
  afterId: number,
  limit: number,
) {
  return reader<{ productId: number; sku: string | null }[]>`
    select found.product_id as "productId", c.sku
    from (${withGap(reader, accountId, reader`${storeId}::bigint`, gap, afterId, limit)}) found
    cross join lateral (
      select sku from payload_content
      where account_id = ${accountId} and store_id = ${storeId} and product_id = found.product_id offset 0
    ) c
    order by found.product_id`
}

/**
 * A query of product ids after `afterId` that have a gap in a store. For each value of `gaps` that has the gap's bit, an index returns
 * them in order.
 */
function withGap(reader: Reader, accountId: number, storeId: Query<unknown>, gap: Gap, afterId: number, limit: number) {
  const table = gapPlace(gap).half === 'content' ? reader`payload_content` : reader`payload_price`
  return reader`
    select ordered.product_id from unnest(${gapValues(gap)}::smallint[]) as wanted (value) cross join lateral (
      select product_id from ${table}
      where account_id = ${accountId} and store_id = ${storeId} and gaps = wanted.value and gaps > 0
        and product_id > ${afterId}
      order by product_id limit ${limit}
    ) ordered
    order by ordered.product_id limit ${limit}`
}

/** How many offers of each supplier are stale, counted up to a limit. */
export function staleOfferCounts(reader: Reader, accountId: number, limit: number) {
  return reader<{ supplierId: number; offers: number }[]>`
    select s.supplier_id as "supplierId", counted.offers
    from supplier s cross join lateral (
      select count(*)::int as offers from (
        select from offer
        where account_id = ${accountId} and supplier_id = s.supplier_id and stale_since is not null limit ${limit}
      ) stale
    ) counted
    where s.account_id = ${accountId} and s.deleted_at is null and counted.offers > 0
    order by s.supplier_id`
}

export interface StaleOffer {
  sku: string
  productId: number
  staleSince: Date
}

/** Stale offers of a supplier after a key, in key order. */
export function staleOffersAfter(
  reader: Reader,
  accountId: number,
  supplierId: number,
  afterSku: string,
  limit: number,
) {
  return reader<StaleOffer[]>`
    select supplier_sku as sku, product_id as "productId", stale_since as "staleSince" from offer
    where account_id = ${accountId} and supplier_id = ${supplierId} and stale_since is not null
      and supplier_sku > ${afterSku}
    order by supplier_sku limit ${limit}`
}

/** Active suppliers that have sent nothing for more days than they may be silent. */
export function overdueSuppliers(reader: Reader, accountId: number) {
  return reader<{ supplierId: number; silentDaysMax: number; heardAt: Date | null }[]>`
    select s.supplier_id as "supplierId", s.silent_days_max as "silentDaysMax", h.heard_at as "heardAt"
    from supplier s
    left join supplier_heard h on h.account_id = ${accountId} and h.supplier_id = s.supplier_id
    where s.account_id = ${accountId} and s.is_active and s.deleted_at is null and s.silent_days_max is not null
      and (h.heard_at is null or h.heard_at < now() - make_interval(days => s.silent_days_max))
    order by s.supplier_id`
}
