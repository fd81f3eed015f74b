import { changeUse } from '../../accounts/limits/use.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'
import { offersOfProductsLock } from './offers/offers.sql.ts'

/**
 * Takes `count` product ids from the account's current block(s), ascending. Locks the account's creators, so that two
 * suppliers' files with the same new EAN do not create two products for it.
 */
export async function productIdsTake(tx: Tx, accountId: number, count: number): Promise<number[]> {
  await productCreatorsLock(tx, accountId)
  const ids: number[] = []
  while (ids.length < count) {
    const [block] = await tx<{ next_id: number; end_id: number }[]>`
      select next_id, end_id from product_id_block where account_id = ${accountId}`
    // the creators' lock has inserted the row
    let { next_id: next, end_id: end } = must(block)
    if (next >= end) {
      const [number] = await tx<{ number: number }[]>`select nextval('product_block_number') as number`
      next = must(number).number * LIMITS.idBlockSize
      end = next + LIMITS.idBlockSize
    }
    while (next < end && ids.length < count) ids.push(next++)
    await tx`update product_id_block set next_id = ${next}, end_id = ${end} where account_id = ${accountId}`
  }
  return ids
}

/** Leaves the rest of the account's current block of ids unused: the next product gets an id from a new block. */
export async function productIdBlocksAbandon(tx: Tx, accountId: number): Promise<void> {
  await tx`update product_id_block set next_id = end_id where account_id = ${accountId}`
}

/** Locks the account's creators of products (its row of ids) to the end of the transaction: they run one at a time. */
export async function productCreatorsLock(tx: Tx, accountId: number): Promise<void> {
  await tx`insert into product_id_block (account_id, next_id, end_id) values (${accountId}, 0, 0)
    on conflict (account_id) do update set next_id = product_id_block.next_id`
}

export function productsInsert(
  tx: Tx,
  accountId: number,
  products: readonly { productId: number; sku: string | null }[],
) {
  return tx`insert into product (account_id, product_id, sku)
    select ${accountId}, * from unnest(${products.map((row) => row.productId)}::bigint[],
      ${products.map((row) => row.sku)}::text[])`
}

/**
 * Locks products in id order for shelving (`for no key update`). Shelvers of one product run one at a time; writers of
 * offers and own stock do not wait (the shared lock of their foreign keys does not conflict with it) but leave
 * a mark. @param skipLocked leave out products that are locked.
 * @param limit lock at most this many of them, the lowest ids first.
 * @returns the ids locked.
 */
export async function productsLock(
  tx: Tx,
  accountId: number,
  productIds: readonly number[],
  skipLocked: boolean,
  limit: number = productIds.length,
): Promise<number[]> {
  const ids = [...productIds].sort((a, b) => a - b)
  const locked = await productsLockAll(tx, accountId, ids.slice(0, limit), skipLocked)
  const missing = limit - locked.length
  // not with a LIMIT in the statement: PostgreSQL before 17 would scan the account from its first product
  const others = missing > 0 ? ids.slice(limit, limit + missing) : []
  const more = others.length === 0 ? [] : await productsLockAll(tx, accountId, others, skipLocked)
  return [...locked, ...more].map((row) => row.product_id)
}

/**
 * The same lock on all of them, or (skipLocked) on those that no other transaction has locked; the statement is sent at
 * once.
 */
export function productsLockAll(tx: Tx, accountId: number, productIds: readonly number[], skipLocked: boolean) {
  return tx<{ product_id: number }[]>`
    select product_id from product
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])
    order by product_id for no key update ${skipLocked ? tx`skip locked` : tx``}`.execute()
}

/** The next products of the account after an id, including deleted ones, in id order. */
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
 * Locks products in id order, shared (`for key share`): conflicts with transactions that delete one, but not with
 * shelvers and other writers. For writes that take one statement, in key order.
 * @returns those of them that the account has and that are not deleted.
 */
export async function productsLockShared(tx: Tx, accountId: number, productIds: readonly number[]): Promise<number[]> {
  const rows = await tx<{ product_id: number }[]>`
    select product_id from product
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[]) and deleted_at is null
    order by product_id for key share`
  return rows.map((row) => row.product_id)
}

/**
 * Locks products in id order, exclusively (`for no key update`): conflicts also with edits, bulks and shelvers of them.
 * For writes that read first, count, or take several statements, each in key order but not all of them together: with
 * the shared lock, bulks deadlocked 17 times in 34, and edits undid what a bulk had written.
 * @returns those of them that the account has and that are not deleted.
 */
