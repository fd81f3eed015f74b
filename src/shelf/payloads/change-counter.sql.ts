import { ownerOf } from '../../db/fragments/owner.sql.ts'
import type { Query, Reader, Tx } from '../../db/sql.ts'
import { GAPS } from '../../model/gaps.ts'
import { digestText } from './digest.ts'
import { keyOf, type PayloadKey } from './payload-key.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must, single } from '../../platform/must.ts'

// The account's change counter. A transaction that numbers changes keeps the counter's row locked until it commits, so
// numbers ascend in commit order, and a reader that sees N sees everything below N. See docs/invariants.md, I2.
// docs/decisions/005-change-numbers-come-from-a-locked-row-last.md says why.

/** Creates the account's counter at number 0 and the current second. */
export async function counterInsert(tx: Tx, accountId: number): Promise<void> {
  await tx`insert into change_counter (account_id, last_at)
    values (${accountId}, date_trunc('second', clock_timestamp()))`
}

/** A change of a product in one store: removed, or price, content or both, numbered in that order. */
export interface NewChange {
  storeId: number
  productId: number
  /** The product enters the store. If it was never there before, the log has no row of it. */
  isEntering: boolean
  price: boolean
  content: boolean
  removed: boolean
}

/** The first and last of the numbers given to one set of changes. */
export interface ChangeNumbers {
  first: number
  last: number
}

/**
 * Numbers the changes in the given order and writes them. Must be the last write of a transaction, except for the counts and digests per block.
 * Raising the counter locks it; the inserted rows then read it. Both statements are sent together without waiting. If there is no counter, the
 * change numbers are null and the insert fails. On Citus, a single statement for both would run through the coordinator. The time never decreases,
 * even if the clock is set back.
 * @param left keyOf of entering payloads that were in their store before
 * @returns the numbers given, known before the commit is acknowledged; null if the transaction failed. Never rejects.
 */
export function changesWrite(
  tx: Tx,
  accountId: number,
  changes: readonly NewChange[],
  left: ReadonlySet<string>,
): Promise<ChangeNumbers | null> {
  let taken = 0
  const fresh: NumberedChange[] = []
  const others: NumberedChange[] = []
  for (const change of changes) {
    const { storeId, productId, isEntering } = change
    const isNew = isEntering && (left.size === 0 || !left.has(keyOf(change)))
    ;(isNew ? fresh : others).push({
      storeId,
      productId,
      price: change.price ? ++taken : null,
      content: change.content ? ++taken : null,
      removed: change.removed ? ++taken : null,
    })
  }
  const counted = tx<{ last: number }[]>`
    update change_counter set last_id = last_id + ${taken},
      last_at = greatest(last_at, date_trunc('second', statement_timestamp()))
    where account_id = ${accountId} returning last_id as last`.execute()
  // without "on conflict", which would look for an existing row each time; that takes half as long as the insert (measured)
  if (fresh.length > 0) void changesInsert(tx, accountId, taken, fresh, tx``).execute()
  if (others.length > 0) void changesInsert(tx, accountId, taken, others, replacing(tx)).execute()
  return counted.then(
    ([row]) => (row === undefined ? null : { first: row.last - taken + 1, last: row.last }),
    () => null,
  )
}

/** A change with its numbers relative to those taken for the batch. */
interface NumberedChange extends PayloadKey {
  price: number | null
  content: number | null
  removed: number | null
}

const replacing = (tx: Tx) => tx`
    on conflict (account_id, store_id, product_id) do update set
      changed_at = excluded.changed_at,
      change_id = excluded.change_id,
      price_id = case when excluded.removed_id is null then coalesce(excluded.price_id, change.price_id) end,
      content_id = case when excluded.removed_id is null then coalesce(excluded.content_id, change.content_id) end,
      removed_id = excluded.removed_id`

/** Inserts changes for which numbers have just been taken. @param onKnown the "on conflict" clause. */
function changesInsert(
  tx: Tx,
  accountId: number,
  taken: number,
  rows: readonly NumberedChange[],
  onKnown: Query<unknown>,
) {
  return tx`
    insert into change (account_id, store_id, product_id, changed_at, change_id, price_id, content_id, removed_id)
    select counter.account_id, store_id, product_id, counter.last_at, counter.base + greatest(price, content, removed),
      counter.base + price, counter.base + content, counter.base + removed
    from (select account_id,
        (select last_id - ${taken} from change_counter where account_id = ${accountId}) as base,
        (select last_at from change_counter where account_id = ${accountId}) as last_at
      from account_inputs where account_id = ${accountId} offset 0) counter,
      unnest(${rows.map((row) => row.storeId)}::bigint[], ${rows.map((row) => row.productId)}::bigint[],
      ${rows.map((row) => row.price)}::bigint[], ${rows.map((row) => row.content)}::bigint[],
      ${rows.map((row) => row.removed)}::bigint[]) as given (store_id, product_id, price, content, removed)${onKnown}`
}

