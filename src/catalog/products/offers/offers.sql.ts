import { NAME_FIELDS } from '../../../../contract/product-fields.ts'
import { accountCondition, type Accounts } from '../../../db/fragments/account-condition.ts'
import { ownerOf } from '../../../db/fragments/owner.sql.ts'
import { byCommas } from '../../../db/fragments/by-commas.ts'
import { jsonTexts } from '../../../db/statements/json-texts.ts'
import { keptLength } from '../../../db/fragments/kept-length.sql.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { Identifier } from '../../../db/statements/statement.ts'
import type { CostTier } from '../../../model/offer.ts'
import type { OfferContent } from './offer-state.ts'

/** The columns of names; each has the name of its field. */
const NAMES = new Identifier(...NAME_FIELDS)

export interface OfferRow {
  supplierSku: string
  productId: number
  cost: string | null
  costTiers: readonly CostTier[] | null
  currency: string
  quantity: number
  /** recordHash of the last record written; the column's name is not about the change feed. */
  feedHash: string | null
}

export interface OfferContentRow extends OfferContent {
  supplierSku: string
  productId: number
}

/** What is known of an offer, as bits of one number: in columns of their own they took a tenth of the time of an import that changes nothing. */
export const KNOWN = { hasCost: 1, isAbsent: 2, isDropped: 4, isStale: 8, isOwnCurrency: 16 } as const

/** What an import compares a row with. `known` has the bits of KNOWN; `isOwnCurrency` means that the offer is in the supplier's currency. */
export interface KnownOffer {
  supplierSku: string
  offerNumber: number
  quantity: number
  feedHash: string | null
  known: number
}

/**
 * The known offers of these keys, to be compared with the rows of a file. Reads neither content nor the figures that are needed only for offers that
 * changed (offerFigures).
 * @param currency the supplier's
 */
export function offersCompare(
  reader: Reader,
  accountId: number,
  supplierId: number,
  currency: string,
  skus: readonly string[],
) {
  return reader<KnownOffer[]>`
    select supplier_sku as "supplierSku", offer_number as "offerNumber", quantity, feed_hash as "feedHash",
      coalesce((cost > 0)::int, 0) * ${KNOWN.hasCost} + (absent_since is not null)::int * ${KNOWN.isAbsent}
        + (dropped_at is not null)::int * ${KNOWN.isDropped} + (stale_since is not null)::int * ${KNOWN.isStale}
        + (currency = ${currency})::int * ${KNOWN.isOwnCurrency} as known
    from offer where account_id = ${accountId} and supplier_id = ${supplierId}
      and supplier_sku = any(${[...skus]}::text[])`
}

/** A page of the supplier's offers in key order, to find those that a full import did not contain. */
export function offersAfter(reader: Reader, accountId: number, supplierId: number, afterSku: string, limit: number) {
  return reader<{ supplierSku: string; offerNumber: number; quantity: number; isAbsent: boolean; isStale: boolean }[]>`
    select supplier_sku as "supplierSku", offer_number as "offerNumber", quantity,
      absent_since is not null as "isAbsent", stale_since is not null as "isStale"
    from offer where account_id = ${accountId} and supplier_id = ${supplierId} and supplier_sku > ${afterSku}
    order by supplier_sku limit ${limit}`
}

/** Product, cost, currency and quantity of known offers. */
export function offerFigures(reader: Reader, accountId: number, supplierId: number, skus: readonly string[]) {
  return reader<Pick<OfferRow, 'supplierSku' | 'productId' | 'cost' | 'currency' | 'quantity'>[]>`
    select supplier_sku as "supplierSku", product_id as "productId", trim_scale(cost)::text as cost, currency, quantity
    from offer where account_id = ${accountId} and supplier_id = ${supplierId} and supplier_sku = any(${[...skus]}::text[])`
}

/** A known offer. Of one that was deleted only the key and the product count. */
export interface LockedOffer extends OfferRow {
  isDropped: boolean
  /** Since when full imports have not contained it; null: it is present. */
  absentSince: Date | null
  /** A stale offer: even an equal record is written, because it shows that the offer's row could be read again. */
  isStale: boolean
}

/** Locks known offers of these keys in key order and reads them. */
export function offersLock(tx: Tx, accountId: number, supplierId: number, skus: readonly string[]) {
  return tx<LockedOffer[]>`
    ${offersOfKeys(tx, accountId, supplierId, skus)}
    order by supplier_sku for no key update`
}

/** The same as offersLock, without locks and in no particular order. */
export function offersReadUnlocked(reader: Reader, accountId: number, supplierId: number, skus: readonly string[]) {
  return reader<LockedOffer[]>`${offersOfKeys(reader, accountId, supplierId, skus)}`
}

