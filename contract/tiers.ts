// Tiers: prices from a minimum quantity on. How a pricing rule states them, and why one is not shown.

/** How a rule states a tier: percent off the price, an amount off it, or the price itself, all as it is shown. */
export const TIER_BYS = ['percent_off', 'amount_off', 'price'] as const
export type TierBy = (typeof TIER_BYS)[number]

/** Why a tier that a rule makes is not shown. */
export const TIERS_LEFT_OUT = ['held', 'zero', 'not_below_price', 'not_below_tier', 'guarded'] as const
export type TierLeftOut = (typeof TIERS_LEFT_OUT)[number]
