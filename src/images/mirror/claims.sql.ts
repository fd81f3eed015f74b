import { accountCondition, type Accounts } from '../../db/fragments/account-condition.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'

// Selects the mirror's next work: accounts with due pictures, their hosts, slots of hosts, and the pictures of a run.
// docs/decisions/091-hosts-have-slots.md says why.

/** Accounts that mirror pictures and have due ones. */
export async function accountsWithDueImages(reader: Reader, accounts: Accounts = null): Promise<number[]> {
  const rows = await reader<{ account_id: number }[]>`
    select a.account_id from account_inputs a
    where a.image_base <> ''${accountCondition(reader, 'and', accounts, 'a')} and exists (
      select from image i where i.account_id = a.account_id and i.next_fetch_at <= now())
    order by a.account_id`
  return rows.map((row) => row.account_id)
}

/**
 * The hosts of an account's pictures that have been due longest, in that order.
 * @param limit how many pictures are considered @returns also `isAll`: whether these are all due pictures
 */
export async function hostsOfOldestDue(
  reader: Reader,
  accountId: number,
  limit: number,
): Promise<{ hosts: string[]; isAll: boolean }> {
  const rows = await reader<{ host: string; pictures: number }[]>`
    select host, count(*)::int as pictures from (
      select host, next_fetch_at from image where account_id = ${accountId} and next_fetch_at <= now()
      order by next_fetch_at limit ${limit}) due
    group by host order by min(next_fetch_at), host`
  const pictures = rows.reduce((sum, row) => sum + row.pictures, 0)
  return { hosts: rows.map(({ host }) => host), isAll: pictures < limit }
}

/**
 * The next hosts of an account's pictures after a host, in the order of their names, each with whether it has due pictures. The query skips
 * through the index from host to host, so its cost does not grow with the pictures of a host.
 */
export async function hostsDue(
  reader: Reader,
  accountId: number,
  afterHost: string,
  limit: number,
): Promise<{ host: string; isDue: boolean }[]> {
  return reader<{ host: string; isDue: boolean }[]>`
    with recursive found as (
      (select host, 1 as n from image
        where account_id = ${accountId} and host > ${afterHost} and next_fetch_at is not null
        order by host limit 1)
      union all
      select following.host, found.n + 1 from found cross join lateral (
        select host from image where account_id = ${accountId} and host > found.host and next_fetch_at is not null
        order by host limit 1) following
      where found.n < ${limit}
    )
    select f.host, d.is_due as "isDue" from found f cross join lateral (
      select exists (select from image where account_id = ${accountId} and host = f.host
        and (host, next_fetch_at) <= (f.host, now()) and next_fetch_at is not null) as is_due) d
    order by f.host`
}

/**
 * Hosts of an account's due pictures that were never fetched, in the order of their names. The query skips through the index from host to
 * host, so its cost does not grow with the pictures of a host.
 */
export async function hostsOfNewImages(reader: Reader, accountId: number, limit: number): Promise<string[]> {
  const rows = await reader<{ host: string }[]>`
    with recursive found as (
      (select host, 1 as n from image
        where account_id = ${accountId} and fetched_at is null and failures = 0 and next_fetch_at is not null
        order by host limit 1)
      union all
      select following.host, found.n + 1 from found cross join lateral (
        select host from image
        where account_id = ${accountId} and host > found.host and fetched_at is null and failures = 0 and next_fetch_at is not null
        order by host limit 1) following
      where found.n < ${limit}
    )
    select f.host from found f
    where exists (select from image where account_id = ${accountId} and host = f.host
      and (host, next_fetch_at) <= (f.host, now()) and fetched_at is null and failures = 0 and next_fetch_at is not null)
    order by f.host`
  return rows.map((row) => row.host)
}

/** Creates the slots of hosts that have none. */
export async function slotsInsert(tx: Tx, hosts: readonly string[], slots: number): Promise<void> {
  await tx`
    insert into image_host (host, slot)
    select h.host, s.slot from unnest(${[...hosts]}::text[]) as h (host) cross join generate_series(0, ${slots - 1}::int) as s (slot)
    order by 1, 2
    on conflict (host, slot) do nothing`
}

/** A slot of a host that a run has taken: while it holds it, it may request one picture at a time. */
export interface Slot {
  host: string
  slot: number
  leaseId: string
  /** Number of failures of the host in a row. */
  failures: number
}

/** The longest time for which a slot is taken or paused, in s. A later `free_at` was written before the clock was set back. */
const longestRestSeconds = () =>
  Math.max(LIMITS.mirrorLeaseMs, LIMITS.mirrorHostRestMaxMs, LIMITS.imageRetryAfterMs) / 1_000

/** Takes one free slot per host for `leaseMs`, for the first `limit` hosts that have one, in their order. */
export async function slotsTake(
  tx: Tx,
  hosts: readonly string[],
  slots: number,
  leaseId: string,
  leaseMs: number,
  limit: number,
): Promise<Slot[]> {
  const rows = await tx<{ host: string; slot: number; failures: number }[]>`
    with free as materialized (
      select f.host, f.slot from unnest(${[...hosts]}::text[]) as wanted (host) cross join lateral (
        select host, slot from image_host
        where host = wanted.host and slot < ${slots}
          and (free_at <= now() or free_at > now() + make_interval(secs => ${longestRestSeconds()}))
        order by slot limit 1 for update skip locked) f
      limit ${limit}
    )
    update image_host h set free_at = now() + make_interval(secs => ${leaseMs / 1_000}), lease_id = ${leaseId}
    from free where h.host = free.host and h.slot = free.slot
    returning h.host, h.slot, h.failures`
  return rows.map(({ host, slot, failures }) => ({ host, slot, leaseId, failures }))
}

