// How a record differs from what is known of its offer, as far as that may show that the file is wrong.

/** What is known of an offer: its cost, above 0, and quantity. */
export interface KnownFigures {
  cost: number
  quantity: number
}

/** Two figures are alike within this factor: quantities, and costs, move a little from file to file. */
const ALIKE_FACTOR = 1.25

/** How many times the greater of two figures is the smaller one. */
function ratio(a: number, b: number): number {
  if (a === b) return 1
  const [low, high] = a < b ? [a, b] : [b, a]
  return low <= 0 ? Infinity : high / low
}

/** Whether a cost above 0 rises or falls by more than a factor. A cost that becomes 0 is counted as that. */
export const isJump = (before: number, after: number, factor: number): boolean =>
  after > 0 && ratio(before, after) > factor * (1 + 1e-9)

/** Whether a record states the known quantity as the cost and the known cost as the quantity. Those that are alike show nothing. */
export function isSwapped(before: KnownFigures, after: KnownFigures): boolean {
  if (ratio(before.cost, before.quantity) <= ALIKE_FACTOR || ratio(before.cost, after.cost) <= ALIKE_FACTOR)
    return false
  const asQuantity = Math.floor(before.cost)
  const isCost = after.quantity === asQuantity || ratio(after.quantity, before.cost) <= ALIKE_FACTOR
  return isCost && ratio(after.cost, before.quantity) <= ALIKE_FACTOR
}
