import type { Reader, Tx } from '../../../db/sql.ts'

/** Stored in place of a store's id: the exclusion counts in every store. */
export const EVERY_STORE = 0

export interface ProductExclusionRow {
  productId: number
  /** EVERY_STORE, or the id of one store. */
  storeId: number
  /** null removes the exclusion. */
  reason: string | null
}

/** Sets or removes manual exclusions. @returns the products that changed. */
export async function productExclusionsWrite(
  tx: Tx,
  accountId: number,
  rows: readonly ProductExclusionRow[],
): Promise<number[]> {
  const set = rows.filter((row) => row.reason !== null)
  const reset = rows.filter((row) => row.reason === null)
  const changed = await tx<{ product_id: number }[]>`
    insert into product_exclusion (account_id, product_id, store_id, reason)
    select ${accountId}, * from unnest(${set.map((row) => row.productId)}::bigint[], ${set.map((row) => row.storeId)}::bigint[],
      ${set.map((row) => row.reason)}::text[])
    order by 2, 3
    on conflict (account_id, product_id, store_id) do update set reason = excluded.reason
    where product_exclusion.reason <> excluded.reason
    returning product_id`
  const removed = await tx<{ product_id: number }[]>`
    delete from product_exclusion where account_id = ${accountId}
      and product_id = any(${reset.map((row) => row.productId)}::bigint[]) and (product_id, store_id) in (
      select * from unnest(${reset.map((row) => row.productId)}::bigint[], ${reset.map((row) => row.storeId)}::bigint[]))
    returning product_id`
  return [...changed, ...removed].map((row) => row.product_id)
}

/** The manual exclusions of these products. */
export function productExclusionsOf(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<ProductExclusionRow[]>`
    select product_id as "productId", store_id as "storeId", reason from product_exclusion
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])`
}
