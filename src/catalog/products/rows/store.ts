import type { Reader, Tx } from '../../../db/sql.ts'
import { LIMITS } from '../../../ground/limits.ts'

// Set-based statements for rows of many products, each telling what it did with every row. Upserts go in key order, so that two
// writers of the same products wait for each other and never deadlock.

/** Products of their own keys and of EANs, at most two for each: several are as good as none. What a deleted supplier stated does not count. */
export function productsByKeys(
  reader: Reader,
  accountId: number,
  skus: readonly { at: number; sku: string }[],
  eans: readonly { at: number; ean: string; gtin: string | null }[],
) {
  return reader<{ at: number; productId: number }[]>`
    select given.at, found.product_id as "productId"
    from unnest(${skus.map((row) => row.at)}::int[], ${skus.map((row) => row.sku)}::text[]) as given (at, sku)
    cross join lateral (
      select product_id from product where account_id = ${accountId} and sku = given.sku order by product_id limit 2
    ) found
    union all
    select given.at, found.product_id
    from unnest(${eans.map((row) => row.at)}::int[], ${eans.map((row) => row.ean)}::text[], ${eans.map((row) => row.gtin)}::text[])
      as given (at, ean, gtin)
    cross join lateral (
      select product_id from (
        select product_id, supplier_id from product_ean where account_id = ${accountId} and ean = given.ean and gtin is null
        union
        select product_id, supplier_id from product_ean where account_id = ${accountId} and gtin = given.gtin
      ) stated
      left join lateral (
        select deleted_at is null as is_living from supplier
        where account_id = ${accountId} and supplier_id = stated.supplier_id offset 0
      ) s on true
      where stated.supplier_id = 0 or s.is_living
      group by product_id order by product_id limit 2
    ) found`
}

export interface StockWrite {
  productId: number
  quantity: number
  cost: string | null
}

/** A product of which something was written, and whether there was nothing before. */
export interface Touched {
  productId: number
  isNew: boolean
}

/** Sets own stock in key order; rows that say what is known already are not written. */
export function stockUpsert(tx: Tx, accountId: number, rows: readonly StockWrite[]) {
  return tx<Touched[]>`
    insert into own_stock (account_id, product_id, quantity, cost)
    select ${accountId}, * from unnest(${rows.map((row) => row.productId)}::bigint[],
      ${rows.map((row) => row.quantity)}::int[], ${rows.map((row) => row.cost)}::numeric[])
    order by 2
    on conflict (account_id, product_id) do update set quantity = excluded.quantity, cost = excluded.cost
    where (own_stock.quantity, own_stock.cost) is distinct from (excluded.quantity, excluded.cost)
    returning product_id as "productId", xmax = 0 as "isNew"`
}

/** The same of quantities alone: a cost that is known stays. */
export function stockQuantityUpsert(tx: Tx, accountId: number, rows: readonly Omit<StockWrite, 'cost'>[]) {
  return tx<Touched[]>`
    insert into own_stock (account_id, product_id, quantity)
    select ${accountId}, * from unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.quantity)}::int[])
    order by 2
    on conflict (account_id, product_id) do update set quantity = excluded.quantity
    where own_stock.quantity <> excluded.quantity
    returning product_id as "productId", xmax = 0 as "isNew"`
}

export interface OverrideKey {
  productId: number
  field: string
  /** '' where the field has none. */
  locale: string
}

/** Sets overrides in key order; those that stand already are not written. */
export function overridesUpsert(tx: Tx, accountId: number, rows: readonly (OverrideKey & { value: string })[]) {
  return tx<(OverrideKey & { isNew: boolean })[]>`
    insert into product_override (account_id, product_id, field, locale, value)
    select ${accountId}, * from unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.field)}::text[],
      ${rows.map((row) => row.locale)}::text[], ${rows.map((row) => row.value)}::text[])
    order by 2, 3, 4
    on conflict (account_id, product_id, field, locale) do update set value = excluded.value
    where product_override.value <> excluded.value
    returning product_id as "productId", field, locale, xmax = 0 as "isNew"`
}

/** Takes overrides away. @returns those that were there. */
export function overridesDelete(tx: Tx, accountId: number, rows: readonly OverrideKey[]) {
  const ids = rows.map((row) => row.productId)
  return tx<OverrideKey[]>`
    delete from product_override where account_id = ${accountId}
      and product_id = any(${ids}::bigint[]) and (product_id, field, locale) in (
      select * from unnest(${ids}::bigint[], ${rows.map((row) => row.field)}::text[], ${rows.map((row) => row.locale)}::text[]))
    returning product_id as "productId", field, locale`
}

export interface AttributeKey {
  productId: number
  key: string
  /** '' is every locale. */
  locale: string
}

/** Sets attribute overrides in key order; a null value hides the attribute. */
export function attributesUpsert(tx: Tx, accountId: number, rows: readonly (AttributeKey & { value: string | null })[]) {
  return tx<(AttributeKey & { isNew: boolean })[]>`
    insert into attribute_override (account_id, product_id, key, locale, value)
    select ${accountId}, * from unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.key)}::text[],
      ${rows.map((row) => row.locale)}::text[], ${rows.map((row) => row.value)}::text[])
    order by 2, 3, 4
    on conflict (account_id, product_id, key, locale) do update set value = excluded.value
    where attribute_override.value is distinct from excluded.value
    returning product_id as "productId", key, locale, xmax = 0 as "isNew"`
}

/** Takes attribute overrides away. @returns those that were there. */
export function attributesDelete(tx: Tx, accountId: number, rows: readonly AttributeKey[]) {
  const ids = rows.map((row) => row.productId)
  return tx<AttributeKey[]>`
    delete from attribute_override where account_id = ${accountId}
      and product_id = any(${ids}::bigint[]) and (product_id, key, locale) in (
      select * from unnest(${ids}::bigint[], ${rows.map((row) => row.key)}::text[], ${rows.map((row) => row.locale)}::text[]))
    returning product_id as "productId", key, locale`
}

/** Of these products, those with more overrides than one may have, of texts, images and attributes together. */
export async function crowdedProducts(reader: Reader, accountId: number, productIds: readonly number[]): Promise<number[]> {
  const rows = await reader<{ product_id: number }[]>`
    select given.product_id from unnest(${[...productIds]}::bigint[]) as given (product_id)
    cross join lateral (select count(*) as n from product_override where account_id = ${accountId} and product_id = given.product_id) o
    cross join lateral (select count(*) as n from attribute_override where account_id = ${accountId} and product_id = given.product_id) a
    where o.n + a.n > ${LIMITS.overridesPerProductMax}`
  return rows.map((row) => row.product_id)
}
