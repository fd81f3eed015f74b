import { among, type Accounts } from '../../db/among.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { CHANGE_KINDS, type ChangeKind } from '../../model/change.ts'
import type { Entry, Starts } from '../plan/plan.ts'
import type { Secrets } from '../secret.ts'

// What the delivery loop reads: a step, for all endpoints of one account at once, in a fixed number of statements.

/** Accounts with an endpoint that is due. Takes no lock. */
export async function accountsDue(reader: Reader, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct account_id from endpoint_state where due_at <= now()${among(reader, 'and', accounts)}`
  return rows.map((row) => row.account_id)
}

/** Accounts with an idle endpoint that has changes to send, because a notification was lost, or with one whose times are in the future, because the clock was set back. */
export async function accountsBehind(reader: Reader, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct s.account_id from endpoint_state s
    join endpoint e on e.account_id = s.account_id and e.endpoint_id = s.endpoint_id
    cross join lateral (select last_id from change_counter c where c.account_id = s.account_id${among(reader, 'and', accounts)} offset 0) head
    where s.due_at is null and e.is_enabled and head.last_id > s.position${among(reader, 'and', accounts, 's')}${among(reader, 'and', accounts, 'e')}
    union
    select account_id from endpoint_state
    where account_id > 0 and greatest(sent_at, recent_ends[1]) > now()${among(reader, 'and', accounts)}`
  return rows.map((row) => row.account_id)
}

/** Accounts with an enabled endpoint; notifications of others are ignored. */
export async function accountsWithEndpoints(reader: Reader, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select distinct account_id from endpoint where is_enabled${among(reader, 'and', accounts)}`
  return rows.map((row) => row.account_id)
}

/**
 * Locks endpoints of an account: those named, for which it waits, and all others that are idle or due, unless they are locked. Sent at once.
 * @param now null: the database's clock.
 * @returns the ids locked.
 */
export async function endpointsLock(
  tx: Tx,
  accountId: number,
  endpointIds: readonly number[],
  now: Date | null,
): Promise<Set<number>> {
  const named =
    endpointIds.length === 0
      ? []
      : tx<{ endpoint_id: number }[]>`
        select endpoint_id from endpoint_state
        where account_id = ${accountId} and endpoint_id = any(${[...endpointIds]}::bigint[])
        order by endpoint_id for update`.execute()
  const others = tx<{ endpoint_id: number }[]>`
    select endpoint_id from endpoint_state
    where account_id = ${accountId} and not endpoint_id = any(${[...endpointIds]}::bigint[]) and ${mayBeStepped(tx, now)}
    order by endpoint_id for update skip locked`.execute()
  const locked = await Promise.all([named, others])
  return new Set(locked.flat().map((row) => row.endpoint_id))
}

/** Whether an endpoint is idle or due, or has times in the future, because the clock was set back. */
const mayBeStepped = (reader: Reader, now: Date | null) => reader`
  (due_at is null or due_at <= coalesce(${now}, now()) or greatest(sent_at, recent_ends[1]) > coalesce(${now}, now()))`

/** An endpoint and its state; a step changes what is not readonly (STEP_MEMBERS). Times are by the database's clock. */
export interface EndpointNow extends Readonly<Secrets> {
  readonly endpointId: number
  readonly url: string
  readonly kinds: ChangeKind[]
  /** null: all stores. */
  readonly storeId: number | null
  readonly isEnabled: boolean
  readonly generation: number
  position: number
  readonly starts: Starts
  failures: number
  pausedUntil: Date | null
  /** No delivery from the log is sent before that. */
  retryAt: Date | null
  dueAt: Date | null
  sentAt: Date | null
  /** When the last deliveries ended, the newest first; of a lease that ran out: when that was seen. */
  recentEnds: Date[]
  lastMs: number | null
  leaseId: string | null
  leasedUntil: Date | null
  /** The number of the process that took the lease, if its presence can be seen (src/db/presence.ts). */
  leaseHolder: number | null
  batchLimit: number
  refusals: number
  accepted: number
  suspectIds: number[]
  pendingSince: Date | null
  /** The account's newest change number. */
  readonly head: number
  now: Date
}

/** All endpoints of an account; those not locked may change at any time. */
export function endpointsRead(reader: Reader, accountId: number) {
  return reader<EndpointNow[]>`
    select s.endpoint_id as "endpointId", e.url, e.kinds, e.store_id as "storeId", e.is_enabled as "isEnabled", e.secret,
      e.previous_secret as "previousSecret", e.previous_until as "previousUntil", e.switch_at as "switchAt", s.generation, s.position, s.starts,
      s.failures, s.paused_until as "pausedUntil", s.retry_at as "retryAt", s.due_at as "dueAt", s.sent_at as "sentAt", s.recent_ends as "recentEnds", s.last_ms as "lastMs",
      s.lease_id as "leaseId", s.leased_until as "leasedUntil", s.lease_holder as "leaseHolder", s.batch_limit as "batchLimit", s.refusals, s.accepted,
      s.suspect_ids as "suspectIds", s.pending_since as "pendingSince", c.last_id as head, clock_timestamp() as now
    from endpoint_state s
    join endpoint e on e.account_id = s.account_id and e.endpoint_id = s.endpoint_id
    join change_counter c on c.account_id = s.account_id
    where s.account_id = ${accountId} order by s.endpoint_id`
}

export type Origin = 'log' | 'redelivery' | 'test'

/** A delivery that waits, without its content. */
export interface WaitingDelivery {
  endpointId: number
  deliveryId: string
  origin: Origin
  positionAfter: number | null
  createdAt: Date
  /** How often it was tried. */
  attempts: number
  /** A redelivery of parked products: they are parked again if it fails. */
  wasParked: boolean
}

const waitingColumns = (reader: Reader) => reader`
  endpoint_id as "endpointId", delivery_id as "deliveryId", origin, position_after as "positionAfter", created_at as "createdAt", attempts,
  origin <> 'log' and parks is not null as "wasParked"`

/**
 * The next delivery from the log, and the next that its owner asked for, without those in `except`, of each endpoint that `endpointsLock` has locked
 * with the same arguments; of others, too, if they were locked by somebody else.
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
      where account_id = ${accountId} and (endpoint_id = any(${[...endpointIds]}::bigint[]) or ${mayBeStepped(reader, now)}) offset 0
    ) g
    cross join lateral (
      select distinct on (origin = 'log') ${waitingColumns(reader)}
      from delivery where account_id = ${accountId} and endpoint_id = g.endpoint_id and state = 'waiting'
        and not delivery_id = any(${[...except]}::uuid[])
      order by origin = 'log', number offset 0
    ) d`
}

