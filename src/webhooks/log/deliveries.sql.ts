import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { ChangeKind } from '../../model/change.ts'
import { nowMs } from '../../platform/time/clock.ts'

// The delivery log: attempts, for owners to read, and its trimming.

export interface AttemptRow {
  attemptId: number
  deliveryId: string
  origin: 'log' | 'redelivery' | 'test'
  event: ChangeKind
  storeId: number | null
  products: number
  beganAt: Date
  durationMs: number
  outcome: 'delivered' | 'failed' | 'own_fault' | 'stale'
  status: number | null
  fault: string | null
  /** The first LIMITS.webhookAnswerKeptBytesMax of the answer, or the details of a fault. Untrusted text: escape it. */
  answer: string | null
}

/** Attempts, newest first. `before` pages back in time, `after` forward; both are attempt ids, exclusive. */
export async function attemptsList(
  reader: Reader,
  accountId: number,
  endpointId: number,
  page: { before?: number | undefined; after?: number | undefined; limit: number },
): Promise<AttemptRow[]> {
  const { before = Number.MAX_SAFE_INTEGER, after, limit } = page
  const rows = await reader<AttemptRow[]>`
    select a.attempt_id as "attemptId", a.delivery_id as "deliveryId", d.origin, d.event, d.store_id as "storeId",
      d.products, a.began_at as "beganAt", a.duration_ms as "durationMs", a.outcome, a.status, a.fault, a.answer
    from (
      select attempt_id, delivery_id, began_at, duration_ms, outcome, status, fault, answer from attempt
      where account_id = ${accountId} and endpoint_id = ${endpointId} and attempt_id < ${before} and attempt_id > ${after ?? 0}
      order by ${after === undefined ? reader`attempt_id desc` : reader`attempt_id`} limit ${limit}
    ) a
    cross join lateral (
      select origin, event, store_id, products from delivery
      where account_id = ${accountId} and endpoint_id = ${endpointId} and delivery_id = a.delivery_id offset 0
    ) d
    order by a.attempt_id desc`
  return rows
}

export interface DeliveryRow {
  deliveryId: string
  origin: 'log' | 'redelivery' | 'test'
  state: string
  event: ChangeKind
  storeId: number | null
  products: number
  /** At most LIMITS.webhookProductsMax. */
  productIds: number[]
  attempts: number
  createdAt: Date
}

/**
 * Waiting or parked deliveries, oldest first. The state is literal in the statement rather than a parameter, because each state has a partial
 * index.
 */
export function deliveriesIn(
  reader: Reader,
  accountId: number,
  endpointId: number,
  state: 'waiting' | 'parked',
  limit: number,
) {
  return reader<DeliveryRow[]>`
    select delivery_id as "deliveryId", origin, state, event, store_id as "storeId", products,
      coalesce(product_ids, array(select jsonb_array_elements_text(body::jsonb -> 'product_ids')::bigint)) as "productIds", attempts, created_at as "createdAt"
    from delivery
    where account_id = ${accountId} and endpoint_id = ${endpointId} and ${state === 'parked' ? reader`state = 'parked'` : reader`state = 'waiting'`}
    order by number limit ${limit}`
}

/** Attempts of one delivery, oldest first. */
export function attemptsOf(reader: Reader, accountId: number, endpointId: number, deliveryId: string) {
  return reader<{ outcome: AttemptRow['outcome']; status: number | null; fault: string | null; durationMs: number }[]>`
    select a.outcome, a.status, a.fault, a.duration_ms as "durationMs" from delivery d
    join attempt a on a.account_id = d.account_id and a.endpoint_id = d.endpoint_id and a.delivery_id = d.delivery_id
    where d.account_id = ${accountId} and d.endpoint_id = ${endpointId} and d.delivery_id = ${deliveryId}
    order by a.attempt_id`
}

/** Endpoints after this one in the order of (account, endpoint), for walking through all of them in parts. */
export function endpointsAfter(
  reader: Reader,
  accountId: number,
  endpointId: number,
  limit: number,
  accounts: Accounts = null,
) {
  return reader<{ accountId: number; endpointId: number }[]>`
    select account_id as "accountId", endpoint_id as "endpointId" from endpoint_state
    where (account_id, endpoint_id) > (${accountId}, ${endpointId})${accountCondition(reader, 'and', accounts)}
    order by account_id, endpoint_id limit ${limit}`
}

/**
 * Trims an endpoint's delivery log. Deletes the oldest attempts beyond its limits of age and number, then ended deliveries that are older
 * than every remaining attempt. Parked deliveries beyond LIMITS.webhookParkedMax end first, oldest first: a receiver that refuses everything
 * would add one with each change. At most LIMITS.webhookLogDeletedPerStep rows of each.
 * @returns whether there may be more.
 */
