import { Exact } from '../model/money.ts'
import type { Price } from '../model/payload.ts'
import type { HoldInput } from './inputs.ts'

// The guard against price jumps: a slipped decimal point in a supplier file, a rate or a rule must not reach a shop
// unnoticed. The old price that is shown in the meantime is an input like any other, so a payload with a held price
// resolves to itself.

/**
 * Whether a price changes by more than a factor, up or down. A fall to 0 is always a jump; a rise from 0 never is,
 * because 0 is not a price worth protecting.
 */
export function isJump(from: Exact, to: Exact, factor: Exact): boolean {
  if (from.isZero()) return false
  return to.greaterThan(from.times(factor)) || to.times(factor).lessThan(from)
}

/** A held price: what is shown, and what the inputs resolve to. */
export interface Held {
  storeId: number
  groupId: number
  shown: Price
  wanted: Price
}

/**
 * Replaces prices that still jump away from a held price by that held price. A hold in another currency, or one that
 * the price has come back to, has no effect.
 * @param held receives the holds that have an effect.
 */
export function holdPrices(
  storeId: number,
  prices: readonly Price[],
  holds: readonly HoldInput[],
  factor: Exact | null,
  held: Held[],
): readonly Price[] {
  if (factor === null || holds.length === 0) return prices
  return prices.map((wanted) => {
    const hold = holds.find(
      (entry) => entry.storeId === storeId && entry.groupId === wanted.groupId && entry.currency === wanted.currency,
    )
    if (hold === undefined || !isJump(new Exact(hold.shownPrice), wanted.computedPrice, factor)) return wanted
    const shown = {
      ...wanted,
      baseCost: new Exact(hold.shownCost),
      computedPrice: new Exact(hold.shownPrice),
      ruleId: hold.shownRuleId,
    }
    held.push({ storeId, groupId: wanted.groupId, shown, wanted })
    return shown
  })
}
