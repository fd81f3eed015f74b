import type { Reader } from '../../db/sql.ts'

/** A query of the sales of products that offers state, or the owner (supplier null). Days are `YYYY-MM-DD`. */
const stated = (reader: Reader, accountId: number) => reader`
  select product_id, supplier_id, sale_begins_on as begins_on, sale_ends_on as ends_on
  from offer_content where account_id = ${accountId} and sale_price is not null
  union all
  select p.product_id, null,
    (select value from product_override where account_id = ${accountId} and product_id = p.product_id and field = 'sale_begins_on'),
    (select value from product_override where account_id = ${accountId} and product_id = p.product_id and field = 'sale_ends_on')
  from product_override p where p.account_id = ${accountId} and p.field = 'sale_price'`

/** Sales without a last day, and sales that end before they begin. */
export function salesWithDoubtfulDays(reader: Reader, accountId: number, limit: number) {
  return reader<{ productId: number; supplierId: number | null; reason: 'no_end' | 'ends_before_it_begins' }[]>`
    select product_id as "productId", supplier_id as "supplierId",
      case when ends_on is null then 'no_end' else 'ends_before_it_begins' end as reason
    from (${stated(reader, accountId)}) sale
    where ends_on is null or ends_on < begins_on
    order by product_id, supplier_id nulls first limit ${limit}`
}

/** Ids of products for which a source states a sale that is in force. */
export async function productsOnSale(reader: Reader, accountId: number, limit: number): Promise<number[]> {
  const rows = await reader<{ id: number }[]>`
    select distinct product_id as id
    from (${stated(reader, accountId)}) sale
    where (begins_on is null or begins_on <= (select day::text from account_inputs where account_id = ${accountId}))
      and (ends_on is null or ends_on >= (select day::text from account_inputs where account_id = ${accountId}))
    order by 1 limit ${limit}`
  return rows.map(({ id }) => id)
}
