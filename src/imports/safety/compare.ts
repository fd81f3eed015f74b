// Compares a record with its known offer, to find signs that the file is wrong.

/** The known cost (above 0) and quantity of an offer. */
export interface KnownFigures {
  cost: number
  quantity: number
}

/** Two figures count as similar within this factor: quantities and costs move a little from file to file. */
const ALIKE_FACTOR = 1.25

/** The ratio of the larger figure to the smaller one. */
function ratio(a: number, b: number): number {
  if (a === b) return 1
  const [low, high] = a < b ? [a, b] : [b, a]
  return low <= 0 ? Infinity : high / low
}

/** Whether a cost above 0 rises or falls by more than a factor. A cost that becomes 0 is counted separately. */
export const isJump = (before: number, after: number, factor: number): boolean =>
  after > 0 && ratio(before, after) > factor * (1 + 1e-9)

/**
 * Whether a record states the known quantity as the cost and the known cost as the quantity. False if cost and quantity are similar, which proves
 * nothing.
 */
export function isSwapped(before: KnownFigures, after: KnownFigures): boolean {
  if (ratio(before.cost, before.quantity) <= ALIKE_FACTOR || ratio(before.cost, after.cost) <= ALIKE_FACTOR)
    return false
  const asQuantity = Math.floor(before.cost)
  const isCost = after.quantity === asQuantity || ratio(after.quantity, before.cost) <= ALIKE_FACTOR
  return isCost && ratio(after.cost, before.quantity) <= ALIKE_FACTOR
}
