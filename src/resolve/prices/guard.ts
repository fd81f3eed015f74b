import { approximately, Exact } from '../../model/money.ts'
import type { Price } from '../../model/payload.ts'
import type { HoldInput } from '../inputs.ts'
import type { ComputedPrice } from './price.ts'

// The guard against price jumps: a slipped decimal point in a supplier file, a rate or a rule must not reach a shop
// unnoticed. The old price that is shown in the meantime is an input like any other, so a payload with a held price
// resolves to itself.

/**
 * Whether a price changes by more than a factor, up or down. A fall to 0 is always a jump; a rise from 0 never is,
 * because 0 is not a price worth protecting.
 */
export function isJump(from: Exact, to: Exact, factor: Exact): boolean {
  if (from.isZero()) return false
  // nearly every price is far from being one, and what follows would be a tenth of its time
  const ratio = approximately(to) / approximately(from)
  const most = approximately(factor) * 0.999
  if (ratio < most && ratio * most > 1) return false
  return to.greaterThan(from.times(factor)) || to.times(factor).lessThan(from)
}

/**
 * Whether a computed price is held where `from` was shown before. What the merchant stated himself never is, and neither is the price after
 * it where his price list has ended: that was stated, too.
 */
export function isHeldAt(from: Exact, to: ComputedPrice, factor: Exact): boolean {
  return (
    !to.isStated && isJump(from, to.computedPrice, factor) && to.listed?.some((amount) => from.equals(amount)) !== true
  )
}

/** What the guard compares of a price that clients read: the price without its sale, because one that begins or ends is no jump. */
export const regularPrice = ({ sale, compareAtPrice, computedPrice }: Price): Exact =>
  sale === null ? computedPrice : (compareAtPrice ?? computedPrice)

/** A held price: what is shown, and what the inputs resolve to. */
export interface Held {
  storeId: number
  groupId: number
  shown: ComputedPrice
  wanted: ComputedPrice
}

/** Whether a price is one of those of its store that are held. */
export const isHeld = ({ groupId }: Price, held: readonly Pick<Held, 'groupId'>[]): boolean =>
  held.some((one) => one.groupId === groupId)

/**
 * Replaces prices that still jump away from a held price by that held price, and the rule by the one that made it. The
 * base cost is that of today. A hold in another currency, or one that the price has come back to, has no effect.
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
