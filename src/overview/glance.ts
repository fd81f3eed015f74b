import { storesList, type StoreRow } from '../catalog/settings/stores/stores.sql.ts'
import type { Db } from '../db/sql.ts'
import { now } from '../platform/time/clock.ts'
import { outOfStock, storeMargins } from './glance.sql.ts'
import { cachedFor } from './kept.ts'
import { storeExclusions, storeProducts } from './overview.sql.ts'

const KEPT_MS = 300_000
const STORES_MAX = 10
/** 2,000 products of a store: with these, the median of a million is off by a percentage point or two. */
const LOOK = { ranges: 20, each: 100, eachSeen: 1_000 }

export interface Glance {
  at: Date
  outOfStock: number
  /**
   * Active stores, the first STORES_MAX. Margins are shares of the price without tax. `isSample`: not all products for
   * sale were examined.
   */
  stores: { store: StoreRow; margin: number | null; isSample: boolean }[]
}

/** Counts products out of stock and computes margins; cached for up to five minutes. */
export function openGlance(db: Db): (accountId: number) => Promise<Glance> {
  return cachedFor(KEPT_MS, async (accountId) => {
    const at = now()
    const stores = (await storesList(db, accountId)).filter(({ isActive }) => isActive).slice(0, STORES_MAX)
    const storeIds = stores.map(({ storeId }) => storeId)
    const [out, margins, products, exclusions] = await Promise.all([
      outOfStock(db, accountId),
      storeMargins(db, accountId, storeIds, LOOK),
      storeProducts(db, accountId),
      storeExclusions(db, accountId),
    ])
    return {
      at,
      outOfStock: out,
      stores: stores.map((store) => {
        const own = <T extends { storeId: number }>(rows: readonly T[]) =>
          rows.filter(({ storeId }) => storeId === store.storeId)
        const [found] = own(margins)
        const listed = own(products)[0]?.products ?? 0
        const excluded = own(exclusions).reduce((sum, row) => sum + row.products, 0)
        // even with few products, not all may be examined: the ranges are ranges of ids, and ids may be close together
        return { store, margin: found?.margin ?? null, isSample: (found?.looked ?? 0) < listed - excluded }
      }),
    }
  })
}