/** The contents of deliveries that wait. A redelivery has no body until it is sent: then it is made from `productIds`. */
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

/** What to scan of the log for one endpoint. */
export interface ScanRequest {
  endpointId: number
  position: number
  kinds: readonly ChangeKind[]
  storeId: number | null
  /** Entries to look at, at most. */
  limit: number
}

export interface Scan {
  endpointId: number
  /** In number order; other stores' entries count towards `limit` and are left out. */
  entries: Entry[]
  /** Everything up to this number was scanned. */
  scannedTo: number
  /** Whether the scan ended at `limit`. */
  isFull: boolean
}

type Packed = [number: number, kind: 0 | 1 | 2, storeId: number, productId: number, changedAtSeconds: number]

/**
 * The log after each endpoint's position, in number order over all kinds it listens to. One statement, hence one snapshot, which
 * has every number up to the head. Entries of other stores count towards the limit: a quiet store among busy ones then costs a
 * bounded scan, and the position moves past them. The server packs the entries as JSON, as it does for a page of the feed.
 */
export async function logScan(reader: Reader, accountId: number, requests: readonly ScanRequest[]): Promise<Scan[]> {
  // endpoints at the same position with the same subscription share a scan
  const alike = Map.groupBy(requests, (one) => `${one.position} ${one.limit} ${one.storeId} ${one.kinds.join()}`)
  const scanned = [...alike.values()].flatMap(([first]) => first ?? [])
  // 1 or 0, as the statement below compares them
  const listens = (kind: ChangeKind) => scanned.map((one) => Number(one.kinds.includes(kind)))
  const rows = await reader<
    { endpointId: number; head: number; found: number; last: number | null; packed: string | null; limit: number }[]
  >`
    select g.endpoint_id as "endpointId", g.entries as "limit", head.last_id as head, w.found, w.last, w.packed
    from unnest(${scanned.map((one) => one.endpointId)}::bigint[], ${scanned.map((one) => one.position)}::bigint[],
      ${scanned.map((one) => one.storeId ?? 0)}::bigint[], ${listens('price')}::int[], ${listens('content')}::int[],
      ${listens('removed')}::int[], ${scanned.map((one) => one.limit)}::int[]) as g (endpoint_id, position, store_id, price, content, removed, entries)
    cross join (select last_id from change_counter where account_id = ${accountId} offset 0) head
    cross join lateral (
      select count(*)::int as found, max(u.number) as last,
        string_agg(concat('[', u.number, ',', u.kind, ',', u.store_id, ',', u.product_id, ',', extract(epoch from u.changed_at)::bigint, ']'),
          ',' order by u.number) filter (where g.store_id in (0, u.store_id)) as packed
      from (
        select * from (
          (select price_id as number, 0 as kind, store_id, product_id, changed_at from change
            where account_id = ${accountId} and price_id > g.position and g.price = 1 order by price_id limit g.entries)
          union all
          (select content_id, 1, store_id, product_id, changed_at from change
            where account_id = ${accountId} and content_id > g.position and g.content = 1 order by content_id limit g.entries)
          union all
          (select removed_id, 2, store_id, product_id, changed_at from change
            where account_id = ${accountId} and removed_id > g.position and g.removed = 1 order by removed_id limit g.entries)
        ) k order by number limit g.entries
      ) u offset 0
    ) w`
  const scans = rows.map(({ endpointId, head, found, last, packed, limit }) => ({
    endpointId,
    scannedTo: found === limit ? (last ?? head) : head,
    isFull: found === limit,
    entries: (JSON.parse(`[${packed ?? ''}]`) as Packed[]).map(([number, kind, storeId, productId, changedAt]) => ({
      number,
      kind: CHANGE_KINDS[kind],
      storeId,
      productId,
      changedAt,
    })),
  }))
  return [...alike.values()].flatMap((group) => {
    const scan = scans.find(({ endpointId }) => endpointId === group[0]?.endpointId)
    return scan === undefined ? [] : group.map(({ endpointId }) => ({ ...scan, endpointId }))
  })
}

/** The active stores that list each of these products now. */
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
