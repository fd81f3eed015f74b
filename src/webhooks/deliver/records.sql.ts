import { ownerOf } from '../../db/fragments/owner.sql.ts'
import { jsonTexts } from '../../db/statements/json-texts.ts'
import type { Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Secrets } from '../secret.ts'
import type { EndpointNow, Origin } from './claims.sql.ts'
import type { Announcement } from '../plan/plan.ts'

// Writes of a step of the delivery loop, and of manual deliveries: each function is one statement for all endpoints of an account, sent at once. A
// caller that does not await it gets its failure with the commit, which then fails.

/** A planned delivery. `body` null: made when it is sent. */
export interface NewDelivery extends Announcement {
  endpointId: number
  deliveryId: string
  origin: Origin
  body: string | null
  positionAfter: number | null
  /** Products that are parked once this delivery is acknowledged. */
  parks: Announcement[] | null
}

type DeliveryState = 'waiting' | 'delivered' | 'void' | 'expired' | 'parked' | 'failed' | 'empty'

/** Inserts deliveries, to be sent in the given order. Product ids are stored only if there is no body, which contains them. */
export function deliveriesInsert(tx: Tx, accountId: number, deliveries: readonly NewDelivery[]): Promise<unknown> {
  if (deliveries.length === 0) return Promise.resolve()
  return insertOf(tx, accountId, deliveries).execute()
}

function insertOf(tx: Tx, accountId: number, deliveries: readonly NewDelivery[]) {
  const column = <T>(value: (row: NewDelivery) => T) => deliveries.map(value)
  return tx`
    insert into delivery (account_id, endpoint_id, delivery_id, origin, state, event, store_id, products, product_ids, body, position_after, parks)
    select owner.account_id, endpoint_id, delivery_id, origin, 'waiting', event, store_id, products, product_ids::bigint[], body, position_after, parks::jsonb
    from ${ownerOf(tx, accountId)}, unnest(${column((row) => row.endpointId)}::bigint[], ${column((row) => row.deliveryId)}::uuid[], ${column((row) => row.origin)}::text[],
      ${column((row) => row.event)}::text[], ${column((row) => row.storeId)}::bigint[], ${column((row) => row.productIds.length)}::int[],
      ${column((row) => (row.body === null ? `{${row.productIds.join(',')}}` : null))}::text[],
      string_to_array(${jsonTexts(column((row) => row.body ?? 'null'))}, E'\\x1e', 'null'),
      ${column((row) => row.positionAfter)}::bigint[], ${column((row) => (row.parks === null ? null : JSON.stringify(row.parks)))}::text[])
      with ordinality as d (endpoint_id, delivery_id, origin, event, store_id, products, product_ids, body, position_after, parks, place)
    order by place`
}

/** A delivery's state after an attempt, or its new state without one. */
export interface DeliveryEnd {
  endpointId: number
  deliveryId: string
  state: DeliveryState
  /** The body made for its first attempt; null keeps the stored one. */
  body: string | null
  /** Whether this counts as an attempt. */
  isTried: boolean
}

/**
 * Changes the state of waiting deliveries. The form of the statement makes the planner find them by the index of waiting ones or by the primary key
 * rather than, while the table is small and has no statistics, by the index of everything ever sent to an endpoint: by `l.delivery_id` it expects one
 * row, which it fetches by ctid. docs/decisions/237-the-usual-course-of-a-delivery.md says why.
 */
export function deliveriesUpdate(tx: Tx, accountId: number, ends: readonly DeliveryEnd[]): Promise<unknown> {
  if (ends.length === 0) return Promise.resolve()
  return updateOf(tx, accountId, ends).execute()
}

