import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { ChangeKind } from '../../model/change.ts'
import type { StartNumbers } from '../plan/plan.ts'
import { must } from '../../platform/must.ts'

// Reads and changes of endpoints by their owners.

export interface EndpointRow {
  endpointId: number
  url: string
  kinds: ChangeKind[]
  /** null: all stores. */
  storeId: number | null
  isEnabled: boolean
  createdAt: Date
  /** When the latest secret begins to sign X-Service-Signature; null: it already does. */
  switchAt: Date | null
  /** Until when the previous secret signs, in either header; null: there is none. */
  previousUntil: Date | null
  failures: number
  /** Until when the endpoint is paused; null: it is not. */
  pausedUntil: Date | null
  /** When a failed delivery is retried; null: none is waiting. */
  retryAt: Date | null
  isInFlight: boolean
  batchLimit: number
  /** Changes up to this number are acknowledged. */
  position: number
  /** The account's newest change number. */
  head: number
  /** The time of the oldest pending change that was read. */
  pendingSince: Date | null
  /** The number of parked deliveries, whose products were refused alone. */
  parked: number
}

const columns = (reader: Reader, accountId: number) => reader`
  e.endpoint_id as "endpointId", e.url, e.kinds, e.store_id as "storeId", e.is_enabled as "isEnabled", e.created_at as "createdAt",
  case when e.switch_at > now() and e.previous_until > now() then e.switch_at end as "switchAt",
  case when e.previous_until > now() then e.previous_until end as "previousUntil", s.failures, s.paused_until as "pausedUntil",
  case when s.retry_at > now() then s.retry_at end as "retryAt", coalesce(s.leased_until > now(), false) as "isInFlight",
  s.batch_limit as "batchLimit", s.position, c.last_id as head, s.pending_since as "pendingSince",
  (select count(*)::int from delivery d where d.account_id = ${accountId} and d.endpoint_id = e.endpoint_id and d.state = 'parked') as parked`

export function endpointsList(reader: Reader, accountId: number) {
  return reader<EndpointRow[]>`
    select ${columns(reader, accountId)} from endpoint e
    join endpoint_state s on s.account_id = e.account_id and s.endpoint_id = e.endpoint_id
    join change_counter c on c.account_id = e.account_id
    where e.account_id = ${accountId} order by e.endpoint_id`
}

export async function endpointGet(
  reader: Reader,
  accountId: number,
  endpointId: number,
): Promise<EndpointRow | undefined> {
  const [row] = await reader<EndpointRow[]>`
    select ${columns(reader, accountId)} from endpoint e
    join endpoint_state s on s.account_id = e.account_id and s.endpoint_id = e.endpoint_id
    join change_counter c on c.account_id = e.account_id
    where e.account_id = ${accountId} and e.endpoint_id = ${endpointId}`
  return row
}

/** An endpoint whose state row is locked: nothing is claimed or recorded for it until the transaction ends. */
export interface LockedEndpoint {
  endpointId: number
  url: string
  kinds: ChangeKind[]
  storeId: number | null
  isEnabled: boolean
  previousUntil: Date | null
  switchAt: Date | null
  generation: number
  position: number
  starts: StartNumbers
  failures: number
  pausedUntil: Date | null
  head: number
  now: Date
}

/** Locks the endpoint's state as a step of the delivery loop does, so that edits and steps run one after the other. */
export async function endpointLock(tx: Tx, accountId: number, endpointId: number): Promise<LockedEndpoint | undefined> {
  await tx`select 1 from endpoint_state where account_id = ${accountId} and endpoint_id = ${endpointId} for update`
  // a second statement, because it sees what was committed while the first one waited
  const [row] = await tx<LockedEndpoint[]>`
    select s.endpoint_id as "endpointId", e.url, e.kinds, e.store_id as "storeId", e.is_enabled as "isEnabled",
      e.previous_until as "previousUntil", e.switch_at as "switchAt", s.generation, s.position, s.starts, s.failures, s.paused_until as "pausedUntil",
      c.last_id as head, clock_timestamp() as now
    from endpoint_state s
    join endpoint e on e.account_id = s.account_id and e.endpoint_id = s.endpoint_id
    join change_counter c on c.account_id = s.account_id
    where s.account_id = ${accountId} and s.endpoint_id = ${endpointId}`
  return row
}

export interface NewEndpointRow {
  url: string
  kinds: readonly ChangeKind[]
  storeId: number | null
  /** Sealed (src/platform/secrets/seal.ts). */
  secret: string
}

/** Inserts an endpoint at `position` that gets changes according to `starts`. @returns its id. */
export async function endpointInsert(
  tx: Tx,
  accountId: number,
  endpoint: NewEndpointRow,
  position: number,
  starts: StartNumbers,
): Promise<number> {
  const [row] = await tx<{ endpoint_id: number }[]>`
    with made as (
      insert into endpoint (account_id, url, kinds, store_id, secret)
      values (${accountId}, ${endpoint.url}, ${[...endpoint.kinds]}::text[], ${endpoint.storeId}, ${endpoint.secret})
      returning endpoint_id
    )
    insert into endpoint_state (account_id, endpoint_id, position, starts)
    select ${accountId}, endpoint_id, ${position}, ${JSON.stringify(starts)}::text::jsonb from made
    returning endpoint_id`
  return must(row).endpoint_id
}

