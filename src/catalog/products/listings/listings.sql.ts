import type { Tx } from '../../../db/sql.ts'

export interface ListingRow {
  productId: number
  storeId: number
  /** null: the store's assortment rules decide. */
  isListed: boolean | null
}

/** Sets or removes manual listings in stores. @returns the products that changed. */
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

/** Deletes the manual listings, the exclusions and the slugs of these products for a store that is deleted. */
export async function storeRowsOfProductsDelete(
  tx: Tx,
  accountId: number,
  storeId: number,
  productIds: readonly number[],
): Promise<void> {
  for (const table of ['product_listing', 'product_exclusion', 'product_slug'] as const) {
    await tx`
      delete from ${tx(table)}
      where account_id = ${accountId} and store_id = ${storeId} and product_id = any(${[...productIds]}::bigint[])`
  }
}
