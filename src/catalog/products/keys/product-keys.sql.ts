import type { Reader } from '../../../db/sql.ts'

/**
 * Finds products by own key and by EAN, at most two for each: with two, the key is ambiguous already. EANs of deleted
 * suppliers do not count.
 */
export function productsByKeys(
  reader: Reader,
  accountId: number,
  skus: readonly { at: number; sku: string }[],
  eans: readonly { at: number; ean: string; gtin: string | null }[],
) {
  return reader<{ at: number; productId: number }[]>`
    select given.at, found.product_id as "productId"
    from unnest(${skus.map((row) => row.at)}::int[], ${skus.map((row) => row.sku)}::text[]) as given (at, sku)
    cross join lateral (
      select product_id from product where account_id = ${accountId} and sku = given.sku order by product_id limit 2
    ) found
    union all
    select given.at, found.product_id
    from unnest(${eans.map((row) => row.at)}::int[], ${eans.map((row) => row.ean)}::text[], ${eans.map((row) => row.gtin)}::text[])
      as given (at, ean, gtin)
    cross join lateral (
      select product_id from (
        select product_id, supplier_id from product_ean where account_id = ${accountId} and ean = given.ean and gtin is null
        union
        select product_id, supplier_id from product_ean where account_id = ${accountId} and gtin = given.gtin
      ) stated
      left join lateral (
        select deleted_at is null as is_living from supplier
        where account_id = ${accountId} and supplier_id = stated.supplier_id offset 0
      ) s on true
      where stated.supplier_id = 0 or s.is_living
      group by product_id order by product_id limit 2
    ) found`
}
