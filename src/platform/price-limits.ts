import { TAX_LIMITS } from './tax-limits.ts'

/** The limits of prices and of their tax: a part of LIMITS (limits.ts). */
export const PRICE_LIMITS = {
  ...TAX_LIMITS,
  /** Prices from a quantity on, of one rule. */
  tiersPerRuleMax: 20,
  /** Pieces from which on a tier counts. */
  tierQuantityMax: 1_000_000,
} as const
