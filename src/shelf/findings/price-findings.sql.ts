import type { Reader } from '../../db/sql.ts'

/** A price that is below its cost once tax is taken off. Amounts are decimal texts in `currency`. */
export interface PriceBelowCost {
  productId: number
  storeId: number
  groupId: number
  currency: string
  /** As shown, and without tax, rounded to 4 decimals. */
  price: string
  priceWithoutTax: string
  /** Without tax. */
  baseCost: string
  madeBy: 'rule' | 'price_list' | 'sale' | 'held'
  /** The key of the price list that made the price; null if none did. */
  priceList: string | null
}

/**
 * Prices as clients read them that are below cost, by product. A price of 0 is left out: it is reported as a gap.
 * @param payloads how many payloads are examined: those of products in price lists first, then equally many of each store.
 */
export function pricesBelowCost(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  payloads: number,
  limit: number,
) {
  const ofEach = Math.ceil(payloads / Math.max(1, storeIds.length))
  return reader<PriceBelowCost[]>`
    with looked as materialized (
      (select s.store_id, e.product_id
       from (select distinct product_id from price_list_entry where account_id = ${accountId} limit ${ofEach}) e
       cross join unnest(${[...storeIds]}::bigint[]) as s (store_id))
      union
      (select s.store_id, p.product_id
       from unnest(${[...storeIds]}::bigint[]) as s (store_id) cross join lateral (
         select product_id from payload_price where account_id = ${accountId} and store_id = s.store_id
         order by product_id limit ${ofEach}) p)
    ), read as (
      select l.product_id, l.store_id, (price ->> 'customer_group_id')::bigint as group_id, price ->> 'currency' as currency,
        (price ->> 'computed_price')::numeric as shown, (price ->> 'base_cost')::numeric as cost,
        case when (price ->> 'tax_included')::boolean then 100 + (price ->> 'tax_rate')::numeric else 100 end as taxed,
        (price ->> 'applied_rule_id')::bigint as rule_id, price ? 'is_sale' as is_sale
      from looked l
      cross join lateral (
        select body from payload_price where account_id = ${accountId} and store_id = l.store_id and product_id = l.product_id offset 0
      ) p
      cross join lateral jsonb_array_elements(('{' || p.body || '}')::jsonb -> 'prices') as price
    ), below as (
      select product_id, store_id, group_id, currency, shown, cost, taxed, rule_id, is_sale from read where shown > 0 and shown * 100 < cost * taxed
      order by product_id, store_id, group_id limit ${limit}
    )
    select b.product_id as "productId", b.store_id as "storeId", b.group_id as "groupId", b.currency,
      trim_scale(b.shown)::text as price, trim_scale(round(b.shown * 100 / b.taxed, 4))::text as "priceWithoutTax",
      trim_scale(b.cost)::text as "baseCost", list.key as "priceList",
      case when b.is_sale then 'sale' when list.key is not null then 'price_list'
        when exists (select from price_hold h where h.account_id = ${accountId} and h.product_id = b.product_id
          and h.store_id = b.store_id and h.group_id = b.group_id) then 'held'
        else 'rule' end as "madeBy"
    from below b
    left join lateral (
      select l.key from price_list_entry e
      join price_list l on l.account_id = ${accountId} and l.key = e.list_key
      where e.account_id = ${accountId} and e.product_id = b.product_id and e.amount = b.shown and not b.is_sale
        and l.is_active and l.currency = b.currency and (l.store_ids is null or b.store_id = any(l.store_ids))
        and coalesce(nullif(e.group_id, 0), l.group_id, b.group_id) = b.group_id
        and coalesce(l.valid_from <= (select day from account_inputs where account_id = ${accountId}), true)
        and coalesce(l.valid_to >= (select day from account_inputs where account_id = ${accountId}), true)
        and not exists (select from pricing_rule r
          where r.account_id = ${accountId} and r.rule_id = b.rule_id and r.over_price_lists)
      order by l.priority, l.key limit 1
    ) list on true
    order by b.product_id, b.store_id, b.group_id`
}

/** List prices of one source that are shown beside no price, although their products have prices. */
export interface UnshownListPrices {
  /** null: stated by the owner. */
  supplierId: number | null
  products: number
  /** The first 3. */
  productIds: number[]
}

/** @param stated how many list prices of offers, and how many of the owner, are examined. */
export function unshownListPrices(reader: Reader, accountId: number, stated: number, limit: number) {
  return reader<UnshownListPrices[]>`
    with stated as materialized (
      (select product_id, supplier_id from offer_content
       where account_id = ${accountId} and list_price is not null order by product_id limit ${stated})
      union
      (select product_id, null from product_override
       where account_id = ${accountId} and field = 'list_price' order by product_id limit ${stated})
    ), priced as (
      select s.product_id from (select distinct product_id from stated) s
      cross join lateral (
        select body from payload_price where account_id = ${accountId} and product_id = s.product_id
          and store_id = any(array(select store_id from store where account_id = ${accountId} and is_active)) offset 0
      ) p
      where p.body not like '"prices":[],%'
      group by s.product_id having not bool_or(p.body like '%"compare_at_price":%')
    )
    select s.supplier_id as "supplierId", count(distinct s.product_id)::int as products,
      (array_agg(distinct s.product_id order by s.product_id))[1:3] as "productIds"
    from stated s join priced on priced.product_id = s.product_id
    group by s.supplier_id order by products desc, "supplierId" nulls first limit ${limit}`
}
