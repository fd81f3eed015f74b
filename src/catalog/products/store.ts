import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../ground/limits.ts'
import { attributesUpsert, overridesDelete, overridesUpsert, stockUpsert } from './rows/store.ts'

/**
 * Takes `count` product ids of the account's current block(s), ascending. Locks the account's allocator row to the end
 * of the transaction, which also makes creators of one account take turns, so that two suppliers' files that bring the
 * same new EAN at once do not make two products of it.
 */
export async function productIdsTake(tx: Tx, accountId: number, count: number): Promise<number[]> {
  await productCreatorsLock(tx, accountId)
  const ids: number[] = []
  while (ids.length < count) {
    const [block] = await tx<{ next_id: number; end_id: number }[]>`
      select next_id, end_id from product_id_block where account_id = ${accountId}`
    let next = block?.next_id ?? 0
    let end = block?.end_id ?? 0
    if (next >= end) {
      const [number] = await tx<{ number: number }[]>`select nextval('product_block_number') as number`
      next = (number?.number ?? 0) * LIMITS.idBlockSize
      end = next + LIMITS.idBlockSize
    }
    while (next < end && ids.length < count) ids.push(next++)
    await tx`update product_id_block set next_id = ${next}, end_id = ${end} where account_id = ${accountId}`
  }
  return ids
}

/** Makes transactions that create products of one account take turns. */
export async function productCreatorsLock(tx: Tx, accountId: number): Promise<void> {
  await tx`insert into product_id_block (account_id, next_id, end_id) values (${accountId}, 0, 0)
    on conflict (account_id) do update set next_id = product_id_block.next_id`
}

export function productsInsert(tx: Tx, accountId: number, products: readonly { productId: number; sku: string | null }[]) {
  return tx`insert into product (account_id, product_id, sku)
    select ${accountId}, * from unnest(${products.map((row) => row.productId)}::bigint[],
      ${products.map((row) => row.sku)}::text[])`
}

/**
 * Locks product rows in id order. Two shelvers of one product take turns here; writers of offers, texts and stock are
 * not held up (their foreign keys take a share lock that this one does not conflict with), they leave a mark instead.
 * @param skipLocked leave out products that somebody else is shelving.
 * @param limit lock no more than so many of them, the lowest ids first.
 * @returns the ids locked.
 */
export async function productsLock(
  tx: Tx,
  accountId: number,
  productIds: readonly number[],
  skipLocked: boolean,
  limit: number = productIds.length,
): Promise<number[]> {
  // one by one in the order of the list: with `= any` and a limit, servers before 17 walk the account from its first product
  const rows = await tx<{ product_id: number }[]>`
    select locked.product_id from unnest(${[...productIds].sort((a, b) => a - b)}::bigint[]) as given (product_id)
    cross join lateral (
      select product_id from product where account_id = ${accountId} and product_id = given.product_id
      for no key update ${skipLocked ? tx`skip locked` : tx``}
    ) locked limit ${limit}`
  return rows.map((row) => row.product_id)
}

/** The next products of the account after an id, deleted ones included, in id order. */
export async function productIdsAfter(
  reader: Reader,
  accountId: number,
  afterProductId: number,
  limit: number,
): Promise<number[]> {
  const rows = await reader<{ product_id: number }[]>`
    select product_id from product where account_id = ${accountId} and product_id > ${afterProductId}
    order by product_id limit ${limit}`
  return rows.map((row) => row.product_id)
}

/** The lowest and the highest product id of the account; 0 and 0 when it has none. */
export async function productIdRange(reader: Reader, accountId: number): Promise<{ first: number; last: number }> {
  const [row] = await reader<{ first: number; last: number }[]>`
    select coalesce(min(product_id), 0) as first, coalesce(max(product_id), 0) as last from product where account_id = ${accountId}`
  return row ?? { first: 0, last: 0 }
}

/**
 * Of these ids, those that are products of the account and not deleted, held so to the end of the transaction: whoever
 * deletes one waits, and one that is being deleted is waited for.
 */
export async function productsHold(tx: Tx, accountId: number, productIds: readonly number[]): Promise<number[]> {
  const rows = await tx<{ product_id: number }[]>`
    select product_id from product
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[]) and deleted_at is null
    order by product_id for key share`
  return rows.map((row) => row.product_id)
}

/**
 * The same, held against edits, other bulks and shelvers of them, too. A bulk sets and takes away in several statements, each in
 * key order but not all of them together, and an edit writes back what it read: beside one another with a share lock, bulks
 * deadlocked 17 times in 34, and edits undid what a bulk had written.
 */
export async function productsHoldAlone(tx: Tx, accountId: number, productIds: readonly number[]): Promise<number[]> {
  const rows = await tx<{ product_id: number }[]>`
    select product_id from product
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[]) and deleted_at is null
    order by product_id for no key update`
  return rows.map((row) => row.product_id)
}