const offersOfKeys = (reader: Reader, accountId: number, supplierId: number, skus: readonly string[]) => reader`
  select supplier_sku as "supplierSku", product_id as "productId", trim_scale(cost)::text as cost, currency, quantity,
    cost_tiers as "costTiers", feed_hash as "feedHash", dropped_at is not null as "isDropped", absent_since as "absentSince",
    stale_since is not null as "isStale"
  from offer where account_id = ${accountId} and supplier_id = ${supplierId}
    and supplier_sku = any(${[...skus]}::text[])`

/** Locks all offers of these products by supplier and key, dropped ones included. */
export function offersOfProductsLock(tx: Tx, accountId: number, productIds: readonly number[]) {
  return tx<{ offerNumber: number }[]>`
    select offer_number as "offerNumber" from offer
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])
    order by supplier_id, supplier_sku for update`
}

/** Offers by pairs of product and key: with two `= any` lists the server would scan all offers of the account. */
const given = (reader: Reader, offers: readonly { productId: number; supplierSku: string }[]) => reader`
  unnest(${offers.map((row) => row.productId)}::bigint[], ${offers.map((row) => row.supplierSku)}::text[])
    as given (product_id, supplier_sku)`

/** Whether offers have titles (by locale), pictures and EANs. */
export function offersHaveTexts(
  reader: Reader,
  accountId: number,
  supplierId: number,
  offers: readonly { productId: number; supplierSku: string }[],
) {
  return reader<{ supplierSku: string; titled: string[]; hasImages: boolean; hasEans: boolean }[]>`
    select c.supplier_sku as "supplierSku", c.titled, c.has_images as "hasImages", exists (
        select from product_ean where account_id = ${accountId} and product_id = given.product_id and supplier_id = ${supplierId}
          and supplier_sku = given.supplier_sku) as "hasEans"
    from ${given(reader, offers)} cross join lateral (
      select supplier_sku, array(select key from jsonb_each(texts) where value ->> 'title' is not null) as titled,
        jsonb_array_length(images) > 0 as has_images from offer_content
      where account_id = ${accountId} and product_id = given.product_id and supplier_id = ${supplierId}
        and supplier_sku = given.supplier_sku offset 0
    ) c`
}

export function offerContents(reader: Reader, accountId: number, supplierId: number, offers: readonly OfferRow[]) {
  return reader<OfferContentRow[]>`
    select c.supplier_sku as "supplierSku", c.product_id as "productId", ${NAMES}, texts, attributes, images,
      image_alts as "imageAlts", variant_group as "group"
    from ${given(reader, offers)} cross join lateral (
      select product_id, supplier_sku, ${NAMES}, texts, attributes, images, image_alts, variant_group from offer_content
      where account_id = ${accountId} and product_id = given.product_id and supplier_id = ${supplierId}
        and supplier_sku = given.supplier_sku offset 0
    ) c`
}

/** About how many bytes of text a row of `offer_content` has. */
export const contentWeight = (reader: Reader) =>
  reader`${keptLength(reader, 'texts')} + ${keptLength(reader, 'attributes')} + ${keptLength(reader, 'images')} + ${keptLength(reader, 'image_alts')}`

/** About how many bytes of text the contents of offers have, for those that have `from` or more. */
export function heavyOffers(
  reader: Reader,
  accountId: number,
  supplierId: number,
  skus: readonly string[],
  from: number,
) {
  return reader<{ supplierSku: string; weight: number }[]>`
    select o.supplier_sku as "supplierSku", c.weight::float8 as weight from offer o cross join lateral (
      select ${contentWeight(reader)} as weight from offer_content
      where account_id = ${accountId} and product_id = o.product_id and supplier_id = o.supplier_id
        and supplier_sku = o.supplier_sku offset 0
    ) c
    where o.account_id = ${accountId} and o.supplier_id = ${supplierId} and o.supplier_sku = any(${[...skus]}::text[])
      and c.weight >= ${from}`
}

/** Cost tiers as JSON, for a parameter that is a list of texts; null stays null. */
const tiersText = ({ costTiers }: Pick<OfferRow, 'costTiers'>): string | null =>
  costTiers === null ? null : JSON.stringify(costTiers)

