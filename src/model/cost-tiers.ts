import { plainDecimal } from './money.ts'
import type { CostTier } from './offer.ts'

/**
 * Tiers in a form in which equal tiers are equal JSON: jsonb keeps neither the order of members nor the notation of
 * numbers. null: none.
 */
export const orderedCostTiers = (tiers: readonly CostTier[] | null): CostTier[] | null =>
  tiers === null || tiers.length === 0
    ? null
    : tiers.map(({ quantity, cost }) => ({ quantity, cost: plainDecimal(cost) }))

export const isSameCostTiers = (a: readonly CostTier[] | null, b: readonly CostTier[] | null): boolean =>
  a === b || (a !== null && b !== null && JSON.stringify(orderedCostTiers(a)) === JSON.stringify(orderedCostTiers(b)))
