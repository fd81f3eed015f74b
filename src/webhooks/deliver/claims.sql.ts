import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import type { ChangeKind } from '../../model/change.ts'
import type { StartNumbers } from '../plan/plan.ts'
import type { Secrets } from '../secret.ts'

// Queries of a step of the delivery loop: a fixed number of statements for all endpoints of one account.

/** Accounts with an endpoint that is due. Takes no locks. */
export async function accountsDue(reader: Reader, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct account_id from endpoint_state where due_at <= now()${accountCondition(reader, 'and', accounts)}`
  return rows.map((row) => row.account_id)
}

/**
 * Accounts with an idle endpoint that has changes to send, because a notification was lost, and accounts with an endpoint whose times are in the
 * future, because the clock was set back.
 */
export async function accountsWithUnsentChanges(reader: Reader, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct s.account_id from endpoint_state s
    join endpoint e on e.account_id = s.account_id and e.endpoint_id = s.endpoint_id
    cross join lateral (select last_id from change_counter c where c.account_id = s.account_id${accountCondition(reader, 'and', accounts)} offset 0) head
    where s.due_at is null and e.is_enabled and head.last_id > s.position${accountCondition(reader, 'and', accounts, 's')}${accountCondition(reader, 'and', accounts, 'e')}
    union
    select account_id from endpoint_state
    where account_id > 0 and greatest(sent_at, recent_ends[1]) > now()${accountCondition(reader, 'and', accounts)}`
  return rows.map((row) => row.account_id)
}

