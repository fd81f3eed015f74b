import type { Reader, Tx } from '../../db/sql.ts'

// The tables that record what is stale. Both are append-only here; the shelf deletes the rows.

/**
 * Marks products whose inputs this transaction changed. A product may be marked any number of times.
 * @param half `price` when only cost, currency or quantity of known offers, or own stock, was written: of the content
 *   half these can change only the exclusion, which shelving derives from the prices.
 */
export async function marksAppend(
  tx: Tx,
  accountId: number,
  productIds: readonly number[],
  half: 'price' | null = null,
): Promise<void> {
  if (productIds.length === 0) return
  const unique = [...new Set(productIds)]
  const [only, ...others] = unique
  // of one row, Citus knows the shard without planning
  if (only !== undefined && others.length === 0)
    await tx`insert into mark (account_id, product_id, half) values (${accountId}, ${only}, ${half})`
  else
    await tx`insert into mark (account_id, product_id, half) select ${accountId}, unnest(${unique}::bigint[]), ${half}::text`
}

/**
 * Deletes the marks of these products that this statement can see. The caller has locked the products.
 * @returns a row for each mark.
 */
export function marksDelete(tx: Tx, accountId: number, productIds: readonly number[]) {
  return tx<{ productId: number; half: 'price' | null }[]>`
    delete from mark where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])
    returning product_id as "productId", half`
}

/** The next marked products after `afterProductId` in id order, each once. */
export async function markedProducts(
  reader: Reader,
  accountId: number,
  afterProductId: number,
  limit: number,
): Promise<number[]> {
  const rows = await reader<{ product_id: number }[]>`
    select distinct product_id from mark
    where account_id = ${accountId} and product_id > ${afterProductId}
    order by product_id limit ${limit}`
  return rows.map((row) => row.product_id)
}
