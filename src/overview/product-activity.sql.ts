import type { Reader } from '../db/sql.ts'
import type { CostTier } from '../model/offer.ts'

// What the panel shows of one product besides its payload: suppliers' offers, and its recent history.

export interface ProductOfferRow {
  supplierId: number
  supplierSku: string
  cost: string | null
  costTiers: CostTier[] | null
  currency: string
  quantity: number
  staleSince: Date | null
  absentSince: Date | null
  /** By locale. */
  titles: Record<string, string | null>
  images: number
  eans: string[]
  /** Those of `eans` that another offer of the product has as well. */
  sharedEans: string[]
}

/** The offers of a product by supplier and SKU, without dropped ones and those of deleted suppliers. */
export function offersOfProduct(reader: Reader, accountId: number, productId: number) {
  return reader<ProductOfferRow[]>`
    select o.supplier_id as "supplierId", o.supplier_sku as "supplierSku", trim_scale(o.cost)::text as cost,
      o.cost_tiers as "costTiers", o.currency, o.quantity,
      o.stale_since as "staleSince", o.absent_since as "absentSince",
      coalesce((select jsonb_object_agg(text.key, text.value->>'title') from jsonb_each(c.texts) text), '{}') as titles,
      coalesce(jsonb_array_length(c.images), 0) as images,
      array(select e.ean from product_ean e where e.account_id = ${accountId} and e.product_id = ${productId}
        and e.supplier_id = o.supplier_id and e.supplier_sku = o.supplier_sku order by e.position, e.ean) as eans,
      array(select e.ean from product_ean e where e.account_id = ${accountId} and e.product_id = ${productId}
        and e.supplier_id = o.supplier_id and e.supplier_sku = o.supplier_sku and e.gtin is not null and exists (
          select from product_ean other where other.account_id = ${accountId} and other.product_id = ${productId}
            and other.gtin = e.gtin and (other.supplier_id, other.supplier_sku) <> (e.supplier_id, e.supplier_sku))
        order by e.position, e.ean) as "sharedEans"
    from offer o
    join supplier s on s.account_id = ${accountId} and s.supplier_id = o.supplier_id and s.deleted_at is null
    left join offer_content c on c.account_id = ${accountId} and c.product_id = ${productId}
      and c.supplier_id = o.supplier_id and c.supplier_sku = o.supplier_sku
    where o.account_id = ${accountId} and o.product_id = ${productId} and o.dropped_at is null
    order by o.supplier_id, o.supplier_sku`
}

export interface OfferRunRow {
  supplierId: number
  supplierSku: string
  runId: number
  at: Date
  kind: 'created' | 'changed' | 'zeroed' | 'left'
  trigger: string
  fileName: string | null
  /** Names of the members that changed; null: the offer was new, or an undo removed it. */
  members: string[] | null
}

/** Runs that changed these offers, among the latest `runs` of each supplier, newest first. */
export function offerRuns(
  reader: Reader,
  accountId: number,
  offers: readonly { supplierId: number; supplierSku: string }[],
  runs: number,
) {
  return reader<OfferRunRow[]>`
    select given.supplier_id as "supplierId", given.supplier_sku as "supplierSku", r.run_id as "runId",
      coalesce(r.ended_at, r.created_at) as at, c.kind, r.trigger, r.file_name as "fileName",
      case when jsonb_typeof(c.before) = 'object' then array(select jsonb_object_keys(c.before)) end as members
    from unnest(${offers.map((offer) => offer.supplierId)}::bigint[], ${offers.map((offer) => offer.supplierSku)}::text[])
      as given (supplier_id, supplier_sku)
    cross join lateral (
      select run_id, ended_at, created_at, trigger, file_name from import_run
      where account_id = ${accountId} and supplier_id = given.supplier_id order by run_id desc limit ${runs}
    ) r
    join import_run_change c on c.account_id = ${accountId} and c.run_id = r.run_id and c.supplier_sku = given.supplier_sku
    order by r.run_id desc`
}

export interface StoreChangeRow {
  store: string
  at: Date
  kind: 'price' | 'content' | 'removed'
}

/** The latest change of a product in each active store, newest first. */
export function storeChanges(reader: Reader, accountId: number, productId: number) {
  return reader<StoreChangeRow[]>`
    select s.slug as store, c.changed_at as at,
      case c.change_id when c.removed_id then 'removed' when c.content_id then 'content' else 'price' end as kind
    from store s
    join change c on c.account_id = ${accountId} and c.store_id = s.store_id and c.product_id = ${productId}
    where s.account_id = ${accountId} and s.deleted_at is null and s.is_active
    order by c.change_id desc`
}
