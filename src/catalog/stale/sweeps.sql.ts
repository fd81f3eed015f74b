import type { Tx } from '../../db/sql.ts'

/**
 * Notes that every product of the account (or of one store) became stale: a row, not a million marks. Raises the version of
 * what the account's products share, so that nobody goes on resolving with what was read before. The caller has the settings lock.
 */
export async function sweepAppend(tx: Tx, accountId: number, reason: string, extent: SweepExtent = {}): Promise<void> {
  await inputsVersionRaise(tx, accountId)
  await tx`insert into sweep (account_id, store_id, half, reason)
    values (${accountId}, ${extent.storeId ?? null}, ${extent.half ?? null}, ${reason})`
}

/** What a sweep must look at; everything when it is left out. */
export interface SweepExtent {
  /** One store's payloads. */
  storeId?: number
  /** Price halves, because what was written cannot alter anything else but whether prices exclude a product. */
  half?: 'price'
}

/** Notes that what the account's products share was written, where no payload depends on the change. */
export async function inputsVersionRaise(tx: Tx, accountId: number): Promise<void> {
  await tx`update account_inputs set version = version + 1 where account_id = ${accountId}`
}

/** A sweep, or one part of it: the products after `nextProductId` up to and with `endProductId` are still to be shelved. */
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

/** Locks other sweeps' parts that end where this one ends and that no other worker has locked: they can be carried along. */
export function sweepsLockAlong(tx: Tx, accountId: number, sweep: Sweep) {
  return tx<Sweep[]>`
    select ${sweepColumns(tx)} from sweep
    where account_id = ${accountId} and end_product_id = ${sweep.endProductId} and sweep_id <> ${sweep.sweepId}
    order by sweep_id for update skip locked`
}

/** Cuts a locked part in several, at these last product ids; the first of them stays locked. */
export async function sweepCut(tx: Tx, accountId: number, sweep: Sweep, ends: readonly number[]): Promise<void> {
  const [first, ...others] = [...ends, sweep.endProductId]
  const starts = ends.slice(0, others.length)
  await tx`
    insert into sweep (account_id, sweep_id, store_id, half, reason, created_at, next_product_id, end_product_id)
    select account_id, sweep_id, store_id, half, reason, created_at, part.start, part.finish
    from sweep, unnest(${starts}::bigint[], ${others}::bigint[]) as part (start, finish)
    where account_id = ${accountId} and sweep_id = ${sweep.sweepId} and end_product_id = ${sweep.endProductId}
      and part.finish <> ${sweep.endProductId}`
  // the part that ends where the whole ended has its key: that row becomes it, and the first part is new
  await tx`
    insert into sweep (account_id, sweep_id, store_id, half, reason, created_at, next_product_id, end_product_id)
    select account_id, sweep_id, store_id, half, reason, created_at, next_product_id, ${first ?? 0}
    from sweep
    where account_id = ${accountId} and sweep_id = ${sweep.sweepId} and end_product_id = ${sweep.endProductId}`
  await tx`
    update sweep set next_product_id = ${ends.at(-1) ?? 0}
    where account_id = ${accountId} and sweep_id = ${sweep.sweepId} and end_product_id = ${sweep.endProductId}`
}

/** Notes that these parts, all with one end, have got as far as `nextProductId`. */
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

/** Ends parts that have seen every product of theirs. */
export function sweepsDelete(tx: Tx, accountId: number, sweepIds: readonly number[], endProductId: number) {
  return tx`delete from sweep
    where account_id = ${accountId} and sweep_id = any(${[...sweepIds]}::bigint[]) and end_product_id = ${endProductId}`
}
