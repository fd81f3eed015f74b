import type { Reader } from '../db/sql.ts'

export interface FeedRow {
  lastId: number
  lastAt: Date
  /** The cursor's number was lost with a restored backup. */
  isFenced: boolean
  /** null: no change after the cursor; then the row only carries the head. */
  productId: number | null
  changedAt: Date
  changeId: number
  priceId: number | null
  contentId: number | null
  removedId: number | null
}

/**
 * Head and window in one statement, hence in one snapshot: a window that is not full holds every change that was
 * committed when the statement began. At most `limit` rows in feed order; one row without a change when there is none.
 */
export function feedWindow(
  reader: Reader,
  accountId: number,
  storeId: number,
  cursor: { since: Date; id: number },
  limit: number,
) {
  return reader<FeedRow[]>`
    select head.last_id as "lastId", head.last_at as "lastAt", exists (
        select from change_fence f where f.account_id = ${accountId}
          and f.after_id < ${cursor.id} and f.before_id > ${cursor.id}) as "isFenced",
      w.product_id as "productId", w.changed_at as "changedAt", w.change_id as "changeId", w.price_id as "priceId",
      w.content_id as "contentId", w.removed_id as "removedId"
    from change_counter head left join lateral (
      select product_id, changed_at, change_id, price_id, content_id, removed_id from change
      where account_id = ${accountId} and store_id = ${storeId}
        and (changed_at, change_id) > (${cursor.since}, ${cursor.id})
      order by changed_at, change_id limit ${limit}
    ) w on true
    where head.account_id = ${accountId}
    order by w.changed_at, w.change_id`
}

/** The newest change numbers of these accounts, for waiters whose NOTIFY was lost. */
export function headsOf(reader: Reader, accountIds: readonly number[]) {
  return reader<{ accountId: number; lastId: number }[]>`
    select account_id as "accountId", last_id as "lastId" from change_counter
    where account_id = any(${[...accountIds]}::bigint[])`
}
