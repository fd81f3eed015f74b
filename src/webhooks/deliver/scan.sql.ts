import { ownerOf } from '../../db/fragments/owner.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { CHANGE_KINDS, type ChangeKind } from '../../model/change.ts'
import type { Entry } from '../plan/plan.ts'
import { isEndpointDue, storesOf } from './claims.sql.ts'

// Reads of the change log by a step of the delivery loop.

/** A range of the log to scan. */
export interface ScanRequest {
  position: number
  kinds: readonly ChangeKind[]
  storeId: number | null
  /** The maximum number of entries to read. */
  limit: number
}

/** The parameters of the scan that will follow a claim, except for the position. */
export type NextScan = Omit<ScanRequest, 'position'>

export interface Scan {
  /** In number order. Entries of other stores count towards `limit` but are left out. */
  entries: Entry[]
  /** Everything up to this number was scanned. */
  scannedTo: number
  /** Whether the scan ended at `limit`. */
  isFull: boolean
}

/** Scans by request key: endpoints at the same position with the same subscription share one. */
export type Scans = ReadonlyMap<string, Scan>

/** The key of a request in Scans. */
export const scanKey = ({ position, limit, storeId, kinds }: ScanRequest) =>
  `${position} ${limit} ${storeId ?? 0} ${CHANGE_KINDS.map((kind) => Number(kinds.includes(kind))).join(' ')}`

/** The most entries that a window's products can have: two kinds in every store, because a product is either removed or has the other two kinds. */
export function scanLimit(of: {
  batchLimit: number
  suspectIds: readonly number[]
  kinds: readonly ChangeKind[]
  stores: number
}): number {
  const needed = (of.batchLimit + of.suspectIds.length + 1) * Math.min(of.kinds.length, 2) * of.stores
  return Math.min(needed, LIMITS.webhookScanEntries)
}

/**
 * SQL that reads the log after the positions of `g`, in number order over all requested kinds. One statement and so one snapshot, which has every
 * number up to the head. Entries of other stores count towards the limit: for a quiet store among busy ones, the scan is bounded and the position
 * moves past the others' entries. PostgreSQL packs the entries as JSON, as for the feed.
 */
const scanned = (reader: Reader, accountId: number) => reader`
  (select last_id from change_counter where account_id = ${accountId} offset 0) head
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

interface Row {
  position: number
  storeId: number
  price: number
  content: number
  removed: number
  limit: number
  head: number
  found: number
  last: number | null
  packed: string | null
}

const columns = (reader: Reader) => reader`
  g.position, g.store_id as "storeId", g.price, g.content, g.removed, g.entries as "limit", head.last_id as head, w.found, w.last, w.packed`

/** Scans the log for these requests, once for equal ones. */
export async function logScan(reader: Reader, accountId: number, requests: readonly ScanRequest[]): Promise<Scans> {
  const rows = await reader<Row[]>`
    select ${columns(reader)} from ${given(reader, requests)} cross join ${scanned(reader, accountId)}`
  return scansOf(rows)
}

/** The requests as rows of `g`, without duplicates. */
function given(reader: Reader, requests: readonly ScanRequest[]) {
  const asked = [...new Map(requests.map((one) => [scanKey(one), one])).values()]
  // 1 or 0, which the statement compares
  const listens = (kind: ChangeKind) => asked.map((one) => Number(one.kinds.includes(kind)))
  return reader`
    unnest(${asked.map((one) => one.position)}::bigint[], ${asked.map((one) => one.storeId ?? 0)}::bigint[],
      ${listens('price')}::int[], ${listens('content')}::int[], ${listens('removed')}::int[], ${asked.map((one) => one.limit)}::int[])
      as g (position, store_id, price, content, removed, entries)`
}

/**
 * Scans what a step will most likely need, sent at once together with its locks: after acknowledged windows as their claims remembered, and for other
 * endpoints that may be stepped, unless they are too early, have failed or have waiting deliveries, which are sent first. If the state has changed
 * and something else is needed, `logScan` reads it afterwards. docs/decisions/250-a-claim-remembers-what-is-scanned-next.md says why.
 * @param endpointIds endpoints that the step has results of
 */
export async function scanAhead(
  reader: Reader,
  accountId: number,
  endpointIds: readonly number[],
  acknowledged: readonly ScanRequest[],
  gapMs: number,
  now: Date | null,
): Promise<Scans> {
  const rows = await reader<Row[]>`
    select ${columns(reader)}
    from (
      select g.position, g.store_id, g.price, g.content, g.removed, g.entries from ${ownerOf(reader, accountId)}, ${given(reader, acknowledged)}
      union
      select s.position, coalesce(e.store_id, 0), ('price' = any(e.kinds))::int, ('content' = any(e.kinds))::int, ('removed' = any(e.kinds))::int,
        least((s.batch_limit + cardinality(s.suspect_ids) + 1) * least(cardinality(e.kinds), 2) * ${storesOf(reader, accountId)},
          ${LIMITS.webhookScanEntries}::int)
      from (
        select endpoint_id, position, batch_limit, suspect_ids from endpoint_state
        where account_id = ${accountId} and not endpoint_id = any(${[...endpointIds]}::bigint[]) and ${isEndpointDue(reader, now)}
          and failures = 0 and coalesce(sent_at + make_interval(secs => ${gapMs / 1_000}::float8) <= coalesce(${now}, now()), true)
          and not exists (select from delivery d
            where d.account_id = ${accountId} and d.endpoint_id = endpoint_state.endpoint_id and d.state = 'waiting' offset 0)
      ) s
      cross join lateral (
        select store_id, kinds from endpoint where account_id = ${accountId} and endpoint_id = s.endpoint_id and is_enabled offset 0
      ) e
      offset 0
    ) g
    cross join ${scanned(reader, accountId)}
    where head.last_id > g.position`.execute()
  return scansOf(rows)
}

type Packed = [number: number, kind: 0 | 1 | 2, storeId: number, productId: number, changedAtSeconds: number]

function scansOf(rows: readonly Row[]): Scans {
  return new Map(
    rows.map(({ position, storeId, price, content, removed, limit, head, found, last, packed }) => [
      `${position} ${limit} ${storeId} ${price} ${content} ${removed}`,
      {
        scannedTo: found === limit ? (last ?? head) : head,
        isFull: found === limit,
        entries: (JSON.parse(`[${packed ?? ''}]`) as Packed[]).map(([number, kind, store, productId, changedAt]) => ({
          number,
          kind: CHANGE_KINDS[kind],
          storeId: store,
          productId,
          changedAt,
        })),
      },
    ]),
  )
}