export async function logTrim(tx: Tx, accountId: number, endpointId: number): Promise<boolean> {
  const oldest = new Date(nowMs() - LIMITS.webhookLogDaysMax * 86_400_000)
  const attempts = await tx`
    delete from attempt where account_id = ${accountId} and ctid = any(array(
      select ctid from attempt
      where account_id = ${accountId} and endpoint_id = ${endpointId} and attempt_id <= greatest(
        (select attempt_id from attempt where account_id = ${accountId} and endpoint_id = ${endpointId}
          order by attempt_id desc offset ${LIMITS.webhookLogAttemptsMax} limit 1),
        (select a.attempt_id from (
            select attempt_id, began_at from attempt where account_id = ${accountId} and endpoint_id = ${endpointId}
            order by attempt_id limit ${LIMITS.webhookLogDeletedPerStep}
          ) a where a.began_at < ${oldest} order by a.attempt_id desc limit 1))
      order by attempt_id limit ${LIMITS.webhookLogDeletedPerStep}))`
  const parked = await tx`
    update delivery set state = 'void' where account_id = ${accountId} and ctid = any(array(
      select ctid from delivery
      where account_id = ${accountId} and endpoint_id = ${endpointId} and state = 'parked' and number <= (
        select number from delivery where account_id = ${accountId} and endpoint_id = ${endpointId} and state = 'parked'
        order by number desc offset ${LIMITS.webhookParkedMax} limit 1)
      order by number limit ${LIMITS.webhookLogDeletedPerStep}))`
  // deliveries are numbered in the order in which they were planned; the log shows none before the delivery of the oldest attempt
  const deliveries = await tx`
    delete from delivery where account_id = ${accountId} and ctid = any(array(
      select d.ctid from delivery d
      where d.account_id = ${accountId} and d.endpoint_id = ${endpointId} and d.state not in ('waiting', 'parked')
        and d.number < coalesce(
          (select o.number from attempt a join delivery o on o.account_id = a.account_id and o.endpoint_id = a.endpoint_id
              and o.delivery_id = a.delivery_id
            where a.account_id = ${accountId} and a.endpoint_id = ${endpointId} order by a.attempt_id limit 1),
          (select number + 1 from delivery where account_id = ${accountId} and endpoint_id = ${endpointId}
            and created_at < ${oldest} order by number desc limit 1), 0)
        and not exists (select from attempt a where a.account_id = ${accountId} and a.endpoint_id = ${endpointId} and a.delivery_id = d.delivery_id)
      order by d.number limit ${LIMITS.webhookLogDeletedPerStep}))`
  return [attempts, parked, deliveries].some(({ count }) => count === LIMITS.webhookLogDeletedPerStep)
}

/** For every endpoint with pending changes: the age of the oldest one in seconds, by the database's clock. */
export function pendingAges(reader: Reader, limit: number, accounts: Accounts = null) {
  return reader<{ accountId: number; endpointId: number; seconds: number }[]>`
    select s.account_id as "accountId", s.endpoint_id as "endpointId",
      greatest(0, extract(epoch from now() - coalesce(s.pending_since, first.changed_at)))::float8 as seconds
    from endpoint_state s
    join endpoint e on e.account_id = s.account_id and e.endpoint_id = s.endpoint_id
    cross join lateral (select last_id from change_counter c where c.account_id = s.account_id${accountCondition(reader, 'and', accounts)} offset 0) head
    cross join lateral (
      select min(changed_at) as changed_at from (
        (select changed_at from (
            select changed_at, store_id from change where account_id = s.account_id${accountCondition(reader, 'and', accounts)}
              and price_id > s.position and 'price' = any(e.kinds)
            order by price_id limit ${LIMITS.webhookScanEntries}) k where e.store_id is null or store_id = e.store_id limit 1)
        union all
        (select changed_at from (
            select changed_at, store_id from change where account_id = s.account_id${accountCondition(reader, 'and', accounts)}
              and content_id > s.position and 'content' = any(e.kinds)
            order by content_id limit ${LIMITS.webhookScanEntries}) k where e.store_id is null or store_id = e.store_id limit 1)
        union all
        (select changed_at from (
            select changed_at, store_id from change where account_id = s.account_id${accountCondition(reader, 'and', accounts)}
              and removed_id > s.position and 'removed' = any(e.kinds)
            order by removed_id limit ${LIMITS.webhookScanEntries}) k where e.store_id is null or store_id = e.store_id limit 1)
      ) k offset 0
    ) first
    where e.is_enabled and head.last_id > s.position and coalesce(s.pending_since, first.changed_at) is not null
      ${accountCondition(reader, 'and', accounts, 's')}${accountCondition(reader, 'and', accounts, 'e')}
    limit ${limit}`
}
