import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/sql.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import { bodyOf } from '../plan/body.ts'
import { announce, cutWindow, type Announcement, type ScanPart, type Listing } from '../plan/plan.ts'
import type { NewDelivery } from './records.sql.ts'
import { listingNow, type EndpointNow } from './claims.sql.ts'
import { logScan, scanKey, scanLimit, type Scans } from './scan.sql.ts'

/**
 * Reads the log for endpoints without a plan and plans one window for each. If it has nothing for an endpoint, the `position` in its row moves
 * on. docs/decisions/047-an-endpoint-is-a-cursor.md says why.
 * @param known scans made already
 */
export async function planWindows(
  tx: Tx,
  accountId: number,
  rows: readonly EndpointNow[],
  known: Scans,
): Promise<Map<number, NewDelivery[]>> {
  const requests = new Map(rows.map((row) => [row, requestOf(row)]))
  const unknown = [...requests.values()].filter((request) => !known.has(scanKey(request)))
  const read = unknown.length === 0 ? known : await logScan(tx, accountId, unknown)
  /** Whether a change may concern all stores at once (`store_id` null in the body). Not with a single active store. */
  const mayConcernAll = (row: EndpointNow) => row.storeId === null && row.activeStores > 1
  const cuts = new Map<number, ScanPart>()
  for (const [row, request] of requests) {
    const key = scanKey(request)
    const scan = known.get(key) ?? read.get(key)
    if (scan === undefined) continue
    // one product after the suspects is tried as well
    const products = row.batchLimit + row.suspectIds.length
    cuts.set(row.endpointId, cutWindow(scan.entries, row.starts, products, scan.scannedTo, scan.isFull))
  }
  const concerned = rows.flatMap((row) => (mayConcernAll(row) ? (cuts.get(row.endpointId)?.entries ?? []) : []))
  const productIds = new Set(concerned.map((entry) => entry.productId))
  const listing =
    productIds.size === 0 ? new Map<number, Set<number>>() : await listingNow(tx, accountId, [...productIds])
  const plans = new Map<number, NewDelivery[]>()
  for (const row of rows) {
    const cut = cuts.get(row.endpointId)
    if (cut === undefined) continue
    const plan = freeze(row, cut, mayConcernAll(row) ? listing : null)
    if (plan.length === 0) row.position = cut.position
    else {
      const oldest =
        cut.entries.reduce((least, entry) => Math.min(least, entry.changedAt), Number.POSITIVE_INFINITY) * 1_000
      row.pendingSince = new Date(Math.min(oldest, row.pendingSince?.getTime() ?? Number.POSITIVE_INFINITY))
    }
    plans.set(row.endpointId, plan)
  }
  return plans
}

const requestOf = (row: EndpointNow) => ({
  position: row.position,
  kinds: row.kinds,
  storeId: row.storeId,
  limit: scanLimit(row),
})

/** The deliveries of a window with their bodies. Suspects are left out if there is another product to try. */
function freeze(row: EndpointNow, cut: ScanPart, listing: Listing | null): NewDelivery[] {
  const isSuspect = (productId: number) => row.suspectIds.includes(productId)
  let { entries, position } = cut
  let parks: Announcement[] | null = null
  if (row.suspectIds.length > 0) {
    const others = entries.filter((entry) => !isSuspect(entry.productId))
    if (others.length > 0) {
      const suspects = entries.filter((entry) => isSuspect(entry.productId))
      // one per store: when a product is tried again, it may be listed in one store and removed from another
      if (suspects.length > 0) parks = announce(suspects, null)
      entries = others
    } else {
      // nothing to compare with yet: send the first suspect again, alone
      const [first] = entries
      const next = entries.find((entry) => entry.productId !== first?.productId)
      entries = entries.filter((entry) => entry.productId === first?.productId)
      if (next !== undefined) position = next.number - 1
    }
  }
  const announcements = announce(entries, listing)
  const occurredAt = formatTimestamp(row.now)
  return announcements.map((announcement, i) => {
    const isLast = i === announcements.length - 1
    return {
      ...announcement,
      endpointId: row.endpointId,
      deliveryId: randomUUID(),
      origin: 'log',
      body: bodyOf(announcement, occurredAt),
      positionAfter: isLast ? position : null,
      parks: isLast ? parks : null,
    }
  })
}