/** Rows of the change log for these products in these stores. */
export function changeRows(
  reader: Reader,
  accountId: number,
  storeIds: readonly number[],
  productIds: readonly number[],
) {
  return reader<{ storeId: number; productId: number; isRemoved: boolean; isWhole: boolean }[]>`
    select c.store_id as "storeId", c.product_id as "productId", c.removed_id is not null as "isRemoved",
      c.price_id is not null and c.content_id is not null as "isWhole"
    from unnest(${[...storeIds]}::bigint[]) as s (store_id)
    cross join lateral (
      select store_id, product_id, removed_id, price_id, content_id from change
      where account_id = ${accountId} and store_id = s.store_id and product_id = any(${[...productIds]}::bigint[]) offset 0
    ) c`
}

/** Locks the counter without taking numbers. Sent at once. */
export function counterLock(tx: Tx, accountId: number): Promise<unknown> {
  return tx`select from change_counter where account_id = ${accountId} for update`.execute()
}

/** A difference in the counts and digests of a block of ids. */
export interface BlockCount {
  storeId: number
  block: number
  /** Difference in the number of payloads. */
  delta: number
  /** Difference in the number of payloads with each gap, in the order of GAPS. */
  gaps: readonly number[]
  /** Combined with the digests by xor. */
  content: bigint
  price: bigint
}

/**
 * Adds to the counts and digests per block of ids. The counter must be locked: otherwise two batches could deadlock on blocks. Unknown digests
 * stay unknown. Sent at once.
 */
export function blocksAdd(tx: Tx, accountId: number, counts: readonly BlockCount[]): Promise<unknown> {
  const gaps = GAPS.map((_, i) => counts.map((row) => must(row.gaps[i])))
  return tx`
    insert into payload_block (account_id, store_id, block, products, no_title, no_image, no_category, no_price, price_zero,
      content_digest, price_digest)
    select owner.account_id, store_id, block, products, title, image, category, none, zero, ('x' || content)::bit(128), ('x' || price)::bit(128)
    from ${ownerOf(tx, accountId)}, unnest(${counts.map((row) => row.storeId)}::bigint[],
      ${counts.map((row) => row.block)}::bigint[], ${counts.map((row) => row.delta)}::int[], ${gaps[0] ?? []}::int[],
      ${gaps[1] ?? []}::int[], ${gaps[2] ?? []}::int[], ${gaps[3] ?? []}::int[], ${gaps[4] ?? []}::int[],
      ${counts.map((row) => digestText(row.content))}::text[], ${counts.map((row) => digestText(row.price))}::text[])
      as given (store_id, block, products, title, image, category, none, zero, content, price)
    on conflict (account_id, store_id, block) do update
      set products = payload_block.products + excluded.products, no_title = payload_block.no_title + excluded.no_title,
        no_image = payload_block.no_image + excluded.no_image, no_category = payload_block.no_category + excluded.no_category,
        no_price = payload_block.no_price + excluded.no_price, price_zero = payload_block.price_zero + excluded.price_zero,
        content_digest = payload_block.content_digest # excluded.content_digest,
        price_digest = payload_block.price_digest # excluded.price_digest`.execute()
}

export interface Head {
  lastId: number
  lastAt: Date
}

export async function counterGet(reader: Reader, accountId: number): Promise<Head | undefined> {
  const [row] = await reader<Head[]>`
    select last_id as "lastId", last_at as "lastAt" from change_counter where account_id = ${accountId}`
  return row
}

/**
 * The highest change number known to have been given before a time; 0 if none is known. Considers only changes that are still the latest of their
 * product and store, because the log keeps no times of superseded ones.
 */
export async function lastNumberBefore(reader: Reader, accountId: number, since: Date): Promise<number> {
  const rows = await reader<{ id: number | null }[]>`
    select max(last.change_id) as id from store s
    cross join lateral (
      select change_id from change
      where account_id = ${accountId} and store_id = s.store_id and changed_at < ${since}
      order by changed_at desc, change_id desc limit 1
    ) last
    where s.account_id = ${accountId}`
  return single(rows).id ?? 0
}

/**
 * Raises the counter by LIMITS.fenceJump after a restored backup and records the gap. Cursors from the lost time would seem valid again once
 * numbers have grown past them; cursors in the gap are refused, and their clients start over.
 * @param afterId start of the gap if later numbers have been given again already; null: the current number
 */
export async function counterFence(tx: Tx, accountId: number, afterId: number | null = null): Promise<void> {
  const [row] = await tx<{ before_id: number; after_id: number }[]>`
    update change_counter set last_id = last_id + ${LIMITS.fenceJump},
      last_at = greatest(last_at, date_trunc('second', statement_timestamp()))
    where account_id = ${accountId}
    returning last_id as before_id, last_id - ${LIMITS.fenceJump} as after_id`
  if (row === undefined) return
  await tx`insert into change_fence (account_id, after_id, before_id)
    values (${accountId}, ${Math.min(afterId ?? row.after_id, row.after_id)}, ${row.before_id})
    on conflict (account_id, after_id) do update set before_id = excluded.before_id`
}