export async function productsLockExclusive(
  tx: Tx,
  accountId: number,
  productIds: readonly number[],
): Promise<number[]> {
  const rows = await tx<{ product_id: number }[]>`
    select product_id from product
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[]) and deleted_at is null
    order by product_id for no key update`
  return rows.map((row) => row.product_id)
}

/** Locks one product as productsLockExclusive does; sent at once. @returns false when it is unknown or deleted. */
export function productLock(tx: Tx, accountId: number, productId: number): Promise<boolean> {
  const locking = tx`
    select from product where account_id = ${accountId} and product_id = ${productId} and deleted_at is null for no key update`
  return locking.execute().then((rows) => rows.length === 1)
}

/**
 * Locks products in id order for update: conflicts with every other writer, including the share locks of foreign keys.
 * @returns those of them that the account has and that are not deleted.
 */
export async function productsLockForUpdate(
  tx: Tx,
  accountId: number,
  productIds: readonly number[],
): Promise<number[]> {
  const rows = await tx<{ product_id: number; is_deleted: boolean }[]>`
    select product_id, deleted_at is not null as is_deleted from product
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])
    order by product_id for update`
  return rows.filter((row) => !row.is_deleted).map((row) => row.product_id)
}

/** An offer joined a product after its offers were locked; has the SQLSTATE that makes inTransaction retry. */
class OfferJoined extends Error {
  readonly code = '40001'
}

/**
 * Locks products that are about to be deleted, merged or split, with all that decides which offers they have: their
 * offers by supplier and key, the account's creators, then the products for update. Imports lock in this order, too:
 * with the creators first, 20 deletions beside 20 import pages with the same offers deadlocked 11 times. Without the
 * creators' lock an offer that is joining a product by its EAN at that moment would stay on it, invisible for ever.
 * @returns those of them that the account has and that are not deleted.
 */
export async function productsLockForRemoval(
  tx: Tx,
  accountId: number,
  productIds: readonly number[],
): Promise<number[]> {
  const locked = new Set((await offersOfProductsLock(tx, accountId, productIds)).map((row) => row.offerNumber))
  await productCreatorsLock(tx, accountId)
  const ids = [...productIds]
  const alive = await productsLockForUpdate(tx, accountId, ids)
  const joined = await tx<{ offerNumber: number }[]>`
    select offer_number as "offerNumber" from offer where account_id = ${accountId} and product_id = any(${ids}::bigint[])`
  if (joined.some((row) => !locked.has(row.offerNumber)))
    throw new OfferJoined('an offer joined one of these products while they were being locked')
  return alive
}

/** Deletes products, locked by productsLockForRemoval, with their data; the rows stay, because shelving locks them. */
export async function productsDelete(tx: Tx, accountId: number, productIds: readonly number[]): Promise<number[]> {
  const ids = [...productIds]
  const rows = await tx<{ product_id: number }[]>`
    update product set deleted_at = now(), sku = null
    where account_id = ${accountId} and product_id = any(${ids}::bigint[]) and deleted_at is null
    returning product_id`
  const gone = rows.map((row) => row.product_id)
  const offers = await tx<{ isLive: boolean }[]>`
    delete from offer where account_id = ${accountId} and product_id = any(${gone}::bigint[])
    returning dropped_at is null as "isLive"`
  let overrides = 0
  for (const table of PRODUCT_TABLES) {
    const { count } = await tx`
      delete from ${tx(table)} where account_id = ${accountId} and product_id = any(${gone}::bigint[])`
    if (table === 'product_override' || table === 'attribute_override') overrides += count
  }
  const live = offers.filter(({ isLive }) => isLive).length
  await changeUse(tx, accountId, { products: -gone.length, offers: -live, overrides: -overrides })
  return gone
}

/** The tables that have data of a product, besides `product` and `offer`. */
const PRODUCT_TABLES = [
  'offer_content',
  'product_ean',
  'own_stock',
  'product_override',
  'attribute_override',
  'product_listing',
  'product_exclusion',
  'own_variant',
  'product_slug',
  'price_list_entry',
] as const

/** Sets the product's own key. @returns whether it changed. */
export async function productSkuSet(
  tx: Tx,
  accountId: number,
  productId: number,
  sku: string | null,
): Promise<boolean> {
  const result = await tx`
    update product set sku = ${sku}
    where account_id = ${accountId} and product_id = ${productId} and deleted_at is null and sku is distinct from ${sku}`
  return result.count === 1
}
