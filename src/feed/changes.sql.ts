import type { Reader } from '../db/sql.ts'

/** The account's change counter, and whether the cursor is in a gap left by a restored backup. */
export interface FeedHead {
  lastId: number
  lastAt: Date
  isFenced: boolean
}

export interface FeedRow {
  productId: number
  changedAt: Date
  changeId: number
  priceId: number | null
  contentId: number | null
  removedId: number | null
}

type Packed = [
  productId: number,
  changedAtSeconds: number,
  changeId: number,
  priceId: number | null,
  contentId: number | null,
  removedId: number | null,
]

/** The head of a feed, and a window of its rows. */
export interface Window {
  head: FeedHead
  rows: FeedRow[]
}

/** A requested window of a store's feed: the first `limit` rows after a cursor. */
export interface WindowAsked {
  storeId: number
  since: Date
  id: number
  limit: number
}

/**
 * The head and a window of a store's feed in one statement and so in one snapshot: a window that is not full contains every change
 * committed before the statement began. At most `limit` rows in feed order. PostgreSQL returns the window as one JSON text:
 * parsing 500 rows of six columns takes the client longer than it takes the server to find them.
 * docs/decisions/007-one-row-per-product-and-store-in-the-change-log.md says why.
 * @returns undefined if there is no such account
 */
export async function feedWindow(
  reader: Reader,
  accountId: number,
  storeId: number,
  cursor: { since: Date; id: number },
  limit: number,
): Promise<Window | undefined> {
  const [found] = await reader<Found[]>`
    select head.last_id as "lastId", head.last_at as "lastAt", exists (
        select from change_fence f where f.account_id = ${accountId}
          and f.after_id < ${cursor.id} and f.before_id > ${cursor.id}) as "isFenced",
      (select string_agg(concat('[', product_id, ',', extract(epoch from changed_at)::bigint, ',', change_id, ',',
          coalesce(price_id::text, 'null'), ',', coalesce(content_id::text, 'null'), ',', coalesce(removed_id::text, 'null'), ']'), ',')
        from (
          select product_id, changed_at, change_id, price_id, content_id, removed_id from change
          where account_id = ${accountId} and store_id = ${storeId}
            and (changed_at, change_id) > (${cursor.since}, ${cursor.id})
          order by changed_at, change_id limit ${limit}
        ) w) as packed
    from change_counter head
    where head.account_id = ${accountId}`
  return found === undefined ? undefined : unpacked(found)
}

/** Several windows of an account in one statement, in the order of `asked`; undefined for each if there is no such account. */
export async function feedWindows(
  reader: Reader,
  accountId: number,
  asked: readonly WindowAsked[],
): Promise<(Window | undefined)[]> {
  const [only, ...others] = asked
  if (only !== undefined && others.length === 0)
    return [await feedWindow(reader, accountId, only.storeId, only, only.limit)]
  const found = await reader<Found[]>`
    select head.last_at as "lastAt", head.last_id as "lastId", exists (
        select from change_fence f where f.account_id = ${accountId}
          and f.after_id < wanted.id and f.before_id > wanted.id) as "isFenced",
      (select string_agg(concat('[', product_id, ',', extract(epoch from changed_at)::bigint, ',', change_id, ',',
          coalesce(price_id::text, 'null'), ',', coalesce(content_id::text, 'null'), ',', coalesce(removed_id::text, 'null'), ']'), ',')
        from (
          select product_id, changed_at, change_id, price_id, content_id, removed_id from change
          where account_id = ${accountId} and store_id = wanted.store_id
            and (changed_at, change_id) > (wanted.since, wanted.id)
          order by changed_at, change_id limit wanted.rows
        ) w) as packed
    from unnest(${asked.map(({ storeId }) => storeId)}::bigint[], ${asked.map(({ since }) => since.toISOString())}::timestamptz[],
      ${asked.map(({ id }) => id)}::bigint[], ${asked.map(({ limit }) => limit)}::int[])
      with ordinality as wanted (store_id, since, id, rows, place)
    cross join lateral (select last_id, last_at from change_counter where account_id = ${accountId} offset 0) head
    order by wanted.place`
  return found.length === 0 ? asked.map(() => undefined) : found.map(unpacked)
}

type Found = FeedHead & { packed: string | null }

function unpacked({ packed, ...head }: Found): Window {
  const rows = packed === null ? [] : (JSON.parse(`[${packed}]`) as Packed[])
  return {
    head,
    rows: rows.map(([productId, seconds, changeId, priceId, contentId, removedId]) => ({
      productId,
      changedAt: new Date(seconds * 1_000),
      changeId,
      priceId,
      contentId,
      removedId,
    })),
  }
}

/** The latest change numbers of these accounts, for waiters whose notification was lost. */
export function headsOf(reader: Reader, accountIds: readonly number[]) {
  return reader<{ accountId: number; lastId: number }[]>`
    select account_id as "accountId", last_id as "lastId" from change_counter
    where account_id = any(${[...accountIds]}::bigint[])`
}
