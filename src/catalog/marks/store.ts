import type { Reader, Tx } from '../../db/sql.ts'

// The tables in which the catalog says what is stale. Both are append-only; the shelf takes rows away again.

/** Marks products whose inputs this transaction changed. A product may be marked any number of times. */
export async function marksAppend(tx: Tx, accountId: number, productIds: readonly number[]): Promise<void> {
  if (productIds.length === 0) return
  const unique = [...new Set(productIds)]
  await tx`insert into mark (account_id, product_id) select ${accountId}, unnest(${unique}::bigint[])`
}

/** Says that every product of the account (or of one store) became stale: a row, not a million marks. */
export async function sweepAppend(tx: Tx, accountId: number, reason: string, storeId: number | null = null): Promise<void> {
  await tx`insert into sweep (account_id, store_id, reason) values (${accountId}, ${storeId}, ${reason})`
}

/** Takes away the marks of these products that this statement can see. Call it only with the products locked. */
export function marksDelete(tx: Tx, accountId: number, productIds: readonly number[]) {
  return tx`delete from mark where account_id = ${accountId} and product_id = any(${[...productIds]}::bigint[])`
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
       or exists (select from sweep s where s.account_id = ${accountId} and s.next_product_id < given.product_id)`
  return rows.map((row) => row.product_id)
}

export interface Sweep {
  sweepId: number
  storeId: number | null
  nextProductId: number
}

/** Locks the account's sweeps for this transaction; none when another worker holds them. */
export async function sweepsLock(tx: Tx, accountId: number): Promise<Sweep[]> {
  const rows = await tx<{ sweep_id: number; store_id: number | null; next_product_id: number }[]>`
    select sweep_id, store_id, next_product_id from sweep where account_id = ${accountId}
    order by sweep_id for update skip locked`
  return rows.map((row) => ({ sweepId: row.sweep_id, storeId: row.store_id, nextProductId: row.next_product_id }))
}

/** Notes that these sweeps have got as far as `nextProductId`. */
export function sweepsAdvance(tx: Tx, accountId: number, sweepIds: readonly number[], nextProductId: number) {
  return tx`update sweep set next_product_id = ${nextProductId}
    where account_id = ${accountId} and sweep_id = any(${[...sweepIds]}::bigint[])`
}

/** Ends sweeps that have seen every product. */
export function sweepsDelete(tx: Tx, accountId: number, sweepIds: readonly number[]) {
  return tx`delete from sweep where account_id = ${accountId} and sweep_id = any(${[...sweepIds]}::bigint[])`
}
