import { ownerOf } from '../../db/owner.sql.ts'
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

/** What changed of a product in one store: removed, or price, content or both, which are numbered in this order. */
export interface NewChange {
  storeId: number
  productId: number
  /** The product enters the store: if it was never there, the log has no row of it. */
  isEntering: boolean
  price: boolean
  content: boolean
  removed: boolean
}

/** The first and the last number of changes that were numbered together. */
export interface ChangeNumbers {
  first: number
  last: number
}

/**
 * Numbers the changes in the given order and writes them. It must come last in a transaction, except for the counts and digests per block.
 * The counter is raised first, which locks it, and the rows that are written then read it: both are sent together, and nothing is waited
 * for. Without a counter the number of a change would be null, which fails. On Citus one statement for both would be run through the
 * coordinator. The time never goes back, even if the clock does.
 * @param left keyOf those that enter a store in which they were before
 * @returns the numbers that they have, known before the commit is answered; null where the transaction failed. Never rejects.
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
  // looking for a row of each again would take as long as half of writing it (measured)
  if (fresh.length > 0) void changesInsert(tx, accountId, taken, fresh, tx``).execute()
  if (others.length > 0) void changesInsert(tx, accountId, taken, others, replacing(tx)).execute()
  return counted.then(
    ([row]) => (row === undefined ? null : { first: row.last - taken + 1, last: row.last }),
    () => null,
  )
}

/** A change with its numbers within those that are taken together. */
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

/** The rows of changes for which numbers were taken just before. @param onKnown what happens where there is a row. */
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

/** What the change log has of these products in these stores. */
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

/** Locks the counter without numbering anything; sent at once. */
export function counterLock(tx: Tx, accountId: number): Promise<unknown> {
  return tx`select from change_counter where account_id = ${accountId} for update`.execute()
}

/** How the counts and digests of a block of ids change. */
export interface BlockCount {
  storeId: number
  block: number
  /** Of payloads. */
  delta: number
  /** Of payloads with each gap, in the order of GAPS. */
  gaps: readonly number[]
  /** Added to the digests by xor. */
  content: bigint
  price: bigint
}

/**
 * Adds to the payload counts and digests per block of ids. Only with the counter locked: two batches could deadlock on blocks
 * otherwise. A digest that is not known stays unknown. Sent at once.
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
 * The highest change number that is known to have been given before a time, 0 if none is. Only changes that are still the latest of their product,
 * in any store of the account, are considered: the log keeps no time of those that were superseded.
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
 * After a restored backup: increases the counter by LIMITS.fenceJump and records the gap. Cursors from the lost time
 * would look valid again once the numbers have grown; those in the gap are refused, and their clients start over.
 * @param afterId where the gap begins, if numbers after it have been given again already; null: at the counter
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
