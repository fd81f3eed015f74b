import { isDimension, LISTED_NAMES, type ListedName } from '../../contract/product-fields.ts'
import { byCommas } from '../db/fragments/by-commas.ts'
import type { Query, Reader } from '../db/sql.ts'

/** A product in a list: its values in one store, and figures over all stores. */
export interface ProductRow extends Record<ListedName, string | null> {
  productId: number
  sku: string | null
  ean: string | null
  title: string | null
  /** The slug of the store that title, price and reason are from; null: no store lists the product. */
  store: string | null
  exclusionReason: string | null
  /** JSON members of the price half; null: no store lists the product. */
  price: string | null
  isInStock: boolean
  stores: number
  excludedIn: number
  changedAt: Date | null
  /** The title of its variant group in that store; null: no group, or a group without a title. */
  groupTitle: string | null
  /** Our copy of the first picture that has one; null: none has been fetched. */
  picture: string | null
}

/**
 * Rows of these products, in their order, without deleted products.
 * @param storeIds the account's active stores; a product is shown as in the first of them that lists it
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

/**
 * The distinct reasons for which active stores exclude products, by name. Skips from reason to reason in an index instead of
 * reading every product.
 */
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

/** Whether a sweep resolves all products again, during which the search index may be outdated. */
export async function isSettling(reader: Reader, accountId: number): Promise<boolean> {
  const [row] = await reader<{ settling: boolean }[]>`
    select exists (select from sweep where account_id = ${accountId} and half is distinct from 'price') as settling`
  return row?.settling ?? false
}
