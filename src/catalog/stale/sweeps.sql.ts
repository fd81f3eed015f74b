import type { Tx } from '../../db/sql.ts'

/**
 * Records that every product of the account (or of one store) became stale: one row, not a million marks. Raises the
 * version of the shared inputs, so that nobody resolves with old ones. The caller has the settings lock.
 */
export async function sweepAppend(tx: Tx, accountId: number, reason: string, extent: SweepExtent = {}): Promise<void> {
  await inputsVersionRaise(tx, accountId)
  await tx`insert into sweep (account_id, store_id, half, reason)
    values (${accountId}, ${extent.storeId ?? null}, ${extent.half ?? null}, ${reason})`
}

/** The scope of a sweep; everything when left out. */
export interface SweepExtent {
  /** Only one store's payloads. */
  storeId?: number
  /** Only price halves, because the write can change nothing else except whether prices exclude a product. */
  half?: 'price'
}

/** Records a write of shared inputs on which no payload depends. */
export async function inputsVersionRaise(tx: Tx, accountId: number): Promise<void> {
  await tx`update account_inputs set version = version + 1 where account_id = ${accountId}`
}

/** A sweep or a part of one: products after `nextProductId`, up to and with `endProductId`, remain to be shelved. */
export interface Sweep {
  sweepId: number
  storeId: number | null
  half: 'price' | null
  nextProductId: number
  endProductId: number
}

const sweepColumns = (tx: Tx) => tx`
  sweep_id as "sweepId", store_id as "storeId", half, next_product_id as "nextProductId", end_product_id as "endProductId"`

/** Locks the part that is furthest behind and that no other worker has locked; undefined when there is none. */
export async function sweepLockNext(tx: Tx, accountId: number): Promise<Sweep | undefined> {
  const [row] = await tx<Sweep[]>`
    select ${sweepColumns(tx)} from sweep where account_id = ${accountId}
    order by next_product_id, sweep_id limit 1 for update skip locked`
  return row
}

/** Locks parts of other sweeps with the same end that no other worker has locked: they can be processed together. */
export function sweepsLockAlong(tx: Tx, accountId: number, sweep: Sweep) {
  return tx<Sweep[]>`
    select ${sweepColumns(tx)} from sweep
    where account_id = ${accountId} and end_product_id = ${sweep.endProductId} and sweep_id <> ${sweep.sweepId}
    order by sweep_id for update skip locked`
}

/** Splits a locked part at these last product ids; the first of the new parts stays locked. */
export async function sweepCut(tx: Tx, accountId: number, sweep: Sweep, ends: readonly number[]): Promise<void> {
  const [first, ...others] = [...ends, sweep.endProductId]
  const starts = ends.slice(0, others.length)
  await tx`
    insert into sweep (account_id, sweep_id, store_id, half, reason, created_at, next_product_id, end_product_id)
    select account_id, sweep_id, store_id, half, reason, created_at, part.start, part.finish
    from sweep, unnest(${starts}::bigint[], ${others}::bigint[]) as part (start, finish)
    where account_id = ${accountId} and sweep_id = ${sweep.sweepId} and end_product_id = ${sweep.endProductId}
      and part.finish <> ${sweep.endProductId}`
  // the last part keeps the key of the split row, because it has the same end; the first part is a new row
  await tx`
    insert into sweep (account_id, sweep_id, store_id, half, reason, created_at, next_product_id, end_product_id)
    select account_id, sweep_id, store_id, half, reason, created_at, next_product_id, ${first ?? 0}
    from sweep
    where account_id = ${accountId} and sweep_id = ${sweep.sweepId} and end_product_id = ${sweep.endProductId}`
  await tx`
    update sweep set next_product_id = ${ends.at(-1) ?? 0}
    where account_id = ${accountId} and sweep_id = ${sweep.sweepId} and end_product_id = ${sweep.endProductId}`
}

/** Records that these parts, all with the same end, have got as far as `nextProductId`. */
export function sweepsAdvance(
  tx: Tx,
  accountId: number,
  sweepIds: readonly number[],
  endProductId: number,
  nextProductId: number,
) {
  return tx`update sweep set next_product_id = ${nextProductId}
    where account_id = ${accountId} and sweep_id = any(${[...sweepIds]}::bigint[]) and end_product_id = ${endProductId}`
}

/** Deletes parts that have processed all their products. */
export function sweepsDelete(tx: Tx, accountId: number, sweepIds: readonly number[], endProductId: number) {
  return tx`delete from sweep
    where account_id = ${accountId} and sweep_id = any(${[...sweepIds]}::bigint[]) and end_product_id = ${endProductId}`
}
