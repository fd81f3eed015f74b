import type { Reader } from '../db/sql.ts'

/** Every twentieth product that has an English title, with a purchase cost slightly below that of its EUR offer. */
export function ownStockCandidates(reader: Reader, accountId: number) {
  return reader<{ productId: number; cost: string | null; title: string }[]>`
    select product_id as "productId", min(case when o.currency = 'EUR' then round(o.cost * 0.93, 2) end)::text as cost,
      max(c.texts -> 'en' ->> 'title') as title
    from offer o join offer_content c using (account_id, product_id, supplier_id, supplier_sku)
    where account_id = ${accountId} and product_id % 20 = 0
    group by product_id having max(c.texts -> 'en' ->> 'title') is not null
    order by product_id limit 200`
}

/** A product that has own stock; undefined: there is none. */
export async function productWithStock(reader: Reader, accountId: number): Promise<number | undefined> {
  const [row] = await reader<{ productId: number }[]>`
    select product_id as "productId" from own_stock where account_id = ${accountId} order by product_id limit 1`
  return row?.productId
}
