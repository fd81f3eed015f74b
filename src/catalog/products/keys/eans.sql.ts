import { ownerOf } from '../../../db/fragments/owner.sql.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import type { GtinHolder } from '../offers/match.ts'

export interface EanRow {
  productId: number
  supplierId: number
  supplierSku: string
  ean: string
  position: number
  gtin: string | null
}

export function eansInsert(tx: Tx, accountId: number, rows: readonly EanRow[]) {
  return tx`
    insert into product_ean (account_id, product_id, supplier_id, supplier_sku, ean, position, gtin)
    select owner.account_id, given.* from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.productId)}::bigint[],
      ${rows.map((row) => row.supplierId)}::bigint[], ${rows.map((row) => row.supplierSku)}::text[],
      ${rows.map((row) => row.ean)}::text[], ${rows.map((row) => row.position)}::smallint[],
      ${rows.map((row) => row.gtin)}::text[]) given
    on conflict (account_id, product_id, supplier_id, supplier_sku, ean) do update set position = excluded.position`
}

export interface PrimaryEanRow {
  productId: number
  ean: string
  gtin: string | null
}

/** Sets EANs that the owner chose as the primary ones of products that have no primary EAN. */
export async function primaryEansInsert(tx: Tx, accountId: number, rows: readonly PrimaryEanRow[]): Promise<void> {
  await tx`
    insert into product_ean (account_id, product_id, ean, gtin, is_primary)
    select ${accountId}, product_id, ean, gtin, true
    from unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.ean)}::text[],
      ${rows.map((row) => row.gtin)}::text[]) as given (product_id, ean, gtin)`
}

/**
 * Sets the EAN that the owner chose as the primary one of a locked product; null removes the owner's choice.
 * @returns whether anything changed.
 */
export async function primaryEanSet(
  tx: Tx,
  accountId: number,
  productId: number,
  ean: { ean: string; gtin: string | null } | null,
): Promise<boolean> {
  const removed = await tx`
    delete from product_ean where account_id = ${accountId} and product_id = ${productId} and supplier_id = 0
      and (not is_primary or ean is distinct from ${ean?.ean ?? null}::text)`
  if (ean === null) return removed.count > 0
  const inserted = await tx`
    insert into product_ean (account_id, product_id, ean, gtin, is_primary)
    values (${accountId}, ${productId}, ${ean.ean}, ${ean.gtin}, true)
    on conflict (account_id, product_id, supplier_id, supplier_sku, ean) do nothing`
  return removed.count + inserted.count > 0
}

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
