import { ownerOf } from '../../../db/fragments/owner.sql.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { LIMITS } from '../../../platform/limits.ts'

// The slugs of products by store, current and old ones. Written with the product locked. A slug of another product is not taken from it, unless it is
// an old one and the owner gives it to this product.

export interface SlugRow {
  storeId: number
  productId: number
  slug: string
}

const columns = (rows: readonly SlugRow[]) =>
  [rows.map((row) => row.storeId), rows.map((row) => row.slug), rows.map((row) => row.productId)] as const

const RETURNED = (reader: Reader) => reader`store_id as "storeId", product_id as "productId", slug`

/**
 * Gives free slugs to products that have none in a store; if several products want the same one, the lowest id gets it. Writes in key order: of two
 * transactions that want the same slugs, one waits for the other. @returns the slugs that were given
 */
export function slugsTake(tx: Tx, accountId: number, rows: readonly SlugRow[]) {
  const [stores, slugs, products] = columns(rows)
  return tx<SlugRow[]>`
    insert into product_slug (account_id, store_id, slug, product_id, retired, is_own)
    select owner.account_id, given.*, 0, false
    from ${ownerOf(tx, accountId)},
      unnest(${stores}::bigint[], ${slugs}::text[], ${products}::bigint[]) as given (store_id, slug, product_id)
    order by given.store_id, given.slug collate "C", given.product_id
    on conflict (account_id, store_id, slug) do nothing
    returning ${RETURNED(tx)}`
}

/** Makes old slugs of these products current again, except those that the owner is giving to another product. @returns those that are current now */
export function slugsTakeBack(tx: Tx, accountId: number, rows: readonly SlugRow[]) {
  const [stores, slugs, products] = columns(rows)
  return tx<SlugRow[]>`
    update product_slug set retired = 0
    from unnest(${stores}::bigint[], ${slugs}::text[], ${products}::bigint[]) as given (store_id, slug, product_id)
    cross join lateral (
      select store_id, slug from product_slug
      where account_id = ${accountId} and store_id = given.store_id and slug = given.slug and product_id = given.product_id
        and retired > 0
      for no key update skip locked
    ) old
    where product_slug.account_id = ${accountId} and product_slug.store_id = old.store_id and product_slug.slug = old.slug
    returning product_slug.store_id as "storeId", product_slug.product_id as "productId", product_slug.slug`
}

/** Makes slugs that contain the product's id (`withId`) current: no other product can have them. */
export async function slugsTakeKept(tx: Tx, accountId: number, rows: readonly SlugRow[]): Promise<void> {
  const [stores, slugs, products] = columns(rows)
  await tx`
    insert into product_slug (account_id, store_id, slug, product_id, retired, is_own)
    select owner.account_id, given.*, 0, false
    from ${ownerOf(tx, accountId)},
      unnest(${stores}::bigint[], ${slugs}::text[], ${products}::bigint[]) as given (store_id, slug, product_id)
    on conflict (account_id, store_id, slug) do update set retired = 0`
}

/** The products that have no slug in at least one of the stores, whether or not it lists them. */
export async function productsLackingSlugs(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  productIds: readonly number[],
): Promise<number[]> {
  const rows = await reader<{ productId: number; storeIds: number[] }[]>`
    select given.product_id as "productId", has."storeIds" from unnest(${[...productIds]}::bigint[]) as given (product_id)
    cross join lateral (
      select coalesce(jsonb_agg(store_id), '[]') as "storeIds" from product_slug
      where account_id = ${accountId} and product_id = given.product_id and retired = 0
    ) has`
  return rows.filter((row) => storeIds.some((id) => !row.storeIds.includes(id))).map(({ productId }) => productId)
}

/** A slug of a product: the current one, or one that it had before. */
export interface ProductSlug {
  storeId: number
  slug: string
  /** 0: the current slug. Old slugs have higher numbers; the last one that was replaced has the highest. */
  retired: number
  isOwn: boolean
}

/** All slugs of a product, by store: the current one, then the old ones from the oldest to the latest. */
export function slugsOf(reader: Reader, accountId: number, productId: number) {
  return reader<ProductSlug[]>`
    select store_id as "storeId", slug, retired, is_own as "isOwn" from product_slug
    where account_id = ${accountId} and product_id = ${productId} order by store_id, retired`
}

