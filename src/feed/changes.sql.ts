import type { Reader } from '../db/sql.ts'

/** The account's change counter, and whether the cursor's number was lost when a backup was restored. */
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

/**
 * Head and window in one statement, hence in one snapshot: a window that is not full contains every change committed when
 * the statement began. At most `limit` rows in feed order. The server returns the window as one JSON text: parsing 500
 * rows of six columns would take the client longer than the server takes to find them.
 * docs/decisions/007-one-row-per-product-and-store-in-the-change-log.md says why.
 */
export async function feedWindow(
  reader: Reader,
  accountId: number,
  storeId: number,
  cursor: { since: Date; id: number },
  limit: number,
): Promise<{ head: FeedHead; rows: FeedRow[] } | undefined> {
  const [found] = await reader<(FeedHead & { packed: string | null })[]>`
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
  if (found === undefined) return undefined
  const { packed, ...head } = found
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

/** The latest change numbers of these accounts, for waiters whose NOTIFY was lost. */
export function headsOf(reader: Reader, accountIds: readonly number[]) {
  return reader<{ accountId: number; lastId: number }[]>`
    select account_id as "accountId", last_id as "lastId" from change_counter
    where account_id = any(${[...accountIds]}::bigint[])`
}