function updateOf(tx: Tx, accountId: number, ends: readonly DeliveryEnd[]) {
  return tx`
    update delivery d set state = g.state, body = coalesce(g.body, d.body), attempts = d.attempts + g.tried
    from (select l.tid, g.state, g.body, g.tried from unnest(${ends.map((end) => end.endpointId)}::bigint[], ${ends.map((end) => end.deliveryId)}::uuid[],
      ${ends.map((end) => end.state)}::text[], ${ends.map((end) => end.body)}::text[], ${ends.map((end) => Number(end.isTried))}::int[])
      as g (endpoint_id, delivery_id, state, body, tried)
      cross join lateral (
        select ctid as tid, delivery_id from delivery where account_id = ${accountId} and endpoint_id = g.endpoint_id and delivery_id = g.delivery_id
          and state = 'waiting' offset 0
      ) l where l.delivery_id = g.delivery_id) g
    where d.account_id = ${accountId} and d.ctid = g.tid`
}

/**
 * Ends the waiting deliveries from the log of these endpoints; with `everything`, also manual ones. Parked products that wait for another attempt are
 * parked again: the position is already beyond them, so nothing else would announce them.
 */
export function deliveriesVoid(
  tx: Tx,
  accountId: number,
  endpointIds: readonly number[],
  state: 'void' | 'expired',
  everything = false,
): Promise<unknown> {
  if (endpointIds.length === 0) return Promise.resolve()
  return tx`
    update delivery set state = case when origin <> 'log' and parks is not null then 'parked' else ${state} end
    where account_id = ${accountId} and ctid = any(array(
      select d.ctid from unnest(${[...endpointIds]}::bigint[]) as g (endpoint_id)
      cross join lateral (
        select ctid, origin from delivery where account_id = ${accountId} and endpoint_id = g.endpoint_id and state = 'waiting' offset 0
      ) d
      where d.origin = 'log' or ${everything}))`.execute()
}

/**
 * Announces suspects once more, each in a delivery of its own, because the endpoint may have refused everything until the delivery that it accepted.
 * If they are refused again, they are parked, and sent only when the owner asks for it.
 */
export function suspectsReannounce(
  tx: Tx,
  accountId: number,
  deliveries: readonly { endpointId: number; deliveryId: string }[],
): Promise<unknown> {
  if (deliveries.length === 0) return Promise.resolve()
  return tx`
    with refused as materialized (
      select g.endpoint_id, d.parks
      from unnest(${deliveries.map((row) => row.endpointId)}::bigint[], ${deliveries.map((row) => row.deliveryId)}::uuid[])
        as g (endpoint_id, delivery_id)
      cross join lateral (
        select parks from delivery where account_id = ${accountId} and endpoint_id = g.endpoint_id and delivery_id = g.delivery_id
          and parks is not null offset 0
      ) d
    )
    insert into delivery (account_id, endpoint_id, delivery_id, origin, state, event, store_id, products, product_ids, parks)
    select ${accountId}, r.endpoint_id, gen_random_uuid(), 'redelivery', 'waiting', p.event, p."storeId", jsonb_array_length(p."productIds"),
      array(select jsonb_array_elements_text(p."productIds")::bigint), r.parks
    from refused r cross join lateral jsonb_to_recordset(r.parks) as p (event text, "storeId" bigint, "productIds" jsonb)`.execute()
}

/** One attempt, as the delivery log shows it. */
export interface NewAttempt {
  endpointId: number
  deliveryId: string
  /** By this process's clock. */
  beganAt: Date
  durationMs: number
  outcome: 'delivered' | 'failed' | 'own_fault' | 'stale'
  status: number | null
  fault: string | null
  answer: string | null
}

/** A statement that inserts attempts. */
function attemptsOf(tx: Tx, accountId: number, attempts: readonly NewAttempt[]) {
  return tx`
    insert into attempt (account_id, endpoint_id, delivery_id, began_at, duration_ms, outcome, status, fault, answer)
    select ${accountId}, * from unnest(${attempts.map((row) => row.endpointId)}::bigint[], ${attempts.map((row) => row.deliveryId)}::uuid[],
      ${attempts.map((row) => row.beganAt.toISOString())}::timestamptz[], ${attempts.map((row) => row.durationMs)}::int[],
      ${attempts.map((row) => row.outcome)}::text[], ${attempts.map((row) => row.status)}::smallint[],
      ${attempts.map((row) => row.fault)}::text[], ${attempts.map((row) => row.answer)}::text[])`
}