/** Which products have these slugs, as current or as old ones. */
export function slugHolders(reader: Reader, accountId: number, keys: readonly Pick<SlugRow, 'storeId' | 'slug'>[]) {
  return reader<SlugRow[]>`
    select held.store_id as "storeId", held.product_id as "productId", held.slug
    from unnest(${keys.map((row) => row.storeId)}::bigint[], ${keys.map((row) => row.slug)}::text[]) as given (store_id, slug)
    cross join lateral (
      select store_id, product_id, slug from product_slug
      where account_id = ${accountId} and store_id = given.store_id and slug = given.slug offset 0
    ) held`
}

/**
 * Gives slugs to a product as old ones, even if they are old ones of other products; its current slug stays. Writes in key order.
 * @returns those that it has now; the others are current slugs of other products.
 */
export function slugsTakeAsOld(
  tx: Tx,
  accountId: number,
  productId: number,
  rows: readonly Omit<ProductSlug, 'isOwn'>[],
) {
  return tx<Pick<SlugRow, 'storeId' | 'slug'>[]>`
    insert into product_slug (account_id, store_id, slug, product_id, retired, is_own)
    select owner.account_id, given.store_id, given.slug, ${productId}, given.retired, false
    from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.storeId)}::bigint[], ${rows.map((row) => row.slug)}::text[],
      ${rows.map((row) => row.retired)}::int[]) as given (store_id, slug, retired)
    order by given.store_id, given.slug collate "C"
    on conflict (account_id, store_id, slug) do update set product_id = excluded.product_id, retired = excluded.retired
    where product_slug.retired > 0
    returning store_id as "storeId", slug`
}

/** Sets which of a product's slugs are old ones, and which were set by hand. */
export async function slugsMark(
  tx: Tx,
  accountId: number,
  productId: number,
  rows: readonly ProductSlug[],
): Promise<void> {
  await tx`
    update product_slug set retired = given.retired, is_own = given.is_own <> 0
    from unnest(${rows.map((row) => row.storeId)}::bigint[], ${rows.map((row) => row.slug)}::text[],
      ${rows.map((row) => row.retired)}::int[], ${rows.map((row) => Number(row.isOwn))}::int[])
      as given (store_id, slug, retired, is_own)
    where product_slug.account_id = ${accountId} and product_slug.store_id = given.store_id
      and product_slug.slug = given.slug and product_slug.product_id = ${productId}`
}

/** Deletes old slugs of a product. */
export async function slugsDelete(
  tx: Tx,
  accountId: number,
  productId: number,
  rows: readonly Pick<SlugRow, 'storeId' | 'slug'>[],
): Promise<void> {
  await tx`
    delete from product_slug where account_id = ${accountId} and product_id = ${productId} and retired > 0
      and (store_id, slug) in (
        select * from unnest(${rows.map((row) => row.storeId)}::bigint[], ${rows.map((row) => row.slug)}::text[]))`
}

/**
 * Moves the slugs of products to another product, as the latest of its old ones; if it then has too many, the oldest are deleted. All products are
 * locked.
 */
export async function slugsMove(tx: Tx, accountId: number, fromIds: readonly number[], toId: number): Promise<void> {
  const ids = [...fromIds]
  const moved = await tx`
    update product_slug set product_id = ${toId}, retired = given.retired, is_own = false
    from (
      select store_id, slug, coalesce((
          select max(retired) from product_slug w
          where w.account_id = ${accountId} and w.product_id = ${toId} and w.store_id = l.store_id
        ), 0) + (row_number() over (partition by store_id order by retired = 0, retired, product_id))::int as retired
      from product_slug l where l.account_id = ${accountId} and l.product_id = any(${ids}::bigint[])
    ) given
    where product_slug.account_id = ${accountId} and product_slug.store_id = given.store_id
      and product_slug.slug = given.slug`
  if (moved.count === 0) return
  await tx`
    delete from product_slug where account_id = ${accountId} and product_id = ${toId} and retired > 0 and (
      select count(*) from product_slug later
      where later.account_id = ${accountId} and later.product_id = ${toId} and later.store_id = product_slug.store_id
        and later.retired > product_slug.retired
    ) >= ${LIMITS.oldSlugsMax}`
}