/** Accounts with an enabled endpoint. Notifications of other accounts are ignored. */
export async function accountsWithEndpoints(reader: Reader, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct account_id from endpoint where is_enabled${accountCondition(reader, 'and', accounts)}`
  return rows.map((row) => row.account_id)
}

/**
 * Locks endpoints of an account: the given ones, which it waits for, and all others that are idle or due and not locked. Sent at once.
 * @param now null: the database's clock.
 * @returns the ids locked.
 */
export async function endpointsLock(
  tx: Tx,
  accountId: number,
  endpointIds: readonly number[],
  now: Date | null,
): Promise<Set<number>> {
  // the given ones first, because the parts of a union all run in order; the others afterwards, without waiting
  const rows = await tx<{ endpoint_id: number }[]>`
    select endpoint_id from (
      select endpoint_id from endpoint_state
      where account_id = ${accountId} and endpoint_id = any(${[...endpointIds]}::bigint[])
      order by endpoint_id for update
    ) named
    union all
    select endpoint_id from (
      select endpoint_id from endpoint_state
      where account_id = ${accountId} and not endpoint_id = any(${[...endpointIds]}::bigint[]) and ${isEndpointDue(tx, now)}
      order by endpoint_id for update skip locked
    ) others`.execute()
  return new Set(rows.map((row) => row.endpoint_id))
}

/** Whether an endpoint is idle or due, or has times in the future because the clock was set back. */
export const isEndpointDue = (reader: Reader, now: Date | null) => reader`
  (due_at is null or due_at <= coalesce(${now}, now()) or greatest(sent_at, recent_ends[1]) > coalesce(${now}, now()))`

/** An endpoint and its state. A step changes the members that are not readonly (STEP_MEMBERS). Times are by the database's clock. */
export interface EndpointNow extends Readonly<Secrets> {
  readonly endpointId: number
  readonly url: string
  readonly kinds: ChangeKind[]
  /** null: all stores. */
  readonly storeId: number | null
  readonly isEnabled: boolean
  readonly generation: number
  position: number
  readonly starts: StartNumbers
  failures: number
  pausedUntil: Date | null
  /** Deliveries from the log are not sent before this time. */
  retryAt: Date | null
  dueAt: Date | null
  sentAt: Date | null
  /** When the last deliveries ended, the newest first. A delivery whose lease ran out ended when a step noticed that. */
  recentEnds: Date[]
  lastMs: number | null
  leaseId: string | null
  leasedUntil: Date | null
  /** The number of the process that took the lease, if other processes can see its presence (src/db/connections/presence.ts). */
  leaseHolder: number | null
  batchLimit: number
  refusals: number
  accepted: number
  suspectIds: number[]
  pendingSince: Date | null
  /** The account's newest change number. */
  readonly head: number
  /** The number of the account's stores, and how many of them are active. */
  readonly stores: number
  readonly activeStores: number
  now: Date
}

/** Values read with the endpoints: in each of their rows, or in one row without an endpoint. */
interface Beside {
  now: Date
  /** When the first of the endpoints is due that were not read because a step could do nothing for them now. */
  laterDueAt: Date | null
  /** Whether the database is a Citus cluster, whose nodes have the account's rows. */
  isDistributed: boolean
}

/**
 * Reads the endpoints that `endpointsLock` locks with the same arguments, and matching ones that another transaction has locked, which may change at
 * any time. Sent at once. `offset 0` keeps the planner from searching an index over all accounts for the minimum.
 */
export async function endpointsRead(
  reader: Reader,
  accountId: number,
  endpointIds: readonly number[],
  now: Date | null,
): Promise<Beside & { rows: EndpointNow[] }> {
  const found = await reader<(Beside & (EndpointNow | { endpointId: null }))[]>`
    select later.due_at as "laterDueAt", current_setting('citus.shard_count', true) is not null as "isDistributed", clock_timestamp() as now, g.*
    from (
      select min(rest.due_at) as due_at from (
        select due_at from endpoint_state
        where account_id = ${accountId} and not endpoint_id = any(${[...endpointIds]}::bigint[]) and ${isEndpointDue(reader, now)} is not true
        offset 0
      ) rest
    ) later
    left join (
      select s.endpoint_id as "endpointId", e.url, e.kinds, e.store_id as "storeId", e.is_enabled as "isEnabled", e.secret,
        e.previous_secret as "previousSecret", e.previous_until as "previousUntil", e.switch_at as "switchAt", s.generation, s.position, s.starts,
        s.failures, s.paused_until as "pausedUntil", s.retry_at as "retryAt", s.due_at as "dueAt", s.sent_at as "sentAt",
        s.recent_ends as "recentEnds", s.last_ms as "lastMs", s.lease_id as "leaseId", s.leased_until as "leasedUntil",
        s.lease_holder as "leaseHolder", s.batch_limit as "batchLimit", s.refusals, s.accepted, s.suspect_ids as "suspectIds",
        s.pending_since as "pendingSince", c.last_id as head, ${storesOf(reader, accountId)} as stores,
        (select count(*)::int from store where account_id = ${accountId} and deleted_at is null and is_active) as "activeStores"
      from endpoint_state s
      join endpoint e on e.account_id = s.account_id and e.endpoint_id = s.endpoint_id
      join change_counter c on c.account_id = s.account_id
      where s.account_id = ${accountId} and (s.endpoint_id = any(${[...endpointIds]}::bigint[]) or ${isEndpointDue(reader, now)})
      order by s.endpoint_id
    ) g on true`.execute()
  const [first] = found
  if (first === undefined) throw new Error('a row without an endpoint is a row')
  const { now: databaseNow, laterDueAt, isDistributed } = first
  return { rows: found.filter((row) => row.endpointId !== null), now: databaseNow, laterDueAt, isDistributed }
}

/** SQL for the number of an account's stores. The more stores, the more entries of the log have to be scanned. */
export const storesOf = (reader: Reader, accountId: number) => reader`
  (select count(*)::int from store where account_id = ${accountId} and deleted_at is null)`

export type Origin = 'log' | 'redelivery' | 'test'

/** A waiting delivery without its content. */
export interface WaitingDelivery {
  endpointId: number
  deliveryId: string
  origin: Origin
  positionAfter: number | null
  createdAt: Date
  /** The number of attempts so far. */
  attempts: number
  /** A redelivery of parked products, which are parked again if it fails. */
  wasParked: boolean
}

const waitingColumns = (reader: Reader) => reader`
  endpoint_id as "endpointId", delivery_id as "deliveryId", origin, position_after as "positionAfter", created_at as "createdAt", attempts,
  origin <> 'log' and parks is not null as "wasParked"`

/**
 * The next delivery from the log, and the next manual one, of each endpoint that `endpointsLock` locks with the same arguments, except for deliveries
 * in `except`. Includes endpoints that another transaction has locked.
 */
export function deliveriesWaiting(
  reader: Reader,
  accountId: number,
  endpointIds: readonly number[],
  now: Date | null,
  except: readonly string[],
) {
  return reader<WaitingDelivery[]>`
    select d.* from (
      select endpoint_id from endpoint_state
      where account_id = ${accountId} and (endpoint_id = any(${[...endpointIds]}::bigint[]) or ${isEndpointDue(reader, now)}) offset 0
    ) g
    cross join lateral (
      select distinct on (origin = 'log') ${waitingColumns(reader)}
      from delivery where account_id = ${accountId} and endpoint_id = g.endpoint_id and state = 'waiting'
        and not delivery_id = any(${[...except]}::uuid[])
      order by origin = 'log', number offset 0
    ) d`
}

/** The contents of waiting deliveries. A redelivery has no body until it is sent: it is then made from `productIds`. */
export function deliveryContents(
  reader: Reader,
  accountId: number,
  keys: readonly { endpointId: number; deliveryId: string }[],
) {
  return reader<
    {
      deliveryId: string
      event: ChangeKind
      storeId: number | null
      body: string | null
      productIds: number[] | null
    }[]
  >`
    select d.* from unnest(${keys.map((key) => key.endpointId)}::bigint[], ${keys.map((key) => key.deliveryId)}::uuid[])
      as g (endpoint_id, delivery_id)
    cross join lateral (
      select delivery_id as "deliveryId", event, store_id as "storeId", body, product_ids as "productIds"
      from delivery where account_id = ${accountId} and endpoint_id = g.endpoint_id and delivery_id = g.delivery_id
        and state = 'waiting' offset 0
    ) d`
}

/** Which active stores list each of these products now. */
export async function listingNow(
  reader: Reader,
  accountId: number,
  productIds: readonly number[],
): Promise<Map<number, Set<number>>> {
  const rows = await reader<{ store_id: number; product_ids: number[] }[]>`
    select s.store_id, l.product_ids from store s
    cross join lateral (
      select array_agg(product_id) as product_ids from change
      where account_id = ${accountId} and store_id = s.store_id and product_id = any(${[...productIds]}::bigint[]) and removed_id is null
      offset 0
    ) l
    where s.account_id = ${accountId} and s.is_active and l.product_ids is not null`
  const listing = new Map<number, Set<number>>()
  for (const { store_id: storeId, product_ids: found } of rows) {
    for (const productId of found) listing.set(productId, (listing.get(productId) ?? new Set()).add(storeId))
  }
  return listing
}
