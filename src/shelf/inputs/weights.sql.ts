import { contentWeight } from '../../catalog/products/offers/offers.sql.ts'
import type { Reader } from '../../db/sql.ts'

/** The weight of products that weigh `from` or more: roughly the bytes of text in their offers and overrides. Sent at once. */
export function productWeights(reader: Reader, accountId: number, productIds: readonly number[], from: number) {
  const ids = [...productIds]
  return reader<{ productId: number; weight: number }[]>`
    select product_id as "productId", sum(weight)::float8 as weight from (
      select c.product_id, c.weight from unnest(${ids}::bigint[]) given (product_id) cross join lateral (
        select product_id, ${contentWeight(reader)} as weight
        from offer_content where account_id = ${accountId} and product_id = given.product_id offset 0
      ) c
      union all
      select product_id, octet_length(value) from product_override
      where account_id = ${accountId} and product_id = any(${ids}::bigint[])
      union all
      select product_id, octet_length(value) from attribute_override
      where account_id = ${accountId} and product_id = any(${ids}::bigint[])
    ) of_product group by product_id having sum(weight) >= ${from}`.execute()
}
