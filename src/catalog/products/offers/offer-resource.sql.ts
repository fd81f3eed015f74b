import { NAME_FIELDS, type NameField } from '../../../../contract/product-fields.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { Identifier } from '../../../db/statements/statement.ts'
import { withinWeight, type Weighed } from '../../../db/fragments/within-weight.sql.ts'
import type { ImageAlts } from '../../../model/image-alts.ts'
import type { CostTier, OfferGroup } from '../../../model/offer.ts'
import { contentWeight } from './offers.sql.ts'

/** The columns of names; each has the name of its field. */
const NAMES = new Identifier(...NAME_FIELDS)
const NAMES_OF_CONTENT = new Identifier(...NAME_FIELDS.map((field) => `c.${field}`))

/** An offer with everything its supplier sent. */
export interface OfferSourceRow extends Record<NameField, string | null> {
  supplierSku: string
  productId: number
  cost: string | null
  costTiers: CostTier[] | null
  currency: string
  quantity: number
  absentSince: Date | null
  texts: Record<string, { title?: string | null; description?: string | null }>
  attributes: { key: string; value: string }[]
  images: string[]
  imageAlts: ImageAlts | null
  group: OfferGroup | null
  eans: string[]
}

const columns = (reader: Reader, accountId: number, supplierId: number) => reader`
  o.supplier_sku as "supplierSku", o.product_id as "productId", trim_scale(o.cost)::text as cost, o.cost_tiers as "costTiers", o.currency, o.quantity,
  o.absent_since as "absentSince", ${NAMES_OF_CONTENT}, coalesce(c.texts, '{}') as texts,
  coalesce(c.attributes, '[]') as attributes, coalesce(c.images, '[]') as images, c.image_alts as "imageAlts", c.variant_group as "group",
  array(select ean from product_ean
    where account_id = ${accountId} and product_id = o.product_id and supplier_id = ${supplierId} and supplier_sku = o.supplier_sku
    order by position) as eans`

const contents = (reader: Reader, accountId: number, supplierId: number) => reader`
  left join lateral (
    select ${NAMES}, texts, attributes, images, image_alts, variant_group, ${contentWeight(reader)} as page_weight from offer_content
    where account_id = ${accountId} and product_id = o.product_id and supplier_id = ${supplierId}
      and supplier_sku = o.supplier_sku offset 0
  ) c on true`

/** The supplier's offers after a key, in key order, without dropped ones; fewer than `limit` where they are heavy. */
export function offersPage(reader: Reader, accountId: number, supplierId: number, afterSku: string, limit: number) {
  const page = reader`
    select ${columns(reader, accountId, supplierId)}, coalesce(c.page_weight, 0) as page_weight
    from offer o ${contents(reader, accountId, supplierId)}
    where o.account_id = ${accountId} and o.supplier_id = ${supplierId} and o.supplier_sku > ${afterSku} and o.dropped_at is null
    order by o.supplier_sku limit ${limit}`
  return reader<(OfferSourceRow & Weighed)[]>`${withinWeight(reader, page, reader`"supplierSku"`)}`
}

/** The offers with these keys, without dropped ones. */
export function offersByKeys(reader: Reader, accountId: number, supplierId: number, skus: readonly string[]) {
  return reader<OfferSourceRow[]>`
    select ${columns(reader, accountId, supplierId)} from offer o ${contents(reader, accountId, supplierId)}
    where o.account_id = ${accountId} and o.supplier_id = ${supplierId} and o.supplier_sku = any(${[...skus]}::text[])
      and o.dropped_at is null`
}

/** One offer, unless it was dropped. */
export async function offerOf(
  reader: Reader,
  accountId: number,
  supplierId: number,
  supplierSku: string,
): Promise<OfferSourceRow | undefined> {
  const [row] = await reader<OfferSourceRow[]>`
    select ${columns(reader, accountId, supplierId)} from offer o ${contents(reader, accountId, supplierId)}
    where o.account_id = ${accountId} and o.supplier_id = ${supplierId} and o.supplier_sku = ${supplierSku} and o.dropped_at is null`
  return row
}

/**
 * Drops an offer: it no longer counts, and its cost, content and EANs are deleted. The row stays, so that the article
 * keeps its product if it is offered again. @returns its product.
 */
export async function offerDrop(
  tx: Tx,
  accountId: number,
  supplierId: number,
  supplierSku: string,
): Promise<number | undefined> {
  const [row] = await tx<{ product_id: number }[]>`
    update offer set dropped_at = now(), absent_since = coalesce(absent_since, (select now())), cost = null, cost_tiers = null, quantity = 0,
      feed_hash = null
    where account_id = ${accountId} and supplier_id = ${supplierId} and supplier_sku = ${supplierSku} and dropped_at is null
    returning product_id`
  if (row === undefined) return undefined
  for (const table of ['offer_content', 'product_ean'] as const) {
    await tx`
      delete from ${tx(table)} where account_id = ${accountId} and product_id = ${row.product_id}
        and supplier_id = ${supplierId} and supplier_sku = ${supplierSku}`
  }
  return row.product_id
}

/** The products that have these offers of a supplier. */
export function productsOfOffers(
  reader: Reader,
  accountId: number,
  supplierId: number,
  supplierSkus: readonly string[],
) {
  return reader<{ supplierSku: string; productId: number }[]>`
    select supplier_sku as "supplierSku", product_id as "productId" from offer
    where account_id = ${accountId} and supplier_id = ${supplierId} and supplier_sku = any(${[...supplierSkus]}::text[])
      and dropped_at is null`
}
