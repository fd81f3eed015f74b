import type { Query, Reader } from '../db/sql.ts'

// How a product's price in a store moved since a time, by its price history: one definition for the figures of the first page and for the product
// lists that they lead to.

/** A customer group's price rose or fell, or the store lists the product now but not at that time, or the reverse. */
export const MOVES = ['up', 'down', 'appeared', 'gone'] as const
export type Move = (typeof MOVES)[number]

/**
 * Joins `newest`, the newest row of the price history of a product in a store, and `before`, the last one before the time. Two look-ups by key.
 * @param productId @param storeId columns of the row to join to
 */
export const historyAround = (
  reader: Reader,
  accountId: number,
  { productId, storeId, since }: { productId: Query<unknown>; storeId: Query<unknown>; since: Date },
) => reader`
  left join lateral (
    select from_at, shown from price_history
    where account_id = ${accountId} and product_id = ${productId} and store_id = ${storeId}
    order by history_id desc limit 1
  ) newest on true
  left join lateral (
    select shown from price_history
    where account_id = ${accountId} and product_id = ${productId} and store_id = ${storeId} and from_at < ${since}
    order by history_id desc limit 1
  ) before on true`

/** The price of a customer group in a row of the history; null: none. */
export const priceIn = (reader: Reader, row: 'newest' | 'before', groupId: Query<unknown>) =>
  reader`substring(${reader(row)}.shown from ' ' || ${groupId} || ':([^ ]+)')::numeric`

/** One of MOVES, from the rows that `historyAround` joins; null: the price did not move, or its currency changed. */
export const moveOf = (reader: Reader, groupId: Query<unknown>, since: Date) => {
  const [now, then] = [priceIn(reader, 'newest', groupId), priceIn(reader, 'before', groupId)]
  return reader`case
    when newest.from_at is null or newest.from_at < ${since} then null
    when newest.shown is not null and before.shown is null then 'appeared'
    when newest.shown is null and before.shown is not null then 'gone'
    when split_part(newest.shown, ' ', 1) <> split_part(before.shown, ' ', 1) then null
    when ${now} > ${then} then 'up'
    when ${now} < ${then} then 'down'
  end`
}