/** The members of an endpoint's state that a step may change. The others are set by its owner or read with it. */
type StepMember = Exclude<
  keyof EndpointNow,
  | keyof Secrets
  | 'endpointId'
  | 'url'
  | 'kinds'
  | 'storeId'
  | 'isEnabled'
  | 'generation'
  | 'starts'
  | 'head'
  | 'stores'
  | 'activeStores'
  | 'now'
>
/** All of them: a missing member is a type error, because changes of it would be neither noticed nor written. */
export const STEP_MEMBERS = Object.keys({
  position: true,
  failures: true,
  pausedUntil: true,
  retryAt: true,
  dueAt: true,
  sentAt: true,
  recentEnds: true,
  lastMs: true,
  leaseId: true,
  leasedUntil: true,
  leaseHolder: true,
  batchLimit: true,
  refusals: true,
  accepted: true,
  suspectIds: true,
  pendingSince: true,
} satisfies Record<StepMember, true>) as StepMember[]

/** The members that an accepted delivery, and the claim of the next one, change. */
const COURSE_MEMBERS = {
  position: true,
  dueAt: true,
  sentAt: true,
  recentEnds: true,
  lastMs: true,
  leaseId: true,
  leasedUntil: true,
  leaseHolder: true,
  accepted: true,
  pendingSince: true,
} satisfies Partial<Record<StepMember, true>>
const OTHER_MEMBERS = STEP_MEMBERS.filter((member) => !Object.hasOwn(COURSE_MEMBERS, member))

/** An endpoint's state after a step, and as it was read. */
export interface ChangedState {
  row: Readonly<EndpointNow>
  before: Readonly<EndpointNow>
}

/** Whether a step changed a member of an endpoint's state. */
function differs(row: Readonly<EndpointNow>, before: Readonly<EndpointNow>, member: StepMember): boolean {
  const [now, then] = [row[member], before[member]]
  if (now instanceof Date && then instanceof Date) return now.getTime() !== then.getTime()
  // a list is replaced, never changed
  if (Array.isArray(now) && Array.isArray(then))
    return now.length !== then.length || now.some((one, i) => one !== then[i])
  return now !== then
}

/** Whether a step changed an endpoint's state; otherwise it is not written. */
export const hasChanged = ({ row, before }: ChangedState): boolean =>
  STEP_MEMBERS.some((member) => differs(row, before, member))

/** Whether `coursesWrite` can write all changes: only COURSE_MEMBERS have changed, and `recentEnds` by at most one newer entry. */
export function fitsCoursesWrite({ row, before }: ChangedState): boolean {
  if (OTHER_MEMBERS.some((member) => differs(row, before, member))) return false
  if (row.recentEnds === before.recentEnds) return true
  const earlier = before.recentEnds.slice(0, LIMITS.webhookRecentEndsMax - 1)
  return row.recentEnds.length === earlier.length + 1 && earlier.every((ended, i) => ended === row.recentEnds.at(i + 1))
}

const textOf = (at: Date | null | undefined) => at?.toISOString() ?? null

/** A statement that updates COURSE_MEMBERS of locked endpoints, in a third of the time of `endpointStatesUpdate`. */
function coursesOf(tx: Tx, accountId: number, states: readonly ChangedState[]) {
  const column = <T>(value: (row: Readonly<EndpointNow>) => T) => states.map(({ row }) => value(row))
  const ended = states.map(({ row, before }) => (row.recentEnds === before.recentEnds ? null : row.recentEnds[0]))
  return tx`
    update endpoint_state s set position = g.position, due_at = g.due_at, sent_at = g.sent_at, last_ms = g.last_ms, lease_id = g.lease_id,
      leased_until = g.leased_until, lease_holder = g.lease_holder, accepted = g.accepted, pending_since = g.pending_since,
      recent_ends = case when g.ended_at is null then s.recent_ends else (array_prepend(g.ended_at, s.recent_ends))[1:${LIMITS.webhookRecentEndsMax}::int] end
    from unnest(${column((row) => row.endpointId)}::bigint[], ${column((row) => row.position)}::bigint[], ${column((row) => textOf(row.dueAt))}::timestamptz[],
      ${column((row) => textOf(row.sentAt))}::timestamptz[], ${column((row) => row.lastMs)}::int[], ${column((row) => row.leaseId)}::uuid[],
      ${column((row) => textOf(row.leasedUntil))}::timestamptz[], ${column((row) => row.leaseHolder)}::int[], ${column((row) => row.accepted)}::int[],
      ${column((row) => textOf(row.pendingSince))}::timestamptz[], ${ended.map(textOf)}::timestamptz[])
      as g (endpoint_id, position, due_at, sent_at, last_ms, lease_id, leased_until, lease_holder, accepted, pending_since, ended_at)
    where s.account_id = ${accountId} and s.endpoint_id = g.endpoint_id`
}

