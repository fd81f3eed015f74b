import type { Reader, Tx } from '../../db/sql.ts'

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

export interface StockWrite {
  productId: number
  quantity: number
  cost: string | null
}

/** A product of which something was written, and whether there was nothing before. */
export interface Touched {
  productId: number
  isNew: boolean
}

/** Sets own stock in key order; rows that say what is known already are not written. */
export function stockUpsert(tx: Tx, accountId: number, rows: readonly StockWrite[]) {
  return tx<Touched[]>`
    insert into own_stock (account_id, product_id, quantity, cost)
    select ${accountId}, * from unnest(${rows.map((row) => row.productId)}::bigint[],
      ${rows.map((row) => row.quantity)}::int[], ${rows.map((row) => row.cost)}::numeric[])
    order by 2
    on conflict (account_id, product_id) do update set quantity = excluded.quantity, cost = excluded.cost
    where (own_stock.quantity, own_stock.cost) is distinct from (excluded.quantity, excluded.cost)
    returning product_id as "productId", xmax = 0 as "isNew"`
}

/** The same of quantities alone: a cost that is known stays. */
export function stockQuantityUpsert(tx: Tx, accountId: number, rows: readonly Omit<StockWrite, 'cost'>[]) {
  return tx<Touched[]>`
    insert into own_stock (account_id, product_id, quantity)
    select ${accountId}, * from unnest(${rows.map((row) => row.productId)}::bigint[], ${rows.map((row) => row.quantity)}::int[])
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
