import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import {
  pricesBelowCost,
  unshownListPrices,
  type PriceBelowCost,
  type UnshownListPrices,
} from './price-findings.sql.ts'

/** Prices that are probably not what the owner meant. */
export interface PriceFindings {
  belowCost: PriceBelowCost[]
  listPricesUnshown: UnshownListPrices[]
}

/**
 * Reads the stored payloads in the database and resolves nothing, so it does not matter what made a price. Examines the first
 * LIMITS.findingsPricesMax payloads and list prices.
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
