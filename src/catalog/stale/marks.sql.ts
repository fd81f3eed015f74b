import type { Reader, Tx } from '../../db/sql.ts'

// The tables that record what is stale. Both are append-only here; the shelf deletes the rows.
// docs/decisions/003-marks-and-sweeps-are-append-only.md says why.

/**
 * Marks products whose inputs this transaction changed; the statement is sent at once. A product may be marked any
 * number of times.
 * @param half `price` if only cost, currency or quantity of known offers, or own stock, was written: of the content
 * half these can change only the exclusion, which shelving derives from the prices.
 */
export function marksAppend(
  tx: Tx,
  accountId: number,
  productIds: readonly number[],
  half: 'price' | null = null,
): Promise<unknown> {
  if (productIds.length === 0) return Promise.resolve()
  const unique = [...new Set(productIds)]
  const [only, ...others] = unique
  // with one row, Citus knows the shard without planning
  return only !== undefined && others.length === 0
    ? tx`insert into mark (account_id, product_id, half) values (${accountId}, ${only}, ${half})`.execute()
    : tx`insert into mark (account_id, product_id, half) select ${accountId}, unnest(${unique}::bigint[]), ${half}::text`.execute()
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

export interface Mark {
  markId: number
  productId: number
  half: 'price' | null
}

/** The marks of these products that this statement can see. */
export function marksOf(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<Mark[]>`
    select mark_id as "markId", product_id as "productId", half from mark
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])`
}

/** Deletes marks that were read with their products locked. */
export function marksDeleteRead(tx: Tx, accountId: number, marks: readonly Mark[]) {
  return tx`
    delete from mark where account_id = ${accountId} and product_id = any(${marks.map((mark) => mark.productId)}::bigint[])
      and mark_id = any(${marks.map((mark) => mark.markId)}::bigint[])`
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
