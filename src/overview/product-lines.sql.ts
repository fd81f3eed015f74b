import type { Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { isWanted, type Wanted } from './product-filter.sql.ts'

// Variant groups in lists of products. A group's products are those that match the conditions, in the group's order.

/** A group shown as one line. */
export interface GroupLine {
  /** The product that represents it. */
  productId: number
  groupId: number
  /** Its products that match, at most LIMITS.groupProductsMax. */
  productIds: number[]
  /** The range of prices of the first customer group in the first store that lists any of them; null: no price there. */
  priceFrom: string | null
  priceTo: string | null
  currency: string | null
  /** The total stock in that store; null: no store lists any of them. */
  stock: number | null
}

/** The groups of these products, with the product that each was found by. Products without a group are left out. */
export function groupLines(
  reader: Reader,
  accountId: number,
  wanted: Wanted,
  productIds: readonly number[],
): Promise<GroupLine[]> {
  const { storeId, storeIds } = wanted
  const stores = storeId === null ? [...storeIds] : [storeId, ...storeIds.filter((id) => id !== storeId)]
  return reader<GroupLine[]>`
    with variant as materialized (
      select given.product_id as line, own.group_id, member.position, member.product_id
      from unnest(${[...productIds]}::bigint[]) given (product_id)
      cross join lateral (
        select group_id from variant_group_member
        where account_id = ${accountId} and product_id = given.product_id limit 1) own
      cross join lateral (
        select distinct position, product_id from variant_group_member
        where account_id = ${accountId} and group_id = own.group_id
        order by position, product_id limit ${LIMITS.groupProductsMax}) member
      cross join lateral (
        select (${isWanted(reader, accountId, { ...wanted, lines: null })}) as is_wanted from product_search s
        where s.account_id = ${accountId} and s.product_id = member.product_id offset 0) found
      where found.is_wanted),
    half as materialized (
      select v.line, v.product_id, store.place, price.body
      from variant v cross join unnest(${stores}::bigint[]) with ordinality as store (store_id, place)
      cross join lateral (
        select body from payload_price
        where account_id = ${accountId} and store_id = store.store_id and product_id = v.product_id offset 0) price),
    shown as materialized (
      select h.line, h.product_id, ('{' || h.body || '}')::jsonb as member from half h
      join (select line, min(place) as place from half group by line) first on first.line = h.line and first.place = h.place)
    select v.line as "productId", v.group_id as "groupId",
      array_agg(v.product_id order by v.position, v.product_id) as "productIds",
      min((s.member #>> '{prices,0,computed_price}')::numeric)::text as "priceFrom",
      max((s.member #>> '{prices,0,computed_price}')::numeric)::text as "priceTo",
      min(s.member #>> '{prices,0,currency}') as currency, sum((s.member ->> 'stock')::bigint)::bigint as stock
    from variant v left join shown s on s.line = v.line and s.product_id = v.product_id
    group by v.line, v.group_id`
}

/** The products of a group that match, in its order, after the product `after`; none if that has left the group. */
export async function variantsAfter(
  reader: Reader,
  accountId: number,
  wanted: Wanted,
  groupId: number,
  after: number | null,
  limit: number,
): Promise<number[]> {
  const place =
    after === null
      ? reader``
      : reader` and (position, product_id) > (
          select position, product_id from variant_group_member
          where account_id = ${accountId} and group_id = ${groupId} and product_id = ${after} limit 1)`
  const rows = await reader<{ productId: number }[]>`
    select member.product_id as "productId" from (
      select distinct position, product_id from variant_group_member
      where account_id = ${accountId} and group_id = ${groupId}${place}
      order by position, product_id limit ${LIMITS.groupProductsMax}) member
    cross join lateral (
      select (${isWanted(reader, accountId, wanted)}) as is_wanted from product_search s
      where s.account_id = ${accountId} and s.product_id = member.product_id offset 0) found
    where found.is_wanted order by member.position, member.product_id limit ${limit}`
  return rows.map(({ productId }) => productId)
}