/** Locks one product's row against its shelvers and other edits of it; false when the account does not have it, or no more. */
export async function productLock(tx: Tx, accountId: number, productId: number): Promise<boolean> {
  const rows = await tx`
    select from product where account_id = ${accountId} and product_id = ${productId} and deleted_at is null for no key update`
  return rows.length === 1
}

/**
 * Deletes products with all that is known of them; the rows stay as what shelving locks. Takes turns with creators, or an
 * offer that is just joining one of these products by its EAN would stay behind on it, invisible for ever; and waits for
 * whoever is writing anything of these products (foreign keys hold a share lock), so that the deletes see what they wrote.
 */
export async function productsDelete(tx: Tx, accountId: number, productIds: readonly number[]): Promise<number[]> {
  await productCreatorsLock(tx, accountId)
  const ids = [...productIds]
  await tx`select from product where account_id = ${accountId} and product_id = any(${ids}::bigint[])
    order by product_id for update`
  const rows = await tx<{ product_id: number }[]>`
    update product set deleted_at = now(), sku = null
    where account_id = ${accountId} and product_id = any(${ids}::bigint[]) and deleted_at is null
    returning product_id`
  const gone = rows.map((row) => row.product_id)
  for (const table of PRODUCT_TABLES) {
    await tx`delete from ${tx(table)} where account_id = ${accountId} and product_id = any(${gone}::bigint[])`
  }
  return gone
}

/** What is known of a product beside its row. */
export const PRODUCT_TABLES = [
  'offer', 'offer_content', 'product_ean', 'own_stock', 'product_override', 'attribute_override', 'product_listing', 'product_exclusion',
] as const

export interface OwnStockRow {
  productId: number
  quantity: number
  /** In the account's currency; null: not known. */
  cost: string | null
}

/** Sets own stock; rows that say what is known already are not written. @returns the products changed. */
export async function ownStockUpsert(tx: Tx, accountId: number, rows: readonly OwnStockRow[]): Promise<number[]> {
  return (await stockUpsert(tx, accountId, rows)).map((row) => row.productId)
}

export async function ownStockDelete(tx: Tx, accountId: number, productIds: readonly number[]): Promise<number[]> {
  const rows = await tx<{ product_id: number }[]>`
    delete from own_stock where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])
    returning product_id`
  return rows.map((row) => row.product_id)
}

export interface OverrideRow {
  productId: number
  field: 'title' | 'description' | 'manufacturer' | 'category' | 'images'
  /** '' for manufacturer, category and images. */
  locale: string
  /** Of images a JSON array of URLs; null takes the override away. */
  value: string | null
}

/** Sets and takes away overrides. @returns the products changed. */
export async function overridesWrite(tx: Tx, accountId: number, rows: readonly OverrideRow[]): Promise<number[]> {
  const set = rows.flatMap((row) => (row.value === null ? [] : [{ ...row, value: row.value }]))
  const changed = await overridesUpsert(tx, accountId, set)
  const removed = await overridesDelete(tx, accountId, rows.filter((row) => row.value === null))
  return [...changed, ...removed].map((row) => row.productId)
}

export interface AttributeOverrideRow {
  productId: number
  key: string
  /** '' is every locale. */
  locale: string
  /** null hides the attribute. */
  value: string | null
}

export async function attributeOverridesUpsert(tx: Tx, accountId: number, rows: readonly AttributeOverrideRow[]): Promise<number[]> {
  return (await attributesUpsert(tx, accountId, rows)).map((row) => row.productId)
}

/** A product's overrides of one attribute to take away; those of every locale when it is null. */
export interface AttributeReset {
  productId: number
  key: string
  locale: string | null
}

/** Takes overrides of attributes away, so that the imported values show again. @returns the products changed. */
export async function attributeOverridesDelete(tx: Tx, accountId: number, rows: readonly AttributeReset[]): Promise<number[]> {
  if (rows.length === 0) return []
  const removed = await tx<{ product_id: number }[]>`
    delete from attribute_override o
    using unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.key)}::text[],
      ${rows.map((row) => row.locale)}::text[]) as given (product_id, key, locale)
    where o.account_id = ${accountId} and o.product_id = any(${rows.map((row) => row.productId)}::bigint[])
      and o.product_id = given.product_id and o.key = given.key and (given.locale is null or o.locale = given.locale)
    returning o.product_id`
  return removed.map((row) => row.product_id)
}

export interface ListingRow {
  productId: number
  storeId: number
  /** null leaves it to the store's assortment. */
  isListed: boolean | null
}

