import type { Query, Reader } from '../db/sql.ts'
import { must } from '../platform/must.ts'

/** For each of these product ids, the next product from it on that is not deleted; in id order, without duplicates. */
export async function productsAt(reader: Reader, accountId: number, places: readonly number[]): Promise<number[]> {
  const rows = await reader<{ productId: number }[]>`
    select distinct p.product_id as "productId" from unnest(${[...places]}::bigint[]) as place (id)
    cross join lateral (
      select product_id from product where account_id = ${accountId} and product_id >= place.id and deleted_at is null
      order by product_id limit 1
    ) p order by 1`
  return rows.map((row) => row.productId)
}

/** The offers and overrides to look for; texts are in lower case. */
export interface Wanted {
  supplierIds: readonly number[]
  manufacturers: readonly string[]
  /** Category paths, which include everything below them. */
  categories: readonly string[]
}

/**
 * Products with an offer or override that matches, among `width` ids from each of these ids on, in id order. This only
 * selects a sample: resolving decides which products a rule affects.
 */
export async function productsNamedAt(
  reader: Reader,
  accountId: number,
  places: readonly number[],
  width: number,
  { supplierIds, manufacturers, categories }: Wanted,
): Promise<number[]> {
  const isNamed = (manufacturer: Query<unknown>, category: Query<unknown>) => reader`
    lower(btrim(${manufacturer})) = any(${[...manufacturers]}::text[])
    or exists (select from unnest(${[...categories]}::text[]) as wanted (path)
      where starts_with(replace(lower(${category}), ' / ', '/') || '/', wanted.path || '/'))`
  const rows = await reader<{ productId: number }[]>`
    select distinct found.product_id as "productId" from unnest(${[...places]}::bigint[]) as place (id)
    cross join lateral (
      select product_id, supplier_id, manufacturer, category from offer_content
      where account_id = ${accountId} and product_id >= place.id and product_id < place.id + ${width} offset 0
    ) found
    where found.supplier_id = any(${[...supplierIds]}::bigint[]) or ${isNamed(reader`found.manufacturer`, reader`found.category`)}
    union
    select found.product_id from unnest(${[...places]}::bigint[]) as place (id)
    cross join lateral (
      select product_id, field, value from product_override
      where account_id = ${accountId} and product_id >= place.id and product_id < place.id + ${width} offset 0
    ) found
    where found.field in ('manufacturer', 'category')
      and (${isNamed(reader`case when found.field = 'manufacturer' then found.value end`, reader`case when found.field = 'category' then found.value end`)})
    order by 1`
  return rows.map((row) => row.productId)
}

/** The number of the account's products. */
export async function productsCount(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from product where account_id = ${accountId} and deleted_at is null`
  return must(row).count
}
