import type { Reader } from '../../db/sql.ts'

/** An attribute's value and how many offers state it. */
export interface StatedValue {
  key: string
  value: string
  offers: number
  /** The lowest id of a product with such an offer. */
  productId: number
}

/**
 * The most frequent attribute values in the account's first offers, by product id; dropped offers are skipped.
 * @param valuesMax values per attribute.
 * @param rowsMax rows in all. The most frequent value of every attribute precedes all second values, and so on.
 */
export function attributeValueCounts(
  reader: Reader,
  accountId: number,
  keys: readonly string[],
  { offersMax, valuesMax, rowsMax }: { offersMax: number; valuesMax: number; rowsMax: number },
) {
  return reader<StatedValue[]>`
    select key, value, offers, product_id as "productId"
    from (
      select stated.member ->> 'key' as key, stated.member ->> 'value' as value, count(*)::int as offers,
        min(looked_at.product_id) as product_id,
        row_number() over (
          partition by stated.member ->> 'key' order by count(*) desc, (stated.member ->> 'value') collate "C") as place
      from (
        select c.product_id, c.attributes
        from offer_content c
        cross join lateral (
          select from offer o
          where o.account_id = ${accountId} and o.supplier_id = c.supplier_id and o.supplier_sku = c.supplier_sku
            and o.dropped_at is null
          offset 0
        ) present
        where c.account_id = ${accountId} order by c.product_id limit ${offersMax}
      ) looked_at
      cross join lateral jsonb_array_elements(looked_at.attributes) as stated (member)
      where stated.member ->> 'key' = any(${[...keys]}::text[])
      group by 1, 2
    ) counted
    where place <= ${valuesMax}
    order by place, key collate "C" limit ${rowsMax}`
}
