import type { Reader } from '../../../db/sql.ts'
import type { GtinHolder } from './match.ts'

/**
 * Products that carry one of these GTINs, with the offers that state it. EANs of a deleted supplier do not count, even
 * before its rows are deleted.
 */
export function gtinHolders(reader: Reader, accountId: number, gtins: readonly string[]) {
  return reader<GtinHolder[]>`
    select e.gtin, e.product_id as "productId", e.supplier_id as "supplierId", e.supplier_sku as "supplierSku"
    from product_ean e
    cross join lateral (
      select from product
      where account_id = ${accountId} and product_id = e.product_id and deleted_at is null offset 0
    ) d
    left join lateral (
      select deleted_at is null as is_living from supplier
      where account_id = ${accountId} and supplier_id = e.supplier_id offset 0
    ) s on true
    where e.account_id = ${accountId} and e.gtin = any(${[...gtins]}::text[])
      and (e.supplier_id = 0 or s.is_living)`
}

/** Which of these suppliers offer which of these products; dropped offers do not count. */
export function suppliersOffering(
  reader: Reader,
  accountId: number,
  productIds: readonly number[],
  supplierIds: readonly number[],
) {
  return reader<{ productId: number; supplierId: number }[]>`
    select o.* from unnest(${[...productIds]}::bigint[]) as given (product_id) cross join lateral (
      select product_id as "productId", supplier_id as "supplierId" from offer
      where account_id = ${accountId} and product_id = given.product_id and dropped_at is null offset 0
    ) o where o."supplierId" = any(${[...supplierIds]}::bigint[])`
}