/** Lists and unlists products in stores by hand, or takes that away. @returns the products changed. */
export async function listingsWrite(tx: Tx, accountId: number, rows: readonly ListingRow[]): Promise<number[]> {
  const set = rows.filter((row) => row.isListed !== null)
  const reset = rows.filter((row) => row.isListed === null)
  const changed = await tx<{ product_id: number }[]>`
    insert into product_listing (account_id, product_id, store_id, is_listed)
    select ${accountId}, product_id, store_id, is_listed <> 0
    from unnest(${set.map((row) => row.productId)}::bigint[], ${set.map((row) => row.storeId)}::bigint[],
      ${set.map((row) => Number(row.isListed))}::int[]) as given (product_id, store_id, is_listed)
    order by 2, 3
    on conflict (account_id, product_id, store_id) do update set is_listed = excluded.is_listed
    where product_listing.is_listed <> excluded.is_listed
    returning product_id`
  const removed = await tx<{ product_id: number }[]>`
    delete from product_listing where account_id = ${accountId}
      and product_id = any(${reset.map((row) => row.productId)}::bigint[]) and (product_id, store_id) in (
      select * from unnest(${reset.map((row) => row.productId)}::bigint[], ${reset.map((row) => row.storeId)}::bigint[]))
    returning product_id`
  return [...changed, ...removed].map((row) => row.product_id)
}

/** Deletes what the hand said of these products for a store that is deleted. */
export async function storeWordsDelete(tx: Tx, accountId: number, storeId: number, productIds: readonly number[]): Promise<void> {
  for (const table of ['product_listing', 'product_exclusion'] as const) {
    await tx`
      delete from ${tx(table)}
      where account_id = ${accountId} and store_id = ${storeId} and product_id = any(${[...productIds]}::bigint[])`
  }
}

export interface EanRow {
  productId: number
  supplierId: number
  supplierSku: string
  ean: string
  position: number
  gtin: string | null
}

export function eansInsert(tx: Tx, accountId: number, rows: readonly EanRow[]) {
  return tx`
    insert into product_ean (account_id, product_id, supplier_id, supplier_sku, ean, position, gtin)
    select ${accountId}, * from unnest(${rows.map((row) => row.productId)}::bigint[],
      ${rows.map((row) => row.supplierId)}::bigint[], ${rows.map((row) => row.supplierSku)}::text[],
      ${rows.map((row) => row.ean)}::text[], ${rows.map((row) => row.position)}::smallint[],
      ${rows.map((row) => row.gtin)}::text[])
    on conflict (account_id, product_id, supplier_id, supplier_sku, ean) do update set position = excluded.position`
}

export interface PrimaryEanRow {
  productId: number
  ean: string
  gtin: string | null
}

/** Makes EANs the primary ones of products that have none, as their owner states. */
export async function primaryEansInsert(tx: Tx, accountId: number, rows: readonly PrimaryEanRow[]): Promise<void> {
  await tx`
    insert into product_ean (account_id, product_id, ean, gtin, is_primary)
    select ${accountId}, product_id, ean, gtin, true
    from unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.ean)}::text[],
      ${rows.map((row) => row.gtin)}::text[]) as given (product_id, ean, gtin)`
}

/**
 * Makes an EAN the primary one of a product that is locked, as its owner states; null takes the owner's choice
 * away. @returns whether that is news.
 */
export async function primaryEanSet(
  tx: Tx,
  accountId: number,
  productId: number,
  ean: { ean: string; gtin: string | null } | null,
): Promise<boolean> {
  const removed = await tx`
    delete from product_ean where account_id = ${accountId} and product_id = ${productId} and supplier_id = 0
      and (not is_primary or ean is distinct from ${ean?.ean ?? null}::text)`
  if (ean === null) return removed.count > 0
  const inserted = await tx`
    insert into product_ean (account_id, product_id, ean, gtin, is_primary)
    values (${accountId}, ${productId}, ${ean.ean}, ${ean.gtin}, true)
    on conflict (account_id, product_id, supplier_id, supplier_sku, ean) do nothing`
  return removed.count + inserted.count > 0
}

/** Sets the product's own key. @returns whether that is news. */
export async function productSkuSet(tx: Tx, accountId: number, productId: number, sku: string | null): Promise<boolean> {
  const result = await tx`
    update product set sku = ${sku}
    where account_id = ${accountId} and product_id = ${productId} and deleted_at is null and sku is distinct from ${sku}`
  return result.count === 1
}

/**
 * Products that carry one of these GTINs, and whether the supplier already offers them. What a deleted supplier stated does
 * not count, also before it is taken away.
 */
export async function gtinHolders(reader: Reader, accountId: number, supplierId: number, gtins: readonly string[]) {
  return reader<{ gtin: string; productId: number; hasOfferOfSupplier: boolean }[]>`
    select distinct e.gtin, e.product_id as "productId", exists (
      select from offer o where o.account_id = ${accountId} and o.product_id = e.product_id
        and o.supplier_id = ${supplierId} and o.dropped_at is null) as "hasOfferOfSupplier"
    from product_ean e
    join product d on d.account_id = ${accountId} and d.product_id = e.product_id and d.deleted_at is null
    where e.account_id = ${accountId} and e.gtin = any(${[...gtins]}::text[])
      and (e.supplier_id = 0 or exists (
        select from supplier s where s.account_id = ${accountId} and s.supplier_id = e.supplier_id and s.deleted_at is null))`
}