/** Inserts offers; @returns how many are new: fewer than given when another transaction inserted a key first. */
export async function offersInsert(
  tx: Tx,
  accountId: number,
  supplierId: number,
  rows: readonly OfferRow[],
): Promise<number> {
  const result = await tx`
    insert into offer (account_id, supplier_id, supplier_sku, product_id, cost, currency, quantity, feed_hash, cost_tiers)
    select ${accountId}, ${supplierId}, supplier_sku, product_id, cost, currency, quantity, feed_hash, cost_tiers::jsonb from unnest(${rows.map((row) => row.supplierSku)}::text[],
      ${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.cost)}::numeric[],
      ${rows.map((row) => row.currency)}::text[], ${rows.map((row) => row.quantity)}::int[],
      ${rows.map((row) => row.feedHash)}::text[], ${rows.map(tiersText)}::text[])
      as given (supplier_sku, product_id, cost, currency, quantity, feed_hash, cost_tiers)
    on conflict (account_id, supplier_id, supplier_sku) do nothing
    returning 1`
  // not .count, which is on Citus the number of rows given
  return result.length
}

/**
 * Writes cost with its tiers, currency, quantity and hash of known, locked offers; afterwards they are neither absent nor stale. An upsert, because
 * it looks rows up by key whichever plan the planner prefers.
 */
export function offersUpdate(tx: Tx, accountId: number, supplierId: number, rows: readonly OfferRow[]) {
  return tx`
    insert into offer (account_id, supplier_id, supplier_sku, product_id, cost, currency, quantity, feed_hash, cost_tiers, offer_number)
    select owner.account_id, ${supplierId}, given.supplier_sku, given.product_id, given.cost, given.currency, given.quantity, given.feed_hash,
      given.cost_tiers::jsonb, 0 from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.supplierSku)}::text[],
      ${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.cost)}::numeric[],
      ${rows.map((row) => row.currency)}::text[], ${rows.map((row) => row.quantity)}::int[],
      ${rows.map((row) => row.feedHash)}::text[], ${rows.map(tiersText)}::text[])
      as given (supplier_sku, product_id, cost, currency, quantity, feed_hash, cost_tiers)
    on conflict (account_id, supplier_id, supplier_sku) do update
      set cost = excluded.cost, cost_tiers = excluded.cost_tiers, currency = excluded.currency, quantity = excluded.quantity,
        feed_hash = excluded.feed_hash, absent_since = null, dropped_at = null, stale_since = null`
}

export function offerContentsUpsert(tx: Tx, accountId: number, supplierId: number, rows: readonly OfferContentRow[]) {
  const names = NAME_FIELDS.map((field) => tx`${rows.map((row) => row[field])}::text[]`)
  const changes = NAME_FIELDS.map((field) => tx`${tx(field)} = ${tx(`excluded.${field}`)}`)
  return tx`
    insert into offer_content (account_id, product_id, supplier_id, supplier_sku, ${NAMES}, texts,
      attributes, images, image_alts, variant_group)
    select owner.account_id, product_id, ${supplierId}, supplier_sku, ${NAMES}, texts::jsonb,
      attributes::jsonb, images::jsonb, nullif(image_alts, '')::jsonb, nullif(variant_group, '')::jsonb
    from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.supplierSku)}::text[],
      ${byCommas(tx, names)},
      string_to_array(${jsonTexts(rows.map((row) => JSON.stringify(row.texts)))}, E'\\x1e'),
      string_to_array(${jsonTexts(rows.map((row) => JSON.stringify(row.attributes)))}, E'\\x1e'),
      string_to_array(${jsonTexts(rows.map((row) => JSON.stringify(row.images)))}, E'\\x1e'),
      string_to_array(${jsonTexts(rows.map(({ imageAlts }) => (imageAlts === null ? '' : JSON.stringify(imageAlts))))}, E'\\x1e'),
      string_to_array(${jsonTexts(rows.map(({ group }) => (group === null ? '' : JSON.stringify(group))))}, E'\\x1e'))
      as given (product_id, supplier_sku, ${NAMES}, texts, attributes, images, image_alts, variant_group)
    on conflict (account_id, product_id, supplier_id, supplier_sku) do update
      set ${byCommas(tx, changes)}, texts = excluded.texts,
        attributes = excluded.attributes, images = excluded.images, image_alts = excluded.image_alts, variant_group = excluded.variant_group`
}

/** Sets offers that a full import did not contain to quantity 0, and marks them as absent. @returns those that were not absent before. */
export async function offersZero(
  tx: Tx,
  accountId: number,
  supplierId: number,
  skus: readonly string[],
): Promise<{ supplierSku: string; productId: number }[]> {
  return await tx<{ supplierSku: string; productId: number }[]>`
    update offer set quantity = 0, absent_since = now(), stale_since = null, feed_hash = null
    where account_id = ${accountId} and supplier_id = ${supplierId} and supplier_sku = any(${[...skus]}::text[])
      and absent_since is null
    returning supplier_sku as "supplierSku", product_id as "productId"`
}

