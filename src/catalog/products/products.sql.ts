import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'

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

/** Leaves the rest of the account's current block of ids unused: the next product gets an id of a new block. */
export async function productIdBlocksAbandon(tx: Tx, accountId: number): Promise<void> {
  await tx`update product_id_block set next_id = end_id where account_id = ${accountId}`
}

/** Makes transactions that create products of one account take turns. */
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
  'offer',
  'offer_content',
  'product_ean',
  'own_stock',
  'product_override',
  'attribute_override',
  'product_listing',
  'product_exclusion',
] as const

/** Sets the product's own key. @returns whether that is news. */
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
