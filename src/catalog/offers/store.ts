import { jsonTexts, type Reader, type Tx } from '../../db/sql.ts'

export interface OfferRow {
  supplierSku: string
  productId: number
  cost: string | null
  currency: string
  quantity: number
  feedHash: string | null
}

export interface OfferContentRow {
  supplierSku: string
  productId: number
  manufacturer: string | null
  category: string | null
  texts: Record<string, { title?: string | null; description?: string | null }>
  attributes: { key: string; value: string }[]
  images: string[]
}

/** What an import compares with: hash, number and quantity of known offers. One statement, no content read. */
export function offersCompare(reader: Reader, accountId: number, supplierId: number, skus: readonly string[]) {
  return reader<{ supplierSku: string; offerNumber: number; quantity: number; feedHash: string | null }[]>`
    select supplier_sku as "supplierSku", offer_number as "offerNumber", quantity, feed_hash as "feedHash"
    from offer where account_id = ${accountId} and supplier_id = ${supplierId}
      and supplier_sku = any(${[...skus]}::text[])`
}

/** A page of the supplier's offers in key order, for finding those a full run missed. */
export function offersAfter(reader: Reader, accountId: number, supplierId: number, afterSku: string, limit: number) {
  return reader<{ supplierSku: string; offerNumber: number; quantity: number; isAbsent: boolean }[]>`
    select supplier_sku as "supplierSku", offer_number as "offerNumber", quantity,
      absent_since is not null as "isAbsent"
    from offer where account_id = ${accountId} and supplier_id = ${supplierId} and supplier_sku > ${afterSku}
    order by supplier_sku limit ${limit}`
}

/** Locks known offers of these keys in key order and reads them. */
export function offersLock(tx: Tx, accountId: number, supplierId: number, skus: readonly string[]) {
  return tx<OfferRow[]>`
    select supplier_sku as "supplierSku", product_id as "productId", trim_scale(cost)::text as cost, currency, quantity,
      feed_hash as "feedHash"
    from offer where account_id = ${accountId} and supplier_id = ${supplierId}
      and supplier_sku = any(${[...skus]}::text[])
    order by supplier_sku for no key update`
}

export function offerContents(reader: Reader, accountId: number, supplierId: number, offers: readonly OfferRow[]) {
  return reader<OfferContentRow[]>`
    select supplier_sku as "supplierSku", product_id as "productId", manufacturer, category, texts, attributes, images
    from offer_content where account_id = ${accountId} and supplier_id = ${supplierId}
      and product_id = any(${offers.map((row) => row.productId)}::bigint[])
      and supplier_sku = any(${offers.map((row) => row.supplierSku)}::text[])`
}

/** Inserts offers; @returns how many were new, fewer than given when another transaction was first with a key. */
export async function offersInsert(
  tx: Tx,
  accountId: number,
  supplierId: number,
  rows: readonly OfferRow[],
): Promise<number> {
  const result = await tx`
    insert into offer (account_id, supplier_id, supplier_sku, product_id, cost, currency, quantity, feed_hash)
    select ${accountId}, ${supplierId}, * from unnest(${rows.map((row) => row.supplierSku)}::text[],
      ${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.cost)}::numeric[],
      ${rows.map((row) => row.currency)}::text[], ${rows.map((row) => row.quantity)}::int[],
      ${rows.map((row) => row.feedHash)}::text[])
    on conflict (account_id, supplier_id, supplier_sku) do nothing`
  return result.count
}

/**
 * Writes cost, currency, quantity and hash of known, locked offers; an offer written is not absent. As an upsert, because
 * it finds its rows by the key whatever the planner thinks.
 */
export function offersUpdate(tx: Tx, accountId: number, supplierId: number, rows: readonly OfferRow[]) {
  return tx`
    insert into offer (account_id, supplier_id, supplier_sku, product_id, cost, currency, quantity, feed_hash, offer_number)
    select ${accountId}, ${supplierId}, *, 0 from unnest(${rows.map((row) => row.supplierSku)}::text[],
      ${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.cost)}::numeric[],
      ${rows.map((row) => row.currency)}::text[], ${rows.map((row) => row.quantity)}::int[],
      ${rows.map((row) => row.feedHash)}::text[])
    on conflict (account_id, supplier_id, supplier_sku) do update
      set cost = excluded.cost, currency = excluded.currency, quantity = excluded.quantity,
        feed_hash = excluded.feed_hash, absent_since = null`
}

export function offerContentsUpsert(
  tx: Tx,
  accountId: number,
  supplierId: number,
  rows: readonly OfferContentRow[],
) {
  return tx`
    insert into offer_content (account_id, product_id, supplier_id, supplier_sku, manufacturer, category, texts,
      attributes, images)
    select ${accountId}, product_id, ${supplierId}, supplier_sku, manufacturer, category, texts::jsonb,
      attributes::jsonb, images::jsonb
    from unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.supplierSku)}::text[],
      ${rows.map((row) => row.manufacturer)}::text[], ${rows.map((row) => row.category)}::text[],
      string_to_array(${jsonTexts(rows.map((row) => JSON.stringify(row.texts)))}, E'\\x1e'),
      string_to_array(${jsonTexts(rows.map((row) => JSON.stringify(row.attributes)))}, E'\\x1e'),
      string_to_array(${jsonTexts(rows.map((row) => JSON.stringify(row.images)))}, E'\\x1e'))
      as given (product_id, supplier_sku, manufacturer, category, texts, attributes, images)
    on conflict (account_id, product_id, supplier_id, supplier_sku) do update
      set manufacturer = excluded.manufacturer, category = excluded.category, texts = excluded.texts,
        attributes = excluded.attributes, images = excluded.images`
}

/** Sets offers that a full run missed to quantity 0. @returns the products whose quantity that changed. */
export async function offersZero(
  tx: Tx,
  accountId: number,
  supplierId: number,
  skus: readonly string[],
): Promise<number[]> {
  const rows = await tx<{ product_id: number }[]>`
    update offer set quantity = 0, absent_since = coalesce(absent_since, now()), feed_hash = null
    where account_id = ${accountId} and supplier_id = ${supplierId} and supplier_sku = any(${[...skus]}::text[])
      and absent_since is null
    returning product_id`
  return rows.map((row) => row.product_id)
}

export function offerEansDelete(tx: Tx, accountId: number, supplierId: number, offers: readonly { productId: number; supplierSku: string }[]) {
  return tx`
    delete from product_ean where account_id = ${accountId} and supplier_id = ${supplierId}
      and product_id = any(${offers.map((row) => row.productId)}::bigint[])
      and supplier_sku = any(${offers.map((row) => row.supplierSku)}::text[])`
}

/** EANs as these offers state them, in their order. */
export function offerEans(reader: Reader, accountId: number, supplierId: number, offers: readonly OfferRow[]) {
  return reader<{ supplierSku: string; ean: string }[]>`
    select supplier_sku as "supplierSku", ean from product_ean
    where account_id = ${accountId} and supplier_id = ${supplierId}
      and product_id = any(${offers.map((row) => row.productId)}::bigint[])
      and supplier_sku = any(${offers.map((row) => row.supplierSku)}::text[])
    order by supplier_sku, position`
}
