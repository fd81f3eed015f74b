import type { Reader, Tx } from '../../db/sql.ts'

// The tables in which the catalog says what is stale. Both are append-only; the shelf takes rows away again.

/**
 * Marks products whose inputs this transaction changed. A product may be marked any number of times.
 * @param half `price` when nothing but cost, currency or quantity of known offers, or own stock, was written: of content
 *   these can move only whether the product is excluded, which shelving sees from the prices.
 */
export async function marksAppend(tx: Tx, accountId: number, productIds: readonly number[], half: 'price' | null = null): Promise<void> {
  if (productIds.length === 0) return
  const unique = [...new Set(productIds)]
  await tx`insert into mark (account_id, product_id, half) select ${accountId}, unnest(${unique}::bigint[]), ${half}::text`
}

/**
 * Says that every product of the account (or of one store) became stale: a row, not a million marks. Raises the version of
 * what the account's products share, so that nobody goes on resolving with what was read before.
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

/** Says that what the account's products share was written, where no payload depends on the change. */
export async function inputsVersionRaise(tx: Tx, accountId: number): Promise<void> {
  await tx`update account_inputs set version = version + 1 where account_id = ${accountId}`
}

/**
 * Takes away the marks of these products that this statement can see. Call it only with the products locked.
 * @returns a row for each mark.
 */
export function marksDelete(tx: Tx, accountId: number, productIds: readonly number[]) {
  return tx<{ productId: number; half: 'price' | null }[]>`
    delete from mark where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])
    returning product_id as "productId", half`
}

/** The next marked products after `afterProductId` in id order, each once. */
export async function markedProducts(
  reader: Reader,
  accountId: number,
  afterProductId: number,
  limit: number,
): Promise<number[]> {
  const rows = await reader<{ product_id: number }[]>`
    select distinct product_id from mark
    where account_id = ${accountId} and product_id > ${afterProductId}
    order by product_id limit ${limit}`
  return rows.map((row) => row.product_id)
}

/** Accounts that have marks or sweeps, in id order. */
export async function staleAccounts(reader: Reader): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select account_id from (select distinct account_id from mark union select distinct account_id from sweep) stale
    order by account_id`
  return rows.map((row) => row.account_id)
}

/** Up to which mark and sweep something waits now. */
export interface StalePosition {
  markId: number
  sweepId: number
}

export async function stalePosition(reader: Reader, accountId: number): Promise<StalePosition> {
  const [row] = await reader<StalePosition[]>`
    select coalesce((select max(mark_id) from mark where account_id = ${accountId}), 0) as "markId",
      coalesce((select max(sweep_id) from sweep where account_id = ${accountId}), 0) as "sweepId"`
  return row ?? { markId: 0, sweepId: 0 }
}

/** Whether anything of the account still waits to be shelved, of what is marked up to a position when one is given. */
export async function isStale(reader: Reader, accountId: number, upTo?: StalePosition): Promise<boolean> {
  const { markId, sweepId } = upTo ?? { markId: Number.MAX_SAFE_INTEGER, sweepId: Number.MAX_SAFE_INTEGER }
  const [row] = await reader<{ stale: boolean }[]>`
    select exists (select from mark where account_id = ${accountId} and mark_id <= ${markId})
        or exists (select from sweep where account_id = ${accountId} and sweep_id <= ${sweepId}) as stale`
  return row?.stale ?? false
}

/** Of these products, those that wait to be shelved: marked, or not yet reached by a sweep. */
export async function waitingProducts(reader: Reader, accountId: number, productIds: readonly number[]): Promise<number[]> {
  const rows = await reader<{ product_id: number }[]>`
    select product_id from unnest(${[...productIds]}::bigint[]) as given (product_id)
    where exists (select from mark m where m.account_id = ${accountId} and m.product_id = given.product_id)
       or exists (select from sweep s where s.account_id = ${accountId} and s.next_product_id < given.product_id
        and s.end_product_id >= given.product_id)`
  return rows.map((row) => row.product_id)
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

/** Locks the part that is furthest behind and that no other worker holds; undefined when there is none. */
export async function sweepTake(tx: Tx, accountId: number): Promise<Sweep | undefined> {
  const [row] = await tx<Sweep[]>`
    select ${sweepColumns(tx)} from sweep where account_id = ${accountId}
    order by next_product_id, sweep_id limit 1 for update skip locked`
  return row
}

/** Locks what nobody holds of other sweeps' parts that end where this one ends: they can be carried along. */
export function sweepsAlong(tx: Tx, accountId: number, sweep: Sweep) {
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
export function sweepsAdvance(tx: Tx, accountId: number, sweepIds: readonly number[], endProductId: number, nextProductId: number) {
  return tx`update sweep set next_product_id = ${nextProductId}
    where account_id = ${accountId} and sweep_id = any(${[...sweepIds]}::bigint[]) and end_product_id = ${endProductId}`
}

/** Ends parts that have seen every product of theirs. */
export function sweepsDelete(tx: Tx, accountId: number, sweepIds: readonly number[], endProductId: number) {
  return tx`delete from sweep
    where account_id = ${accountId} and sweep_id = any(${[...sweepIds]}::bigint[]) and end_product_id = ${endProductId}`
}
