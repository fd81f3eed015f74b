import type { Reader } from '../../db/sql.ts'
import { must } from '../../platform/must.ts'

/** The stored parts of a product's response. */
export interface PayloadRow {
  storeId: number
  productId: number
  sku: string | null
  content: string
  price: string
  contentTag: string
  priceTag: string
}

/** Payloads by store and product: one statement for all look-ups of an account in one batch. */
export function payloadsGet(
  reader: Reader,
  accountId: number,
  keys: readonly { storeId: number; productId: number }[],
) {
  const [only, ...others] = keys
  if (only !== undefined && others.length === 0) return payloadGet(reader, accountId, only)
  return reader<PayloadRow[]>`
    select wanted.store_id as "storeId", wanted.product_id as "productId", c.sku, c.body as content, p.body as price,
      c.tag as "contentTag", p.tag as "priceTag"
    from unnest(${keys.map((key) => key.storeId)}::bigint[], ${keys.map((key) => key.productId)}::bigint[])
      as wanted (store_id, product_id)
    cross join lateral (
      select sku, body, tag from payload_content
      where account_id = ${accountId} and store_id = wanted.store_id and product_id = wanted.product_id offset 0
    ) c
    cross join lateral (
      select body, tag from payload_price
      where account_id = ${accountId} and store_id = wanted.store_id and product_id = wanted.product_id offset 0
    ) p`
}

/** One payload. Without a list of keys, the server can reuse the statement's plan. */
function payloadGet(reader: Reader, accountId: number, { storeId, productId }: { storeId: number; productId: number }) {
  return reader<PayloadRow[]>`
    select c.store_id as "storeId", c.product_id as "productId", c.sku, c.body as content, p.body as price,
      c.tag as "contentTag", p.tag as "priceTag"
    from payload_content c
    join payload_price p on p.account_id = c.account_id and p.store_id = c.store_id and p.product_id = c.product_id
    where c.account_id = ${accountId} and c.store_id = ${storeId} and c.product_id = ${productId}`
}

/** A page of the products found, lowest ids first, and the total number found. */
export interface IdsFound {
  ids: number[]
  total: number
}

/** Products of a store by exported SKU. A SKU pattern may give several products the same SKU. */
export async function idsBySku(
  reader: Reader,
  accountId: number,
  storeId: number,
  sku: string,
  offset: number,
  limit: number,
): Promise<IdsFound> {
  const [found] = await reader<IdsFound[]>`
    with found as materialized (
      select product_id from payload_content
      where account_id = ${accountId} and store_id = ${storeId} and sku = ${sku}
    )
    select (select count(*) from found) as total,
      array(select product_id from found order by product_id offset ${offset} limit ${limit}) as ids`
  return must(found)
}

/** Products of a store that these slugs lead to, current and former ones. */
export async function idsBySlug(reader: Reader, accountId: number, storeId: number, slugs: readonly string[]) {
  const rows = await reader<{ product_id: number }[]>`
    select found.product_id from unnest(${[...slugs]}::text[]) as given (slug)
    cross join lateral (
      select product_id from product_slug
      where account_id = ${accountId} and store_id = ${storeId} and slug = given.slug offset 0
    ) found`
  return rows.map((row) => row.product_id)
}

/** Products of a store that have an EAN, literally or as an equal GTIN. EANs from deleted suppliers do not count. */
export async function idsByEan(
  reader: Reader,
  accountId: number,
  storeId: number,
  { ean, gtin }: { ean: string; gtin: string | null },
  offset: number,
  limit: number,
): Promise<IdsFound> {
  const [found] = await reader<IdsFound[]>`
    with found as materialized (
      select distinct stated.product_id from (
        select product_id, supplier_id from product_ean
        where account_id = ${accountId} and ean = ${ean} and gtin is null
        union
        select product_id, supplier_id from product_ean where account_id = ${accountId} and gtin = ${gtin}
      ) stated
      left join lateral (
        select deleted_at is null as is_living from supplier
        where account_id = ${accountId} and supplier_id = stated.supplier_id offset 0
      ) s on true
      cross join lateral (
        select from payload_content
        where account_id = ${accountId} and store_id = ${storeId} and product_id = stated.product_id offset 0
      ) listed
      where stated.supplier_id = 0 or s.is_living
    )
    select (select count(*) from found) as total,
      array(select product_id from found order by product_id offset ${offset} limit ${limit}) as ids`
  return must(found)
}