/** The writes of deliveries that take their usual course. */
export interface Courses {
  ends: readonly DeliveryEnd[]
  planned: readonly NewDelivery[]
  attempts: readonly NewAttempt[]
  states: readonly ChangedState[]
}

/**
 * Ends deliveries, inserts new ones, adds attempts and updates states. None of these reads what another writes, so they are one statement: sending,
 * starting and ending a statement takes as long as writing a row or two. On a Citus cluster they are four statements, because its coordinator would
 * run each part separately and fetch its result (measured: half as long again).
 */
export function coursesWrite(
  tx: Tx,
  accountId: number,
  { ends, planned, attempts, states }: Courses,
  isDistributed: boolean,
): Promise<unknown> {
  const parts = [
    ends.length > 0 && updateOf(tx, accountId, ends),
    planned.length > 0 && insertOf(tx, accountId, planned),
    attempts.length > 0 && attemptsOf(tx, accountId, attempts),
    states.length > 0 && coursesOf(tx, accountId, states),
  ].filter((part) => part !== false)
  if (isDistributed || parts.length < 2) {
    const written = Promise.all(parts.map((part) => part.execute()))
    // a step does not await this and learns of a failure from its commit; an unhandled rejection would end the process
    written.catch(() => {})
    return written
  }
  return tx`
    with ended as (${updateOf(tx, accountId, ends)}), planned as (${insertOf(tx, accountId, planned)}), tried as (${attemptsOf(tx, accountId, attempts)})
    ${coursesOf(tx, accountId, states)}`.execute()
}

/** The members of a row that are sent. */
const SENT = ['endpointId', ...STEP_MEMBERS]

/** Updates STEP_MEMBERS of locked endpoints. */
export function endpointStatesUpdate(
  tx: Tx,
  accountId: number,
  rows: readonly Readonly<EndpointNow>[],
): Promise<unknown> {
  if (rows.length === 0) return Promise.resolve()
  return tx`
    update endpoint_state s set position = g.position, failures = g.failures,
      paused_until = g."pausedUntil", retry_at = g."retryAt", due_at = g."dueAt", sent_at = g."sentAt", recent_ends = g."recentEnds", last_ms = g."lastMs", lease_id = g."leaseId",
      leased_until = g."leasedUntil", lease_holder = g."leaseHolder", batch_limit = g."batchLimit", refusals = g.refusals, accepted = g.accepted,
      suspect_ids = array(select jsonb_array_elements_text(g."suspectIds")::bigint), pending_since = g."pendingSince"
    from jsonb_to_recordset(${JSON.stringify(rows, SENT)}::text::jsonb) as g ("endpointId" bigint, position bigint,
      failures int, "pausedUntil" timestamptz, "retryAt" timestamptz, "dueAt" timestamptz, "sentAt" timestamptz, "recentEnds" timestamptz[], "lastMs" int,
      "leaseId" uuid, "leasedUntil" timestamptz, "leaseHolder" int, "batchLimit" int, refusals int, accepted int, "suspectIds" jsonb,
      "pendingSince" timestamptz)
    where s.account_id = ${accountId} and s.endpoint_id = g."endpointId"`.execute()
}
