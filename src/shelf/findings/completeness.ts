import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { GAPS, type Gap } from '../../model/gaps.ts'
import { LIMITS } from '../../platform/limits.ts'
import {
  firstWithGap,
  silentSuppliers,
  staleOfferCounts,
  staleOffersAfter,
  storeGapCounts,
  type StaleOffer,
} from './completeness.sql.ts'

/** What products lack in a store. */
export interface StoreCompleteness {
  storeId: number
  /** All that it lists. */
  products: number
  gaps: {
    gap: Gap
    products: number
    /** The first LIMITS.findingsFirstMax of them. */
    productIds: number[]
  }[]
}

/** What is incomplete: products per store, offers of rows that could not be read, suppliers that are silent. */
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

/** Finds what is incomplete. Takes as long with a million products as with a hundred: nothing is counted here. */
export async function findCompleteness(reader: Reader, accountId: number): Promise<Completeness> {
  const [stores, suppliersSilent, stale] = await Promise.all([
    storeCompleteness(reader, accountId),
    silentSuppliers(reader, accountId),
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

/** Only of active stores: the payloads of others are not kept up to date. */
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
