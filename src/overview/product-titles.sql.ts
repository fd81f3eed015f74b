import type { Reader } from '../db/sql.ts'
import type { OverrideInput } from '../resolve/inputs.ts'
import type { TextSource } from '../resolve/content/text.ts'

/** Titles in all languages that the owner set for these products. */
export function ownTitles(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<(OverrideInput & { productId: number })[]>`
    select product_id as "productId", field, locale, value from product_override
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[]) and field = 'title'`
}

/** Titles in all languages from these products' offers, without dropped ones. */
export function offeredTitles(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<(TextSource & { productId: number })[]>`
    select o.product_id as "productId", o.supplier_id as "supplierId", o.supplier_sku as "supplierSku",
      coalesce((
        select jsonb_object_agg(text.key, jsonb_build_object('title', text.value -> 'title')) from jsonb_each(c.texts) text
      ), '{}') as texts
    from offer o cross join lateral (
      select texts from offer_content
      where account_id = ${accountId} and product_id = o.product_id and supplier_id = o.supplier_id
        and supplier_sku = o.supplier_sku offset 0
    ) c
    where o.account_id = ${accountId} and o.product_id = any(${[...productIds]}::bigint[]) and o.dropped_at is null`
}
