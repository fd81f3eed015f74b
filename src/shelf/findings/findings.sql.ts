import { TEXT_FIELDS, type TextField } from '../../../contract/product-fields.ts'
import type { Reader } from '../../db/sql.ts'
import { RESTRICTED_GTIN } from '../../model/gtin.ts'

// Queries for what the owner should look at: problems of the data, not of the service.

/**
 * GTINs that several products have: an article that exists twice, or a number used for two articles. Numbers of
 * restricted ranges are left out: several articles may have them.
 */
export function eanCollisions(reader: Reader, accountId: number, limit: number) {
  return reader<{ gtin: string; productIds: number[] }[]>`
    select gtin, array_agg(distinct product_id order by product_id) as "productIds"
    from product_ean where account_id = ${accountId} and gtin is not null and gtin !~ ${RESTRICTED_GTIN}
    group by gtin having count(distinct product_id) > 1 order by gtin limit ${limit}`
}

/** EANs with a wrong length or check digit. They are shown, but offers are never matched by them. */
export function eansInvalid(reader: Reader, accountId: number, limit: number) {
  return reader<{ ean: string; productId: number; supplierId: number; supplierSku: string }[]>`
    select ean, product_id as "productId", supplier_id as "supplierId", supplier_sku as "supplierSku"
    from product_ean where account_id = ${accountId} and gtin is null order by ean, product_id limit ${limit}`
}

/**
 * Contents that offers state and that do not have the form of a readable one. @param kept a pattern of readable ones.
 */
export function statedContents(reader: Reader, accountId: number, kept: string, limit: number) {
  return reader<{ supplierId: number; field: 'net_content' | 'unit_price_reference'; value: string; offers: number }[]>`
    select c.supplier_id as "supplierId", stated.field, stated.value, count(*)::int as offers
    from offer_content c cross join lateral (
      values ('net_content', c.net_content), ('unit_price_reference', c.unit_price_reference)) as stated (field, value)
    where c.account_id = ${accountId} and stated.value !~ ${kept}
    group by c.supplier_id, stated.field, stated.value
    order by offers desc, "supplierId", stated.field, stated.value limit ${limit}`
}

/** SKUs that several products of a store have. */
export function skuCollisions(reader: Reader, accountId: number, limit: number) {
  return reader<{ storeId: number; sku: string; productIds: number[] }[]>`
    select store_id as "storeId", sku, array_agg(product_id order by product_id) as "productIds"
    from payload_content where account_id = ${accountId} and sku is not null
    group by store_id, sku having count(*) > 1 order by store_id, sku limit ${limit}`
}

/**
 * Products whose text a store shows in a locale outside its chain, because no source has one in the chain. Only for
 * accounts that allow any locale.
 * @param unseen characters that do not count as text, such as white space.
 */
export function textsFromAnyLocale(
  reader: Reader,
  accountId: number,
  storeId: number,
  chain: readonly string[],
  unseen: string,
  limit: number,
) {
  return reader<{ storeId: number; productId: number; field: TextField }[]>`
    select ${storeId}::int8 as "storeId", c.product_id as "productId", f.field
    from payload_content c cross join unnest(${[...TEXT_FIELDS]}::text[]) as f(field)
    cross join lateral (
      select bool_or(t.locale = any(${[...chain]}::text[])) as is_in_chain
      from (
        select v.locale, v.value from product_override v
        where v.account_id = ${accountId} and v.product_id = c.product_id and v.field = f.field
        union all
        select e.key, e.value ->> f.field
        from offer o
        join supplier s on s.account_id = ${accountId} and s.supplier_id = o.supplier_id and s.deleted_at is null
        join offer_content oc on oc.account_id = ${accountId} and oc.product_id = o.product_id
          and oc.supplier_id = o.supplier_id and oc.supplier_sku = o.supplier_sku
        cross join jsonb_each(oc.texts) e
        where o.account_id = ${accountId} and o.product_id = c.product_id and o.dropped_at is null
      ) t
      where btrim(t.value, ${unseen}) <> ''
    ) found
    where c.account_id = ${accountId} and c.store_id = ${storeId} and not found.is_in_chain
    order by c.product_id, f.field limit ${limit}`
}

/** Offers that do not compete because their currency has no exchange rate, by supplier and currency. */
export function offersWithoutRate(reader: Reader, accountId: number) {
  return reader<{ supplierId: number; currency: string; offers: number }[]>`
    select o.supplier_id as "supplierId", o.currency, count(*)::int as offers
    from offer o
    where o.account_id = ${accountId} and o.cost is not null and o.dropped_at is null
      and o.currency <> (select currency from account where account_id = ${accountId})
      and not exists (select from exchange_rate r where r.account_id = ${accountId} and r.currency = o.currency)
    group by o.supplier_id, o.currency order by o.supplier_id, o.currency`
}
