import type { Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'

/** What a response is built from. */
export interface PayloadRow {
  storeId: number
  productId: number
  sku: string | null
  content: string
  price: string
  contentTag: string
  priceTag: string
}

/** Payloads by (store, product): one statement for all look-ups of an account in one batch. */
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

/** One payload: without a list of keys the server plans the statement once, instead of each time. */
function payloadGet(reader: Reader, accountId: number, { storeId, productId }: { storeId: number; productId: number }) {
  return reader<PayloadRow[]>`
    select c.store_id as "storeId", c.product_id as "productId", c.sku, c.body as content, p.body as price,
      c.tag as "contentTag", p.tag as "priceTag"
    from payload_content c
    join payload_price p on p.account_id = c.account_id and p.store_id = c.store_id and p.product_id = c.product_id
    where c.account_id = ${accountId} and c.store_id = ${storeId} and c.product_id = ${productId}`
}

/** Which half a list shows. */
export type Shape = 'products' | 'prices'

export interface PageRow {
  /** How many products the store lists. */
  total: number
  /** How many products are on the page. */
  found: number
  /** Members of the JSON array, ready to send; null when the page is empty. */
  body: string | null
  /** Hash of the members' tags; null when the page is empty. */
  tag: string | null
  lastId: number | null
}

// PostgreSQL builds the page: one row of 400 kB instead of 200 rows to parse. Products are in id order.
const aggregate = (reader: Reader, accountId: number, storeId: number, shape: Shape) => reader`
    count(*)::int as found, max(ids.product_id) as "lastId",
    ${
      shape === 'products'
        ? reader`string_agg('{' || c.body || ',' || p.body || '}', ',' order by ids.product_id) as body,
          md5(string_agg(c.tag || p.tag, '' order by ids.product_id)) as tag`
        : reader`string_agg('{"id":' || ids.product_id || ',"sku":' || coalesce(to_json(c.sku)::text, 'null') || ',' || p.body
            || '}', ',' order by ids.product_id) as body,
          md5(string_agg(ids.product_id || coalesce(to_json(c.sku)::text, 'null') || p.tag, '' order by ids.product_id)) as tag`
    }
    from ids
    cross join lateral (
      select sku, body, tag from payload_content
      where account_id = ${accountId} and store_id = ${storeId} and product_id = ids.product_id offset 0
    ) c
    cross join lateral (
      select body, tag from payload_price
      where account_id = ${accountId} and store_id = ${storeId} and product_id = ids.product_id offset 0
    ) p`

/**
 * The page that starts `offset` products into the store's list. The counts per block say in which block of ids it
 * starts, so at most one block is skipped through, whatever the page number.
 */
export async function pageAt(
  reader: Reader,
  accountId: number,
  storeId: number,
  shape: Shape,
  offset: number,
  limit: number,
): Promise<PageRow> {
  const [row] = await reader<PageRow[]>`
    with counts as materialized (
      select block, products, sum(products) over (order by block) as upto
      from payload_block where account_id = ${accountId} and store_id = ${storeId}
    ), place as (
      select block, upto - products as before from counts where upto > ${offset} order by block limit 1
    ), ids as materialized (
      select l.product_id from place, lateral (
        select product_id from payload_price
        where account_id = ${accountId} and store_id = ${storeId}
          and product_id >= place.block * ${LIMITS.idBlockSize}::bigint
        order by product_id offset (${offset} - place.before) limit ${limit}
      ) l
    )
    select (select coalesce(max(upto), 0)::bigint from counts) as total,
      ${aggregate(reader, accountId, storeId, shape)}`
  return row ?? { total: 0, found: 0, body: null, tag: null, lastId: null }
}

/** The page of products after an id. */
export async function pageAfter(
  reader: Reader,
  accountId: number,
  storeId: number,
  shape: Shape,
  afterId: number,
  limit: number,
): Promise<PageRow> {
  const [row] = await reader<PageRow[]>`
    with ids as materialized (
      select product_id from payload_price
      where account_id = ${accountId} and store_id = ${storeId} and product_id > ${afterId}
      order by product_id limit ${limit}
    )
    select (select coalesce(sum(products), 0)::bigint from payload_block
        where account_id = ${accountId} and store_id = ${storeId}) as total,
      ${aggregate(reader, accountId, storeId, shape)}`
  return row ?? { total: 0, found: 0, body: null, tag: null, lastId: null }
}

/** Those of the given products that the store lists; `total` is their number. */
export async function pageOf(
  reader: Reader,
  accountId: number,
  storeId: number,
  shape: Shape,
  productIds: readonly number[],
): Promise<PageRow> {
  const [row] = await reader<PageRow[]>`
    with ids as materialized (select distinct product_id from unnest(${[...productIds]}::bigint[]) as given (product_id))
    select count(*) as total, ${aggregate(reader, accountId, storeId, shape)}`
  return row ?? { total: 0, found: 0, body: null, tag: null, lastId: null }
}

/** Products of a store by exported SKU, the lowest ids first. */
export async function idsBySku(reader: Reader, accountId: number, storeId: number, sku: string, limit: number) {
  const rows = await reader<{ product_id: number }[]>`
    select product_id from payload_content
    where account_id = ${accountId} and store_id = ${storeId} and sku = ${sku} order by product_id limit ${limit}`
  return rows.map((row) => row.product_id)
}

/** Products that have an EAN, literally or as the same GTIN, the lowest ids first. */
export async function idsByEan(reader: Reader, accountId: number, ean: string, gtin: string | null, limit: number) {
  const rows = await reader<{ product_id: number }[]>`
    select product_id from (
      select product_id, supplier_id from product_ean where account_id = ${accountId} and ean = ${ean} and gtin is null
      union
      select product_id, supplier_id from product_ean where account_id = ${accountId} and gtin = ${gtin}
    ) found
    left join lateral (
      select deleted_at is null as is_living from supplier
      where account_id = ${accountId} and supplier_id = found.supplier_id offset 0
    ) s on true
    where found.supplier_id = 0 or s.is_living
    group by product_id order by product_id limit ${limit}`
  return rows.map((row) => row.product_id)
}

/** Product objects after an id as JSON text, with `separator` between them; one page of a walk over the whole store. */
export async function productsAfter(
  reader: Reader,
  accountId: number,
  storeId: number,
  afterId: number,
  limit: number,
  separator: string,
): Promise<{ found: number; lastId: number; body: string }> {
  const [row] = await reader<{ found: number; lastId: number | null; body: string | null }[]>`
    with ids as materialized (
      select product_id from payload_price
      where account_id = ${accountId} and store_id = ${storeId} and product_id > ${afterId}
      order by product_id limit ${limit}
    )
    select (select count(*)::int from ids) as found, (select max(product_id) from ids) as "lastId",
      string_agg('{' || c.body || ',' || p.body || '}', ${separator} order by ids.product_id) as body
    from ids
    cross join lateral (
      select body from payload_content
      where account_id = ${accountId} and store_id = ${storeId} and product_id = ids.product_id offset 0
    ) c
    cross join lateral (
      select body from payload_price
      where account_id = ${accountId} and store_id = ${storeId} and product_id = ids.product_id offset 0
    ) p`
  return { found: row?.found ?? 0, lastId: row?.lastId ?? afterId, body: row?.body ?? '' }
}