/** Frees a slot, which can be taken again after a pause. Changes nothing if the lease has expired and another run has the slot. */
export async function slotRelease(tx: Tx, { host, slot, leaseId }: Slot, pauseMs: number): Promise<void> {
  await tx`
    update image_host set free_at = now() + make_interval(secs => ${pauseMs / 1_000}), lease_id = null
    where host = ${host} and slot = ${slot} and lease_id = ${leaseId}`
}

/** Resets the failures of a host that has answered. Locks those of its slots that have failures, in their order. */
export async function hostAnswered(tx: Tx, host: string): Promise<void> {
  await tx`
    with failed as materialized (select slot from image_host where host = ${host} and failures > 0 order by slot for update)
    update image_host set failures = 0 where host = ${host} and slot in (select slot from failed)`
}

/**
 * Pauses a host: all its slots, which are locked in their order. The pause doubles with each failure in a row, between the bounds, and is at least
 * as long as the host has asked for.
 * @returns the pause in ms.
 */
export async function hostPause(
  tx: Tx,
  host: string,
  rest: { firstMs: number; maxMs: number; askedMs: number | null },
): Promise<number> {
  const [row] = await tx<{ failures: number; now: Date }[]>`
    select max(failures) as failures, now() as now from (
      select failures from image_host where host = ${host} order by slot for update) known`
  // the database server's time as a parameter, because Citus refuses now() within a case
  const now = must(row).now.getTime()
  const failures = (row?.failures ?? 0) + 1
  const ms = Math.max(rest.askedMs ?? 0, Math.min(rest.maxMs, rest.firstMs * 2 ** Math.min(20, failures - 1)))
  const [until, longest] = [new Date(now + ms), new Date(now + longestRestSeconds() * 1_000)]
  await tx`
    update image_host set failures = ${failures},
      free_at = case when free_at > ${longest}::timestamptz then ${until}::timestamptz else greatest(free_at, ${until}::timestamptz) end
    where host = ${host}`
  return ms
}

/** Deletes hosts from which nothing has been fetched for a while. */
export async function hostsForget(tx: Tx, days: number): Promise<void> {
  await tx`delete from image_host where free_at < now() - make_interval(days => ${days})`
}

/** A picture to be fetched. */
export interface Claim {
  urlHash: string
  url: string
  state: 'pending' | 'mirrored' | 'dead'
  etag: string | null
  lastModified: string | null
  reason: string | null
}

/** Which due pictures of a host are leased: those that were never fetched, all, or those of which we have a copy. */
type ClaimKind = 'new' | 'all' | 'mirrored'

/**
 * Leases an account's due pictures of one host, the longest waiting first. Host and time are compared as a row, so that PostgreSQL can
 * only use the index on both: with the index on the time alone it would read the due pictures of all other hosts.
 */
export async function imagesClaim(
  tx: Tx,
  accountId: number,
  host: string,
  kind: ClaimKind,
  limit: number,
  leaseId: string,
  leaseMs: number,
): Promise<Claim[]> {
  const only = {
    new: tx`and fetched_at is null and failures = 0`,
    all: tx``,
    mirrored: tx`and state = 'mirrored'`,
  }[kind]
  return await tx<Claim[]>`
    update image set lease_id = ${leaseId}, next_fetch_at = now() + make_interval(secs => ${leaseMs / 1_000})
    where account_id = ${accountId} and url_hash = any(array(
      select url_hash from image where account_id = ${accountId} and host = ${host}
        and (host, next_fetch_at) <= (${host}, now()) and next_fetch_at is not null ${only}
      order by host, next_fetch_at limit ${limit} for update skip locked))
    returning url_hash as "urlHash", url, state, etag, last_modified as "lastModified", reason`
}

/**
 * Leases the pictures of a run. Those that were never fetched come first, because stores show their originals, good or not,
 * until then.
 */
export async function runClaim(
  tx: Tx,
  accountId: number,
  host: string,
  limit: number,
  leaseId: string,
  leaseMs: number,
): Promise<Claim[]> {
  const fresh = await imagesClaim(tx, accountId, host, 'new', limit, leaseId, leaseMs)
  const left = limit - fresh.length
  return left === 0 ? fresh : [...fresh, ...(await imagesClaim(tx, accountId, host, 'all', left, leaseId, leaseMs))]
}

/** Releases leased pictures that were not fetched: they are due again after `pauseMs`. */
export async function imagesRelease(
  tx: Tx,
  accountId: number,
  urlHashes: readonly string[],
  leaseId: string,
  pauseMs: number,
): Promise<void> {
  await tx`
    update image set lease_id = null, next_fetch_at = now() + make_interval(secs => ${pauseMs / 1_000})
    where account_id = ${accountId} and url_hash = any(${[...urlHashes]}::uuid[]) and lease_id = ${leaseId}`
}

/** The bytes of all stored pictures that accounts use, each picture once. */
export async function bytesStored(reader: Reader): Promise<number> {
  const [row] = await reader<{ bytes: number }[]>`
    select coalesce(sum(bytes), 0)::float8 as bytes from (
      select hash, max(bytes) as bytes from image where hash is not null group by hash) stored`
  return must(row).bytes
}