export async function endpointUpdate(
  tx: Tx,
  accountId: number,
  endpoint: Pick<EndpointRow, 'endpointId' | 'url' | 'kinds' | 'storeId' | 'isEnabled'>,
): Promise<void> {
  await tx`
    update endpoint set url = ${endpoint.url}, kinds = ${endpoint.kinds}::text[], store_id = ${endpoint.storeId},
      is_enabled = ${endpoint.isEnabled}
    where account_id = ${accountId} and endpoint_id = ${endpoint.endpointId}`
}

/**
 * The state that an owner's action gives a locked endpoint. A delivery in flight keeps its lease until its result
 * arrives.
 */
export interface OwnerChange {
  endpointId: number
  generation: number
  position: number
  starts: StartNumbers
  failures: number
  /** null ends a pause. */
  pausedUntil: Date | null
  /** Whether a delivery that waits for a retry or a cooldown is tried at once. */
  isTriedNow: boolean
  /** Whether refusals are forgotten, so that windows have their full size again. */
  isFresh: boolean
}

/** Applies an owner's action. The endpoint is due at once, or when its lease ends. */
export async function ownerChangeApply(tx: Tx, accountId: number, state: OwnerChange): Promise<void> {
  await tx`
    update endpoint_state set generation = ${state.generation}, position = ${state.position},
      starts = ${JSON.stringify(state.starts)}::text::jsonb, failures = ${state.failures}, paused_until = ${state.pausedUntil},
      retry_at = case when ${state.isTriedNow} then null else retry_at end,
      due_at = greatest(leased_until, now()),
      batch_limit = case when ${state.isFresh} then ${LIMITS.webhookProductsMax}::int else batch_limit end,
      refusals = case when ${state.isFresh} then 0 else refusals end, accepted = case when ${state.isFresh} then 0 else accepted end,
      suspect_ids = case when ${state.isFresh} then '{}' else suspect_ids end,
      pending_since = case when ${state.position} < position then null else pending_since end
    where account_id = ${accountId} and endpoint_id = ${state.endpointId}`
}

/** Deletes a locked endpoint with its deliveries and attempts. */
export async function endpointDelete(tx: Tx, accountId: number, endpointId: number): Promise<void> {
  await tx`delete from endpoint where account_id = ${accountId} and endpoint_id = ${endpointId}`
}

/** When the latest secret takes over the main header, and until when the one before it signs in the other. */
export interface Overlap {
  switchAt: Date
  previousUntil: Date
}

/** Replaces the secret. The old one continues to sign as `overlap` says; null: it stops at once. */
export async function secretRotate(
  tx: Tx,
  accountId: number,
  endpointId: number,
  sealed: string,
  overlap: Overlap | null,
): Promise<void> {
  const previousUntil = overlap?.previousUntil ?? null
  await tx`
    update endpoint set secret = ${sealed}, switch_at = ${overlap?.switchAt ?? null}, previous_until = ${previousUntil},
      previous_secret = case when ${previousUntil}::timestamptz is null then null else secret end
    where account_id = ${accountId} and endpoint_id = ${endpointId}`
}

/** Changes the time of the switch of a rotation under way. */
export async function secretSwitchTimeUpdate(
  tx: Tx,
  accountId: number,
  endpointId: number,
  { switchAt, previousUntil }: Overlap,
): Promise<void> {
  await tx`
    update endpoint set switch_at = ${switchAt}, previous_until = ${previousUntil}
    where account_id = ${accountId} and endpoint_id = ${endpointId} and previous_secret is not null`
}

/** Cancels a rotation: the previous secret is the only one again. */
export async function secretRestore(tx: Tx, accountId: number, endpointId: number): Promise<void> {
  await tx`
    update endpoint set secret = previous_secret, previous_secret = null, previous_until = null, switch_at = null
    where account_id = ${accountId} and endpoint_id = ${endpointId} and previous_secret is not null`
}

/** Deletes previous secrets whose overlap has ended. @returns the number deleted. */
export async function previousSecretsDelete(tx: Tx, accounts: Accounts = null): Promise<number> {
  const result = await tx`
    update endpoint set previous_secret = null, previous_until = null, switch_at = null
    where previous_until <= now()${accountCondition(tx, 'and', accounts)}`
  return result.count
}

/** The number of manual deliveries (tests and redeliveries) that wait at an endpoint. */
export async function manualWaiting(reader: Reader, accountId: number, endpointId: number): Promise<number> {
  const [row] = await reader<{ waiting: number }[]>`
    select count(*)::int as waiting from delivery
    where account_id = ${accountId} and endpoint_id = ${endpointId} and state = 'waiting' and origin <> 'log'`
  return must(row).waiting
}

/** A delivery as planned, for announcing its products again. */
export async function deliveryGet(reader: Reader, accountId: number, endpointId: number, deliveryId: string) {
  const [row] = await reader<{ event: ChangeKind; storeId: number | null; productIds: number[]; state: string }[]>`
    select event, store_id as "storeId", state,
      coalesce(product_ids, array(select jsonb_array_elements_text(body::jsonb -> 'product_ids')::bigint)) as "productIds"
    from delivery
    where account_id = ${accountId} and endpoint_id = ${endpointId} and delivery_id = ${deliveryId}`
  return row
}

/** Ends a parked delivery that the owner sends again. */
export async function deliveryUnpark(tx: Tx, accountId: number, endpointId: number, deliveryId: string): Promise<void> {
  await tx`
    update delivery set state = 'void'
    where account_id = ${accountId} and endpoint_id = ${endpointId} and delivery_id = ${deliveryId} and state = 'parked'`
}
