import type { Tx } from '../../db/sql.ts'
import type { Half } from '../../model/payload.ts'

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
  /**
   * `price`: only price halves, because the write can change nothing else but whether prices exclude a product. `content`: only content halves,
   * because the write can change neither prices nor whether a store lists or excludes a product.
   */
  half?: Half
}

/** Raises the version alone, for a write of shared inputs on which no payload depends. */
export async function inputsVersionRaise(tx: Tx, accountId: number, by = 1): Promise<void> {
  await tx`update account_inputs set version = version + ${by} where account_id = ${accountId}`
}

/** A sweep or a part of one: products after `nextProductId`, up to and with `endProductId`, remain to be shelved. */
export interface Sweep {
  /** All parts of a sweep have the same id. */
  sweepId: number
  storeId: number | null
  half: Half | null
  nextProductId: number
  endProductId: number
}

const sweepColumns = (tx: Tx) => tx`
  sweep_id as "sweepId", store_id as "storeId", half, next_product_id as "nextProductId", end_product_id as "endProductId"`

/**
 * Locks the first part of the oldest sweep, among those that no other worker has locked; undefined when there is none. In order of position, newer
 * sweeps would overtake older ones for ever. A part whose next products an older sweep has still to shelve is left to the worker that has locked the
 * older one.
 */
export async function sweepLockNext(tx: Tx, accountId: number): Promise<Sweep | undefined> {
  const [row] = await tx<Sweep[]>`
    select ${sweepColumns(tx)} from sweep s where account_id = ${accountId} and not exists (
      select from sweep older where older.account_id = ${accountId} and older.sweep_id < s.sweep_id
        and older.next_product_id <= s.next_product_id and older.end_product_id > s.next_product_id offset 0)
    order by sweep_id, end_product_id limit 1 for update of s skip locked`
  return row
}

/** Locks the parts of other sweeps that have products in common with this one and that no other worker has locked. */
export function sweepsLockOverlapping(tx: Tx, accountId: number, sweep: Sweep) {
  return tx<Sweep[]>`
    select ${sweepColumns(tx)} from sweep
    where account_id = ${accountId} and next_product_id < ${sweep.endProductId} and end_product_id > ${sweep.nextProductId}
      and sweep_id <> ${sweep.sweepId}
    order by sweep_id, end_product_id for update skip locked`
}

/** Replaces locked parts by others of the same sweeps. A part that stays must be the same object in both lists. */
export async function sweepsReplace(
  tx: Tx,
  accountId: number,
  before: readonly Sweep[],
  after: readonly Sweep[],
): Promise<void> {
  const changed = after.filter((part) => !before.includes(part))
  if (changed.length > 0)
    await tx`
    insert into sweep (account_id, sweep_id, store_id, half, reason, created_at, next_product_id, end_product_id)
    select known.account_id, known.sweep_id, part.store_id, part.half, known.reason, known.created_at, part.start, part.finish
    from unnest(${changed.map((part) => part.sweepId)}::bigint[], ${changed.map((part) => part.storeId)}::bigint[],
        ${changed.map((part) => part.half)}::text[], ${changed.map((part) => part.nextProductId)}::bigint[],
        ${changed.map((part) => part.endProductId)}::bigint[]) as part (sweep_id, store_id, half, start, finish)
      cross join lateral (
        select account_id, sweep_id, reason, created_at from sweep
        where account_id = ${accountId} and sweep_id = part.sweep_id limit 1) known
    on conflict (account_id, sweep_id, end_product_id) do update
      set store_id = excluded.store_id, half = excluded.half, next_product_id = excluded.next_product_id`
  const keyOf = ({ sweepId, endProductId }: Sweep) => `${sweepId} ${endProductId}`
  const kept = new Set(after.map(keyOf))
  const gone = before.filter((part) => !kept.has(keyOf(part)))
  if (gone.length === 0) return
  await tx`
    delete from sweep where account_id = ${accountId} and (sweep_id, end_product_id) in (
      select * from unnest(${gone.map((part) => part.sweepId)}::bigint[], ${gone.map((part) => part.endProductId)}::bigint[]))`
}

/** Records that a locked part has been shelved up to and with `nextProductId`. */
export function sweepAdvance(tx: Tx, accountId: number, { sweepId, endProductId }: Sweep, nextProductId: number) {
  return tx`update sweep set next_product_id = ${nextProductId}
    where account_id = ${accountId} and sweep_id = ${sweepId} and end_product_id = ${endProductId}`
}

/** Deletes a locked part that has processed all its products. */
export function sweepDelete(tx: Tx, accountId: number, { sweepId, endProductId }: Sweep) {
  return tx`delete from sweep
    where account_id = ${accountId} and sweep_id = ${sweepId} and end_product_id = ${endProductId}`
}
