import type { Endpoint, EndpointHealth } from '../../../contract/panel/endpoints.ts'
import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import type { Db } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import { endpointGet, endpointsList, type EndpointRow } from '../../webhooks/endpoints/endpoints.sql.ts'
import { endpointHealths, waitingProducts, type EndpointHealthRow } from '../../webhooks/log/panel-log.sql.ts'
import { revisionOf } from './revision.ts'

/** The slug of a store by its id; the id itself for a deleted store. */
export type SlugOf = (storeId: number | null) => string | null

/** Reads the slugs of an account's stores. */
export async function slugsOf(db: Db, accountId: number): Promise<SlugOf> {
  const slugs = new Map((await storesList(db, accountId)).map((row) => [row.storeId, row.slug]))
  return (storeId) => (storeId === null ? null : (slugs.get(storeId) ?? String(storeId)))
}

/** The revision of an endpoint's settings, for If-Match. */
export const endpointRevision = ({
  url,
  kinds,
  storeId,
  isEnabled,
}: Pick<EndpointRow, 'url' | 'kinds' | 'storeId' | 'isEnabled'>) => revisionOf({ url, kinds, storeId, isEnabled })

/** All endpoints of an account with their health, by id. */
export async function endpointBodies(db: Db, accountId: number): Promise<Endpoint[]> {
  const [rows, logs, slugOf] = await Promise.all([
    endpointsList(db, accountId),
    endpointHealths(db, accountId, null),
    slugsOf(db, accountId),
  ])
  return Promise.all(
    rows.map(async (row) =>
      represent(
        row,
        logs.find((log) => log.endpointId === row.endpointId),
        await waiting(db, accountId, row),
        slugOf,
      ),
    ),
  )
}

/** One endpoint with its health; undefined when the account does not have it. */
export async function endpointBody(db: Db, accountId: number, endpointId: number): Promise<Endpoint | undefined> {
  const [row, [log], slugOf] = await Promise.all([
    endpointGet(db, accountId, endpointId),
    endpointHealths(db, accountId, endpointId),
    slugsOf(db, accountId),
  ])
  return row === undefined ? undefined : represent(row, log, await waiting(db, accountId, row), slugOf)
}

/** The number of waiting products; it is counted only if the endpoint is behind the head. */
async function waiting(db: Db, accountId: number, { endpointId, head, position }: EndpointRow): Promise<number> {
  return head > position ? waitingProducts(db, accountId, endpointId) : 0
}

function represent(row: EndpointRow, log: EndpointHealthRow | undefined, waits: number, slugOf: SlugOf): Endpoint {
  return {
    id: row.endpointId,
    url: row.url,
    events: row.kinds,
    store: slugOf(row.storeId),
    is_enabled: row.isEnabled,
    created_at: formatTimestamp(row.createdAt),
    revision: endpointRevision(row),
    rotation:
      row.previousUntil === null
        ? null
        : { switch_at: timeOrNull(row.switchAt), previous_until: formatTimestamp(row.previousUntil) },
    health: healthOf(row, log, waits),
  }
}

function healthOf(row: EndpointRow, log: EndpointHealthRow | undefined, waits: number): EndpointHealth {
  const isPaused = row.pausedUntil !== null
  return {
    state: !row.isEnabled ? 'disabled' : isPaused ? 'paused' : row.failures > 0 ? 'failing' : 'healthy',
    failures: row.failures,
    failing_since: timeOrNull(log?.failingSince ?? null),
    paused_until: timeOrNull(row.pausedUntil),
    next_attempt_at: timeOrNull(row.retryAt),
    is_in_flight: row.isInFlight,
    waiting: {
      products: Math.min(waits, LIMITS.overviewWaitingMax),
      is_capped: waits > LIMITS.overviewWaitingMax,
      since: waits === 0 ? null : timeOrNull(row.pendingSince),
    },
    parked: row.parked,
    last_delivered_at: timeOrNull(log?.lastDeliveredAt ?? null),
    last_failure:
      log === undefined || log.lastFailedAt === null
        ? null
        : { at: formatTimestamp(log.lastFailedAt), status: log.lastStatus, fault: log.lastFault },
  }
}
