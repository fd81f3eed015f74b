import { groupsList } from '../catalog/settings/stores/groups.sql.ts'
import { storesList, type StoreRow } from '../catalog/settings/stores/stores.sql.ts'
import type { Db } from '../db/sql.ts'
import { nowMs } from '../platform/time/clock.ts'
import { must } from '../platform/must.ts'
import { cachedFor } from './kept.ts'
import { movedSince, type MovedPrice, type MovedStore } from './moved.sql.ts'

const DAY_MS = 86_400_000
const KEPT_MS = 300_000
const PRICES_NAMED = 5
const LOOKED_MAX = 5_000
const STORES_MAX = 10

export interface Moved {
  since: Date
  /** Active stores, the first STORES_MAX. `isCapped`: not all changed products were examined. */
  stores: (MovedStore & { store: StoreRow; isCapped: boolean })[]
  /** The number of active stores. */
  activeStores: number
  /** The prices that changed most. */
  prices: (MovedPrice & { store: StoreRow })[]
}

/**
 * Counts changes in an account's stores in the last 24 hours: prices of the default customer group, and products that appeared or
 * disappeared. Examines at most LOOKED_MAX products per store; the result is cached for up to five minutes.
 */
export function openMoved(db: Db): (accountId: number) => Promise<Moved> {
  return cachedFor(KEPT_MS, async (accountId) => {
    const since = new Date(nowMs() - DAY_MS)
    const [stores, groups] = await Promise.all([storesList(db, accountId), groupsList(db, accountId)])
    const active = stores.filter(({ isActive }) => isActive)
    const shown = active.slice(0, STORES_MAX)
    const { groupId } = must(groups.find(({ isDefault }) => isDefault))
    const asked = { storeIds: shown.map(({ storeId }) => storeId), groupId, since, limit: LOOKED_MAX }
    const moved = await movedSince(db, accountId, asked, PRICES_NAMED)
    const nothing = { looked: 0, up: 0, down: 0, appeared: 0, gone: 0 }
    return {
      since,
      activeStores: active.length,
      stores: shown.map((store) => {
        const counted = moved.stores.find(({ storeId }) => storeId === store.storeId)
        const found = counted ?? { storeId: store.storeId, ...nothing }
        return { ...found, store, isCapped: found.looked >= LOOKED_MAX }
      }),
      prices: moved.prices.map((price) => ({
        ...price,
        store: must(shown.find(({ storeId }) => storeId === price.storeId)),
      })),
    }
  })
}
