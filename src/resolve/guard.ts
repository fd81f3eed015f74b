import { Exact } from '../model/money.ts'
import type { Price } from '../model/payload.ts'
import type { HoldInput } from './inputs.ts'

// The guard against prices that jump: a slipped decimal point in a feed, a rate or a rule must not reach a shop unseen.
// What is shown meanwhile is an input like any other, so a held payload resolves to itself.

/**
 * Whether a price moves by more than a factor, up or down. A price that falls to 0 always jumps; one that rises from 0
 * never does, because 0 is not worth defending.
 */
export function isJump(from: Exact, to: Exact, factor: Exact): boolean {
  if (from.isZero()) return false
  return to.greaterThan(from.times(factor)) || to.times(factor).lessThan(from)
}

/** A price that is held back: what is shown, and what the inputs ask for. */
export interface Held {
  storeId: number
  groupId: number
  shown: Price
  wanted: Price
}

/**
 * Puts what is held in the place of prices that still jump away from it. A hold in another currency, or that the price
 * has come back to, has no effect any more.
 * @param held takes those that have.
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
