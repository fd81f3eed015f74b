import { ownerOf } from '../../../db/fragments/owner.sql.ts'
import type { Reader, Tx } from '../../../db/sql.ts'

export interface OwnStockRow {
  productId: number
  quantity: number
  /** In the account's currency, as decimal text; null: not known. */
  cost: string | null
}

/** Deletes own stock. @returns the products that had any. */
export async function ownStockDelete(tx: Tx, accountId: number, productIds: readonly number[]): Promise<number[]> {
  const rows = await tx<{ product_id: number }[]>`
    delete from own_stock where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])
    returning product_id`
  return rows.map((row) => row.product_id)
}

/** Sets own stock in key order; unchanged rows are not written. @returns a row for each that was written. */
export function ownStockUpsert(tx: Tx, accountId: number, rows: readonly OwnStockRow[]) {
  return tx<{ productId: number; isNew: boolean }[]>`
    insert into own_stock (account_id, product_id, quantity, cost)
    select owner.account_id, given.* from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.productId)}::bigint[],
      ${rows.map((row) => row.quantity)}::int[], ${rows.map((row) => row.cost)}::numeric[]) given
    order by 2
    on conflict (account_id, product_id) do update set quantity = excluded.quantity, cost = excluded.cost
    where (own_stock.quantity, own_stock.cost) is distinct from (excluded.quantity, excluded.cost)
    returning product_id as "productId", xmax = 0 as "isNew"`
}

/** The same as ownStockUpsert, for quantities only: a known cost stays. */
export function ownStockQuantityUpsert(tx: Tx, accountId: number, rows: readonly Omit<OwnStockRow, 'cost'>[]) {
  return tx<{ productId: number; isNew: boolean }[]>`
    insert into own_stock (account_id, product_id, quantity)
    select owner.account_id, given.* from ${ownerOf(tx, accountId)}, unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.quantity)}::int[]) given
    order by 2
    on conflict (account_id, product_id) do update set quantity = excluded.quantity
    where own_stock.quantity <> excluded.quantity
    returning product_id as "productId", xmax = 0 as "isNew"`
}

/** Own stock of those of these products that have any, in id order. */
export function ownStockOf(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<OwnStockRow[]>`
    select product_id as "productId", quantity, trim_scale(cost)::text as cost from own_stock
    where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[]) order by product_id`
}
