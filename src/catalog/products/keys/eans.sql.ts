import { ownerOf } from '../../../db/fragments/owner.sql.ts'
import type { Tx } from '../../../db/sql.ts'

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
