import type { Reader } from '../../db/sql.ts'
import type { ChangeKind } from '../../model/change.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { AttemptRow } from './deliveries.sql.ts'
import { must } from '../../platform/must.ts'

// The delivery log as the panel shows it. An endpoint's log has at most LIMITS.webhookLogAttemptsMax attempts and the deliveries
// since the oldest of them, so reading all of it is bounded.

export interface NumberedAttempt extends AttemptRow {
  /** The number of this attempt among those of its delivery, from 1, counting only attempts that are still in the log. */
  number: number
}

/** A query of all attempts in an endpoint's log with their numbers. */
const numbered = (reader: Reader, accountId: number, endpointId: number) => reader`
  select a.attempt_id, a.delivery_id, a.began_at, a.duration_ms, a.outcome, a.status, a.fault, a.answer,
    row_number() over (partition by a.delivery_id order by a.attempt_id) as number
  from attempt a where a.account_id = ${accountId} and a.endpoint_id = ${endpointId}`

/** Attempts, newest first. `before` and `after` are ids of attempts, exclusive; filters that are not given match everything. */
export function attemptsPage(
  reader: Reader,
  accountId: number,
  endpointId: number,
  page: {
    before?: number | undefined
    after?: number | undefined
    outcome?: string | undefined
    event?: string | undefined
    limit: number
  },
) {
  const { before = Number.MAX_SAFE_INTEGER, after, outcome = null, event = null, limit } = page
  return reader<NumberedAttempt[]>`
    select * from (
      select a.attempt_id as "attemptId", a.delivery_id as "deliveryId", d.origin, d.event, d.store_id as "storeId", d.products,
        a.began_at as "beganAt", a.duration_ms as "durationMs", a.outcome, a.status, a.fault, a.answer, a.number::int as number
      from (${numbered(reader, accountId, endpointId)}) a
      cross join lateral (
        select origin, event, store_id, products from delivery
        where account_id = ${accountId} and endpoint_id = ${endpointId} and delivery_id = a.delivery_id offset 0
      ) d
      where a.attempt_id < ${before} and a.attempt_id > ${after ?? 0} and (${outcome}::text is null or a.outcome = ${outcome})
        and (${event}::text is null or d.event = ${event})
      order by ${after === undefined ? reader`a.attempt_id desc` : reader`a.attempt_id`} limit ${limit}
    ) page order by "attemptId" desc`
}

/** Attempts of one delivery, oldest first. */
export function attemptsOfDelivery(reader: Reader, accountId: number, endpointId: number, deliveryId: string) {
  return reader<NumberedAttempt[]>`
    select a.attempt_id as "attemptId", a.delivery_id as "deliveryId", d.origin, d.event, d.store_id as "storeId", d.products,
      a.began_at as "beganAt", a.duration_ms as "durationMs", a.outcome, a.status, a.fault, a.answer,
      row_number() over (order by a.attempt_id)::int as number
    from attempt a
    join delivery d on d.account_id = ${accountId} and d.endpoint_id = ${endpointId} and d.delivery_id = a.delivery_id
    where a.account_id = ${accountId} and a.endpoint_id = ${endpointId} and a.delivery_id = ${deliveryId}
    order by a.attempt_id`
}

export interface PanelDelivery {
  deliveryId: string
  number: number
  origin: 'log' | 'redelivery' | 'test'
  state: 'waiting' | 'delivered' | 'failed' | 'parked' | 'expired' | 'void' | 'empty'
  event: ChangeKind
  storeId: number | null
  products: number
  createdAt: Date
  attempts: number
  /** When a waiting delivery is retried; null: as soon as it is its turn. */
  nextAttemptAt: Date | null
  lastBeganAt: Date | null
  lastDurationMs: number | null
  lastOutcome: AttemptRow['outcome'] | null
  lastStatus: number | null
  lastFault: string | null
}

const deliveryColumns = (reader: Reader) => reader`
  d.delivery_id as "deliveryId", d.number, d.origin, d.state, d.event, d.store_id as "storeId", d.products,
  d.created_at as "createdAt", d.attempts,
  case when d.state = 'waiting' and d.origin = 'log' and greatest(s.retry_at, s.paused_until) > now()
    then greatest(s.retry_at, s.paused_until) end as "nextAttemptAt",
  a.began_at as "lastBeganAt", a.duration_ms as "lastDurationMs", a.outcome as "lastOutcome", a.status as "lastStatus",
  a.fault as "lastFault"`

/** A query of the newest attempt of each delivery of an endpoint. */
const newestAttempts = (reader: Reader, accountId: number, endpointId: number) => reader`
  select distinct on (delivery_id) delivery_id, began_at, duration_ms, outcome, status, fault from attempt
  where account_id = ${accountId} and endpoint_id = ${endpointId} order by delivery_id, attempt_id desc`

const ofProduct = (reader: Reader, productId: number) => reader`
  (${productId} = any(d.product_ids) or (d.body is not null and d.body::jsonb -> 'product_ids' @> ${String(productId)}::text::jsonb))`

