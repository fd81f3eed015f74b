import type { Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { blocksAdd } from './change-counter.sql.ts'

/**
 * Deletes a deleted store's payloads, changes, price history and held prices of these products, which the caller has
 * locked. The counts per block follow with the account's counter locked, as everywhere.
 * @returns whether there is more price history than one step deletes.
 */
export async function shelfDelete(
  tx: Tx,
  accountId: number,
  storeId: number,
  productIds: readonly number[],
): Promise<boolean> {
  const ids = [...productIds]
  const history = await tx`
    delete from price_history where account_id = ${accountId} and ctid = any(array(
      select ctid from price_history
      where account_id = ${accountId} and product_id = any(${ids}::bigint[]) and store_id = ${storeId}
      limit ${LIMITS.deletedRowsPerStep}))`
  for (const table of ['price_hold', 'payload_content', 'change'] as const) {
    await tx`
      delete from ${tx(table)}
      where account_id = ${accountId} and store_id = ${storeId} and product_id = any(${ids}::bigint[])`
  }
  const gone = await tx<{ product_id: number }[]>`
    delete from payload_price
    where account_id = ${accountId} and store_id = ${storeId} and product_id = any(${ids}::bigint[])
    returning product_id`
  const counts = new Map<number, number>()
  for (const { product_id: id } of gone) {
    const block = Math.floor(id / LIMITS.idBlockSize)
    counts.set(block, (counts.get(block) ?? 0) - 1)
  }
  if (counts.size > 0) {
    await tx`select from change_counter where account_id = ${accountId} for update`
    await blocksAdd(
      tx,
      accountId,
      [...counts].sort(([a], [b]) => a - b).map(([block, delta]) => ({ storeId, block, delta })),
    )
  }
  return history.count === LIMITS.deletedRowsPerStep
}

/** Deletes the counts per block of a store that has no payloads any more. */
export async function shelfBlocksDelete(tx: Tx, accountId: number, storeId: number): Promise<void> {
  await tx`delete from payload_block where account_id = ${accountId} and store_id = ${storeId}`
}
