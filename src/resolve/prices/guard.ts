import { approximately, Exact } from '../../model/money.ts'
import type { Price } from '../../model/payload.ts'
import type { HoldInput } from '../inputs.ts'
import type { ComputedPrice } from './price.ts'

// The guard against price jumps: a slipped decimal point in a supplier file, a rate or a rule must not reach a shop unnoticed. The old
// price that is shown meanwhile is an input, so a payload with a held price resolves to itself.

/**
 * Whether a price changes by more than a factor, up or down. A fall to 0 is always a jump; a rise from 0 never is,
 * because 0 is not a price worth protecting.
 */
export function isJump(from: Exact, to: Exact, factor: Exact): boolean {
  if (from.isZero()) return false
  // nearly all prices are far from a jump, and the exact comparison below would take a tenth of their time
  const ratio = approximately(to) / approximately(from)
  const most = approximately(factor) * 0.999
  if (ratio < most && ratio * most > 1) return false
  return to.greaterThan(from.times(factor)) || to.times(factor).lessThan(from)
}

/**
 * Whether a computed price is held if `from` was shown before. A price that the owner stated is never held, nor is the price that follows
 * when a price list ends, because the list's price was stated.
 */
export function isHeldAt(from: Exact, to: ComputedPrice, factor: Exact): boolean {
  return (
    !to.isStated && isJump(from, to.computedPrice, factor) && to.listed?.some((amount) => from.equals(amount)) !== true
  )
}

/** The price that the guard compares: without a sale, because the beginning or end of a sale is not a jump. */
export const regularPrice = ({ sale, compareAtPrice, computedPrice }: Price): Exact =>
  sale === null ? computedPrice : (compareAtPrice ?? computedPrice)

/** A held price: the one shown, and the one that the inputs resolve to. */
export interface Held {
  storeId: number
  groupId: number
  shown: ComputedPrice
  wanted: ComputedPrice
}

/** Whether a price of the same store is held. */
export const isHeld = ({ groupId }: Price, held: readonly Pick<Held, 'groupId'>[]): boolean =>
  held.some((one) => one.groupId === groupId)

/**
 * Replaces prices that still jump away from a hold by the held price and the rule that made it; the base cost stays today's. A hold in
 * another currency, or one that the price has come back to, has no effect.
 * @param held receives the holds that have an effect.
 */
export function holdPrices(
  storeId: number,
  prices: readonly ComputedPrice[],
  holds: readonly HoldInput[],
  factor: Exact | null,
  held: Held[],
): readonly ComputedPrice[] {
  if (factor === null || holds.length === 0) return prices
  return prices.map((wanted) => {
    const hold = holds.find(
      (entry) => entry.storeId === storeId && entry.groupId === wanted.groupId && entry.currency === wanted.currency,
    )
    if (hold === undefined || !isHeldAt(new Exact(hold.shownPrice), wanted, factor)) return wanted
    const shown = { ...wanted, computedPrice: new Exact(hold.shownPrice), ruleId: hold.shownRuleId }
    held.push({ storeId, groupId: wanted.groupId, shown, wanted })
    return shown
  })
}
