import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { GAPS, type Gap } from '../../model/gaps.ts'
import { LIMITS } from '../../platform/limits.ts'
import {
  firstWithGap,
  overdueSuppliers,
  staleOfferCounts,
  staleOffersAfter,
  storeGapCounts,
  type StaleOffer,
} from './completeness.sql.ts'

/** How many products lack something in a store. */
export interface StoreCompleteness {
  storeId: number
  /** All products that the store lists. */
  products: number
  gaps: {
    gap: Gap
    products: number
    /** The first LIMITS.findingsFirstMax of them. */
    productIds: number[]
  }[]
}

/** Incomplete products per store, offers that are stale because a row could not be read, and silent suppliers. */
export interface Completeness {
  stores: StoreCompleteness[]
  offersStale: {
    supplierId: number
    /** Counted up to LIMITS.findingsCountedMax. */
    offers: number
    /** The first LIMITS.findingsFirstMax of them. */
    first: StaleOffer[]
  }[]
  suppliersSilent: { supplierId: number; silentDaysMax: number; heardAt: Date | null }[]
}

/**
 * Reads completeness figures. The time does not depend on the size of the catalog: totals are maintained, not counted
 * here.
 */
export async function findCompleteness(reader: Reader, accountId: number): Promise<Completeness> {
  const [stores, suppliersSilent, stale] = await Promise.all([
    storeCompleteness(reader, accountId),
    overdueSuppliers(reader, accountId),
    staleOfferCounts(reader, accountId, LIMITS.findingsCountedMax),
  ])
  const offersStale = await Promise.all(
    stale.map(async ({ supplierId, offers }) => ({
      supplierId,
      offers,
      first: [...(await staleOffersAfter(reader, accountId, supplierId, '', LIMITS.findingsFirstMax))],
    })),
  )
  return { stores, offersStale, suppliersSilent: [...suppliersSilent] }
}

/** Active stores only: payloads of others are not kept up to date. */
async function storeCompleteness(reader: Reader, accountId: number): Promise<StoreCompleteness[]> {
  const [stores, counts] = await Promise.all([storesList(reader, accountId), storeGapCounts(reader, accountId)])
  const countsOf = new Map(counts.map((row) => [row.storeId, row]))
  const active = stores.filter(({ isActive }) => isActive).map(({ storeId }) => storeId)
  const countOf = (storeId: number, gap: Gap) =>
    countsOf.get(storeId)?.gaps.find((row) => row.gap === gap)?.products ?? 0
  const first = new Map(
    await Promise.all(
      GAPS.map(async (gap) => {
        const lacking = active.filter((storeId) => countOf(storeId, gap) > 0)
        const rows = await firstWithGap(reader, accountId, gap, lacking, LIMITS.findingsFirstMax)
        return [gap, Map.groupBy(rows, ({ storeId }) => storeId)] as const
      }),
    ),
  )
  return active.map((storeId) => ({
    storeId,
    products: countsOf.get(storeId)?.products ?? 0,
    gaps: GAPS.map((gap) => ({
      gap,
      products: countOf(storeId, gap),
      productIds: (first.get(gap)?.get(storeId) ?? []).map(({ productId }) => productId),
    })),
  }))
}
