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

/**
 * Adds the own stock of some products to another's. The cost becomes the average of the known costs, weighted by
 * pieces; it is unknown if no piece has a known cost. If there are no pieces at all, the receiver's known cost stays,
 * or else the first known cost of the others is taken.
 */
export async function ownStockMove(tx: Tx, accountId: number, fromIds: readonly number[], toId: number): Promise<void> {
  await tx`
    insert into own_stock (account_id, product_id, quantity, cost)
    select ${accountId}, ${toId}, least(sum(quantity), 2147483647)::integer,
      case when sum(quantity) > 0
        then round(sum(quantity * cost) / nullif(sum(quantity) filter (where cost is not null), 0), 6)
        else (array_agg(cost order by place) filter (where cost is not null))[1] end
    from unnest(${[toId, ...fromIds]}::bigint[]) with ordinality as given (product_id, place)
    cross join lateral (
      select quantity, cost from own_stock where account_id = ${accountId} and product_id = given.product_id offset 0
    ) stock
    having count(*) > 0
    on conflict (account_id, product_id) do update set quantity = excluded.quantity, cost = excluded.cost`
}
