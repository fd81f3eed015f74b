import { isDimension, LISTED_NAMES, type ListedName } from '../../contract/product-fields.ts'
import { byCommas } from '../db/by-commas.ts'
import type { Query, Reader } from '../db/sql.ts'

/** What a list shows of a product: as one store has it, and over all stores. */
export interface ProductRow extends Record<ListedName, string | null> {
  productId: number
  sku: string | null
  ean: string | null
  title: string | null
  /** The store whose title, price and reason these are; null: no store lists it. */
  store: string | null
  exclusionReason: string | null
  /** JSON members of the price half; null: no store lists it. */
  price: string | null
  isInStock: boolean
  stores: number
  excludedIn: number
  changedAt: Date | null
  /** Of its group of variants, as that store shows it; null: it is in none, or the group has no title. */
  groupTitle: string | null
  /** Our copy of the first picture of which there is one; null: there is none, or it is still to be fetched. */
  picture: string | null
}

/**
 * Rows of these products, in their order; of a product that is deleted meanwhile none.
 * @param storeIds the account's active stores; a product is shown as the first that lists it has it
 */
export function productRows(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  productIds: readonly number[],
) {
  const names = LISTED_NAMES.map((field) => {
    const within = isDimension(field) ? reader`c.member -> 'dimensions'` : reader`c.member`
    return reader`${within} ->> ${field}::text as ${reader(field)}`
  })
  return reader<ProductRow[]>`
    select p.product_id as "productId", coalesce(c.member ->> 'sku', p.sku) as sku, c.member ->> 'ean' as ean,
      c.member ->> 'title' as title, ${byCommas(reader, names)}, c.member ->> 'store' as store, c.member #>> '{group,title}' as "groupTitle",
      shown.exclusion as "exclusionReason", shown.body as price, coalesce(f.in_stock, false) as "isInStock",
      listed.stores, listed.excluded as "excludedIn", newest.at as "changedAt",
      jsonb_path_query_first(c.member -> 'images',
        '$[*] ? (@ starts with $copies && @ like_regex "/[0-9a-f]{64}[.][a-z]{3,4}$")', mirror.variables) #>> '{}' as picture
    from unnest(${[...productIds]}::bigint[]) with ordinality as given (product_id, place)
    join product p on p.account_id = ${accountId} and p.product_id = given.product_id and p.deleted_at is null
    left join (
      select jsonb_build_object('copies', image_base || '/images/') as variables
      from account_inputs where account_id = ${accountId}) mirror on true
    left join product_search f on f.account_id = ${accountId} and f.product_id = given.product_id
    cross join lateral (
      select count(*)::int as stores, count(h.exclusion)::int as excluded, min(h.place) as first
      from unnest(${[...storeIds]}::bigint[]) with ordinality as s (store_id, place)
      cross join lateral (
        select exclusion, s.place from payload_price
        where account_id = ${accountId} and store_id = s.store_id and product_id = given.product_id offset 0) h
    ) listed
    left join lateral (
      select body, exclusion from payload_price
      where account_id = ${accountId} and product_id = given.product_id
        and store_id = (${[...storeIds]}::bigint[])[listed.first] offset 0) shown on true
    left join lateral (
      select ('{' || body || '}')::jsonb as member from payload_content
      where account_id = ${accountId} and product_id = given.product_id
        and store_id = (${[...storeIds]}::bigint[])[listed.first] offset 0) c on true
    cross join lateral (
      select max(changed_at) as at from change
      where account_id = ${accountId} and product_id = given.product_id and store_id = any(${[...storeIds]}::bigint[])
    ) newest
    order by given.place`
}

/** Why active stores exclude products, each reason once, by name: from entry to entry of an index, not from product to product. */
export async function exclusionReasons(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  limit: number,
): Promise<string[]> {
  const next = (storeId: Query<unknown>, after: Query<unknown>) => reader`(
    select exclusion from payload_price
    where account_id = ${accountId} and store_id = ${storeId} and exclusion is not null${after}
    order by exclusion limit 1)`
  const rows = await reader<{ reason: string }[]>`
    with recursive found as (
      select s.store_id, ${next(reader`s.store_id`, reader``)} as reason, 1 as place from unnest(${[...storeIds]}::bigint[]) as s (store_id)
      union all
      select f.store_id, ${next(reader`f.store_id`, reader` and exclusion > f.reason`)}, f.place + 1
      from found f where f.reason is not null and f.place < ${limit})
    select distinct reason from found where reason is not null order by reason limit ${limit}`
  return rows.map(({ reason }) => reason)
}

/** Whether all products are being resolved again: then what each is found by may not be up to date. */
export async function isSettling(reader: Reader, accountId: number): Promise<boolean> {
  const [row] = await reader<{ settling: boolean }[]>`
    select exists (select from sweep where account_id = ${accountId} and half is distinct from 'price') as settling`
  return row?.settling ?? false
}
