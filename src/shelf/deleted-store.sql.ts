import type { Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { NO_GAPS, type GapBits } from '../model/gaps.ts'
import { blocksAdd, counterLock } from './payloads/change-counter.sql.ts'
import { gapDeltas } from './payloads/diff.ts'
import { elementOf } from './payloads/digest.ts'
import { blockCounts, type CountedPayload } from './payloads/write-payloads.ts'

/**
 * Deletes a deleted store's payloads, changes, price history and held prices of these products, which the caller has
 * locked. The counts and digests per block are updated under the lock of the account's change counter, as in shelving.
 * @returns whether price history may be left: one step deletes at most LIMITS.deletedRowsPerStep rows of it.
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
  for (const table of ['price_hold', 'change'] as const) {
    await tx`
      delete from ${tx(table)}
      where account_id = ${accountId} and store_id = ${storeId} and product_id = any(${ids}::bigint[])`
  }
  const contents = await tx<{ productId: number; gaps: number; tag: string }[]>`
    delete from payload_content
    where account_id = ${accountId} and store_id = ${storeId} and product_id = any(${ids}::bigint[])
    returning product_id as "productId", gaps, tag`
  const prices = await tx<{ productId: number; gaps: number; tag: string }[]>`
    delete from payload_price
    where account_id = ${accountId} and store_id = ${storeId} and product_id = any(${ids}::bigint[])
    returning product_id as "productId", gaps, tag`
  const counts = blockCounts([
    ...contents.map(({ productId, gaps, tag }) => ({
      ...gone(productId, 0, { content: gaps, price: 0 }),
      content: elementOf(productId, tag),
      price: 0n,
    })),
    ...prices.map(({ productId, gaps, tag }) => ({
      ...gone(productId, -1, { content: 0, price: gaps }),
      content: 0n,
      price: elementOf(productId, tag),
    })),
  ])
  if (counts.length > 0) {
    await counterLock(tx, accountId)
    await blocksAdd(tx, accountId, counts)
  }
  return history.count === LIMITS.deletedRowsPerStep

  function gone(productId: number, delta: number, gaps: GapBits): Omit<CountedPayload, 'content' | 'price'> {
    return { storeId, productId, delta, gapDeltas: gapDeltas(gaps, NO_GAPS) }
  }
}

/** Deletes the counts per block of a store that no longer has payloads. */
export async function shelfBlocksDelete(tx: Tx, accountId: number, storeId: number): Promise<void> {
  await tx`delete from payload_block where account_id = ${accountId} and store_id = ${storeId}`
}