/**
 * Records that these offers are stale: rows that are, or may be, about them could not be read. Absent offers are skipped, because they have no values
 * to keep.
 */
export async function offersStale(
  tx: Tx,
  accountId: number,
  supplierId: number,
  skus: readonly string[],
): Promise<void> {
  await tx`
    update offer set stale_since = now()
    where account_id = ${accountId} and supplier_id = ${supplierId} and supplier_sku = any(${[...skus]}::text[])
      and stale_since is null and absent_since is null`
}

/** Accounts with offers that have been absent for this many days. */
export async function accountsWithLongAbsent(
  reader: Reader,
  days: number,
  accounts: Accounts = null,
): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct account_id from offer
    where absent_since < now() - make_interval(days => ${days}) and absent_since is not null and dropped_at is null
      ${accountCondition(reader, 'and', accounts)}
    order by account_id`
  return rows.map((row) => row.account_id)
}

export interface DroppedOffer {
  supplierId: number
  supplierSku: string
  productId: number
}

/**
 * Drops offers that have been absent for this many days: they no longer count, and their cost, content and EANs are
 * deleted. The row stays, so that a returning offer keeps its product. Offers locked by writers are left for later.
 */
export async function offersDrop(tx: Tx, accountId: number, days: number, limit: number): Promise<DroppedOffer[]> {
  // now() and not clock_timestamp(): PostgreSQL uses an index only for values that are constant within a statement
  const dropped = await tx<DroppedOffer[]>`
    with long_absent as materialized (
      select ctid from offer
      where account_id = ${accountId} and absent_since < now() - make_interval(days => ${days})
        and absent_since is not null and dropped_at is null
      order by absent_since limit ${limit} for no key update skip locked
    )
    update offer o set dropped_at = statement_timestamp(), cost = null, cost_tiers = null, quantity = 0, feed_hash = null
    where o.account_id = ${accountId} and o.ctid = any(array(select ctid from long_absent))
    returning o.supplier_id as "supplierId", o.supplier_sku as "supplierSku", o.product_id as "productId"`
  await droppedContentDelete(tx, accountId, dropped)
  return dropped
}

/** Drops known offers of a supplier, locked and not dropped yet, as if each had been deleted. */
export async function offersDropLocked(
  tx: Tx,
  accountId: number,
  supplierId: number,
  offers: readonly { supplierSku: string; productId: number }[],
): Promise<void> {
  await tx`
    update offer set dropped_at = now(), absent_since = coalesce(absent_since, (select now())), cost = null, cost_tiers = null, quantity = 0,
      feed_hash = null
    where account_id = ${accountId} and supplier_id = ${supplierId} and dropped_at is null
      and supplier_sku = any(${offers.map((row) => row.supplierSku)}::text[])`
  await droppedContentDelete(
    tx,
    accountId,
    offers.map((offer) => ({ ...offer, supplierId })),
  )
}

/** Deletes content and EANs of dropped offers. */
async function droppedContentDelete(tx: Tx, accountId: number, dropped: readonly DroppedOffer[]): Promise<void> {
  for (const table of ['offer_content', 'product_ean'] as const) {
    await tx`
      delete from ${tx(table)} where account_id = ${accountId} and ctid = any(array(
        select r.ctid from unnest(${dropped.map((row) => row.productId)}::bigint[], ${dropped.map((row) => row.supplierId)}::bigint[],
          ${dropped.map((row) => row.supplierSku)}::text[]) as given (product_id, supplier_id, supplier_sku)
        cross join lateral (
          select ctid from ${tx(table)}
          where account_id = ${accountId} and product_id = given.product_id and supplier_id = given.supplier_id
            and supplier_sku = given.supplier_sku offset 0
        ) r))`
  }
}

/** Makes locked offers absent again, since the given times (ISO 8601). */
export function offersAbsentSet(
  tx: Tx,
  accountId: number,
  supplierId: number,
  offers: readonly { supplierSku: string; absentSince: string }[],
) {
  return tx`
    update offer o set absent_since = given.absent_since
    from unnest(${offers.map((row) => row.supplierSku)}::text[], ${offers.map((row) => row.absentSince)}::timestamptz[])
      as given (supplier_sku, absent_since)
    where o.account_id = ${accountId} and o.supplier_id = ${supplierId} and o.supplier_sku = given.supplier_sku`
}

export interface OfferPriceRow {
  supplierId: number
  supplierSku: string
  productId: number
  cost: string | null
  currency: string
  quantity: number
}

/** Locks offers of any suppliers in key order and reads the values that a price write compares with; dropped offers are omitted. */
export function offerPricesLock(
  tx: Tx,
  accountId: number,
  offers: readonly { supplierId: number; supplierSku: string }[],
) {
  return tx<(OfferPriceRow & { isAbsent: boolean; isStale: boolean })[]>`
    select o.* from (
      select supplier_id, supplier_sku from unnest(${offers.map((row) => row.supplierId)}::bigint[],
        ${offers.map((row) => row.supplierSku)}::text[]) as listed (supplier_id, supplier_sku) order by 1, 2
    ) given cross join lateral (
      select supplier_id as "supplierId", supplier_sku as "supplierSku", product_id as "productId",
        trim_scale(cost)::text as cost, currency, quantity, absent_since is not null as "isAbsent",
        stale_since is not null as "isStale"
      from offer where account_id = ${accountId} and supplier_id = given.supplier_id and supplier_sku = given.supplier_sku
        and dropped_at is null
      for no key update
    ) o`
}

/** Writes cost, currency and quantity of locked offers of any suppliers, and clears the hash, so that the next import compares them. */
export function offerPricesUpdate(tx: Tx, accountId: number, rows: readonly OfferPriceRow[]) {
  return tx`
    insert into offer (account_id, supplier_id, supplier_sku, product_id, cost, currency, quantity, offer_number)
    select owner.account_id, given.*, 0 from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.supplierId)}::bigint[],
      ${rows.map((row) => row.supplierSku)}::text[], ${rows.map((row) => row.productId)}::bigint[],
      ${rows.map((row) => row.cost)}::numeric[], ${rows.map((row) => row.currency)}::text[],
      ${rows.map((row) => row.quantity)}::int[]) given
    on conflict (account_id, supplier_id, supplier_sku) do update
      set cost = excluded.cost, currency = excluded.currency, quantity = excluded.quantity, feed_hash = null, absent_since = null,
        stale_since = null`
}

/** Locks the first offers of a supplier in key order, including dropped ones. */
export function offersLockNext(tx: Tx, accountId: number, supplierId: number, limit: number) {
  return tx<{ supplierSku: string; productId: number }[]>`
    select supplier_sku as "supplierSku", product_id as "productId" from offer
    where account_id = ${accountId} and supplier_id = ${supplierId} order by supplier_sku limit ${limit} for update`
}

/** Deletes locked offers of a supplier with their content and EANs. @returns how many of them were not dropped before. */
export async function offersDelete(
  tx: Tx,
  accountId: number,
  supplierId: number,
  offers: readonly { supplierSku: string; productId: number }[],
): Promise<number> {
  await offerEansDelete(tx, accountId, supplierId, offers)
  await tx`
    delete from offer_content where account_id = ${accountId} and ctid = any(array(
      select c.ctid from ${given(tx, offers)} cross join lateral (
        select ctid from offer_content
        where account_id = ${accountId} and product_id = given.product_id and supplier_id = ${supplierId}
          and supplier_sku = given.supplier_sku offset 0
      ) c))`
  const gone = await tx<{ isLive: boolean }[]>`
    delete from offer where account_id = ${accountId} and supplier_id = ${supplierId}
      and supplier_sku = any(${offers.map((row) => row.supplierSku)}::text[])
    returning dropped_at is null as "isLive"`
  return gone.filter(({ isLive }) => isLive).length
}

export function offerEansDelete(
  tx: Tx,
  accountId: number,
  supplierId: number,
  offers: readonly { productId: number; supplierSku: string }[],
) {
  return tx`
    delete from product_ean where account_id = ${accountId} and ctid = any(array(
      select e.ctid from ${given(tx, offers)} cross join lateral (
        select ctid from product_ean
        where account_id = ${accountId} and product_id = given.product_id and supplier_id = ${supplierId}
          and supplier_sku = given.supplier_sku offset 0
      ) e))`
}

/** EANs of these offers, in their order. */
export function offerEans(reader: Reader, accountId: number, supplierId: number, offers: readonly OfferRow[]) {
  return reader<{ supplierSku: string; ean: string }[]>`
    select e.supplier_sku as "supplierSku", e.ean from ${given(reader, offers)} cross join lateral (
      select supplier_sku, ean, position from product_ean
      where account_id = ${accountId} and product_id = given.product_id and supplier_id = ${supplierId}
        and supplier_sku = given.supplier_sku offset 0
    ) e order by e.supplier_sku, e.position`
}
