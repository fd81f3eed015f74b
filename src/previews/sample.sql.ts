import type { Query, Reader } from '../db/sql.ts'
import { must } from '../platform/must.ts'

/** The next product that is not deleted from each of these places among the product ids on; in id order, each once. */
export async function productsAt(reader: Reader, accountId: number, places: readonly number[]): Promise<number[]> {
  const rows = await reader<{ productId: number }[]>`
    select distinct p.product_id as "productId" from unnest(${[...places]}::bigint[]) as place (id)
    cross join lateral (
      select product_id from product where account_id = ${accountId} and product_id >= place.id and deleted_at is null
      order by product_id limit 1
    ) p order by 1`
  return rows.map((row) => row.productId)
}

/** Which offers and overrides are looked for; texts are in lower case. */
export interface Wanted {
  supplierIds: readonly number[]
  manufacturers: readonly string[]
  /** Paths, each with all below it. */
  categories: readonly string[]
}

/**
 * Products with an offer or an override that says one of these, among `width` ids from each of these places, in id
 * order. This only selects a sample: which products the rule affects is decided by resolving.
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

/** How many products the account has. */
export async function productsCount(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from product where account_id = ${accountId} and deleted_at is null`
  return must(row).count
}
