import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import {
  pricesBelowCost,
  unshownListPrices,
  type PriceBelowCost,
  type UnshownListPrices,
} from './price-findings.sql.ts'

/** What prices show that nobody may have meant. */
export interface PriceFindings {
  belowCost: PriceBelowCost[]
  listPricesUnshown: UnshownListPrices[]
}

/**
 * Both are found in what clients read, by the database alone: nothing is resolved, so it does not matter who made a price. The first
 * LIMITS.findingsPricesMax payloads and list prices are looked at.
 */
export async function priceFindings(reader: Reader, accountId: number, limit: number): Promise<PriceFindings> {
  const stores = await storesList(reader, accountId)
  const storeIds = stores.filter(({ isActive }) => isActive).map(({ storeId }) => storeId)
  const [belowCost, listPricesUnshown] = await Promise.all([
    pricesBelowCost(reader, accountId, storeIds, LIMITS.findingsPricesMax, limit),
    unshownListPrices(reader, accountId, LIMITS.findingsPricesMax, limit),
  ])
  return { belowCost: [...belowCost], listPricesUnshown: [...listPricesUnshown] }
}