/** Deliveries, newest first. `before` is the number of a delivery, exclusive. */
export function deliveriesPage(
  reader: Reader,
  accountId: number,
  endpointId: number,
  page: {
    before?: number | undefined
    state?: string | undefined
    event?: string | undefined
    origin?: string | undefined
    productId?: number | undefined
    limit: number
  },
) {
  const { before = Number.MAX_SAFE_INTEGER, state = null, event = null, origin = null, productId, limit } = page
  return reader<PanelDelivery[]>`
    select ${deliveryColumns(reader)}
    from delivery d
    join endpoint_state s on s.account_id = ${accountId} and s.endpoint_id = ${endpointId}
    left join (${newestAttempts(reader, accountId, endpointId)}) a on a.delivery_id = d.delivery_id
    where d.account_id = ${accountId} and d.endpoint_id = ${endpointId} and d.number < ${before}
      and (${state}::text is null or d.state = ${state}) and (${event}::text is null or d.event = ${event})
      and (${origin}::text is null or d.origin = ${origin})
      and ${productId === undefined ? reader`true` : ofProduct(reader, productId)}
    order by d.number desc limit ${limit}`
}

/** One delivery with its body and products. */
export async function deliveryDetail(reader: Reader, accountId: number, endpointId: number, deliveryId: string) {
  const [row] = await reader<(PanelDelivery & { body: string | null; productIds: number[] })[]>`
    select ${deliveryColumns(reader)}, d.body,
      coalesce(d.product_ids, array(select jsonb_array_elements_text(d.body::jsonb -> 'product_ids')::bigint)) as "productIds"
    from delivery d
    join endpoint_state s on s.account_id = ${accountId} and s.endpoint_id = ${endpointId}
    left join (
      select delivery_id, began_at, duration_ms, outcome, status, fault from attempt
      where account_id = ${accountId} and endpoint_id = ${endpointId} and delivery_id = ${deliveryId}
      order by attempt_id desc limit 1
    ) a on true
    where d.account_id = ${accountId} and d.endpoint_id = ${endpointId} and d.delivery_id = ${deliveryId}`
  return row
}

/** Attempts of all endpoints of an account per hour since a time, for charts; at most LIMITS.webhookLogAttemptsMax per endpoint. */
export function attemptsPerHour(reader: Reader, accountId: number, since: Date) {
  return reader<{ hour: Date; delivered: number; failed: number }[]>`
    select date_trunc('hour', began_at, 'UTC') as hour, count(*) filter (where outcome = 'delivered')::int as delivered,
      count(*) filter (where outcome = 'failed')::int as failed
    from attempt where account_id = ${accountId} and began_at >= ${since} group by 1 order by 1`
}

export interface EndpointHealthRow {
  endpointId: number
  failingSince: Date | null
  lastDeliveredAt: Date | null
  lastFailedAt: Date | null
  lastStatus: number | null
  lastFault: string | null
}

/** The health of endpoints by the log: the present series of failures, and the last success. Tests do not count. */
export function endpointHealths(reader: Reader, accountId: number, endpointId: number | null) {
  // offset 0 makes this a look-up per attempt, whatever the statistics say
  const isNoTest = reader`
    select 1 from delivery
    where account_id = ${accountId} and endpoint_id = a.endpoint_id and delivery_id = a.delivery_id and origin <> 'test' offset 0`
  return reader<EndpointHealthRow[]>`
    select s.endpoint_id as "endpointId", first.began_at as "failingSince", good.began_at as "lastDeliveredAt",
      bad.began_at as "lastFailedAt", bad.status as "lastStatus", bad.fault as "lastFault"
    from endpoint_state s
    left join lateral (
      select began_at from attempt
      where account_id = ${accountId} and endpoint_id = s.endpoint_id and outcome = 'delivered' order by attempt_id desc limit 1
    ) good on true
    left join lateral (
      select a.began_at, a.status, a.fault from attempt a
      cross join lateral (${isNoTest}) d
      where s.failures > 0 and a.account_id = ${accountId} and a.endpoint_id = s.endpoint_id and a.outcome = 'failed'
      order by a.attempt_id desc limit 1
    ) bad on true
    left join lateral (
      select a.began_at from attempt a
      cross join lateral (${isNoTest}) d
      where s.failures > 0 and a.account_id = ${accountId} and a.endpoint_id = s.endpoint_id and a.outcome = 'failed'
      order by a.attempt_id desc offset greatest(s.failures - 1, 0) limit 1
    ) first on true
    where s.account_id = ${accountId} and (${endpointId}::bigint is null or s.endpoint_id = ${endpointId})
    order by s.endpoint_id`
}

/** How many products have changes that an endpoint has not acknowledged, counted up to LIMITS.overviewWaitingMax + 1. */
export async function waitingProducts(reader: Reader, accountId: number, endpointId: number): Promise<number> {
  const most = LIMITS.overviewWaitingMax + 1
  const [row] = await reader<{ products: number }[]>`
    select count(*)::int as products from (
      select distinct found.product_id
      from endpoint e
      join endpoint_state s on s.account_id = ${accountId} and s.endpoint_id = e.endpoint_id
      cross join lateral (
        (select product_id, store_id, 'price' as kind, price_id as number from change
          where account_id = ${accountId} and price_id > s.position and 'price' = any(e.kinds) order by price_id limit ${most})
        union all
        (select product_id, store_id, 'content', content_id from change
          where account_id = ${accountId} and content_id > s.position and 'content' = any(e.kinds) order by content_id limit ${most})
        union all
        (select product_id, store_id, 'removed', removed_id from change
          where account_id = ${accountId} and removed_id > s.position and 'removed' = any(e.kinds) order by removed_id limit ${most})
      ) found
      where e.account_id = ${accountId} and e.endpoint_id = ${endpointId} and (e.store_id is null or found.store_id = e.store_id)
        and found.number > coalesce((s.starts -> found.kind ->> found.store_id::text)::bigint, (s.starts -> found.kind ->> '0')::bigint, 0)
      limit ${most}
    ) waiting`
  return must(row).products
}
