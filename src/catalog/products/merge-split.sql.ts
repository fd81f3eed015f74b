import type { Reader, Tx } from '../../db/sql.ts'

export interface OfferKey {
  supplierId: number
  supplierSku: string
}

/** Every offer of a product, dropped ones included. */
export function offersOf(reader: Reader, accountId: number, productId: number) {
  return reader<OfferKey[]>`
    select supplier_id as "supplierId", supplier_sku as "supplierSku" from offer
    where account_id = ${accountId} and product_id = ${productId} order by supplier_id, supplier_sku`
}

/** Moves offers of one product, with their content and EANs, to another. */
export async function offersMove(
  tx: Tx,
  accountId: number,
  fromId: number,
  toId: number,
  offers: readonly OfferKey[],
): Promise<void> {
  const suppliers = offers.map((offer) => offer.supplierId)
  const skus = offers.map((offer) => offer.supplierSku)
  for (const table of ['offer', 'offer_content', 'product_ean'] as const) {
    await tx`
      update ${tx(table)} set product_id = ${toId}
      where account_id = ${accountId} and product_id = ${fromId} and (supplier_id, supplier_sku) in (
        select * from unnest(${suppliers}::bigint[], ${skus}::text[]))`
  }
}

/** Adds one product's own stock to another's; the receiver's cost stays unless it has none. */
export async function ownStockMove(tx: Tx, accountId: number, fromId: number, toId: number): Promise<void> {
  await tx`
    insert into own_stock (account_id, product_id, quantity, cost)
    select account_id, ${toId}, quantity, cost from own_stock where account_id = ${accountId} and product_id = ${fromId}
    on conflict (account_id, product_id) do update
      set quantity = least(own_stock.quantity::bigint + excluded.quantity, 2147483647)::integer,
        cost = coalesce(own_stock.cost, excluded.cost)`
}
