import type { Reader } from '../../db/sql.ts'
import { pageOfWeighed, withinWeight, type Weighed } from '../../db/fragments/within-weight.sql.ts'
import type { ListingRow } from './listings/listings.sql.ts'
import type { AttributeOverrideRow, OverrideRow } from './overrides/overrides.sql.ts'

// The owner's settings of products, as they were set; contains nothing from suppliers.

/** The stored form of a row: its value is never null, because a null in a write deletes the row. */
type Kept<T, Field extends keyof T> = Omit<T, 'productId' | Field> & { [F in Field]: NonNullable<T[F]> }

export interface ProductSources {
  productId: number
  sku: string | null
  /** The EAN that the owner chose. */
  ean: string | null
  createdAt: Date
  /** By field, then locale. */
  overrides: Kept<OverrideRow, 'value'>[]
  /** By key, then locale. */
  attributeOverrides: Omit<AttributeOverrideRow, 'productId'>[]
  listings: Kept<ListingRow, 'isListed'>[]
  /** Manual exclusions; store 0 is every store. */
  exclusions: { storeId: number; reason: string }[]
  /** Slugs that were set by hand. */
  slugs: { storeId: number; slug: string }[]
  /** The variant group that the owner chose; `id` null: none. null in its place: suppliers decide. */
  variantGroup: { id: number | null } | null
}

/**
 * What the owner set on these products, in id order. Unknown and deleted products are omitted, and so are settings for deleted stores. One statement,
 * so that all of it is from one snapshot.
 */
export function productSources(reader: Reader, accountId: number, productIds: readonly number[]) {
  const isOfStore = () => reader`(store_id = 0 or exists (
    select from store s where s.account_id = ${accountId} and s.store_id = r.store_id and s.deleted_at is null))`
  return reader<ProductSources[]>`
    select p.product_id as "productId", p.sku, p.created_at as "createdAt",
      (select ean from product_ean r where r.account_id = ${accountId} and r.product_id = p.product_id and is_primary) as ean,
      (select coalesce(json_agg(json_build_object('field', field, 'locale', locale, 'value', value) order by field collate "C", locale collate "C"), '[]')
        from product_override r where r.account_id = ${accountId} and r.product_id = p.product_id) as overrides,
      (select coalesce(json_agg(json_build_object('key', key, 'locale', locale, 'value', value) order by key collate "C", locale collate "C"), '[]')
        from attribute_override r where r.account_id = ${accountId} and r.product_id = p.product_id) as "attributeOverrides",
      (select coalesce(json_agg(json_build_object('storeId', store_id, 'isListed', is_listed) order by store_id), '[]')
        from product_listing r where r.account_id = ${accountId} and r.product_id = p.product_id and ${isOfStore()}) as listings,
      (select coalesce(json_agg(json_build_object('storeId', store_id, 'reason', reason) order by store_id), '[]')
        from product_exclusion r where r.account_id = ${accountId} and r.product_id = p.product_id and ${isOfStore()}) as exclusions,
      (select coalesce(json_agg(json_build_object('storeId', store_id, 'slug', slug) order by store_id), '[]')
        from product_slug r where r.account_id = ${accountId} and r.product_id = p.product_id and retired = 0 and is_own
          and ${isOfStore()}) as slugs,
      (select json_build_object('id', group_id) from own_variant r
        where r.account_id = ${accountId} and r.product_id = p.product_id) as "variantGroup"
    from product p
    where p.account_id = ${accountId} and p.product_id = any(${[...productIds]}::bigint[]) and p.deleted_at is null
    order by p.product_id`
}

/**
 * The first of these products, in id order, whose settings fit into one page by their size in bytes; deleted products are omitted.
 * @returns also the id after which the next page begins; null: there is none
 */
export async function productsOfPage(
  reader: Reader,
  accountId: number,
  productIds: readonly number[],
): Promise<{ productIds: number[]; next: number | null }> {
  const page = reader`
    select p.product_id as "productId", (
        select coalesce(sum(octet_length(value)), 0) from product_override
        where account_id = ${accountId} and product_id = p.product_id
      ) + (
        select coalesce(sum(octet_length(value)), 0) from attribute_override
        where account_id = ${accountId} and product_id = p.product_id
      ) as page_weight
    from product p
    where p.account_id = ${accountId} and p.product_id = any(${[...productIds]}::bigint[]) and p.deleted_at is null`
  const rows = await reader<({ productId: number } & Weighed)[]>`${withinWeight(reader, page, reader`"productId"`)}`
  const found = pageOfWeighed(rows, productIds.length, (row) => row.productId)
  return { productIds: found.rows.map((row) => row.productId), next: found.next }
}

/** The next products after an id, without deleted ones, in id order. */
export async function productIdsOfSources(
  reader: Reader,
  accountId: number,
  afterId: number,
  limit: number,
): Promise<number[]> {
  const rows = await reader<{ product_id: number }[]>`
    select product_id from product where account_id = ${accountId} and product_id > ${afterId} and deleted_at is null
    order by product_id limit ${limit}`
  return rows.map((row) => row.product_id)
}
