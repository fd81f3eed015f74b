import { randomUUID } from 'node:crypto'
import type { StoreRow } from '../../catalog/settings/stores.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp } from '../../platform/timestamp.ts'
import { bodyOf } from '../plan/body.ts'
import { announce, cutWindow, type Announcement, type Cut, type Listing } from '../plan/plan.ts'
import type { NewDelivery } from './records.sql.ts'
import { listingNow, logScan, type EndpointNow } from './claims.sql.ts'

/**
 * Reads the log for endpoints without a plan and plans one window for each. An endpoint for which it has nothing moves on: `position` in its row.
 * docs/decisions/047-an-endpoint-is-a-cursor.md says why.
 */
export async function planWindows(
  tx: Tx,
  accountId: number,
  rows: readonly EndpointNow[],
  stores: readonly StoreRow[],
): Promise<Map<number, NewDelivery[]>> {
  if (rows.length === 0) return new Map()
  const requests = rows.map((row) => ({ ...row, limit: scanLimit(row, stores.length) }))
  const scans = await logScan(tx, accountId, requests)
  /** Whether a change may concern all stores at once (`store_id` null in the body): not with one active store. */
  const mayConcernAll = (row: EndpointNow) =>
    row.storeId === null && stores.filter((store) => store.isActive).length > 1
  const cuts = new Map<number, Cut>()
  for (const row of rows) {
    const scan = scans.find(({ endpointId }) => endpointId === row.endpointId)
    if (scan === undefined) continue
    // the product after the suspects is tried as well
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

/** As many entries as a window's products can have: two kinds in every store, since a product is either removed or has the other kinds. */
function scanLimit({ batchLimit, suspectIds, kinds }: EndpointNow, stores: number): number {
  const needed = (batchLimit + suspectIds.length + 1) * Math.min(kinds.length, 2) * stores
  return Math.min(needed, LIMITS.webhookScanEntries)
}

/** The deliveries of a window, with their bodies. Suspects are left out if there is another product to try. */
function freeze(row: EndpointNow, cut: Cut, listing: Listing | null): NewDelivery[] {
  const isSuspect = (productId: number) => row.suspectIds.includes(productId)
  let { entries, position } = cut
  let parks: Announcement[] | null = null
  if (row.suspectIds.length > 0) {
    const others = entries.filter((entry) => !isSuspect(entry.productId))
    if (others.length > 0) {
      const suspects = entries.filter((entry) => isSuspect(entry.productId))
      // by store: when a product is tried again, it may be listed in one store and removed from another
      if (suspects.length > 0) parks = announce(suspects, null)
      entries = others
    } else {
      // there is nothing to compare with yet: the first suspect again, alone
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
