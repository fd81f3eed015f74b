import type { IMPORT_STATES, IMPORT_TRIGGERS } from '../../contract/import-states.ts'
import type { Reader } from '../db/sql.ts'
import { must } from '../platform/must.ts'

// Where the settings of an account are used, for the panel. Statements that read all offers run only when a person opens a page.

/** Currencies of offers that have costs. */
export function offerCurrencies(reader: Reader, accountId: number) {
  return reader<{ currency: string; supplierId: number; offers: number }[]>`
    select currency, supplier_id as "supplierId", count(*)::int as offers from offer
    where account_id = ${accountId} and cost is not null and dropped_at is null
    group by currency, supplier_id order by currency, supplier_id`
}

/** The newest import of a supplier. */
export interface LastRun {
  state: (typeof IMPORT_STATES)[number]
  trigger: (typeof IMPORT_TRIGGERS)[number]
  refused: number
  stale: number
  createdAt: Date
}

/** The number of offers and the newest import, without tests, of each supplier that has either. */
export function supplierUses(reader: Reader, accountId: number) {
  return reader<({ supplierId: number; offers: number } & (LastRun | Record<keyof LastRun, null>))[]>`
    select s.supplier_id as "supplierId", coalesce(counted.offers, 0) as offers, last_run.*
    from supplier s
    left join (
      select supplier_id, count(*)::int as offers from offer
      where account_id = ${accountId} and dropped_at is null group by supplier_id
    ) counted on counted.supplier_id = s.supplier_id
    left join lateral (
      select state, trigger, refused::int, stale::int, created_at as "createdAt" from import_run
      where account_id = ${accountId} and supplier_id = s.supplier_id and not is_dry_run
      order by run_id desc limit 1
    ) last_run on true
    where s.account_id = ${accountId} and (counted.offers is not null or last_run.state is not null)
    order by s.supplier_id`
}

/** How many entries each price list has. */
export function priceListEntries(reader: Reader, accountId: number) {
  return reader<{ key: string; entries: number }[]>`
    select list_key as key, count(*)::int as entries from price_list_entry
    where account_id = ${accountId} group by list_key order by list_key`
}

/** The entries of these products in a price list, by product and customer group. */
export function listedPricesOf(reader: Reader, accountId: number, key: string, productIds: readonly number[]) {
  return reader<{ product_id: number; sku: string | null; group_id: number | null; price: string }[]>`
    select e.product_id, p.sku, nullif(e.group_id, 0) as group_id, trim_scale(e.amount)::text as price
    from price_list_entry e join product p on p.account_id = ${accountId} and p.product_id = e.product_id
    where e.account_id = ${accountId} and e.list_key = ${key} and e.product_id = any(${[...productIds]}::bigint[])
    order by e.product_id, e.group_id`
}

/** Suppliers' category paths as written, with the number of products that have an offer in each; most products first. */
export function supplierPaths(reader: Reader, accountId: number, supplierIds: readonly number[], limit: number) {
  return reader<{ path: string; products: number; supplierIds: number[] }[]>`
    select category as path, count(distinct product_id)::int as products,
      array_agg(distinct supplier_id order by supplier_id) as "supplierIds"
    from offer_content
    where account_id = ${accountId} and category is not null and supplier_id = any(${[...supplierIds]}::bigint[])
    group by category order by products desc, path limit ${limit}`
}

/** Products with own stock after an id, in id order. */
export function ownStockAfter(reader: Reader, accountId: number, afterId: number, limit: number) {
  return reader<{ productId: number; quantity: number; cost: string | null }[]>`
    select product_id as "productId", quantity, trim_scale(cost)::text as cost from own_stock
    where account_id = ${accountId} and product_id > ${afterId} order by product_id limit ${limit}`
}

export async function ownStockCount(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ products: number }[]>`
    select count(*)::int as products from own_stock where account_id = ${accountId}`
  return must(row).products
}

/** Products with held prices after an id, in id order. */
export async function heldProductsAfter(reader: Reader, accountId: number, afterId: number, limit: number) {
  const rows = await reader<{ product_id: number }[]>`
    select distinct product_id from price_hold
    where account_id = ${accountId} and product_id > ${afterId} order by product_id limit ${limit}`
  return rows.map((row) => row.product_id)
}

/** Held prices of these products, with the names of the rules. */
export function heldPricesOf(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<
    {
      productId: number
      storeId: number
      groupId: number
      currency: string
      cost: string
      shownPrice: string
      wantedPrice: string
      shownRule: string | null
      wantedRule: string | null
      heldAt: Date
    }[]
  >`
    select h.product_id as "productId", h.store_id as "storeId", h.group_id as "groupId", h.currency,
      trim_scale(h.wanted_cost)::text as cost, trim_scale(h.shown_price)::text as "shownPrice",
      trim_scale(h.wanted_price)::text as "wantedPrice", shown.name as "shownRule", wanted.name as "wantedRule",
      h.held_at as "heldAt"
    from price_hold h
    left join pricing_rule shown on shown.account_id = ${accountId} and shown.rule_id = h.shown_rule_id
    left join pricing_rule wanted on wanted.account_id = ${accountId} and wanted.rule_id = h.wanted_rule_id
    where h.account_id = ${accountId} and h.product_id = any(${[...productIds]}::bigint[])
    order by h.product_id, h.store_id, h.group_id`
}

/** How many products have held prices, counted up to `limit` + 1. */
export async function heldProductsCount(reader: Reader, accountId: number, limit: number): Promise<number> {
  const [row] = await reader<{ products: number }[]>`
    select count(*)::int as products from (
      select distinct product_id from price_hold where account_id = ${accountId} limit ${limit + 1}
    ) held`
  return must(row).products
}

/** Products spread over the catalog: the next product from each of `count` evenly spaced ids. */
export async function spreadProducts(reader: Reader, accountId: number, count: number): Promise<number[]> {
  const rows = await reader<{ productId: number }[]>`
    with bounds as (
      select min(product_id) as first, max(product_id) as last from product
      where account_id = ${accountId} and deleted_at is null
    )
    select distinct found.product_id as "productId"
    from bounds cross join generate_series(0, ${count - 1}::int) as place (i)
    cross join lateral (
      select product_id from product
      where account_id = ${accountId} and deleted_at is null
        and product_id >= bounds.first + (bounds.last - bounds.first) * place.i / ${Math.max(count - 1, 1)}
      order by product_id limit 1
    ) found
    order by "productId"`
  return rows.map((row) => row.productId)
}
