import type { Reader, Tx } from '../../db/sql.ts'

/** What shelving compares with: tags instead of bodies, so that an unchanged payload is not read. */
export interface ShelvedRow {
  storeId: number
  productId: number
  contentTag: string
  priceTag: string
  resolver: number
}

export function shelvedTags(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<ShelvedRow[]>`
    select c.store_id as "storeId", c.product_id as "productId", c.tag as "contentTag", p.tag as "priceTag",
      least(c.resolver, p.resolver) as resolver
    from store s
    join payload_content c on c.account_id = ${accountId} and c.store_id = s.store_id
      and c.product_id = any(${[...productIds]}::bigint[])
    join payload_price p on p.account_id = ${accountId} and p.store_id = c.store_id and p.product_id = c.product_id
    where s.account_id = ${accountId}`
}

/** Bodies of payloads, for those that an older resolver wrote, and for the audit. */
export function shelvedBodies(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<{ storeId: number; productId: number; content: string; price: string; contentTag: string; priceTag: string; sku: string | null }[]>`
    select c.store_id as "storeId", c.product_id as "productId", c.body as content, p.body as price,
      c.tag as "contentTag", p.tag as "priceTag", c.sku
    from store s
    join payload_content c on c.account_id = ${accountId} and c.store_id = s.store_id
      and c.product_id = any(${[...productIds]}::bigint[])
    join payload_price p on p.account_id = ${accountId} and p.store_id = c.store_id and p.product_id = c.product_id
    where s.account_id = ${accountId}`
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
      ${rows.map((row) => row.tag)}::text[], ${rows.map((row) => row.sku)}::text[], ${rows.map((row) => row.body)}::text[])
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
      ${rows.map((row) => row.tag)}::text[], ${rows.map((row) => row.body)}::text[])
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
  const stores = rows.map((row) => row.storeId)
  const products = rows.map((row) => row.productId)
  for (const table of ['payload_content', 'payload_price']) {
    await tx`delete from ${tx(table)} where account_id = ${accountId} and (store_id, product_id) in (
      select * from unnest(${stores}::bigint[], ${products}::bigint[]))`
  }
}
