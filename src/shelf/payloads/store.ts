import { jsonTexts, type Reader, type Tx } from '../../db/sql.ts'

/** What shelving compares with: tags instead of bodies, so that an unchanged payload is not read. */
export interface ShelvedRow {
  storeId: number
  productId: number
  contentTag: string
  priceTag: string
  resolver: number
}

export function shelvedTags(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  productIds: readonly number[],
) {
  return reader<ShelvedRow[]>`
    select s.store_id as "storeId", w.product_id as "productId", c.tag as "contentTag", p.tag as "priceTag",
      least(c.resolver, p.resolver) as resolver
    from unnest(${[...storeIds]}::bigint[]) as s (store_id)
    cross join unnest(${[...productIds]}::bigint[]) as w (product_id)
    cross join lateral (
      select tag, resolver from payload_content
      where account_id = ${accountId} and store_id = s.store_id and product_id = w.product_id offset 0
    ) c
    cross join lateral (
      select tag, resolver from payload_price
      where account_id = ${accountId} and store_id = s.store_id and product_id = w.product_id offset 0
    ) p`
}

/** Bodies of payloads, for those that an older resolver wrote, and for the audit. */
export function shelvedBodies(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  productIds: readonly number[],
) {
  return reader<ShelvedBody[]>`
    select s.store_id as "storeId", w.product_id as "productId", c.body as content, p.body as price,
      c.tag as "contentTag", p.tag as "priceTag", c.sku
    from unnest(${[...storeIds]}::bigint[]) as s (store_id)
    cross join unnest(${[...productIds]}::bigint[]) as w (product_id)
    cross join lateral (
      select body, tag, sku from payload_content
      where account_id = ${accountId} and store_id = s.store_id and product_id = w.product_id offset 0
    ) c
    cross join lateral (
      select body, tag from payload_price
      where account_id = ${accountId} and store_id = s.store_id and product_id = w.product_id offset 0
    ) p`
}

export interface ShelvedBody {
  storeId: number
  productId: number
  content: string
  price: string
  contentTag: string
  priceTag: string
  sku: string | null
}

export interface HalfRow {
  storeId: number
  productId: number
  tag: string
  body: string
}

/** Writes content halves in key order. */
export function contentUpsert(
  tx: Tx,
  accountId: number,
  resolver: number,
  rows: readonly (HalfRow & { sku: string | null })[],
) {
  return tx`
    insert into payload_content (account_id, store_id, product_id, resolver, tag, sku, body)
    select ${accountId}, store_id, product_id, ${resolver}, tag, sku, body
    from unnest(${rows.map((row) => row.storeId)}::bigint[], ${rows.map((row) => row.productId)}::bigint[],
      ${rows.map((row) => row.tag)}::text[], ${rows.map((row) => row.sku)}::text[],
      string_to_array(${jsonTexts(rows.map((row) => row.body))}, E'\\x1e'))
      as given (store_id, product_id, tag, sku, body)
    on conflict (account_id, store_id, product_id) do update
      set resolver = excluded.resolver, tag = excluded.tag, sku = excluded.sku, body = excluded.body`
}

/** Writes price halves in key order. */
export function priceUpsert(tx: Tx, accountId: number, resolver: number, rows: readonly HalfRow[]) {
  return tx`
    insert into payload_price (account_id, store_id, product_id, resolver, tag, body)
    select ${accountId}, store_id, product_id, ${resolver}, tag, body
    from unnest(${rows.map((row) => row.storeId)}::bigint[], ${rows.map((row) => row.productId)}::bigint[],
      ${rows.map((row) => row.tag)}::text[], string_to_array(${jsonTexts(rows.map((row) => row.body))}, E'\\x1e'))
      as given (store_id, product_id, tag, body)
    on conflict (account_id, store_id, product_id) do update
      set resolver = excluded.resolver, tag = excluded.tag, body = excluded.body`
}

/** Takes payloads of products that left a store's catalog away. */
export async function payloadsDelete(
  tx: Tx,
  accountId: number,
  rows: readonly { storeId: number; productId: number }[],
): Promise<void> {
  for (const [storeId, gone] of Map.groupBy(rows, (row) => row.storeId)) {
    const products = gone.map((row) => row.productId)
    await Promise.all([
      tx`delete from payload_content
        where account_id = ${accountId} and store_id = ${storeId} and product_id = any(${products}::bigint[])`,
      tx`delete from payload_price
        where account_id = ${accountId} and store_id = ${storeId} and product_id = any(${products}::bigint[])`,
    ])
  }
}
